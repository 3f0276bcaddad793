"""The documents say what is so: links resolve, and pages made from tables are current."""

import re
from pathlib import Path

import pytest
from memory_shaper.cli import VERBS
from memory_shaper.cli.docs import settings_page
from memory_shaper.recall.cases import read_cases
from memory_shaper.settings import PATTERNS, Home, load
from memory_shaper.yamlfile import parse_whole

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^```yaml\n(.*?)^```", re.DOTALL | re.MULTILINE)
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


def yaml_blocks() -> list[str]:
    """The YAML in the documents, front matter of notes left out."""
    blocks = [block for page in PAGES for block in BLOCK.findall(page.read_text("utf-8"))]
    return [block for block in blocks if not block.startswith("---")]


@pytest.mark.parametrize("block", yaml_blocks())
def test_samples_of_config_are_valid(tmp_path: Path, block: str) -> None:
    """Every sample is YAML; one with our settings is read without a fault, and one with tests as tests."""
    tree = parse_whole(block)
    home = Home(tmp_path, "given")
    home.config.write_text(block, "utf-8")
    settings = load(home, {})
    entries = tree.get("plugins", {}).get("entries", {})
    for name, value in entries.get("memory-shaper", {}).get("settings", {}).items():
        assert name in PATTERNS or settings[name] == value
    assert settings.notes == ()
    if "tests" in tree:
        assert read_cases(tree)


def test_there_are_samples_of_config() -> None:
    """The test above has something to look at."""
    assert sum("memory-shaper:" in block for block in yaml_blocks()) >= 3
