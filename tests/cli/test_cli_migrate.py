"""`migrate` and `export`: the plan, the change, what is refused, and the way back."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cli_tools import Demo, demo
from memory_shaper import host
from memory_shaper.migrate.cutting import cut
from memory_shaper.secrets import masked
from migrate_tools import ENGLISH, FORTY, QUESTIONS

GIT = "git,rebase,squash,commit,branch → git.md"
PROSE = "The heron server restarts every night.\n§\nAnn drinks oolong tea from the blue kettle."


def house(folder: Path, text: str, **files: str) -> Demo:
    """A home with this MEMORY.md and these topic files, the archive's with a `/` for its folder."""
    home = Demo(folder / "home")
    home.memories.mkdir(parents=True)
    home.index.write_bytes(text.encode())
    for name, content in files.items():
        (home.memories / f"{name}.md").write_text(content, encoding="utf-8")
    return home


def test_the_plan_is_shown_and_nothing_is_written(tmp_path: Path) -> None:
    """Without `--apply` and with `--dry-run`: the same plan, no record, no lock, no file."""
    home = house(tmp_path, ENGLISH)
    before = home.files()
    said = home.say("migrate")
    assert said.code == 0
    assert home.say("migrate", "--dry-run").out == said.out
    assert "run the same with --apply" in said.err
    assert home.files() == before
    assert [path.name for path in home.path.rglob("*")] == ["memories", "MEMORY.md"]


def test_forty_entries_become_an_index_and_one_undo_brings_the_bytes_back(tmp_path: Path) -> None:
    """Every text is in a file, the index verifies clean, a second run has nothing to do, undo is exact."""
    home = house(tmp_path, FORTY)
    assert home.say("migrate", "--apply").code == 0
    held = b"\n".join(home.files().values()).decode()
    assert all(masked(piece.text) in held for piece in cut(FORTY).pieces)
    assert home.say("verify", "--strict").code == 0
    done = home.files()
    assert home.say("migrate", "--apply").err.endswith("migrate: nothing to do\n")
    assert home.files() == done
    assert home.say("undo").code == 0
    assert home.files() == {"MEMORY.md": FORTY.encode()}


@pytest.mark.parametrize("text", ["\ufeffone\r\n§\r\ntwo", "a\n\n\n§\n§\nb  ", "# Me\n\n- tea\n- rye\n", "x" * 5000])
def test_undo_is_exact_for_odd_files(tmp_path: Path, text: str) -> None:
    """A byte order mark, CRLF, blank lines, no final newline, one entry over the cap."""
    home = house(tmp_path, text)
    home.index.chmod(0o640)
    assert home.say("migrate", "--apply").code == 0
    assert home.say("verify").code == 0
    assert home.index.stat().st_mode & 0o777 == 0o640
    assert home.say("undo").code == 0
    assert home.files() == {"MEMORY.md": text.encode()}


def test_no_secret_is_printed(tmp_path: Path) -> None:
    """Neither in the plan nor in the JSON, its diff or that of the undo; kind and line are."""
    home = house(tmp_path, ENGLISH)
    said = [home.say("migrate"), home.say("migrate", "--json"), home.say("migrate", "--apply"), home.say("undo")]
    assert [one.code for one in said] == [0] * 4
    assert "FAKE" not in "".join(one.out + one.err for one in said)
    assert "RkFL" not in "".join(one.out + one.err for one in said)
    lines = [number for number, line in enumerate(ENGLISH.split("\n"), 1) if "FAKE" in line or "BEGIN" in line]
    assert [row["line"] for row in said[1].json["secrets"]] == lines
    assert f"line {lines[0]}: an API key (sk-…)" in said[0].err


