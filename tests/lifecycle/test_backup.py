"""A backup holds the truth in one file, and brings back a memory that answers as it did."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import sqlite3
import stat
import tarfile
import zipfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cli_tools import CRITICAL, DEPLOY, HEADING, POSTGRES, Demo, demo
from memory_shaper.lifecycle import packing
from memory_shaper.recall.find import Ask, finder
from memory_shaper.record import EventKind
from memory_shaper.settings import Home, load
from recall_tools import age, write

QUESTIONS = (
    "vacuum", "otter", "release pipeline", "lion", "kiwi 3", "kiwi 9", "sub folder", "archived words", "fruit", "rules",
)  # fmt: skip
INDEX = "\n§\n".join([HEADING, CRITICAL, DEPLOY, POSTGRES, "heraldry,blazon,crest,shield,lion → rime.md"])


@pytest.fixture
def home(tmp_path: Path) -> Demo:
    """A home with topics, a sub-folder, an archived topic, feedback and settings."""
    made = demo(tmp_path, INDEX)
    config = "memory:\n  memory_char_limit: 5000\nplugins:\n  entries:\n    memory-shaper:\n      settings:\n"
    (made.path / "config.yaml").write_text(f"{config}        grace_days: 3\n        skip: 'a, b'\n", "utf-8")
    write(made.memories, "postgres.md", "vacuum runs on otter\n")
    for number in range(12):
        write(made.memories, f"kiwi{number}.md", f"kiwi {number} is a fruit of otter {number}\n")
    write(made.memories, "more/sub.md", "a note in a sub folder\n")
    write(made.memories, "README.md", "by hand\n")
    write(made.memories, "rime.md", "archived words of a lion\n")
    assert made.say("archive", "rime.md").code == 0
    assert made.say("feedback", "postgres.md", "useful").code == 0
    return made


def answers(home: Demo) -> list[object]:
    """The answers to ten questions, names and scores."""
    place = Home(home.path, "given")
    with finder(place) as notes:
        found = [notes.find(Ask(question), load(place, {}), datetime.now(UTC)) for question in QUESTIONS]
    return [[(one.hit.name, round(one.score, 2)) for one in answer.hits] for answer in found]


def saved(home: Demo, name: str = "b.tar.gz") -> Path:
    path = home.path.parent / name
    said = home.say("backup", str(path))
    assert said.code == 0, said.err
    return path


@pytest.mark.parametrize("name", ["b.tar.gz", "b.tgz", "b.zip"])
def test_a_restored_memory_answers_as_before(home: Demo, name: str, tmp_path: Path) -> None:
    """In a fresh home, from one file and without a sidecar: ten questions have the answers that they had."""
    before, path = answers(home), saved(home, name)
    fresh = Demo(tmp_path / "fresh")
    said = fresh.say("restore-backup", str(path), "--json")
    assert said.code == 0, said.err
    assert said.json["right"] == said.json["asked"] > 0
    assert fresh.files() == home.files()
    assert answers(fresh) == before
    assert {event.rule for event in fresh.events(EventKind.ARCHIVED)} == {"archive"}
    assert "grace_days: 3" in (fresh.path / "config.yaml").read_text("utf-8")
    assert fresh.say("verify").code == 0


def test_a_backup_is_private_and_overwrites_nothing(home: Demo) -> None:
    """Readable by its owner only; a second one of the same name is refused and leaves the first."""
    path = saved(home)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    before = path.read_bytes()
    assert home.say("backup", str(path)).code == 1
    assert path.read_bytes() == before
    assert [left.name for left in path.parent.iterdir() if left.name.startswith(".b")] == []


def test_a_backup_holds_no_derived_file(home: Demo) -> None:
    """Neither the sidecar nor a lock nor a write-ahead file is in it, and the record in it is whole."""
    home.say("search", "otter")
    files = packing.read(saved(home)).files
    assert not [name for name in files if "sidecar" in name or name.endswith((".lock", "-wal", "-shm"))]
    assert {"memories/more/sub.md", "memories/README.md", "memories/archived memories/rime.md"} <= files.keys()
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(files["record.db"].data)
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_backup_needs_a_known_ending(home: Demo) -> None:
    """Another ending is told with those that are known, and nothing is written."""
    said = home.say("backup", str(home.path.parent / "b.rar"))
    assert (said.code, ".tar.gz" in said.err) == (2, True)


def test_times_of_change_come_back(home: Demo, tmp_path: Path) -> None:
    """How old a topic is follows from its file's time, so that is restored too."""
    age(home.memories / "deploy.md", 40 * 86_400)
    fresh = Demo(tmp_path / "fresh")
    fresh.say("restore-backup", str(saved(home)))
    assert (fresh.memories / "deploy.md").stat().st_mtime_ns == (home.memories / "deploy.md").stat().st_mtime_ns


