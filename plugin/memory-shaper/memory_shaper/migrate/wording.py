"""Keywords and file names for groups of pieces: rare among the others, telling in themselves, one line each. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from .. import names
from ..archive import free_name
from ..keywords import FEWEST, file_name
from ..rules import MOST
from ..rules.base import hyphenated, lower
from ..rules.words import GENERIC, hidden_by_host
from ..sayings import SAYINGS
from ..secrets import secrets
from ..terms import EARLY, PLENTY, WEAK, Segment, Term, gain, root, terms
from .parts import Group, Piece

_NAMED_BY, _NAMED_FROM = 2, 4  # keywords in a file name: the first in the text of the best ones
_LONGEST_NAME = 20  # characters; every one is paid for in every session
_BEHIND_ASCII = "\x80"
_FILLERS = ("remark", "saying", "jotting", "snippet", "scrap", "leftover")  # for a text that says next to nothing


@dataclass(frozen=True, slots=True)
class Wording:
    """A name and the ranked keywords of a group, the best first, at least five."""

    name: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """The words of a group with their weights, and for each the place of the piece in which it weighs most."""

    weights: Mapping[str, float]
    pieces: Mapping[str, int]

    def ranked(self) -> list[str]:
        """The words, the best first; of several pieces each gives two in turn, so that each can be found."""
        # Of equals in Chinese the first in the text leads: it has no order of letters that means anything.
        best = sorted(self.weights, key=lambda word: (-self.weights[word], word if word.isascii() else _BEHIND_ASCII))
        given: Counter[int] = Counter()
        rounds: dict[str, int] = {}
        for word in best:
            rounds[word] = given[self.pieces[word]] // 2
            given[self.pieces[word]] += 1
        return sorted(best, key=lambda word: rounds[word])


Words = Mapping[int, Sequence[Term]]  # of each piece by its number, in order


def words_in(piece: Piece, segment: Segment | None = None) -> list[Term]:
    """The telling words of a piece: its tags, its title, then its text."""
    return [*_given(piece.title, piece.tags, segment), *terms(piece.text, segment)]


def word_all(
    groups: Sequence[Group], words: Words, taken_words: Collection[str], taken_names: Iterable[str]
) -> list[Wording]:
    """A name and keywords for each group.

    `taken_words` are keywords of lines that stay: a word belongs to one line, so that none competes with another; one
    word at most is shared where a text has too few. `taken_names` are the file names that are not free.
    """
    found = [_words_of(one, words) for one in groups]
    counts = Counter(name for one in found for name in {root(word) for word in one.weights})
    said = [_with_sayings(_rare(one, counts, len(groups)), counts) for one in found]
    owners = _owners(said, {root(lower(word)) for word in taken_words})
    taken = set(map(names.same, (*taken_names, *names.SYSTEM)))
    wordings = []
    for number, (one, known) in enumerate(zip(groups, said, strict=True)):
        chosen = _chosen(known, owners, number)
        name = _name(one, chosen, taken)
        taken.add(names.same(name))
        wordings.append(Wording(name, tuple(chosen)))
    return wordings


def _words_of(one: Group, words: Words) -> _Found:
    """The weight of each word: its form, how often it is there, whether the text begins with it."""
    weights: dict[str, float] = {}
    places: dict[str, int] = {}
    spelled: dict[str, str] = {}
    for number, piece in enumerate(one.pieces):
        for place, term in enumerate(words[piece.number]):
            word = spelled.setdefault(term.root, term.word)
            worth = gain(term, word, place)
            if worth > weights.get(word, 0.0):
                places[word] = number
            weights[word] = max(weights.get(word, 0.0), worth) + (0.15 if word in weights else 0.0)
    strong = {word: weight for word, weight in weights.items() if weight >= WEAK}
    return _Found(strong if len(strong) >= PLENTY else weights, places)


def _given(title: str, tags: Sequence[str], segment: Segment | None) -> list[Term]:
    # What its writer called a text says more than any word in it.
    tagged = [word for tag in tags if (word := hyphenated(tag)) and len(word) <= _LONGEST_NAME]
    return [Term(word, root(word), 2.5) for word in tagged if _may_be_said(word)] + [
        Term(term.word, term.root, term.form * 1.8) for term in terms(title, segment)
    ]


def _may_be_said(tag: str) -> bool:
    return not hidden_by_host(tag) and tag not in GENERIC and not secrets(tag)


def _rare(found: _Found, counts: Mapping[str, int], size: int) -> _Found:
    weights = found.weights.items()
    return _Found({word: value * (0.3 + log((size + 1) / counts[root(word)])) for word, value in weights}, found.pieces)


def _with_sayings(found: _Found, counts: Mapping[str, int]) -> _Found:
    """With the words that people say for the strongest ones, where no text has them."""
    weights, pieces = dict(found.weights), dict(found.pieces)
    for word in sorted(found.weights, key=lambda word: (-found.weights[word], word))[:EARLY]:
        for place, other in enumerate(SAYINGS.get(word, SAYINGS.get(root(word), ()))):
            if root(other) not in counts:
                weights[other] = max(weights.get(other, 0.0), found.weights[word] * (0.6 - 0.05 * place))
                pieces.setdefault(other, found.pieces[word])
    return _Found(weights, pieces)


def _owners(found: Sequence[_Found], taken: Collection[str]) -> dict[str, int]:
    """For each root the group in which it weighs most; roots of lines that stay belong to none."""
    best: dict[str, tuple[float, int]] = {}
    for number, one in enumerate(found):
        for word, weight in one.weights.items():
            name = root(word)
            if name not in taken and (name not in best or weight > best[name][0]):
                best[name] = (weight, number)
    return {name: number for name, (_, number) in best.items()}


def _chosen(found: _Found, owners: Mapping[str, int], number: int) -> list[str]:
    ranked = found.ranked()
    own = _distinct(word for word in ranked if owners.get(root(word)) == number)
    if len(own) >= FEWEST:
        return own
    shared = [word for word in ranked if word not in own and _fits(word, own)]
    return _filled([*own, *shared[:1]], number)


def _filled(words: list[str], number: int) -> list[str]:
    extra = [f"{filler}-{number + 1}" for filler in _FILLERS]
    return [*words, *extra[: max(0, FEWEST - len(words))]]


def _distinct(words: Iterable[str]) -> list[str]:
    """The words without those that are a part of an earlier one, or hold one: 数据 beside 数据库."""
    kept: list[str] = []
    roots: set[str] = set()
    for word in words:
        if len(kept) < MOST and root(word) not in roots and _fits(word, kept):
            kept.append(word)
            roots.add(root(word))
    return kept


def _fits(word: str, others: Iterable[str]) -> bool:
    return word.isascii() or not any(word in other or other in word for other in others if not other.isascii())


def _name(one: Group, words: Sequence[str], taken: set[str]) -> str:
    first = one.pieces[0]
    if first.file:
        return _file_of(first.file, first.here, taken)
    text = one.pieces[0].text.lower()
    best = sorted(words[:_NAMED_FROM], key=lambda word: text.find(word) % (len(text) + 1))
    named = best[:1]
    for word in best[1:]:
        if len(named) < _NAMED_BY and len("-".join([*named, word])) <= _LONGEST_NAME:
            named = [*named, word]
    return free_name(_usable(file_name(" ".join(words), " ".join(named))), taken)


def _file_of(file: str, here: bool, taken: set[str]) -> str:
    if here:
        return file
    return free_name(file if is_good_name(file) else _usable(file_name(file, file)), taken)


def _usable(name: str) -> str:
    return next((one for one in (name, f"note-{name}") if is_good_name(one)), "note.md")


def is_good_name(name: str) -> bool:
    """Whether a topic file may have a name: portable, no dropping, no secret, nothing that hides its line."""
    return not names.fault(name) and names.is_topic(name) and not hidden_by_host(name) and not secrets(name)
