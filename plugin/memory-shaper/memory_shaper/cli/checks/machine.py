"""The home, the interpreters, the host's version, and what is not installed. Shell: reads folders and environment."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator

from ... import __version__, settings
from ...errors import Unreadable
from ...headings import collapsed
from .. import hosting
from ..packages import OPTIONAL, absent
from ..parts import PACKAGE
from .base import Diagnosis, Patient, hosts, note, ok, ours, problem

_KNOWN = ("0.19", "0.22")
_DISTRIBUTIONS = {"yaml": "pyyaml"}


def place(patient: Patient) -> Iterator[Diagnosis]:
    """Which home, how it was found, and whether the active profile is another one."""
    home = patient.home
    if not home.path.is_dir():
        yield problem("home", f"{collapsed(str(home.path))} ({home.source}) is no folder", patient.hosts("setup"))
        return
    yield ok("home", f"the home is {collapsed(str(home.path))} ({home.source})")
    if home.source not in ("HERMES_HOME", "host"):
        return
    try:
        other = settings.profile_home()
    except Unreadable as error:
        yield note("profile", str(error), patient.hosts("profile", "list"))
        return
    if os.path.realpath(other.path) != os.path.realpath(home.path) and other.path.is_dir():
        told = f"without HERMES_HOME a host works on {collapsed(str(other.path))} ({other.source}), not on this home"
        yield note("profile", told, f"memory-shaper doctor --home {shlex.quote(str(other.path))}")


def base(patient: Patient) -> Iterator[Diagnosis]:
    """What a profile sets otherwise than the home that it is a profile of."""
    profiles = patient.home.path.parent
    if profiles.name != "profiles" or not (profiles.parent / "config.yaml").is_file():
        return
    try:
        other = settings.load(settings.Home(profiles.parent, "given"))
    except Unreadable as error:
        yield note("base-settings", str(error), patient.hosts("config", "edit"))
        return
    differing = list(_differing(patient.settings, other))
    if differing:
        told = f"this profile has its own settings, those of {collapsed(str(profiles.parent))} in brackets: "
        yield note("base-settings", told + ", ".join(differing), patient.hosts("config", "edit"))


def _differing(own: settings.Settings, other: settings.Settings) -> Iterator[str]:
    if own.cap != other.cap:
        yield f"memory_char_limit {own.cap:,} ({other.cap:,})"
    for name, row in settings.TABLE.items():
        if own[name] != other[name]:
            free = isinstance(row.default, str) and not row.choices  # a text may be long, or nobody's business
            yield name if free else f"{name} {own[name]} ({other[name]})"


def interpreters(patient: Patient) -> Iterator[Diagnosis]:
    """This Python, and the host's where that is another."""
    version = ".".join(map(str, sys.version_info[:3]))
    place = collapsed(str(PACKAGE))
    yield ok("interpreter", f"memory-shaper {__version__} from {place} in Python {version} ({sys.executable})")
    other = hosting.interpreter()
    if other is not None and hosting.is_other(other):
        told = f"the hermes command runs in another Python ({other}), which needs the plugin folder in the home"
        yield note("interpreters", told, patient.hosts("memory-shaper", "doctor"))


def host(patient: Patient) -> Iterator[Diagnosis]:
    """The host's version, as its package says it, in this Python or in the one of the `hermes` command."""
    version = hosting.version()
    if not version:
        told = "no Hermes is installed in this Python, so its version is unknown"
        yield note("host", told, patient.hosts("--version"))
    elif any(version == known or version.startswith(f"{known}.") for known in _KNOWN):
        yield ok("host", f"Hermes {version}, a version that memory-shaper is tested with")
    else:
        told = f"Hermes {version} is none of the versions that memory-shaper is tested with ({', '.join(_KNOWN)})"
        yield note("host", told, patient.hosts("plugins", "list"))


def packages(_: Patient) -> Iterator[Diagnosis]:
    """Optional packages that this Python does not have, and what is lost without each."""
    gone = absent()
    if not gone:
        yield ok("packages", "all optional packages are there")
        return
    told = "; ".join(f"{name} is not installed: {OPTIONAL[name]}" for name in gone)
    wanted = [_DISTRIBUTIONS.get(name, name) for name in gone]
    yield note("packages", told, shlex.join([sys.executable, "-m", "pip", "install", *wanted]))


def config(home: settings.Home) -> tuple[settings.Settings, list[Diagnosis]]:
    """The settings of the home, the default for each value that makes no sense, and what there is to say."""
    found, faults = settings.survey(home)
    if faults:
        return found, [problem("config", fault, hosts(home, "config", "edit")) for fault in faults]
    if not home.config.exists():
        return found, [note("config", "there is no config.yaml, so all is as by default", ours(home, "install"))]
    notes = [note("settings", text, hosts(home, "config", "edit")) for text in found.notes]
    return found, [ok("config", f"config.yaml is readable; the cap is {found.cap:,} ({found.cap_source})"), *notes]