def test_the_plan_as_json(tmp_path: Path) -> None:
    """Each topic with its file, its keywords and where its texts come from."""
    data = house(tmp_path, PROSE).say("migrate", "--json").json
    assert (data["source"], data["changed"], data["dry_run"]) == ("native", False, True)
    assert [[text["line"] for text in topic["texts"]] for topic in data["topics"]] == [[1], [3]]
    assert all(5 <= len(topic["keywords"]) <= 20 for topic in data["topics"])
    assert {row["file"] for row in data["files"]} == {"MEMORY.md", *(topic["file"] for topic in data["topics"])}


def test_no_file_is_overwritten(tmp_path: Path) -> None:
    """A topic file that has the name already stays, the new one gets another."""
    home = house(tmp_path, PROSE)
    name = home.say("migrate", "--json").json["topics"][0]["file"]
    (home.memories / name).write_text("mine")
    assert home.say("migrate", "--apply").code == 0
    assert (home.memories / name).read_text() == "mine"
    assert "heron server" in (home.memories / name.replace(".md", "-2.md")).read_text()


def test_what_does_not_fit_is_archived_and_can_be_restored(tmp_path: Path) -> None:
    """A small cap: the archive index is clean as well, the plan says so, and an archived topic comes back."""
    home = house(tmp_path, ENGLISH)
    (home.path / "config.yaml").write_text("memory:\n  memory_char_limit: 1200\n")
    said = home.say("migrate", "--apply", "--json")
    archived = [topic["file"] for topic in said.json["topics"] if topic["archived"]]
    assert archived
    assert "the last go to the archive" in said.err
    assert home.say("verify", "--strict").code == 0
    assert (home.archive / archived[0]).exists()
    assert home.say("restore", archived[0]).code == 0
    assert home.say("undo").code == 0
    assert home.say("undo", str(said.json["events"][0])).code == 0
    assert home.files() == {"MEMORY.md": ENGLISH.encode()}


def test_the_older_form_with_archive_and_counts(tmp_path: Path) -> None:
    """Index and archive index become canonical, user text in the archive stays, the reads are counted once."""
    home = house(tmp_path, f"# Memory\nkeyword,keyword,keyword → file.md\n{GIT}\n", git="rebase\n")
    home.archive.mkdir()
    shelved = "# Old\nmy own words\n## Archive index\ntea,oolong,kettle,leaves,steep → tea.md\n"
    (home.archive / "archived-memories.md").write_text(shelved)
    (home.archive / "tea.md").write_text("tea\n")
    tally = {"files": {"git.md": {"reads": 4, "last": "2026-02-03T04:05:06"}}}
    (home.memories / ".access-tally.json").write_text(json.dumps(tally))
    said = home.say("migrate", "--apply", "--json")
    assert said.json["source"] == "hermes-dynamic-memory"
    assert "archived-memories.md: 1 finding left" in said.err
    assert host.parts(home.text())[1:] == [GIT]
    assert "my own words" in (home.archive / "archived-memories.md").read_text()
    assert home.say("migrate", "--apply").err.endswith("nothing to do\n")
    with home.record() as record:
        known = {topic.name: (topic.count, topic.last_used) for topic in record.uses.topics()}
    assert known["git.md"] == (4, datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC))


def test_an_export_is_added_to_the_index_once(tmp_path: Path) -> None:
    """New texts get files and lines, texts no longer valid go to the archive, bad lines are named; twice is once."""
    home = demo(tmp_path)
    rows = [
        {"content": "The Kestrel pump needs a new gasket every spring.", "tags": "garden,pump", "created": 1767312000},
        {"content": "The old boiler was a Vaillant from 1998.", "invalid_at": "1767312000"},
    ]
    export = tmp_path / "export.jsonl"
    export.write_text("\n".join([*map(json.dumps, rows), "{bad"]))
    said = home.say("migrate", str(export), "--apply")
    assert (said.code, "left out: line 3: not a JSON object" in said.err) == (0, True)
    assert home.say("verify", "--strict").code == 0
    files = home.files()
    assert sum(b"Kestrel pump" in data for name, data in files.items() if "/" not in name) == 1
    assert sum(b"Vaillant" in data for name, data in files.items() if name.startswith("archived")) == 1
    again = home.say("migrate", "--from", "keepsake", str(export), "--apply")
    assert (again.err.endswith("nothing to do\n"), home.files()) == (True, files)


