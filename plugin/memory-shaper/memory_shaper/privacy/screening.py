"""May this text be kept? The user's rules and the built-in detectors give one answer. Pure.

The order: a text that `exclude` matches is never kept; what `redact` matches is replaced; what then still holds a
secret is never kept. `always` only carries a text past the gate of extraction: exclusion wins over it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..secrets import KINDS, secrets
from .patterns import hits
from .rules import NO_RULES, Rules

_PASSES = 4  # a replacement may be matched by another rule; where that does not come to rest, the text is refused
LEFT_OUT = "[left out]"
EXCLUDE, REDACT = "text that the setting `exclude` keeps out", "text that the setting `redact` replaces"
RESTLESS = "text that the rules of `redact` change for ever"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a text is not kept: the kind in words, never the value, and the line from 1."""

    kind: str
    line: int

    @property
    def is_rule(self) -> bool:
        """Whether a rule of the user's keeps it out, rather than a detector."""
        return self.kind in (EXCLUDE, REDACT, RESTLESS)


@dataclass(frozen=True, slots=True)
class Screened:
    """The answer: the text as it may be kept, or the first reason why not."""

    text: str
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a text that is not kept as it stands: its kind, line, place, and what stands there instead."""

    kind: str
    line: int
    start: int
    end: int
    instead: str


def screen(text: str, rules: Rules = NO_RULES) -> Screened:
    """Return the text as it may be kept, or why it may not; asking twice gives the same text.

    >>> screen("the key is sk-FAKE012345678901").reason
    Reason(kind='an API key (sk-…)', line=1)
    """
    redacted = _redacted(text, rules) if rules.redact else text
    if redacted is None:
        return Screened(text, Reason(RESTLESS, 1))
    for version in dict.fromkeys((text, redacted)):
        if excluded := _excluded(version, rules):
            return Screened(redacted, Reason(EXCLUDE, excluded[0].line))
    if found := secrets(redacted):
        return Screened(redacted, Reason(found[0].kind, found[0].line))
    return Screened(redacted)


def spans(text: str, rules: Rules = NO_RULES) -> list[Span]:
    """Return all that is not kept of a text, in order: lines that are excluded first, then replacements, then secrets.

    Of two that overlap the first named goes.
    """
    found = [*_excluded(text, rules), *_replaced(text, rules)]
    found += [Span(one.kind, one.line, one.start, one.end, f"[{one.kind}]") for one in secrets(text)]
    return _apart(found)


def cleaned(text: str, rules: Rules = NO_RULES, known: Collection[str] = ()) -> tuple[str, list[Reason]]:
    """Return the text without what is not kept, and why; parts whose `value_of` is in `known` stay.

    Secrets give way to their kind, excluded lines to a mark, the rest to what `redact` says.
    """
    reasons: list[Reason] = []
    for turn in range(_PASSES):
        found = [one for one in spans(text, rules) if value_of(text[one.start : one.end]) not in known]
        if turn == 0:
            reasons = [Reason(one.kind, one.line) for one in found]
        after = _with(text, found)
        if after == text:
            break
        text = after
    return text, reasons


def blanked(text: str, rules: Rules = NO_RULES) -> str:
    """Return the text with blanks in place of what is not kept: every other character stays where it is."""
    parts, end = [], 0
    for one in spans(text, rules):
        hidden = "".join(char if char in "\r\n" else " " for char in text[one.start : one.end])
        parts += [text[end : one.start], hidden]
        end = one.end
    return "".join((*parts, text[end:])) if parts else text


def values(text: str, rules: Rules = NO_RULES) -> frozenset[str]:
    """Return the digests of all that is not kept of a text: what was there before is no news."""
    return frozenset(value_of(text[one.start : one.end]) for one in spans(text, rules))


def value_of(part: str) -> str:
    """Return a digest that stands for a part of a text within one process."""
    import hashlib  # most texts hold nothing that has to be named

    return hashlib.sha256(part.encode("utf-8", "surrogatepass")).hexdigest()


def rules_digest(rules: Rules) -> str:
    """Return what tells the rules from others, the detectors of this version among them."""
    given = [[one.pattern for one in rules.exclude], [(one.pattern, put) for one, put in rules.redact], KINDS]
    return value_of(repr(given))


def is_wanted(text: str, rules: Rules) -> bool:
    """Tell whether a pattern of `always` matches the text."""
    return any(next(hits(pattern, text), None) for pattern in rules.always)


def _excluded(text: str, rules: Rules) -> list[Span]:
    """The lines that an `exclude` pattern matches, each once, in order."""
    found = {hit.line: hit for pattern in rules.exclude for hit in hits(pattern, text)}
    lines = [found[line] for line in sorted(found)]
    ends = [hit.line_end - text.endswith("\r", hit.line_start, hit.line_end) for hit in lines]
    return [Span(EXCLUDE, hit.line, hit.line_start, end, LEFT_OUT) for hit, end in zip(lines, ends, strict=True)]


def _replaced(text: str, rules: Rules) -> Iterator[Span]:
    for pattern, put in rules.redact:
        for hit in hits(pattern, text):
            instead = hit.match.expand(put)
            if instead != hit.match[0]:
                yield Span(REDACT, hit.line, hit.start, hit.end, instead)


def _apart(found: Sequence[Span]) -> list[Span]:
    """Those that do not overlap, in order of place; of two that do, the one that came first in the list."""
    taken: list[Span] = []
    for rank in (EXCLUDE, REDACT, ""):
        fresh = [one for one in found if one.kind == rank or (not rank and one.kind not in (EXCLUDE, REDACT))]
        taken = list(_merged(taken, sorted(fresh, key=lambda one: (one.start, -one.end))))
    return taken


def _merged(taken: Sequence[Span], fresh: Iterable[Span]) -> Iterator[Span]:
    """Both in order of place; a fresh one that overlaps anything before it is left out."""
    waiting, end = list(reversed(taken)), 0
    for one in fresh:
        while waiting and waiting[-1].start < one.end:
            last = waiting.pop()
            yield last
            end = max(end, last.end)
        if one.start >= end:
            yield one
            end = one.end
    yield from reversed(waiting)


def _redacted(text: str, rules: Rules) -> str | None:
    """The text with every rule carried out until nothing changes any more, None where that does not happen."""
    for _ in range(_PASSES):
        after = _with(text, _apart(list(_replaced(text, rules))))
        if after == text:
            return text
        text = after
    return None


def _with(text: str, found: Iterable[Span]) -> str:
    parts, end = [], 0
    for one in found:
        parts += [text[end : one.start], one.instead]
        end = one.end
    return "".join((*parts, text[end:]))
