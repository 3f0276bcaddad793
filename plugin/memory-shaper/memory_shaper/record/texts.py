"""The texts that events speak of, kept once each under the digest of their bytes, compressed.

Successive versions of a file are much alike, so a text may lean on an earlier one, its base: it is then compressed with
the base as zlib's preset dictionary and takes about a tenth. A base never leans itself: no text is more than one away.
"""

from __future__ import annotations

import hashlib
import zlib
from datetime import datetime

from .database import Database
from .errors import damaged
from .times import stamp

_LEVEL = 6
# Leaning is worth it below this share of what the text takes alone; above, the text becomes the next base.
_WORTH = 0.5


def digest_of(content: bytes) -> str:
    """The name of a text: the SHA-256 of its bytes in hex."""
    return hashlib.sha256(content).hexdigest()


class Texts:
    """The texts in a record."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, content: bytes, at: datetime, like: str | None = None) -> str:
        """Store a text and return its digest. `like` is the digest of a text it resembles, usually the one before it.

        A text that nothing names (event, accepted state, open intent, `keep`) is the first to go when space is short.
        """
        digest = digest_of(content)
        with self._database.transaction():
            if not self._database.run("UPDATE texts SET at = max(at, ?) WHERE digest = ?", stamp(at), digest):
                base, packed = self._pack(content, like)
                sql = "INSERT INTO texts (digest, at, size, base, packed) VALUES (?, ?, ?, ?, ?)"
                self._database.add(sql, digest, stamp(at), len(packed), base, packed)
        return digest

    def text(self, digest: str) -> bytes | None:
        """The text with this digest, None where it is not (or no longer) stored; RecordError where it is damaged."""
        row = self._database.row("SELECT base, packed FROM texts WHERE digest = ?", digest)
        if row is None:
            return None
        base = self.text(row[0]) if row[0] else b""
        try:
            content = None if base is None else _unpack(row[1], base)
        except zlib.error as error:
            raise damaged(self._database.path, "a text in the record is damaged") from error
        if content is None or digest_of(content) != digest:
            raise damaged(self._database.path, "a text in the record is damaged")
        return content

    def has(self, digest: str) -> bool:
        """Whether a text with this digest is stored."""
        return bool(self._database.row("SELECT 1 FROM texts WHERE digest = ?", digest))

    def keep(self, digest: str, reason: str, at: datetime) -> None:
        """Never drop this text until it is released; `reason` is a word or two, no memory text."""
        with self._database.transaction():
            self._database.run("REPLACE INTO kept (digest, reason, at) VALUES (?, ?, ?)", digest, reason, stamp(at))

    def release(self, digest: str) -> None:
        """End a `keep`."""
        with self._database.transaction():
            self._database.run("DELETE FROM kept WHERE digest = ?", digest)

    def _pack(self, content: bytes, like: str | None) -> tuple[str | None, bytes]:
        alone = zlib.compress(content, _LEVEL)
        root = self._root(like) if like else None
        base = self.text(root) if root else None
        if not base:
            return None, alone
        leaning = _lean(content, base)
        return (root, leaning) if len(leaning) <= _WORTH * len(alone) else (None, alone)

    def _root(self, digest: str) -> str | None:
        row = self._database.row("SELECT coalesce(base, digest) FROM texts WHERE digest = ?", digest)
        return row[0] if row else None


def _lean(content: bytes, base: bytes) -> bytes:
    packer = zlib.compressobj(_LEVEL, zdict=base)
    return packer.compress(content) + packer.flush()


def _unpack(packed: bytes, base: bytes) -> bytes:
    unpacker = zlib.decompressobj(zdict=base) if base else zlib.decompressobj()
    return unpacker.decompress(packed) + unpacker.flush()