def test_a_memory_is_not_replaced_by_accident(home: Demo) -> None:
    """Where there is a memory a restore is refused with numbers, and a dry run changes nothing."""
    path = saved(home)
    write(home.memories, "postgres.md", "changed since\n")
    before = home.files()
    said = home.say("restore-backup", str(path))
    assert (said.code, "1 of its files" in said.err, home.files()) == (1, True, before)
    said = home.say("restore-backup", str(path), "--dry-run", "--json")
    assert (said.json["changed"], home.files()) == (1, before)


def test_what_was_there_can_be_brought_back(home: Demo) -> None:
    """A forced restore makes the folder what it was, keeps the old record, and one undo takes all of it back."""
    path, at_first = saved(home), home.files()
    write(home.memories, "postgres.md", "changed since\n")
    write(home.memories, "new.md", "made since\n")
    (home.memories / "deploy.md").unlink()
    before = home.files()
    said = home.say("restore-backup", str(path), "--force", "--json")
    assert (said.code, home.files()) == (0, at_first)
    assert (home.path / "plugin-data" / "memory-shaper" / str(said.json["old_record"])).is_file()
    assert home.say("undo", str(said.json["events"][0])).code == 0
    assert home.files() == before


def test_restoring_twice_changes_nothing_more(home: Demo) -> None:
    """The same backup again has no file to change."""
    path = saved(home)
    assert home.say("restore-backup", str(path), "--force").code == 0
    assert home.say("restore-backup", str(path), "--force", "--json").json["events"] == []


def test_all_three_count_the_same_files(home: Demo) -> None:
    """The files of the memories folder: in the backup, in the dry run, in the restore, and how many differed."""
    path = home.path.parent / "b.zip"
    number = home.say("backup", str(path), "--json").json["files"]
    write(home.memories, "postgres.md", "changed since\n")
    dry, real = home.say("restore-backup", str(path), "--dry-run"), home.say("restore-backup", str(path), "--force")
    again = home.say("restore-backup", str(path), "--force")
    for said, differing in ((dry, "1 file"), (real, "1 file"), (again, "no file")):
        assert f"{number} files and the record of " in said.err
        assert f"; {differing} differed from the backup" in said.err


def test_settings_that_differ_are_told_and_left(home: Demo) -> None:
    """A config.yaml that is there is not touched; what was otherwise is named."""
    path = saved(home)
    (home.path / "config.yaml").write_text("memory:\n  memory_char_limit: 4000\n", "utf-8")
    notes = home.say("restore-backup", str(path), "--force", "--json").json["notes"]
    assert [note.split(" ")[0:3] for note in notes] == [
        ["the", "setting", "grace_days"], ["the", "setting", "skip"], ["memory_char_limit", "is", "4,000"],
    ]  # fmt: skip
    assert "5000" not in (home.path / "config.yaml").read_text("utf-8")


def tarred(path: Path, *members: tarfile.TarInfo) -> Path:
    with tarfile.open(path, "w:gz") as packed:
        for member in members:
            packed.addfile(member, io.BytesIO(b"x" * member.size))
    return path


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    row = tarfile.TarInfo(name)
    row.type, row.linkname, row.size = kind, link, 1 if kind == tarfile.REGTYPE else 0
    return row