def test_a_folder_of_notes_is_copied_byte_for_byte(tmp_path: Path) -> None:
    """Also from sub-folders, under free names; the source stays as it was, and a second run copies nothing."""
    home = demo(tmp_path)
    notes = {
        "Garden Plan.md": b"# Garden\r\nberries by the wall\r\n",
        "sub/deploy.md": b"---\ntags: [x1]\n---\nother\n",
    }
    for name, data in notes.items():
        (tmp_path / "notes" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "notes" / name).write_bytes(data)
    assert home.say("migrate", str(tmp_path / "notes"), "--apply").code == 0
    files = home.files()
    assert files["Garden-Plan.md"] == notes["Garden Plan.md"]
    assert files["deploy.md"] == b"# deploy\n"
    assert files["deploy-2.md"] == notes["sub/deploy.md"]
    assert home.say("verify", "--strict").code == 0
    assert home.say("migrate", str(tmp_path / "notes"), "--apply").err.endswith("nothing to do\n")
    assert (tmp_path / "notes" / "sub" / "deploy.md").read_bytes() == notes["sub/deploy.md"]


def test_topic_files_without_a_line_get_one(tmp_path: Path) -> None:
    """`--from markdown-folder` alone: the memories folder itself, no file is copied or touched."""
    home = demo(tmp_path)
    (home.memories / "boiler.md").write_text("The Vaillant boiler is serviced in May by Mr Holt.\n")
    before = set(home.files())
    assert home.say("migrate", "--from", "markdown-folder", "--apply").code == 0
    assert set(home.files()) == before
    assert home.text().rstrip().endswith(" → boiler.md")
    assert home.say("verify", "--strict").code == 0


