"""The one table of verbs. The terminal, `hermes memory-shaper` and `/memory-shaper` all read it."""

from __future__ import annotations

from .request import Argument, Kind, Verb

Fields = tuple[tuple[str, str], ...]

_HOME = ("home", "the Hermes home")
_CHANGE: Fields = (
    _HOME,
    ("dry_run", "whether nothing was to be changed"),
    ("changed", "whether anything was"),
    ("events", "the ids of the journal's events, empty where nothing changed"),
    ("files", "what happened to which file: `file`, `action` (write, create, remove, move), `to` (of a move)"),
    ("diff", "the change as a unified diff"),
    ("notes", "what else the user should know"),
)
_ENTRY = "`target`, `keywords`, `mark` (none, pinned, critical), `first_seen`, `last_read` (UTC or null), `uses`"
_EVENT = (
    "`id`, `at` (UTC), `kind`, `file`, `before` and `after` (digests, null: absent), `rule`, `detail`, `tool`, "
    "`session`, `surface`, `group` (of one change of several files), `undo_of`, `taken_back_by`"
)
_COPIES = ("copies", "the conflict copies: `file`, `original`; only where nothing was merged")

_VERIFY = Verb(
    "verify",
    "check the index and its archive index",
    "verify:verify",
    "memory-shaper verify --strict\nmemory-shaper verify notes/MEMORY.md --ignore lines-compete,near-cap",
    (
        _HOME,
        ("home_source", "how the home was found"),
        ("file", "the file"),
        ("chars", "its size in characters, as the host counts them"),
        ("bytes", "its size in bytes"),
        ("cap", "the host's limit in characters, null for an archive index"),
        ("cap_source", "where the cap comes from: config, default, given, none"),
        ("entries", "how many entries it has"),
        ("is_index", "false for a text that was never made an index"),
        ("findings", "`rule`, `severity`, `message`, `line` (0: the file), `column`, `width`, `fix`, `source`"),
        ("archive", "the same eight fields for the archive index, null where there is none"),
        ("errors", "how many errors in all"),
        ("warnings", "how many warnings in all"),
        ("notes", "what is odd about the settings"),
    ),
    (
        Argument("FILE", "an index or an archive index; else those of the home"),
        Argument("--memdir", "the folder of the topic files; else that of the file", metavar="DIR"),
        Argument("--strict", "warnings and unknown settings count as well", Kind.FLAG),
        Argument("--select", "only these rules", metavar="RULE,…"),
        Argument("--ignore", "not these rules", metavar="RULE,…"),
        Argument("--cap", "the limit in characters; else that of config.yaml", Kind.COUNT, metavar="N"),
    ),
    "Exit code 1 where there are errors. An archive index is known by its name and has no cap.",
)
_FIX = Verb(
    "fix",
    "repair what has one right answer",
    "fix:fix",
    "memory-shaper fix --dry-run\nmemory-shaper fix --heading full",
    _CHANGE,
    (
        Argument("FILE", "an index or an archive index; else those of the home"),
        Argument("--heading", "write or replace the heading block with the routing rule", choices=("full", "short")),
    ),
    "Arrows, commas, case, blanks in keywords, repeated and empty keywords, the form of the file.\n"
    "No line is dropped, and what is no entry stays as it is. The old text is kept in the journal, or, where the\n"
    "file is not that of the home, in a copy beside it.",
    changes_files=True,
)
_STATUS = Verb(
    "status",
    "show one screen about the memory and its guard",
    "status:status",
    "memory-shaper status",
    (
        _HOME,
        ("home_source", "how the home was found"),
        ("chars", "the size of the index in characters"),
        ("cap", "its limit"),
        ("cap_source", "where the cap comes from"),
        ("entries", _ENTRY),
        ("errors", "how many errors the index has"),
        ("warnings", "how many warnings"),
        ("archived", "how many entries the archive has"),
        ("conflict_copies", "how many copies a sync service left"),
        (
            "record",
            "`events` (null: no record yet), `bytes`, `since` (counts by kind since the last status), `trouble`",
        ),
        ("guard", "signs of life of the guard: `surface`, `event`, `at` (UTC)"),
        ("absent", "optional packages that are not installed"),
        ("large", "topic files that the journal cannot keep: `file`, `bytes`"),
        ("notes", "what is odd about the settings"),
    ),
    (Argument("--ascii", "draw the bar with # and -", Kind.FLAG),),
)
_HISTORY = Verb(
    "history",
    "list the newest changes",
    "journal:history",
    "memory-shaper history -n 5 MEMORY.md",
    (_HOME, ("events", _EVENT)),
    (
        Argument("FILE", "only those of this file, named as in the memories folder"),
        Argument("--number", "how many events", Kind.COUNT, metavar="N", short="-n"),
    ),
)
_DIFF = Verb(
    "diff",
    "show what a change did",
    "journal:diff",
    "memory-shaper diff 12",
    (_HOME, ("events", _EVENT), ("diff", "the change as a unified diff")),
    (Argument("ID", "the number of an event; else the last change"),),
)
_UNDO = Verb(
    "undo",
    "take back a change with all its files",
    "undo:undo",
    "memory-shaper undo --dry-run\nmemory-shaper undo 12",
    _CHANGE,
    (Argument("ID", "the number of an event; else the last change that still stands"),),
    "Where the index has changed since, the two changes are brought together entry by entry; where that is not\n"
    "possible, nothing is done. An undo can be undone by its own number.",
    changes_files=True,
)
_LIST = Verb(
    "list",
    "list the entries",
    "entries:list_",
    "memory-shaper list --recent",
    (_HOME, ("archive", "whether these are the archived ones"), ("entries", _ENTRY)),
    (
        Argument("--archive", "the archived ones", Kind.FLAG),
        Argument("--recent", "the last read first", Kind.FLAG),
    ),
)
_MARK = Verb(
    "mark",
    "set or clear the mark of entries",
    "entries:mark",
    "memory-shaper mark deploy.md postgres.md pinned\nmemory-shaper mark deploy.md none",
    _CHANGE,
    (Argument("NAME", "names of entries, then one of: pinned, critical, none", Kind.WORDS),),
    "A pinned entry is never archived or reordered; a critical one changes only with the user's word.",
    changes_files=True,
)
_ADD = Verb(
    "add",
    "add one line to the index",
    "entries:add",
    "memory-shaper add 'deploy,release,pipeline,staging,rollback → deploy.md'",
    _CHANGE,
    (Argument("LINE", "keyword,keyword,… → file.md; the file must exist", optional=False),),
    changes_files=True,
)
_ARCHIVE = Verb(
    "archive",
    "move entries and their files to the archive",
    "shelving:archive",
    "memory-shaper archive deploy.md",
    _CHANGE,
    (Argument("NAME", "names of entries", Kind.WORDS),),
    changes_files=True,
)
_RESTORE = Verb(
    "restore",
    "bring archived entries and their files back",
    "shelving:restore",
    "memory-shaper restore deploy.md",
    _CHANGE,
    (
        Argument("NAME", "names of archived entries", Kind.WORDS),
        Argument("--exact", "do not ask which where the archive has several of a name", Kind.FLAG),
    ),
    changes_files=True,
)
_MERGE = Verb(
    "merge",
    "merge the conflict copies of a sync service",
    "merge:merge",
    "memory-shaper merge\nmemory-shaper merge MEMORY.md --dry-run\nmemory-shaper merge deploy.md --take both",
    (*_CHANGE, _COPIES),
    (
        Argument("NAME", "the file to merge into, or one of its copies; else the copies are listed"),
        Argument("--take", "whose text of a topic file", choices=("ours", "theirs", "both")),
    ),
    "An index is merged entry by entry. For a topic file both texts are shown and kept until --take decides.\n"
    "What goes is kept in the journal.",
    changes_files=True,
)

