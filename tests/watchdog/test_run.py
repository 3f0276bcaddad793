"""Whole runs in real homes: what a day's work leaves on the disk and in the record."""

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest
from homes import HEADING, NOW, House, ago, index, line, many, tree
from memory_shaper import edit, rules, store
from memory_shaper.errors import Busy, Missing, Unreadable
from memory_shaper.model import Severity
from memory_shaper.record import EventKind
from memory_shaper.store import list_folder
from memory_shaper.watchdog.run import rehearse, run

HOSTS_OWN = ("state.db-shm", "state.db-wal")
NOT_FILES = ("record.db", "record.db-wal", "record.db-shm", "MEMORY.md.lock", *HOSTS_OWN)


def events(house, kind=None):
    with edit.open_record(house.home) as record:
        return record.journal.newest(100, kind=kind)


def errors(text, folder):
    found = rules.check(rules.Scope(text, list_folder(folder), None))
    return [finding.rule for finding in found if finding.severity is Severity.ERROR]


def rows(house):
    with closing(sqlite3.connect(house.home.data / "record.db")) as database:
        return [row for row in database.iterdump() if "watchdog.ran" not in row]


def test_run__archives_the_coldest(tmp_path):
    """The lines and files that nobody reads go to the archive, which holds them byte for byte and verifies clean."""
    house = House(tmp_path, *many(20))
    house.read("topic19.md", 20, 3)
    before = tree(house.memories)
    outcome = house.run()
    assert house.targets == ["topic19.md", *(f"topic{number}.md" for number in range(13))]
    assert house.archived == [f"topic{number}.md" for number in range(13, 19)]
    for name in house.archived:
        assert (house.home.archive / name).read_bytes() == before[name]
    assert errors(house.index, house.memories) == errors(house.archive_index, house.home.archive) == []
    assert len(outcome.plans[-1].archived) == 6


def test_run__each_move_is_journaled(tmp_path):
    """Ten topics, four of them archived: ten before and after, and the journal names each move."""
    house = House(tmp_path, *many(10))
    house.config("memory:\n  memory_char_limit: 900\n")
    house.run()
    assert len(house.targets) + len(house.archived) == 10
    moved = {event.file for event in events(house, EventKind.ARCHIVED)}
    assert moved >= {*house.archived, *(f"archived memories/{name}" for name in house.archived), "MEMORY.md"}


def test_run__twice_changes_no_byte(tmp_path):
    """A second run changes no file and nothing in the record but the stamp of the last run."""
    house = House(tmp_path, *many(22))
    house.read("topic7.md", 3)
    house.run()
    before, record = tree(house.home.path, *NOT_FILES), rows(house)
    stat = {path: path.stat().st_mtime_ns for path in house.memories.rglob("*.md")}
    assert not house.run(days=1).plans[0].changes
    assert (tree(house.home.path, *NOT_FILES), rows(house)) == (before, record)
    assert {path: path.stat().st_mtime_ns for path in house.memories.rglob("*.md")} == stat


def test_run__a_week_without_news_is_still(tmp_path):
    """Nine runs on nine days without a new session change the index once."""
    house = House(tmp_path, *many(10))
    house.read("topic7.md", 3)
    house.read("topic8.md", 30)
    seen = {house.run(days=day) and house.index for day in range(9)}
    assert len(seen) == 1


def test_rehearse__is_what_run_does(tmp_path):
    """The dry run changes no byte, and its plans are those that the run carries out."""
    house = House(tmp_path, *many(60))
    house.config("memory:\n  memory_char_limit: 1500\n")
    house.read("topic7.md", 3)
    before = tree(house.home.path, *HOSTS_OWN)
    planned = rehearse(house.home, house.settings, lambda: NOW)
    assert tree(house.home.path, *HOSTS_OWN) == before
    done = house.run()
    assert [made.archived for made in planned.plans] == [made.archived for made in done.plans]
    assert (planned.plans[-1].index, planned.plans[-1].archive) == (house.index, house.archive_index)


