"""What a home's config.yaml says, and the settings of memory-shaper. Shell: reads the disk."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ParamSpec, TypeVar

from . import host, spans, yamlfile, yamllite
from .errors import Unreadable
from .places import NAME, Home, find_home, home_of_folder, profile_home, reason
from .privacy.rules import NO_RULES, Rules
from .settingstable import PATTERNS, TABLE, Scalar, Setting

__all__ = [
    "NAME", "PATTERNS", "TABLE", "Home", "Scalar", "Setting", "Settings",
    "find_home", "home_of_folder", "load", "profile_home", "survey",
]  # fmt: skip

P = ParamSpec("P")
T = TypeVar("T")
U = TypeVar("U")
SECTIONS = frozenset({"memory", "plugins", "approvals", "timezone"})
UNATTENDED = ("single_query", "cron", "unattended")  # where the host may approve by a setting what nobody is asked


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
        raise Unreadable(f"{home.config}: cannot be read ({reason(error)}); nothing was changed") from error
    stamp = (stat.st_mtime_ns, stat.st_size, stat.st_ino)
    known = _cache.get(path)
    if known is None or known[:2] != (stamp, ours):
        text = _read(home.config)
        known = (stamp, ours, _build(home, _parse(home.config, text), text, env))
        _cache[path] = known
    return known[2]


def survey(home: Home, environ: Mapping[str, str] | None = None) -> tuple[Settings, tuple[str, ...]]:
    """The settings as far as they make sense, the defaults for the rest, and each fault that `load` would refuse.

    For reports only: whatever changes a file takes `load`, which stops at the first fault.
    """
    env = os.environ if environ is None else environ
    faults: list[str] = []
    try:
        text = _read(home.config) if home.config.exists() else ""
        tree = _parse(home.config, text) if text else {}
    except Unreadable as error:
        return Settings(cap_source="the default, since config.yaml cannot be read", rules_known=False), (str(error),)
    return _build(home, tree, text, env, faults), tuple(faults)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"{path}: cannot be read ({reason(error)}); nothing was changed") from error


def _parse(path: Path, text: str) -> Mapping[object, object]:
    try:
        return yamlfile.parse(text, SECTIONS)
    except yamlfile.BadYaml as error:
        place = f":{error.line}" if error.line else ""
        raise Unreadable(f"{path}{place}: config unreadable ({error}), refusing to change anything") from error


def _build(
    home: Home, tree: Mapping[object, object], text: str, env: Mapping[str, str], faults: list[str] | None = None
) -> Settings:
    """The settings in a tree. A value without sense raises Unreadable, or goes to `faults` where they are kept."""
    memory, approvals = _section(tree, "memory"), _section(tree, "approvals")
    plugins = _section(_section(tree, "plugins"), "entries")
    ours = _section(_section(plugins, NAME), "settings")
    cap, source = _kept(faults, _cap, (host.DEFAULT_CAP, "default"), home, memory.get("memory_char_limit"), text)
    yolo = env.get("HERMES_YOLO_MODE", "").strip().lower() in ("1", "true", "yes", "on")
    off = yolo or approvals.get("mode") in ("off", False)
    unasked = frozenset(key for key in UNATTENDED if str(approvals.get(f"{key}_mode")).lower() == "approve")
    values = {
        name: _kept(faults, _value, row.default, home, row, ours.get(name), env, text) for name, row in TABLE.items()
    }
    rules = _kept(faults, _rules, None, home, ours, env, text)
    known = rules is not None
    return Settings(cap, source, off, unasked, values, _unknown(home, ours), rules or NO_RULES, known)


def _rules(home: Home, ours: Mapping[object, object], env: Mapping[str, str], text: str) -> Rules:
    given = {name: ours.get(name) for name in PATTERNS}
    if all(value is None and _variable(name) not in env for name, value in given.items()):
        return NO_RULES
    from .privacy.given import read

    told = {name: env[variable] for name in PATTERNS if (variable := _variable(name)) in env}
    return read(given, told, lambda name: _variable(name) if name in told else _place(home, name, text))


def _variable(name: str) -> str:
    return f"MEMORY_SHAPER_{name.upper()}"


def _kept(faults: list[str] | None, read: Callable[P, T], otherwise: U, *args: P.args, **kwargs: P.kwargs) -> T | U:
    """What `read` gives; where it raises Unreadable and faults are kept, the fault is, and `otherwise` holds."""
    try:
        return read(*args, **kwargs)
    except Unreadable as error:
        if faults is None:
            raise
        faults.append(str(error))
        return otherwise


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
        value = ("on" if value else "off") if isinstance(value, bool) else value  # as YAML reads the words
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
