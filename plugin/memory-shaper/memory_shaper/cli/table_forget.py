"""The verb of forgetting."""

from __future__ import annotations

from .fields import CHANGE
from .request import Argument, Kind, Verb

FORGET = Verb(
    "forget",
    "move a topic to the archive, or erase it for good",
    "forgetting:forget",
    'memory-shaper forget "old laptop"\nmemory-shaper forget old-laptop.md --yes\nmemory-shaper forget nas.md --purge',
    (
        *CHANGE,
        ("matches", "the topics that the word means"),
        ("proof", "with --purge: `place`, `clean`, `note` (what is left there)"),
    ),
    (
        Argument("WORD", "the name of a topic, or a word of its line or text", optional=False),
        Argument("--yes", "do it; without this only what would be done is shown", Kind.FLAG),
        Argument("--all", "with a word that several topics hold: all of them", Kind.FLAG),
        Argument("--purge", "erase one topic: file, line, archive, history, counts, sidecar", Kind.FLAG),
    ),
    "What goes to the archive comes back with undo or restore. What is purged does not come back: the proof says of\n"
    "each place that it is clean, and names what is not ours to change. Exit code 1 where something is left.",
    changes_files=True,
)
