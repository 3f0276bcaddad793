"""Chinese words from jieba's search mode: started only for Chinese, silent, with a cache of its own. Shell.

One dictionary serves a process. The words that a home adds to it are put in before a cut and taken out again before a
cut for another home, so that homes do not see each other's words and a word that is dropped leaves nothing behind.
"""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from .common_words import SURNAMES
from .forms import STOP_CHINESE
from .installed import is_installed

if TYPE_CHECKING:
    import jieba

_log = logging.getLogger(__name__)
_starting = threading.Lock()
_NAME_TAGS = frozenset({"nr", "nrfg", "nrt", "ns", "nt", "nz"})
_LONGEST_NEW = 8
# Runs of Chinese up to this length come again so often that their words are kept, of so many runs.
_SHORT = 8
_MOST_KEPT = 16_384


class JiebaWords:
    """A segmenter for `analyse`; `cache` is the private folder that jieba may write its dictionary to.

    `available` is None until the first Chinese text, then whether jieba could be started. `known` are the words that
    the dictionary has to take as one, as `learn` was told.
    """

    def __init__(self, cache: Path) -> None:
        self._cache = cache
        self._words: _Dictionary | None = None
        self.available: bool | None = None
        self.known: tuple[str, ...] = ()

    def __call__(self, run: str) -> Sequence[str]:
        """Cut a run of Chinese into words, longer ones also into their parts; nothing where jieba is missing."""
        words = self._started()
        return words.cut(run, self.known, parts=True) if words else ()

    def learn(self, words: Sequence[str]) -> None:
        """Take these words as one from now on, and those learnt before no longer."""
        self.known = tuple(words)

    def names(self, run: str) -> list[str]:
        """Return the words of a run that the dictionary knows as names of people, places, organisations, products, and
        unknown ones that begin with a surname."""
        words = self._started()
        return [word for word in words.cut(run, ()) if words.is_name(word)] if words else []

    def unknown(self, run: str) -> list[str]:
        """Return what a run holds that the dictionary itself does not: words guessed, and single characters in a row
        that none of its words joins; nothing where jieba is missing."""
        words = self._started()
        return list(_unknown(words, run)) if words else []

    def can_be_had(self) -> bool:
        """Tell whether Chinese would be cut into words now, without loading anything."""
        return _is_installed() if self.available is None else self.available

    def _started(self) -> _Dictionary | None:
        if self.available is None:
            with _starting:
                self._start()
        return self._words

    def _start(self) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Its old packaging imports and escapes are nobody's news here.
                import jieba  # noqa: F401
            words = _dictionary()
            words.load(self._cache)
        except Exception as error:  # missing, or there and broken, in whatever way
            _log.debug("jieba cannot be had: %s", type(error).__name__)
            self.available = False
            return
        self._words = words
        self.available = True


@cache
def _is_installed() -> bool:
    return is_installed("jieba")


class _Dictionary:
    """jieba's dictionary with the words of one home at a time."""

    def __init__(self, tokenizer: jieba.Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._lock = threading.Lock()
        self._added: dict[str, int | None] = {}  # with the frequency it had before, None where it was unknown
        self._known: tuple[str, ...] = ()
        self._total = 0
        self._wanted: dict[str, int] = {}  # the frequency that makes a word one
        self._short: dict[tuple[str, bool], list[str]] = {}

    def load(self, folder: Path) -> None:
        """Load the dictionary, with its cache in a folder, where it is not loaded yet."""
        if self._tokenizer.initialized:
            return
        self._tokenizer.tmp_dir = str(folder)
        self._tokenizer.cache_file = "jieba.cache"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            _log.debug("jieba works without a cache: %s", error.strerror)
        self._tokenizer.initialize()
        self._total = self._tokenizer.total

    def cut(self, run: str, known: tuple[str, ...], parts: bool = False) -> list[str]:
        """Cut a run into words, with `parts` the longer ones also into theirs."""
        with self._lock:
            if known is not self._known and known != self._known:
                self._exchange(known)
            if len(run) > _SHORT:
                return self._cut(run, parts)
            found = self._short.get((run, parts))
            if found is None:
                if len(self._short) >= _MOST_KEPT:
                    self._short.clear()
                found = self._short[run, parts] = self._cut(run, parts)
            return found

    def _cut(self, run: str, parts: bool) -> list[str]:
        found: list[str] = self._tokenizer.lcut_for_search(run) if parts else self._tokenizer.lcut(run)
        return found

    def _exchange(self, known: tuple[str, ...]) -> None:
        for word, before in self._added.items():
            self._tokenizer.FREQ[word] = before or 0  # 0 is what jieba gives to the beginnings of words
        self._tokenizer.total = self._total
        self._added = {word: self._tokenizer.FREQ.get(word) for word in known}
        for word in known:
            self._add(word)
        self._known = known
        self._short.clear()

    def _add(self, word: str) -> None:
        """Add a word; the second time jieba need not work out again how frequent it has to be."""
        if word in self._wanted:
            self._tokenizer.FREQ[word] = self._wanted[word]
            self._tokenizer.total += self._wanted[word]
        else:
            self._tokenizer.add_word(word)
            self._wanted[word] = self._tokenizer.FREQ[word]

    def has(self, word: str) -> bool:
        """Tell whether the dictionary itself has a word."""
        with self._lock:
            return bool(self._added[word] if word in self._added else self._tokenizer.FREQ.get(word))

    def is_name(self, word: str) -> bool:
        """Tell whether the dictionary tags a word as a name, or it may be that of a person it does not know."""
        person = len(word) in (2, 3) and word[0] in SURNAMES
        return word in _names(self._tokenizer) or (person and not self.has(word))


def _unknown(words: _Dictionary, run: str) -> list[str]:
    found = []
    for single, group in groupby(words.cut(run, ()), key=lambda word: len(word) == 1 and word not in STOP_CHINESE):
        parts = list(group)
        found += ["".join(parts)] if single else [word for word in parts if not words.has(word)]
    return [word for word in found if 1 < len(word) <= _LONGEST_NEW]


@cache
def _dictionary() -> _Dictionary:
    """The one dictionary of this process, whatever the folders are: it takes a second and some 50 MB to load."""
    import jieba

    # jieba logs its start at DEBUG to stderr, which a scheduler would deliver as a message.
    jieba.setLogLevel(logging.CRITICAL)
    return _Dictionary(jieba.Tokenizer())


@lru_cache(maxsize=1)
def _names(tokenizer: jieba.Tokenizer) -> frozenset[str]:
    """Read which words the dictionary tags as names; its own part-of-speech mode is fourteen times slower."""
    with tokenizer.get_dict_file() as file:
        rows = (line.decode("utf-8").split() for line in file)
        return frozenset(row[0] for row in rows if len(row) == 3 and row[2] in _NAME_TAGS and len(row[0]) > 1)
