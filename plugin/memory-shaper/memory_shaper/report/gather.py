"""Gathering a report from a home: the files, a copy of the record, the host's sessions. Shell: reads, never writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from .. import __version__, edit, grammar, names, rules, store
from ..errors import MemoryShaperError, Missing
from ..model import Entry
from ..recall.collisions import collisions
from ..recall.fuzzy import near_words
from ..recall.questions import judged
from ..recall.route import Router
from ..recall.routing_rules import ROUTING_RULES
from ..recall.sessions import asked
from ..record import Heartbeat, Record
from ..settings import Home, Settings
from ..watchdog import door, run, tallying
from ..watchdog.rehearsal import copied
from ..watchdog.report import Facts
from . import lines, work
from .facts import Found, Questions, Report, Text

_EVENTS = 200
_MOST_MESSAGES, _FEWEST_MESSAGES = 1_000, 100
_MOST_ROUTED = 60_000  # messages times lines: a message may touch every line
_LONGEST_TEXT = 20_000  # characters of a topic file
_ARCHIVE_INDEX = f"{names.ARCHIVE_FOLDER}/{names.ARCHIVE_INDEX}"


def gather(home: Home, settings: Settings, now: datetime, with_content: bool = False) -> Report:
    """All facts about a home. The uses are those that the watchdog would count now.

    Raises Missing where there is no memory, Busy, Unreadable and RecordError.
    """
    if not run.there(home):
        raise Missing(f"{home.memories}: there is no such folder")
    with copied(home) as record:
        outcome = run.rehearse_on(home, settings, record, lambda: now)
        facts = door.facts_of(outcome, whole=True)
        return _report(home, settings, facts, record, with_content)


def _report(home: Home, settings: Settings, facts: Facts, record: Record, with_content: bool) -> Report:
    now, weeks = facts.now, lines.last_weeks(facts.now)
    shelf, _, _ = edit.shelf(home)
    entries, archived = lines.entries_of(shelf.index), lines.entries_of(shelf.archive)
    used = lines.usage(record.uses.topics(), record.uses.weeks(), weeks)
    newest = record.journal.newest(_EVENTS)
    since = now - timedelta(days=work.DAYS)
    return Report(
        home=facts.home,
        home_source=home.source,
        version=__version__,
        at=now,
        with_content=with_content,
        weeks=weeks,
        budget=lines.budget(shelf.index, facts),
        lines=lines.lines(entries, used, facts.first.ranked, len(weeks)),
        pairs=lines.pairs(entries, collisions(entries, near_words())),
        archive=lines.lines(archived, used, (), len(weeks)),
        journal=work.journal(record.journal.daily(since), newest, record.journal.count(), now),
        questions=_questions(home, entries, now, with_content),
        findings=tuple(_findings(home, settings)),
        upkeep=work.upkeep(facts, (event for event in newest if event.source.surface == tallying.SURFACE)),
        guard=tuple(_signs(record.counters.beats())),
        notes=settings.notes,
        texts=tuple(_texts(home, entries, archived)) if with_content else (),
    )


def _questions(home: Home, entries: Sequence[Entry], now: datetime, with_content: bool) -> Questions:
    since = (now - timedelta(weeks=work.QUESTION_WEEKS)).timestamp()
    try:
        said = [(one.at, one.text) for one in asked(home.path / "state.db", since, _messages(len(entries)))]
    except MemoryShaperError as error:
        return Questions(trouble=str(error))
    return work.questions(judged(Router(entries, near_words()), said), now, with_content)


def _messages(lines: int) -> int:
    """How many messages are looked at, the newest ones: the fewer, the more lines there are."""
    return max(_FEWEST_MESSAGES, min(_MOST_MESSAGES, _MOST_ROUTED // max(1, lines)))


def _findings(home: Home, settings: Settings) -> Iterator[Found]:
    near = settings.number("near_cap")
    for path, file, cap in ((home.index, names.INDEX, settings.cap), (home.archive_index, _ARCHIVE_INDEX, None)):
        document = store.read_if_there(path)
        if document is not None:
            scope = rules.Scope(document.text, store.list_folder(path.parent), cap, near)
            table = rules.RULES | ROUTING_RULES if cap else rules.RULES
            yield from work.findings(file, scope, rules.check(scope, table=table))


def _signs(beats: Sequence[Heartbeat]) -> Iterator[str]:
    """When the guard was seen at work, by surface."""
    for beat in beats:
        yield f"{beat.surface or 'unknown surface'}: {beat.event.value}, {beat.at.astimezone():%Y-%m-%d %H:%M}"


def _texts(home: Home, entries: Sequence[Entry], archived: Sequence[Entry]) -> Iterator[Text]:
    for folder, prefix, known in ((home.memories, "", entries), (home.archive, f"{names.ARCHIVE_FOLDER}/", archived)):
        for target in dict.fromkeys(entry.target for entry in known):
            document = store.read_if_there(folder / target) if not names.fault(target) else None
            if document is not None:
                text = document.text.removeprefix(grammar.BOM)
                yield Text(prefix + target, text[:_LONGEST_TEXT], len(text) > _LONGEST_TEXT)
