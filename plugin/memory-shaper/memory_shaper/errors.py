"""The errors a person can be shown: each names the file, the place and what to do. Pure."""

from __future__ import annotations


class MemoryShaperError(Exception):
    """Something that stops the work, said in one sentence; `code` is the exit code of a command that meets it."""

    code = 2


class Unreadable(MemoryShaperError):
    """A file that exists and cannot be read or understood: never taken for empty."""


class Missing(MemoryShaperError):
    """A file that has to be there is not."""


class Busy(MemoryShaperError):
    """Somebody else holds the lock, or changed the file meanwhile: try again."""

    code = 3


class ReadOnly(MemoryShaperError):
    """The file system does not let us write; nothing was changed."""

    code = 4


class Refused(MemoryShaperError):
    """The change would break a rule; nothing was changed."""

    code = 1


class Usage(MemoryShaperError):
    """A command was called in a way that it does not understand."""
