"""The names in a text: people, places, organisations, codes and products, in English and Chinese. Pure.

English names show by their capitals, codes by capitals and digits, products by capitals inside a word. A capital that
begins a sentence tells nothing about a common word. Chinese names end in a title or in what the place or company is;
the words that a dictionary knows as names are handed in.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from .common_words import COMMON_ENGLISH, NO_NAMES, SURNAMES
from .cut import dense_runs, has_han, normal
from .forms import IRREGULAR, STOP_ENGLISH

# Gives the names in a run of Chinese; handed in, since it needs a dictionary.
Namer = Callable[[str], Iterable[str]]

MOST = 30
"""Names of one text that are kept, the most frequent first."""

_MOST_WORDS = 6  # of one name
_LONGEST = 64  # characters of a word that may be a name
_LETTER = r"[A-Za-z\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff]"
_TOKEN = re.compile(
    rf"(?<![\w.])(?:\.(?=NET\b))?{_LETTER}(?:{_LETTER}|\d)*(?:[-.'’&/_](?:{_LETTER}|\d)+)*(?:\+\+|#(?!\w))?"
)
_LINK = re.compile(r" (?:(?:of|de|del|la|van|von|der|bin|al|&|and the) )?\Z|[’'] ?\Z")
_BEGINS = re.compile(r"(?:\A|[.!?:;…\"“”‘(\[>|*#])[\s\"“‘(\[*_`>-]*\Z|\A[\s\d.#>*+-]*\Z")
_BEFORE = 12  # characters in front of a word that tell whether it begins a sentence
_CODE = re.compile(r"(?=[^a-z]*[A-Z])(?:[A-Z0-9]|[-&/.](?=[A-Z0-9])){2,}")
_INNER = re.compile(
    rf"{_LETTER}*[a-z\d]+[A-Z].*|(?!v\d){_LETTER}+(?:-?\d+{_LETTER}*)+|.*(?:\+\+|#)|\.NET|[a-z]+\.(?:js|io|ai)"
)
_ENDING = re.compile(r".{2,}(?:ing|ed|ly|tions?|ments?|ness|able|less|ful)")
_FENCED = re.compile(r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1[^\n]*$|\Z)", re.DOTALL | re.MULTILINE)
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,19}://\S+|\b[\w.+-]{1,64}@[\w.-]{1,64}|`[^`\n]*`")
_TITLED = 0.75  # from this share of capitals on a line is a headline, in which they tell nothing

_HAN = "[\u4e00-\u9fff]"
# Characters that begin or end no name and no word of a project.
BOUNDS = "我你他她它们的了着过在去到是有和与跟从向于对给被让把等及或叫住这那个位名往来说用做找请约和见是"
_PLACE = re.compile(
    rf"({_HAN}{{1,8}}?)(公司|集团|大学|学院|医院|银行|中学|小学|研究所|研究院|工作室|事务所|基金会|委员会|出版社|机场|火车站)"
)
_REGION = re.compile(rf"({_HAN}{{2,4}})([省市县区镇])(?!{_HAN}?[场民长面])")
_NO_REGION = ("城市", "超市", "股市", "上市", "都市", "集市", "地区", "小区", "社区", "市区", "园区", "城镇")
_PERSON = re.compile(
    rf"([{SURNAMES}]{_HAN}{{0,2}}?)(先生|女士|小姐|老师|医生|教授|经理|总监|律师|同学|师傅|阿姨|叔叔|主任|院长|校长)"
)
_CALLED = re.compile(rf"(?:名叫|叫做|姓名是|名字叫|名字是|叫)([{SURNAMES}]{_HAN}{{1,2}})(?!{_HAN})")
_QUOTED = re.compile(r"[《「『]([^《》「」『』\n]{2,20})[》」』]")


class _Shape(StrEnum):
    CODE = "code"
    INNER = "inner"
    CAPITAL = "capital"


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    shape: _Shape
    begins: bool
    start: int
    end: int


def entities(units: Iterable[str], namer: Namer | None = None) -> tuple[str, ...]:
    """Return the names in the sentences or lines of a text, the most frequent first, of equals the first one.

    A name of several words is given whole and in its telling words; each name once, whatever its capitals.

    >>> entities(["Python and Django run our shop.", "we email the history of each version"])
    ('Python', 'Django')
    >>> entities(["Ask Dr. Ada Lovelace at OpenAI about GO and ticket ABC-12"])
    ('Ada Lovelace', 'Ada', 'Lovelace', 'OpenAI', 'GO', 'ABC-12')
    """
    texts = [_ADDRESS.sub(" ", normal(unit)) for unit in _unfenced(units)]
    lower = {word for text in texts for word in re.findall(r"\b[a-z]{2,}\b", text)}
    count: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for text in texts:
        for name in (*_latin(text, lower), *_chinese(text, namer)):
            key = key_of(name)
            shown.setdefault(key, name)
            count[key] += 1
    first = {key: place for place, key in enumerate(shown)}
    ranked = sorted(count, key=lambda key: (-count[key], first[key]))[:MOST]
    return tuple(shown[key] for key in ranked)


def key_of(name: str) -> str:
    """Return what tells one name from another: the name without regard to capitals and blanks at its ends."""
    return " ".join(name.casefold().split())


def is_common(word: str) -> bool:
    """Tell whether an English word is no name, though a capital may begin it."""
    bare = word.casefold().removesuffix("'s").removesuffix("’s")
    known = bare in STOP_ENGLISH or bare in COMMON_ENGLISH or bare in IRREGULAR or bare in _BASES
    return known or _ENDING.fullmatch(bare) is not None or len(bare) < 2


_BASES = frozenset(IRREGULAR.values())


def _unfenced(units: Iterable[str]) -> list[str]:
    """The lines outside of code."""
    return _FENCED.sub("", "\n".join(units)).split("\n")


def _latin(text: str, lower: set[str]) -> Iterator[str]:
    """Yield the names written in letters; `lower` are the words that the text also writes small."""
    tokens = list(_tokens(text))
    words = len(re.findall(rf"{_LETTER}+", text))
    titled = words > 3 and sum(token.shape is _Shape.CAPITAL for token in tokens) >= _TITLED * words
    for group in _groups(text, tokens):
        kept = list(group)
        while kept and _tells_nothing(kept[0], lower, titled or kept[0].begins):
            kept.pop(0)
        if 1 < len(kept) <= _MOST_WORDS and not titled:
            yield text[kept[0].start : kept[-1].end]
        yield from (token.text for token in kept if not _tells_nothing(token, lower, titled or len(kept) > 1))


def _tells_nothing(token: _Token, lower: set[str], doubtful: bool) -> bool:
    """Whether a token is a common word; `doubtful` says that its capital may come from its place."""
    word = token.text.casefold()
    if word in NO_NAMES or (token.shape is not _Shape.INNER and word in STOP_ENGLISH and token.text != "GO"):
        return True
    return token.shape is _Shape.CAPITAL and doubtful and (is_common(token.text) or word in lower)


def _tokens(text: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(text):
        word = found[0].removesuffix("'s").removesuffix("’s")
        shape = _shape(word)
        if shape:
            begins = _BEGINS.search(text[max(found.start() - _BEFORE, 0) : found.start()]) is not None
            yield _Token(word, shape, begins, found.start(), found.start() + len(word))


def _shape(word: str) -> _Shape | None:
    if len(word) > _LONGEST:
        return None
    if len(word) > 1 and _CODE.fullmatch(word):
        return _Shape.CODE
    if len(word) > 1 and _INNER.fullmatch(word):
        return _Shape.INNER
    return _Shape.CAPITAL if len(word) > 1 and word[0].isupper() else None


def _groups(text: str, tokens: Sequence[_Token]) -> Iterator[list[_Token]]:
    """Yield the tokens that stand next to each other, or are linked as in "University of Oslo"."""
    group: list[_Token] = []
    for token in tokens:
        if group and not _LINK.fullmatch(text[group[-1].end : token.start]):
            yield group
            group = []
        group.append(token)
    if group:
        yield group


def _chinese(text: str, namer: Namer | None) -> Iterator[str]:
    if not has_han(text):
        return
    yield from _QUOTED.findall(text)
    for run in dense_runs(text):
        yield from _ruled(run)
        yield from namer(run) if namer else ()


def _ruled(run: str) -> Iterator[str]:
    for stem, ending in _PLACE.findall(run):
        if name := _cut_off(stem):
            yield name + ending
    for stem, ending in _REGION.findall(run):
        name = _cut_off(stem)
        if len(name) > 1 and not (name + ending).endswith(_NO_REGION):
            yield name + ending
    for name, title in _PERSON.findall(run):
        yield name if len(name) > 1 else name + title
    yield from _CALLED.findall(run)


def _cut_off(stem: str) -> str:
    """What is left of a stem behind the last character that belongs to no name."""
    return re.split(f"[{BOUNDS}]", stem)[-1]
