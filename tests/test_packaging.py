"""One name, one version, in every place that has to say them."""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import memory_shaper
import pytest
from tools import PACKAGE, REPOSITORY

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
MANIFEST = PACKAGE / "plugin.yaml"


def manifest() -> dict[str, str]:
    """The plain fields of the manifest."""
    if not MANIFEST.is_file():
        pytest.skip("there is no plugin.yaml yet")
    rows = re.findall(r"^(\w+):[ \t]*(\S.*)$", MANIFEST.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: value.strip("\"'") for name, value in rows}


def test_names_agree() -> None:
    """The distribution, its command and its entry point for the host have one name."""
    assert PROJECT["name"] == "memory-shaper"
    assert ["memory-shaper"] == list(PROJECT["scripts"]) == list(PROJECT["entry-points"]["hermes_agent.plugins"])


def test_versions_agree() -> None:
    """The installed distribution and the package say the same version, a plain one."""
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", memory_shaper.__version__)
    try:
        assert memory_shaper.__version__ == importlib.metadata.version("memory-shaper")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package runs from the folder and is not installed")


def test_manifest() -> None:
    """The manifest has the name, the version and the kind that the host's loader wants."""
    found = manifest()
    assert ("memory-shaper", memory_shaper.__version__, "standalone") == (
        found["name"],
        found["version"],
        found["kind"],
    )


def test_the_folder_plugin_is_three_lines() -> None:
    """The folder that users copy hands everything to the package."""
    text = (PACKAGE / "__init__.py").read_text(encoding="utf-8")
    assert "register" in text and len(text.splitlines()) <= 6


@pytest.mark.parametrize("name", ["LICENSE", "NOTICE", "README.md"])
def test_papers_are_there(name: str) -> None:
    """Licence, notice and readme stand at the top."""
    assert (REPOSITORY / name).is_file() and Path(name).name == name


def test_a_wheel_installs_what_a_clone_installs(tmp_path: Path) -> None:
    """Plugin, skill and scripts are inside the wheel, and `install` puts the same bytes into a home from either."""
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(words, cwd=REPOSITORY, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(tmp_path / "site")
    installed = {}
    for name, place in (("wheel", tmp_path / "site"), ("clone", PACKAGE)):
        home = tmp_path / name
        home.mkdir()
        words = [sys.executable, "-B", "-m", "memory_shaper", "install", "--home", str(home)]
        subprocess.run(
            words, env={**os.environ, "PYTHONPATH": str(place)}, cwd=tmp_path, check=True, capture_output=True
        )
        files = (path for root in ("plugins", "skills", "scripts") for path in (home / root).rglob("*"))
        installed[name] = {path.relative_to(home): path.read_bytes() for path in files if path.is_file()}
    assert len(installed["clone"]) > 100 and installed["wheel"] == installed["clone"]
