"""What the guard says to the model that made a call: who speaks, what is wrong, the exact next call. Pure.

No text here says how the guard could be switched off.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .. import host, rules
from ..model import ARROW, Finding, Operation, Severity

if TYPE_CHECKING:
    from .draft import CannotPlay, Change

_SHOWN = 600  # characters of a call that are repeated back word for word
HEADING = (
    "the heading is not an entry, and the memory tool does not edit it. Leave it as it is; add or change entries only."
)
PINNED = "this line is pinned (`!`): it is never removed or pointed at another file. Only the user clears the mark."
CRITICAL_IN_BATCH = (
    "this line is critical (`!!`). Change it in a call of its own, without `operations`, so that the user is asked about "
    "exactly that one change."
)
CRITICAL_BLOCKED = (
    "memory-shaper: refused (critical), nothing was written. This line is critical (`!!`): it changes only with the "
    "user's word, and nobody can be asked here. Tell the user what you wanted to change."
)
PROSE_WIPE = (
    "the host takes this whole file for one entry, so this call would erase all of it. Send the whole new text with "
    "action=replace and the whole old text as old_text, or ask the user to run: memory-shaper migrate"
)


def opening(rule: str, prefix: str = "") -> str:
    """How every refusal begins."""
    return f"memory-shaper: refused ({rule}), nothing was written. {prefix}"


def call(name: str, arguments: dict[str, object]) -> str:
    """A call as the model can repeat it."""
    return f"{name} {json.dumps(arguments, ensure_ascii=False)}"


def shape(problem: str) -> str:
    """A call whose fields cannot be read."""
    example = call(
        "memory",
        {"action": "add", "target": "memory", "content": f"keyword,keyword,keyword,keyword,keyword{ARROW}file.md"},
    )
    return f"{problem}. A call looks like: {example}"


def cannot_play(problem: CannotPlay, operation: Operation, batch: bool) -> str:
    """An operation that matches no line, or several."""
    prefix = f"operation {problem.number}: " if batch else ""
    if problem.reason == "ambiguous":
        lines = "\n".join(f"  {place}" for place in problem.places[:5])
        count = len(problem.places)
        return f"{prefix}old_text occurs in {count} entries; use the whole line you mean as old_text:\n{lines}"
    if problem.reason == "no match":
        lines = "".join(f"\n  {place}" for place in problem.places)
        return f"{prefix}no entry contains old_text; use the whole line as old_text." + (
            f" The closest:{lines}" if lines else " Read MEMORY.md for the lines as they are."
        )
    return f"{prefix}{problem.reason}; use the whole line as old_text and the whole new line as content."


def prose(change: Change) -> str:
    """Text that is no entry: it belongs into a topic file."""
    text = change.after
    again: dict[str, object] = {"text": text if len(text) <= _SHOWN else "<the same text>"}
    if change.before:
        return f"an entry is one line `keyword,keyword,…{ARROW}file.md`; write the text into the topic file instead."
    return (
        f"MEMORY.md is a routing table of lines `keyword,keyword,…{ARROW}file.md`; text belongs into a topic file. "
        f"Send instead: {call('memory_remember', again)} (add topic and keywords if you know good ones; where that tool is "
        "not listed, send it through tool_call). It writes the topic file and its line in one step."
    )


def mark(old: str, change: Change) -> str:
    """A mark set, cleared or changed."""
    kept = change.after.lstrip("!！ ")
    line = json.dumps(old + kept, ensure_ascii=False)
    return f"only the user sets or clears a mark (`!`, `!!`). Send the line with the mark it has: {line}"


def repeated(twin: str, change: Change) -> str:
    """A second line for a file."""
    assert change.new is not None and change.new.entry is not None
    entry = change.new.entry
    known = twin.rpartition(ARROW)[0].lstrip("!")
    words = list(dict.fromkeys([*known.split(","), *entry.keywords]))[: rules.MOST]
    merged = f"{twin[: len(twin) - len(twin.lstrip('!'))]}{','.join(words)}{ARROW}{twin.rpartition(ARROW)[2]}"
    again = call("memory", {"action": "replace", "target": "memory", "old_text": twin, "content": merged})
    return (
        f"{entry.target} has an entry already, and one file has one line. To widen it, send: {again} "
        "(action patch where replace is not offered)."
    )


def finding(found: Finding, change: Change, folder: str) -> str:
    """A line that breaks a rule, with the corrected call where one is known."""
    if found.rule == "target-missing":
        return _missing(found, change, folder)
    text = f"{found.message}."
    if found.fix and ARROW in found.fix and found.fix != change.after and _is_clean(found.fix):
        again: dict[str, object] = {"action": change.operation.action, "target": "memory"}
        if change.before:
            again["old_text"] = change.before
        return f"{text} Send: {call('memory', again | {'content': found.fix})}"
    if found.fix and ARROW not in found.fix:
        text += f" {found.fix[:1].upper()}{found.fix[1:]}."
    return f"{text} An entry is one line of 5 to 20 keywords: keyword,keyword,…{ARROW}file.md"


def _is_clean(line: str) -> bool:
    shape = (
        "keyword-count",
        "keyword-case",
        "keyword-shape",
        "arrow-shape",
        "comma-shape",
        "target-shape",
        "not-an-entry",
    )
    return not rules.check(rules.Scope(line, cap=None), select=shape)


def _missing(found: Finding, change: Change, folder: str) -> str:
    assert change.new is not None and change.new.entry is not None
    entry = change.new.entry
    separator = "\\" if "\\" in folder and "/" not in folder else "/"
    first = call("write_file", {"path": f"{folder}{separator}{entry.target}", "content": "…"})
    both = call("memory_remember", {"text": "…", "topic": entry.target, "keywords": list(entry.keywords)})
    return f"{found.message}. First write it: {first}, then repeat this call; or do both in one step: {both}"


def full(need: int, size: int, cap: int, coldest: list[str] | None = None) -> str:
    """No room: numbers, and what could go."""
    text = opening("over-cap") + (
        f"MEMORY.md holds {size:,} of {cap:,} characters and this change needs {need:,} more than are free "
        f"(each entry costs {len(host.DELIMITER)} for its join)."
    )
    if coldest:
        text += " The entries that are read least:" + "".join(
            f"\n  {line} ({len(line) + len(host.DELIMITER)})" for line in coldest
        )
    return text + "\nShorten or remove entries in the same batch, or add fewer keywords."


def critical(change: Change) -> str:
    """What the human is asked."""
    if not change.after:
        return f"memory-shaper: remove the critical memory line\n  {change.before}\nand archive its topic file?"
    return f"memory-shaper: change the critical memory line\n  {change.before}\nto\n  {change.after}\n?"
