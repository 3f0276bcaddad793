"""`maintain` and `watch` at the terminal."""

import json
import os
import signal
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from homes import House, many, tree
from memory_shaper import cli, store
from memory_shaper.errors import Busy


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