def test_rehearse__after_a_run_changes_no_byte(tmp_path):
    """A dry run on a record that exists leaves it as it was."""
    house = House(tmp_path, *many(22))
    house.run()
    before = tree(house.home.path, *HOSTS_OWN)
    assert not rehearse(house.home, house.settings, lambda: NOW).plans[0].changes
    assert tree(house.home.path, *HOSTS_OWN) == before


def test_young_tally__nothing_goes(tmp_path):
    """A full memory on a fresh machine keeps all its lines, and says once a week why."""
    house = House(tmp_path, *many(30), span=2)
    told = [house.run(days=day).weekly for day in range(9)]
    assert (len(house.targets), house.archived) == (30, [])
    assert told == [True, *[False] * 6, True, False]


def test_no_sessions__nothing_goes(tmp_path):
    """Without a state.db nothing is archived."""
    house = House(tmp_path, *many(30))
    house.state.path.unlink()
    assert (house.run().plans[0].held != "", house.archived) == (True, [])


def test_state_db_that_vanished__nothing_goes(tmp_path):
    """A state.db that was there and is gone is no reason to take everything for unread."""
    house = House(tmp_path, *many(10))
    house.run()
    for path in house.home.path.glob("state.db*"):
        path.unlink()
    house.write("MEMORY.md", index(*many(30)))
    for number in range(10, 30):
        house.topic(f"topic{number}.md")
    assert (house.run(days=1).plans[0].held, house.archived) == ("there is no state.db yet", [])


@pytest.mark.parametrize("data", [b"no database at all" * 100, b""])
def test_unreadable_state_db__stops_all(tmp_path, data):
    """A state.db that cannot be read is an error, and nothing changes."""
    house = House(tmp_path, *many(30))
    house.state.path.write_bytes(data)
    before = tree(house.memories)
    with pytest.raises(Unreadable, match="nothing was changed"):
        house.run()
    assert tree(house.memories) == before


def test_locked_state_db__is_busy(tmp_path):
    """A state.db that is locked is left for the next run."""
    house = House(tmp_path, *many(30))
    for path in tmp_path.glob("state.db*"):
        path.unlink()
    type(house.state)(tmp_path, "delete")
    with closing(sqlite3.connect(tmp_path / "state.db", isolation_level=None)) as database:
        database.execute("BEGIN EXCLUSIVE")
        with pytest.raises(Busy):
            house.run()


@pytest.mark.parametrize(
    ("name", "data"), [("MEMORY.md", b"# a\n\xff"), ("archived memories/archived-memories.md", b"\xff")]
)
def test_not_utf8__stops_all(tmp_path, name, data):
    """An index or archive index that is not UTF-8 is named with its line, and nothing changes."""
    house = House(tmp_path, *many(30))
    house.write(name, "")
    (house.memories / name).write_bytes(data)
    before = tree(house.memories)
    with pytest.raises(Unreadable, match=r"md:\d+: byte \d+ is not UTF-8"):
        house.run()
    assert tree(house.memories) == before


def test_missing_folder__of_a_known_home(tmp_path):
    """A memories folder that is gone, as when a disk is not mounted, is an alarm, and nothing is made."""
    house = House(tmp_path, *many(3))
    house.run()
    shutil.rmtree(house.memories)
    with pytest.raises(Missing, match="knows 3 topics"):
        house.run()
    assert not house.memories.exists()


def test_missing_folder__of_a_fresh_home(tmp_path):
    """A home without a memories folder is left as it is."""
    house = House(tmp_path)
    shutil.rmtree(house.memories)
    assert (house.run(), house.home.data.exists()) == (None, False)


def test_missing_index__stays_away(tmp_path):
    """An index that the user has removed is not made again."""
    house = House(tmp_path, *many(3))
    house.run()
    house.home.index.unlink()
    assert house.run(days=1).faults == (("MEMORY.md", "vanished"),)
    assert house.run(days=2).faults == ()
    assert not house.home.index.exists()


def test_folder_named_like_a_topic__stays(tmp_path):
    """A folder whose name ends in .md is no topic file."""
    house = House(tmp_path, line("d", 150))
    (house.memories / "d.md").unlink()
    (house.memories / "d.md").mkdir()
    house.config("memory:\n  memory_char_limit: 500\n")
    assert house.run().plans[0].ranked[0].stays == "its file is missing"
    assert (house.memories / "d.md").is_dir()


