"""The heading block: what it says, how long it gets, and how it names the folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_shaper import grammar, headings, rules


@given(st.text(max_size=400), st.sampled_from(["full", "short"]))
def test_no_folder_makes_it_too_long(folder: str, kind: str) -> None:
    """At most 220 characters in full, at most 50 in short, whatever the folder is called."""
    most = headings.FULL_MOST if kind == "full" else headings.SHORT_MOST
    assert len(headings.heading(kind, folder)) <= most


@pytest.mark.parametrize(
    "folder", ["~/.hermes/memories", "/srv/hermes/profiles/work/memories", r"C:\Users\张 伟\hermes\memories"]
)
def test_the_usual_folders_are_named(folder: str) -> None:
    """A reader is told where the files are."""
    assert f" in {folder} in full" in headings.heading("full", folder)


@pytest.mark.parametrize("kind", ["full", "short"])
def test_it_passes_the_rules_and_makes_an_index(kind: str) -> None:
    """A file that holds the heading alone is an index without errors."""
    text = headings.heading(kind, "~/.hermes/memories") + "\n"
    assert grammar.is_index(grammar.parse(text))
    assert rules.check(rules.Scope(text)) == []


def test_the_users_folder_is_collapsed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Only below the user's own folder, never beside it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    paths = (str(tmp_path), f"{tmp_path}{os.sep}x", f"{tmp_path}x")
    assert [headings.collapsed(path) for path in paths] == ["~", f"~{os.sep}x", f"{tmp_path}x"]
