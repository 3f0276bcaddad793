"""The verbs of keeping the memory clean and safe: remember, proposals, optimize, backup, restore-backup."""

from __future__ import annotations

from .fields import CHANGE, HOME
from .request import Argument, Kind, Verb

_KINDS = ("profile", "project", "history", "fact")

REMEMBER = Verb(
    "remember",
    "keep a text as a topic file with its line",
    "remembering:remember",
    "memory-shaper remember 'The office moved to Kiel in May.' --topic office --type fact --supersedes old-office",
    CHANGE,
    (
        Argument("TEXT", "what is to be remembered", optional=False, literal=True),
        Argument("--topic", "the topic file; one that exists gets the text behind its own", metavar="NAME"),
        Argument("--keywords", "5 to 20 words that lead to it; else they are proposed from the text", metavar="WORD,…"),
        Argument("--tags", "labels to filter searches by", metavar="TAG,…"),
        Argument("--type", "what it is: how long it is kept follows from that", choices=_KINDS),
        Argument("--project", "the project it belongs to: in another one it is hidden", metavar="NAME"),
        Argument("--supersedes", "topics that it takes the place of: they go to the archive", metavar="NAME,…"),
    ),
    "The same checks as for the agent: no passwords or keys, a whole index, room below the cap.",
    changes_files=True,
)
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

OPTIMIZE = Verb(
    "optimize",
    "bring record and sidecar within their limits and give back the space that they do not use",
    "backup:optimize",
    "memory-shaper optimize",
    (
        HOME,
        ("dry_run", "whether nothing was to be changed"),
        ("events", "how many events beyond `journal_events` the journal dropped"),
        ("texts", "how many texts beyond `journal_mb`"),
        ("record_freed", "bytes that the record is smaller by"),
        ("sidecar_freed", "bytes that the sidecar is smaller by"),
        ("error", "why the sidecar could not be looked after, empty where it could"),
    ),
    (),
    "No answer changes and no markdown file is touched. The last accepted texts always stay.",
    changes_files=True,
)
BACKUP = Verb(
    "backup",
    "write one file with memories, archive, record and settings",
    "backup:backup",
    "memory-shaper backup ~/memory-2026-03-01.tar.gz",
    (
        HOME,
        ("file", "the new file"),
        ("bytes", "its size"),
        ("files", "how many files of the memories folder it holds"),
        ("record", "whether it holds the record"),
        ("settings", "the names of the settings that it holds"),
        ("queries", "how many questions are recorded with their answers, to prove a restore by"),
        ("left_out", "what was left out: links to folders, names that not every system can hold"),
    ),
    (Argument("FILE", "a new file that ends in .tar.gz, .tgz or .zip", optional=False),),
    "Readable by you only. The sidecar is not in it: it is built again. Nothing that exists is overwritten.",
    chat=False,
)
RESTORE_BACKUP = Verb(
    "restore-backup",
    "bring a backup back, and prove it by the questions recorded in it",
    "backup:restore_backup",
    "memory-shaper restore-backup ~/memory-2026-03-01.tar.gz --dry-run",
    (
        HOME,
        ("dry_run", "whether nothing was to be changed"),
        ("made_at", "when the backup was made (UTC)"),
        ("files", "how many files of the memories folder it holds"),
        ("changed", "how many files of the memories folder changed"),
        ("events", "the ids of the journal's events"),
        ("right", "how many of the recorded questions have the answers that they had"),
        ("asked", "how many there are"),
        ("old_record", "the name under which the record that was there is kept, empty where there was none"),
        ("notes", "what else the user should know, such as settings that differ"),
    ),
    (
        Argument("FILE", "a file that backup made", optional=False),
        Argument("--force", "also where there is a memory already: it stays in the journal", Kind.FLAG),
    ),
    "The whole file is looked through first: links, names that lead elsewhere and changed contents are refused.\n"
    "Exit code 1 where a question has another answer than it had.",
    changes_files=True,
    chat=False,
)

KEEPING = (REMEMBER, PROPOSALS, OPTIMIZE, BACKUP, RESTORE_BACKUP)
