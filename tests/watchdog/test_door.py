"""The script as the scheduler runs it: silence, a message or an alarm, from every place it can lie in."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from homes import SCRIPT, House, index, line, many, script, tree
from memory_shaper import store

TODAY = datetime.now(UTC)
ROOT = SCRIPT.parents[1]
OUR_PLUGIN = ROOT / "plugin" / "memory-shaper"


def house(folder: Path, *lines: str, **more: object) -> House:
    return House(folder, *lines, now=TODAY, **more)


def ended(done: subprocess.CompletedProcess[str]) -> tuple[int, str, str]:
    return done.returncode, done.stdout, done.stderr


def test_nothing_to_say__silence(tmp_path):
    """A run that only tallies and orders says nothing."""
    home = house(tmp_path, *many(3))
    home.read("topic2.md", 1)
    assert ended(script(home.home)) == (0, "", "")
    assert home.targets[0] == "topic2.md"


def test_archived__a_message(tmp_path):
    """A message names each line, why it went, where it lies and how it comes back; the next run is silent."""
    home = house(tmp_path, *many(20))
    code, out, _ = ended(script(home.home))
    assert (code, all(f"  {line(name[:-3])}   (never used: 0)\n" in out for name in home.archived)) == (0, True)
    assert f"They lie in {home.home.archive}. To bring one back: memory-shaper restore topic14.md" in out
    assert "MEMORY.md had 2,436 of 2,200 characters (111 %). 6 cold lines went to the archive" in out
    assert ended(script(home.home)) == (0, "", "")


def test_all_pinned__named_with_sizes(tmp_path):
    """An index of pins over its cap: exit 0, and one message with names and sizes."""
    home = house(tmp_path, *(line(f"pin{number}", 14, "!") for number in range(24)))
    code, out, _ = ended(script(home.home))
    assert (code, out.count("characters, pinned (!)"), "and 12 more lines, 1,242 characters" in out) == (0, 12, True)
    assert ended(script(home.home)) == (0, "", "")


def test_dry_run__prints_the_plan(tmp_path):
    """A dry run prints what would be done, and changes nothing."""
    home = house(tmp_path, *many(20), text="\n".join([index(), *many(20)]))
    home.read("topic9.md", 3)
    before = tree(tmp_path, "state.db-shm", "state.db-wal")
    code, out, _ = ended(script(home.home, "--dry-run"))
    assert (code, "would write the index in canonical form" in out, "lines would go" in out) == (0, True, True)
    assert "would put 10 lines in order of use" in out
    assert tree(tmp_path, "state.db-shm", "state.db-wal") == before


def test_dry_run__nothing_to_do(tmp_path):
    """A dry run on a quiet home says so, and which home it is."""
    home = house(tmp_path, *many(3))
    assert (
        f"home {tmp_path} (given)\nnothing to do: 402 of 2,200 characters (18 %)"
        in script(home.home, "--dry-run").stdout
    )


def test_report__budget_top_bottom_next(tmp_path):
    """The report shows the budget as a bar, top and bottom, what would go next and why, and what is left alone."""
    home = house(tmp_path, *many(6), line("keep", mark="!"))
    home.read("topic2.md", 1, 3)
    (home.memories / "loop.md").symlink_to("loop.md")
    home.topic("topic1 2.md")
    out = script(home.home, "--report").stdout
    for text in (
        "[###############.........................] 825 of 2,200 characters (38 %), cap from default",
        "7 lines, 1 marked; archiving begins above 2,090 characters", "last run: never",
        "needed most:\n  topic2.md: 3 uses in 1 week, the last", "would go next, if room were needed:\n  topic5.md: 112",
        "protected (2 lines):", "keep.md: pinned (!)", 'topic1 2.md: it is a conflict copy of "topic1.md"', "loop.md: it is a link",
    ):  # fmt: skip
        assert text in out


def test_report__conflict_copy_that_was_resolved(tmp_path):
    """A conflict copy that is gone is gone from the report at once."""
    home = house(tmp_path, *many(2))
    copy = home.topic("topic1.sync-conflict-20260921-101010-ABCDEFG.md")
    assert copy.name in script(home.home, "--report").stdout
    copy.unlink()
    assert copy.name not in script(home.home, "--report").stdout


def test_report__forecast(tmp_path):
    """After some weeks of growth the report says when the cap is reached."""
    home = house(tmp_path, *many(3))
    home.now = TODAY.replace(year=TODAY.year - 1)
    for day in range(0, 40, 8):
        name = f"new{day}"
        home.topic(f"{name}.md")
        home.write("MEMORY.md", home.index + "\n§\n" + line(name))
        os.utime(home.home.index, (1, 1))
        home.run(days=day + (TODAY - home.now).days - 40)
    out = script(home.home, "--report").stdout
    assert re.search(r"grows by \d+\.\d characters a day: full on 20\d\d-\d\d-\d\d", out)


def test_json__stable_fields_in_utc(tmp_path):
    """JSON has the same fields for a run, a dry run and a report; its times are UTC."""
    home = house(tmp_path, *many(20))
    texts = [script(home.home, *args, "--json").stdout for args in (["--dry-run"], ["--report"], [])]
    loaded = [json.loads(text) for text in texts]
    assert len({tuple(one) for one in loaded}) == 1
    assert loaded[0]["archived"] == loaded[2]["archived"] != []
    assert all(one["at"].endswith("Z") and one["evidence"]["earliest"].endswith("Z") for one in loaded)
    assert loaded[0]["entries"][0].keys() == {
        "target", "mark", "score", "why", "stays", "size", "first_seen", "last_used", "uses"}  # fmt: skip


def test_times__local_with_offset(tmp_path):
    """Text for people shows local time with its offset."""
    home = house(tmp_path, *many(2))
    assert "+08:00, home" in script(home.home, "--report", env={"TZ": "Asia/Shanghai"}).stdout


def test_catch_up__said_once(tmp_path):
    """After nine days without a run the next one says that it caught up, once."""
    home = house(tmp_path, *many(3))
    home.run(days=-9.5)
    code, out, _ = ended(script(home.home))
    assert (code, out.startswith("9 days since the last run ("), out.count("\n")) == (0, True, 1)
    assert ended(script(home.home)) == (0, "", "")


def test_busy__silence(tmp_path):
    """Somebody else at work is no alarm."""
    home = house(tmp_path, *many(20))
    with store.locked(home.home.index):
        assert ended(script(home.home)) == (0, "", "")


@pytest.mark.parametrize(
    "file", ["config.yaml", "state.db", "memories/MEMORY.md", "plugin-data/memory-shaper/record.db"]
)
def test_unreadable__alarm(tmp_path, file):
    """Config, index, record or state.db that cannot be read: exit code 2, nothing on stdout, no change."""
    home = house(tmp_path, *many(3))
    home.run()
    home.write("MEMORY.md", index(*many(20)))
    for side in (*tmp_path.rglob("*-wal"), *tmp_path.rglob("*-shm")):
        side.unlink()
    (tmp_path / file).write_bytes(b"\xff\xfe: [bad\n" * 100)
    before = tree(home.memories, "MEMORY.md.lock")
    code, out, err = ended(script(home.home))
    assert (code, out, err.startswith("memory-shaper watchdog: ")) == (2, "", True)
    assert tree(home.memories, "MEMORY.md.lock") == before


def test_missing_folder__alarm(tmp_path):
    """A memories folder that has vanished from a known home is an alarm; nothing is made."""
    home = house(tmp_path, *many(3))
    home.run()
    shutil.rmtree(home.memories)
    code, out, err = ended(script(home.home))
    assert (code, out, "is a disk not mounted?" in err, home.memories.exists()) == (2, "", True, False)


AS_NOBODY = """
import contextlib, io, os, sys
sys.path.insert(0, {package!r})
from memory_shaper.watchdog import door
with contextlib.redirect_stdout(io.StringIO()):  # imports all that a run needs, while it may be read
    door.main(["--home", {warm!r}]), door.main(["--home", {warm!r}, "--report"])
