"""What the tests of a migration share: forty prose entries, forty questions, and a plan made without a home."""

from __future__ import annotations

import re
from pathlib import Path

from memory_shaper import host
from memory_shaper.archive import Shelf
from memory_shaper.migrate.memory import Aim, plan_index, plan_prose
from memory_shaper.migrate.parts import Plan
from memory_shaper.model import Folder

_FIXTURES = Path(__file__).parent / "migrate" / "fixtures"
FORTY = (_FIXTURES / "forty.md").read_text(encoding="utf-8")
# Those without Chinese, for which no dictionary of Chinese has to be loaded.
ENGLISH = host.join(part for part in host.parts(FORTY) if not re.search("[一-鿿]", part))
# (a part of the entry that answers, the question)
QUESTIONS = [row.split(" | ") for row in (_FIXTURES / "questions.txt").read_text(encoding="utf-8").splitlines()]
HEADING = "# Memory index: a routing table"


def shelf(text: str, *files: str, archived: str = "") -> Shelf:
    """An index, and the names of topic files beside it."""
    return Shelf(text, archived, Folder(frozenset({"MEMORY.md", *files})), Folder())


def prose_plan(text: str, cap: int = host.DEFAULT_CAP) -> Plan:
    """The plan for a prose memory in an empty folder."""
    return plan_prose(shelf(text), Aim(HEADING, cap))


def index_plan(text: str, *files: str, cap: int = host.DEFAULT_CAP, move_prose: bool = True) -> Plan:
    """The plan for an index beside these topic files."""
    return plan_index(shelf(text, *files), Aim(HEADING, cap, None, move_prose))


def after(plan: Plan) -> Folder:
    """The memories folder as it is once the plan is carried out."""
    return Folder(frozenset({"MEMORY.md", *(one.name for one in plan.topics if not one.archived)}))
