"""Where the Hermes home is and what lies where in it. Shell: reads the environment and the name of the profile."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from . import names
from .errors import Unreadable

NAME = "memory-shaper"


@dataclass(frozen=True, slots=True)
class Home:
    """A Hermes home and how it was found: `host`, `HERMES_HOME`, `profile NAME`, `default` or `given`.

    `folder` is a memories folder outside of any Hermes home; `path` is then where we keep what we know about it.
    """

    path: Path
    source: str
    folder: Path | None = None

    @property
    def memories(self) -> Path:
        return self.folder or self.path / "memories"

    @property
    def index(self) -> Path:
        return self.memories / names.INDEX

    @property
    def archive(self) -> Path:
        return self.memories / names.ARCHIVE_FOLDER

    @property
    def archive_index(self) -> Path:
        return self.archive / names.ARCHIVE_INDEX

    @property
    def data(self) -> Path:
        """The folder of record.db and sidecar.db."""
        return self.path if self.folder else self.path / "plugin-data" / NAME

    @property
    def config(self) -> Path:
        return self.path / "config.yaml"


def home_of_folder(folder: Path, environ: Mapping[str, str] | None = None) -> Home:
    """The home of a memories folder that belongs to another agent; its record lies in the user's state folder."""
    import hashlib

    env = os.environ if environ is None else environ
    folder = folder.expanduser().absolute()
    state = Path(env.get("XDG_STATE_HOME") or Path(env.get("HOME") or Path.home()) / ".local" / "state")
    digest = hashlib.sha256(os.path.realpath(folder).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return Home(state / NAME / digest, "given", folder)


def find_home(environ: Mapping[str, str] | None = None, given: str | Path | None = None) -> Home:
    """The home in force: the host's own answer inside one, else `$HERMES_HOME`, the active profile, the default."""
    if given is not None:
        return Home(Path(given).expanduser().absolute(), "given")
    constants = sys.modules.get("hermes_constants")
    if constants is not None:
        return Home(Path(constants.get_hermes_home()), "host")
    env = os.environ if environ is None else environ
    if value := env.get("HERMES_HOME", "").strip():
        return Home(Path(os.path.expanduser(os.path.expandvars(value))).absolute(), "HERMES_HOME")
    return profile_home(env)


def profile_home(environ: Mapping[str, str] | None = None) -> Home:
    """The home of a host that is started without `$HERMES_HOME`: the active profile's, else the default."""
    root = _default_root(os.environ if environ is None else environ)
    if profile := _active_profile(root):
        return Home(root / "profiles" / profile, f"profile {profile}")
    return Home(root, "default")


def _default_root(env: Mapping[str, str]) -> Path:
    suffix = env.get("HERMES_DATA_DIR_SUFFIX", "")
    if sys.platform == "win32":
        local = env.get("LOCALAPPDATA", "").strip()
        return (Path(local) if local else Path.home() / "AppData" / "Local") / ("hermes" + suffix)
    return Path(env["HOME"] if env.get("HOME") else Path.home()) / (".hermes" + suffix)


def _active_profile(root: Path) -> str:
    path = root / "active_profile"
    try:
        name = path.read_text(encoding="utf-8-sig").strip()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"{path}: the active profile cannot be read ({reason(error)}); set HERMES_HOME") from error
    if "/" in name or "\\" in name or name in (".", "..") or not name.isprintable():
        raise Unreadable(f"{path}: the active profile is no plain name; set HERMES_HOME")
    return "" if name == "default" else name


def reason(error: Exception) -> str:
    """Why a file cannot be read, in words, for the end of a message."""
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is not UTF-8"
    return getattr(error, "strerror", None) or type(error).__name__