if os.geteuid() == 0:  # whom no mode holds back
    os.setgid(65534), os.setuid(65534)
sys.exit(door.main(["--home", {home!r}, *sys.argv[1:]]))
"""


@pytest.mark.skipif(os.name != "posix", reason="needs file modes")
@pytest.mark.parametrize("part", ["memories", "."])
def test_read_only__its_own_exit_code(part):
    """A read-only memories folder or home: exit code 4, nothing changed; a report on such a folder works."""
    with tempfile.TemporaryDirectory() as place:
        home = house(Path(place) / "home", *many(20))
        home.home.data.mkdir(parents=True)
        before, warm = tree(home.memories), house(Path(place) / "warm", *many(20))
        closed = [home.memories] if part == "memories" else [home.home.path, *home.home.path.rglob("*")]
        for path in (Path(place), *Path(place).rglob("*")):
            path.chmod((0o555 if path in closed else 0o755) if path.is_dir() else 0o644)
            os.chown(path, *([65534] * 2 if os.geteuid() == 0 else [-1, -1]))
        code = AS_NOBODY.format(package=str(OUR_PLUGIN), home=str(home.home.path), warm=str(warm.home.path))
        runs = [subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True, check=False)
                for args in ([], ["--report"])]  # fmt: skip
        for path in (path for path in closed if path.is_dir()):
            path.chmod(0o755)
        assert (runs[0].returncode, runs[0].stdout, "read-only, nothing changed" in runs[0].stderr) == (4, "", True), (
            runs[0].stderr
        )
        # In a home that is read-only as a whole SQLite cannot open the host's database either.
        assert (runs[1].returncode, tree(home.memories)) == (0 if part == "memories" else 2, before), runs[1].stderr


def test_no_memory_yet__silence(tmp_path):
    """A home without a memory: silence, and nothing is made; a report says so."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--home", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert (ended(done), list(tmp_path.iterdir())) == ((0, "", ""), [])