@pytest.mark.parametrize("target", ["USER.md", "MEMORY.md"])
def test_line_that_names_a_system_file(tmp_path, target):
    """Neither USER.md nor the index itself ever goes to the archive."""
    house = House(tmp_path, line("a", 100).replace("a.md", target), *many(20))
    if target == "USER.md":
        house.topic(target)
    house.run()
    assert (house.memories / target).is_file()
    assert target not in house.archived


def test_name_clash__both_are_kept(tmp_path):
    """A second file of a name gets its own name in the archive, and its line names it."""
    house = House(tmp_path, *many(20))
    house.write("archived memories/topic19.md", "the older one")
    house.write("archived memories/archived-memories.md", index(line("older").replace("older.md", "topic19.md")))
    house.run()
    assert "topic19-2.md" in house.archived
    assert (house.home.archive / "topic19.md").read_text() == "the older one"
    assert (house.home.archive / "topic19-2.md").read_text() == "# topic19.md\nbody of topic19.md\n"
    assert errors(house.archive_index, house.home.archive) == []


def test_archive_index__users_text_stays(tmp_path):
    """What a user wrote into the archive index is there word for word afterwards."""
    house = House(tmp_path, *many(20))
    text = "# my archive\n\nnotes of mine, kept\n§\n" + line("old") + "\n"
    house.write("archived memories/archived-memories.md", text)
    house.write("archived memories/old.md", "old")
    house.run()
    assert house.archive_index.startswith("# my archive\n\nnotes of mine, kept\n§\n" + line("old"))


def test_restored_by_hand__line_is_kept(tmp_path):
    """A file that was moved back without its line keeps its line in the archive."""
    house = House(tmp_path, *many(20))
    house.run()
    name = house.archived[0]
    (house.home.archive / name).rename(house.memories / name)
    house.run(days=1)
    assert (name in house.archived, (house.memories / name).is_file()) == (True, True)


def test_front_matter__archived_byte_for_byte(tmp_path):
    """A topic's front matter is neither read nor added to."""
    text = "---\ntags: [a]\n---\nbody\r\nwith CRLF\n"
    house = House(tmp_path, *many(20))
    house.topic("topic19.md", text)
    house.run()
    assert (house.home.archive / "topic19.md").read_bytes() == text.encode()


def test_crlf_and_mode__are_kept(tmp_path):
    """Line ends and mode of the index stay what they were; the archive is never more open than the folder."""
    house = House(tmp_path, *many(20), text=index(*many(20)).replace("\n", "\r\n"))
    house.memories.chmod(0o750)
    house.home.index.chmod(0o640)
    house.run()
    data = house.home.index.read_bytes()
    assert (data.count(b"\n"), house.archived != []) == (data.count(b"\r\n"), True)
    assert house.home.index.stat().st_mode & 0o777 == 0o640
    assert house.home.archive.stat().st_mode & 0o777 == 0o750
    assert house.home.archive_index.stat().st_mode & 0o777 == 0o600


def test_linked_index__link_stays(tmp_path):
    """A link in place of the index is followed and kept."""
    house = House(tmp_path / "home", *many(20))
    real = tmp_path / "dotfiles" / "memory.md"
    real.parent.mkdir()
    house.home.index.rename(real)
    house.home.index.symlink_to(real)
    house.run()
    assert (house.home.index.is_symlink(), len(house.targets)) == (True, 14)
    assert real.read_text() == house.index


def test_links__are_never_moved(tmp_path):
    """Links to a file, to nothing, in a loop and out of the home stay, and the rest works."""
    house = House(tmp_path / "home", *many(20))
    outside = tmp_path / "outside.md"
    outside.write_text("far away")
    for name, goal in {
        "topic19": outside,
        "topic18": "gone.md",
        "topic17": "topic17.md",
        "topic16": "topic0.md",
    }.items():
        (house.memories / f"{name}.md").unlink()
        (house.memories / f"{name}.md").symlink_to(goal)
    (house.memories / "obsidian").symlink_to(tmp_path)
    outcome = house.run()
    assert {f"topic{number}.md" for number in range(16, 20)} <= set(house.targets)
    assert (len(house.targets), outside.read_text()) == (14, "far away")
    assert {judged.stays for judged in outcome.plans[0].ranked} == {"", "it is a link"}


