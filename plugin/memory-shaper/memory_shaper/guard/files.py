"""Judging what a call would do to files: which of its effects touch something that is guarded. Looks at the disk."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .. import names
from ..calls.effects import Act, Effect, Reading
from ..model import ALLOWED, Answer, Verdict
from . import refusals
from .commands import asks_first
from .memory import change_key


@dataclass(frozen=True, slots=True)
class Place:
    """A guarded path with what it takes to recognise it: where its links lead, and its folder's."""

    path: str
    real: str
    folder: str
    name: str

    @classmethod
    def of(cls, path: str) -> Place:
        """The place of a path, links resolved as they are now."""
        folder, name = os.path.split(path)
        return cls(path, os.path.realpath(path), os.path.realpath(folder), names.same(name))


@dataclass(frozen=True, slots=True)
class Guarded:
    """The guarded places: the two indexes, the `!!` topic files, the plugin's folders and data, the host's settings."""

    index: Place
    archive_index: Place
    critical: tuple[Place, ...]
    own: tuple[Place, ...]
    config: Place

    @classmethod
    def of(cls, index: str, archive_index: str, critical: Iterable[str], own: Iterable[str], config: str) -> Guarded:
        """The guarded places by their absolute paths."""
        places = (tuple(map(Place.of, critical)), tuple(map(Place.of, own)))
        return cls(Place.of(index), Place.of(archive_index), *places, Place.of(config))

    @property
    def memories(self) -> str:
        return os.path.dirname(self.index.path)


def judge_effects(
    effects: Iterable[Effect], runs: Sequence[Sequence[str]], guarded: Guarded, critical: str = "approve"
) -> Verdict:
    """The verdict on a call by what could be read off it: allow, block (an index), or approve (the human decides).

    Looks at the disk for links and same files; what cannot be resolved counts as another file.
    """
    asked = ALLOWED
    for effect in effects:
        if effect.act is Act.READ:
            continue
        hit = touched(effect, guarded)
        if hit in (guarded.index, guarded.archive_index):
            message = refusals.index_write(effect.via, hit.path, guarded.memories)
            return Verdict(Answer.BLOCK, "index-write", os.path.basename(hit.path), message)
        if hit and asked.allowed:
            asked = _ask(hit, effect, guarded, critical)
    if asked.allowed and (words := asks_first(runs)):
        message = refusals.command(" ".join(words))
        return Verdict(Answer.APPROVE, "own-command", "", message, change_key(words))
    return asked


def _ask(hit: Place, effect: Effect, guarded: Guarded, critical: str) -> Verdict:
    rule = "critical" if hit in guarded.critical else "own-files"
    name = os.path.basename(hit.path)
    if rule == "critical" and critical != "approve":
        return Verdict(Answer.BLOCK, rule, name, refusals.CRITICAL_BLOCKED)
    key = change_key([effect.via, effect.path])
    return Verdict(Answer.APPROVE, rule, name, refusals.protected(rule, effect.via, name), key)


def touched(effect: Effect, guarded: Guarded) -> Place | None:
    """The guarded place that an effect would change, None where it touches none."""
    path = effect.path
    real = _real(path, follow=effect.act is not Act.DELETE)
    for place in (guarded.index, guarded.archive_index, *guarded.critical, guarded.config):
        if _hits(effect, path, real, place):
            return place
    for place in guarded.own:
        if _hits(effect, path, real, place) or _below(real, place.real) or _below(path, place.path):
            return place
    return None


def _hits(effect: Effect, path: str, real: str, place: Place) -> bool:
    if place.path in (path, real) or real == place.real:
        return True
    if effect.tree and (_below(place.path, path) or _below(place.path, real) or _below(place.real, real)):
        return True
    if real.startswith(place.folder) and names.same(os.path.basename(real)) == place.name:
        return os.path.dirname(real) == place.folder and (effect.act is not Act.DELETE or not os.path.lexists(real))
    return effect.act is not Act.DELETE and _same_file(real, place.real)


def _below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _real(path: str, follow: bool) -> str:
    try:
        if follow:
            return os.path.realpath(path)
        return os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
    except (OSError, ValueError):  # a NUL or a name that is too long is no file of ours
        return path


def _same_file(one: str, other: str) -> bool:
    try:
        return os.path.samestat(os.stat(one), os.stat(other))
    except (OSError, ValueError):
        return False


def writes_only(reading: Reading, path: Path) -> bool:
    """Whether writing one file is all that a call does."""
    writes = [effect for effect in reading.effects if effect.act is not Act.READ]
    return len(writes) == 1 and (writes[0].act, writes[0].path) == (Act.WRITE, str(path)) and not reading.runs
