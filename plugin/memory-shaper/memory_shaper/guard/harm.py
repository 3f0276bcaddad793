"""Whether a guarded file as it is found is damaged, and putting an index back without the record. Shell."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from .. import edit, grammar, names, store
from ..model import Folder
from ..privacy.rules import Rules
from ..privacy.screening import values
from ..settings import Settings
from .damage import damage
from .known import digest, is_index
from .sight import Sight, put_back, see

if TYPE_CHECKING:
    from .watch import Watch

# Seconds after which a file is looked at again before it is put back: one that is being written is not judged half-way,
# and an editor that saves may take a file away before it makes the new one.
BETWEEN_LOOKS, WHILE_ABSENT = 0.05, 0.3


def harm(watch: Watch, settings: Settings, file: str, before: str | None, sight: Sight) -> str:
    """Why a change of a file from its text `before` is damage, "" where it is a valid one."""
    if sight.odd:
        return "not-a-file"
    if not is_index(file):
        if sight.data is None:
            return "topic-vanished"
        return "critical-changed: 1" if watch.known[file].digest and file in watch.critical_topics() else ""
    live = file == names.INDEX
    path = watch.home.memories if live else watch.home.archive
    folder = store.list_folder(path) if path.is_dir() else Folder()
    old_folder = watch.folder if live and watch.folder.files else folder
    after = None if sight.data is None else sight.data.decode("utf-8", "replace")
    if after is not None and "\ufffd" in after and "\ufffd" not in (before or ""):
        return "not-utf-8"
    found = damage(before, after, old_folder, folder, settings.cap if live else None)
    return found or _never_kept(before or "", after or "", settings.rules)


def _never_kept(before: str, after: str, rules: Rules) -> str:
    """The rule that a line of an index breaks with what is never kept, where the index did not hold it before."""
    if not grammar.is_index(grammar.parse(before)):
        return ""  # prose, which is cleaned as any topic file
    new = values(after, rules) - values(before, rules)
    return f"never-kept: {len(new)}" if new else ""


def restore_indexes(watch: Watch, settings: Settings) -> list[tuple[str, str]]:
    """Put back, from the copies in this process, the indexes that a call damaged: the record cannot be used.

    Which files those are, and why. A file that still changes is left to the next look. Raises Busy, ReadOnly,
    Unreadable.
    """
    if not watch.flights.own():
        return []
    found = {file: one for file in (names.INDEX, edit.ARCHIVE_INDEX) if (one := _damaged(watch, settings, file))}
    if found:
        absent = any(sight.data is None for sight, _ in found.values())
        time.sleep(WHILE_ABSENT if absent else BETWEEN_LOOKS)
    return [(file, why) for file, (sight, why) in found.items() if _restore(watch, file, sight)]


def _damaged(watch: Watch, settings: Settings, file: str) -> tuple[Sight, str] | None:
    known, sight = watch.known.get(file), see(watch.home.memories / file)
    if known is None or known.data is None or watch.left.get(file) == sight:
        return None
    if known.digest == digest(sight.data) and not sight.odd:
        return None
    why = harm(watch, settings, file, known.text, sight)
    return (sight, why) if why else None


def _restore(watch: Watch, file: str, sight: Sight) -> bool:
    path, known = watch.home.memories / file, watch.known[file]
    with watch.held_for(path.parent):
        if known.data is None or see(path) != sight:
            return False
        known.identity = put_back(path, known.data, known.shape).identity
    return True