def test_not_downloaded__stays(tmp_path):
    """A topic of which only a placeholder is here is not taken for missing, and stays."""
    house = House(tmp_path, *many(20))
    (house.memories / "topic19.md").rename(house.memories / ".topic19.md.icloud")
    outcome = house.run()
    stays = {judged.entry.target: judged.stays for judged in outcome.plans[0].ranked}
    assert (stays["topic19.md"], "topic19.md" in house.targets) == ("it is not downloaded", True)


COPIES = [
    "MEMORY.sync-conflict-20260921-101010-ABCDEFG.md", "topic1 (conflicted copy 2026-09-21).md",
    "topic1_conflict-20260921.md", "topic1 2.md", "MEMORY (Bob's conflicted copy).md",
]  # fmt: skip
DROPPINGS = [".topic1.md.swp", "topic1.md~", "4913", "#topic1.md#", "topic1.tmp", ".~lock.topic1.md#"]


@pytest.mark.parametrize("name", [*COPIES, *DROPPINGS])
def test_copies_and_droppings__no_topics(tmp_path, name):
    """Conflict copies and temporary files of editors are neither archived nor known as topics."""
    house = House(tmp_path, *many(20))
    house.topic(name)
    house.run()
    assert (house.memories / name).is_file()
    with edit.open_record(house.home) as record:
        assert name not in {topic.name for topic in record.uses.topics()}


def test_rename__history_carries_over(tmp_path):
    """A topic that was renamed keeps its uses and its age: no new grace window, no orphan."""
    house = House(tmp_path, line("postgres"), line("other"))
    house.read("postgres.md", 30, 4)
    house.run()
    (house.memories / "postgres.md").rename(house.memories / "pg.md")
    house.write("MEMORY.md", house.index.replace("postgres.md", "pg.md"))
    os.utime(house.home.index, (ago(0.5).timestamp(),) * 2)
    house.run(days=1)
    with edit.open_record(house.home) as record:
        known = {topic.name: topic for topic in record.uses.topics()}
    assert (known.keys(), known["pg.md"].count) == ({"pg.md", "other.md"}, 4)


def test_fresh_clone__does_not_protect(tmp_path):
    """New file times, as after a clone or a sync, do not make known topics young."""
    house = House(tmp_path, *many(10))
    house.run()
    for path in house.memories.glob("topic*.md"):
        os.utime(path, (ago(-20).timestamp(),) * 2)
    house.config("memory:\n  memory_char_limit: 900\n")
    house.state.add("user", "bye", at=ago(-20).timestamp())
    house.run(days=20)
    assert house.archived != []


def test_fresh_record__does_not_doom(tmp_path):
    """A lost record makes old files neither young nor forgotten: their times and first uses speak for them."""
    house = House(tmp_path, *many(20))
    house.read("topic19.md", 40)
    house.topic("topic19.md", days=1)
    outcome = house.run()
    judged = {one.entry.target: one for one in outcome.plans[0].ranked}
    assert judged["topic19.md"].topic.first_seen <= ago(39)


def test_database_made_anew__counts_go_on(tmp_path):
    """A state.db that begins anew, with ids from 1, is read from its beginning, and nothing counts twice."""
    house = House(tmp_path, *many(3))
    house.read("topic1.md", 30)
    house.run()
    for path in house.home.path.glob("state.db*"):
        path.unlink()
    house.state = type(house.state)(house.home.path)
    house.read("topic1.md", 2)
    for _ in range(2):
        house.run()
    with edit.open_record(house.home) as record:
        assert {topic.name: topic.count for topic in record.uses.topics()}["topic1.md"] == 2


@pytest.mark.parametrize("name", ["x.md", "部署.md", "café.md"])
def test_any_name__is_counted(tmp_path, name):
    """One letter and letters of any script: a topic that is read is never taken for unread."""
    house = House(tmp_path, line("a").replace("a.md", name), *many(20))
    house.topic(name)
    house.read(name, 20)
    house.run()
    assert house.targets[0] == name


