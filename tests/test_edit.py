"""Several files change together or not at all, whatever happens in between."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from memory_shaper import archive, edit, store
from memory_shaper.edit import Edit, NewText, Rename
from memory_shaper.errors import Busy, Missing
from memory_shaper.record import Event, EventKind, Record
from memory_shaper.settings import Home
from record_tools import output, start
from tools import ENTRIES, Place, make_place

JAVA = "java-performance.md"
PLACES = ("MEMORY.md", JAVA, f"archived memories/{JAVA}", "archived memories/archived-memories.md")
# Plays an edit in a child for each number n, and kills the child at the nth call that changes or opens a file.
KILLER = """
import itertools, os, shutil, signal, sys
from pathlib import Path
from memory_shaper import edit
from memory_shaper.settings import Home
sys.path.insert(0, sys.argv[2])
from test_edit import archive_java, restore_java

CHANGING = ("open", "link", "unlink", "replace", "rename", "mkdir", "fsync", "fchmod")
folder, action = Path(sys.argv[1]), {"archive": archive_java, "restore": restore_java}[sys.argv[3]]

def kill_at(number):
    calls = itertools.count(1)
    def patched(real):
        def call(*args, **named):
            if next(calls) == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*args, **named)
        return call
    for name in CHANGING:
        setattr(os, name, patched(getattr(os, name)))

for number in itertools.count(1):
    place = folder / str(number)
    shutil.copytree(folder / "template", place)
    child = os.fork()
    if not child:
        home = Home(place / ".hermes", "given")
        with edit.open_record(home) as record:
            kill_at(number)
            action(home, record)
        os._exit(0)
    if os.waitpid(child, 0)[1] == 0:
        print(number)
        break
