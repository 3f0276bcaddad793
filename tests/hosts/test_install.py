"""`memory-shaper install` into a home of each real host: listed, loaded, on guard; and out again."""

import json
import sys
from pathlib import Path

from memory_shaper.record import Beat, EventKind

from hosts.endpoint import ask, say
from hosts.harness import Ended, Home, Host, hermes, make_home, run, session
from hosts.install import REPOSITORY
from hosts.scenes import HEADING, JAVA, beats, entries, events, joined, memory

CLONE = str(REPOSITORY / "plugin" / "memory-shaper")


def ours(home: Home, *words: str, python: str = sys.executable) -> Ended:
    """Run the command as it is in the clone."""
    return run([python, "-m", "memory_shaper", *words], home, env={"PYTHONPATH": CLONE, "PYTHONDONTWRITEBYTECODE": "1"})


def status(host: Host, home: Home) -> list[str]:
    listed = json.loads(hermes(host, home, "plugins", "list", "--json").out)
    return [plugin["status"] for plugin in listed if plugin["name"] == "memory-shaper"]


def test_install_and_a_session(host: Host, tmp_path: Path) -> None:
    """After one command the plugin is enabled, a bad call is refused, doctor has seen it; uninstall takes it out."""
    home = make_home(tmp_path, {"MEMORY.md": joined([JAVA]), "java-performance.md": "x"}, plugins=())
    before = home.config.read_bytes()
    installed = ours(home, "install")
    assert installed.code == 0, installed.err
    assert status(host, home) == ["enabled"]
    session(host, home, [ask(memory("add", "no entry at all")), say("done")])
    assert entries(home) == (JAVA,) and events(home, EventKind.BLOCKED)
    assert any(beat.event is Beat.FIRED for beat in beats(home))
    told = hermes(host, home, "memory-shaper", "doctor", "--json")
    found = {row["check"]: row for row in json.loads(told.out)["checks"]}
    assert {found[name]["state"] for name in ("plugin-version", "plugin-enabled", "guard-fired", "host")} == {"ok"}
    assert host.version in found["host"]["message"]
    home.config.write_bytes(before.replace(b'"enabled": []', b'"enabled": ["memory-shaper"]'))
    assert ours(home, "install", "--uninstall").code == 0
    assert home.config.read_bytes() == before and status(host, home) == []


def test_the_hosts_own_python(host: Host, tmp_path: Path) -> None:
    """The reader that the host brings for config.yaml serves as well; a new home gets heading and folder."""
    home = make_home(tmp_path, plugins=())
    home.memories.rmdir()
    home.config.write_text("# mine\nplugins:\n  enabled: []  # none\n", encoding="utf-8")
    assert ours(home, "install", python=str(host.python)).code == 0
    assert home.config.read_text() == "# mine\nplugins:\n  enabled: [memory-shaper]  # none\n"
    assert home.index.read_text().startswith(HEADING.partition("\n")[0])
    assert ours(home, "install", "--uninstall", python=str(host.python)).code == 0
    assert home.config.read_text() == "# mine\nplugins:\n  enabled: []  # none\n"


def test_the_daily_job(host: Host, tmp_path: Path) -> None:
    """Registered once through the host's scheduler, seen by doctor, and removed again."""
    home = make_home(tmp_path, plugins=())
    words = ("install", "--cron", "--json")
    jobs = [json.loads(ours(home, *words, python=str(host.python)).out)["job"] for _ in range(2)]
    assert jobs == ["registered", "there"]
    told = ours(home, "doctor", "--json", python=str(host.python))
    assert '"the scheduler runs the watchdog, next at 20' in told.out and "time zone: that of the machine" in told.out
    gone = ours(home, "install", "--uninstall", "--json", python=str(host.python))
    assert json.loads(gone.out)["job"] == "removed", gone.err
    assert "dynmem" not in (home.path / "cron" / "jobs.json").read_text()
