"""Where the Hermes home is, what its config.yaml says, and the settings of memory-shaper. Shell: reads the disk."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from . import host, names, spans, yamlfile, yamllite
from .errors import Unreadable
from .privacy.rules import NO_RULES, Rules
from .settingstable import PATTERNS, TABLE, Scalar, Setting

__all__ = ["NAME", "PATTERNS", "TABLE", "Home", "Scalar", "Setting", "Settings", "find_home", "home_of_folder", "load"]

NAME = "memory-shaper"
SECTIONS = frozenset({"memory", "plugins", "approvals", "timezone"})
UNATTENDED = ("single_query", "cron", "unattended")  # where the host may approve by a setting what nobody is asked


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


@dataclass(frozen=True, slots=True)
class Settings:
    """The values in force. `cap` is the host's limit in code points, `cap_source` where it comes from; `values` holds
    every setting of the table; `unasked` names the kinds of sessions in which the host approves without asking; `rules`
    are what may be kept, where they are known; `notes` are warnings, for example about an unknown key."""

    cap: int = host.DEFAULT_CAP
    cap_source: str = "default"
    approvals_off: bool = False
    unasked: frozenset[str] = frozenset()
    values: Mapping[str, Scalar] = field(default_factory=lambda: {name: row.default for name, row in TABLE.items()})
    notes: tuple[str, ...] = ()
    rules: Rules = NO_RULES
    rules_known: bool = True

    def __getitem__(self, name: str) -> Scalar:
        return self.values[name]

    def number(self, name: str) -> float:
        """A numeric setting."""
        return float(self.values[name])

    def days(self, name: str) -> int | None:
        """A setting that is a span of time, in days; None for forever."""
        return spans.days_of(str(self.values[name]))


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
        raise Unreadable(f"{path}: the active profile cannot be read ({_reason(error)}); set HERMES_HOME") from error
    if "/" in name or "\\" in name or name in (".", "..") or not name.isprintable():
        raise Unreadable(f"{path}: the active profile is no plain name; set HERMES_HOME")
    return "" if name == "default" else name


_cache: dict[str, tuple[tuple[int, int, int], tuple[str, ...], Settings]] = {}


def load(home: Home, environ: Mapping[str, str] | None = None) -> Settings:
    """The settings of a home; a missing config.yaml means the defaults.

    Raises Unreadable, naming file and line, for a config that cannot be read or a value that makes no sense.
    """
    env = os.environ if environ is None else environ
    path = str(home.config)
    ours = tuple(
        sorted(f"{key}={env[key]}" for key in env if key.startswith("MEMORY_SHAPER_") or key == "HERMES_YOLO_MODE")
    )
    try:
        stat = os.stat(path)
    except FileNotFoundError:
        return _build(home, {}, "", env)
    except OSError as error:
        raise Unreadable(f"{home.config}: cannot be read ({_reason(error)}); nothing was changed") from error
    stamp = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
    known = _cache.get(path)
    if known is None or known[:2] != (stamp, ours):
        text = _read(home.config)
        known = (stamp, ours, _build(home, _parse(home.config, text), text, env))
        _cache[path] = known
    return known[2]


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"{path}: cannot be read ({_reason(error)}); nothing was changed") from error


def _parse(path: Path, text: str) -> Mapping[object, object]:
    try:
        return yamlfile.parse(text, SECTIONS)
    except yamlfile.BadYaml as error:
        place = f":{error.line}" if error.line else ""
        raise Unreadable(f"{path}{place}: config unreadable ({error}), refusing to change anything") from error


def _build(home: Home, tree: Mapping[object, object], text: str, env: Mapping[str, str]) -> Settings:
    memory, approvals = _section(tree, "memory"), _section(tree, "approvals")
    plugins = _section(_section(tree, "plugins"), "entries")
    ours = _section(_section(plugins, NAME), "settings")
    cap, source = _cap(home, memory.get("memory_char_limit"), text)
    yolo = env.get("HERMES_YOLO_MODE", "").strip().lower() in ("1", "true", "yes", "on")
    off = yolo or approvals.get("mode") in ("off", False)
    unasked = frozenset(key for key in UNATTENDED if str(approvals.get(f"{key}_mode")).lower() == "approve")
    values = {name: _value(home, row, ours.get(name), env, text) for name, row in TABLE.items()}
    return Settings(cap, source, off, unasked, values, _unknown(home, ours), _rules(home, ours, env, text))


def _rules(home: Home, ours: Mapping[object, object], env: Mapping[str, str], text: str) -> Rules:
    given = {name: ours.get(name) for name in PATTERNS}
    if all(value is None and _variable(name) not in env for name, value in given.items()):
        return NO_RULES
    from .privacy.given import read

    told = {name: env[variable] for name in PATTERNS if (variable := _variable(name)) in env}
    return read(given, told, lambda name: _variable(name) if name in told else _place(home, name, text))


def _variable(name: str) -> str:
    return f"MEMORY_SHAPER_{name.upper()}"


def _section(tree: Mapping[object, object], key: str) -> Mapping[object, object]:
    value = tree.get(key)
    return value if isinstance(value, dict) else {}


def _cap(home: Home, value: object, text: str) -> tuple[int, str]:
    if value is None:
        return host.DEFAULT_CAP, "default"
    if isinstance(value, str):
        value = yamllite.plain(os.path.expandvars(value).strip())
    if isinstance(value, bool) or not isinstance(value, int | float) or not (value > 0 and value % 1 == 0):
        raise _nonsense(_place(home, "memory_char_limit", text), "memory_char_limit", value, "a whole number above 0")
    return int(value), "config"


def _value(home: Home, row: Setting, value: object, env: Mapping[str, str], text: str) -> Scalar:
    variable = _variable(row.name)
    given = yamllite.plain(env[variable].strip()) if variable in env else value
    try:
        return _checked(row, given)
    except ValueError as wanted:
        place = variable if variable in env else _place(home, row.name, text)
        raise _nonsense(place, row.name, given, str(wanted)) from wanted


def _checked(row: Setting, value: object) -> Scalar:
    """The value where it makes sense for a setting; ValueError with what was wanted where it makes none."""
    if value is None:
        return row.default
    if row.choices:
        value = "off" if value is False else value
        if value in row.choices:
            return str(value)
        raise ValueError(" or ".join(row.choices))
    if isinstance(row.default, bool):
        if isinstance(value, bool):
            return value
        raise ValueError("true or false")
    if row.span:
        spans.days_of(str(value))  # raises with what was wanted
        return str(value)
    if isinstance(row.default, str):
        if isinstance(value, list | tuple) and all(isinstance(one, str | int | float) for one in value):
            return ",".join(map(str, value))
        if isinstance(value, str) and not isinstance(value, yamllite.Unread):
            return value
        raise ValueError("text")
    if isinstance(value, int | float) and not isinstance(value, bool) and row.low <= value <= row.high:
        return value
    raise ValueError(f"a number from {row.low} to {row.high}")


def _place(home: Home, name: str, text: str) -> str:
    line = next((n for n, row in enumerate(text.splitlines(), 1) if re.match(rf"\s*[\"']?{name}[\"']?\s*:", row)), 0)
    return f"{home.config}:{line}" if line else str(home.config)


def _nonsense(place: str, name: str, value: object, wanted: str) -> Unreadable:
    return Unreadable(f"{place}: {name} is {str(value)[:40]!r}, and should be {wanted}; refusing to change anything")


def _unknown(home: Home, ours: Mapping[object, object]) -> tuple[str, ...]:
    notes = []
    for key in ours:
        if key not in TABLE and key not in PATTERNS:
            import difflib

            near = difflib.get_close_matches(str(key), (*TABLE, *PATTERNS), n=1, cutoff=0.5)
            hint = f'; did you mean "{near[0]}"?' if near else ""
            notes.append(f'{home.config}: unknown setting "{key}" has no effect{hint}')
    return tuple(notes)


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start} is not UTF-8"
    return getattr(error, "strerror", None) or type(error).__name__
