"""Chinese words from jieba's search mode: started only for Chinese, silent, with a cache of its own. Shell."""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jieba

_log = logging.getLogger(__name__)
_starting = threading.Lock()
# Runs of Chinese up to this length come again so often that their words are kept.
_SHORT = 8


class JiebaWords:
    """A segmenter for `analyse`; `cache` is the private folder that jieba may write its dictionary to.

    `available` is None until the first Chinese text, then whether jieba could be imported.
    """

    def __init__(self, cache: Path) -> None:
        self._cache = cache
        self.available: bool | None = None

    def __call__(self, run: str) -> Sequence[str]:
        """Cut a run of Chinese into words, longer ones also into their parts; nothing where jieba is missing."""
        if self.available is None:
            with _starting:
                self._start()
        if not self.available:
            return ()
        return _cut_short(run) if len(run) <= _SHORT else _tokenizer().lcut_for_search(run)

    def can_be_had(self) -> bool:
        """Tell whether Chinese would be cut into words now, without loading anything."""
        return _is_installed() if self.available is None else self.available

    def _start(self) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Its old packaging imports and escapes are nobody's news here.
                import jieba  # noqa: F401
        except ImportError:
            self.available = False
            return
        _load(self._cache)
        self.available = True


@cache
def _is_installed() -> bool:
    return find_spec("jieba") is not None


@cache
def _tokenizer() -> jieba.Tokenizer:
    """The one tokenizer of this process, whatever the folders are: it takes a second and some 50 MB to load."""
    import jieba

    # jieba logs its start at DEBUG to stderr, which a scheduler would deliver as a message.
    jieba.setLogLevel(logging.CRITICAL)
    return jieba.Tokenizer()


@lru_cache(maxsize=16384)
def _cut_short(run: str) -> Sequence[str]:
    return tuple(_tokenizer().lcut_for_search(run))


def _load(folder: Path) -> None:
    """Load the dictionary, with its cache in a folder, where it is not loaded yet."""
    tokenizer = _tokenizer()
    if tokenizer.initialized:
        return
    tokenizer.tmp_dir = str(folder)
    tokenizer.cache_file = "jieba.cache"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        _log.debug("jieba works without a cache: %s", error.strerror)
    tokenizer.initialize()
