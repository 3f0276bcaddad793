"""Notes that hold other words for what was asked. Shell: the sidecar, the two lists kept by hand.

A note that holds a further word and not enough of the question stands behind every note that the question itself finds.
Names beside names widen a question only where it finds less than was asked for; synonyms always do, and one place is
kept for a note that a synonym kept by hand leads to.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from ..settings import Home, Settings
from .analyser import analyse_query
from .atoms import key_of
from .byline import by_lines
from .expansion import by_names, by_synonyms, said, wider
from .folder import ARCHIVE
from .further import Expansion, Why
from .gathered import is_made, likely_synonyms
from .gathering import gather, settle_words
from .hit import Hit
from .mending import mending
from .remembered import Memory
from .search import Scope, Wish, search
from .sidecar import Sidecar
from .standing import View
from .synonyms import Synonyms
from .word_lists import word_lists

SHARE = 0.6
"""What a further word is worth beside a word of the question."""

_SECONDS = 0.15  # that a search spends on gathering names


@dataclass(frozen=True, slots=True)
class Wider:
    """A hit that further words led to, and these."""

    hit: Hit
    via: tuple[Expansion, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to be widened: with the names of the notes it found, and whether it found as many as wanted."""

    question: str
    wish: Wish
    found: Collection[str]
    enough: bool


class Widener:
    """Widens the questions to one home; `view` shows its notes to who asks, `broken` says why nothing was widened."""

    def __init__(self, home: Home, settings: Settings, memory: Memory, view: View) -> None:
        self._home = home
        self._settings = settings
        self._memory = memory
        self._view = view
        self._lists = word_lists(home)
        self._waiting = 0
        self.broken = ""

    @property
    def trouble(self) -> str:
        """What a question had to do without, "" where nothing."""
        told = f"nothing was found, and the names of {self._waiting} notes are not gathered yet: memory-shaper index"
        return "; ".join(filter(None, (self._lists.trouble, told if self._waiting else "", self.broken)))

    def widen(self, sidecar: Sidecar, asked: Asked) -> list[Wider]:
        """Return the notes that only further words lead to, best first. Raises SidecarError."""
        with sidecar.guard, mending(sidecar):
            extra = list(self._expansions(sidecar, asked))
        if not extra:
            return []
        found = [*self._by_lines(asked, extra), *_by_texts(sidecar, asked, extra)]
        best = {one.hit.name: one for one in sorted(found, key=lambda one: one.hit.score)}
        return sorted(best.values(), key=lambda one: -one.hit.score)

    def _expansions(self, sidecar: Sidecar, asked: Asked) -> Iterator[Expansion]:
        question = said(asked.question)
        yield from by_synonyms(question, self._lists.synonyms, Why.SYNONYM)
        if self._settings["discovered_synonyms"] == "on" and is_made(sidecar.connection):
            found = Synonyms((pair.word, pair.other) for pair in likely_synonyms(sidecar.connection))
            yield from by_synonyms(question, found, Why.LIKELY)
        most = int(self._settings.number("related_names"))
        if asked.enough or not most:
            return
        left = self._gather(sidecar)
        named = (
            list(by_names(sidecar.connection, asked.question, sidecar.words.names, most))
            if is_made(sidecar.connection)
            else []
        )
        if not asked.found and not named:  # otherwise nobody misses what the next searches gather
            self._waiting = left
        yield from named

    def _gather(self, sidecar: Sidecar) -> int:
        """Gather for a moment; return how many notes are left for the next time."""
        done = gather(sidecar, _SECONDS)
        if done.notes and not done.left:
            settle_words(sidecar, self._lists.words, cheaply=True)
        return done.left

    def _by_lines(self, asked: Asked, extra: Sequence[Expansion]) -> Iterator[Wider]:
        """Yield the notes to whose lines a synonym leads."""
        wish, table = asked.wish, self._lists.synonyms
        if wish.tags or wish.since or not table:
            return
        roots = {one: key.root for one in extra if one.why is Why.SYNONYM and (key := key_of(one.term))}
        lines = by_lines(self._home, self._memory, asked.question, asked.found, self._view, table)
        for hit in lines:
            held = {key.root for word in hit.evidence if (key := key_of(word))}
            via = tuple(one for one, root in roots.items() if root in held)
            if via and (wish.scope is not Scope.ARCHIVE or hit.kind == ARCHIVE):
                yield _wider(hit, via)


def _by_texts(sidecar: Sidecar, asked: Asked, extra: Sequence[Expansion]) -> Iterator[Wider]:
    """Yield the notes that hold a further word, searched for together with the question."""
    with sidecar.guard, mending(sidecar):
        words = {one: frozenset(analyse_query(one.term).words) for one in extra}
        words = {one: terms for one, terms in words.items() if any(map(sidecar.notes.holding, terms))}
    text = wider(said(asked.question), list(words))
    for hit in search(sidecar, text, asked.wish, refresh=False).hits if words else ():
        via = tuple(one for one, terms in words.items() if terms <= set(hit.evidence))
        if via and hit.name not in asked.found:
            yield _wider(hit, via)


def _wider(hit: Hit, via: tuple[Expansion, ...]) -> Wider:
    return Wider(replace(hit, score=round(hit.score * SHARE, 4), mode="wider"), via)