@pytest.mark.parametrize(
    "row",
    [
        member("../evil.md"), member("memories/../../evil.md"), member("/etc/evil.md"), member("memories/a\\b.md"),
        member("C:/evil.md"), member("memories/.hidden.md"), member("elsewhere/a.md"), member("data/a/b.txt"),
        member("memories//a.md"), member("memories/a\nb.md"), member("memories/a.md", tarfile.SYMTYPE, "/etc/passwd"),
        member("memories/a.md", tarfile.LNKTYPE, "memories/b.md"), member("memories/pipe.md", tarfile.FIFOTYPE),
        member("memories", tarfile.DIRTYPE), member("data/custom.py"), member("data/sidecar.db"),
        member("data/installed.json"), member("data/recall.lock"),
    ],
    ids=lambda row: f"{row.name!r}-{row.type!r}",
)  # fmt: skip
def test_a_member_that_leads_elsewhere_is_refused(tmp_path: Path, row: tarfile.TarInfo) -> None:
    """Links, devices, folders, names that lead out of the home and code stop all before anything is written."""
    fresh = Demo(tmp_path / "fresh")
    said = fresh.say("restore-backup", str(tarred(tmp_path / "bad.tar.gz", member("manifest.json"), row)))
    assert (said.code, fresh.path.exists()) == (1, False)
    assert "nothing was restored" in said.err


def test_two_members_of_one_name_are_refused(tmp_path: Path) -> None:
    """Of names that differ in case only, one would be written over the other on some system."""
    path = tarred(tmp_path / "bad.tgz", member("memories/a.md"), member("memories/A.md"))
    assert "two members" in Demo(tmp_path / "fresh").say("restore-backup", str(path)).err


def test_a_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    """A zip says of a member by its mode that it is a link."""
    row = zipfile.ZipInfo("memories/a.md")
    row.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "bad.zip", "w") as packed:
        packed.writestr(row, "/etc/passwd")
    assert Demo(tmp_path / "fresh").say("restore-backup", str(tmp_path / "bad.zip")).code == 1


def repacked(path: Path, change: dict[str, bytes | None]) -> Path:
    """The zip at the path with other contents of some members; None takes one out."""
    with zipfile.ZipFile(path) as packed:
        files = {row.filename: packed.read(row) for row in packed.infolist()}
    other = path.with_name("other.zip")
    with zipfile.ZipFile(other, "w") as packed:
        for name, data in (files | change).items():
            if data is not None:
                packed.writestr(name, data)
    return other


@pytest.mark.parametrize(
    "change",
    [
        {"memories/deploy.md": b"other"}, {"memories/deploy.md": None}, {"memories/added.md": b"x"},
        {"manifest.json": b"[]"}, {"manifest.json": b"{"}, {"manifest.json": None},
        {"manifest.json": json.dumps({"format": 99}).encode()},
    ],
    ids=str,
)  # fmt: skip
def test_a_changed_backup_is_unreadable(home: Demo, change: dict[str, bytes | None], tmp_path: Path) -> None:
    """A file that is changed, missing or added, and a manifest that makes no sense, stop the restore."""
    fresh = Demo(tmp_path / "fresh")
    said = fresh.say("restore-backup", str(repacked(saved(home, "b.zip"), change)))
    assert (said.code, fresh.path.exists()) == (2, False)


def forged(path: Path, files: dict[str, bytes], times: dict[str, int] | None = None) -> Path:
    """The zip at the path with some members put in, and a manifest that names them just so."""
    with zipfile.ZipFile(path) as packed:
        manifest = json.loads(packed.read("manifest.json"))
    for name, data in files.items():
        manifest["files"][name] = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data), "mtime": 0}
    for name, mtime in (times or {}).items():
        manifest["files"][name]["mtime"] = mtime
    return repacked(path, {**files, "manifest.json": json.dumps(manifest).encode()})


