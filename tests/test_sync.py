"""The memories folder on several machines: real git, git-crypt where it is there, and what sync services leave."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from cli_tools import CRITICAL, DEPLOY, HEADING, POSTGRES, RIME, Demo, demo
from memory_shaper import grammar, rules
from recall_tools import age
from tools import PACKAGE, REPOSITORY, errors

SAMPLES = REPOSITORY / "examples" / "sync"
DRIVER = f'"{sys.executable}" -m memory_shaper merge --driver %O %A %B'
TEA = "tea,oolong,kettle,pot,cup → tea.md"
BIKE = "bicycle,tyre,brake,chain,saddle → bike.md"
ENV = {
    "PYTHONPATH": str(PACKAGE), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "PATH": os.environ["PATH"],
    "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.org",
    "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.org",
}  # fmt: skip


@dataclass(frozen=True)
class Clone:
    """A Hermes home that is a clone of a repository, with a memory in it."""

    home: Demo

    def git(self, *words: str, code: int = 0) -> str:
        """Run git here; its output."""
        env = ENV | {"HOME": str(self.home.path)}
        done = subprocess.run(["git", *words], cwd=self.home.path, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def learn(self, line: str) -> None:
        """Add a fact: its file and its line."""
        name = line.rpartition(" → ")[2]
        (self.home.memories / name).write_text(f"# {name}\n")
        assert self.home.say("add", line).code == 0
        self.commit()

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", "x")

    def pull(self, code: int = 0) -> None:
        self.git("pull", "-q", "--no-rebase", "--no-edit", code=code)

    @property
    def entries(self) -> list[str]:
        """The parts of the index, each of which has to be an entry of its own."""
        return self.home.text().rstrip("\n").split("\n§\n")


def first(folder: Path, driver: bool = True) -> Clone:
    """A home in a repository, as docs/sync.md makes it."""
    home = demo(folder / "one")
    clone = Clone(home)
    clone.git("init", "-q", "-b", "main")
    for name in ("gitignore", "gitattributes"):
        shutil.copy(SAMPLES / name, home.path / f".{name}")
    set_up(clone, driver)
    return clone


def set_up(clone: Clone, driver: bool) -> None:
    if driver:
        clone.git("config", "merge.memory-shaper.driver", DRIVER)


def second(one: Clone, folder: Path, driver: bool = True) -> Clone:
    """A clone of the first one; each pulls from the other."""
    path = folder / "two" / "home"
    path.parent.mkdir()
    one.git("clone", "-q", str(one.home.path), str(path))
    two = Clone(Demo(path))
    one.git("remote", "add", "origin", str(path))
    one.git("config", "branch.main.remote", "origin")
    one.git("config", "branch.main.merge", "refs/heads/main")
    set_up(two, driver)
    return two


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Clone, Clone]:
    """Two machines with the same memory."""
    one = first(tmp_path)
    one.commit()
    return one, second(one, tmp_path)


def test_a_fact_is_one_line_and_one_file(pair: tuple[Clone, Clone]) -> None:
    """Adding a fact adds its line and its delimiter to the index, and its file; every other line stays as it is."""
    one, _ = pair
    before = one.home.text().split("\n")
    one.learn(TEA)
    assert one.home.text().split("\n") == [*before, "§", TEA]
    assert one.git("diff", "--name-status", "HEAD~1").split("\n")[:-1] == [
        "M\tmemories/MEMORY.md",
        "A\tmemories/tea.md",
    ]


def test_nothing_but_memories_is_committed(pair: tuple[Clone, Clone]) -> None:
    """Record, sidecar, locks, temporary files and the host's own files stay at home."""
    one, _ = pair
    one.home.say("search", "deploy")
    (one.home.path / "state.db").touch()
    (one.home.path / "config.yaml").touch()
    for name in ("MEMORY.md.lock", ".mem_x.tmp", "deploy.sync-conflict-20260921-101010-ABCDEFG.md"):
        (one.home.memories / name).touch()
    one.learn(TEA)
    assert (one.home.path / "plugin-data" / "memory-shaper" / "sidecar.db").exists()
    kept = set(one.git("ls-files").split("\n")[:-1])
    topics = {f"memories/{name}.md" for name in ("MEMORY", "deploy", "postgres", "rime", "rules", "tea")}
    assert kept == {".gitattributes", ".gitignore", *topics}


