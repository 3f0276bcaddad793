"""The last accepted state of a guarded file, as a process keeps it in mind."""

from __future__ import annotations

from dataclasses import dataclass, field

from .. import edit, names
from ..model import Identity
from ..record import digest_of
from .sight import Shape, Sight


@dataclass(slots=True)
class Known:
    """The last accepted state of a file: how it looked, its content as digest (None: absent), and its shape.

    The content itself is kept for the indexes only, so that a lost record loses no index.
    """

    identity: Identity | None
    digest: str | None
    data: bytes | None = None
    shape: Shape = field(default_factory=Shape)

    @property
    def text(self) -> str | None:
        return None if self.data is None else self.data.decode("utf-8", "replace")


def known_as(sight: Sight, keep: bool = True) -> Known:
    """What is known of a file that is accepted as it is seen; `keep` its content, too."""
    return Known(sight.identity, digest(sight.data), sight.data if keep else None, sight.shape)


def digest(data: bytes | None) -> str | None:
    """The digest of a content, None for an absent file."""
    return None if data is None else digest_of(data)


def is_index(file: str) -> bool:
    """Whether a guarded file is the index or the archive index."""
    return file in (names.INDEX, edit.ARCHIVE_INDEX)
