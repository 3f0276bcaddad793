"""The tables of the record, as a list of steps from one version to the next.

Steps are only ever added, and only add: a new table, a new column, a new kind of event. The number of steps done is
the version and stands in `PRAGMA user_version`. Times are ISO text in UTC, digests the SHA-256 of the bytes in hex,
files are named relative to `memories/`, and a NULL digest means that the file is absent.
"""

from __future__ import annotations

Migration = tuple[str, ...]

# "MShp": marks the file as ours, so that no other database is taken for a record.
APPLICATION_ID = 0x4D536870

_EVENT = """
    kind TEXT NOT NULL, at TEXT NOT NULL, rule TEXT NOT NULL, detail TEXT NOT NULL, tool TEXT NOT NULL,
    session TEXT NOT NULL, call TEXT NOT NULL, surface TEXT NOT NULL, pid INTEGER NOT NULL, undo_of INTEGER
"""

_FIRST: Migration = (
    # `size` and `base` stand before the long column, so that a scan over them reads no overflow pages.
    """CREATE TABLE texts (digest TEXT PRIMARY KEY, at TEXT NOT NULL, size INTEGER NOT NULL, base TEXT,
                           packed BLOB NOT NULL)""",
    "CREATE TABLE kept (digest TEXT PRIMARY KEY, reason TEXT NOT NULL, at TEXT NOT NULL) WITHOUT ROWID",
    f"""CREATE TABLE events (id INTEGER PRIMARY KEY AUTOINCREMENT, {_EVENT}, file TEXT NOT NULL, before TEXT,
                             after TEXT, intent INTEGER, accepts INTEGER NOT NULL)""",
    "CREATE INDEX events_by_file ON events (file)",
    "CREATE INDEX events_by_undo ON events (undo_of) WHERE undo_of IS NOT NULL",
    "CREATE INDEX events_by_intent ON events (intent) WHERE intent IS NOT NULL",
    """CREATE TABLE accepted (file TEXT PRIMARY KEY, digest TEXT, mtime_ns INTEGER, size INTEGER, inode TEXT,
                              at TEXT NOT NULL, event INTEGER NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE promises (id INTEGER PRIMARY KEY AUTOINCREMENT, file TEXT NOT NULL, before TEXT,
                              session TEXT NOT NULL, call TEXT NOT NULL, at TEXT NOT NULL, expires_at TEXT,
                              done_at TEXT)""",
    "CREATE TABLE drafts (promise INTEGER NOT NULL, after TEXT)",
    "CREATE INDEX drafts_by_promise ON drafts (promise)",
    """CREATE TABLE flights (id INTEGER PRIMARY KEY AUTOINCREMENT, session TEXT NOT NULL, call TEXT NOT NULL,
                             tool TEXT NOT NULL, pid INTEGER NOT NULL, pid_start TEXT NOT NULL,
                             started_at TEXT NOT NULL)""",
    """CREATE TABLE backgrounds (id INTEGER PRIMARY KEY AUTOINCREMENT, pid INTEGER NOT NULL, pid_start TEXT NOT NULL,
                                 host INTEGER NOT NULL, host_start TEXT NOT NULL, session TEXT NOT NULL,
                                 seen_at TEXT NOT NULL, ended_at TEXT)""",
    f"CREATE TABLE intents (id INTEGER PRIMARY KEY AUTOINCREMENT, {_EVENT}, finished_at TEXT)",
    """CREATE TABLE steps (intent INTEGER NOT NULL, place INTEGER NOT NULL, kind TEXT NOT NULL, file TEXT NOT NULL,
                           target TEXT NOT NULL, before TEXT, after TEXT, PRIMARY KEY (intent, place)) WITHOUT ROWID""",
    """CREATE TABLE topics (name TEXT PRIMARY KEY, first_seen TEXT NOT NULL, last_used TEXT, count INTEGER NOT NULL,
                            digest TEXT) WITHOUT ROWID""",
    """CREATE TABLE weeks (name TEXT NOT NULL, week TEXT NOT NULL, count INTEGER NOT NULL,
                           PRIMARY KEY (name, week)) WITHOUT ROWID""",
    "CREATE TABLE counted (use BLOB PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE watermarks (source TEXT PRIMARY KEY, identity TEXT NOT NULL, last_id INTEGER NOT NULL,
                                earliest TEXT, latest TEXT, at TEXT NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE feedback (name TEXT PRIMARY KEY, up INTEGER NOT NULL, down INTEGER NOT NULL,
                              at TEXT NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE counters (name TEXT NOT NULL, key TEXT NOT NULL, value INTEGER NOT NULL, at TEXT NOT NULL,
                              PRIMARY KEY (name, key)) WITHOUT ROWID""",
    """CREATE TABLE heartbeats (surface TEXT NOT NULL, event TEXT NOT NULL, pid INTEGER NOT NULL, at TEXT NOT NULL,
                                PRIMARY KEY (surface, event, pid)) WITHOUT ROWID""",
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)

_PROPOSALS: Migration = (
    """CREATE TABLE proposals (id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, at TEXT NOT NULL,
                               target TEXT NOT NULL, title TEXT NOT NULL, payload TEXT NOT NULL, source TEXT NOT NULL,
                               digest TEXT NOT NULL, state TEXT NOT NULL, closed_at TEXT)""",
    "CREATE UNIQUE INDEX proposals_by_digest ON proposals (digest) WHERE state <> 'applied'",
    # When a topic's text was first seen to be another one; its file's own time changes with every copy.
    "ALTER TABLE topics ADD COLUMN changed TEXT",
)

MIGRATIONS: tuple[Migration, ...] = (_FIRST, _PROPOSALS)