def test_two_machines_each_add_a_line(pair: tuple[Clone, Clone]) -> None:
    """Both lines are there, each an entry of its own, without a conflict and without a finding; both sides agree."""
    one, two = pair
    one.learn(TEA)
    two.learn(BIKE)
    two.pull()
    one.pull()
    for clone in pair:
        assert set(clone.entries) == {HEADING, CRITICAL, DEPLOY, POSTGRES, RIME, TEA, BIKE}
        assert clone.home.say("verify").code == 0
    assert one.home.text() == two.home.text()


def test_gits_own_union_would_not_do(pair: tuple[Clone, Clone]) -> None:
    """merge=union puts two lines into one entry of the host, which is why there is a driver."""
    one, two = pair
    attributes = one.home.path / ".gitattributes"
    attributes.write_text(attributes.read_text().replace("merge=memory-shaper", "merge=union"))
    one.commit()
    two.pull()
    one.learn(TEA)
    two.learn(BIKE)
    two.pull()
    assert "form-newline-only" in errors(two.home.text())


def test_order_marks_and_keywords_of_both(pair: tuple[Clone, Clone]) -> None:
    """One side archives and reorders, the other changes a line and a mark: all of it holds."""
    one, two = pair
    one.home.index.write_text(
        "\n§\n".join([HEADING, CRITICAL, RIME, DEPLOY, POSTGRES.replace("vacuum", "vacuum,index")])
    )
    one.commit()
    two.home.say("mark", "postgres.md", "pinned")
    two.home.say("archive", "rime.md")
    two.learn(TEA)
    two.pull()
    assert two.entries == [HEADING, CRITICAL, DEPLOY, "!" + POSTGRES.replace("explain", "explain,index"), TEA]
    assert two.home.say("verify").code == 0


def test_topics_are_merged_as_text(pair: tuple[Clone, Clone]) -> None:
    """Two edits at different places of a topic file come together line by line."""
    one, two = pair
    (one.home.memories / "deploy.md").write_text("# deploy\n\nfirst\n\nmiddle\n\nlast\n")
    one.commit()
    two.pull()
    for clone, old, new in ((one, "first", "FIRST"), (two, "last", "LAST")):
        path = clone.home.memories / "deploy.md"
        path.write_text(path.read_text().replace(old, new))
        clone.commit()
    two.pull()
    assert (two.home.memories / "deploy.md").read_text() == "# deploy\n\nFIRST\n\nmiddle\n\nLAST\n"


def test_without_the_driver_the_markers_are_resolved(tmp_path: Path) -> None:
    """A clone that does not know the driver gets markers; verify names them, the watchdog waits, merge resolves them."""
    one = first(tmp_path, driver=False)
    one.commit()
    two = second(one, tmp_path, driver=False)
    one.learn(TEA)
    two.learn(BIKE)
    two.pull(code=1)
    assert "merge-markers" in errors(two.home.text())
    before = two.home.text()
    age(two.home.index)
    assert two.home.say("maintain").code == 0
    assert two.home.text() == before
    assert two.home.say("merge", "MEMORY.md").code == 0
    assert {TEA, BIKE} <= set(two.entries) and two.home.say("verify").code == 0
    two.commit()


def test_what_is_no_text_is_left_to_the_user(pair: tuple[Clone, Clone]) -> None:
    """Bytes that are no text are a conflict that keeps ours."""
    one, two = pair
    one.home.index.write_bytes(one.home.index.read_bytes() + b"\n\xa7\nx")
    one.commit()
    two.learn(TEA)
    ours = two.home.index.read_bytes()
    two.pull(code=1)
    assert two.home.index.read_bytes() == ours


@pytest.mark.skipif(shutil.which("git-crypt") is None, reason="git-crypt is not installed")
def test_an_encrypted_repository(tmp_path: Path) -> None:
    """With git-crypt the repository holds no word of the memory, and two additions come together all the same."""
    one = first(tmp_path)
    attributes = one.home.path / ".gitattributes"
    lines = [line.removeprefix("#   ") if "git-crypt diff" in line or "!filter" in line else line
             for line in attributes.read_text().splitlines()]  # fmt: skip
    attributes.write_text("\n".join(lines) + "\n")
    one.git("crypt", "init")
    one.git("crypt", "export-key", str(tmp_path / "key"))
    one.commit()
    two = second(one, tmp_path)
    two.git("crypt", "unlock", str(tmp_path / "key"))
    one.learn(TEA)
    two.learn(BIKE)
    two.pull()
    assert {TEA, BIKE} <= set(two.entries) and two.home.say("verify").code == 0
    stored = subprocess.run(
        ["git", "cat-file", "blob", "HEAD:memories/MEMORY.md"], cwd=two.home.path, capture_output=True, check=True
    )
    assert stored.stdout.startswith(b"\0GITCRYPT\0") and b"oolong" not in stored.stdout


