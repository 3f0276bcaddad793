"""Installing, enabling, listing and checking the plugin with the hosts' own commands."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from memory_shaper.record import EventKind

from hosts.endpoint import ask, say
from hosts.harness import OUR_PLUGIN, Home, Host, hermes, session
from hosts.scenes import PYTHON, entries, events, indexed_home, memory


def status(host: Host, home: Home) -> list[str]:
    listed = json.loads(hermes(host, home, "plugins", "list", "--json").out)
    return [plugin["status"] for plugin in listed if plugin["name"] == "memory-shaper"]


def repository(folder: Path) -> str:
    """A git repository that holds the plugin as this project does; its address with the path inside."""
    place = folder / "repo"
    shutil.copytree(OUR_PLUGIN, place / "plugin" / "memory-shaper", ignore=shutil.ignore_patterns("__pycache__"))
    name = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    for words in (("init", "-q"), ("add", "-A"), (*name, "commit", "-qm", "one")):
        subprocess.run(["git", *words], cwd=place, check=True, capture_output=True)
    return f"file://{place}#plugin/memory-shaper"


def test_manifest__no_version_and_every_tool() -> None:
    """The manifest has no manifest_version, which an older host refuses, and says that it stands alone."""
    lines = (OUR_PLUGIN / "plugin.yaml").read_text(encoding="utf-8").splitlines()
    keys = [line.partition(":")[0] for line in lines if line[:1].isalpha()]
    assert "manifest_version" not in keys
    assert "kind: standalone" in lines


def test_checks_of_the_newer_host(host: Host, tmp_path: Path) -> None:
    """The copied folder is listed as enabled, and where the host has a doctor it finds nothing to say."""
    home = indexed_home(tmp_path)
    assert status(host, home) == ["enabled"]
    if host.defers:
        doctor = hermes(host, home, "plugins", "doctor", str(OUR_PLUGIN), "--ci", timeout=300)
        assert doctor.code == 0, doctor.out
        validated = hermes(host, home, "plugins", "validate", str(OUR_PLUGIN), "--json", timeout=300)
        found = json.loads(validated.out)
        assert (validated.code, found.get("errors", []), found.get("warnings", [])) == (0, [], [])


def test_install__again_keeps_everything(host: Host, tmp_path: Path) -> None:
    """Installed from a repository, enabled, used, and installed again by force: settings, record and index are kept."""
    if host.defers:
        pytest.skip("installing in 0.22 fetches a Python build from the internet")
    home = indexed_home(tmp_path, config={"plugins": {"entries": {"memory-shaper": {"settings": {"grace_days": 3}}}}})
    shutil.rmtree(home.path / "plugins" / "memory-shaper")
    source = repository(tmp_path)
    for words in (("install", source, "--no-enable"), ("enable", "memory-shaper")):
        ended = hermes(host, home, "plugins", *words)
        assert ended.code == 0, ended.out + ended.err
    assert status(host, home) == ["enabled"]
    session(host, home, [ask(memory("remove", old_text=PYTHON)), say("done")])
    before = home.index.read_bytes(), len(events(home)), home.config.read_text()
    ended = hermes(host, home, "plugins", "install", source, "--force", "--no-enable")
    assert ended.code == 0, ended.out + ended.err
    assert status(host, home) == ["enabled"]
    assert (home.index.read_bytes(), len(events(home))) == before[:2]
    assert "grace_days" in home.config.read_text()
    session(host, home, [ask(memory("add", "no entry at all")), say("done")])
    assert PYTHON not in entries(home)
    assert events(home, EventKind.BLOCKED)
