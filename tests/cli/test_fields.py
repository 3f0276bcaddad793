"""What the table of verbs promises of every verb: the fields of its JSON, and how it looks off a terminal and on one."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from cli_tools import Demo, demo
from memory_shaper.cli import VERBS, run

CALLS: dict[str, list[list[str]]] = {
    "verify": [[], ["--references"], ["--routing"], ["{memories}/MEMORY.md"]],
    "fix": [["--dry-run"], ["--leftovers"], ["--heading", "full"]],
    "status": [[], ["--explain"], ["--ascii"]],
    "doctor": [[]],
    "list": [[], ["--archive"], ["--recent"]],
    "add": [["red,green,blue,cyan,pink → colours.md", "--dry-run"]],
    "mark": [["deploy", "none", "--dry-run"], ["postgres", "pinned"]],
    "archive": [["postgres", "--dry-run"]],
    "remember": [
        ["Tea is served in the kitchen at four every Friday", "--dry-run"],
        ["The printer jams on thick paper"],
    ],
    "restore": [["rime", "--dry-run"]],
    "forget": [["postgres"], ["postgres", "--dry-run"], ["postgres", "--yes"], ["rime", "--purge", "--yes"]],
    "history": [[], ["-n", "1", "MEMORY.md"]],
    "diff": [[], ["1"]],
    "undo": [["--dry-run"]],
    "merge": [["deploy.md", "--take", "ours", "--dry-run"], [], ["deploy.md"]],
    "route": [["release the pipeline"], ["nothing like it at all", "--explain"], ["--test", "{home}/routing.yaml"]],
    "search": [["deploy"], ["deploy", "--explain", "--scope", "all"], ["--test", "{home}/routing.yaml"]],
    "hits": [["deploy"]],
    "timeline": [["deploy"]],
    "feedback": [["deploy.md", "useful"]],
    "index": [[], ["--rebuild"]],
    "maintain": [["--dry-run"], ["--report"], []],
    "report": [["-o", "{home}.html"], ["--with-content"]],
    "proposals": [[]],
    "optimize": [["--dry-run"], []],
    "backup": [["{home}.tar.gz"]],
    "restore-backup": [["{home}/saved.tar.gz", "--dry-run"]],
    "migrate": [["{home}/prose.md"]],
    "export": [["--native"], ["--native", "-o", "{home}/out.md"]],
    "install": [["--dry-run"], [], ["--uninstall"]],
    "completion": [["bash"], ["--names", "notes"]],
}
# What only appears under a condition that the table names, and the doors that are no reports.
SOMETIMES = {
    "merge": {"copies"},
    "route": {"tests", "right", "failures"},
    "search": {"tests", "asked", "dropped", "levels", "saved"},
}
OTHERWISE = {"hook", "mcp", "watch"}


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def furnished(folder: Path) -> Demo:
    """A home with something in it for every verb."""
    home = demo(folder)
    (home.memories / "colours.md").write_text("red and green\n", encoding="utf-8")
    (home.memories / "deploy (Bob's conflicted copy).md").write_text("# deploy\nmore\n", encoding="utf-8")
    (home.path / "routing.yaml").write_text("tests:\n- {question: release, expect: deploy.md}\n", encoding="utf-8")
    (home.path / "prose.md").write_text(
        "We deploy on Fridays, by hand.\n§\nTea is better than coffee.\n", encoding="utf-8"
    )
    made = ["mark", "rime", "none"], ["archive", "rime"], ["backup", str(home.path / "saved.tar.gz")]
    assert [home.say(*words).code for words in made] == [0, 0, 0]
    return home


def words_of(home: Demo, call: list[str]) -> list[str]:
    return [word.format(home=home.path, memories=home.memories) if "{" in word else word for word in call]


def test_every_verb_is_called_here() -> None:
    """No verb is left out of the tests below."""
    assert {*CALLS} | OTHERWISE == {*VERBS}


@pytest.mark.parametrize("name", CALLS)
def test_the_fields_are_those_of_the_table(tmp_path: Path, name: str) -> None:
    """The keys of the JSON are the documented ones, in their order, whatever the options are."""
    home = furnished(tmp_path)
    documented = [field for field, _ in VERBS[name].fields]
    for call in CALLS[name]:
        said = home.say(name, *words_of(home, call), "--json")
        assert said.code in (0, 1), said.err
        sometimes = SOMETIMES.get(name, set()) - {*said.json}
        assert list(said.json) == [field for field in documented if field not in sometimes], call


@pytest.mark.parametrize("name", [name for name in CALLS if name != "backup"])  # which makes a new file each time
def test_looks(tmp_path: Path, name: str) -> None:
    """Off a terminal no escape and no bar; on one with NO_COLOR no escape; JSON is the same bytes everywhere."""
    home = furnished(tmp_path)
    json_on_terminal = Terminal()
    run(
        [name, *words_of(home, CALLS[name][0]), "--home", str(home.path), "--json"], json_on_terminal, io.StringIO(), {}
    )
    assert json.loads(json_on_terminal.getvalue())
    for call in CALLS[name]:
        for stream, env in ((io.StringIO(), {}), (Terminal(), {"NO_COLOR": "1"}), (Terminal(), {"TERM": "dumb"})):
            err = io.StringIO()
            run([name, *words_of(home, call), "--home", str(home.path)], stream, err, env)
            assert "\x1b" not in stream.getvalue() + err.getvalue()
            assert stream.isatty() or not re.search("[█░]", stream.getvalue())


def test_ascii_bar(tmp_path: Path) -> None:
    """`status --ascii` on a terminal draws with ASCII signs only."""
    home = demo(tmp_path)
    home.index.write_text("# Memory\n§\na,b,c,d,e → deploy.md\n", encoding="utf-8")
    drawn = []
    for words in ([], ["--ascii"]):
        stream = Terminal()
        run(["status", *words, "--home", str(home.path)], stream, io.StringIO(), {"NO_COLOR": "1"})
        drawn.append(next(line for line in stream.getvalue().splitlines() if line.startswith("index:")))
    assert "░" in drawn[0] and "[---" in drawn[1] and drawn[1].isascii()


@pytest.mark.parametrize("name", [name for name, verb in VERBS.items() if verb.changes_files and name in CALLS])
def test_a_dry_run_speaks_of_what_would_be(tmp_path: Path, name: str) -> None:
    """It says "would", changes no file and makes none."""
    home = furnished(tmp_path)
    words = [word for word in words_of(home, CALLS[name][0]) if word != "--dry-run"]
    before = home.files()
    said = home.say(name, *words, "--dry-run")
    assert home.files() == before
    told = said.out + said.err
    assert "would" in told or "nothing to do" in told or not said.out, told
    assert not re.search(r"\b(?:removed|created|fixed|marked|archived|restored|written) \d", told), told
