"""The records that every part of memory-shaper speaks in. Pure, imports nothing of ours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

PINNED = "!"
CRITICAL = "!!"
ARROW = " → "


class Kind(StrEnum):
    """What a line of the index is."""

    DELIMITER = "delimiter"
    BLANK = "blank"
    HEADING = "heading"
    TEMPLATE = "template"
    ENTRY = "entry"
    STRAY = "stray"


@dataclass(frozen=True, slots=True)
class Entry:
    """One keyword set and its target, the pieces exactly as they stand in the line.

    `arrow` is the raw arrow with the blanks around it and `comma` the set of separators used, so that
    the rules can tell a well-formed line from one that merely can be understood.
    """

    mark: str
    keywords: tuple[str, ...]
    target: str
    arrow: str = ARROW
    commas: frozenset[str] = frozenset(",")

    def __str__(self) -> str:
        return f"{self.mark}{','.join(self.keywords)}{ARROW}{self.target}"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file: its text, its raw line ending ("" at the end of the file) and what it is."""

    kind: Kind
    text: str
    ending: str
    entry: Entry | None = None

    @property
    def raw(self) -> str:
        return self.text + self.ending


@dataclass(frozen=True, slots=True)
class Index:
    """A parsed index; joining `bom` and the raw lines gives back the text it was parsed from."""

    lines: tuple[Line, ...]
    bom: str = ""

    def entries(self) -> Iterator[tuple[int, Entry]]:
        """The entry lines as (line number from 1, entry); templates and strays are left out."""
        for number, line in enumerate(self.lines, 1):
            if line.kind is Kind.ENTRY and line.entry is not None:
                yield number, line.entry


class Severity(StrEnum):
    """error: a reader or the host would be misled or lose something; warning: everything else."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a rule has to say about one place.

    Lines and columns count from 1 in code points; line 0 means the file as a whole. `fix` is text that can be
    pasted (a corrected line or a command), "" where there is none. `key` tells findings of two versions of a text
    apart without their place: a fault that moved to another line is still the same fault.
    """

    rule: str
    severity: Severity
    message: str
    line: int = 0
    column: int = 1
    width: int = 1
    fix: str = ""
    source: str = ""

    @property
    def key(self) -> tuple[str, str]:
        return self.rule, self.message


@dataclass(frozen=True, slots=True)
class Folder:
    """The memories folder as the rules see it: the names in it, nothing of the contents."""

    files: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Identity:
    """What tells one state of a file from another without reading it: `stat`'s mtime (ns), size (bytes) and inode."""

    mtime_ns: int
    size: int
    inode: int


class Answer(StrEnum):
    """What the guard says to a call."""

    ALLOW = "allow"
    BLOCK = "block"
    APPROVE = "approve"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The guard's answer to one call: `rule` and `target` name the reason for the journal, `message` tells the
    reader what to send instead; `key` is the digest that an approval is bound to."""

    answer: Answer
    rule: str = ""
    target: str = ""
    message: str = ""
    key: str = ""

    @property
    def allowed(self) -> bool:
        return self.answer is Answer.ALLOW


ALLOWED = Verdict(Answer.ALLOW)


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of the host's `memory` tool as it was sent; None where a field is missing."""

    action: str
    content: str | None = None
    old_text: str | None = None


@dataclass(frozen=True, slots=True)
class MemoryCall:
    """A call of the host's `memory` tool, single or batch. `problem` says what the host would refuse anyway."""

    operations: tuple[Operation, ...] = ()
    batch: bool = False
    target: str = "memory"
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """The index as it would be after a call.

    `before` is the canonical text the call is played on, `after` the text the host would leave; `dropped` the
    entries whose file no line names any more (to the archive), `touched` the numbers of the changed host entries.
    """

    before: str
    after: str
    dropped: tuple[Entry, ...] = ()
    added: tuple[Entry, ...] = field(default=())
