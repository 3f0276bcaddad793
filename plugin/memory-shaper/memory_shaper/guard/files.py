"""Judging what a call would do to files: which of its effects touch something that is guarded."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .. import names
from ..calls.effects import Act, Effect
from ..model import ALLOWED, Answer, Verdict
from . import refusals
from .commands import asks_first
from .memory import change_key


@dataclass(frozen=True, slots=True)
class Guarded:
    """The guarded places, all as absolute paths: the two indexes, the `!!` topic files, and what is ours."""

    index: str
    archive_index: str
    critical: tuple[str, ...] = ()
    own: tuple[str, ...] = ()  # the plugin's folders and its data
    config: str = ""

    @property
    def memories(self) -> str:
        return os.path.dirname(self.index)


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
            return Verdict(
                Answer.BLOCK,
                "index-write",
                os.path.basename(hit),
                refusals.index_write(effect.via, hit, guarded.memories),
            )
        if hit and asked.allowed:
            asked = _ask(hit, effect, guarded, critical)
    if asked.allowed and (words := asks_first(runs)):
        message = refusals.command(" ".join(words))
        return Verdict(Answer.APPROVE, "own-command", "", message, change_key(words))
    return asked


def _ask(hit: str, effect: Effect, guarded: Guarded, critical: str) -> Verdict:
    rule = "critical" if hit in guarded.critical else "own-files"
    name = os.path.basename(hit)
    if rule == "critical" and critical != "approve":
        return Verdict(Answer.BLOCK, rule, name, refusals.CRITICAL_BLOCKED)
    return Verdict(
        Answer.APPROVE, rule, name, refusals.protected(rule, effect.via, name), change_key([effect.via, effect.path])
    )


def touched(effect: Effect, guarded: Guarded) -> str:
    """The guarded path that an effect would change, "" where it touches none."""
    path = effect.path
    real = _real(path, follow=effect.act is not Act.DELETE)
    for place in (guarded.index, guarded.archive_index, *guarded.critical, guarded.config):
        if place and _hits(effect, path, real, place):
            return place
    for place in guarded.own:
        if _hits(effect, path, real, place) or _below(real, place) or _below(path, place):
            return place
    return ""


def _hits(effect: Effect, path: str, real: str, place: str) -> bool:
    there = os.path.realpath(place)
    if place in (path, real) or real == there:
        return True
    if effect.tree and (_below(place, path) or _below(place, real) or _below(there, real)):
        return True
    if names.same(os.path.basename(real)) == names.same(os.path.basename(place)):
        folder = os.path.realpath(os.path.dirname(place))
        if os.path.dirname(real) == folder and (effect.act is not Act.DELETE or not os.path.lexists(real)):
            return True
    return effect.act is not Act.DELETE and _same_file(real, there)


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
