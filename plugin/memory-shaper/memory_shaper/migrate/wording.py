"""Keywords and file names for groups of pieces: rare among the others, telling in themselves, one line each. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

from .. import names
from ..archive import free_name
from ..keywords import FEWEST, file_name
from ..rules import MOST
from ..rules.base import hyphenated, lower
from .parts import Group, Segment
from .sayings import SAYINGS
from .terms import Term, root, terms

_NAMED_BY = 2  # keywords in a file name
_LONGEST_NAME = 24  # characters; every one is paid for in every session
_EARLY = 12  # words; what a text begins with is what it is about
_FILLERS = ("remark", "saying", "jotting", "snippet", "scrap", "leftover")  # for a text that says next to nothing


@dataclass(frozen=True, slots=True)
class Wording:
    """A name and the ranked keywords of a group, the best first; at least five, and the first `own` are its alone."""

    name: str
    words: tuple[str, ...]


def word_all(
    groups: Sequence[Group], taken_words: Collection[str], taken_names: Iterable[str], segment: Segment | None = None
) -> list[Wording]:
    """A name and keywords for each group.

    `taken_words` are keywords of lines that stay: a word belongs to one line, so that none competes with another; one
    word at most is shared where a text has too few. `taken_names` are the file names that are not free.
    """
    found = [_scores(one, segment) for one in groups]
    counts = Counter(name for scores in found for name in {root(word) for word in scores})
    rare = [_rare(scores, counts, len(groups)) for scores in found]
    said = [_with_sayings(scores, counts) for scores in rare]
    owners = _owners(said, {root(lower(word)) for word in taken_words})
    names_ = set(map(names.same, (*taken_names, *names.SYSTEM)))
    return [
        _wording(one, scores, owners, number, names_)
        for number, (one, scores) in enumerate(zip(groups, said, strict=True))
    ]


def _scores(one: Group, segment: Segment | None) -> dict[str, float]:
    """Each word of a group with its weight: its form, how often it is there, whether the text begins with it."""
    weights: dict[str, float] = {}
    seen: dict[str, str] = {}
    for piece in one.pieces:
        for place, term in enumerate([*_given(piece.title, piece.tags, segment), *terms(piece.text, segment)]):
            word = seen.setdefault(term.root, term.word)
            gain = term.form * (1.25 if place < _EARLY else 1.0)
            weights[word] = max(weights.get(word, 0.0), gain) + (0.15 if word in weights else 0.0)
    return weights


def _given(title: str, tags: Sequence[str], segment: Segment | None) -> list[Term]:
    # What its writer called a text says more than any word in it.
    tagged = [word for tag in tags if (word := hyphenated(tag)) and len(word) <= _LONGEST_NAME]
    return [Term(word, root(word), 2.5) for word in tagged] + [
        Term(term.word, term.root, term.form * 1.8) for term in terms(title, segment)
    ]


def _rare(scores: Mapping[str, float], counts: Mapping[str, int], size: int) -> dict[str, float]:
    return {word: score * (0.3 + log((size + 1) / counts[root(word)])) for word, score in scores.items()}


def _with_sayings(scores: Mapping[str, float], counts: Mapping[str, int]) -> dict[str, float]:
    """With the words that people say for the strongest ones, where no other text has them."""
    found = dict(scores)
    for word in sorted(scores, key=lambda word: (-scores[word], word))[:_EARLY]:
        for place, other in enumerate(SAYINGS.get(word, SAYINGS.get(root(word), ()))):
            if root(other) not in counts:
                found[other] = max(found.get(other, 0.0), scores[word] * (0.6 - 0.05 * place))
    return found


def _owners(found: Sequence[Mapping[str, float]], taken: Collection[str]) -> dict[str, int]:
    """For each root the group in which it weighs most; roots of lines that stay belong to none."""
    best: dict[str, tuple[float, int]] = {}
    for number, scores in enumerate(found):
        for word, score in scores.items():
            name = root(word)
            if name not in taken and (name not in best or score > best[name][0]):
                best[name] = (score, number)
    return {name: number for name, (_, number) in best.items()}


def _wording(
    one: Group, scores: Mapping[str, float], owners: Mapping[str, int], number: int, taken: set[str]
) -> Wording:
    ranked = sorted(scores, key=lambda word: (-scores[word], word))
    own = _distinct(word for word in ranked if owners.get(root(word)) == number)[:MOST]
    shared = [word for word in ranked if word not in own and _fits(word, own)][:1]
    words = own if len(own) >= FEWEST else _filled([*own, *shared], number)
    name = _name(one, own or words, taken)
    taken.add(names.same(name))
    return Wording(name, tuple(words))


def _filled(words: list[str], number: int) -> list[str]:
    extra = [f"{filler}-{number + 1}" for filler in _FILLERS]
    return [*words, *extra[: max(0, FEWEST - len(words))]]


def _distinct(words: Iterable[str]) -> list[str]:
    """The words without those that are a part of an earlier one, or hold one: 数据 beside 数据库."""
    kept: list[str] = []
    by_start: dict[str, list[str]] = defaultdict(list)
    for word in words:
        if len(kept) < MOST and _fits(word, by_start["han"] if not word.isascii() else ()):
            kept.append(word)
            by_start["latin" if word.isascii() else "han"].append(word)
    return kept


def _fits(word: str, others: Iterable[str]) -> bool:
    return word.isascii() or not any(word in other or other in word for other in others if not other.isascii())


def _name(one: Group, words: Sequence[str], taken: Collection[str]) -> str:
    first = one.pieces[0]
    if first.file:
        return _file_of(first.file, first.here, taken)
    named = words[:1]
    for word in words[1:]:
        if len(named) < _NAMED_BY and len("-".join([*named, word])) <= _LONGEST_NAME:
            named = [*named, word]
    return free_name(_usable(file_name(" ".join(words), " ".join(named))), set(taken))


def _file_of(file: str, here: bool, taken: Collection[str]) -> str:
    if here:
        return file
    good = not names.fault(file) and names.is_topic(file)
    return free_name(file if good else _usable(file_name(file, file)), set(taken))


def _usable(name: str) -> str:
    if names.fault(name) or not names.is_topic(name):
        name = f"note-{name}"
    return name if not names.fault(name) and names.is_topic(name) else "note.md"
