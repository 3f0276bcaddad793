"""What an installation consists of: the plugin folder, the skill and the scripts, wherever this package runs from.

A clone has them around the package, a wheel inside it (`_data`), and the plugin folder of a home has only itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .. import store
from ..errors import Unreadable
from ..settings import NAME, Home

PACKAGE = Path(__file__).resolve().parents[1]
PLUGIN = f"plugins/{NAME}"
SKILL = "skills/system-administration/dynamic-memory"
SCRIPTS = "scripts"
WATCHDOG = "dynmem-watchdog.py"
_SCRIPTS = ("verify_index.py", "test_hook_cases.py", "test_retrieval.py", WATCHDOG)
_SHELL = ("__init__.py", "plugin.yaml", "after-install.md")  # of the plugin folder, beside the package
_BUNDLED = "_data"
_MADE = (".pyc", ".db")  # what running leaves behind


@dataclass(frozen=True, slots=True)
class Part:
    """One file of an installation: where it goes in the home (with `/`), and the file it is a copy of."""

    target: str
    source: Path

    def content(self) -> bytes:
        """Its bytes. Raises Unreadable."""
        found = store.read_bytes(self.source)
        if found is None:
            raise Unreadable(f"{self.source}: this installation of memory-shaper is not whole; install it anew")
        return found


def parts() -> list[Part]:
    """All files that are at hand to be installed, in the order of their places."""
    return [*_plugin(), *_skill(), *_scripts()]


def lacking() -> list[str]:
    """The parts that this copy of the program does not carry."""
    return [name for name, found in (("skill", _skill()), ("scripts", _scripts())) if not found]


def root_of(target: str) -> str:
    """The folder of the home that a place of ours belongs to: that of the plugin, the skill or the scripts."""
    return next((root for root in (PLUGIN, SKILL, SCRIPTS) if target.startswith(f"{root}/")), target)


def is_source(home: Home) -> bool:
    """Whether the plugin folder of the home is the very one that this program runs from."""
    return (home.path / PLUGIN).resolve() == PACKAGE.parent


def _bundled(inside: str, beside: Path) -> Path:
    folder = PACKAGE / _BUNDLED / inside
    return folder if folder.is_dir() else beside


def _repository() -> Path:
    return PACKAGE.parents[2]


def _plugin() -> list[Part]:
    shell = _bundled("plugin", PACKAGE.parent)
    code = (path for path in _below(PACKAGE) if path.parts[len(PACKAGE.parts)] != _BUNDLED)
    inside = PACKAGE.name
    return [
        *(Part(f"{PLUGIN}/{name}", shell / name) for name in _SHELL),
        *(Part(f"{PLUGIN}/{inside}/{path.relative_to(PACKAGE).as_posix()}", path) for path in code),
    ]


def _skill() -> list[Part]:
    folder = _bundled("skill", _repository() / "skill")
    if not (folder / "SKILL.md").is_file():
        return []
    return [Part(f"{SKILL}/{path.relative_to(folder).as_posix()}", path) for path in _below(folder)]


def _scripts() -> list[Part]:
    folder = _bundled("scripts", _repository() / "scripts")
    found = [folder / name for name in _SCRIPTS]
    return [Part(f"{SCRIPTS}/{path.name}", path) for path in found if path.is_file()]


def _below(folder: Path) -> Iterator[Path]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix not in _MADE)
    return (path for path in found if "__pycache__" not in path.parts and not path.name.startswith("."))
