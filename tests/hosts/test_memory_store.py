"""What the hosts' own memory stores do to an index."""

import json
from pathlib import Path

import pytest

from hosts.endpoint import ask, say
from hosts.harness import Host, make_home, session
from hosts.stores import Case, Played, play

LINES = ("# Index", "a,b → x.md", "c,d → y.md")
NEWLINES = "\n".join(LINES)
CANONICAL = "\n§\n".join(LINES)


def edit(host: Host) -> str:
    """The action that changes an entry."""
    return "patch" if host.defers else "replace"


def test_native_edits_of_both_forms(host: Host, tmp_path: Path) -> None:
    """One native removal of one line erases a newline index as a success; of a canonical index it takes that line."""
    home = make_home(tmp_path, {"MEMORY.md": NEWLINES}, plugins=())
    remove = ("memory", {"action": "remove", "target": "memory", "old_text": "a,b"})
    erased = session(host, home, [ask(remove), say("done")])
    assert (erased.results[0].data["success"], home.index.read_text()) == (True, "")
    home.index.write_text(CANONICAL)
    add = ("memory", {"action": "add", "target": "memory", "content": "e,f → z.md"})
    kept = session(host, home, [ask(remove), ask(add), say("done")])
    assert [result.data["success"] for result in kept.results] == [True, True]
    assert home.index.read_text() == "# Index\n§\nc,d → y.md\n§\ne,f → z.md"
    assert CANONICAL in kept.system


@pytest.fixture
def played(host: Host, tmp_path: Path):
    """Play single calls on the canonical index, or on a text of one's own."""
    home = make_home(tmp_path, plugins=())

    def one(text: str | bytes = CANONICAL, limit: int = 2200, **arguments: object) -> Played:
        data = text if isinstance(text, bytes) else text.encode()
        return play(host, home, [Case(data, {"target": "memory", **arguments}, limit)])[0]

    return one


def test_edit_reaches_one_host_entry(host: Host, played) -> None:
    """0.19 replaces the whole entry that holds old_text; 0.22 replaces the span inside it and names both texts."""
    done = played(action=edit(host), old_text="a,b", content="new")
    entry = "new → x.md" if host.defers else "new"
    assert done.after == f"# Index\n§\n{entry}\n§\nc,d → y.md".encode()
    assert done.result["message"] == ("Entry patched." if host.defers else "Entry replaced.")
    assert done.result.get("patched_entry_after") == ("new → x.md" if host.defers else None)


def test_matching_rules_differ(host: Host, played) -> None:
    """Only 0.22 prefers a whole entry to a substring and folds typographic signs."""
    whole = played("t\n§\nthat", action="remove", old_text="t")
    folded = played("a “q” – b\n§\nc", action="remove", old_text='a "q" - b')
    assert (whole.ok, folded.ok) == (host.defers, host.defers)


def test_drift_refusal_differs(host: Host, played) -> None:
    """0.19 refuses to edit a file that does not come back the same; both refuse next to an entry over the cap."""
    layout = played("a\n§\n\nb\n§\nc", action="remove", old_text="b")
    huge = played("x" * 30 + "\n§\ny", limit=20, action="remove", old_text="y")
    assert (layout.ok, huge.ok) == (host.defers, False)
    assert "drift_backup" in huge.result
    assert played("a\n§\n\nb", action="add", content="c").after == "a\n§\nb\n§\nc".encode()


def test_batches(host: Host, played) -> None:
    """A batch stands or falls, sees its own earlier steps, and beats a single action given beside it."""
    add, remove = {"action": "add", "content": "q"}, {"action": "remove", "old_text": "q"}
    assert played(operations=[add, remove], action="remove", old_text="a,b").after == CANONICAL.encode()
    failed = played(operations=[add, {"action": "remove", "old_text": "zzz"}])
    assert (failed.ok, failed.after) == (False, CANONICAL.encode())
    assert failed.result["error"].startswith("Operation 2 (remove): ")
    assert played(operations=json.dumps([add])).ok is host.defers
    assert played("only", operations=[{"action": "remove", "old_text": "only"}]).ok is not host.defers


def test_cap_counts_joined_entries(host: Host, played) -> None:
    """The cap is the length of the joined entries in code points, and a file exactly as long is allowed."""
    assert played("é", limit=6, action="add", content="→é").ok
    over = played("é", limit=5, action="add", content="→é")
    assert (over.ok, over.result["current_entries"], over.result["usage"]) == (False, ["é"], "1/5")


def test_target_is_required_by_one(host: Host, played) -> None:
    """A null target means the index on 0.19 and is an error on 0.22."""
    assert played(target=None, action="add", content="q").ok is not host.defers


def test_wrong_types_change_nothing(host: Host, played) -> None:
    """A content of a wrong type or a lone surrogate raises in the store and leaves the file alone."""
    for content, error in ((5, "AttributeError"), ("\ud800", "UnicodeEncodeError")):
        done = played(action="add", content=content)
        assert (done.error, done.after) == (error, CANONICAL.encode())
