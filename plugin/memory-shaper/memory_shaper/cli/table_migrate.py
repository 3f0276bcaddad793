"""The verbs that take another memory over, and give one back as prose."""

from __future__ import annotations

from .fields import CHANGE, HOME
from .request import Argument, Kind, Verb

MIGRATE = Verb(
    "migrate",
    "take over a prose memory, an older index, or the export of another memory",
    "migrate:migrate",
    "memory-shaper migrate\nmemory-shaper migrate --apply\nmemory-shaper migrate --from keepsake export.jsonl --apply",
    (
        *CHANGE,
        ("source", "the kind of the source"),
        ("topics", "the topic files to be: `file`, `archived`, `keywords`, `texts` (`number`, `line`, `file`), `why`"),
        ("secrets", "the secrets in the texts: `kind`, `line`, `file`"),
        ("left_out", "what could not be read, and why"),
        ("chars", "the size of the index after it"),
        ("cap", "its limit"),
    ),
    (
        Argument("SOURCE", "a file or folder; else MEMORY.md of the home", names="files"),
        Argument(
            "--from",
            "the kind of the source; else it is told from what it is",
            choices=("native", "hermes-dynamic-memory", "keepsake", "fragmented-memory", "memo", "markdown-folder"),
        ),
        Argument("--apply", "do it; else the plan is shown and nothing changes", Kind.FLAG),
    ),
    "Texts are grouped by subject into topic files, as they stand, and each file gets a line of keywords. What does\n"
    "not fit the cap goes to the archive. The old text is in the journal: one undo brings all of it back.",
    changes_files=True,
    chat=False,
)
EXPORT = Verb(
    "export",
    "write the memory as native prose again",
    "export:export",
    "memory-shaper export --native\nmemory-shaper export --native -o MEMORY-prose.md",
    (
        HOME,
        ("file", "the new file, null where the text went to stdout"),
        ("entries", "how many prose entries"),
        ("chars", "their size in characters, as the host counts them"),
        ("cap", "the host's limit"),
        ("over_cap", "whether they are over it"),
        ("missing", "targets without a file"),
        ("cut", "topics with a § line inside, which the host takes for several entries"),
        ("text", "the prose"),
    ),
    (
        Argument("--native", "as entries parted by § lines, the host's own form", Kind.FLAG),
        Argument("--output", "a new file; one that exists is never overwritten", metavar="FILE", short="-o"),
    ),
    chat=False,
    reads=True,
)
