"""`search --test`: questions put to the search of a home, and compared with an earlier run."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from cli_tools import Demo, Said, demo
from recall_tools import write

QUESTIONS = """\
tests:
  - {question: which bird goes first, expect: deploy.md, paraphrases: [the canary, colours]}
  - {question: slow typing, expect: rime.md}
  - {question: slow typing on Mars, expect: mars.md}
  - {question: who won the cup, expect: null}
"""


@pytest.fixture
def place(tmp_path: Path) -> Demo:
    """A home with a file of questions."""
    home = demo(tmp_path)
    write(home.memories, "deploy.md", "# Deploy\nThe canary goes first.\n")
    write(home.memories, "archived memories/rime.md", "Typing is slow.\n")
    (home.memories / "rime.md").unlink()
    (home.path / "q.yaml").write_text(QUESTIONS)
    return home


def put(place: Demo, *words: str) -> Said:
    return place.say("search", "--test", str(place.path / "q.yaml"), *words)


def snapshot(place: Demo) -> str:
    return str(place.path / "last.json")


def test_questions_are_put_and_counted(place: Demo) -> None:
    """Live and archived files count; what no search can answer is dropped and named with its reason."""
    said = put(place, "--json")
    data = said.json
    assert (said.code, data["tests"], [one["rank"] for one in data["asked"]]) == (0, 4, [1, 1])
    assert {(one["wording"], one["why"]) for one in data["dropped"]} == {
        ("colours", "the file holds no word of it"),
        ("slow typing on Mars", "the file is not in the store"),
        ("who won the cup", "no file is expected"),
    }
    assert [(one["depth"], one["hits"], one["paired"], one["floor"]) for one in data["levels"]] == [
        (5, 2, 1, 0.0), (15, 2, 1, 0.0),
    ]  # fmt: skip


def test_an_unchanged_memory_is_a_draw(place: Demo) -> None:
    """A run against its own snapshot wins and loses nothing; the same file may be read and written in one run."""
    assert put(place, "--save", snapshot(place)).code == 0
    said = put(place, "--against", snapshot(place), "--save", snapshot(place))
    assert said.code == 0 and "won 0, lost 0 of 2: draw" in said.out


def test_what_is_lost_is_exit_code_1(place: Demo) -> None:
    """Sixteen notes that answer better push a file out of the first fifteen: the question is named."""
    put(place, "--save", snapshot(place))
    for number in range(16):
        write(place.memories, f"n{number}.md", "slow typing, slow typing")
    said = put(place, "--against", snapshot(place))
    assert said.code == 1 and "lost in the first 15: slow typing" in said.out and "1 of 2: lost" in said.out


def test_a_snapshot_is_private_and_holds_no_text(place: Demo) -> None:
    """Mode 0600, digests and ranks only."""
    put(place, "--save", snapshot(place))
    path = Path(snapshot(place))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(json.loads(path.read_text())["ranks"].values()) == [1, 1]
    assert "typing" not in path.read_text() and "rime" not in path.read_text()


@pytest.mark.parametrize("data", [b"", b"# notes\n", b"\xff\xfe", b'{"a": 1}'])
def test_a_foreign_file_is_not_overwritten(place: Demo, data: bytes) -> None:
    """What is no snapshot stays as it is, and the refusal names it; nothing is made in the memories folder."""
    path = place.path / "last.json"
    path.write_bytes(data)
    said = put(place, "--save", str(path))
    assert (said.code, path.read_bytes()) == (1, data) and "last.json" in said.err
    before = place.files()
    assert put(place, "--save", str(place.memories / "new.json")).code == 1 and place.files() == before


@pytest.mark.parametrize("data", [None, b"", b"\xff", b"[[", b'{"kind": "memory-shaper spot checks"}'])
def test_an_unreadable_snapshot_is_named(place: Demo, data: bytes | None) -> None:
    """Missing, torn or foreign: exit code 2 with the file."""
    path = place.path / "last.json"
    if data is not None:
        path.write_bytes(data)
    said = put(place, "--against", str(path))
    assert (said.code, said.out) == (2, "") and "last.json" in said.err


def test_the_options_belong_together(place: Demo) -> None:
    """Neither or both of question and file, a snapshot without a file, and sessions are usage errors."""
    file = str(place.path / "q.yaml")
    for words in ([], ["x", "--test", file], ["x", "--save", "s"], ["x", "--against", "s"]):
        assert place.say("search", *words).code == 2
    assert put(place, "--scope", "sessions").code == 2
