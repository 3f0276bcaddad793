"""What makes a change of a guarded file damage rather than an edit. Pure."""

from __future__ import annotations

from .. import grammar, names, rules
from ..model import CRITICAL, Entry, Folder, Index


def damage(before: str | None, after: str | None, old_folder: Folder, folder: Folder, cap: int | None) -> str:
    """Why going from one text to the other is damage, as the name of a rule with a count; "" for a valid change.

    Damage is a lost entry, a changed heading or `!!` line, or an error finding that was not there before. None stands
    for a missing file. A text that was no index yet can only be wiped out.
    """
    if before is None:
        return ""
    old = grammar.parse(before)
    if not grammar.is_index(old):
        return "vanished" if before.strip() and not (after or "").strip() else ""
    if after is None:
        return "vanished"
    new = grammar.parse(after)
    return (
        _lost(old, new) or _heading(old, new) or _critical(old, new) or _errors(before, after, old_folder, folder, cap)
    )


def _lost(old: Index, new: Index) -> str:
    kept = {names.same(entry.target) for _, entry in new.entries()}
    lost = {names.same(entry.target) for _, entry in old.entries()} - kept
    return f"entries-lost: {len(lost)}" if lost else ""


def _heading(old: Index, new: Index) -> str:
    before, after = grammar.heading(old), grammar.heading(new)
    return "heading-changed" if before and before.split() != after.split() else ""


def _critical(old: Index, new: Index) -> str:
    lines = {str(entry) for _, entry in new.entries()}
    changed = [entry for entry in critical(old) if str(entry) not in lines]
    return f"critical-changed: {len(changed)}" if changed else ""


def critical(index: Index) -> list[Entry]:
    """The `!!` entries of an index."""
    return [entry for _, entry in index.entries() if entry.mark == CRITICAL]


def _errors(before: str, after: str, old_folder: Folder, folder: Folder, cap: int | None) -> str:
    old = rules.check(rules.Scope(before, old_folder, cap))
    new = rules.check(rules.Scope(after, folder, cap))
    fresh = rules.new_errors(old, new)
    return f"{fresh[0].rule}: {len(fresh)}" if fresh else ""
