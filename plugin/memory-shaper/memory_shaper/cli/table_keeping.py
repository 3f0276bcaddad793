"""The verbs of keeping the memory clean: proposals."""

from __future__ import annotations

from .fields import HOME
from .request import Argument, Kind, Verb

PROPOSALS = Verb(
    "proposals",
    "show what was thought of and waits for your word; apply or reject it",
    "proposals:proposals",
    "memory-shaper proposals\nmemory-shaper proposals 3\nmemory-shaper proposals --apply 3 5\n"
    "memory-shaper proposals --reject all",
    (
        HOME,
        ("dry_run", "whether nothing was to be changed"),
        ("proposals", "those it is about: `id`, `at` (UTC), `kind`, `target`, `title`, `state`, `source`"),
        ("diff", "what applying would change, as a unified diff; for a number, or --apply with --dry-run"),
        ("applied", "with --apply: `id` and the `events` of the journal"),
        ("refused", "with --apply: `id` and `why` it could not be applied"),
        ("rejected", "with --reject: the ids"),
    ),
    (
        Argument("NUMBER", "show this one with its diff; else the open ones are listed"),
        Argument("--apply", "carry these out: numbers, or all", Kind.WORDS, metavar="N"),
        Argument("--reject", "never make these again: numbers, or all", Kind.WORDS, metavar="N"),
        Argument("--every", "list those that were applied or rejected too", Kind.FLAG),
    ),
    "Nothing changes before you say so, and what was applied can be taken back with undo. Each is carried out by\n"
    "itself: one that is refused does not hold up the others, and the exit code is 1.",
    changes_files=True,
)

KEEPING = (PROPOSALS,)
