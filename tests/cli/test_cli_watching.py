"""`maintain` and `watch` at the terminal."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime

import pytest
from homes import House, many, tree
from memory_shaper import cli, store
from memory_shaper.cli import watching
from memory_shaper.errors import Busy
from memory_shaper.recall import gathered
from memory_shaper.recall.find import finder
from memory_shaper.recall.search import search


def called(house, *words):
    return cli.call([*words, "--home", str(house.home.path)])


@pytest.fixture
def house(tmp_path):
    """A home whose index is over its cap."""
    return House(tmp_path, *many(20), now=datetime.now(UTC))


def test_maintain__does_the_days_work(house):
    """A run archives and says so; the next one has nothing to say."""
    first, second = called(house, "maintain"), called(house, "maintain")
    assert ("6 cold lines went" in first.text, len(house.archived)) == (True, 6)
    assert (second.text, second.talk, second.code) == ("", "nothing to say: all is in order", 0)


@pytest.mark.parametrize("option", ["--dry-run", "--report"])
def test_maintain__looks_only(house, option):
    """Dry run and report change nothing."""
    before = tree(house.memories)
    assert called(house, "maintain", option).text
    assert (tree(house.memories), house.home.data.exists()) == (before, False)


def test_maintain__json_has_the_documented_fields(house):
    """The JSON has the fields of the table, in a run and in a dry run."""
    for options in (["--dry-run"], []):
        said = json.loads(called(house, "maintain", "--json", *options).text)
        assert set(said) == {name for name, _ in cli.VERBS["maintain"].fields}


def test_maintain__busy_is_told(house):
    """Unlike the script, the verb says that somebody else is at work."""
    with store.locked(house.home.index), pytest.raises(Busy):
        called(house, "maintain")


def test_watch__until_interrupted(house):
    """`watch` says what it watches and ends at Ctrl-C with 0."""
    command = [sys.executable, "-m", "memory_shaper", "watch", "--json", "--poll", "--home", str(house.home.path)]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    # A shell's background jobs ignore the interrupt, and so would what they start.
    heeds = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env, **heeds) as process:
        try:
            said = json.loads(process.stdout.readline())
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 0
        finally:
            process.kill()
    assert (set(said), said["said"].startswith("watching ")) == ({"at", "said"}, True)


def test_watch__keeps_the_sidecar_in_step(house):
    """What a look at the folder brings in step is all that a search looks at: sub-folders, names and words too."""
    watching.in_step(house.home)
    house.write("MEMORY.md", house.index + "\n")
    extra = house.write("projects/plan.md", "Python and Django.\n")
    for text in ("The canary goes first.\n", "The canary goes last.\n"):
        house.write("new.md", text)
        watching.in_step(house.home)
        with finder(house.home) as notes:
            found = {hit.name for hit in search(notes.sidecar, "canary django", refresh=False).hits}
            assert {"new.md", "projects/plan.md"} <= found
            assert gathered.known_names(notes.sidecar.connection, ["django"]) == ["django"]
    extra.unlink()
    watching.in_step(house.home)
    with finder(house.home) as notes:
        assert search(notes.sidecar, "django", refresh=False).hits == ()


def test_watch__does_so_at_each_change(house):
    """A change that is reported is in the sidecar; without a search."""
    command = [sys.executable, "-m", "memory_shaper", "watch", "--json", "--home", str(house.home.path)]
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) as process:
        try:
            process.stdout.readline()
            for number in range(2):
                house.write(f"new{number}.md", "The canary goes first.\n")
                while "new" not in process.stdout.readline():
                    pass
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline and len(_seen(house)) < 2:
                time.sleep(0.1)
            assert _seen(house) == ["new0.md", "new1.md"]
        finally:
            process.kill()


def _seen(house):
    """The new notes that the sidecar's file has."""
    path = house.home.data / "sidecar.db"
    if not path.exists():
        return []
    with closing(sqlite3.connect(path)) as database:
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'file'").fetchone():
            return []
        return [name for (name,) in database.execute("SELECT name FROM file WHERE name LIKE 'new%' ORDER BY name")]
