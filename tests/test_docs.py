"""The documents say what is so: links resolve, and pages made from tables are current."""

import re
from pathlib import Path

import pytest
from memory_shaper.cli import VERBS
from memory_shaper.cli.docs import settings_page

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)#]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_resolve(page: Path) -> None:
    """Every link to a file of the project leads to one."""
    links = [link for link in LINK.findall(page.read_text("utf-8")) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_page_of_settings_is_current() -> None:
    """docs/settings.md is what the table of settings makes of it."""
    assert settings_page() == (ROOT / "docs" / "settings.md").read_text("utf-8")


def test_the_readme_names_verbs_that_exist() -> None:
    """Each `memory-shaper VERB` of the README is a verb."""
    named = set(re.findall(r"^    memory-shaper (\w+)", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE))
    assert named and named <= set(VERBS)


def test_the_project_speaks_of_itself_alone() -> None:
    """No page or module names a path of the machine it was written on."""
    files = [*PAGES, *(ROOT / "plugin").rglob("*.py"), *(ROOT / "scripts").glob("*.py")]
    assert [file.name for file in files if re.search(r"/work/|/tmp/hosts", file.read_text("utf-8"))] == []
