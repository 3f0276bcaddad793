"""The sections about the index: budget, lines, collisions, archive. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..model import CRITICAL, PINNED
from ..recall.collisions import MOST_LINES
from .charts import Segment, budget_bar, sparkline, swatch
from .facts import Line, Pair, Report
from .markup import Column, Html, boxed, captioned, counted, joined, moment, number, table, tag, text

MOST_IN_MATRIX = 60
"""Lines; of more that get in each other's way only the list is shown."""
_MOST_LISTED = 200
_WORDS = {
    "heading": "heading",
    "critical": "critical lines (!!)",
    "pinned": "pinned lines (!)",
    "unmarked": "unmarked lines",
    "other": "text that is no line",
    "joins": "joins between them",
}
_MARKS = {CRITICAL: "!! critical", PINNED: "! pinned"}


def budget(report: Report) -> Html:
    """How full the index is, part by part."""
    known = report.budget
    free = max(0, known.cap - known.chars)
    share = f"{known.chars / known.cap:.0%}"
    over = f", {known.chars - known.cap:,} over it" if known.chars > known.cap else f", {free:,} are free"
    said = f"{known.chars:,} of {known.cap:,} characters ({share}){over}. The cap comes from: {known.cap_source}."
    parts = "; ".join(f"{_WORDS[one.what]} {one.chars:,}" for one in known.shares)
    marks = (known.goal, f"{known.goal / known.cap:.0%}"), (known.near, f"{known.near / known.cap:.0%}")
    segments = [Segment(one.what, one.chars) for one in known.shares]
    bar = budget_bar(segments, known.cap, marks, (f"The index fills {share} of its cap", f"{parts}; free {free:,}"))
    legend = [_legend(one.what, f"{_WORDS[one.what]}: {one.chars:,}", one.count) for one in known.shares]
    legend.append(_legend("free", f"free: {free:,}", 0))
    near = f"The watchdog begins to archive above {known.near:,} characters and stops at {known.goal:,}."
    return joined(
        (
            tag("p", text(said)),
            bar,
            tag("ul", *legend, class_="legend"),
            tag("p", text(f"{near} {_forecast(report)}"), class_="quiet"),
        )
    )


def _legend(what: str, words: str, count: int) -> Html:
    many = f" ({count:,})" if count else ""
    return tag("li", swatch(f"swatch-{what}", what), tag("span", text(words + many)))


def _forecast(report: Report) -> str:
    known = report.budget
    if known.daily is None:
        return "How fast it grows is not known yet."
    full = f"it would be full on {known.full_at.astimezone():%Y-%m-%d}" if known.full_at else "it is not filling up"
    return f"It grows by {known.daily:.1f} characters a day: {full}."


def lines(report: Report) -> Html:
    """Every entry with its use."""
    if not report.lines:
        return tag("p", text("The index has no line yet."))
    columns = (
        Column("File", "name"), Column("Mark", "kind"), Column(f"Reads, {len(report.weeks)} weeks", "chart"),
        Column("Reads", "number"), Column("Last read", "when"), Column("Characters", "number"),
        Column("May be archived", "note"), Column("Keywords", "words"),
    )  # fmt: skip
    rows = (_line(place, line, report.weeks) for place, line in enumerate(report.lines, 1))
    caption = (
        f"{counted(len(report.lines), 'line')} in the order of the index. Reads are counted in the host's sessions."
    )
    return table("lines-table", caption, columns, rows)


def _line(place: int, line: Line, weeks: Sequence[str]) -> list[Html]:
    mark = tag("span", text(_MARKS[line.mark]), class_="badge marked") if line.mark else text("")
    return [
        text(line.target),
        mark,
        _use(f"line-{place}", line, weeks),
        number(line.used.uses),
        moment(line.used.last_read),
        number(line.chars),
        text(f"no: {line.stays}" if line.stays else "yes"),
        text(", ".join(line.keywords)),
    ]


def _use(ident: str, line: Line, weeks: Sequence[str]) -> Html:
    counts = line.used.weeks
    total, most = sum(counts), max(counts, default=0)
    title = f"{line.target}: {counted(total, 'read')} in {len(weeks)} weeks"
    said = f"most in week {weeks[counts.index(most)]}: {most:,}" if most else "never read in these weeks"
    return sparkline(ident, title, said, counts)


