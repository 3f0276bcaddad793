"""Routing: which lines of the index does an utterance touch, and how surely? Pure, no model.

    cut the utterance into atoms with places
    every way in which a keyword is there: as written, by its stem, joined, in parts, misspelt, by a synonym
    of a line: the matches that do not overlap, each worth how well it matched times how rare it is among the lines

A match is worth at least half as much as any other one of its kind, so one shared word never beats two.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..model import Entry
from .atoms import Key, atoms, key_of
from .matching import SHORTEST, How, Match, Near, Routed, Said
from .synonyms import NONE, Synonyms

LONGEST = 2000  # characters of an utterance that are looked at
_MOST_JOINED = 4  # atoms in a row that are tried as one keyword
_LONGEST_RUN = 12  # characters of a dense keyword
_MOST_FUZZY = 40  # unknown words that are tried as misspellings
# A routed line below this confidence is a guess that no one should act upon.
LEAST = 0.2


_WORTH = {
    How.EXACT: 1.0, How.STEM: 0.95, How.JOINED: 0.95, How.INSIDE: 0.8, How.SYNONYM: 0.75, How.PARTS: 0.7,
    How.FUZZY: 0.6,
}  # fmt: skip
_LEAST_RARITY = 0.6
_COVERAGE = 0.05
_STOP_WORTH = 0.1
_ASKING_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a keyword stands: the number of its line, and its key."""

    line: int
    key: Key


