"""Which effects of a call touch something guarded: by path, by link, by the tree above, in any case."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from memory_shaper.calls.effects import Act, Effect
from memory_shaper.guard.files import Guarded, judge_effects, touched
from tools import TOPICS, Place

CRITICAL_TOPIC = TOPICS[0]


@pytest.fixture
def guarded(home: Place, tmp_path: Path) -> Guarded:
    """The guarded places of a home, with an archive index and a plugin folder that exist."""
    home.home.archive.mkdir()
    home.home.archive_index.write_text("# archive\n")
    (tmp_path / "plugin").mkdir()
    (tmp_path / "work").mkdir()
    home.home.config.write_text("")
    critical = str(home.memories / CRITICAL_TOPIC)
    own = (str(tmp_path / "plugin"), str(home.home.data))
    return Guarded.of(str(home.home.index), str(home.home.archive_index), [critical], own, str(home.home.config))


def again(guarded: Guarded) -> Guarded:
    """The same places with their links resolved anew."""
    critical, own = ([place.path for place in places] for places in (guarded.critical, guarded.own))
    return Guarded.of(guarded.index.path, guarded.archive_index.path, critical, own, guarded.config.path)


def effect(path: str | Path, act: Act = Act.WRITE, tree: bool = False) -> Effect:
    return Effect(act, os.path.normpath(path), "tee", tree)


def answer(guarded: Guarded, *effects: Effect, runs: tuple[tuple[str, ...], ...] = ()) -> tuple[str, str]:
    verdict = judge_effects(effects, runs, guarded)
    return str(verdict.answer), verdict.rule


@pytest.mark.parametrize("act", [Act.WRITE, Act.DELETE, Act.METADATA])
def test_both_indexes_are_blocked(guarded: Guarded, act: Act) -> None:
    """Writing, deleting and changing the mode of either index is refused with a way to go."""
    for path in (guarded.index.path, guarded.archive_index.path):
        verdict = judge_effects([effect(path, act)], (), guarded)
        assert (str(verdict.answer), verdict.rule) == ("block", "index-write")
        assert path not in verdict.message


def test_reading_is_free(guarded: Guarded) -> None:
    """A read of anything guarded, even of the whole tree, is nobody's business."""
    paths = (
        guarded.index.path,
        guarded.archive_index.path,
        guarded.critical[0].path,
        guarded.config.path,
        guarded.memories,
    )
    assert answer(guarded, *(effect(path, Act.READ, tree=True) for path in paths)) == ("allow", "")


def test_other_files_are_free(guarded: Guarded, home: Place, tmp_path: Path) -> None:
    """Topics without `!!`, other projects' MEMORY.md, backups and new files may be written."""
    names = (home.memories / "java-performance.md", home.memories / "brand-new.md", home.memories / "MEMORY.md.bak",
             tmp_path / "work" / "MEMORY.md", tmp_path / "MEMORY.md", home.home.path / "USER.md", "/dev/null",
             home.memories / "archived memories" / "x.md", home.memories / "MEMORY.md2",
             home.home.path / "config.yaml.x",
             tmp_path / "plugin2", tmp_path / "x\0y", "/" + "n" * 5000)  # fmt: skip
    for act in (Act.WRITE, Act.DELETE, Act.METADATA):
        assert answer(guarded, *(Effect(act, str(name), "tee") for name in names)) == ("allow", "")


@pytest.mark.parametrize(
    ("path", "rule"),
    [("critical", "critical"), ("config", "own-files"), ("own", "own-files"), ("record", "own-files")],
)
def test_protected_files_ask(guarded: Guarded, home: Place, path: str, rule: str) -> None:
    """A `!!` topic, the config, the plugin and the record are put to the human."""
    places = {"critical": guarded.critical[0].path, "config": guarded.config.path,
    "own": f"{guarded.own[0].path}/memory_shaper/x.py",
              "record": home.home.data / "record.db"}  # fmt: skip
    for act in (Act.WRITE, Act.DELETE, Act.METADATA):
        assert ("approve", rule) == answer(guarded, effect(places[path], act))


def test_critical_can_be_set_to_block(guarded: Guarded) -> None:
    """Where nobody can be asked, a `!!` topic is refused."""
    verdict = judge_effects([effect(guarded.critical[0].path)], (), guarded, "block")
    assert (str(verdict.answer), verdict.rule) == ("block", "critical")


@pytest.mark.parametrize("way", ["dots", "link", "chain", "folder link", "hard link", "relative link"])
def test_ways_round(guarded: Guarded, home: Place, tmp_path: Path, way: str) -> None:
    """The index is found behind `..`, links, links to links, linked folders and hard links."""
    work = tmp_path / "work"
    (work / "soft").symlink_to(guarded.index.path)
    (work / "chain").symlink_to("soft")
    (work / "dir").symlink_to(home.memories)
    (work / "relative").symlink_to("../.hermes/memories/MEMORY.md")
    os.link(guarded.index.path, work / "hard")
    paths = {"dots": f"{home.memories}/x/../MEMORY.md", "link": work / "soft", "chain": work / "chain",
             "folder link": work / "dir" / "MEMORY.md", "hard link": work / "hard",
             "relative link": work / "relative"}  # fmt: skip
    assert answer(guarded, effect(paths[way])) == ("block", "index-write")


