"""The one table of verbs. The terminal, `hermes memory-shaper` and `/memory-shaper` all read it."""

from __future__ import annotations

from .fields import CHANGE as _CHANGE
from .fields import HOME as _HOME
from .request import Argument, Kind, Verb
from .table_forget import FORGET
from .table_keeping import KEEPING
from .table_mcp import MCP
from .table_migrate import EXPORT, MIGRATE
from .table_recall import RECALL
from .table_report import REPORT
from .table_setup import COMPLETION, DOCTOR, INSTALL

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
    "memory-shaper verify --strict\nmemory-shaper verify notes/MEMORY.md --ignore lines-compete,near-cap\n"
    "memory-shaper verify --references",
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
        ("topics", "what stands in topic files and should not, or is odd: the fields of a finding with its `file`"),
        ("errors", "how many errors in all"),
        ("warnings", "how many warnings in all"),
        ("notes", "what is odd about the settings"),
        (
            "references",
            "with --references, where all between is null: `file`, `line`, `name` of what exists nowhere",
        ),
    ),
    (
        Argument("FILE", "an index or an archive index; else those of the home"),
        Argument("--references", "which texts name memory files that exist nowhere; FILE may be a folder", Kind.FLAG),
        Argument("--memdir", "the folder of the topic files; else that of the file", metavar="DIR"),
        Argument("--routing", "also look for lines that take each other's questions", Kind.FLAG),
        Argument("--strict", "warnings and unknown settings count as well", Kind.FLAG),
        Argument("--select", "only these rules", metavar="RULE,…"),
        Argument("--ignore", "not these rules", metavar="RULE,…"),
        Argument("--cap", "the limit in characters; else that of config.yaml", Kind.COUNT, metavar="N"),
    ),
    "Exit code 1 where there are errors. An archive index is known by its name and has no cap.",
    reads=True,
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
        Argument("--leftovers", "remove old temporary files of killed writers instead", Kind.FLAG),
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
            "`events` (null: no record yet), `bytes`, `since` (changes and refusals by kind since the last status), "
            "`trouble`",
        ),
        ("guard", "signs of life of the guard: `surface`, `event`, `at` (UTC)"),
        ("absent", "optional packages that are not installed"),
        ("large", "topic files that the journal cannot keep: `file`, `bytes`"),
        ("notes", "what is odd about the settings"),
        (
            "search",
            "`mode` (text, or text and meaning), `host`, `model`, `size` (numbers of a vector), `passages`, `known` "
            "(of them, to the endpoint), `trouble`",
        ),
        (
            "extract",
            "facts of sessions: `mode`, `at` of the last look (UTC or null), `proposed`, `applied`, `why` it stopped, "
            "`open` proposals",
        ),
        (
            "ranking",
            "with --explain, the most needed first: `target`, `score`, `why`, `stays` (why not archived)",
        ),
    ),
    (
        Argument("--ascii", "draw the bar with # and -", Kind.FLAG),
        Argument("--explain", "how much each entry is needed, and why", Kind.FLAG),
    ),
)
_HISTORY = Verb(
    "history",
    "list the newest changes",
    "journal:history",
    "memory-shaper history -n 5 MEMORY.md",
    (_HOME, ("events", _EVENT)),
    (
        Argument("FILE", "only those of this file, named as in the memories folder", names="topics"),
        Argument("--number", "how many changes; else 20", Kind.COUNT, metavar="N", short="-n"),
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
    "possible, or a topic file has changed since, nothing is lost: the later edit is noted in the journal, and the\n"
    "number to undo first is named. An undo can be undone by its own number.",
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
    (Argument("NAME", "names of entries, then one of: pinned, critical, none", Kind.WORDS, names="topics-and-marks"),),
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
    "memory-shaper archive deploy.md\nmemory-shaper archive --older 180d --dry-run",
    (*_CHANGE, ("archived", "how many entries went, or would go")),
    (
        Argument("NAME", "names of entries", Kind.ANY, names="topics"),
        Argument("--older", "those that nobody has written, changed or read for so long", metavar="90d|12w|2y"),
    ),
    "A marked entry never goes: its name is refused, --older passes it over.",
    changes_files=True,
)
_RESTORE = Verb(
    "restore",
    "bring archived entries and their files back",
    "shelving:restore",
    "memory-shaper restore deploy.md",
    _CHANGE,
    (
        Argument("NAME", "names of archived entries", Kind.WORDS, names="archived"),
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
        Argument("NAME", "the file to merge into, or one of its copies; else the copies are listed", names="topics"),
        Argument("--take", "whose text of a topic file", choices=("ours", "theirs", "both")),
        Argument("--driver", "merge two versions for git; the result replaces OURS", Kind.WORDS, "BASE OURS THEIRS"),
    ),
    "An index is merged entry by entry. For a topic file both texts are shown and kept until --take decides.\n"
    "What goes is kept in the journal. How git calls the driver is told in docs/sync.md.",
    changes_files=True,
)

_HOOK = Verb(
    "hook",
    "judge one tool call for a host that runs commands as hooks",
    "hook:hook",
    "memory-shaper hook < event.json\nmemory-shaper hook --memdir ~/notes/memory < event.json",
    (
        ("hookSpecificOutput", "the answer as Claude Code reads it"),
        ("action", "block, as Hermes' shell hooks read it"),
        ("decision", "deny, as OpenHands reads it, with `reason`"),
    ),
    (Argument("--memdir", "a memories folder outside of any Hermes home", metavar="DIR"),),
    "Standard input is one JSON object: hook_event_name, tool_name, tool_input, session_id, cwd, and after a call its\n"
    "result; OpenHands' event_type and working_dir are known too. Nothing is printed where there is nothing to say.",
    chat=False,
)

_MAINTAIN = Verb(
    "maintain",
    "tally what is read, order by use, archive what is cold, propose what to merge",
    "watching:maintain",
    "memory-shaper maintain --dry-run --explain\nmemory-shaper maintain --report",
    (
        ("version", "of these fields: 1"),
        _HOME,
        ("home_source", "how the home was found"),
        ("at", "when (UTC)"),
        ("dry_run", "whether nothing was to be changed"),
        ("last_run", "the run before (UTC or null)"),
        ("budget", "`cap`, `cap_source`, `chars`, `bytes`, `chars_after`, `near`, `goal`, `short`"),
        ("evidence", "`earliest` and `latest` session seen (UTC), `held`: why nothing may be archived"),
        ("forecast", "`daily` growth in characters, `full_at` (UTC or null); null: too little is known"),
        ("repaired", "how many unfinished changes of killed processes there were"),
        ("reshaped", "whether the canonical form is written"),
        ("reordered", "how many lines change their place"),
        ("archived", "`target`, `archived_as`, `line`, `score`, `why`"),
        ("entries", "by need: `target`, `mark`, `score`, `why`, `stays`, `size`, `first_seen`, `last_used`, `uses`"),
        ("faults", "files changed from outside that have a fault now: `file`, `rule`"),
        ("skipped", "files that are left alone: `file`, `why`"),
        ("notes", "what is odd about the settings"),
        (
            "rules",
            "of keeping: `archived` (`target`, `archived_as`, `rule`, `why`), `proposed` (`kind`, `target`, `title`), "
            "with --explain `topics` (`target`, `rule`, `why`)",
        ),
    ),
    (
        Argument("--report", "show budget, ranking and what would go next, change nothing", Kind.FLAG),
        Argument("--explain", "show what the rules say of each topic, change nothing", Kind.FLAG),
    ),
    "What scripts/dynmem-watchdog.py does once a day; see docs/watchdog.md and docs/lifecycle.md. Exit code 3 where\n"
    "another is at work.",
    changes_files=True,
    rehearsals=("dry_run", "report", "explain"),
)
_WATCH = Verb(
    "watch",
    "report what changes in the memories folder, as it happens",
    "watching:watch",
    "memory-shaper watch\nmemory-shaper watch --poll",
    (("at", "when (UTC)"), ("said", "the line; one object a line")),
    (Argument("--poll", "look every few seconds: for network mounts, which send no events", Kind.FLAG),),
    "Verifies and reports; never changes a file. Ends when it is interrupted.",
    chat=False,
)

VERBS: dict[str, Verb] = {
    verb.name: verb
    for verb in (
        _VERIFY, _FIX, _STATUS, DOCTOR, _LIST, _ADD, _MARK, _ARCHIVE, _RESTORE, FORGET, _HISTORY, _DIFF, _UNDO, _MERGE,
        *RECALL, *KEEPING, _MAINTAIN, _WATCH, REPORT, MIGRATE, EXPORT, INSTALL, COMPLETION, _HOOK, MCP,
    )
}  # fmt: skip
