"""Our twin of the host's store against both real stores, on thousands of random indexes and calls."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path

import pytest
from hosts.conftest import host as store_of
from hosts.harness import Host, make_home
from hosts.stores import Case, Played, play
from memory_shaper import grammar, host
from memory_shaper.guard import draft
from memory_shaper.guard.memory_call import read_memory_call

real = store_of  # the fixture of tests/hosts, one run a host
ROUNDS = 800
OURS_ONLY = ("the patched entry would begin or end with a blank",)
TEXT_PIECES = [
    "\n§\n", "\n§\n", "\n§\n", "§", "\n", "\r\n", "\r", " ", "\u3000", "\x1c", "\x85", "\u2028", "a", "b", "ab", "a b",
    "“a”", '"a"', "a–b", "a-b", "it's", "\\n", "# h", "a,b → x.md", "é", "e\u0301", "部署", "`a`", "\ufeff", "z",
]  # fmt: skip
WORDS = [
    "a", "b", "ab", "a b", "a  b", " a", "a ", '"a"', "“a”", "a-b", "a—b", "it‘s", "zz", "§", "é", "e\u0301", "A", "-",
    "x.md", "a,b → x.md", "部", "\\n", "a\nb", "h", "new", "q", "",
]  # fmt: skip


def text_of(rng: random.Random) -> str:
    return "".join(rng.choice(TEXT_PIECES) for _ in range(rng.randrange(0, 14)))


def operation_of(rng: random.Random) -> dict[str, str]:
    action = rng.choice(["add", "replace", "patch", "remove"])
    fields = {"old_text": rng.choice(WORDS), "content": rng.choice(WORDS)}
    return {"action": action} | {name: value for name, value in fields.items() if rng.random() < 0.9}


def arguments_of(rng: random.Random) -> dict[str, object]:
    if rng.random() < 0.6:
        return {"target": "memory", **operation_of(rng)}
    return {"target": "memory", "operations": [operation_of(rng) for _ in range(rng.randrange(1, 4))]}


def played(real: Host, folder: Path, cases: Iterable[Case]) -> list[Played]:
    return play(real, make_home(folder, plugins=()), cases)


def test_same_entries(real: Host, tmp_path: Path) -> None:
    """Behind any text, an added line finds the entries that we say the store loads; at most a byte order mark apart."""
    rng = random.Random(1)
    texts = [text_of(rng) for _ in range(ROUNDS)]
    add = {"target": "memory", "action": "add", "content": "appended"}
    ours = [host.join([*host.entries(text), "appended"]) for text in texts]
    theirs = [one.after.decode() for one in played(real, tmp_path, [Case(text.encode(), add, 10**6) for text in texts])]
    for text, mine, seen in zip(texts, ours, theirs, strict=True):
        without_mark = host.join([*host.entries(text.removeprefix("\ufeff")), "appended"])
        assert seen == (without_mark if real.defers else mine)


def test_same_size(real: Host, tmp_path: Path) -> None:
    """A line fits exactly as long as our size, the join and the line are within the limit."""
    rng = random.Random(2)
    texts = [text_of(rng).replace("\ufeff", "") for _ in range(ROUNDS)]
    add = {"target": "memory", "action": "add", "content": "12345"}
    room = [host.size(text) + (3 if host.size(text) else 0) + 5 for text in texts]
    fits = played(real, tmp_path, [Case(text.encode(), add, limit) for text, limit in zip(texts, room, strict=True)])
    assert {one.ok for one in fits} == {True}
    tight = [Case(text.encode(), add, limit - 1) for text, limit in zip(texts, room, strict=True)]
    assert {one.ok for one in played(real, tmp_path, tight)} == {False}


def test_same_drift(real: Host, tmp_path: Path) -> None:
    """Where we say that a text drifts the older store refuses to edit it, where we say it does not neither refuses."""
    rng = random.Random(3)
    texts = [f"{text_of(rng)}\n§\nneedle" for _ in range(ROUNDS)]
    remove = {"target": "memory", "action": "remove", "old_text": "needle"}
    limits = [rng.choice([8, 20, 2200]) for _ in texts]
    cases = [Case(text.encode(), remove, limit) for text, limit in zip(texts, limits, strict=True)]
    for text, limit, one in zip(texts, limits, played(real, tmp_path, cases), strict=True):
        if host.drifts(text, limit):
            assert real.defers or not one.ok
        else:
            assert one.ok, (text, one.result)


def test_same_play(real: Host, tmp_path: Path) -> None:
    """A call that we play leaves what the store leaves; one that we refuse is refused, or leaves trailing blanks."""
    rng = random.Random(4)
    texts = [grammar.canonical(text_of(rng).replace("\ufeff", "")).strip() for _ in range(ROUNDS * 2)]
    calls = [arguments_of(rng) for _ in texts]
    cases = [Case(text.encode(), call, 10**6) for text, call in zip(texts, calls, strict=True)]
    counted = {"same": 0, "both refuse": 0, "only we refuse": 0}
    for text, arguments, one in zip(texts, calls, played(real, tmp_path, cases), strict=True):
        outcome = compare(real, text, arguments, one)
        counted[outcome] += 1
    assert counted["same"] > ROUNDS / 3, counted


def compare(real: Host, text: str, arguments: dict[str, object], one: Played) -> str:
    """How our play of a call and the store's went together; the assertion holds for every single one."""
    call = read_memory_call(arguments)
    assert call is not None
    try:
        after = draft.play(call, grammar.parse(text))[0].after
    except draft.CannotPlay as problem:
        assert not one.ok or problem.reason in OURS_ONLY, json.dumps([text, arguments, problem.reason])
        return "only we refuse" if one.ok else "both refuse"
    if one.ok:
        assert after == host.join(host.entries((one.after or b"").decode())), json.dumps([text, arguments])
        return "same"
    assert not_offered(real, arguments, one), json.dumps([text, arguments, one.result])
    return "both refuse"


