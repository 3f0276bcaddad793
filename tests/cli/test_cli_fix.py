"""`fix`: what it writes, what it keeps, and when it refuses."""

from __future__ import annotations

from pathlib import Path

from cli_tools import DEPLOY, HEADING, INDEX, POSTGRES, RIME, Demo, demo
from memory_shaper import edit, store
from memory_shaper.cli import VERBS
from memory_shaper.record import EventKind

LOOSE = f"{HEADING}\n{DEPLOY.replace(' → ', ' -> ')}\n{RIME.replace(',', '，')}\nprose stays\n"
FIXED = f"{HEADING}\n§\n{DEPLOY}\n§\n{RIME}\n§\nprose stays\n"


def test_it_repairs_shows_and_keeps_the_old_text(tmp_path: Path) -> None:
    """The diff is shown, the file is right, and the old text is in the journal."""
    home = demo(tmp_path, LOOSE)
    said = home.say("fix")
    assert (said.code, home.text()) == (0, FIXED)
    assert f"+{RIME}" in said.out
    event = home.events(EventKind.CHANGED)[0]
    with home.record() as record:
        assert (event.rule, record.texts.text(event.before)) == ("fix", LOOSE.encode())


def test_a_second_run_writes_nothing(tmp_path: Path) -> None:
    """Nothing to do is said, and neither file nor journal is touched."""
    home = demo(tmp_path, LOOSE)
    home.say("fix")
    before = home.index.stat().st_mtime_ns
    said = home.say("fix")
    assert (said.code, said.out, len(home.events())) == (0, "", 1)
    assert said.err.endswith("fix: nothing to do\n")
    assert home.index.stat().st_mtime_ns == before


def test_a_dry_run_writes_nothing_at_all(tmp_path: Path) -> None:
    """The same diff, and neither record nor lock file."""
    home = demo(tmp_path, LOOSE)
    said = home.say("fix", "--dry-run")
    assert f"+{RIME}" in said.out
    assert home.text() == LOOSE
    assert [path.name for path in home.path.iterdir()] == ["memories"]
    assert not list(home.memories.glob("*.lock"))


def test_line_ends_and_mode_stay_and_the_mark_of_the_encoding_goes(tmp_path: Path) -> None:
    """A file with CRLF, a byte order mark and mode 0640."""
    home = demo(tmp_path, "\ufeff" + LOOSE.replace("\n", "\r\n"))
    home.index.chmod(0o640)
    home.say("fix")
    assert home.text() == FIXED.replace("\n", "\r\n")
    assert home.index.stat().st_mode & 0o777 == 0o640


def test_both_indexes_are_mended_in_one_change(tmp_path: Path) -> None:
    """One undo takes both back."""
    home = demo(tmp_path)
    home.say("archive", "postgres")
    archived = home.archive / "archived-memories.md"
    archived.write_text(archived.read_text().replace(" → ", " -> "))
    home.index.write_text(home.text().replace(" → ", " => "))
    before = home.files()
    assert home.say("fix").code == 0
    assert home.say("verify").code == 0
    assert home.say("undo").code == 0
    assert home.files() == before


def test_the_heading_is_written_and_names_the_folder(tmp_path: Path) -> None:
    """`--heading full` carries the rule, in at most 220 characters; a second time nothing is to do."""
    home = demo(tmp_path, INDEX.replace(HEADING, "# mine"))
    assert home.say("fix", "--heading", "full").code == 0
    block = home.text().split("\n§\n")[0]
    assert "routing table" in block
    assert len(block) <= 220
    assert home.say("fix", "--heading", "full").err.endswith("nothing to do\n")
    assert home.say("verify", "--strict").code == 0


def test_a_home_without_a_memory_gets_one(tmp_path: Path) -> None:
    """The folder is made with the index; a dry run makes nothing, and no home is made."""
    home = Demo(tmp_path / "home")
    said = home.say("fix", "--heading", "full")
    assert (said.code, "name the home with --home" in said.err, home.path.exists()) == (2, True, False)
    home.path.mkdir()
    assert (home.say("fix", "--heading", "full", "--dry-run").code, list(home.path.iterdir())) == (0, [])
    assert home.say("fix", "--heading", "full").code == 0
    assert home.text().startswith("# Memory index")
    assert home.memories.stat().st_mode & 0o777 == 0o700


def test_a_memory_that_is_away_is_not_made_anew(tmp_path: Path) -> None:
    """Where the record knows of a memory, a missing folder may be a disk that is not mounted."""
    home = demo(tmp_path)
    home.say("archive", "rime")
    home.memories.rename(tmp_path / "away")
    said = home.say("fix", "--heading", "full")
    assert (said.code, "is a disk not mounted?" in said.err, home.memories.exists()) == (2, True, False)


