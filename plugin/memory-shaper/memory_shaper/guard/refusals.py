"""What the guard says to the model that made a call: who speaks, what is wrong, the exact next call. Pure.

No text here says how the guard could be switched off.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .. import grammar, host, names, rules
from ..model import ARROW, Entry, Finding, Folder, Severity

if TYPE_CHECKING:
    from ..privacy.screening import Reason
    from .draft import CannotPlay, Change

_SHOWN = 600  # characters of a call that are repeated back word for word
_PLACEHOLDER = f"keyword,keyword,keyword,keyword,keyword{ARROW}file.md"
HEADING = "the heading is no entry, and the memory tool does not edit it. Add or change entries only."
PINNED = "this line is pinned (!): it is never removed or pointed at another file. Only the user clears the mark."
CRITICAL_IN_BATCH = (
    "this line is critical (!!). Change it in a call of its own, without `operations`, so that the user is asked "
    "about exactly that one change."
)
CRITICAL_BLOCKED = (
    "memory-shaper: refused (critical), nothing was written. This line or file is critical (!!): it changes only "
    "with the user's word, and nobody can be asked here. Tell the user what you wanted to change."
)
OWN_BLOCKED = (
    "memory-shaper: refused (own-files), nothing was done. This would change the memory guard itself or its settings, "
    "which is the user's to do, and nobody can be asked here. Tell the user what you wanted to change."
)
NOT_ENFORCED = (
    "memory-shaper: guard NOT enforced: this host ran a call that was refused, so nothing here keeps the memory index "
    "safe before a call. Tell the user to run: memory-shaper doctor --live"
)
REDACT = "a rule of the user's replaces a part of this text. Send it again without that part."
WHOLE_REWRITE = "memory-shaper: rewrite the memory index as a whole? The new text keeps every entry and verifies clean."
PROSE_WIPE = (
    "the host takes this whole file for one entry, so this call would erase all of it. Send the whole new text with "
    "the whole old text as old_text, or ask the user to run: memory-shaper migrate"
)


_WAY = (
    "MEMORY.md is a routing table of lines `keyword,keyword,…{ARROW}file.md` and is edited one line at a time; "
    "what is wrong with this call, and what to send instead, follows here.\n"
).replace("{ARROW}", ARROW)


def opening(rule: str, prefix: str = "") -> str:
    """How every refusal begins: 200 characters without a word of the call, since hosts log as much of an error."""
    return f"memory-shaper: refused ({rule}), nothing was written. {_WAY}{prefix}"


def call(name: str, arguments: dict[str, object]) -> str:
    """A call as the model can repeat it."""
    return f"{name} {json.dumps(arguments, ensure_ascii=False)}"


def kept_out(reason: Reason) -> str:
    """A text that is never kept: its kind and line, never its value."""
    advice = "The user wants nothing like it kept: leave it out"
    if not reason.is_rule:
        advice = "Remember where it is kept instead, for example the name of its entry in a password manager"
    return f"line {reason.line} of the text holds {reason.kind}, which is never stored. {advice}."


def _edit(action: str, content: str, old_text: str = "") -> str:
    fields: dict[str, object] = {"action": action, "target": "memory"}
    return call("memory", fields | ({"old_text": old_text} if old_text else {}) | {"content": content})


def shape(problem: str) -> str:
    """A call whose fields cannot be read."""
    return f"{problem}. A call looks like: {_edit('add', _PLACEHOLDER)}"


def cannot_play(problem: CannotPlay, batch: bool) -> str:
    """An operation that matches no line, or several."""
    prefix = f"operation {problem.number}: " if batch else ""
    lines = "".join(f"\n  {_first_line(place)}" for place in problem.places[:5])
    if problem.reason == "ambiguous":
        count = len(problem.places)
        return f"{prefix}old_text occurs in {count} entries; use the whole line you mean as old_text:{lines}"
    if problem.reason == "no match":
        closest = f" The closest:{lines}" if lines else " Read MEMORY.md for the lines as they are."
        return f"{prefix}no entry contains old_text; use the whole line as old_text.{closest}"
    return f"{prefix}{problem.reason}; use the whole line as old_text and the whole new line as content."


def _first_line(part: str) -> str:
    line, more, _ = part.partition("\n")
    return line + (" …" if more else "")


def prose(change: Change) -> str:
    """Text that is no entry: it belongs into a topic file."""
    if change.before:
        return f"an entry is one line `keyword,keyword,…{ARROW}file.md`; write the text into the topic file instead."
    again: dict[str, object] = {"text": change.after if len(change.after) <= _SHOWN else "<the same text>"}
    return (
        f"Text belongs into a topic file. Send instead: {call('memory_remember', again)} (add topic and keywords if "
        "you know good ones; where that tool is not listed, send it through tool_call). It writes the topic file and "
        "its line in one step."
    )


def wipes_more(change: Change) -> str:
    """A part of a host entry of several lines: the host would take all of it."""
    count = len(change.before.splitlines())
    fields: dict[str, object] = {"action": change.operation.action, "target": "memory", "old_text": change.before}
    again = call("memory", fields | ({"content": change.after} if change.after else {}))
    return f"the host takes these {count} lines for one entry, so all of them would go. If you mean that, send: {again}"


def mark(old: str, change: Change) -> str:
    """A mark set, cleared or changed."""
    line = old + change.after.lstrip("!！ ")
    elsewhere = change.before and line.rpartition(ARROW)[2] != change.before.rpartition(ARROW)[2]
    if line == change.before or elsewhere:
        return "only the user sets or clears a mark (! or !!). The line stays as it is; nothing is to be sent."
    again = _edit(change.operation.action, line, change.before)
    return f"only the user sets or clears a mark (! or !!). Send the line with the mark it has: {again}"


def repeated(twin: str, change: Change, folder: Folder, action: str) -> str:
    """A second line for a file, and the call that widens the first one; `action` is add where that is new as well."""
    assert change.new is not None and change.new.entry is not None
    entry, known = change.new.entry, grammar.parse_entry(twin)
    assert known is not None
    both = rules.corrected(replace(known, keywords=(*known.keywords, *entry.keywords)))
    keywords, arrow, target = both.rpartition(ARROW)
    merged = ",".join(keywords.split(",")[: rules.MOST]) + arrow + target
    start = f"{entry.target} has an entry already, and one file has one line"
    if not _is_clean(merged, folder):
        return f"{start}. Widen that one by keywords: {json.dumps(twin, ensure_ascii=False)}"
    if action == "add":
        return f"{start}, also within one call. Send one line: {_edit('add', merged)}"
    return f"{start}. To widen it, send: {_edit(action, merged, twin)}"


def finding(found: Finding, change: Change, folder_path: str, folder: Folder) -> str:
    """A line that breaks a rule, with the corrected call where one is known."""
    assert change.new is not None and change.new.entry is not None
    if found.rule == "target-missing":
        return _missing(found.message, change.new.entry, folder_path, "repeat this call")
    fix = found.fix if found.fix and ARROW in found.fix and found.fix != change.after else ""
    left = [one for one in _errors(fix or change.after, folder) if one.key != found.key]
    if fix and not left:
        return f"{found.message}. Send: {_edit(change.operation.action, fix, change.before)}"
    entry = grammar.parse_entry(fix)
    if entry and all(one.rule == "target-missing" for one in left):
        again = f"repeat this call with the line {json.dumps(fix, ensure_ascii=False)}"
        return f"{found.message}. Besides, {_missing(left[0].message, entry, folder_path, again)}"
    more = "".join(f". Besides, {one.message}" for one in left)
    return f"{found.message}{more}. An entry is one line of 5 to 20 keywords: keyword,keyword,…{ARROW}file.md"


def _errors(line: str, folder: Folder) -> list[Finding]:
    found = rules.check(rules.Scope(line, folder, cap=None))
    return [one for one in found if one.severity is Severity.ERROR]


def _is_clean(line: str, folder: Folder) -> bool:
    return not _errors(line, folder)


def _missing(told: str, entry: Entry, folder: str, then: str) -> str:
    """A line whose file is not there: what to write first, or both in one step."""
    separator = "\\" if "\\" in folder and "/" not in folder else "/"
    first = call("write_file", {"path": f"{folder}{separator}{entry.target}", "content": "…"})
    both = call("memory_remember", {"text": "…", "topic": entry.target, "keywords": list(entry.keywords)})
    return f"{told}. First write it: {first}, then {then}; or do both in one step: {both}"


def full(need: int, size: int, cap: int, coldest: Sequence[str] = ()) -> str:
    """No room: numbers, and what could go."""
    join = len(host.DELIMITER)
    text = (
        f"MEMORY.md holds {size:,} of {cap:,} characters: free {need:,} characters "
        f"(the host's join of {join} an entry counts)."
    )
    if coldest:
        text += " The entries that are read least:" + "".join(f"\n  {line} ({len(line) + join})" for line in coldest)
    return opening("over-cap") + text + "\nRemove or shorten entries first, or add the line with fewer keywords."


# Hosts log the beginning of a question, so each is 200 characters long before it says anything of the call.
_ASKED = (
    "memory-shaper: the agent wants to change a line of the memory index, or the file of one, that its user marked as "
    "critical (!!): such a line and its file change only with the user's word. "
)
_GUARD = (
    "memory-shaper: the agent wants to do something that changes the guard of the memory, its settings, what it has "
    "recorded, or the memory as a whole. That is for the user to decide, and only for the user. "
)


def critical(change: Change) -> str:
    """What the human is asked before a critical line changes."""
    if not change.after:
        return f"{_ASKED}It would be removed, its topic file archived:\n  {change.before}\nAllow it?"
    return f"{_ASKED}From:\n  {change.before}\nto:\n  {change.after}\nAllow it?"


def index_write(via: str, path: str, memories: str) -> str:
    """A write to an index that does not go through the memory tool."""
    name = path.removeprefix(memories).lstrip("/\\")
    if name != names.INDEX:
        return opening("index-write") + (
            f"`{via}` would write the archive index, which memory-shaper keeps. To bring an entry back, ask the user "
            "to run: memory-shaper restore NAME"
        )
    return opening("index-write") + (
        f"`{via}` would write {name}, and the index is changed by the memory tool only, one line at a time. Reading it "
        f"is free. To add a line: {_edit('add', _PLACEHOLDER)}. To save text: memory_remember. Topic files may be "
        "written as they are."
    )


def protected(rule: str, via: str, name: str) -> str:
    """What the human is asked before something protected is written."""
    if rule == "critical":
        return f"{_ASKED}`{via}` would change {name}, the file of such a line. Allow it?"
    return f"{_GUARD}`{via}` would change {name}. Allow it?"


def command(words: str) -> str:
    """What the human is asked before a command of ours or the host's runs."""
    return f"{_GUARD}It wants to run `{words[:200]}`. Allow it?"