class Router:
    """The lines of an index, ready to be asked; `near` finds misspellings, None does without them; `synonyms` are the
    words that mean the same."""

    def __init__(self, entries: Sequence[Entry], near: Near | None = None, synonyms: Synonyms = NONE) -> None:
        self._entries = tuple(entries)
        self._near = near
        self._synonyms = synonyms
        self._exact: dict[str, list[_Spot]] = defaultdict(list)
        self._roots: dict[str, list[_Spot]] = defaultdict(list)
        self._parts: dict[str, list[_Spot]] = defaultdict(list)
        self._pairs: dict[str, list[_Spot]] = defaultdict(list)
        self._letters: dict[str, set[str]] = defaultdict(set)
        for line, entry in enumerate(self._entries):
            for keyword in entry.keywords:
                if key := key_of(keyword):
                    self._add(_Spot(line, key))
        self._lines = {name: len({spot.line for spot in spots}) for name, spots in self._roots.items()}
        self._longest = min(_LONGEST_RUN, max((len(name) for name in self._roots), default=0))

    def _add(self, spot: _Spot) -> None:
        key = spot.key
        self._exact[key.exact].append(spot)
        self._roots[key.root].append(spot)
        if len(key.atoms) > 1:
            for name in {atom.root for atom in key.atoms if not atom.stop and len(atom.form) > 1}:
                self._parts[name].append(spot)
        elif key.atoms[0].dense:
            for pair in _pairs(key.exact) if len(key.exact) > 2 else ():
                self._pairs[pair].append(spot)
        elif len(key.exact) >= SHORTEST and key.exact.isalpha():
            self._letters[key.exact[0]].add(key.exact)

    def route(self, utterance: str) -> list[Routed]:
        """Return the lines that an utterance touches, best first; of equals the one further up. Nothing is invented."""
        said = Said(atoms(utterance[:LONGEST]))
        found: dict[int, list[Match]] = defaultdict(list)
        for spot, match in self._matches(said):
            found[spot.line].append(match)
        every = sum(said.weights) or 1.0
        rated = []
        for line, matches in found.items():
            kept = _apart(matches)
            covered = sum(said.weights[place] for match in kept for place in match.places) / every
            rated.append((sum(match.worth for match in kept) + _COVERAGE * covered, covered, line, kept))
        rated.sort(key=lambda row: (-row[0], row[2]))
        seconds = [row[0] for row in rated[1:2]] or [0.0]
        return [
            Routed(
                self._entries[line],
                round(score, 4),
                _confidence(score, covered, seconds[0] if not place else score),
                kept,
            )
            for place, (score, covered, line, kept) in enumerate(rated)
        ]

    def _matches(self, said: Said) -> Iterator[tuple[_Spot, Match]]:
        known: set[int] = set()
        for spot, match in self._whole(said):
            known.update(match.places)
            yield spot, match
        yield from self._in_parts(said)
        yield from self._in_pairs(said)
        yield from self._misspelt(said, known)
        yield from self._by_synonyms(said)

    def _match(
        self, spot: _Spot, words: str, how: How, places: frozenset[int], share: float = 1.0
    ) -> tuple[_Spot, Match]:
        rarity = self._rarity(spot.key.root) if spot.key.telling else _STOP_WORTH
        return spot, Match(spot.key.keyword, words, how, round(_WORTH[how] * rarity * share, 4), places)

    def _rarity(self, name: str) -> float:
        """Return how much a keyword says: 1 where one line has it, 0.6 where all have."""
        lines, holding = len(self._entries), self._lines[name]
        most = math.log(1 + (lines - 0.5) / 1.5)
        share = math.log(1 + (lines - holding + 0.5) / (holding + 0.5)) / most if lines > 1 else 1.0
        return _LEAST_RARITY + (1 - _LEAST_RARITY) * min(1.0, share)

    def _whole(self, said: Said) -> Iterator[tuple[_Spot, Match]]:
        """Yield keywords that stand in the utterance as a whole."""
        for first in range(len(said.atoms)):
            if said.atoms[first].dense:
                yield from self._dense(said, first)
            for last in range(first + 1, min(first + _MOST_JOINED, len(said.atoms)) + 1):
                yield from self._joined(said, first, last)

    def _joined(self, said: Said, first: int, last: int) -> Iterator[tuple[_Spot, Match]]:
        """Yield the keywords that some atoms in a row are, taken together."""
        group = said.atoms[first:last]
        exact, stemmed = "".join(atom.form for atom in group), "".join(atom.root for atom in group)
        words, places = " ".join(atom.form for atom in group), said.places(first, last)
        inside = last - first == 1 and group[0].inside
        share = _ASKING_SHARE if all(atom.asking for atom in group) else 1.0
        seen = set()
        for spot in self._exact.get(exact, ()):
            seen.add(spot.key.keyword)
            whole = len(spot.key.atoms) == last - first
            yield self._match(spot, words, How.INSIDE if inside else How.EXACT if whole else How.JOINED, places, share)
        for spot in self._roots.get(stemmed, ()):
            if spot.key.keyword not in seen:
                yield self._match(spot, words, How.INSIDE if inside else How.STEM, places, share)

    def _dense(self, said: Said, place: int) -> Iterator[tuple[_Spot, Match]]:
        """Yield the keywords that a dense run holds; a keyword that is the whole run is found as an atom."""
        run, start = said.atoms[place].form, said.firsts[place]
        for first in range(len(run)):
            for last in range(first + 1, min(first + self._longest, len(run)) + 1):
                part = run[first:last]
                if part != run and part in self._exact:
                    places = frozenset(range(start + first, start + last))
                    for spot in self._exact[part]:
                        yield self._match(spot, part, How.EXACT, places)

    def _in_parts(self, said: Said) -> Iterator[tuple[_Spot, Match]]:
        """Yield compound keywords of which some atoms stand apart in the utterance."""
        found: dict[tuple[int, str], dict[str, tuple[_Spot, str, frozenset[int]]]] = defaultdict(dict)
        for name, words, places in _pieces_of(said, self._longest):
            for spot in self._parts.get(name, ()):
                found[spot.line, spot.key.keyword].setdefault(name, (spot, words, places))
        for parts in found.values():
            spot = next(iter(parts.values()))[0]
            telling = {atom.root for atom in spot.key.atoms if not atom.stop}
            places = frozenset().union(*(one for _, _, one in parts.values()))
            share = 1.0 if len(parts) >= len(telling) else 0.7 * len(parts) / len(telling)
            yield self._match(spot, " … ".join(words for _, words, _ in parts.values()), How.PARTS, places, share)

    def _in_pairs(self, said: Said) -> Iterator[tuple[_Spot, Match]]:
        """Yield dense keywords of which most pairs of characters stand in the utterance."""
        found: dict[tuple[int, str], tuple[_Spot, dict[str, int]]] = {}
        for atom, first in zip(said.atoms, said.firsts, strict=True):
            for place, pair in enumerate(_pairs(atom.form) if atom.dense else ()):
                for spot in self._pairs.get(pair, ()):
                    found.setdefault((spot.line, spot.key.keyword), (spot, {}))[1].setdefault(pair, first + place)
        for spot, pairs in found.values():
            share = len(pairs) / (len(spot.key.exact) - 1)
            if 0.5 <= share < 1:
                places = frozenset(place + step for place in pairs.values() for step in (0, 1))
                yield self._match(spot, "".join(pairs), How.PARTS, places, 0.8 * share)

    def _misspelt(self, said: Said, known: set[int]) -> Iterator[tuple[_Spot, Match]]:
        """Yield keywords that an unknown word is nearly spelled like; the first letter is seldom the wrong one."""
        if self._near is None:
            return
        tried = 0
        for atom, place in zip(said.atoms, said.firsts, strict=True):
            if place in known or atom.dense or atom.stop or len(atom.form) < SHORTEST or not atom.form.isalpha():
                continue
            tried += 1
            if tried > _MOST_FUZZY:
                return
            known_words = sorted(self._letters.get(atom.form[0], ()))
            for word in self._near(atom.form, known_words) or self._near(atom.form.removesuffix("s"), known_words):
                for spot in self._exact[word]:
                    yield self._match(spot, atom.form, How.FUZZY, frozenset((place,)))

    def _by_synonyms(self, said: Said) -> Iterator[tuple[_Spot, Match]]:
        """Yield keywords that mean the same as what was said."""
        for heard in self._synonyms.heard(said):
            for other in heard.others:
                key = key_of(other)
                for spot in self._roots.get(key.root, ()) if key else ():
                    yield self._match(spot, heard.words, How.SYNONYM, heard.places)