def archive(report: Report) -> Html:
    """What left the index."""
    if not report.archive:
        return tag("p", text("The archive is empty."))
    columns = (
        Column("File", "name"), Column(f"Reads, {len(report.weeks)} weeks", "chart"), Column("Reads", "number"),
        Column("Last read", "when"), Column("Keywords", "words"),
    )  # fmt: skip
    rows = (_archived(place, line, report.weeks) for place, line in enumerate(report.archive, 1))
    some = report.archive[0].target
    lead = tag("p", text("To bring one back: "), tag("code", text(f"memory-shaper restore {some}")))
    return joined((lead, table("archive-table", f"{counted(len(report.archive), 'archived line')}.", columns, rows)))


def _archived(place: int, line: Line, weeks: Sequence[str]) -> list[Html]:
    return [
        text(line.target),
        _use(f"archived-{place}", line, weeks),
        number(line.used.uses),
        moment(line.used.last_read),
        text(", ".join(line.keywords)),
    ]


def collisions(report: Report) -> Html:
    """Which line takes whose questions: a matrix of few lines, and the list of the keywords."""
    if not report.pairs:
        return tag("p", text("Each keyword, asked as a question, leads to its own line alone."))
    involved = sorted(
        {(one.owner_number, one.owner) for one in report.pairs}
        | {(one.taker_number, one.taker) for one in report.pairs}
    )
    takes = sum(bool(one.taken) for one in report.pairs)
    said = (
        f"Every keyword was asked as a question. {len(involved)} of {len(report.lines)} lines meet others; "
        f"in {counted(takes, 'pair')} one line takes questions of the other."
    )
    if len(report.lines) > MOST_LINES:
        said += f" Only the first {MOST_LINES} lines were looked at."
    lead = tag("p", text(said))
    if len(involved) > MOST_IN_MATRIX:
        more = f"More than {MOST_IN_MATRIX} lines meet, so they are listed instead of drawn."
        return joined((lead, tag("p", text(more)), _listed(report.pairs)))
    how = "So many keywords of the row's line lead to the column's line first (taken), or touch it as well and lead to "
    how += "their own first (shared). An empty cell: none."
    matrix = _matrix(involved, report.pairs)
    details = tag("details", tag("summary", text("The keywords")), _listed(report.pairs))
    return joined((lead, tag("p", text(how), class_="quiet"), matrix, details))


def _matrix(involved: Sequence[tuple[int, str]], pairs: Sequence[Pair]) -> Html:
    known = {(one.owner_number, one.taker_number): one for one in pairs}
    heads = (tag("th", tag("abbr", text(place), title=name), scope="col") for place, name in involved)
    rows = (
        tag("tr", tag("th", text(f"{place} {name}"), scope="row"), *_cells(place, involved, known))
        for place, name in involved
    )
    made = tag(
        "table",
        captioned("matrix", "Rows: whose question. Columns: who takes it, by the number of the line."),
        tag("thead", tag("tr", tag("th", text("Line"), scope="col"), *heads)),
        tag("tbody", *rows),
        class_="matrix",
    )  # fmt: skip
    return boxed("matrix", made)


def _cells(row: int, involved: Sequence[tuple[int, str]], known: dict[tuple[int, int], Pair]) -> Iterator[Html]:
    for column, _ in involved:
        pair = known.get((row, column))
        if row == column:
            yield tag("td", text("itself"), class_="self")
        elif pair is None:
            yield tag("td")
        else:
            shared = f"{len(pair.shared)} shared" if pair.shared else ""
            words = ", ".join(filter(None, (f"{len(pair.taken)} taken" if pair.taken else "", shared)))
            yield tag("td", text(words), class_="takes" if pair.taken else None)


def _listed(pairs: Sequence[Pair]) -> Html:
    columns = (
        Column("Whose question", "name"), Column("Goes to", "name"),
        Column("Taken", "words"), Column("Shared", "words"),
    )  # fmt: skip
    shown = sorted(pairs, key=lambda one: (-len(one.taken), -len(one.shared), one.owner_number, one.taker_number))
    rows = (
        [text(one.owner), text(one.taker), text(", ".join(one.taken) or "none"), text(", ".join(one.shared) or "none")]
        for one in shown[:_MOST_LISTED]
    )
    caption = f"{counted(len(pairs), 'pair')} of lines, the worst first"
    caption += f"; {_MOST_LISTED} are shown." if len(pairs) > _MOST_LISTED else "."
    return table("pairs-table", caption, columns, rows)
