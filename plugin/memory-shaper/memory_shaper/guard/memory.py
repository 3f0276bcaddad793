"""Judging a call of the host's `memory` tool against the index. Pure."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .. import grammar, host, names, rules
from ..model import (
    ALLOWED,
    CRITICAL,
    PINNED,
    Answer,
    Draft,
    Finding,
    Folder,
    Index,
    Kind,
    MemoryCall,
    Severity,
    Verdict,
)
from . import refusals
from .draft import CannotPlay, Change, play
from .memory_call import CHANGING

# The rules that one new line can break; all others are judged from the draft as a whole.
_WHOLE = (
    "index-empty", "form-newline-only", "form-drift", "over-cap", "near-cap", "topic-orphan", "name-twins",
    "conflict-copy", "not-downloaded", "secret",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Policy:
    """What the judge has to know besides the texts: the cap in code points, where the folder is for the reader of a
    refusal, what a critical change needs (`approve` or `block`), and by which action this host changes an entry."""

    cap: int
    folder_path: str
    critical: str = "approve"
    edit: str = "replace"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, the draft it is about, and how many code points are missing where only room is."""

    verdict: Verdict
    draft: Draft | None = None
    need: int = 0


def judge(call: MemoryCall, index: Index, folder: Folder, policy: Policy) -> Judgement:
    """The verdict on a `memory` call.

    `index` is the file as it stands, `folder` its folder. A call on USER.md, or with no changing operation, is
    allowed without a draft. Where nothing but room is missing, the verdict is a block with `need` above 0.
    """
    if call.target == "user":
        return Judgement(ALLOWED)
    if call.problem:
        return _block("call-shape", refusals.shape(call.problem))
    if not any(operation.action in CHANGING for operation in call.operations):
        return Judgement(ALLOWED)
    if not grammar.is_index(index) and not _adds_entry(call):
        return _judge_prose(call, index)
    try:
        draft, changes = play(call, index)
    except CannotPlay as problem:
        return _block(_rule_of(problem), refusals.cannot_play(problem, call.batch))
    return _judge_changes(call, draft, changes, folder, policy)


def _adds_entry(call: MemoryCall) -> bool:
    contents = [operation.content or "" for operation in call.operations if operation.action in CHANGING]
    return any(grammar.is_index(grammar.parse(content)) for content in contents)


def _rule_of(problem: CannotPlay) -> str:
    return problem.reason.replace(" ", "-") if problem.reason in ("ambiguous", "no match") else "call-shape"


def _judge_changes(
    call: MemoryCall, draft: Draft, changes: Sequence[Change], folder: Folder, policy: Policy
) -> Judgement:
    for change in changes:
        refusal = _refusal(change, call, draft, folder, policy)
        if refusal is not None:
            return Judgement(refusal, draft)
    if draft.after != draft.before and (need := _need(call, draft, policy)):
        size = host.size(draft.before)
        return Judgement(Verdict(Answer.BLOCK, "over-cap", "", refusals.full(need, size, policy.cap)), draft, need)
    critical = [change for change in changes if _mark(change.before) == CRITICAL]
    if critical:
        return Judgement(_critical(critical[0], call, policy), draft)
    return Judgement(ALLOWED, draft)


def _need(call: MemoryCall, draft: Draft, policy: Policy) -> int:
    # A single removal is the one change the host carries out over the cap.
    if not call.batch and call.operations[0].action == "remove":
        return 0
    return max(0, host.size(draft.after) - policy.cap)


def _refusal(change: Change, call: MemoryCall, draft: Draft, folder: Folder, policy: Policy) -> Verdict | None:
    rule, message = _broken(change, call, draft, folder, policy)
    if not rule:
        return None
    target = change.new.entry.target if change.new and change.new.entry else ""
    prefix = f"operation {change.number}: " if call.batch else ""
    return Verdict(Answer.BLOCK, rule, target, refusals.opening(rule, prefix) + message)