def test_an_empty_index_gets_a_heading(tmp_path: Path) -> None:
    """The size of the heading is the setting's."""
    home = demo(tmp_path, "\n")
    (home.path / "config.yaml").write_text("plugins: {entries: {memory-shaper: {settings: {heading: short}}}}\n")
    home.say("fix")
    assert home.text().strip() == HEADING


def test_what_would_not_fit_is_refused_with_numbers(tmp_path: Path) -> None:
    """The canonical form costs two characters a line; the least read lines are named with their sizes."""
    home = demo(tmp_path, f"{HEADING}\n{DEPLOY}\n{POSTGRES}\n{RIME}")
    (home.path / "config.yaml").write_text("memory:\n  memory_char_limit: 165\n")
    said = home.say("fix")
    assert said.code == 1
    assert "169 of 165 characters (cap: config), it has 163; free 4 first" in said.err
    assert f"\n  {POSTGRES} (54)\n" in said.err
    assert "deploy.md" not in said.err


def test_a_file_of_no_home_keeps_a_copy(tmp_path: Path) -> None:
    """The old text stays beside it, an older copy is not overwritten, and nothing is journaled."""
    home = demo(tmp_path)
    other = tmp_path / "notes" / "MEMORY.md"
    other.parent.mkdir()
    other.write_text(LOOSE)
    (other.parent / "MEMORY.md.bak").write_text("older")
    assert home.say("fix", str(other)).code == 0
    assert other.read_text() == FIXED
    assert sorted(path.read_text() for path in other.parent.glob("*.bak")) == [LOOSE, "older"]
    assert not (home.path / "plugin-data").exists()
    assert home.say("fix", str(other)).err == "fix: nothing to do\n"


def test_a_link_to_the_index_is_the_index(tmp_path: Path) -> None:
    """A path that leads to the home's index is journaled like it, and the link stays."""
    home = demo(tmp_path, LOOSE)
    (tmp_path / "link.md").symlink_to(home.index)
    home.say("fix", str(tmp_path / "link.md"))
    assert (home.text(), len(home.events())) == (FIXED, 1)
    assert (tmp_path / "link.md").is_symlink()


def test_somebody_elses_lock_is_respected(tmp_path: Path) -> None:
    """Busy is exit 3, and nothing was written."""
    home = demo(tmp_path, LOOSE)
    with store.locked(home.index):
        said = home.say("fix")
    assert (said.code, home.text()) == (3, LOOSE)
    assert "try again" in said.err


def test_a_broken_config_stops_the_change(tmp_path: Path) -> None:
    """No file is changed while the config cannot be read."""
    home = demo(tmp_path, LOOSE)
    (home.path / "config.yaml").write_text("memory:\n memory_char_limit: 8000\n  x: 1\n")
    said = home.say("fix")
    assert (said.code, home.text()) == (2, LOOSE)
    assert "refusing to change anything" in said.err


def test_json_has_the_documented_fields(tmp_path: Path) -> None:
    """For a file of the home and for another one."""
    home = demo(tmp_path, LOOSE)
    (tmp_path / "MEMORY.md").write_text(LOOSE)
    fields = [name for name, _ in VERBS["fix"].fields]
    assert list(home.say("fix", str(tmp_path / "MEMORY.md"), "--json").json) == fields
    data = home.say("fix", "--json").json
    assert list(data) == fields
    assert data["files"] == [{"file": "MEMORY.md", "action": "write", "to": None}]
    assert edit.ARCHIVE_INDEX not in str(data)


def test_nothing_to_do_makes_nothing(tmp_path: Path) -> None:
    """A clean home gets neither a record nor a lock file, and a refused change makes none either."""
    home = demo(tmp_path)
    assert home.say("fix").err == "fix: nothing to do\n"
    assert home.say("archive", "deploy").code == 1
    assert [path.name for path in home.path.iterdir()] == ["memories"]
    assert not list(home.memories.glob("*.lock"))


def test_topics_are_no_indexes(tmp_path: Path) -> None:
    """A topic that holds sample lines, and any other file, is left alone."""
    home = demo(tmp_path)
    (home.memories / "deploy.md").write_text(LOOSE)
    (tmp_path / "notes.md").write_text("just prose\n")
    for path in (home.memories / "deploy.md", tmp_path / "notes.md"):
        assert home.say("fix", str(path)).err == f"{path}: this is no index, and fix changes nothing else\n"


def test_prose_is_left_as_it_is(tmp_path: Path) -> None:
    """No sentence of a memory that is no index becomes an entry, and migrate is named."""
    prose = (
        "Ann likes tea.\n§\nDeploy: build, test, push → see DEPLOY.md\n§\nBuild, Push → X.md \n§\nThe cat is Mochi.\n"
    )
    home = demo(tmp_path, prose)
    said = home.say("fix")
    assert (said.code, home.text(), home.events()) == (0, prose, [])
    assert "not an index yet" in said.err