@pytest.mark.parametrize(
    ("words", "code", "part"),
    [
        (("--from", "keepsake"), 2, "name the export"),
        (("--from", "hermes-dynamic-memory", "x"), 2, "--home DIR"),
        (("--apply", "--dry-run"), 2, "choose one"),
        (("gone.jsonl",), 2, "no such file"),
        (("--from", "markdown-folder", "gone"), 2, "no such folder"),
        (("--from", "other"), 2, "invalid choice"),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path: Path, words: tuple[str, ...], code: int, part: str) -> None:
    """With the exit code of the command, and nothing is written."""
    home = demo(tmp_path)
    said = home.say("migrate", *words)
    assert (said.code, part in said.err) == (code, True)


def test_an_export_waits_for_the_prose(tmp_path: Path) -> None:
    """Where MEMORY.md is prose the next step is named."""
    home = house(tmp_path, PROSE)
    (tmp_path / "e.jsonl").write_text('{"content": "x"}')
    said = home.say("migrate", str(tmp_path / "e.jsonl"))
    assert (said.code, "memory-shaper migrate --apply" in said.err) == (1, True)


def test_prose_goes_out_as_it_came_in(tmp_path: Path) -> None:
    """Each text on its own: export gives the entries back, on stdout and into a new file, never over an old one."""
    home = house(tmp_path, PROSE)
    home.say("migrate", "--apply")
    said = home.say("export", "--native")
    assert (said.code, said.out.strip()) == (0, PROSE)
    target = tmp_path / "out.md"
    assert home.say("export", "--native", "-o", str(target)).code == 0
    assert host.parts(target.read_text()) == host.parts(PROSE)
    assert home.say("export", "--native", "-o", str(target)).code == 1
    assert home.say("export", "--native", "--json").json["over_cap"] is False


def test_an_export_over_the_cap_warns(tmp_path: Path) -> None:
    """The entries are more than the host would take: the text is given, with the numbers."""
    home = house(tmp_path, ENGLISH)
    home.say("migrate", "--apply")
    said = home.say("export", "--native", "--json")
    assert (said.code, said.json["over_cap"], "over the host's limit of 2,200" in said.err) == (0, True, True)
    assert home.say("export").code == 2


def test_questions_in_other_words_find_their_topic(tmp_path: Path) -> None:
    """Forty questions that hold no keyword of their line: the search over the topics finds at least 38 first."""
    search = pytest.importorskip("memory_shaper.recall.search", reason="this version has no search yet")
    from memory_shaper.recall.sidecar import Sidecar

    home = house(tmp_path, FORTY)
    topics = home.say("migrate", "--apply", "--json").json["topics"]
    words = {topic["file"]: topic["keywords"] for topic in topics}
    files = {Path(name).name: data.decode() for name, data in home.files().items()}
    sidecar = Sidecar(home.path / "plugin-data" / "memory-shaper" / "sidecar.db", home.memories)
    found = 0
    for part, question in QUESTIONS:
        right = next(name for name in words if part in files[name])
        assert not [word for word in words[right] if word in question.lower().split()]
        hits = search.search(sidecar, question).hits
        found += bool(hits) and Path(hits[0].name).name == right
    sidecar.close()
    assert len(QUESTIONS) == 40
    assert found >= 38


def test_what_the_user_excludes_gets_into_no_new_file(tmp_path: Path) -> None:
    """Neither into a topic nor into a keyword; kind and line are told, and undo brings the old text back."""
    home = house(tmp_path, PROSE + "\n§\nAnn pays with card 4111 1111 1111 1111 at the kiosk on Mondays.")
    rules = "plugins:\n  entries:\n    memory-shaper:\n      settings:\n        exclude: [heron]\n"
    (home.path / "config.yaml").write_text(rules)
    said = home.say("migrate", "--apply")
    assert said.code == 0 and "line 1: text that the setting `exclude` keeps out" in said.err
    held = b"\n".join(home.files().values()).decode()
    assert "heron" not in held and "4111" not in held and "[a payment card number]" in held and "oolong" in held
    assert home.say("undo").code == 0
    assert "heron" in home.text()


def test_sentences_with_commas_an_arrow_and_a_file_name_stay_sentences(tmp_path: Path) -> None:
    """Each stands in a topic file as it stood, with the line below it, and the index verifies clean."""
    plan = "Backup plan: nightly, weekly, monthly → offsite; see README.md\nRestore is tested in May."
    release = "Release: tag, build, sign, upload, announce → RELEASING.md"
    loose = "Build, test, sign, push, announce → CONTRIBUTING.md"
    home = house(
        tmp_path, "\n§\n".join(["Ann likes short answers.", plan, release, loose, "Heron restarts on Sundays."])
    )
    assert home.say("migrate", "--apply").code == 0
    topics = [path.read_text(encoding="utf-8") for path in home.memories.glob("*.md") if path != home.index]
    assert all(any(text in topic for topic in topics) for text in (plan, release, loose))
    assert home.say("verify").code == 0


def test_the_plan_says_that_a_secret_will_be_taken_out(tmp_path: Path) -> None:
    """Before anything is done, and the new file holds its kind in place of it; of an address the rest stays."""
    home = house(tmp_path, "The shop database is postgres://ann:FAKEpw1@heron/shop and restarts nightly.")
    assert "will be taken out of the new files" in home.say("migrate").err
    home.say("migrate", "--apply")
    (topic,) = (path for path in home.memories.glob("*.md") if path != home.index)
    assert "postgres://ann:[a password in a URL]@heron/shop" in topic.read_text(encoding="utf-8")


def test_a_file_that_is_no_memory_is_asked_about(tmp_path: Path) -> None:
    """A configuration is not taken for prose, unless its kind is named."""
    home = house(tmp_path, "")
    config = tmp_path / "config.yaml"
    config.write_text("model: small\nlanguage: german\n", encoding="utf-8")
    said = home.say("migrate", str(config))
    assert said.code == 2 and "--from native" in said.err
    assert home.say("migrate", "--from", "native", str(config)).code == 0