def route(
    utterance: str, entries: Sequence[Entry], near: Near | None = None, synonyms: Synonyms = NONE
) -> list[Routed]:
    """Return the lines that an utterance touches, best first; for many utterances keep a `Router`.

    >>> lines = [Entry("", ("postgres", "vacuum"), "pg.md"), Entry("", ("deploy", "release"), "deploy.md")]
    >>> [(found.entry.target, found.why) for found in route("How are releases deployed?", lines)]
    [('deploy.md', 'release ("releases", stem), deploy ("deployed", stem)')]
    """
    return Router(entries, near, synonyms).route(utterance)


def _pieces_of(said: Said, longest: int) -> Iterator[tuple[str, str, frozenset[int]]]:
    """Yield what a part of a compound keyword may be: atoms, and parts of dense runs."""
    for atom, first in zip(said.atoms, said.firsts, strict=True):
        if not atom.dense:
            yield atom.root, atom.form, frozenset((first,))
            continue
        for start in range(len(atom.form)):
            for end in range(start + 2, min(start + longest, len(atom.form)) + 1):
                yield atom.form[start:end], atom.form[start:end], frozenset(range(first + start, first + end))


def _pairs(run: str) -> list[str]:
    return [run[place : place + 2] for place in range(len(run) - 1)]


def _apart(matches: Sequence[Match]) -> tuple[Match, ...]:
    """Return the best matches of a line that share no word of the utterance, in the order of the utterance."""
    taken: set[int] = set()
    kept = []
    for match in sorted(matches, key=lambda one: (-len(one.places) * one.worth, min(one.places))):
        if taken.isdisjoint(match.places):
            taken.update(match.places)
            kept.append(match)
    return tuple(sorted(kept, key=lambda one: min(one.places)))


def _confidence(score: float, covered: float, next_score: float) -> float:
    """Return how surely a line is meant, 0 to 1: by what matched, by its share of the utterance, by its lead."""
    lead = (score - next_score) / score if score else 0.0
    return round(score / (score + 1) * (0.5 + 0.5 * min(covered, 1.0)) * (0.75 + 0.25 * lead), 4)
