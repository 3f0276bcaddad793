"""The verb that makes a page about the memory."""

from __future__ import annotations

from .fields import HOME
from .request import Argument, Kind, Verb

_LINES = (
    "`mark`, `target`, `keywords`, `chars`, `score`, `why`, `stays`, "
    "`used` (`uses`, `weeks`, `first_seen`, `last_read`)"
)
REPORT = Verb(
    "report",
    "write one page about the memory, to be read in a browser",
    "report:report",
    "memory-shaper report --open\nmemory-shaper report -o memory.html\nmemory-shaper report --json",
    (
        (HOME[0], "the Hermes home, the user's own folder as ~"),
        ("home_source", "how the home was found"),
        ("version", "that of memory-shaper"),
        ("at", "when (UTC)"),
        ("with_content", "whether contents and questions are in it"),
        ("weeks", "the ISO weeks of every line's use"),
        (
            "budget",
            "`chars`, `cap`, `cap_source`, `near`, `goal`, `shares` (`what`, `chars`, `count`), `daily`, `full_at`",
        ),
        ("lines", f"in the order of the index: {_LINES}"),
        (
            "pairs",
            "lines in each other's way: `owner`, `owner_number`, `taker`, `taker_number`, `taken`, `shared` (keywords)",
        ),
        ("archive", "as `lines`"),
        (
            "journal",
            "`days`, `kinds` (`kind`, `days`, `total`, `last`), `total`, `events` (`id`, `at`, `kind`, `file`, "
            "`rule`, `detail`, `tool`, `surface`, `taken_back`)",
        ),
        (
            "questions",
            "`asked`, `missed`, `weeks` (`week`, `asked`, `missed`), `newest` (`at`, `text`: empty without "
            "--with-content), `trouble`",
        ),
        ("findings", "`file`, `line`, `rule`, `severity`, `message`, `fix`, `source`"),
        ("upkeep", "`last_run`, `runs` (`at`, `kind`, `detail`), `held`, `now`, `next`"),
        ("guard", "when the guard was seen at work"),
        ("notes", "what is odd about the settings"),
        ("texts", "with --with-content: `file`, `text`, `cut`"),
        ("file", "where the page was written, null where none was"),
    ),
    (
        Argument("--output", "the file to write; else report.html beside the record", metavar="FILE", short="-o"),
        Argument("--open", "show it in the browser", Kind.FLAG),
        Argument("--with-content", "also the contents of topic files, and the questions", Kind.FLAG),
        Argument("--force", "replace a file that is no report", Kind.FLAG),
    ),
    "The page is one file that loads nothing. It shows keywords and file names, and masks what looks like a secret.\n"
    "With --json nothing is written unless -o is given. A file of the home that is no report is never replaced.",
    reads=True,
)
