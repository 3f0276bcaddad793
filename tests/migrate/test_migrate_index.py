"""The plan for a file that is an index already: an older form, faulty lines, prose between the lines."""

from __future__ import annotations

import pytest
from memory_shaper import grammar
from memory_shaper.errors import Refused
from memory_shaper.migrate.memory import Aim, is_index, plan_index
from memory_shaper.model import Folder
from migrate_tools import HEADING, index_plan, prose_plan, shelf

GIT = "git,rebase,squash,commit,branch → git.md"
TEA = "!tea,oolong,kettle,leaves,steep → tea.md"
OLD = f"# My memory\nkeyword,keyword,keyword → file.md\n\n{GIT}\n{TEA}\n"


def test_the_older_form_becomes_canonical() -> None:
    """Header and template line give way to the heading, marks and lines stay."""
    assert index_plan(OLD, "git.md", "tea.md").index == f"{HEADING}\n§\n{GIT}\n§\n{TEA}\n"


def test_a_heading_with_the_routing_rule_stays() -> None:
    """A user's own words are not replaced where they say what the lines are for."""
    text = OLD.replace("# My memory", "# Routing table of Ann")
    assert index_plan(text, "git.md", "tea.md").index.startswith("# Routing table of Ann\n§\n")


def test_faulty_lines_of_the_older_form_stay() -> None:
    """Prose, a line without its file, a line with a bad arrow target: all are still there."""
    text = OLD + "prose between\nrust,cargo → ../x.md\n"
    plan = index_plan(text, "git.md", "tea.md", move_prose=False)
    assert plan.topics == ()
    assert "prose between" in plan.index
    assert "rust,cargo → ../x.md" in plan.index


def test_prose_of_an_index_becomes_a_topic() -> None:
    """Its lines stay where they are, faulty entries too; prose gets a file and a line."""
    prose = "The heron server needs a restart after each kernel update."
    plan = index_plan(f"{HEADING}\n§\n{GIT}\n§\n{prose}\n§\nbroken → x y.md", "git.md")
    assert [one.data.decode() for one in plan.topics] == [prose + "\n"]
    assert plan.index.startswith(f"{HEADING}\n§\n{GIT}\n§\nbroken → x y.md\n§\n")
    assert plan.index.endswith(f" → {plan.topics[0].name}")


def test_the_least_read_lines_make_room_for_the_delimiters() -> None:
    """A newline index that just fitted is too large in canonical form: the coldest unmarked line goes."""
    lines = [f"{'!' if n == 0 else ''}{','.join(f'w{n}x{k}' for k in range(5))} → t{n}.md" for n in range(10)]
    text = "\n".join([HEADING, *lines])
    files = [f"t{n}.md" for n in range(10)]
    plan = plan_index(shelf(text, *files), Aim(HEADING, len(text)), {name: 5 for name in files if name != "t4.md"})
    targets = [entry.target for _, entry in grammar.parse(plan.index).entries()]
    assert plan.moves == (("t4.md", "t4.md"),)
    assert targets == [name for name in files if name != "t4.md"]
    assert "t4.md" in plan.archive


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (OLD, True),
        ("dev, staging → prod.md is the order", False),
        ("Build first, then ship → notes.md", False),
        (GIT, True),
        ("tea,git → gone.md", False),
        ("tea,oolong → tea.md", True),
        ("## Schedule\n- Daily: website check\n- Weekly: backup", False),
        ("# Memory index: a routing table", True),
        ("", False),
    ],
)
def test_prose_with_arrows_is_no_index(text: str, expected: bool) -> None:
    """Only our heading, a line with its file or with the keywords of an entry make a text an index."""
    assert is_index(text, Folder(frozenset({"tea.md"}))) is expected


def test_two_versions_in_one_file_are_refused() -> None:
    """Merge markers are for `merge`."""
    with pytest.raises(Refused, match=":2: a merge marker"):
        prose_plan("one\n<<<<<<< HEAD\ntwo\n=======\nthree\n>>>>>>> other")
