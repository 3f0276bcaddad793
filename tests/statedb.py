"""State databases as the hosts make them, row by row, and a plain reader of calls."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

from memory_shaper.calls.effects import Act, Effect, Reading
from memory_shaper.watchdog.scan import Scan, Watermark, scan
from memory_shaper.watchdog.topics import Topics

MEM = "/home/u/.hermes/memories"
NOW = 1_796_040_000.0
TOPICS = Topics(
    (MEM,), frozenset({"deploy.md", "postgres.md", "x.md", "部署.md", "caf\u00e9.md"}), frozenset({"old.md"})
)
GOOD = '{"content": "1|text", "total_lines": 1}'

MESSAGES = """CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT, content TEXT,
    tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp, active INTEGER DEFAULT 1)"""
"""The columns that both hosts share; the stamp takes any type here, as very old files do."""


class StateDb:
    """A state.db that grows row by row; time goes on by a second a row."""

    def __init__(self, folder: Path, journal: str = "wal", name: str = "state.db") -> None:
        self.path = folder / name
        self.clock = NOW
        with closing(sqlite3.connect(self.path)) as database:
            database.execute(f"PRAGMA journal_mode={journal}")
            database.execute(MESSAGES)

    def do(self, sql: str, *values: object) -> int:
        with closing(sqlite3.connect(self.path)) as database, database:
            database.execute("PRAGMA synchronous=OFF")
            return database.execute(sql, values).lastrowid or 0

    def add(self, role, content=None, calls=None, call_id=None, session="s", at=None):
        self.clock += 1
        stamp = self.clock if at is None else at
        sql = (
            "INSERT INTO messages (session_id, role, content, tool_calls, tool_call_id, timestamp) VALUES (?,?,?,?,?,?)"
        )
        return self.do(sql, session, role, content, calls, call_id, stamp)

    def call(self, tool, args, result=GOOD, session="s", call_id=None, at=None):
        """An assistant row with one call and the row of its result; the id of the first."""
        call_id = call_id or f"call_{int(self.clock)}"
        row = self.add("assistant", "", call_text(tool, args, call_id), session=session, at=at)
        if result is not None:
            self.add("tool", result, call_id=call_id, session=session, at=at)
        return row

    def read(self, name, result=GOOD, **more):
        return self.call("read_file", {"path": f"{MEM}/{name}"}, result, **more)

    def scan(self, watermark: Watermark | None = None, topics=TOPICS) -> Scan:
        return scan(self.path, watermark or Watermark(), topics, plain_reader)


def call_text(tool, args, call_id):
    function = {"name": tool, "arguments": json.dumps(args)}
    return json.dumps([{"id": call_id, "type": "function", "function": function}])


def names(found: Scan) -> list[str]:
    return [use.name for use in found.uses]


def plain_shell(text, world):
    """Reads no more of shell and Python text than absolute paths and the word before them."""
    found = re.findall(r"(\w+)[ ('\"]+(/\S+?\.md)", str(text))
    return Reading(tuple(Effect(Act.READ, path, word) for word, path in found))


def plain_reader(tool, args, world):
    """Reads file tools by their names, shell and Python text as `plain_shell` does."""
    if tool in ("terminal", "execute_code"):
        return plain_shell(args.get("command") or args.get("code"), world)
    act = Act.WRITE if re.search("write|patch", tool) else Act.READ
    return Reading(tuple(Effect(act, value, tool) for value in args.values() if isinstance(value, str) and value))