def not_offered(real: Host, arguments: dict[str, object], one: Played) -> bool:
    """Whether the store refused for a reason of its own: the other host's action, step or matching."""
    operations = arguments.get("operations") or [arguments]
    actions = {operation["action"] for operation in operations}  # type: ignore[index,union-attr]
    if real.defers:
        return "replace" in actions or "empty" in str(one.result)
    said = str(one.result).lower()
    return "patch" in actions or "no entry matched" in said or "multiple" in said


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("", []), ("\n \n", []), ("a", ["a"]), ("a\r\n§\r\nb\r", ["a", "b"]), ("§\na", ["§\na"]), ("a\n§", ["a\n§"]),
        ("a\n§\n§\nb", ["a", "§\nb"]), ("a\n§\n\n§\nb", ["a", "b"]), ("a\n§\nb\n§\na", ["a", "b"]),
        ("\u3000a\x1c\n§\n\x85", ["a"]), ("\ufeff\na", ["\ufeff\na"]), ("a\n §\nb", ["a\n §\nb"]),
    ],
)  # fmt: skip
def test_entries(text: str, entries: list[str]) -> None:
    """The host splits at lone delimiters, strips, and drops what is empty or there already."""
    assert entries == host.entries(text)


@pytest.mark.parametrize(("text", "size"), [("", 0), ("  ", 0), ("中→", 2), ("a\r\n§\r\nb", 5), ("a\n§\na", 1)])
def test_size_is_in_code_points(text: str, size: int) -> None:
    """Joins count three, repeats and outer blanks nothing."""
    assert size == host.size(text)


@pytest.mark.parametrize(
    ("old_text", "outcome"),
    [("c,d → y.md", 1), ("c,d", 1), ("a", host.Ambiguous), ("zzz", host.NoMatch), ("A,B", host.NoMatch),
     ("it's x–y", 2), ("—", host.NoMatch), ("a,b → x.md", 0)],
)  # fmt: skip
def test_find(old_text: str, outcome: object) -> None:
    """A whole entry is found before a part, a part before a folded part, and nothing is guessed."""
    entries = ["a,b → x.md", "c,d → y.md", "it‘s  x-y", "a,b → x.md.a"]
    if isinstance(outcome, int):
        assert outcome == host.find(entries, old_text)
    else:
        with pytest.raises(outcome):
            host.find(entries, old_text)


@pytest.mark.parametrize(("span", "new"), [("x", "y"), ("a", "b"), ("aa", "b"), ("b c", "b c")])
def test_patch_needs_one_span_and_a_change(span: str, new: str) -> None:
    """A patch whose span is missing, occurs twice (also overlapping) or is not changed is refused."""
    with pytest.raises(host.HostRefuses):
        host.patch("aaa b c", span, new)
