"""The door itself: the table, help, usage, streams, processes and the page that is made from it."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cli_tools import demo
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory_shaper import __version__
from memory_shaper.cli import VERBS, call, run
from memory_shaper.cli.docs import page
from memory_shaper.cli.parsing import help_of
from memory_shaper.cli.screen import screen_of, width

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "plugin" / "memory-shaper"
WORDS = st.sampled_from(
    ["--json", "--dry-run", "--home", "-n", "3", "MEMORY.md", "x", "\0", "\ud800", "é", "--cap", "0", "--", "-",
     "pinned", "none", "--take", "ours", "undo", "--help", "--heading", "full", "a,b,c,d,e → rime.md", ""]
)  # fmt: skip


def said(words: list[str]) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of a call in this process."""
    out, err = io.StringIO(), io.StringIO()
    return run(words, out, err, {}), out.getvalue(), err.getvalue()


def process(*words: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    """A call as a process of its own."""
    return subprocess.run([sys.executable, *words], env=os.environ | env, capture_output=True, timeout=60, check=False)


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_is_loadable_and_helps_with_an_example(name: str) -> None:
    """Each row leads to a function, and its help shows a call of it."""
    verb = VERBS[name]
    assert callable(verb.action)
    assert said([name, "--help"]) == (0, help_of(verb) + "\n", "")
    assert f"memory-shaper {name}" in help_of(verb).partition("example:\n  ")[2].partition("\n")[0]
    assert ("--dry-run" in help_of(verb)) == verb.changes_files


def test_the_page_is_current() -> None:
    """docs/cli.md is what the table says."""
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == page()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["verfy"], 'memory-shaper: there is no verb "verfy", did you mean "verify"?; see: memory-shaper --help\n'),
        (
            ["verify", "--cap", "0"],
            "memory-shaper verify: argument --cap: '0' is no whole number above 0; see: memory-shaper verify --help\n",
        ),
        (["add"], "memory-shaper add: the following arguments are required: LINE; see: memory-shaper add --help\n"),
        (
            ["verify", "--stric"],
            "memory-shaper verify: unrecognized arguments: --stric; see: memory-shaper verify --help\n",
        ),
    ],
)
def test_usage_errors_are_one_line(words: list[str], message: str) -> None:
    """Exit 2, nothing on stdout."""
    assert said(words) == (2, "", message)


def test_without_words_the_verbs_are_listed() -> None:
    """On stderr with exit 2, since nothing was asked; with --help on stdout."""
    code, out, err = said([])
    assert (code, out) == (2, "")
    assert said(["--help"]) == (0, err, "")
    assert said(["--version"]) == (0, f"memory-shaper {__version__}\n", "")


def test_the_home_may_stand_in_front(tmp_path: Path) -> None:
    """`--home DIR VERB` is `VERB --home DIR`."""
    home = str(demo(tmp_path).path)
    assert said(["--home", home, "verify"]) == said(["verify", "--home", home]) == said([f"--home={home}", "verify"])


def test_a_caller_gets_text_or_json(tmp_path: Path) -> None:
    """Other doors call a verb and print nothing."""
    home = str(demo(tmp_path).path)
    assert call(["verify", "--home", home]).text.startswith("no findings in MEMORY.md")
    assert call(["verify", "--home", home, "--json"]).text.startswith("{")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(verb=st.sampled_from(sorted({*VERBS} - {"mcp", "watch"})), words=st.lists(WORDS, max_size=4))
def test_no_words_make_a_traceback(tmp_path: Path, verb: str, words: list[str]) -> None:
    """Whatever is given, the answer is an exit code and words."""
    home = tmp_path / "home"
    shutil.rmtree(home, ignore_errors=True)
    code, out, err = said([verb, *words, "--home", str(demo(tmp_path).path)])
    assert code in (0, 1, 2)
    assert out or err


