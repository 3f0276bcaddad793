"""A run of the watchdog as JSON for programs: stable fields, times in UTC. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from .judging import Judged
from .plan import Archived
from .report import Facts

VERSION = 1
Value = str | int | float | bool | None | Mapping[str, "Value"] | list["Value"]


def utc(moment: datetime | None) -> str | None:
    """A moment as programs read it: UTC, `Z`."""
    return None if moment is None else moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def data(facts: Facts) -> Mapping[str, Value]:
    """The facts of a run as what JSON can hold."""
    growth = facts.forecast
    return {
        "version": VERSION,
        "home": facts.home,
        "home_source": facts.home_source,
        "at": utc(facts.now),
        "dry_run": facts.dry,
        "last_run": utc(facts.last_run),
        "budget": _budget(facts),
        "evidence": {
            "earliest": utc(facts.evidence.earliest),
            "latest": utc(facts.evidence.latest),
            "held": facts.first.held,
        },
        "forecast": {"daily": round(growth.daily, 3), "full_at": utc(growth.full_at)} if growth else None,
        "repaired": facts.repaired,
        "reshaped": any(plan.reshaped for plan in facts.plans),
        "reordered": sum(plan.reordered for plan in facts.plans),
        "archived": [_archived(archived) for archived in facts.archived],
        "entries": [_entry(judged) for judged in facts.first.ranked],
        "faults": [{"file": file, "rule": rule} for file, rule in facts.faults],
        "skipped": [{"file": file, "why": why} for file, why in facts.skipped],
        "notes": list(facts.notes),
    }


def _budget(facts: Facts) -> Value:
    return {
        "cap": facts.policy.cap,
        "cap_source": facts.cap_source,
        "chars": facts.first.size,
        "bytes": len(facts.first.before.index.encode("utf-8", "surrogatepass")),
        "chars_after": facts.last.after,
        "near": facts.policy.near,
        "goal": facts.policy.goal,
        "short": facts.last.short,
    }


def _archived(archived: Archived) -> Value:
    return {
        "target": archived.judged.entry.target,
        "archived_as": archived.line.target,
        "line": str(archived.line),
        "score": round(archived.judged.score, 4),
        "why": archived.judged.why,
    }


def _entry(judged: Judged) -> Value:
    usage = judged.topic.usage if judged.topic else None
    return {
        "target": judged.entry.target,
        "mark": judged.entry.mark,
        "score": round(judged.score, 4),
        "why": judged.why,
        "stays": judged.stays,
        "size": judged.size,
        "first_seen": utc(judged.topic.first_seen) if judged.topic else None,
        "last_used": utc(usage.last_used) if usage else None,
        "uses": sum(usage.weeks.values()) if usage else 0,
    }