def test_pins_only__one_message_a_week(tmp_path):
    """An index full of pins stays as it is, with one message a week and no alarm."""
    house = House(tmp_path, *(line(f"pin{number}", 14, "!") for number in range(24)))
    before = house.index
    told = [house.run(days=day).weekly for day in (0, 1, 6, 7, 8)]
    assert (told, house.index) == ([True, False, False, True, False], before)


def test_bad_config__nothing_goes(tmp_path):
    """A config that cannot be read stops the run before it reads anything else."""
    house = House(tmp_path, *many(30))
    house.config("memory:\n memory_char_limit: 8000\n  x: 1\n")
    with pytest.raises(Unreadable, match="refusing to change anything"):
        house.run()
    assert not house.home.data.exists()


def test_cap__is_the_configs(tmp_path):
    """The cap is the host's, from its config; a commented one does not count."""
    house = House(tmp_path, *many(30))
    house.config("# memory_char_limit: 100\nmemory:\n  memory_char_limit: 8000\n")
    assert (house.run().plans[0].changes, len(house.targets)) == (False, 30)


def test_lock_is_held__busy(tmp_path):
    """While somebody else holds the index's lock nothing is changed."""
    house = House(tmp_path, *many(22))
    before = tree(house.memories)
    with store.locked(house.home.index), pytest.raises(Busy):
        house.run()
    assert tree(house.memories, "MEMORY.md.lock") == before


def test_line_added_meanwhile__is_kept(tmp_path):
    """A line that another writer adds between plan and lock is planned anew, and nothing is lost."""
    house = House(tmp_path, *many(20))
    added = line("late")
    house.topic("late.md", days=1)
    ticks = []

    def clock():
        ticks.append(1)
        if len(ticks) == 4:  # the clock is asked right before the plan is made
            house.write("MEMORY.md", index(*many(20), added))
        return NOW

    run(house.home, house.settings, clock)
    assert "late.md" in house.targets
    assert sorted([*house.targets, *house.archived]) == sorted(["late.md", *(f"topic{n}.md" for n in range(20))])


def test_changed_from_outside__is_journaled(tmp_path):
    """A valid change by an editor is accepted into the journal; a lost line is reported, and not put back."""
    house = House(tmp_path, *many(3))
    house.run()
    house.write("MEMORY.md", index(*many(3)[1:]))
    os.utime(house.home.index, (ago(1).timestamp(),) * 2)
    assert house.run(days=1).faults == (("MEMORY.md", "entries-lost: 1"),)
    assert (house.run(days=2).faults, len(house.targets)) == ((), 2)
    assert [event.rule for event in events(house, EventKind.DAMAGED)] == ["entries-lost: 1"]


def test_fresh_damage__is_left_to_the_guard(tmp_path):
    """Damage of this very moment is not taken for the user's will: the guard may be about to put it back."""
    house = House(tmp_path, *many(3))
    house.run()
    house.write("MEMORY.md", HEADING)
    os.utime(house.home.index, (NOW.timestamp() - 1,) * 2)
    with pytest.raises(Busy, match="guard"):
        house.run()


def test_case_twins__neither_goes(tmp_path):
    """Of two files that differ in case only neither is archived."""
    house = House(tmp_path, *many(20), line("deploy").replace("deploy.md", "Deploy.md"))
    house.topic("deploy.md")
    house.run()
    assert {path.name for path in house.memories.glob("*eploy.md")} == {"deploy.md", "Deploy.md"}


def test_times__are_utc(tmp_path, monkeypatch):
    """A use at 02:00 UTC is recorded as that, wherever the machine is."""
    monkeypatch.setenv("TZ", "America/Los_Angeles")
    house = House(tmp_path, *many(2))
    house.read("topic1.md", (NOW - NOW.replace(hour=2)) / timedelta(days=1))
    house.run()
    with edit.open_record(house.home) as record:
        used = {topic.name: topic.last_used for topic in record.uses.topics()}["topic1.md"]
    assert used.isoformat() == "2026-11-30T02:00:00+00:00"
