"""The rules of the index, one small pure function each; its name is the same in code, messages, docs and options."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from ..model import Finding, Severity
from ..secrets import masked
from . import entries, private, whole
from .base import Fault, Rule, Scope, corrected

ERROR, WARNING = Severity.ERROR, Severity.WARNING

# The one table of severities.
RULES: dict[str, tuple[Rule, Severity]] = {
    function.__name__.replace("_", "-"): (function, severity)
    for function, severity in (
        (whole.index_empty, ERROR),
        (whole.form_bom, WARNING),
        (whole.form_newline_only, ERROR),
        (whole.form_drift, WARNING),
        (entries.merge_markers, ERROR),
        (entries.not_an_entry, ERROR),
        (entries.arrow_shape, ERROR),
        (entries.comma_shape, ERROR),
        (entries.keyword_count, ERROR),
        (entries.keyword_case, ERROR),
        (entries.keyword_shape, ERROR),
        (entries.keyword_repeated, ERROR),
        (entries.keyword_generic, WARNING),
        (entries.host_hidden, ERROR),
        (entries.line_long, WARNING),
        (entries.target_shape, ERROR),
        (entries.target_missing, ERROR),
        (entries.target_repeated, ERROR),
        (whole.lines_compete, WARNING),
        (whole.over_cap, ERROR),
        (whole.near_cap, WARNING),
        (whole.heading_without_routing_rule, WARNING),
        (whole.topic_orphan, WARNING),
        (whole.conflict_copy, WARNING),
        (whole.name_twins, WARNING),
        (whole.not_downloaded, WARNING),
        (private.secret, WARNING),
    )
}


def check(
    scope: Scope,
    select: Collection[str] = (),
    ignore: Collection[str] = (),
    table: Mapping[str, tuple[Rule, Severity]] = RULES,
) -> list[Finding]:
    """All findings in a text, in the order of its lines; `select` and `ignore` are names of rules of the table."""
    found = [
        _finding(scope, name, severity, fault)
        for name, (rule, severity) in table.items()
        if (not select or name in select) and name not in ignore
        for fault in rule(scope)
    ]
    return sorted(found, key=lambda finding: (finding.line, finding.column))


def new_errors(before: Iterable[Finding], after: Iterable[Finding]) -> list[Finding]:
    """The errors of `after` that `before` did not have: an old fault never counts against a good edit.

    Compared by rule and message, not by line; a fault that is there more often than before is new.
    """
    left: dict[tuple[str, str], int] = {}
    for finding in before:
        left[finding.key] = left.get(finding.key, 0) + 1
    fresh = []
    for finding in after:
        left[finding.key] = left.get(finding.key, 0) - 1
        if finding.severity is ERROR and left[finding.key] < 0:
            fresh.append(finding)
    return fresh


def _finding(scope: Scope, name: str, severity: Severity, fault: Fault) -> Finding:
    """A fault as it is told: no finding repeats a secret that stands in a line or in the name of a file."""
    message, fix = masked(fault.message), masked(fault.fix)
    if not fault.line:
        return Finding(name, severity, message, fix=fix)
    source, pointed = masked(scope.index.lines[fault.line - 1].text), masked(fault.at)
    at = max(source.find(pointed), 0) if pointed else 0
    width = len(pointed) or max(len(source), 1)
    return Finding(name, severity, message, fault.line, at + 1, width, fix, source)


from .entries import MOST  # noqa: E402

__all__ = ["MOST", "RULES", "Fault", "Rule", "Scope", "check", "corrected", "new_errors"]
