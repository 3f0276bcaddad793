"""What makes a change of a guarded file damage, and what is a valid edit."""

from __future__ import annotations

import pytest
from memory_shaper import grammar, host
from memory_shaper.guard.damage import critical, damage
from memory_shaper.model import Folder
from tools import CANONICAL, ENTRIES, FOLDER, HEADING, NEWLINES

CRITICAL, PINNED, JAVA, PYTHON = ENTRIES
NEW = "docker,compose,volumes,network,restart → new-topic.md"


def change(before: str | None, after: str | None, folder: Folder = FOLDER, cap: int | None = 2200) -> str:
    """Why going from one text to the other is damage."""
    return damage(before, after, FOLDER, folder, cap)


@pytest.mark.parametrize(
    ("after", "why"),
    [
        (None, "vanished"), ("", "entries-lost: 4"), ("\n".join(HEADING), "entries-lost: 4"),
        (CANONICAL.replace(f"\n§\n{JAVA}", ""), "entries-lost: 1"),
        (CANONICAL.replace("java-performance.md", "new-topic.md"), "entries-lost: 1"),
        (CANONICAL.replace(HEADING[0], "# Another"), "heading-changed"),
        (CANONICAL.replace(f"{HEADING[0]}\n", ""), "heading-changed"),
        (host.join(ENTRIES), "heading-changed"),
        (CANONICAL.replace("!!how", "!how"), "critical-changed: 1"),
        (CANONICAL.replace("!!how,write", "!!how,read"), "critical-changed: 1"),
        (f"{CANONICAL}\n§\nBob likes tea.", "not-an-entry: 1"),
        (f"{CANONICAL}\n§\n{NEW}\nprose", "form-newline-only: 2"),
        (f"{CANONICAL}\n§\n{NEW.replace('new-topic', 'gone')}", "target-missing: 1"),
        (f"{CANONICAL}\n§\n{JAVA.replace('jvm', 'jre')}", "target-repeated: 1"),
        (f"{CANONICAL}\n§\n<<<<<<< HEAD", "merge-markers: 1"),
        (CANONICAL.replace("java,", "Java,"), "keyword-case: 1"),
        (CANONICAL.replace("java,", "ja\u200bva,"), "keyword-shape: 2"),
        (f"{CANONICAL}\n§\n{'k' * 65},b,c,d,e → new-topic.md", "keyword-shape: 2"),
    ],
)  # fmt: skip
def test_damage(after: str | None, why: str) -> None:
    """A lost entry, a changed heading or `!!` line, and any new error are damage."""
    assert why.partition(":")[0] == change(CANONICAL, after).partition(":")[0]


@pytest.mark.parametrize(
    "after",
    [
        CANONICAL, CANONICAL + "\n", CANONICAL.replace("\n", "\r\n"), f"{CANONICAL}\n§\n{NEW}",
        CANONICAL.replace("jmx", "zgc"), host.join(["\n".join(HEADING), CRITICAL, PYTHON, JAVA, PINNED]),
        CANONICAL.replace("!project", "project"), CANONICAL.replace(HEADING[0], HEADING[0] + " "),
        f"{CANONICAL}\n§\n{NEW.replace('compose', 'the')}", "\ufeff" + CANONICAL,
    ],
)  # fmt: skip
def test_valid_changes(after: str) -> None:
    """An editor's save, a new order, new words, other line ends and warnings are edits."""
    assert change(CANONICAL, after) == ""


def test_putting_into_canonical_form_is_no_damage() -> None:
    """The step from the newline form to the canonical one is valid, the way back is not."""
    assert change(NEWLINES, CANONICAL) == ""
    assert change(CANONICAL, NEWLINES).startswith("form-newline-only")


def test_old_faults_are_no_damage() -> None:
    """A file with faults stays as faulty as it was without anybody being blamed."""
    faulty = f"{CANONICAL}\n§\nprose\n§\nA,b -> gone.md"
    assert change(faulty, f"{faulty}\n§\n{NEW}") == ""
    assert change(faulty, f"prose 2\n§\n{faulty}".replace("prose 2\n§\n", "")) == ""


def test_a_folder_that_lost_a_file_is_not_blamed_twice() -> None:
    """A topic file that was missing before is an old fault; one that went with this change is a new error."""
    without = Folder(FOLDER.files - {"python-env.md"})
    assert damage(CANONICAL, CANONICAL, without, without, 2200) == ""
    assert change(CANONICAL, CANONICAL, without).startswith("target-missing")


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        (None, "", ""), (None, "anything", ""), ("", None, ""), ("", "prose", ""), (" \n", "", ""),
        ("tea\n§\ncats", "tea", ""), ("tea\n§\ncats", "", "vanished"), ("tea", None, "vanished"), ("tea",
        " \n", "vanished"),
        ("tea", CANONICAL, ""),
    ],
)  # fmt: skip
def test_what_was_no_index_can_only_be_wiped_out(before: str | None, after: str | None, why: str) -> None:
    """A missing, empty or prose memory may become anything but nothing."""
    assert why == change(before, after)


def test_over_the_cap() -> None:
    """Growing over the cap is damage; an archive index has no cap."""
    grown = f"{CANONICAL}\n§\n{NEW}"
    assert change(CANONICAL, grown, cap=host.size(CANONICAL) + 5) == "over-cap: 1"
    assert change(CANONICAL, grown, cap=None) == ""


def test_critical_lines() -> None:
    """The `!!` lines are the entries with that mark."""
    assert [str(entry) for entry in critical(grammar.parse(CANONICAL))] == [CRITICAL]
