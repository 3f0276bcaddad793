"""Facts at the end of a session, in both real hosts: through the host's own model, without a trace of a secret."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from memory_shaper import grammar
from memory_shaper.record import Record, State

from hosts.endpoint import Request, Script, say
from hosts.harness import Home, Host, host_python, make_home, session

SECRET = "ghp_FAKE0123456789abcdefghij0123456789"
SAID = (
    "Hi! I drink oolong tea in the morning and never coffee. Also, our staging database listens on port 6543 since May. "
    f"My token is {SECRET}, use it if you need it. And thanks, nice weather today!"
)
FACTS = [
    {"text": "The user drinks oolong tea in the morning and never coffee.", "type": "profile", "topic": "tea-habits",
     "keywords": ["tea", "oolong", "coffee", "morning", "drinks"]},
    {"text": "The staging database listens on port 6543 since May.", "type": "fact", "topic": "staging-database",
     "keywords": ["staging", "database", "port", "listens", "6543"]},
    {"text": f"The token of the user is {SECRET}.", "type": "fact", "topic": "token",
     "keywords": ["token", "github", "access", "login", "key"]},
]  # fmt: skip
INDEX = "# Memory index: a routing table\n§\nbees,honey,wax,smoker,queen → bees.md"


def script(asked: list[str]) -> Script:
    """A conversation of one answer, and a model that finds facts when it is asked for them."""

    def aside(request: Request) -> str:
        if "pick out what is worth knowing" in request.system:
            asked.append(request.user)
            return json.dumps({"facts": FACTS})
        return "A short title"

    return Script(main=[say("Noted.")], aside=aside)


def home_with(folder: Path, mode: str) -> Home:
    ours: dict[str, Any] = {"plugins": {"entries": {"memory-shaper": {"settings": {"extract": mode}}}}}
    return make_home(folder, {"MEMORY.md": INDEX, "bees.md": "# Bees\nHives.\n"}, config=ours)


def traces(home: Home) -> list[str]:
    """The files below the home that hold the secret, but for what the host itself keeps of a session."""
    paths = (path for path in home.path.rglob("*") if path.is_file())
    found = [path for path in paths if SECRET.encode() in path.read_bytes()]
    return [str(path.relative_to(home.path)) for path in found if not is_the_hosts(path, home) or is_logged(path)]


def is_the_hosts(path: Path, home: Home) -> bool:
    """Whether a file is the host's transcript, its log, or its note of the command line, which holds the prompt here."""
    relative = path.relative_to(home.path)
    return relative.parts[0] in ("sessions", "logs") or path.name.startswith(("state.db", "spawn-ledger"))


def is_logged(path: Path) -> bool:
    """Whether a line of ours in a log holds the secret."""
    lines = path.read_text("utf-8").splitlines() if path.suffix == ".log" else []
    return any(SECRET in line and re.search("memory[-_]shaper", line) for line in lines)


def record(home: Home) -> Record:
    return Record.open(home.path / "plugin-data" / "memory-shaper" / "record.db")


def test_two_facts_a_secret_and_chatter(host: Host, tmp_path: Path) -> None:
    """Exactly two proposals, no file changed, no trace of the secret; applied, they pass the guard."""
    home = home_with(tmp_path, "propose")
    asked: list[str] = []
    done = session(host, home, script(asked), SAID)
    assert done.ended.code == 0 and len(asked) == 1
    assert SECRET not in asked[0] and "oolong" in asked[0]
    with record(home) as opened:
        assert [one.target for one in opened.proposals.list()] == ["tea-habits", "staging-database"]
    assert home.index.read_text(encoding="utf-8") == INDEX
    assert traces(home) == []
    code = "import sys; from memory_shaper.cli import main; raise SystemExit(main(sys.argv[2:]))"
    plugin = str(home.path / "plugins" / "memory-shaper")
    applied = host_python(
        host, home, f"import sys; sys.path.insert(0, sys.argv[1]); {code}", plugin, "proposals", "--apply", "all"
    )
    assert applied.code == 0, applied.err
    targets = [entry.target for _, entry in grammar.parse(home.index.read_text("utf-8")).entries()]
    assert targets == ["bees.md", "tea-habits.md", "staging-database.md"]
    with record(home) as opened:
        assert opened.proposals.list() == []
        assert len(opened.proposals.list(State.APPLIED)) == 2
    assert traces(home) == []


@pytest.mark.parametrize("mode", ["apply", "off"])
def test_the_setting_decides(host: Host, tmp_path: Path, mode: str) -> None:
    """With `apply` the two facts are kept at once; switched off, nobody is asked."""
    home = home_with(tmp_path, mode)
    asked: list[str] = []
    session(host, home, script(asked), SAID)
    assert len(asked) == (mode == "apply")
    targets = [entry.target for _, entry in grammar.parse(home.index.read_text("utf-8")).entries()]
    assert targets == ["bees.md", *(["tea-habits.md", "staging-database.md"] if mode == "apply" else [])]
    assert traces(home) == []