def test_removing_a_link_is_not_removing_the_file(guarded: Guarded, home: Place, tmp_path: Path) -> None:
    """A link or a hard link elsewhere may be deleted; a file in a linked folder is the file itself."""
    work = tmp_path / "work"
    (work / "soft").symlink_to(guarded.index.path)
    (work / "dir").symlink_to(home.memories)
    os.link(guarded.index.path, work / "hard")
    for name in ("soft", "hard", "dir"):
        assert answer(guarded, effect(work / name, Act.DELETE)) == ("allow", "")
    assert answer(guarded, effect(work / "dir" / "MEMORY.md", Act.DELETE)) == ("block", "index-write")


def test_a_linked_index_is_guarded_at_both_ends(guarded: Guarded, home: Place, tmp_path: Path) -> None:
    """Where the index is a link, neither the link nor the file it leads to may be written or removed."""
    real = tmp_path / "work" / "real.md"
    os.rename(guarded.index.path, real)
    os.symlink(real, guarded.index.path)
    guarded = again(guarded)
    for act in (Act.WRITE, Act.DELETE, Act.METADATA):
        for path in (guarded.index.path, real):
            assert answer(guarded, effect(path, act)) == ("block", "index-write")


@pytest.mark.parametrize("name", ["memory.md", "Memory.MD", "MEMORY.MD"])
def test_case_twins_are_the_index(guarded: Guarded, home: Place, name: str) -> None:
    """A name that is the index on another system counts as a write to it."""
    assert answer(guarded, effect(home.memories / name)) == ("block", "index-write")


def test_an_existing_case_twin_may_be_removed(guarded: Guarded, home: Place) -> None:
    """A twin that lies beside the index may be taken away, where it is a file of its own."""
    twin = home.memories / "memory.md"
    if twin.exists():
        pytest.skip("names here do not tell case apart")
    twin.write_text("x")
    assert answer(guarded, effect(twin, Act.DELETE)) == ("allow", "")


@pytest.mark.parametrize("act", [Act.WRITE, Act.DELETE, Act.METADATA])
def test_trees_above(guarded: Guarded, home: Place, tmp_path: Path, act: Act) -> None:
    """What is done to a whole tree is done to the index in it, also through a link to the tree."""
    (tmp_path / "work" / "dir").symlink_to(home.home.path)
    for path in (home.memories, home.home.path, tmp_path, Path("/")):
        assert answer(guarded, effect(path, act, tree=True)) == ("block", "index-write")
    for path in (tmp_path / "work", home.memories / "sub", Path(str(home.memories) + "2")):
        assert answer(guarded, effect(path, act, tree=True)) == ("allow", "")
    through = ("allow", "") if act is Act.DELETE else ("block", "index-write")
    assert through == answer(guarded, effect(tmp_path / "work" / "dir", act, tree=True))


def test_the_process_file_system(guarded: Guarded, monkeypatch: pytest.MonkeyPatch, home: Place) -> None:
    """A path through /proc/self is resolved as the system does."""
    if not os.path.isdir("/proc/self"):
        pytest.skip("no /proc here")
    monkeypatch.chdir(home.memories)
    assert answer(guarded, effect(f"/proc/self/root{guarded.index.path}")) == ("block", "index-write")
    assert answer(guarded, effect("/proc/self/cwd/MEMORY.md")) == ("block", "index-write")
    assert answer(guarded, effect("/proc/self/environ")) == ("allow", "")


def test_a_block_beats_a_question(guarded: Guarded) -> None:
    """A call that does both is refused, in whatever order its effects come."""
    effects = [effect(guarded.critical[0].path), effect(guarded.index.path)]
    assert ("block", "index-write") == answer(guarded, *effects) == answer(guarded, *reversed(effects))


def test_commands_ask(guarded: Guarded) -> None:
    """A command that changes what only the user may change is put to the human, files or not."""
    assert answer(guarded, runs=(("hermes", "memory", "reset"),)) == ("approve", "own-command")
    assert answer(guarded, runs=(("ls",), ())) == ("allow", "")


def test_keys_tell_changes_apart(guarded: Guarded) -> None:
    """An approval is bound to the path and to what does it."""
    keys = {
        judge_effects([Effect(Act.WRITE, guarded.critical[0].path, via)], (), guarded).key
        for via in ("tee", ">", "tee")
    }
    assert len(keys) == 2


def test_touched_names_the_place(guarded: Guarded, home: Place) -> None:
    """The guarded path itself is given, not the one that was written through."""
    assert guarded.index == touched(effect(home.memories / "memory.md"), guarded)
    assert None is touched(effect("/nowhere"), guarded)
