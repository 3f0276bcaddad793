"""`test_retrieval.py`: reads one session of the host's database and says how it came to a topic. Shell: a door.

Exit 0 where the topic was routed (and, if asked, its line was in the prompt), 1 where not, 2 where nothing can be said.
With `--report` it counts over sessions instead, and the exit code is 0 where they could be read.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from .. import grammar, names, store
from ..calls.reader import read_call
from ..errors import MemoryShaperError, Missing, Unreadable
from ..settings import Home, find_home
from ..watchdog.stamps import seconds
from ..watchdog.topics import Topics
from .fuzzy import near_words
from .retrieval import Report, Row, Verdict, in_prompt, judge
from .retrieval_sessions import Counted, count
from .route import Router
from .word_lists import word_lists

_BUSY_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Session:
    """One session: its id, rows, and the system prompt it was given (None: the host has kept none)."""

    id: str
    rows: tuple[Row, ...]
    prompt: str | None


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    parser = _parser()
    options = parser.parse_args(argv)
    if not options.report and (not options.expect or (options.last or 1) > 1):
        parser.error("one session and --expect FILE, or --report")
    try:
        home = find_home(given=options.home)
        path = Path(options.db) if options.db else home.path / "state.db"
        if options.report:
            return _report(home, path, options.session, options.last, options.json)
        found = read_session(path, options.session)
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
    which.add_argument(
        "--last", nargs="?", const=1, type=_number, metavar="N",
        help="the session with the newest message; with --report the last N of them",
    )  # fmt: skip
    parser.add_argument("--expect", metavar="FILE", help="the topic file that should have been read")
    parser.add_argument("--report", action="store_true", help="count routed, searched and not looked at instead")
    parser.add_argument("--check-prompt", action="store_true", help="its index line must be in the system prompt, too")
    parser.add_argument("--db", metavar="FILE", help="the host's database; else state.db of the home")
    parser.add_argument("--home", metavar="DIR", help="the Hermes home; else $HERMES_HOME, the profile, the default")
    parser.add_argument("--json", action="store_true", help="JSON on stdout")
    return parser


def _number(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def read_session(path: Path, session: str | None) -> Session:
    """Read a session, the one with the newest message for None; nothing is written. Raises Missing or Unreadable."""
    with _opened(path) as database:
        return _session(database, path, session)


def last_sessions(path: Path, most: int) -> list[str]:
    """Return the sessions with the newest messages, the last one first. Raises Missing or Unreadable."""
    query = "SELECT session_id FROM messages GROUP BY session_id ORDER BY max(id) DESC LIMIT ?"
    with _opened(path) as database:
        return [str(name) for (name,) in database.execute(query, (most,)) if name is not None]


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    if not path.exists():
        raise Missing(f"{path}: there is no such database")
    try:
        with closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_BUSY_SECONDS)
        ) as database:
            database.text_factory = lambda data: data.decode("utf-8", "replace")
            yield database
    except sqlite3.Error as error:
        raise Unreadable(f"{path}: cannot be read ({error})") from error


def _report(home: Home, path: Path, session: str | None, last: int | None, as_json: bool) -> int:
    """Count over sessions, and print a line for each that was about a topic."""
    document = store.read_if_there(home.index)
    entries = [entry for _, entry in grammar.parse(document.text if document else "").entries()]
    router, topics = Router(entries, near_words(), word_lists(home).synonyms), topics_of(home)
    names = [session] if session else last_sessions(path, last or 1)
    counted = [count(name, read_session(path, name).rows, router, topics, read_call) for name in names]
    if as_json:
        print(json.dumps(_fields(counted), ensure_ascii=False))
        return 0
    for one in counted:
        if one.topics:
            print(f"{one.session}: {_counts([one])}")
    print(f"{len(counted)} sessions, {sum(not one.topics for one in counted)} without a topic: {_counts(counted)}")
    return 0


def _counts(counted: Sequence[Counted]) -> str:
    routed, searched, not_looked = _totals(counted)
    return f"{routed} routed, {searched} searched, {not_looked} not looked at"


def _totals(counted: Sequence[Counted]) -> tuple[int, int, int]:
    return (
        sum(len(one.routed) for one in counted),
        sum(len(one.searched) for one in counted),
        sum(len(one.not_looked) for one in counted),
    )


def _fields(counted: Sequence[Counted]) -> dict[str, object]:
    rows = [
        {
            "session": one.session,
            "at": one.at,
            "routed": list(one.routed),
            "searched": list(one.searched),
            "not_looked_at": list(one.not_looked),
        }
        for one in counted
    ]
    return {"sessions": rows} | dict(zip(("routed", "searched", "not_looked_at"), _totals(counted), strict=True))


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


def topics_of(home: Home, expected: str = "") -> Topics:
    """The topics of a home, the expected one among them even where it is gone by now."""
    live, archived = (
        frozenset(name for name in files if names.is_topic(name, files))
        for files in (_files(home.memories), _files(home.archive))
    )
    env = {"HOME": str(Path.home()), "HERMES_HOME": str(home.path)}
    return Topics((str(home.memories),), live | ({expected} - archived - {""}), archived, env)


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
