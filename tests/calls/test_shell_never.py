"""What the shell reader never does: raise, or lose itself in depth and size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_shaper.calls.commands import TABLE
from memory_shaper.calls.effects import Act, Effect
from memory_shaper.calls.shell.run import read_command


@dataclass(frozen=True)
class Small:
    """A world of one folder."""

    cwd: str | None = "/w"
    env: Mapping[str, str] = field(default_factory=lambda: {"HOME": "/w"})

    def names(self, folder: str) -> Sequence[str]:
        return ("MEMORY.md", "a", "d") if folder == "/w" else ()

    def is_folder(self, path: str) -> bool:
        return path in ("/", "/w", "/w/d")

    def text(self, path: str) -> str | None:
        return "rm MEMORY.md\n" if path == "/w/a" else None


SIGNS = """' " ` $( ${ $(( )) ) } { ( [[ ]] < > >> << <<< <<- & && | || ; ;; # \\ ~ * ? [ ! = += a b -x -i -c EOF
 MEMORY.md x= for in do done if then elif else fi case esac while until function f() {fd}> 2> $x $@ $'\\n' {a,b}
 {1..3} eval sh bash -exec find xargs sed awk s/a/b/w git tar env sudo cd .. read . source trap"""
PIECES = st.sampled_from([*SIGNS.split(), "\n", "\0", "\ud800", " "])


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=40), st.sampled_from(["", " "]))
def test_pieces_never_raise(pieces: list[str], glue: str) -> None:
    """Any row of shell signs is read without an exception, and gives absolute paths only."""
    reading = read_command(glue.join(pieces), Small())
    assert all(effect.path.startswith("/") and "\0" not in effect.path for effect in reading.effects)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200), st.none() | st.just("/w"))
def test_text_never_raises(text: str, cwd: str | None) -> None:
    """Any text is read without an exception."""
    read_command(text, Small(cwd))


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(sorted(TABLE)),
    st.lists(st.sampled_from(["-", "--", "-x", "-i", "-c", "a", "d", "", "x=1"]), max_size=6),
)
def test_no_row_of_the_table_raises(name: str, words: list[str]) -> None:
    """Every command of the table takes any arguments."""
    read_command([name, *words], Small())


@pytest.mark.parametrize(
    "piece",
    ["$(", "$((", "(", "((", "{", "{ ", "`", '"', "'", '"$(', "${x:-", "if true; then ", "f() { ", "! ", "case a in (",
     "<(", "sh -c '", "eval ", "a=$a$a;", "x|", "&&", "> a ", "<<E\n", "{a,b}", "[[ ", "coproc ", "while ", "\\", "\0"],
)  # fmt: skip
def test_depth_and_size_do_no_harm(piece: str) -> None:
    """Twenty thousand of one sign are read through."""
    read_command(piece * 20_000, Small())


def test_repetition_has_an_end() -> None:
    """Functions that call each other, and loops in loops, stop at a budget and are opaque."""
    loops = "".join(f"for i{n} in {{1..90}}; do " for n in range(6)) + "echo; " + "done; " * 6
    for text in ("f() { f; f; }; f", loops, "echo 'sh MEMORY.md' > MEMORY.md; sh MEMORY.md"):
        assert read_command(text, Small()).opaque


def test_a_write_behind_much_text_is_seen() -> None:
    """The end of a text of 200,000 characters counts as its beginning does."""
    for filler in ("echo a b c\n", "a;", "x ", "# c\n"):
        text = filler * (200_000 // len(filler)) + "\necho x > MEMORY.md"
        assert Effect(Act.WRITE, "/w/MEMORY.md", ">") in read_command(text, Small()).effects