@pytest.mark.parametrize(
    ("files", "times", "code"),
    [
        ({"record.db": b"junk" * 1000}, {}, 2), ({"record.db": b""}, {}, 2),
        ({"memories/deploy.md/x.md": b"x"}, {}, 1), ({"memories/MORE": b"x"}, {}, 1),
        ({}, {"memories/deploy.md": 10**30}, 2), ({}, {"memories/deploy.md": -(2**70)}, 2),
    ],
    ids=str,
)  # fmt: skip
def test_a_backup_that_cannot_be_brought_back_changes_nothing(
    home: Demo, files: dict[str, bytes], times: dict[str, int], code: int
) -> None:
    """A junk record, names that cannot stand beside each other and impossible times stop all before the first change."""
    path = forged(saved(home, "b.zip"), files, times)
    write(home.memories, "postgres.md", "changed since\n")
    before, events = home.files(), home.events()
    said = home.say("restore-backup", str(path), "--force")
    assert (said.code, home.files(), home.events()) == (code, before, events)
    assert not list((home.path / "plugin-data" / "memory-shaper").glob("record-*.db"))


@pytest.mark.parametrize("into", ["file", "folder"])
def test_a_file_in_place_of_a_folder_is_refused(home: Demo, into: str) -> None:
    """Where a file of the home is a folder of the backup, or the other way round, the restore is refused, dry or not."""
    path = saved(home)
    if into == "file":
        shutil.rmtree(home.memories / "more")
        write(home.memories, "more", "a file\n")
    else:
        (home.memories / "postgres.md").unlink()
        write(home.memories, "postgres.md/sub.md", "in a folder\n")
    before, events = home.files(), home.events()
    for more in ((), ("--dry-run",)):
        said = home.say("restore-backup", str(path), "--force", *more)
        assert (said.code, "move it away first" in said.err) == (1, True)
    assert (home.files(), home.events()) == (before, events)


@pytest.mark.parametrize("data", [b"", b"no archive", b"\x1f\x8b" + b"\0" * 40, b"PK\x03\x04" + b"\0" * 40])
def test_what_is_no_backup_is_unreadable(tmp_path: Path, data: bytes) -> None:
    """Any other file is told from a backup, without a traceback."""
    (tmp_path / "b.tar.gz").write_bytes(data)
    said = Demo(tmp_path / "fresh").say("restore-backup", str(tmp_path / "b.tar.gz"))
    assert (said.code, "no whole backup" in said.err) == (2, True)
    assert Demo(tmp_path / "fresh").say("restore-backup", str(tmp_path / "missing.zip")).code == 2


def test_a_backup_of_a_home_without_record(tmp_path: Path) -> None:
    """A memory that has no record yet is backed up and comes back all the same."""
    made = demo(tmp_path, INDEX)
    path, fresh = saved(made), Demo(tmp_path / "fresh")
    assert fresh.say("restore-backup", str(path)).code == 0
    assert fresh.files() == made.files()


def test_optimize_changes_no_answer(home: Demo) -> None:
    """The sidecar is packed and the record is pruned; the answers, the files and the last change stay."""
    for number in range(300):
        write(home.memories, f"gone{number}.md", f"kiwi kiwi otter {number} " * 30)
    home.say("index")
    for number in range(300):
        os.unlink(home.memories / f"gone{number}.md")
    home.say("index")
    before, files = answers(home), home.files()
    said = home.say("optimize", "--json")
    assert (said.code, said.json["sidecar_freed"] > 0) == (0, True)
    assert (answers(home), home.files()) == (before, files)
    assert home.say("undo").code == 0


def test_the_rules_about_what_is_kept_come_back(tmp_path: Path) -> None:
    """A restored home keeps out what the backed up one kept out, with and without a library for YAML."""
    home = demo(tmp_path)
    rules = """plugins:
  entries:
    memory-shaper:
      settings:
        exclude: ["私人", '(?i)secret\\s"plan"']
        redact: {'\\bINT-\\d+': "[ticket: x]"}
"""
    (home.path / "config.yaml").write_text(rules, encoding="utf-8")
    assert home.say("backup", str(tmp_path / "b.zip")).code == 0
    again = Demo(tmp_path / "again")
    again.memories.mkdir(parents=True)
    assert again.say("restore-backup", str(tmp_path / "b.zip")).code == 0
    old, new = (load(Home(one.path, "given"), {}).rules for one in (home, again))
    assert old == new and len(new.exclude) == 2 and new.redact[0][1] == "[ticket: x]"
    assert "are others here" not in home.say("restore-backup", str(tmp_path / "b.zip"), "--force").err
