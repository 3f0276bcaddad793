"""The sidecar: in step with the files, whole or made anew."""

from __future__ import annotations

import importlib.util
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from memory_shaper.errors import Busy
from memory_shaper.privacy.given import rules_of
from memory_shaper.recall.analyser import analyse
from memory_shaper.recall.database import SidecarError
from memory_shaper.recall.gathering import gather, settle_words
from memory_shaper.recall.search import search
from memory_shaper.recall.shelf import Text
from memory_shaper.recall.sidecar import Sidecar
from recall_tools import age, ask, names, sidecar_of, write

PACKAGE = Path(__file__).resolve().parents[2] / "plugin" / "memory-shaper"


def test_the_first_search_builds(tmp_path: Path) -> None:
    """Without a sidecar the first search makes it; deleted, it answers the same again."""
    with sidecar_of(tmp_path, deploy="release pipeline") as sidecar:
        assert ask(sidecar, "pipeline") == ["deploy.md"]
    sidecar.path.unlink()
    with sidecar_of(tmp_path) as sidecar:
        assert ask(sidecar, "pipeline") == ["deploy.md"]


def test_a_change_costs_one_file(tmp_path: Path) -> None:
    """Only what changed is read again, and a rebuild says what it did."""
    with sidecar_of(tmp_path, one="alpha", two="beta", three="gamma") as sidecar:
        sidecar.refresh()
        write(sidecar.memories, "two.md", "delta delta")
        report = sidecar.refresh()
        assert (report.changed, report.added, report.kept) == (["two.md"], [], 2)
        assert ask(sidecar, "delta") == ["two.md"]
        assert ask(sidecar, "beta") == []


def test_a_change_within_the_tick_of_the_clock_is_seen(tmp_path: Path) -> None:
    """A file of the same size and time of change is read again while it is young."""
    with sidecar_of(tmp_path) as sidecar:
        path = sidecar.memories / "a.md"
        path.write_text("alpha")
        stamp = path.stat().st_mtime_ns
        sidecar.refresh()
        path.write_text("omega")
        os.utime(path, ns=(stamp, stamp))
        assert ask(sidecar, "omega") == ["a.md"]


def test_nothing_to_do_touches_nothing(tmp_path: Path) -> None:
    """A refresh without a change writes no byte, and so does a search that finds nothing."""
    with sidecar_of(tmp_path, one="alpha") as sidecar:
        sidecar.refresh()
        before = sidecar.connection.total_changes
        assert sidecar.refresh().touched == 0
        assert ask(sidecar, "nowhere") == []
        assert sidecar.connection.total_changes == before


def test_a_deleted_file_is_gone_at_once(tmp_path: Path) -> None:
    """What is deleted is not found any more, the rest is."""
    with sidecar_of(tmp_path, one="alpha word", two="alpha") as sidecar:
        assert set(ask(sidecar, "alpha")) == {"one.md", "two.md"}
        (sidecar.memories / "one.md").unlink()
        assert ask(sidecar, "alpha") == ["two.md"]


def test_a_look_at_one_file_says_nothing_about_the_others(tmp_path: Path) -> None:
    """Building one file keeps the rest."""
    with sidecar_of(tmp_path, one="alpha", two="beta") as sidecar:
        sidecar.refresh()
        write(sidecar.memories, "one.md", "omega omega")
        report = sidecar.refresh(only=["one.md"])
        assert (report.changed, report.removed) == (["one.md"], [])
        assert names(search(sidecar, "beta", refresh=False)) == ["two.md"]


@pytest.mark.parametrize("damage", [b"", b"not a database at all" * 300, b"SQLite format 3\0" + b"\0" * 4000])
def test_a_damaged_file_is_built_again(tmp_path: Path, damage: bytes) -> None:
    """A file that is not whole is no error: it is made anew."""
    with sidecar_of(tmp_path, one="alpha") as sidecar:
        sidecar.refresh()
    sidecar.path.write_bytes(damage)
    with sidecar_of(tmp_path) as again:
        assert ask(again, "alpha") == ["one.md"]


