"""What a call wrote into topic files is made fit to be kept, before the journal sees it. Shell.

A call is not refused for the text of a topic file: many write it in ways that cannot be read beforehand. So every
markdown file below the memories folder that a call can have changed is looked at when it has run. What is new in it,
never kept and was said by the agent gives way to its kind. What was there before the call, or comes from elsewhere, is
its owner's and stays: it is reported by `verify`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from .. import edit, names, store
from ..calls.effects import Act, Effect
from ..errors import MemoryShaperError
from ..model import Answer, Verdict
from ..privacy.patterns import hits
from ..privacy.rules import Rules
from ..privacy.screening import EXCLUDE, REDACT, Reason, cleaned, screen, spans, value_of, values
from ..record import Event, EventKind, Record, Source
from ..settings import Settings
from . import refusals

if TYPE_CHECKING:
    from .watch import Watch

LARGEST = 5_000_000  # bytes of a file that are looked through
_TICK = 20_000_000  # nanoseconds by which a file's time may lie before the clock's
_MOST_FILES = 20_000


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What is known of a call before it runs: when that is (nanoseconds), what is never kept of the topic files that it
    names, by their real path, and of all files that it names, as digests; whether it names files that it writes, or
    could not be read."""

    since: int
    held: Mapping[str, frozenset[str]]
    elsewhere: frozenset[str]
    named: bool


def foresee(effects: Sequence[Effect], named: bool, memories: Path, rules: Rules, closely: bool) -> Foreseen:
    """Look at the files that a call is going to write, `closely` at those that it reads or moves as well; one that is
    not there holds nothing."""
    root = os.path.realpath(memories) + os.sep
    writes = [effect.path for effect in effects if effect.act is not Act.READ]
    held = {path: _held(path, rules) for path in writes if path.startswith(root) and names.same(path).endswith(".md")}
    paths = dict.fromkeys(effect.path for effect in effects) if closely else {}
    elsewhere = frozenset().union(*(_held(file, rules) for path in paths for file in _files(path)))
    return Foreseen(time.time_ns() - _TICK, held, elsewhere, named)


def _files(path: str) -> Iterator[str]:
    """A file, or the markdown files of a folder."""
    if not os.path.isdir(path):
        yield path
        return
    found = (os.path.join(at, name) for at, _, files in os.walk(path) for name in files if name.endswith(".md"))
    yield from islice(found, _MOST_FILES)


def _held(path: str, rules: Rules) -> frozenset[str]:
    try:
        if os.stat(path).st_size > LARGEST:
            return frozenset()
        return values(_text(Path(path).read_bytes()), rules)
    except OSError:
        return frozenset()


def refused_name(effects: Sequence[Effect], memories: Path, rules: Rules) -> Verdict | None:
    """The refusal of a call that gives a file below the memories folder a name with what is never kept in it."""
    root = str(memories) + os.sep
    for effect in effects:
        if effect.act is Act.READ or not effect.path.startswith(root):
            continue
        answer = screen(effect.path.removeprefix(root), rules)
        if answer.reason is not None:
            rule = rule_of(answer.reason)
            told = refusals.kept_out(answer.reason).replace("line 1 of the text", "the name of the file")
            return Verdict(Answer.BLOCK, rule, "", refusals.opening(rule) + told)
    return None


def sweep(watch: Watch, foreseen: Foreseen, settings: Settings, source: Source) -> None:
    """Clean the files that were changed since a call began. What cannot be cleaned is told."""
    told: list[tuple[str, Reason]] = []
    for path in _changed(watch.home.memories, foreseen.since):
        try:
            told += _clean(watch, path, foreseen, settings, source)
        except (MemoryShaperError, OSError) as error:
            reason = str(error) if isinstance(error, MemoryShaperError) else type(error).__name__
            watch.tell(f"memory-shaper: {path.name} could not be looked through for secrets: {reason}")
    if told:
        watch.tell(refusals.taken_out(told))


def _changed(memories: Path, since: int) -> Iterator[Path]:
    """The markdown files below a folder that were changed since a moment; links to folders are not followed."""
    waiting, seen = [str(memories)], 0
    while waiting and seen <= _MOST_FILES:
        with suppress(OSError), os.scandir(waiting.pop()) as items:
            for item in items:
                seen += 1
                if item.name.startswith("."):
                    continue
                if item.is_dir(follow_symlinks=False):
                    waiting.append(item.path)
                elif item.name[-3:].lower() == ".md" and _is_since(item, since):
                    yield Path(item.path)


def _is_since(item: os.DirEntry[str], since: int) -> bool:
    try:
        found = item.stat()
    except OSError:
        return False
    return found.st_ctime_ns >= since and found.st_size <= LARGEST


def _clean(
    watch: Watch, path: Path, foreseen: Foreseen, settings: Settings, source: Source
) -> list[tuple[str, Reason]]:
    file = str(path.relative_to(watch.home.memories))
    if file == edit.ARCHIVE_INDEX or (file == names.INDEX and watch.is_index()):
        return []
    with watch.lock, watch.record(settings) as record:
        known = foreseen.held.get(os.path.realpath(path))
        known = known_values(watch, record, file, settings.rules) if known is None else known
        before = None if known is None else known | foreseen.elsewhere
        return [(file, one) for one in clean(watch, record, file, before, settings, source)]


def known_values(watch: Watch, record: Record, file: str, rules: Rules) -> frozenset[str] | None:
    """What a file held before, None where nobody knows: a file that was there and is in no line."""
    if file in watch.held:
        return watch.held[file]
    accepted = record.accepted.of(file)
    if accepted is not None and accepted.digest is not None:
        text = record.texts.text(accepted.digest)
        return None if text is None else values(_text(text), rules)
    return None if file in watch.folder.files or os.sep in file else frozenset()


def clean(
    watch: Watch, record: Record, file: str, known: Collection[str] | None, settings: Settings, source: Source
) -> list[Reason]:
    """Rewrite a file without what is new in it, said by the agent and never kept; why. Where nobody knows what is new,
    nothing is done."""
    path = watch.home.memories / file
    data = store.read_bytes(path)
    if data is None or known is None or not watch.said:
        return []
    text = _text(data)
    parts = (text[one.start : one.end] for one in spans(text, settings.rules))
    others = {value_of(part) for part in parts if not watch.said.has(part)}
    text, reasons = cleaned(text, settings.rules, {*known, *others})
    if not reasons:
        return []
    with nullcontext() if watch.holding else store.locked(watch.home.index):
        store.write(path, text.encode("utf-8", "surrogateescape"), data)
    for rule in dict.fromkeys(map(rule_of, reasons)):
        count = sum(rule_of(reason) == rule for reason in reasons)
        record.journal.note(Event(EventKind.NOTED, edit.now(), file, rule=rule, detail=str(count), source=source))
    return reasons


def rule_of(reason: Reason) -> str:
    """The name of a reason in journal and log."""
    return {EXCLUDE: "excluded", REDACT: "redacted"}.get(reason.kind, "secret")


def is_fit(text: str, rules: Rules) -> bool:
    """Whether a text may be kept just as it is."""
    answer = screen(text, rules)
    return answer.reason is None and answer.text == text


def is_excluded(data: bytes, settings: Settings) -> bool:
    """Whether a text holds what `exclude` keeps out of the journal, too; so it is while nobody can read the rules."""
    rules = settings.rules
    return not settings.rules_known or any(next(hits(pattern, _text(data)), None) for pattern in rules.exclude)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
