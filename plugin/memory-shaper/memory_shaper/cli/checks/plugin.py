"""The plugin: in its folder, of this version, switched on, and seen at work. Shell: reads the home's folders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ... import __version__
from ...errors import MemoryShaperError
from ...headings import collapsed
from ...record import Beat, Heartbeat
from ...registered import TAKEN
from ...settings import NAME, Home
from ...yamledit import CannotEdit
from .. import enabling, hosting
from ..live.verdict import Proof
from ..parts import PLUGIN, parts
from ..screen import local, visible
from .base import Diagnosis, Patient, State, note, ok, problem

_VERSION = re.compile(r"^version:[ \t]*[\"']?([^\"'\s#]+)", re.MULTILINE)
_NAME = re.compile(r"^name:[ \t]*[\"']?memory-shaper[\"']?[ \t]*(?:#.*)?$", re.MULTILINE)
_COMMAND = re.compile(r"register_(?:cli_)?command\(\s*(?:name\s*=\s*)?[\"']memory-shaper[\"']")
_MUCH = 1_000_000  # bytes of another plugin's file that are looked at


def folder(patient: Patient) -> Iterator[Diagnosis]:
    """The plugin folder of the home, its version, and whether its code is this code."""
    path = patient.home.path / PLUGIN
    install = patient.ours("install")
    if not (path / "plugin.yaml").is_file():
        yield problem("plugin-folder", f"the plugin is not in {collapsed(str(path))}", install)
        return
    yield ok("plugin-folder", f"the plugin is in {collapsed(str(path))}")
    found = _VERSION.search(_read(path / "plugin.yaml"))
    version = found.group(1) if found else "unknown"
    if version != __version__:
        yield problem(
            "plugin-version", f"the plugin folder has version {visible(version)}, this is {__version__}", install
        )
        return
    differing = sum(_differs(patient.home.path / one.target, one.source) for one in parts() if PLUGIN in one.target)
    if differing:
        told = f"{differing} of the plugin's files are missing or not those of this program ({__version__})"
        yield problem("plugin-version", told, install)
    else:
        yield ok("plugin-version", f"the plugin folder has version {__version__}, as this program")


def _read(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(_MUCH).decode("utf-8", "replace")
    except OSError:
        return ""


def _differs(path: Path, source: Path) -> bool:
    try:
        return path.read_bytes() != source.read_bytes()
    except OSError:
        return True


def switched_on(patient: Patient) -> Iterator[Diagnosis]:
    """Whether config.yaml names the plugin. That alone never means that the guard is at work."""
    try:
        found = enabling.enabled(patient.home)
    except (CannotEdit, MemoryShaperError) as error:
        told = f"whether config.yaml switches the plugin on cannot be told ({error})"
        yield note("plugin-enabled", told, patient.hosts("plugins", "list"))
        return
    if found:
        yield ok("plugin-enabled", "config.yaml names the plugin in plugins.enabled")
    else:
        enable = patient.hosts("plugins", "enable", NAME)
        yield problem("plugin-enabled", "config.yaml does not switch the plugin on", enable)


def at_work(patient: Patient) -> Iterator[Diagnosis]:
    """On which surfaces the plugin was loaded and the guard was called, and when."""
    beats = patient.record.counters.beats()
    fired, loaded = _latest(beats, Beat.FIRED), _latest(beats, Beat.LOADED)
    if not fired and not loaded:
        told = "the guard was never seen at work in this home; start a session with one tool call and look again"
        yield note("guard", told, patient.hosts("chat"))
    if fired:
        told = ", ".join(f"{_named(beat)} {local(beat.at)}" for beat in fired.values())
        yield ok("guard-fired", f"the guard was called on: {told}")
    idle = [beat for surface, beat in loaded.items() if surface not in fired]
    if idle:
        told = ", ".join(f"{_named(beat)} {local(beat.at)}" for beat in idle)
        yield note("guard-loaded", f"loaded, but never called for a tool on: {told}", patient.ours("history"))


def enforced(patient: Patient) -> Iterator[Diagnosis]:
    """On which surfaces a refusal was kept when one was last given, and on which the refused call ran."""
    beats = patient.record.counters.beats()
    kept, dropped = _latest(beats, Beat.ENFORCED), _latest(beats, Beat.IGNORED)
    open_ = [beat for surface, beat in dropped.items() if surface not in kept or kept[surface].at < beat.at]
    if open_:
        told = ", ".join(f"{_named(beat)} {local(beat.at)}" for beat in open_)
        yield problem("guard-enforced", f"guard NOT enforced: a call that was refused ran on: {told}", _prove(patient))
    elif kept:
        told = ", ".join(f"{_named(beat)} {local(beat.at)}" for beat in kept.values())
        yield ok("guard-enforced", f"a refusal was kept on: {told}")
    else:
        yield note(
            "guard-enforced", "no call was refused yet, so nothing shows that the host keeps a refusal", _prove(patient)
        )


def is_unproven(found: Diagnosis) -> bool:
    """Whether a finding says no more than that nobody has seen yet whether a refusal is kept."""
    return found.check == "guard-enforced" and found.state is State.NOTE


def _prove(patient: Patient) -> str:
    return patient.ours("doctor", "--live")


def _latest(beats: list[Heartbeat], event: Beat) -> dict[str, Heartbeat]:
    """The latest sign of life of a kind for each surface."""
    return {beat.surface: beat for beat in reversed(beats) if beat.event is event}


def _named(beat: Heartbeat) -> str:
    return visible(beat.surface or "a surface without a name")


def names(patient: Patient) -> Iterator[Diagnosis]:
    """Another plugin of the home that goes by our name or registers our command: the host drops one of them."""
    for other in _others(patient.home):
        manifest, code = _read(other / "plugin.yaml"), _read(other / "__init__.py")
        if _NAME.search(manifest) or _COMMAND.search(code):
            told = (
                f'the plugin in {visible(other.name)} takes the name "{NAME}" as well, and the host drops one of them'
            )
            yield problem("name-taken", told, patient.hosts("plugins", "disable", other.name))


def proven(patient: Patient, proof: Proof) -> Iterator[Diagnosis]:
    """What a trial has shown: that the guard is enforced, that it is not, or nothing."""
    host = f"Hermes {hosting.version() or 'of an unknown version'} ({hosting.interpreter() or hosting.executable()})"
    if proof.enforced is None:
        yield problem("live", f"whether the guard is enforced could not be shown: {proof.reason}", _start(patient))
    elif proof.enforced:
        yield ok("live", f"guard enforced by {host}: {proof.reason}")
    else:
        yield problem("live", f"guard NOT enforced by {host}: {proof.reason}", patient.hosts("plugins", "list"))
    yield from _taken(patient, proof.taken, "the trial")


def _start(patient: Patient) -> str:
    return patient.hosts("chat") if hosting.executable() else f'PATH="$PATH:/FOLDER/OF/HERMES" {_prove(patient)}'


def commands(patient: Patient) -> Iterator[Diagnosis]:
    """Which of our commands the host gave to somebody else, as the last session saw it."""
    seen = patient.record.counters.meta(TAKEN)
    if seen == "":
        yield ok("commands", "the last session had /memory-shaper and hermes memory-shaper")
    yield from _taken(patient, seen or "", "the last session")


def _taken(patient: Patient, taken: str, who: str) -> Iterator[Diagnosis]:
    for row in taken.splitlines():
        command, _, owner = row.partition("\t")
        told = f"{who} gave {visible(command)} to {visible(owner) or 'the host'}, so ours did not register"
        mend = patient.hosts("plugins", "disable", owner) if owner else patient.hosts("plugins", "list")
        yield problem("command-taken", told, mend)


def _others(home: Home) -> list[Path]:
    try:
        found = sorted(path for path in (home.path / "plugins").iterdir() if path.is_dir())
    except OSError:
        return []
    return [path for path in found if path.name != NAME]