def laid_out(folder: Path) -> Path:
    """The script in a home's `scripts`, the plugin in its `plugins`, as an installation leaves them."""
    (folder / "scripts").mkdir(parents=True)
    shutil.copytree(OUR_PLUGIN, folder / "plugins" / "memory-shaper", ignore=shutil.ignore_patterns("__pycache__"))
    return Path(shutil.copy(SCRIPT, folder / "scripts"))


def test_in_a_home__finds_package_and_home(tmp_path):
    """Copied into HERMES_HOME/scripts the script needs no pip, and without HERMES_HOME it takes the home it lies in."""
    home = house(tmp_path / "home", *many(20))
    home.config("memory: {}\n")
    shim = laid_out(home.home.path)
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-I", str(shim)], capture_output=True, text=True, env=env, check=False)
    assert (done.returncode, "6 cold lines went" in done.stdout, len(home.archived)) == (0, True, 6)
    assert "~/home/memories/archived memories" in done.stdout


def test_hermes_home__wins(tmp_path):
    """HERMES_HOME names the home, wherever the script lies."""
    home, other = house(tmp_path / "one", *many(20)), house(tmp_path / "two", *many(20))
    other.config("memory: {}\n")
    env = os.environ | {"HERMES_HOME": str(home.home.path)}
    subprocess.run([sys.executable, str(laid_out(other.home.path))], env=env, check=True, capture_output=True)
    assert (len(home.archived), other.archived) == (6, [])


PROBE = """
import runpy, sys
sys.argv = [{script!r}, "--home", {home!r}]
try:
    runpy.run_path({script!r}, run_name="__main__")
except SystemExit as ended:
    print(ended.code)
known = set(sys.stdlib_module_names) | {{"memory_shaper", "__main__"}}
print(sorted({{name.partition(".")[0] for name in sys.modules}} - known))
"""


def test_standard_library_alone(tmp_path):
    """A whole run, a tally of real calls among it, imports nothing beyond the standard library."""
    home = house(tmp_path, *many(20))
    home.read("topic3.md", 3)
    code = PROBE.format(script=str(SCRIPT), home=str(tmp_path))
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-2:] == ["0", "[]"], done.stderr


def test_any_locale(tmp_path):
    """A locale that cannot spell a name ends no run, and loses no line."""
    home = house(tmp_path, *many(19), line("部署", 14))
    done = script(home.home, env={"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"})
    assert (done.returncode, "5 cold lines went" in done.stdout, "部署.md" in home.targets) == (0, True, True)
