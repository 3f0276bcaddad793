"""Names of files: what may be a target, what is an editor's or a sync service's, and which spellings are one name."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper import names


@pytest.mark.parametrize(
    "name",
    ["a.md", "deploy-pipeline.md", "a.b.md", "c++.md", "部署.md", "é.md", "e\u0301.md", "x_y.md", "1.md", "console.md",
     "com.md", "com10.md", "memory-2.md", "my-memory.md", "x.md.md", "README.md", "archived.md", "(x).md", "a&b.md"],
)  # fmt: skip
def test_good_targets(name: str) -> None:
    """Bare, visible markdown names that every system can hold may be targets, in any script."""
    assert names.fault(name) == ""


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../x.md", "is a path"), ("a/x.md", "is a path"), ("a\\x.md", "is a path"), ("~x.md", "is a path"),
        ("~/x.md", "is a path"), ("MEMORY.md", "system"), ("memory.MD", "system"), ("User.md", "system"),
        ("archived-memories.md", "system"), ("x.MD", "does not end"), ("x.txt", "does not end"), ("", "does not end"),
        (".md", "hidden"), (".x.md", "hidden"), ("..md", "hidden"), ("-rf.md", "option"), ("a b.md", "blank"),
        ("a\u3000b.md", "blank"), ("a\n.md", "blank"), ("a:b.md", "not every system"), ("a\0.md", "not every system"),
        ("a?.md", "not every system"), ("a→b.md", "not every system"), ("a,b.md", "not every system"),
        ("a§.md", "not every system"), ("a\u202e.md", "invisible"), ("a\u200b.md", "invisible"), ("\ud800.md",
        "invisible"),
        ("con.md", "Windows"), ("NUL.txt.md", "Windows"), ("lpt1.md", "Windows"), ("com¹.md", "Windows"),
        ("x..md", "Windows"), ("x" * 198 + ".md", "longer"), ("部" * 67 + ".md", "longer"),
    ],
)  # fmt: skip
def test_bad_targets(name: str, why: str) -> None:
    """Each name that cannot be a target is refused for its own reason."""
    assert why in names.fault(name)


@given(st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_+.-]{0,8}\.md", fullmatch=True))
def test_the_short_way_agrees(name: str) -> None:
    """Plain names are judged the same by the quick look and the long one."""
    slow = names._unportable(name) if not names.is_system(name) else "system"
    assert bool(slow) is bool(names.fault(name))


@given(st.text(st.characters(), max_size=12))
def test_no_name_breaks_anything(name: str) -> None:
    """Any text can be asked about, and one spelling stays one spelling."""
    names.fault(name), names.is_topic(name), names.is_dropping(name), names.conflict_copy_of(name, {name})
    assert names.same(unicodedata.normalize("NFC", name)) == names.same(unicodedata.normalize("NFD", name))
    assert names.same(name) == names.same(name.swapcase()) or not name.isascii()


@pytest.mark.parametrize(
    ("one", "other"), [("É.md", "e\u0301.MD"), ("STRASSE.md", "straße.md"), ("İ.md", "i̇.md"), ("Ω.md", "ω.md")]
)
def test_spellings_of_one_name(one: str, other: str) -> None:
    """Case and Unicode form do not make another name."""
    assert names.same(one) == names.same(other)


@pytest.mark.parametrize(
    ("name", "original"),
    [
        ("MEMORY.sync-conflict-20260921-101010-ABCDEFG.md", "MEMORY.md"),
        ("deploy (conflicted copy 2026-09-21).md", "deploy.md"), ("deploy_conflict-20260921.md", "deploy.md"),
        ("MEMORY (Bob's conflicted copy).md", "MEMORY.md"), ("deploy 2.md", "deploy.md"), ("x (Bob 冲突).md", "x.md"),
        ("deploy_BACKUP_123.md", "deploy.md"), ("deploy 2.md.txt", ""), ("step 2.md", ""), ("deploy-2.md", ""),
        ("conflict.md", ""), ("conflict-resolution.md", ""), ("deploy 200.md", ""), ("merge-conflict-2026.md", ""),
        ("LOCAL.md", ""), ("backup-plan.md", ""), ("deploy.md", ""),
    ],
)  # fmt: skip
def test_conflict_copies(name: str, original: str) -> None:
    """Copies of the known sync services are told from topics whose name only sounds like one."""
    assert original == names.conflict_copy_of(name, frozenset({"deploy.md", name}))


@pytest.mark.parametrize(
    ("name", "topic"),
    [
        ("a.md", True), ("A.MD", True), ("部署.md", True), ("a b.md", True), (".a.md", False), ("a.md~", False),
        ("#a.md#", False), ("4913", False), ("a.tmp", False), (".~lock.a.md#", False), ("a.md.bak.1767225600", False),
        ("MEMORY.md.bak-20260101", False), ("MEMORY.md", False), ("user.md", False), ("README.md", False),
        ("a.txt", False),
        (".a.md.icloud", False), ("a.md.lock", False), ("deploy 2.md", False), ("step 2.md", True), ("2026.md", True),
    ],
)  # fmt: skip
def test_topics(name: str, topic: bool) -> None:
    """Topic files are markdown files that nobody's tool left there."""
    assert topic is names.is_topic(name, frozenset({"deploy.md"}))
