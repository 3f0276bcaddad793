"""What the hosts' own memory stores do to an index."""

from pathlib import Path

from hosts.endpoint import ask, say
from hosts.harness import Host, make_home, session
from hosts.stores import Case, play

LINES = ("# Index", "a,b → x.md", "c,d → y.md")
NEWLINES = "\n".join(LINES)
CANONICAL = "\n§\n".join(LINES)
REMOVE_A = {"action": "remove", "target": "memory", "old_text": "a,b"}
ADD = {"action": "add", "content": "q"}
DROP = {"action": "remove", "old_text": "q"}


def test_native_edits_of_both_forms(host: Host, tmp_path: Path) -> None:
    """One native removal of one line erases a newline index as a success; of a canonical index it takes that line."""
    home = make_home(tmp_path, {"MEMORY.md": NEWLINES, "other.md": CANONICAL}, plugins=())
    look, copy = (
        ("terminal", {"command": f"cd {home.memories} && {do}"}) for do in ("cat MEMORY.md", "cp other.md MEMORY.md")
    )
    remove = ("memory", REMOVE_A)
    done = session(
        host,
        home,
        [ask(remove), ask(look), ask(copy), ask(remove), ask(("memory", {"target": "memory", **ADD})), say("")],
    )
    erased, seen, _, removed, added = (result.data for result in done.results)
    assert (erased["success"], seen["output"], removed["success"], added["success"]) == (True, "", True, True)
    assert home.index.read_text() == "# Index\n§\nc,d → y.md\n§\nq"
    assert NEWLINES in done.system


def case(text: str, limit: int = 2200, **arguments: object) -> Case:
    return Case(text.encode(), {"target": "memory", **arguments}, limit)


BOTH = {
    "add strips": (case("a", action="add", content=" b \n"), "a\n§\nb"),
    "add of an entry writes nothing": (case("a\n", action="add", content="a"), "a\n"),
    "add skips the check for drift": (case("a\n§\n\nb", action="add", content="c"), "a\n§\nb\n§\nc"),
    "carriage returns and duplicates go": (case("a\r\n§\r\nb\r\n§\r\na", action="remove", old_text="b"), "a"),
    "remove may empty": (case("a", action="remove", old_text="a"), ""),
    "remove beats the cap": (case("aaaaa\n§\nbbbbb", 5, action="remove", old_text="b"), "aaaaa"),
    "full to the last character": (case("é", 6, action="add", content="→é"), "é\n§\n→é"),
    "batch sees itself": (case("a", operations=[ADD, DROP], action="remove", old_text="a"), "a"),
    "empty batch is none": (case("a", operations=[], **ADD), "a\n§\nq"),
    "batch skips a duplicate": (case("q", operations=[ADD]), "q"),
}
REFUSED_BY_BOTH = {
    "one over the cap": case("é", 5, action="add", content="→é"),
    "two entries match": case("ab\n§\nac", action="remove", old_text="a"),
    "nothing matches": case("a", action="remove", old_text="A"),
    "old text of two entries": case("a\n§\nb", action="remove", old_text="a\n§\nb"),
    "an entry over the cap": case("xxxxxxxxx\n§\ny", 5, action="remove", old_text="y"),
    "a batch with a failing step": case("a", operations=[ADD, {"action": "remove", "old_text": "zzz"}]),
    "a batch still over the cap": case("aaaa\n§\nbbbb\n§\nc", 6, operations=[{"action": "remove", "old_text": "c"}]),
    "unknown action": case("a", action="append", content="b"),
    "content of a wrong type": case("a", action="add", content=5),
    "a lone surrogate": case("a", action="add", content="\ud800"),
    "a hidden sign": case("a", action="add", content="b\u200dc"),
}
EDIT_19, EDIT_22 = (
    {"action": "replace", "old_text": "b", "content": "new"},
    {"action": "patch", "old_text": "b", "content": "new"},
)
ONLY_19 = {
    "replace takes the whole entry": (case("a b\n§\nc", **EDIT_19), "new\n§\nc"),
    "null target": (Case(b"a", {"target": None, **ADD}), "a\n§\nq"),
    "batch may empty": (case("q", operations=[DROP]), ""),
    "target of a step is ignored": (case("a", operations=[{**ADD, "target": "user"}]), "a\n§\nq"),
}
ONLY_22 = {
    "patch takes the span": (case("a b\n§\nc", **EDIT_22), "a new\n§\nc"),
    "patch does not strip": (case("tea b", action="patch", old_text="b", content="c \n"), "tea c \n"),
    "whole entry beats substring": (case("t\n§\nthat", action="remove", old_text="t"), "that"),
    "typographic signs fold": (case("a “q” – b\n§\nc", action="remove", old_text='a "q" - b'), "c"),
    "layout is no drift": (case("a\n§\n\nb\n§\nc\n§\n", action="remove", old_text="b"), "a\n§\nc"),
    "batch as text": (case("a", operations='[{"action": "add", "content": "q"}]'), "a\n§\nq"),
    "alias of content": (case("a", action="add", new_text="q"), "a\n§\nq"),
    "unscanned alias in a batch": (case("a", operations=[{"action": "add", "new_text": "b\u200dc"}]), "a\n§\nb\u200dc"),
}


def test_what_the_stores_do(host: Host, tmp_path: Path) -> None:
    """Each accepted call leaves the file as foretold; what only the other host accepts changes nothing here."""
    mine, theirs = (ONLY_22, ONLY_19) if host.defers else (ONLY_19, ONLY_22)
    accepted = BOTH | mine
    refused = REFUSED_BY_BOTH | {name: one for name, (one, _) in theirs.items()}
    played = play(host, make_home(tmp_path, plugins=()), [*(one for one, _ in accepted.values()), *refused.values()])
    outcomes = dict(zip([*accepted, *refused], ((one.ok, one.after) for one in played), strict=True))
    assert outcomes == {name: (True, after.encode()) for name, (_, after) in accepted.items()} | {
        name: (False, one.text) for name, one in refused.items()
    }
