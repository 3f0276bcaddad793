"""`status`: one screen, honest about what is not known."""

from __future__ import annotations

import io
import re
from datetime import timedelta
from pathlib import Path

from cli_tools import INDEX, demo
from memory_shaper.cli import VERBS, call, run
from memory_shaper.cli.screen import Screen
from memory_shaper.record import Beat, Event, EventKind, Heartbeat, Use
from record_tools import NOW


def test_it_tells_size_marks_and_uses(tmp_path: Path) -> None:
    """Entries by mark, the size against the cap, and per line when it was first seen, last read and how often."""
    home = demo(tmp_path)
    home.use(Use("rime.md", NOW, "s", "1"), Use("rime.md", NOW + timedelta(days=1), "s", "2"))
    out = home.say("status").out
    assert "index: 220 of 2,200 characters, 10% (cap: default)\n" in out
    assert "entries: 4 (1 pinned, 1 critical)\n" in out
    assert re.search(r"rime\.md +2026-03-0\d \d\d:\d\d[+-]\d\d:\d\d +2026-03-0\d \d\d:\d\d[+-]\d\d:\d\d +2\n", out)
    assert home.text() == INDEX


def test_the_guard_is_never_claimed(tmp_path: Path) -> None:
    """Without a sign of life it says so; with one it says which surface was seen doing what."""
    home = demo(tmp_path)
    assert "guard: never seen at work in this home\n" in home.say("status").out
    with home.record() as record:
        record.counters.beat(Heartbeat("gateway", Beat.LOADED, 7, NOW))
    assert "guard: gateway: loaded 2026-03-0" in home.say("status").out


def test_what_happened_since_the_last_status_is_told_once(tmp_path: Path) -> None:
    """A second status does not repeat it; one in JSON does not use it up."""
    home = demo(tmp_path)
    with home.record() as record:
        record.journal.note(Event(EventKind.BLOCKED, NOW, "MEMORY.md", rule="prose"))
    assert home.say("status", "--json").json["record"]["since"]["blocked"] == 1
    assert "since the last status: 1 blocked\n" in home.say("status").out
    assert "since the last status: nothing blocked or changed\n" in home.say("status").out


def test_changes_since_the_last_status_are_counted_as_changes(tmp_path: Path) -> None:
    """One command that touched several files is one change, at the terminal and in JSON."""
    home = demo(tmp_path)
    home.say("archive", "rime", "postgres")
    home.say("mark", "deploy", "none")
    since = home.say("status", "--json").json["record"]["since"]
    assert {kind: number for kind, number in since.items() if number} == {"archived": 1, "marked": 1}
    assert "since the last status: 1 marked, 1 archived\n" in home.say("status").out


def test_json_has_the_documented_fields_in_utc(tmp_path: Path) -> None:
    """The fields of the table, times in UTC."""
    home = demo(tmp_path)
    home.use(Use("rime.md", NOW, "s", "1"))
    data = home.say("status", "--json").json
    assert list(data) == [name for name, _ in VERBS["status"].fields]
    assert data["entries"][3]["last_read"] == "2026-03-02T12:00:00.000000Z"


def test_a_topic_that_is_too_large_is_named(tmp_path: Path) -> None:
    """The journal keeps texts up to 1 MB."""
    home = demo(tmp_path)
    (home.memories / "rime.md").write_bytes(b"x" * 1_000_001)
    assert "large: rime.md, 1,000,001 bytes: too large for the journal to keep\n" in home.say("status").out


def test_the_bar_is_for_terminals(tmp_path: Path) -> None:
    """A bar where a person looks, in ASCII on request."""
    home = demo(tmp_path)
    words = ["status", "--home", str(home.path)]
    assert "█" in call(words, Screen(terminal=True)).text
    assert "[###---" in call([*words, "--ascii"], Screen(terminal=True)).text
    assert "[#" not in call([*words, "--ascii"]).text


def test_paths_are_shown_with_a_tilde(tmp_path: Path, monkeypatch: object) -> None:
    """The user's own folder is `~`, and the profile that is active is named with it."""
    home = demo(tmp_path / ".hermes" / "profiles", None)
    home.path.rename(tmp_path / ".hermes" / "profiles" / "work")
    (tmp_path / ".hermes" / "active_profile").write_text("work\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    out = io.StringIO()
    assert run(["status"], out, io.StringIO(), {"HOME": str(tmp_path)}) == 0
    assert out.getvalue().startswith("home: ~/.hermes/profiles/work (profile work)\nindex: there is none\n")


def test_conflict_copies_and_prose_are_pointed_out(tmp_path: Path) -> None:
    """Each with the verb that helps."""
    home = demo(tmp_path, "Ann likes tea.")
    (home.memories / "deploy 2.md").write_text("x\n")
    out = home.say("status").out
    assert "conflict copies: 1; see: memory-shaper merge\n" in out
    assert "this is not an index yet: memory-shaper migrate\n" in out