def again(rule: str, target: str, times: int) -> str:
    """A refusal that was given before in this session: shorter, then a way out. A topic's name is not for logs."""
    where = f" for {target}" if target in names.SYSTEM else ""
    if times == 2:
        users = rule == "critical" or rule.startswith("own-")
        way = "Only the user can do this." if users else "The last refusal says what to send."
        return f"memory-shaper: refused again ({rule}{where}), nothing was done. {way}"
    return (
        f"memory-shaper: refused {times} times ({rule}{where}). Stop trying this; go on with the task and tell the "
        "user to run: memory-shaper doctor"
    )


def broken(error: str) -> str:
    """The guard itself cannot work."""
    return opening("guard-fault") + f"{error}. Tell the user to run: memory-shaper doctor"


def _named(found: Sequence[tuple[str, str]]) -> str:
    """Files with what is wrong with them; the first few by name."""
    most = 5
    shown = ", ".join(f"{file} ({why})" for file, why in found[:most])
    return shown + (f" and {len(found) - most} more files" if len(found) > most else "")


def restored(found: Sequence[tuple[str, str]]) -> str:
    """What the model is told when files were put back."""
    was, has = ("was", "has") if len(found) == 1 else ("were", "have")
    return (
        f"memory-shaper: {_named(found)} {was} damaged by a call and {has} been put back. What the call left is kept "
        "in the journal. Change the index with the memory tool, one line at a time."
    )


def taken_out(found: Sequence[tuple[str, Reason]]) -> str:
    """What the model is told when parts of the files that a call wrote are not kept: kind and line, never the value."""
    most = 5
    shown = ", ".join(f"{file} line {reason.line} ({reason.kind})" for file, reason in found[:most])
    more = f" and {len(found) - most} more" if len(found) > most else ""
    return (
        f"memory-shaper: what is never kept was taken out of what this call wrote: {shown}{more}. The rest stands. Do "
        "not write it again; say where it is kept instead."
    )


def reported(found: Sequence[tuple[str, str]]) -> str:
    """What the model is told when files were damaged from outside."""
    was, has = ("was", "has") if len(found) == 1 else ("were", "have")
    return (
        f"memory-shaper: {_named(found)} {was} changed from outside and {has} a fault now. Nothing was undone; what is "
        "there now counts. Tell the user: `memory-shaper fix` mends it, `memory-shaper undo` brings the last one back."
    )