def _broken(change: Change, call: MemoryCall, draft: Draft, folder: Folder, policy: Policy) -> tuple[str, str]:
    new = change.new
    if change.before and _is_heading(change.before):
        return "heading", refusals.HEADING
    if _wipes_more(change):
        return "form-newline-only", refusals.wipes_more(change)
    if change.after and (new is None or new.kind is not Kind.ENTRY or new.entry is None):
        return "not-an-entry", refusals.prose(change)
    old_mark = _mark(change.before)
    if change.after and _mark(change.after) != old_mark:
        return "mark", refusals.mark(old_mark, change)
    if old_mark and call.batch and old_mark == CRITICAL:
        return "critical-in-batch", refusals.CRITICAL_IN_BATCH
    if old_mark == PINNED and _target(change.before) != _target(change.after):
        return "pinned", refusals.PINNED
    if new is not None and new.entry is not None:
        return _new_fault(change, draft, folder, policy)
    return "", ""


def _wipes_more(change: Change) -> bool:
    # One host entry of several lines that are no entries: the old text has to be all of it, or lines would go unseen.
    aimed = (change.operation.old_text or "").strip()
    whole = change.operation.action in ("remove", "replace") and "\n" in change.before
    return whole and "\n".join(aimed.splitlines()) != "\n".join(change.before.splitlines())


def _new_fault(change: Change, draft: Draft, folder: Folder, policy: Policy) -> tuple[str, str]:
    assert change.new is not None and change.new.entry is not None
    target = names.same(change.new.entry.target)
    left = host.entries(draft.after)
    if change.after not in left:
        return "", ""  # a later operation of the batch changes this line again
    others = [part for part in left if part != change.after]
    twin = next((part for part in others if _target(part) == target), None)
    if twin is not None and _target(change.before) != target:
        action = policy.edit if twin in host.entries(draft.before) else "add"
        return "target-repeated", refusals.repeated(twin, change, folder, action)
    old_findings = _line_findings(change.before, folder)
    old_keys = {found.key for found in old_findings}
    fresh = [found for found in _line_findings(change.after, folder) if found.key not in old_keys]
    if not fresh:
        return "", ""
    return fresh[0].rule, refusals.finding(fresh[0], change, policy.folder_path, folder)


def _line_findings(text: str, folder: Folder) -> list[Finding]:
    if not text:
        return []
    found = rules.check(rules.Scope(text, folder, cap=None), ignore=_WHOLE)
    return [finding for finding in found if finding.severity is Severity.ERROR or finding.rule == "form-bom"]


def _target(part: str) -> str:
    entry = grammar.parse_line(part).entry if "→" in part and "\n" not in part else None
    return names.same(entry.target) if entry else ""


def _mark(part: str) -> str:
    entry = grammar.parse_line(part).entry if part and "\n" not in part else None
    return entry.mark if entry else ""


def _is_heading(part: str) -> bool:
    return any(line.kind in (Kind.HEADING, Kind.TEMPLATE) for line in grammar.parse(part).lines)


def _critical(change: Change, call: MemoryCall, policy: Policy) -> Verdict:
    target = change.old.entry.target if change.old and change.old.entry else ""
    if policy.critical != "approve":
        return Verdict(Answer.BLOCK, "critical", target, refusals.CRITICAL_BLOCKED)
    return Verdict(
        Answer.APPROVE, "critical", target, refusals.critical(change), change_key([change.before, change.after])
    )


def change_key(parts: Iterable[str]) -> str:
    """The key an approval is bound to: "always" grants exactly this change and no other."""
    joined = "\x00".join(parts).encode("utf-8", "surrogatepass")
    return "memory-shaper:" + hashlib.sha256(joined).hexdigest()[:32]


def _judge_prose(call: MemoryCall, index: Index) -> Judgement:
    """A memory that is no index: prose passes, only destruction is stopped."""
    lines = [line for line in index.lines if line.kind not in (Kind.BLANK, Kind.DELIMITER)]
    parts = host.entries(grammar.render(index))
    for operation in call.operations:
        aimed = (operation.old_text or "").strip()
        if operation.action in ("remove", "replace") and len(parts) == 1 and len(lines) > 2 and "\n" not in aimed:
            with contextlib.suppress(host.HostRefuses):
                host.find(parts, aimed)
                return _block("form-newline-only", refusals.PROSE_WIPE)
    return Judgement(ALLOWED)


def _block(rule: str, message: str) -> Judgement:
    return Judgement(Verdict(Answer.BLOCK, rule, "", refusals.opening(rule) + message))