def test_a_truncated_file_is_built_again_with_a_note(tmp_path: Path) -> None:
    """A file cut in the middle is noticed, whenever it is read."""
    with sidecar_of(tmp_path, **{f"n{i}": f"alpha word{i} " * 200 for i in range(40)}) as sidecar:
        sidecar.refresh()
    data = sidecar.path.read_bytes()
    sidecar.path.write_bytes(data[: len(data) // 2])
    with sidecar_of(tmp_path) as again:
        assert "n7.md" in ask(again, "word7")
        assert again.refresh().kept == 40


TABLES = ("file", "state", "gathered", "gathered_word", "likely_synonym", *(
    f"note_{part}" for part in ("text", "body", "post")
))  # fmt: skip


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("harm", ["DROP TABLE", "DELETE FROM"])
def test_a_table_that_is_gone_or_empty_is_built_again(tmp_path: Path, table: str, harm: str) -> None:
    """SQLite calls the file good, and still the answer is the one that a whole sidecar gives."""
    with sidecar_of(tmp_path, one="alpha of Ada Lovelace", two="beta") as sidecar:
        sidecar.refresh()
        gather(sidecar)
    with closing(sqlite3.connect(sidecar.path)) as database, database:
        database.execute(f"{harm} {table}")
    with sidecar_of(tmp_path) as sidecar:
        assert ask(sidecar, "alpha") == ["one.md"]
        assert gather(sidecar).left == 0


def test_a_table_that_goes_meanwhile_is_told_once(tmp_path: Path) -> None:
    """An open sidecar that loses a table says so where it is used, and is whole again at the next question."""
    with sidecar_of(tmp_path, one="alpha of Ada Lovelace") as sidecar:
        sidecar.refresh()
        gather(sidecar)
        with closing(sqlite3.connect(sidecar.path)) as database, database:
            database.execute("DROP TABLE gathered_word")
        with pytest.raises(SidecarError):
            settle_words(sidecar, ())
        assert ask(sidecar, "alpha") == ["one.md"]


def test_another_version_is_built_again(tmp_path: Path) -> None:
    """A sidecar of another schema is replaced with a note."""
    with sidecar_of(tmp_path, one="alpha") as sidecar:
        sidecar.refresh()
    with closing(sqlite3.connect(sidecar.path)) as database:
        database.execute("PRAGMA user_version = 99")
    with sidecar_of(tmp_path) as again:
        assert again.refresh().notes == ["the sidecar was of another version and is built again"]
        assert ask(again, "alpha") == ["one.md"]


def test_left_overs_of_a_build_are_swept(tmp_path: Path) -> None:
    """Half-written files beside the sidecar go."""
    left = tmp_path / "plugin-data" / "sidecar.db.tmp123"
    left.parent.mkdir()
    left.write_bytes(b"half")
    with sidecar_of(tmp_path):
        assert not left.exists()


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    """The sidecar holds what the notes hold, so nobody else may read it."""
    with sidecar_of(tmp_path, one="alpha") as sidecar:
        sidecar.refresh()
        assert sidecar.path.stat().st_mode & 0o077 == 0


def test_two_builders_do_not_meet(tmp_path: Path) -> None:
    """While one builds the other says so, and a search answers from what is there."""
    with sidecar_of(tmp_path, one="alpha") as first, sidecar_of(tmp_path) as second:
        first.refresh()
        write(first.memories, "two.md", "alpha")
        with first.writing(0):
            with pytest.raises(Busy):
                second.refresh(wait=0)
            answer = search(second, "alpha")
        assert names(answer) == ["one.md"]
        assert answer.stale == "another program is building the sidecar"


def test_two_processes_build_one_sidecar(tmp_path: Path) -> None:
    """Two processes that build at once leave a whole sidecar with every file in it."""
    for number in range(120):
        write(tmp_path / "memories", f"n{number}.md", f"word{number} common")
    code = (
        "import sys; from pathlib import Path; from memory_shaper.recall.sidecar import Sidecar\n"
        "home = Path(sys.argv[1])\n"
        "with Sidecar(home / 'plugin-data' / 'sidecar.db', home / 'memories') as sidecar: sidecar.refresh(wait=60)"
    )
    command = [sys.executable, "-c", code, str(tmp_path)]
    builders = [subprocess.Popen(command, env={"PYTHONPATH": str(PACKAGE)}) for _ in range(2)]
    assert [builder.wait() for builder in builders] == [0, 0]
    with sidecar_of(tmp_path) as sidecar:
        assert sidecar.refresh().kept == 120
        assert sidecar.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert ask(sidecar, "word77")[0] == "n77.md"


@pytest.mark.parametrize(
    "name",
    [
        *(
            ".deploy.md.swp",
            "deploy.md~",
            "4913",
            "#deploy.md#",
            "deploy.tmp",
            ".~lock.deploy.md#",
            ".deploy.md.icloud",
        ),
        *("deploy 2.md", "deploy (conflicted copy 2026-09-21).md", "deploy_conflict-20260921.md", "deploy.md.bak"),
        *("deploy.sync-conflict-20260921-101010-ABCDEFG.md", "MEMORY.md", "USER.md"),
    ],
)
def test_what_is_no_note_is_never_read(tmp_path: Path, name: str) -> None:
    """Droppings of editors, conflict copies, placeholders and the index are no notes."""
    with sidecar_of(tmp_path, deploy="alpha") as sidecar:
        write(sidecar.memories, name, "alpha alpha alpha")
        assert ask(sidecar, "alpha") == ["deploy.md"]


def test_an_empty_placeholder_is_named(tmp_path: Path) -> None:
    """A file of no bytes is reported, not indexed as empty."""
    with sidecar_of(tmp_path, one="alpha") as sidecar:
        write(sidecar.memories, "empty.md", "")
        assert [skipped.name for skipped in sidecar.refresh().skipped] == ["empty.md"]


def test_links_are_followed_inside_allowed_folders_only(tmp_path: Path) -> None:
    """A link out is listed with its reason, one that leads nowhere too, a loop ends, the rest works."""
    vault, allowed = tmp_path / "vault", tmp_path / "allowed"
    write(vault, "secret.md", "alpha")
    write(allowed, "shared.md", "alpha")
    with sidecar_of(tmp_path, one="alpha") as sidecar:
        (sidecar.memories / "vault").symlink_to(vault)
        (sidecar.memories / "shared").symlink_to(allowed)
        (sidecar.memories / "loop").symlink_to(sidecar.memories)
        (sidecar.memories / "b.md").symlink_to(sidecar.memories / "gone.md")
        (sidecar.memories / "same.md").symlink_to(sidecar.memories / "one.md")
        sidecar.roots = (allowed,)
        report = sidecar.refresh()
        assert {skipped.name for skipped in report.skipped} == {"vault", "loop", "b.md"}
        assert set(ask(sidecar, "alpha")) == {"one.md", "same.md", "shared/shared.md"}


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    """A file that cannot be read leaves the others searchable."""
    with sidecar_of(tmp_path, one="alpha") as sidecar:
        (sidecar.memories / "bad.md").write_bytes(b"alpha \xff\xfe")
        age(sidecar.memories / "bad.md")
        assert [(row.name, row.reason) for row in sidecar.refresh().skipped] == [("bad.md", "is not UTF-8")]
        assert ask(sidecar, "alpha") == ["one.md"]


def test_a_missing_folder_is_not_an_empty_one(tmp_path: Path) -> None:
    """Where the folder cannot be read nothing is forgotten, and the search says that it may be behind."""
    with sidecar_of(tmp_path, one="alpha") as sidecar:
        sidecar.refresh()
        sidecar.memories.rename(tmp_path / "away")
        answer = search(sidecar, "alpha")
        assert names(answer) == ["one.md"]
        assert "cannot be read" in answer.stale


def test_a_new_object_needs_no_rebuild(tmp_path: Path) -> None:
    """Opening again reads nothing that is known."""
    with sidecar_of(tmp_path, one="alpha") as sidecar:
        sidecar.refresh()
    with Sidecar(sidecar.path, sidecar.memories) as again:
        assert again.refresh().kept == 1


def test_a_file_deleted_in_use_is_made_again(tmp_path: Path) -> None:
    """Deleting the sidecar under a running process, its log left behind, loses nothing."""
    with sidecar_of(tmp_path, one="alpha") as sidecar:
        sidecar.refresh()
        sidecar.path.unlink()
        assert ask(sidecar, "alpha") == ["one.md"]
        assert sidecar.path.exists()


def test_what_is_never_kept_is_not_indexed(tmp_path: Path) -> None:
    """No byte of a secret or of excluded text is in the sidecar, and the rest of the note is found where it stands."""
    key = "ghp_FAKE0123456789abcdefghij0123456789"
    text = f"# Vault\n\nthe wombat key is {key}\nour secret plan is tulips\nand the quokka sleeps\n"
    rules = rules_of(["secret plan"], None, None)
    with sidecar_of(tmp_path, vault=text) as plain:
        plain.refresh()
        assert ask(plain, "tulips") == ["vault.md"] and not ask(plain, key)
    with Sidecar(plain.path, plain.memories, rules=rules) as ruled:
        assert "rules about what is kept have changed" in ruled.note
        ruled.refresh()
        assert ask(ruled, "quokka") == ["vault.md"] and not ask(ruled, "tulips")
        (hit,) = search(ruled, "quokka").hits
        assert "quokka sleeps" in hit.snippet
    data = b"".join(path.read_bytes() for path in plain.path.parent.glob("sidecar.db*")).lower()
    assert key.lower().encode() not in data and b"fake0123456789" not in data and b"tulip" not in data


def test_changed_step_by_step_it_is_the_one_built_at_once(tmp_path: Path) -> None:
    """After changes, removals and additions every answer is that of a sidecar built anew."""
    with sidecar_of(tmp_path, **{f"n{i}": f"alpha word{i} common line\n部署 beta{i % 3}" for i in range(9)}) as sidecar:
        sidecar.refresh()
        write(sidecar.memories, "n1.md", "alpha alpha delta 上海")
        write(sidecar.memories, "n8.md", "common beta2")
        (sidecar.memories / "n2.md").unlink()
        sidecar.refresh()
        write(sidecar.memories, "new.md", "delta word3 common")
        queries = ("alpha", "beta2 common", "delta word3", "部署", "上海 word1", "word2")
        before = [search(sidecar, query).hits for query in queries]
        sidecar.rebuild_file("")
        after = [search(sidecar, query).hits for query in queries]
        assert [[(hit.name, hit.score) for hit in hits] for hits in before] == [
            [(hit.name, hit.score) for hit in hits] for hits in after
        ]


def test_what_another_process_changes_is_seen(tmp_path: Path) -> None:
    """Texts that another connection changed, removed or added are found as they are now."""
    with sidecar_of(tmp_path, one="alpha", two="beta") as first, sidecar_of(tmp_path) as second:
        first.refresh()
        assert ask(second, "alpha") == ["one.md"]
        write(first.memories, "one.md", "gamma gamma")
        write(first.memories, "three.md", "alpha")
        (first.memories / "two.md").unlink()
        first.refresh()
        found = [names(search(second, word, refresh=False)) for word in ("alpha", "beta", "gamma")]
        assert found == [["three.md"], [], ["one.md"]]


def test_one_note_below_a_folder_can_be_refreshed_alone(tmp_path: Path) -> None:
    """A name with folders in it is found where it lies, and nothing else is read."""
    with sidecar_of(tmp_path, one="alpha") as sidecar:
        write(sidecar.memories, "projects/a/x.md", "alpha")
        write(sidecar.memories, "projects/b/y.md", "alpha")
        assert sidecar.refresh(only=["projects/a/x.md"]).added == ["projects/a/x.md"]


def test_a_change_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    """What was put before a change failed is not there, and the next refresh puts it."""
    with sidecar_of(tmp_path, one="alpha") as sidecar:
        with pytest.raises(OSError, match="full"), sidecar.writing(0):
            sidecar.notes.put(Text("x.md", "topic", None, [analyse("alpha")], [0]))
            raise OSError("the disk is full")
        assert ask(sidecar, "alpha") == ["one.md"]


@pytest.mark.skipif(importlib.util.find_spec("jieba") is None, reason="jieba is not installed")
def test_notes_cut_without_jieba_are_cut_anew_once_it_is_there(tmp_path: Path) -> None:
    """The next refresh after jieba was installed cuts Chinese notes again, once, and leaves the others."""
    with sidecar_of(tmp_path, one="部署在上海的服务器", two="alpha") as sidecar:
        sidecar.words.available = False
        sidecar.refresh()
        assert sidecar.refresh().touched == 0
        sidecar.words.available = None
        assert [sidecar.refresh().changed, sidecar.refresh().changed] == [["one.md"], []]
        sidecar.notes.load()
        assert sorted(card.extra > 0 for card in sidecar.notes.cards.values()) == [False, True]