"""


def event(kind: EventKind = EventKind.ARCHIVED) -> Event:
    return Event(kind, edit.now())


def archive_java(home: Home, record: Record) -> None:
    """Put one line and its file away."""
    shelf, index, shelved = edit.shelf(home)
    edit.carry_out(home, record, edit.edits_to_archive(home, archive.put_away(shelf, [JAVA]), index, shelved), event())


def restore_java(home: Home, record: Record) -> None:
    """Bring it back."""
    shelf, index, shelved = edit.shelf(home)
    plan = archive.bring_back(shelf, JAVA, 2200)
    edit.carry_out(home, record, edit.edits_to_archive(home, plan, index, shelved, back=True), event())


def state(home: Home) -> dict[str, bytes | None]:
    """The four files that archiving one line changes."""
    return {name: store.read_bytes(home.memories / name) for name in PLACES}


def run(home: Home, *edits: Edit) -> None:
    with edit.open_record(home) as record:
        edit.carry_out(home, record, edits, event())


def unfinished(home: Home) -> int:
    with edit.open_record(home) as record:
        return len(record.intents.unfinished())


def text(home: Place, name: str) -> str | None:
    data = store.read_bytes(home.memories / name)
    return None if data is None else data.decode()


def test_archive_and_restore(home: Place) -> None:
    """Archiving moves line and file, restoring brings both back, and the journal holds each text."""
    before = state(home.home)
    with edit.open_record(home.home) as record:
        archive_java(home.home, record)
        assert [None, before[JAVA]] == [state(home.home)[name] for name in PLACES[1:3]]
        assert ENTRIES[2] not in home.text()
        restore_java(home.home, record)
        assert [before[JAVA], None] == [state(home.home)[name] for name in PLACES[1:3]]
        noted = [record.texts.text(found.after) for found in record.journal.newest(9) if found.after]
    assert state(home.home)["MEMORY.md"] in noted and before[JAVA] in noted
    assert sorted(home.text().split("\n§\n")) == sorted(before["MEMORY.md"].decode().split("\n§\n"))


@pytest.mark.parametrize("action", ["archive", "restore"])
def test_killed_anywhere(tmp_path: Path, action: str) -> None:
    """Killed at any call that touches a file, the next run finishes the change or undoes it; never half of it."""
    template = make_place(tmp_path / "template").home
    with edit.open_record(template) as record:
        if action == "restore":
            archive_java(template, record)
    shutil.copytree(tmp_path / "template", tmp_path / "done")
    done = Home(tmp_path / "done" / ".hermes", "given")
    with edit.open_record(done) as record:
        (archive_java if action == "archive" else restore_java)(done, record)
    whole = (state(template), state(done))
    kills = int(output(start(KILLER, str(tmp_path), str(Path(__file__).parent), action)))
    assert kills > 10
    for number in range(1, kills):
        home = Home(tmp_path / str(number) / ".hermes", "given")
        with edit.open_record(home) as record:
            edit.repair(home, record)
            assert record.intents.unfinished() == []
            assert edit.repair(home, record) == 0
        assert state(home) in whole, number


def test_a_foreign_change_in_between_is_kept(home: Place) -> None:
    """What somebody wrote over a half-done change stays, and our half of it is undone."""
    before = state(home.home)
    with edit.open_record(home.home) as record:
        shelf, index, shelved = edit.shelf(home.home)
        edits = edit.edits_to_archive(home.home, archive.put_away(shelf, [JAVA]), index, shelved)
        record.intents.begin([edit._step(each) for each in edits], edit._contents(edits), event())
        edit._apply(home.home, edits[0])
        edit._apply(home.home, edits[1])
        home.home.index.write_text("theirs")
        assert edit.repair(home.home, record) == 1
    assert state(home.home) == before | {"MEMORY.md": b"theirs"}


@pytest.mark.parametrize("there", ["missing", "changed"])
def test_an_edit_that_fails_undoes_the_others(home: Place, there: str) -> None:
    """Where one file is not what was expected, the edits before it are undone and no intent is left."""
    edits = [
        NewText("a.md", None, b"new"),
        Rename("python-env.md", "elsewhere.md", store.read(home.memories / "python-env.md").data),
        NewText("new-topic.md", b"unexpected", b"x") if there == "changed" else Rename("none.md", "x.md", b""),
    ]
    before = sorted(os.listdir(home.memories))
    with pytest.raises((Busy, Missing)):
        run(home.home, *edits)
    assert (before, 0) == (sorted(os.listdir(home.memories)), unfinished(home.home))


def test_a_name_that_has_come_to_be_is_not_replaced(home: Place) -> None:
    """A move never replaces a file."""
    (home.memories / "taken.md").write_text("theirs")
    with pytest.raises(Busy, match="has appeared"):
        run(home.home, Rename(JAVA, "taken.md", store.read(home.memories / JAVA).data))
    assert ("theirs", f"# {JAVA}\n") == (text(home, "taken.md"), text(home, JAVA))


def test_removing_a_file(home: Place) -> None:
    """A file is removed only as long as it is what was read, and its text stays in the record."""
    content = store.read(home.memories / JAVA).data
    with pytest.raises(Busy):
        run(home.home, NewText(JAVA, b"other", None))
    run(home.home, NewText(JAVA, content, None))
    with edit.open_record(home.home) as record:
        assert (None, content) == (text(home, JAVA), record.texts.text(store.digest(content)))


def test_modes_and_links_survive(home: Place, tmp_path: Path) -> None:
    """A rewritten index keeps its mode and its link, the archive folder is never more open than the live one."""
    home.memories.chmod(0o750)
    real = tmp_path / "real.md"
    shutil.move(home.home.index, real)
    real.chmod(0o640)
    home.home.index.symlink_to(real)
    with edit.open_record(home.home) as record:
        archive_java(home.home, record)
    assert home.home.index.is_symlink()
    assert (real.stat().st_mode & 0o777, home.home.archive.stat().st_mode & 0o777) == (0o640, 0o750)


def test_a_linked_topic_moves_as_a_link(home: Place, tmp_path: Path) -> None:
    """A topic that is a link is archived as that link; the file it leads to stays where it is."""
    real = tmp_path / "vault.md"
    shutil.move(home.memories / JAVA, real)
    (home.memories / JAVA).symlink_to(real)
    with edit.open_record(home.home) as record:
        archive_java(home.home, record)
    assert (home.home.archive / JAVA).is_symlink() and real.exists()


def test_a_missing_folder_is_not_made(home: Place) -> None:
    """Without the memories folder there is no shelf, and nothing is made in its place."""
    shutil.rmtree(home.memories)
    with pytest.raises(Missing):
        edit.shelf(home.home)
    assert not home.memories.exists()


def test_nothing_to_do_is_no_event(home: Place) -> None:
    """A plan that changes nothing has no edits."""
    shelf, index, shelved = edit.shelf(home.home)
    assert (shelf.archive, shelved) == ("", None)
    assert edit.edits_to_archive(home.home, archive.Plan(shelf.index, ""), index, b"") == []