@pytest.mark.parametrize("name", ["gitignore", "gitattributes", "stignore"])
def test_the_samples_are_those_of_the_page(name: str) -> None:
    """docs/sync.md names every sample file."""
    assert f"examples/sync/{name}" in (REPOSITORY / "docs" / "sync.md").read_text("utf-8")


def test_the_ignore_lists_name_what_we_leave(tmp_path: Path) -> None:
    """Whatever lies in the memories folder after a day of work is a memory or is in the list for Syncthing."""
    home = demo(tmp_path)
    for words in (
        ("maintain",),
        ("archive", "postgres.md"),
        ("restore", "postgres.md"),
        ("search", "deploy"),
        ("undo",),
    ):
        home.say(*words)
    listed = (SAMPLES / "stignore").read_text().splitlines()
    suffixes = {line.removeprefix("(?d)*") for line in listed if line.startswith("(?d)*")}
    left = [path.name for path in home.memories.rglob("*") if path.is_file() and path.suffix != ".md"]
    assert left and all(any(name.endswith(suffix) for suffix in suffixes) for name in left)


def test_a_placeholder_is_named_and_never_archived(tmp_path: Path) -> None:
    """What a cloud drive has not downloaded is told so, and its line stays."""
    home = demo(tmp_path)
    (home.memories / "postgres.md").rename(home.memories / ".postgres.md.icloud")
    assert '"postgres.md" is not downloaded' in home.say("verify").out
    home.say("maintain")
    assert POSTGRES in home.text().split("\n§\n")


def test_a_merged_index_is_canonical(tmp_path: Path) -> None:
    """The driver's result is what the canonical form makes of it."""
    paths = [tmp_path / name for name in ("base", "ours", "theirs")]
    for path, extra in zip(paths, ([], [TEA], [BIKE]), strict=True):
        path.write_text("\n§\n".join([HEADING, DEPLOY, *extra]))
    assert demo(tmp_path / "x").say("merge", "--driver", *map(str, paths)).code == 0
    text = paths[1].read_text()
    assert grammar.canonical(text) == text and rules.check(rules.Scope(text)) == []


def test_the_driver_can_be_rehearsed(tmp_path: Path) -> None:
    """A dry run prints the difference and writes nothing; two files instead of three are a wrong call."""
    home = demo(tmp_path)
    base, ours = tmp_path / "base", tmp_path / "ours"
    base.write_text(HEADING)
    ours.write_text(HEADING)
    words = ("merge", "--driver", str(base), str(ours))
    assert home.say(*words).code == 2
    assert home.say(*words, str(home.index), "--dry-run").out.count("\n+") == 9
    assert ours.read_text() == HEADING


def test_the_driver_leaves_the_index_of_a_home_alone(tmp_path: Path) -> None:
    """The index has a lock and a journal, so it is merged by name and never by the driver."""
    home = demo(tmp_path)
    before = home.files()
    said = home.say("merge", "--driver", str(home.index), str(home.index), str(home.memories / "deploy.md"))
    assert (said.code, home.files()) == (1, before)


@pytest.mark.parametrize("file", ["MEMORY.md", "deploy.md", "archived memories/archived-memories.md"])
def test_git_leaves_line_ends_alone(pair: tuple[Clone, Clone], file: str) -> None:
    """No byte is changed on the way, or an encrypted file could not be read any more now and then."""
    said = pair[0].git("check-attr", "text", "eol", "merge", "--", f"memories/{file}")
    assert "text: unset" in said and "eol: unspecified" in said
    assert ("merge: memory-shaper" in said) == (file != "deploy.md")


def test_each_machine_builds_its_own_search(pair: tuple[Clone, Clone]) -> None:
    """The sidecar is not in the repository, and a clone answers from one that it makes itself."""
    one, two = pair
    one.learn(TEA)
    one.home.say("search", "tea")
    two.pull()
    sidecar = two.home.path / "plugin-data" / "memory-shaper" / "sidecar.db"
    assert not sidecar.exists()
    assert "tea.md" in two.home.say("search", "tea").out
    assert sidecar.exists()
