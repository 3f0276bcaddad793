"""`test_retrieval.py`: reads one session of the host's database and says how it came to a topic. Shell: a door.

Exit 0 where the topic was routed (and, if asked, its line was in the prompt), 1 where not, 2 where nothing can be said.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from .. import names, store
from ..calls.reader import read_call
from ..errors import MemoryShaperError, Missing, Unreadable
from ..settings import Home, find_home
from ..watchdog.stamps import seconds
from ..watchdog.topics import Topics
from .retrieval import Report, Row, Verdict, in_prompt, judge

_BUSY_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Session:
    """One session: its id, rows, and the system prompt it was given (None: the host has kept none)."""

    id: str
    rows: tuple[Row, ...]
    prompt: str | None


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    options = _parser().parse_args(argv)
    try:
        home = find_home(given=options.home)
        found = read_session(Path(options.db) if options.db else home.path / "state.db", options.session)
        report = judge(found.rows, options.expect, topics_of(home, options.expect), read_call)
    except MemoryShaperError as error:
        print(error, file=sys.stderr)
        return error.code
    prompt = _prompt(found, options.expect) if options.check_prompt else ""
    _print(found, options.expect, report, prompt, options.json)
    return 0 if report.verdict is Verdict.ROUTED and prompt in ("", "yes") else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="test_retrieval.py", description="Did a session find a topic by the index, by searching, or not at all?"
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--session", metavar="ID", help="the session to look at")
    which.add_argument("--last", action="store_true", help="the session with the newest message")
    parser.add_argument("--expect", metavar="FILE", required=True, help="the topic file that should have been read")
    parser.add_argument("--check-prompt", action="store_true", help="its index line must be in the system prompt, too")
    parser.add_argument("--db", metavar="FILE", help="the host's database; else state.db of the home")
    parser.add_argument("--home", metavar="DIR", help="the Hermes home; else $HERMES_HOME, the profile, the default")
    parser.add_argument("--json", action="store_true", help="JSON on stdout")
    return parser


def read_session(path: Path, session: str | None) -> Session:
    """Read a session, the one with the newest message for None; nothing is written. Raises Missing or Unreadable."""
    if not path.exists():
        raise Missing(f"{path}: there is no such database")
    try:
        with closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_BUSY_SECONDS)
        ) as database:
            database.text_factory = lambda data: data.decode("utf-8", "replace")
            return _session(database, path, session)
    except sqlite3.Error as error:
        raise Unreadable(f"{path}: cannot be read ({error})") from error


def _session(database: sqlite3.Connection, path: Path, session: str | None) -> Session:
    if session is None:
        newest = database.execute("SELECT session_id FROM messages ORDER BY id DESC LIMIT 1").fetchone()
        if newest is None:
            raise Missing(f"{path}: there is no session in it yet")
        session = str(newest[0])
    columns = "id, role, content, tool_call_id, tool_calls, timestamp"
    rows = database.execute(f"SELECT {columns} FROM messages WHERE session_id = ? ORDER BY id", (session,)).fetchall()
    if not rows:
        raise Missing(f'{path}: there is no session "{session[:80]}"')
    return Session(session, tuple(map(_row, rows)), _stored_prompt(database, session))


def _row(row: tuple[object, ...]) -> Row:
    number, *texts, at = row
    role, content, call_id, calls = (value if isinstance(value, str) else "" for value in texts)
    return Row(number if isinstance(number, int) else 0, role, content, call_id, calls, seconds(at))


def _stored_prompt(database: sqlite3.Connection, session: str) -> str | None:
    """The system prompt of a session, wherever this version of the host keeps it."""
    columns = {row[0] for row in database.execute("SELECT name FROM pragma_table_info('sessions')")}
    queries = {
        "system_prompt": "SELECT system_prompt FROM sessions WHERE id = ?",
        "system_prompt_hash": "SELECT prompt FROM system_prompts, sessions WHERE hash = system_prompt_hash AND id = ?",
    }
    for column, query in queries.items():
        found = database.execute(query, (session,)).fetchone() if column in columns else None
        if found and isinstance(found[0], str):
            return found[0]
    return None


def topics_of(home: Home, expected: str) -> Topics:
    """The topics of a home, the expected one among them even where it is gone by now."""
    live, archived = (
        frozenset(name for name in files if names.is_topic(name, files))
        for files in (_files(home.memories), _files(home.archive))
    )
    env = {"HOME": str(Path.home()), "HERMES_HOME": str(home.path)}
    return Topics((str(home.memories),), live | ({expected} - archived), archived, env)


def _files(folder: Path) -> frozenset[str]:
    return store.list_folder(folder).files if folder.is_dir() else frozenset()


def _prompt(found: Session, name: str) -> str:
    """Whether the line was in the prompt: yes, no or unknown."""
    if found.prompt is None:
        return "unknown"
    return "yes" if in_prompt(found.prompt, name) else "no"


def _print(found: Session, name: str, report: Report, prompt: str, as_json: bool) -> None:
    if as_json:
        fields = {"session": found.id, "expect": name, "verdict": report.verdict.value, "why": report.why}
        fields |= {"in_prompt": prompt} if prompt else {}
        print(json.dumps(fields, ensure_ascii=False))
        return
    print(f"{name}: {report.verdict}: {report.why} (session {found.id})")
    if prompt:
        said = {"yes": "is in", "no": "is not in", "unknown": "cannot be looked for: the host kept no"}[prompt]
        print(f"its index line {said} the system prompt")
