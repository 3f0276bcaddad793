"""The disk as the readers see it."""

from pathlib import Path

from memory_shaper.calls.disk import MAX_SCRIPT, DiskWorld


def test_names_are_sorted(tmp_path: Path) -> None:
    """A folder is listed in order, a missing one is empty."""
    (tmp_path / "b").touch()
    (tmp_path / "a").touch()
    world = DiskWorld(str(tmp_path), {})
    assert world.names(str(tmp_path)) == ("a", "b")
    assert world.names(str(tmp_path / "none")) == ()


def test_a_listing_is_remembered(tmp_path: Path) -> None:
    """A second look at one folder within one call sees the same names."""
    world = DiskWorld(str(tmp_path), {})
    assert world.names(str(tmp_path)) == ()
    (tmp_path / "a").touch()
    assert world.names(str(tmp_path)) == ()


def test_text_of_small_scripts_only(tmp_path: Path) -> None:
    """Missing, binary, non-UTF-8, folder and large paths have no text."""
    for name, raw in (("s.py", b"x = 1"), ("nul", b"a\0b"), ("latin", b"\xff\xfe"), ("big", b"x" * (MAX_SCRIPT + 1))):
        (tmp_path / name).write_bytes(raw)
    world = DiskWorld(None, {})
    assert world.text(str(tmp_path / "s.py")) == "x = 1"
    for name in ("nul", "latin", "big", "none", "."):
        assert world.text(str(tmp_path / name)) is None


def test_hostile_paths() -> None:
    """A NUL or a lone surrogate in a path is no folder and has no text."""
    world = DiskWorld(None, {})
    for path in ("/\0", "/\ud800", "/" + "x" * 100_000):
        assert (world.names(path), world.is_folder(path), world.text(path)) == ((), False, None)