def test_colours_are_for_terminals_and_can_be_switched_off() -> None:
    """NO_COLOR and a dumb terminal mean none."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    environments: list[dict[str, str]] = [{}, {"NO_COLOR": ""}, {"NO_COLOR": "1"}, {"TERM": "dumb"}]
    assert [screen_of(Terminal(), env).colour for env in environments] == [True, True, False, False]
    assert not screen_of(io.StringIO(), {}).colour


def test_widths_are_those_of_a_terminal() -> None:
    """Wide characters take two cells, combining ones none."""
    assert [width(text) for text in ("ab", "部署", "e\u0301", "Ａ")] == [2, 4, 1, 2]


def test_a_stream_that_cannot_hold_a_character_gets_its_escape(tmp_path: Path) -> None:
    """An ASCII terminal and a file name that is no text are no reason to stop."""
    home = demo(tmp_path)
    (home.memories / os.fsdecode(b"b\xe4d.md")).write_text("x")
    done = process(
        "-m", "memory_shaper", "list", "--home", str(home.path), PYTHONIOENCODING="ascii", PYTHONPATH=str(PACKAGE)
    )
    assert (done.returncode, b"\\u62fc" in done.stdout) == (0, True)
    done = process(
        "-m", "memory_shaper", "verify", str(home.memories / os.fsdecode(b"b\xe4d.md")), PYTHONPATH=str(PACKAGE)
    )
    assert (done.returncode, b"Traceback" in done.stderr) == (1, False)


def test_a_reader_that_leaves_is_no_trouble(tmp_path: Path) -> None:
    """A closed pipe ends the command quietly."""
    command = [sys.executable, "-m", "memory_shaper", "verify", "--home", str(demo(tmp_path).path)]
    env = os.environ | {"PYTHONPATH": str(PACKAGE)}
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        child.stdout.close()
        err = child.stderr.read()
    assert (child.returncode, b"Traceback" in err, b"BrokenPipe" in err) == (0, False, False)


def test_the_script_runs_from_a_clone_and_from_a_home(tmp_path: Path) -> None:
    """Beside the plugin folder of a clone, and copied to HERMES_HOME/scripts beside plugins/."""
    home = demo(tmp_path)
    (home.path / "scripts").mkdir()
    (home.path / "plugins" / "memory-shaper").mkdir(parents=True)
    copied = shutil.copy(ROOT / "scripts" / "verify_index.py", home.path / "scripts")
    shutil.copytree(PACKAGE / "memory_shaper", home.path / "plugins" / "memory-shaper" / "memory_shaper",
                    ignore=shutil.ignore_patterns("__pycache__"))  # fmt: skip
    for script in (str(ROOT / "scripts" / "verify_index.py"), str(copied)):
        done = process("-I", script, HERMES_HOME=str(home.path))
        assert (done.returncode, done.stdout) == (
            0,
            b"no findings in MEMORY.md, 220 of 2,200 characters (cap: default)\n",
        )


@pytest.mark.parametrize(
    ("said", "meant"),
    [("remove", "forget"), ("uninstall", "install --uninstall"), ("check", "verify"), ("show", "list")],
)
def test_a_verb_of_other_programs_leads_to_ours(tmp_path: Path, said: str, meant: str) -> None:
    """What others call a verb of ours is told, rather than a verb that is spelled alike."""
    assert f'did you mean "{meant}"?' in demo(tmp_path).say(said).err


def test_only_near_names_are_offered(tmp_path: Path) -> None:
    """The ending `.md` makes no name near, one slip does."""
    home = demo(tmp_path)
    assert "did you mean" not in home.say("mark", "nope.md", "pinned").err
    assert 'did you mean "deploy.md"?' in home.say("mark", "deplyo.md", "pinned").err


def test_a_check_loads_no_database_and_no_yaml(tmp_path: Path) -> None:
    """What verify does not need it does not import: it is run after every save. (Front matter has days.)"""
    unwanted = {"sqlite3", "yaml", "difflib", "json", "tempfile", "hashlib"}
    code = "import sys; from memory_shaper.cli import main; main(['verify']); "
    code += f"print(sorted({unwanted} & set(sys.modules)))"
    done = process("-c", code, HERMES_HOME=str(demo(tmp_path).path), PYTHONPATH=str(PACKAGE))
    assert done.stdout.splitlines()[-1] == b"[]"


# Root may write everywhere unless it gives that right up for good, which takes a process of its own.
WITHOUT_RIGHTS = """
import ctypes, os, sys
if os.geteuid() == 0:
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        assert ctypes.CDLL(None).prctl(24, capability, 0, 0, 0) == 0  # PR_CAPBSET_DROP
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs the rights of Linux")
@pytest.mark.parametrize(
    ("verb", "code"),
    [
        ("verify", 0), ("list", 0), ("status", 0), ("history", 0), ("proposals", 0), ("archive postgres --dry-run", 0),
        ("backup ../saved.zip", 0), ("fix", 4), ("undo", 4),
    ],
)  # fmt: skip
def test_a_read_only_home_can_be_read(tmp_path: Path, verb: str, code: int) -> None:
    """Reading and saving work, and a change is refused with an exit code of its own."""
    home = demo(tmp_path)
    home.say("mark", "rime", "pinned")
    home.index.write_text(home.text().replace(" → ", " -> ") if verb == "fix" else home.text())
    before = home.files()
    folders = [home.path, home.memories, home.path / "plugin-data" / "memory-shaper"]
    (folders[2] / "record.db").chmod(0o400)
    for folder in folders:
        folder.chmod(0o500)
    command = ["-m", "memory_shaper", *verb.replace("..", str(tmp_path)).split(), "--home", str(home.path)]
    done = process("-c", WITHOUT_RIGHTS, *command, PYTHONPATH=str(PACKAGE))
    for folder in folders:
        folder.chmod(0o700)
    assert (done.returncode, home.files()) == (code, before), done.stderr
    assert b"Traceback" not in done.stderr
