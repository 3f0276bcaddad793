"""The sections about what happened: overview, questions, findings, guard, watchdog, contents. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .charts import columns as columns_of
from .charts import sparkline
from .facts import Event, Found, Kind, Report
from .markup import Column, Html, counted, joined, lines_of, moment, number, table, tag, text

_EVENTS = 12
_MEANING = {
    "accepted": "allowed changes by the agent",
    "asked": "the human was asked",
    "approved": "changes by the human's word",
    "blocked": "calls refused",
    "restored": "damage put back",
    "damaged": "damage from outside, left as it is",
    "outside": "valid changes from outside",
    "changed": "changes by a command",
    "marked": "marks set or cleared",
    "ordered": "lines put in order of use",
    "archived": "lines to the archive",
    "unarchived": "lines back from the archive",
    "forgotten": "topics taken out for good",
    "undone": "changes taken back",
    "repaired": "unfinished changes repaired",
    "noted": "notes",
}


def overview(report: Report) -> Html:
    """The numbers that one looks for first."""
    known, asked = report.budget, report.questions
    errors = sum(one.severity == "error" for one in report.findings)
    counts = {one.kind: one.total for one in report.journal.kinds}
    days = f"in {len(report.journal.days)} days"
    tiles = (
        ("Index", f"{known.chars / known.cap:.0%}", f"{known.chars:,} of {known.cap:,} characters"),
        ("Lines", f"{len(report.lines):,}", f"{len(report.archive):,} in the archive"),
        ("Findings", f"{len(report.findings):,}", f"{errors:,} of them errors"),
        ("Calls refused", f"{counts.get('blocked', 0):,}", days),
        ("Damage put back", f"{counts.get('restored', 0):,}", days),
        ("Without a line", f"{asked.missed:,}", f"of {asked.asked:,} questions"),
    )
    made = tag("dl", *(_tile(*tile) for tile in tiles), class_="tiles")
    notes = (tag("li", text(f"Note: {note}")) for note in report.notes)
    return joined((made, tag("ul", *notes, class_="plain") if report.notes else text("")))


def _tile(name: str, value: str, more: str) -> Html:
    return tag("div", tag("dt", text(name)), tag("dd", text(value), tag("small", text(more))))


def questions(report: Report) -> Html:
    """What was asked and led nowhere."""
    known = report.questions
    if known.trouble:
        return tag("p", text(f"Not known: {known.trouble}"))
    if not known.asked:
        return tag("p", text("No question was found in the host's sessions."))
    said = f"{known.missed:,} of {known.asked:,} questions in {len(known.weeks)} weeks were matched by no line."
    pairs = [(week.asked, week.missed) for week in known.weeks]
    spoken = "; ".join(f"{week.week}: {week.missed} of {week.asked}" for week in known.weeks if week.asked)
    chart = columns_of("weeks", ("Questions without a line, week by week", spoken), pairs)
    ends = tag("p", tag("span", text(known.weeks[0].week)), tag("span", text(known.weeks[-1].week)), class_="ends")
    numbers = tag("details", tag("summary", text("Week by week")), _weeks(report))
    how = "Outline: questions asked. Filled, with the number: those that no line matched."
    how += " Search may have found them all the same."
    return joined(
        (
            tag("p", text(said)),
            chart,
            ends,
            tag("p", text(how), class_="quiet"),
            numbers,
            _missed(report),
            _advice(report),
        )
    )


def _weeks(report: Report) -> Html:
    heads = (Column("Week", "kind"), Column("Questions", "number"), Column("Without a line", "number"))
    rows = ([text(one.week), number(one.asked), number(one.missed)] for one in report.questions.weeks)
    return table("weeks-table", "Questions by ISO week.", heads, rows)


def _missed(report: Report) -> Html:
    newest = report.questions.newest
    if not newest:
        return text("")
    if not report.with_content:
        dates = (tag("li", moment(one.at)) for one in newest)
        summary = f"When they were asked: {counted(len(newest), 'question')} (their words: --with-content)"
        return tag("details", tag("summary", text(summary)), tag("ul", *dates, class_="plain"))
    rows = ([moment(one.at), text(one.text)] for one in newest)
    caption = f"{counted(len(newest), 'question')} that no line matched, the newest first."
    return table("missed-table", caption, (Column("Asked", "when"), Column("Question", "text")), rows)


def _advice(report: Report) -> Html:
    if not report.questions.missed:
        return text("")
    return tag("p", text("To see why one led nowhere: "), tag("code", text('memory-shaper route "…" --explain')))


def findings(report: Report) -> Html:
    """What verify has to say."""
    if not report.findings:
        return tag("p", text("memory-shaper verify finds nothing to say."))
    columns = (
        Column("Rule", "name"), Column("Severity", "kind"), Column("Place", "kind"), Column("What is wrong", "text"),
        Column("What to do", "text"),
    )  # fmt: skip
    ordered = sorted(report.findings, key=lambda one: one.severity != "error")
    rows = (_finding(one) for one in ordered)
    return table("findings-table", f"{counted(len(report.findings), 'finding')}, errors first.", columns, rows)


def _finding(one: Found) -> list[Html]:
    source = joined((tag("br"), tag("code", text(one.source)))) if one.source else text("")
    return [
        text(one.rule),
        tag("span", text(one.severity), class_=f"badge {one.severity}"),
        text(f"{one.file}:{one.line}" if one.line else one.file),
        joined((text(one.message), source)),
        tag("code", text(one.fix)) if one.fix else text(""),
    ]


def guard(report: Report) -> Html:
    """What the journal holds."""
    known = report.journal
    seen = tag("ul", *(tag("li", text(f"Seen at work: {one}")) for one in report.guard), class_="plain")
    alive = seen if report.guard else tag("p", text("The guard was never seen at work in this home."))
    if not known.total:
        return joined((alive, tag("p", text("The journal is empty."))))
    parts = [alive, _by_kind(known.kinds, known.days), tag("h3", text("Newest events")), _events(known.events)]
    return joined((*parts, tag("p", text("What one did: "), tag("code", text("memory-shaper diff ID")))))


def _by_kind(kinds: Sequence[Kind], days: Sequence[str]) -> Html:
    if not kinds:
        return tag("p", text(f"Nothing happened in the last {len(days)} days."))
    heads = (Column("Kind", "kind"), Column(f"{len(days)} days", "chart"), Column("Events", "number"),
             Column("Last", "when"), Column("Meaning", "text"))  # fmt: skip
    caption = f"Events by kind and day, from {days[0]} to {days[-1]}."
    return table("kinds-table", caption, heads, (_kind(one, days) for one in kinds))


def _kind(one: Kind, days: Sequence[str]) -> list[Html]:
    most = max(one.days)
    said = f"most on {days[one.days.index(most)]}: {most:,}" if most else "none on these days"
    chart = sparkline(f"kind-{one.kind}", f"{one.kind}: {one.total:,} in {len(days)} days", said, one.days)
    return [text(one.kind), chart, number(one.total), moment(one.last), text(_MEANING.get(one.kind, ""))]


def _events(events: Sequence[Event]) -> Html:
    columns = (
        Column("ID", "number"), Column("When", "when"), Column("Kind", "kind"), Column("File", "name"),
        Column("Rule", "kind"), Column("By", "kind"),
    )  # fmt: skip
    first, others = events[:_EVENTS], events[_EVENTS:]
    made = table("events-table", f"The newest {len(first)} events of the journal.", columns, map(_event, first))
    if not others:
        return made
    more = table("older-table", f"The {len(others)} events before them.", columns, map(_event, others))
    return joined((made, tag("details", tag("summary", text("Older events")), more)))


def _event(one: Event) -> list[Html]:
    by = ", ".join(dict.fromkeys(filter(None, (one.tool, one.surface))))
    rule = " · ".join(filter(None, (one.rule, one.detail)))
    kind = f"{one.kind}, taken back" if one.taken_back else one.kind
    return [text(one.id), moment(one.at), text(kind), text(one.file), text(rule), text(by)]


def upkeep(report: Report) -> Html:
    """The watchdog's last run, and what it would do."""
    known = report.upkeep
    last = tag("p", text("Last run: "), moment(known.last_run))
    runs = (tag("li", moment(one.at), text(f" {_MEANING.get(one.kind, one.kind)}: {one.detail}")) for one in known.runs)
    done = tag("ul", *runs, class_="plain") if known.runs else tag("p", text("It has not changed anything yet."))
    return joined((last, *_plans(report), tag("h3", text("What it changed of late")), done))


def _plans(report: Report) -> Iterator[Html]:
    known = report.upkeep
    if known.held:
        yield tag("p", text(f"It would archive nothing: {known.held}."))
        return
    if known.now:
        yield tag("p", text(f"A run would archive now: {', '.join(known.now)}."))
    else:
        yield tag("p", text("A run would archive nothing now: there is room."))
    if known.next:
        yield tag("p", text(f"Next in line, the coldest first: {', '.join(known.next)}."))
    else:
        yield tag("p", text("All other lines are protected."))


def texts(report: Report) -> Html:
    """The contents of the topic files, where they were asked for; nothing else."""
    made = []
    for one in report.texts:
        more = tag("p", text("Only the beginning is shown.")) if one.cut else text("")
        made.append(tag("details", tag("summary", text(one.file)), tag("pre", lines_of(one.text)), more))
    return joined(made)
