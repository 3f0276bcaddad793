"""What the watchdog says: nothing, a message, a plan, or a report. Pure; `reportjson` says the same to programs.

Times are local with their offset; paths are handed in as they are to be shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from .. import names
from .forecast import Forecast
from .judging import Evidence, Judged, Policy
from .plan import Archived, Plan

CATCH_UP_DAYS = 9
"""After so many days without a run the next one says that it caught up."""

_BAR = 40  # characters
_SHOWN = 5
_NAMED = 12


@dataclass(frozen=True, slots=True)
class Facts:
    """What there is to say about a run: the plans carried out (or rehearsed, where `dry`), and what stands around them.

    `home` is the path as it is shown and `home_source` how it was found; `cap_source` says where the cap comes from;
    `faults` are files changed from outside with the rule they break; `skipped` are files that are left alone, each with
    the reason; `notes` are warnings about settings.
    """

    home: str
    home_source: str
    now: datetime
    policy: Policy
    cap_source: str
    plans: tuple[Plan, ...]
    evidence: Evidence
    repaired: int = 0
    faults: tuple[tuple[str, str], ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    last_run: datetime | None = None
    forecast: Forecast | None = None
    dry: bool = False
    notes: tuple[str, ...] = ()

    @property
    def first(self) -> Plan:
        """The plan made for the index as it was found."""
        return self.plans[0]

    @property
    def last(self) -> Plan:
        """The plan that leaves the index as it stands in the end."""
        return self.plans[-1]

    @property
    def archived(self) -> list[Archived]:
        """All that goes to the archive, in the order of the index."""
        return [archived for plan in self.plans for archived in plan.archived]

    @property
    def left(self) -> list[Judged]:
        """The entries that stay in the index, the most needed first."""
        gone = {archived.judged.entry.target for archived in self.archived}
        return [judged for judged in self.last.ranked if judged.entry.target not in gone]

    @property
    def archive(self) -> str:
        """The archive folder as it is shown."""
        return f"{self.home}/memories/{names.ARCHIVE_FOLDER}"


def local(moment: datetime) -> str:
    """A moment in local time with its offset, to the minute."""
    return moment.astimezone().isoformat(" ", "minutes")


def of_cap(size: int, cap: int) -> str:
    """A size beside the cap: `1,904 of 2,200 characters (87 %)`."""
    return f"{size:,} of {cap:,} characters ({round(100 * size / cap)} %)"


def message(facts: Facts) -> list[str]:
    """The paragraphs about a run that a person wants to read; none after a quiet run."""
    told = [*_faults(facts), *_gone(facts)]
    if facts.repaired:
        told.append(f"{_count(facts.repaired, 'unfinished change')} of a killed process: finished or undone first.")
    if facts.last_run and (days := (facts.now - facts.last_run).days) >= CATCH_UP_DAYS:
        told.append(f"{days} days since the last run ({local(facts.last_run)}); this one has caught up.")
    return told


def _faults(facts: Facts) -> Iterator[str]:
    for file, why in facts.faults:
        yield (
            f"{facts.home}/memories/{file} was changed from outside and has a fault now ({why}). Nothing was undone: "
            "`memory-shaper undo` brings the last version back, `memory-shaper fix` mends what can be mended."
        )


def _gone(facts: Facts) -> Iterator[str]:
    if not facts.archived:
        return
    many, cap = len(facts.archived), facts.policy.cap
    verb, files = ("would go" if facts.dry else "went"), ("its topic file" if many == 1 else "their topic files")
    yield "\n".join(
        [
            f"MEMORY.md had {of_cap(facts.first.size, cap)}. {_count(many, 'cold line')} {verb} to the archive with "
            f"{files}, {facts.last.after:,} characters stay:",
            *(f"  {archived.line}   ({archived.judged.why})" for archived in facts.archived),
            f"They lie in {facts.archive}. To bring one back: memory-shaper restore {facts.archived[0].line.target}",
        ]
    )


def protected(facts: Facts) -> str:
    """The weekly message of an index that stays too large because all that is left is protected, or that nothing may be
    done to at all; "" where neither is so."""
    plan = facts.last
    if not plan.stuck:
        return ""
    if not plan.ranked:
        return f"{facts.home}/memories/MEMORY.md: {plan.held}. Nothing was ordered or archived."
    why = f": {plan.held}" if plan.held else "; all that is left is protected"
    return "\n".join(
        [
            f"MEMORY.md has {of_cap(plan.after, facts.policy.cap)}, {plan.short:,} more than the "
            f"{facts.policy.goal:,} it should come down to, and nothing more can be archived{why}:",
            *_largest(facts.left),
            "What helps: shorter lines, fewer marks (memory-shaper mark), or a higher memory.memory_char_limit.",
        ]
    )


def _largest(left: Iterable[Judged]) -> Iterator[str]:
    ordered = sorted(left, key=lambda judged: (-judged.size, judged.place))
    for judged in ordered[:_NAMED]:
        yield f"  {judged.entry.target}: {judged.size:,} characters{', ' + judged.stays if judged.stays else ''}"
    if rest := ordered[_NAMED:]:
        yield f"  and {_count(len(rest), 'more line')}, {sum(judged.size for judged in rest):,} characters"


def rehearsal(facts: Facts) -> str:
    """What the next run would do, for a dry run."""
    reordered = sum(plan.reordered for plan in facts.plans)
    lines = [_title(facts)]
    if facts.repaired:
        lines.append(f"would finish or undo {_count(facts.repaired, 'unfinished change')} of a killed process first")
    if any(plan.reshaped for plan in facts.plans):
        lines.append("would write the index in canonical form")
    if reordered:
        lines.append(f"would put {_count(reordered, 'line')} in order of use")
    lines += [*_gone(facts), *filter(None, (protected(facts),))]
    if len(lines) == 1:
        lines.append(f"nothing to do: {of_cap(facts.first.size, facts.policy.cap)}")
    return "\n".join(lines)


def report(facts: Facts) -> str:
    """The state of the index for a person: budget, what is needed most and least, what would go next and why."""
    return "\n".join([_title(facts), *_budget(facts), *_lists(facts), *_left_alone(facts), *facts.notes])


def _title(facts: Facts) -> str:
    return f"memory-shaper watchdog, {local(facts.now)}, home {facts.home} ({facts.home_source})"


def _budget(facts: Facts) -> Iterator[str]:
    policy, size = facts.policy, facts.first.size
    filled = min(_BAR, round(_BAR * size / policy.cap))
    marks = sum(bool(judged.entry.mark) for judged in facts.first.ranked)
    yield f"[{'#' * filled}{'.' * (_BAR - filled)}] {of_cap(size, policy.cap)}, cap from {facts.cap_source}"
    lines = _count(len(facts.first.ranked), "line")
    yield f"{lines}, {marks} marked; archiving begins above {policy.near:,} characters"
    seen = facts.evidence
    if seen.earliest and seen.latest:
        yield f"sessions tallied from {local(seen.earliest)} to {local(seen.latest)}"
    yield f"last run: {local(facts.last_run) if facts.last_run else 'never'}"
    if facts.forecast:
        full = f"full on {facts.forecast.full_at:%Y-%m-%d}" if facts.forecast.full_at else "not filling up"
        yield f"grows by {facts.forecast.daily:.1f} characters a day: {full}"


def _lists(facts: Facts) -> Iterator[str]:
    free = [judged for judged in facts.first.ranked if not judged.entry.mark]
    yield "needed most:"
    yield from (f"  {judged.entry.target}: {judged.why}" for judged in free[:_SHOWN])
    yield "needed least:"
    yield from (f"  {judged.entry.target}: {judged.why}" for judged in free[: -_SHOWN - 1 : -1])
    held = facts.first.held
    yield f"would go next: nothing, {held}" if held else "would go next, if room were needed:"
    following = [*(archived.judged for archived in facts.first.archived), *facts.first.next()]
    for judged in following[: 0 if held else _SHOWN]:
        yield f"  {judged.entry.target}: {judged.size:,} characters, {judged.why}"


def _left_alone(facts: Facts) -> Iterator[str]:
    stay = [judged for judged in facts.first.ranked if judged.stays]
    if stay:
        yield f"protected ({_count(len(stay), 'line')}):"
        yield from (f"  {judged.entry.target}: {judged.stays}" for judged in stay)
    if facts.skipped:
        yield "left alone:"
        yield from (f"  {name}: {why}" for name, why in facts.skipped)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