_MIGRATE = Verb(
    "migrate",
    "take over a prose memory, an older index, or the export of another memory",
    "migrate:migrate",
    "memory-shaper migrate\nmemory-shaper migrate --apply\nmemory-shaper migrate --from keepsake export.jsonl --apply",
    (
        *_CHANGE,
        ("source", "the kind of the source"),
        ("topics", "the topic files to be: `file`, `archived`, `keywords`, `texts` (`number`, `line`, `file`), `why`"),
        ("secrets", "the secrets in the texts: `kind`, `line`, `file`"),
        ("left_out", "what could not be read, and why"),
        ("chars", "the size of the index after it"),
        ("cap", "its limit"),
    ),
    (
        Argument("SOURCE", "a file or folder; else MEMORY.md of the home"),
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
_EXPORT = Verb(
    "export",
    "write the memory as native prose again",
    "export:export",
    "memory-shaper export --native\nmemory-shaper export --native -o MEMORY-prose.md",
    (
        _HOME,
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
)
_HOOK = Verb(
    "hook",
    "judge one tool call for a host that runs commands as hooks",
    "hook:hook",
    "memory-shaper hook < event.json\nmemory-shaper hook --memdir ~/notes/memory < event.json",
    (("hookSpecificOutput", "the answer as Claude Code reads it"), ("action", "block, as Hermes' shell hooks read it")),
    (Argument("--memdir", "a memories folder outside of any Hermes home", metavar="DIR"),),
    "Standard input is one JSON object: hook_event_name, tool_name, tool_input, session_id, cwd, and after a call its\n"
    "result. Nothing is printed where there is nothing to say.",
    chat=False,
)

VERBS: dict[str, Verb] = {
    verb.name: verb
    for verb in (
        _VERIFY, _FIX, _STATUS, _LIST, _ADD, _MARK, _ARCHIVE, _RESTORE, _HISTORY, _DIFF, _UNDO, _MERGE,
        _MIGRATE, _EXPORT, _HOOK,
    )
}  # fmt: skip
