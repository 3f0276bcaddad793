"""Spot checks of search: does it find the file that each kept question is about, and better than last time? Pure.

A question that no search could answer is left out first. What other words for the same questions change is chance, so
a change against an earlier run counts only where it is larger than that.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from .analyser import analyse, analyse_query
from .cases import Case
from .standing import key_of, keys_of

DEPTHS = (5, 15)
"""Within so many hits the file has to be."""
MOST = max(DEPTHS)
_KIND = "memory-shaper spot checks"
_VERSION = 1

Ranks = Mapping[str, int | None]
"""Where the file stood among the hits, from 1, by the digest of the question; None: not among the first MOST."""


class Why(StrEnum):
    """Why a question or a paraphrase is not put."""

    NOTHING = "no file is expected"
    NO_FILE = "the file is not in the store"
    NO_WORD = "the file holds no word of it"


@dataclass(frozen=True, slots=True)
class Dropped:
    """A wording that is not put."""

    wording: str
    why: Why


@dataclass(frozen=True, slots=True)
class Tried:
    """A case with the rank of its file for the question, and for each paraphrase."""

    case: Case
    rank: int | None
    others: tuple[int | None, ...] = ()


class Verdict(StrEnum):
    """What became of the hits since an earlier run."""

    WON = "won"
    LOST = "lost"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Level:
    """The hits within `depth`.

    `hits` of all questions; of the `paired` ones, which have paraphrases, `plain` as asked and `worded` in other words
    (several for a question count as their mean). `floor` is the difference of the two as a share of the paired.
    """

    depth: int
    hits: int
    paired: int
    plain: int
    worded: Fraction

    @property
    def floor(self) -> Fraction:
        return abs(self.plain - self.worded) / self.paired if self.paired else Fraction(0)


@dataclass(frozen=True, slots=True)
class Change:
    """What changed within a depth: the questions won and lost out of the `compared`, and what to make of it."""

    won: tuple[str, ...]
    lost: tuple[str, ...]
    compared: int
    verdict: Verdict


class BadSnapshot(ValueError):
    """A text that is no snapshot; the text of the error says what is wrong."""


def words_of(name: str, text: str) -> frozenset[str]:
    """The words by which a note can be found: those of its name and of its text, front matter included."""
    stem = name.rpartition("/")[2].removesuffix(".md")
    return frozenset(analyse(f"{stem}\n{text}").words)


def wanted(cases: Sequence[Case]) -> frozenset[str]:
    """The keys of all files that the cases expect."""
    return frozenset(key_of(name) for case in cases for name in case.expect)


def sift(cases: Sequence[Case], store: Mapping[str, Set[str]]) -> tuple[list[Case], list[Dropped]]:
    """Part the cases that a search can answer from the wordings that none can.

    `store` holds the words of each expected file that there is, by its key. Of several expected files one will do.
    """
    kept: list[Case] = []
    dropped: list[Dropped] = []
    for case in cases:
        why = _fault(case.question, case, store)
        if why:
            dropped.append(Dropped(case.question, why))
            continue
        faults = {wording: _fault(wording, case, store) for wording in case.paraphrases}
        kept.append(replace(case, paraphrases=tuple(wording for wording, fault in faults.items() if not fault)))
        dropped += [Dropped(wording, fault) for wording, fault in faults.items() if fault]
    return kept, dropped


def _fault(wording: str, case: Case, store: Mapping[str, Set[str]]) -> Why | None:
    there = [store[key] for key in map(key_of, case.expect) if key in store]
    if not there:
        return Why.NO_FILE if case.expect else Why.NOTHING
    words = analyse_query(wording).words
    return None if any(not known.isdisjoint(words) for known in there) else Why.NO_WORD


def rank_of(case: Case, hits: Sequence[str]) -> int | None:
    """The place of the first expected file among the names of the hits, from 1; None where it is not among them."""
    expected = {key_of(name) for name in case.expect}
    return next((place for place, name in enumerate(hits, 1) if keys_of(name) & expected), None)


def level(tried: Sequence[Tried], depth: int) -> Level:
    """Count the hits within a depth."""
    paired = [one for one in tried if one.others]
    return Level(
        depth,
        sum(_within(one.rank, depth) for one in tried),
        len(paired),
        sum(_within(one.rank, depth) for one in paired),
        sum(
            (Fraction(sum(_within(rank, depth) for rank in one.others), len(one.others)) for one in paired), Fraction()
        ),
    )


def _within(rank: int | None, depth: int) -> bool:
    return rank is not None and rank <= depth


def changed(tried: Sequence[Tried], before: Ranks, found: Level) -> Change:
    """Compare with an earlier run, question by question; one that was not put then is not compared.

    The share of questions won less those lost has to be above the floor; up to it the outcome is a draw.
    """
    pairs = {one.case.question: (one.rank, before[key]) for one in tried if (key := digest(one.case)) in before}
    moved = {text: _within(now, found.depth) - _within(then, found.depth) for text, (now, then) in pairs.items()}
    won, lost = (tuple(text for text, step in moved.items() if step == way) for way in (1, -1))
    change = Fraction(len(won) - len(lost), len(pairs) or 1)
    verdict = Verdict.DRAW if abs(change) <= found.floor else Verdict.WON if change > 0 else Verdict.LOST
    return Change(won, lost, len(pairs), verdict)


def digest(case: Case) -> str:
    """What tells a question and the files expected from others, without naming them."""
    parts = json.dumps([case.question, sorted(map(key_of, case.expect))])
    return hashlib.sha256(parts.encode()).hexdigest()


def snapshot(tried: Sequence[Tried]) -> str:
    """The ranks as JSON: digests and numbers, no text."""
    ranks = {digest(one.case): one.rank for one in tried}
    return json.dumps({"kind": _KIND, "version": _VERSION, "ranks": ranks}, indent=1, sort_keys=True) + "\n"


def read_snapshot(text: str) -> Ranks:
    """The ranks in a snapshot. Raises BadSnapshot."""
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadSnapshot("not a snapshot of spot checks: no JSON") from error
    if not isinstance(tree, dict) or tree.get("kind") != _KIND:
        raise BadSnapshot("not a snapshot of spot checks")
    if tree.get("version") != _VERSION:
        raise BadSnapshot("a snapshot of another version")
    ranks = tree.get("ranks")
    if not isinstance(ranks, dict) or not all(map(_is_rank, ranks.values())):
        raise BadSnapshot("a damaged snapshot: its ranks are not whole numbers above 0, or null")
    return ranks


def _is_rank(value: object) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value > 0)
