"""Chinese words from jieba's search mode: started only for Chinese, silent, with a cache of its own. Shell."""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jieba

_log = logging.getLogger(__name__)
_starting = threading.Lock()


class JiebaWords:
    """A segmenter for `analyse`; `cache` is the private folder that jieba may write its dictionary to.

    `available` is None until the first Chinese text, then whether jieba could be imported.
    """

    def __init__(self, cache: Path) -> None:
        self._cache = cache
        self._tokenizer: jieba.Tokenizer | None = None
        self.available: bool | None = None

    def __call__(self, run: str) -> Sequence[str]:
        """Cut a run of Chinese into words, longer ones also into their parts; nothing where jieba is missing."""
        if self.available is None:
            with _starting:
                self._start()
        return self._tokenizer.lcut_for_search(run) if self._tokenizer else ()

    def _start(self) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # Its old packaging imports and escapes are nobody's news here.
                import jieba  # noqa: F401
        except ImportError:
            self.available = False
            return
        self._tokenizer = _dictionary(self._cache)
        self.available = True


@lru_cache(maxsize=1)
def _dictionary(cache: Path) -> jieba.Tokenizer:
    """Load the dictionary, once a process: it takes a second and some 50 MB."""
    import jieba

    # jieba logs its start at DEBUG to stderr, which a scheduler would deliver as a message.
    jieba.setLogLevel(logging.CRITICAL)
    tokenizer = jieba.Tokenizer()
    tokenizer.tmp_dir = str(cache)
    tokenizer.cache_file = "jieba.cache"
    try:
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        _log.debug("jieba works without a cache: %s", error.strerror)
    tokenizer.initialize()
    return tokenizer
