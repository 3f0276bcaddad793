"""The index, its archive, and who may read what. Shell: reads the memories folder."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from ... import edit, grammar, host, lookthrough, names, rules, store
from ...errors import MemoryShaperError, Missing
from ...fixes import fixed
from ...headings import collapsed
from ...model import Finding, Folder, Severity
from ...watchdog import history
from ...watchdog.forecast import forecast
from ..change import unwritable
from ..leftovers import leftovers
from ..room import coldest
from ..screen import counted, local
from .base import Diagnosis, Patient, note, ok, problem

_RULE = "heading-without-routing-rule"
_FORM = "form-newline-only"
_SOON = timedelta(days=14)
_OTHERS = 0o077


def index(patient: Patient) -> Iterator[Diagnosis]:
    """The index: there, an index at all, its size, form, errors, and the routing rule."""
    try:
        document = store.read(patient.home.index)
        folder = store.list_folder(patient.home.memories)
    except Missing:
        told = f"there is no {collapsed(str(patient.home.index))}"
        yield problem("index", told, patient.ours("install"))
        return
    except MemoryShaperError as error:
        yield problem("index", str(error), patient.ours("history"))
        return
    if not document.text.strip():
        yield problem("index", "the index is empty", patient.ours("install"))
    elif not grammar.is_index(grammar.parse(document.text)):
        told = "MEMORY.md is a memory of prose, not an index; it works as it is, and only its destruction is stopped"
        yield note("index", told, patient.ours("fix", "--heading", "full"))
    else:
        yield from _index(patient, document.text, folder)


def _index(patient: Patient, text: str, folder: Folder) -> Iterator[Diagnosis]:
    cap = patient.settings.cap
    found = rules.check(rules.Scope(text, folder, cap, patient.settings.number("near_cap")))
    named = {finding.rule for finding in found}
    yield ok("index", f"the index has {counted(sum(1 for _ in grammar.parse(text).entries()), 'entry')}")
    yield from _size(patient, text)
    if _FORM in named:
        told = "the lines are separated by newlines only: to the host they are one entry, which one call can erase"
        yield problem("index-form", told, patient.ours("fix"))
    else:
        yield ok("index-form", "each line is an entry of its own to the host")
    yield from _errors(
        patient, "index-errors", text, folder, [one for one in found if one.rule not in (_FORM, "over-cap")]
    )
    if _RULE in named:
        told = "the heading does not carry the routing rule, so no session is told to read the files"
        yield note("routing-rule", told, patient.ours("fix", "--heading", "full"))
    else:
        yield ok("routing-rule", "the heading carries the routing rule into every session")


def _size(patient: Patient, text: str) -> Iterator[Diagnosis]:
    settings, size = patient.settings, host.size(text)
    told = f"{size:,} of {settings.cap:,} characters, {size / settings.cap:.0%} (cap: {settings.cap_source})"
    now = edit.now()
    growth = forecast(history.sizes(patient.record), size, settings.cap, now)
    full = growth.full_at if growth else None
    told += f"; at the pace of the last 60 days full on {local(full)[:10]}" if full and size <= settings.cap else ""
    if size > settings.cap:
        yield problem("index-size", f"{told}: the host refuses every new entry", _archive(patient, text))
    elif size >= settings.number("near_cap") * settings.cap or (full and full - now < _SOON):
        yield note("index-size", told, _archive(patient, text))
    else:
        yield ok("index-size", told)


def _archive(patient: Patient, text: str) -> str:
    """The command that archives the coldest entries until the index is as small as the watchdog would make it."""
    target = int(patient.settings.number("archive_to") * patient.settings.cap)
    left, chosen = host.size(text), []
    for line in coldest(text, patient.record, count=len(text)):
        if left <= target:
            break
        left -= len(line) + len(host.DELIMITER)
        entry = grammar.parse_line(line).entry
        chosen += [entry.target] if entry else []
    return patient.ours("archive", *chosen) if chosen else patient.ours("verify")


def _errors(patient: Patient, check: str, text: str, folder: Folder, found: list[Finding]) -> Iterator[Diagnosis]:
    errors = [finding for finding in found if finding.severity is Severity.ERROR]
    if not errors:
        warnings = counted(len(found), "warning") if found else "no warnings"
        yield ok(check, f"no errors, {warnings}")
        return
    named = ", ".join(sorted({finding.rule for finding in errors}))
    after = rules.check(rules.Scope(fixed(text, folder), folder, None))
    mends = not any(finding.severity is Severity.ERROR for finding in after)
    yield problem(check, f"{counted(len(errors), 'error')} ({named})", patient.ours("fix" if mends else "verify"))


def archive(patient: Patient) -> Iterator[Diagnosis]:
    """The archive index and its errors."""
    try:
        document = store.read_if_there(patient.home.archive_index)
        if document is None:
            yield ok("archive", "nothing is archived yet")
            return
        folder = store.list_folder(patient.home.archive)
    except MemoryShaperError as error:
        yield problem("archive", str(error), patient.ours("history"))
        return
    found = rules.check(rules.Scope(document.text, folder, None))
    yield from _errors(patient, "archive", document.text, folder, found)


def copies(patient: Patient) -> Iterator[Diagnosis]:
    """Copies that a sync service left beside the files."""
    try:
        files = store.list_folder(patient.home.memories).files
    except MemoryShaperError:  # told as the index
        return
    number = sum(bool(names.conflict_copy_of(name, files)) for name in files)
    if number:
        told = f"a sync service left {counted(number, 'copy')} of files that were edited in two places"
        yield problem("conflict-copies", told, patient.ours("merge"))
    else:
        yield ok("conflict-copies", "no sync service left a conflict copy")


def droppings(patient: Patient) -> Iterator[Diagnosis]:
    """Temporary files of writers that were killed."""
    if found := leftovers(patient.home):
        place = collapsed(str(patient.home.memories))
        told = f"{place} holds {counted(len(found), 'temporary file')} of a writer that was killed"
        yield note("leftovers", told, patient.ours("fix", "--leftovers"))


def rights(patient: Patient) -> Iterator[Diagnosis]:
    """Files that hold what the index holds and are open to more users than the index is."""
    if os.name != "posix":
        return
    own = _mode(patient.home.index)
    wider = [path for path in _holding(patient) if own is not None and (_mode(path) or 0) & ~own & _OTHERS]
    if closed := unwritable(patient.home):
        told = f"{collapsed(str(closed))} can only be read by this user, so nothing can be changed"
        yield problem("read-only", told, f"chmod u+w {shlex.quote(str(closed))}")
    for path in wider:
        told = f"{collapsed(str(path))} is open to more users than the index"
        yield problem("permissions", told, f"chmod go-rwx {shlex.quote(str(path))}")
    if own is not None and not wider:
        yield ok("permissions", "record, sidecar and archive are no more open than the index")


def _holding(patient: Patient) -> list[Path]:
    data = patient.home.data
    bases = [data / name for name in ("record.db", "sidecar.db", "vectors.db")]
    return [*(Path(f"{base}{side}") for base in bases for side in ("", "-wal", "-shm")), patient.home.archive_index]


def _mode(path: Path) -> int | None:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return None


def private(patient: Patient) -> Iterator[Diagnosis]:
    """Keys, passwords and what `exclude` keeps out, in the files themselves."""
    found = list(lookthrough.reasons(patient.home.memories, patient.settings.rules))
    if not found:
        yield ok("secrets", "no key, password, card or identity number stands in a topic file")
        return
    file, first = found[0]
    told = f"{counted(len(found), 'part')} of the topic files should not be in a memory; the first: {file} line "
    yield note("secrets", f"{told}{first.line} ({first.kind})", patient.ours("verify"))
