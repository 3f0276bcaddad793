"""The watchdog under the scheduler of both real hosts, on what a real session left behind."""

import json
import os
import shutil
import time
from pathlib import Path

from homes import HEADING, line, targets
from memory_shaper.settings import Home as OurHome
from memory_shaper.settings import load
from memory_shaper.watchdog.door import Said, rehearsed

from hosts.endpoint import ask, say
from hosts.harness import Home, Host, hermes, make_home, session

ROOT = Path(__file__).resolve().parents[2]
NAMES = [f"topic{number}" for number in range(20)]


def full_home(folder: Path, count: int = 20) -> Home:
    """A home whose index is over its cap, with topics of half a year ago and the watchdog's script in place."""
    names = NAMES[:count]
    text = "\n§\n".join([HEADING, *map(line, names)])
    home = make_home(folder, {"MEMORY.md": text, **{f"{name}.md": f"# {name}\n" for name in names}})
    old = time.time() - 180 * 86400
    for name in names:
        os.utime(home.memories / f"{name}.md", (old, old))
    (home.path / "scripts").mkdir(exist_ok=True)
    shutil.copy(ROOT / "scripts" / "dynmem-watchdog.py", home.path / "scripts")
    return home


def scheduled(host: Host, home: Home) -> str:
    """Register the daily job, let what is due run now, and give back what was delivered."""
    options = ["--name", "memory-shaper", "--script", "dynmem-watchdog.py", "--no-agent", "--deliver", "local"]
    made = hermes(host, home, "cron", "create", "every 1m", *options)
    assert made.code == 0, made.out + made.err
    due(home)
    ticked = hermes(host, home, "cron", "tick")
    assert ticked.code == 0, ticked.out + ticked.err
    found = [path.read_text(encoding="utf-8") for path in sorted((home.path / "cron" / "output").rglob("*.md"))]
    return "\n".join(found)


def due(home: Home) -> None:
    """Put the next run of every job into the past."""
    path = home.path / "cron" / "jobs.json"
    jobs = json.loads(path.read_text(encoding="utf-8"))
    for job in jobs["jobs"]:
        job["next_run_at"] = "2026-01-01T00:00:00+00:00"
    path.write_text(json.dumps(jobs), encoding="utf-8")


def aged(home: Home, days: float) -> None:
    """Let the sessions so far have been so many days ago."""
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(home.path / "state.db")) as database, database:
        database.execute("UPDATE messages SET timestamp = timestamp - ?", (days * 86400,))


def test_session__two_reads_count(host: Host, tmp_path: Path) -> None:
    """After a session that reads two topics, writes one and searches one, exactly the two reads count."""
    home = full_home(tmp_path, 6)
    path = {name: str(home.memories / f"{name}.md") for name in NAMES}
    turns = [
        ask(("read_file", {"path": path["topic4"]})),
        ask(("terminal", {"command": f"cat {path['topic5']}"})),
        ask(("patch", {"mode": "replace", "path": path["topic1"], "old_string": "# topic1", "new_string": "# one"})),
        ask(("search_files", {"pattern": "topic", "path": path["topic2"]})),
        say("done"),
    ]
    session(host, home, turns)
    ours = OurHome(home.path, "given")
    said = rehearsed(ours, load(ours))
    assert isinstance(said, Said)
    assert {one["target"]: one["uses"] for one in said.data["entries"] if one["uses"]} == {
        "topic4.md": 1,
        "topic5.md": 1,
    }


def test_cron__a_report_is_delivered(host: Host, tmp_path: Path) -> None:
    """The scheduler runs the script; what was archived is delivered, and topics that a session read stay."""
    home = full_home(tmp_path)
    session(host, home, [ask(("read_file", {"path": str(home.memories / "topic19.md")})), say("done")])
    aged(home, 40)
    session(host, home, [say("hello")])
    delivered = scheduled(host, home)
    live = targets(home.index.read_text(encoding="utf-8"))
    assert ("6 cold lines went to the archive" in delivered, live[0], len(live)) == (True, "topic19.md", 14)


def test_cron__silence_delivers_nothing(host: Host, tmp_path: Path) -> None:
    """A run with nothing to say runs and delivers nothing."""
    home = full_home(tmp_path, 3)
    session(host, home, [say("hello")])
    delivered = scheduled(host, home)
    assert (home.path / "plugin-data" / "memory-shaper" / "record.db").exists()
    assert "MEMORY.md" not in delivered and "memory-shaper watchdog" not in delivered
