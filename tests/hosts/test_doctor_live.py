"""`doctor --live` and the sessions themselves: a guard that is enforced, one that is not, and commands that are taken."""

import json
from pathlib import Path
from typing import Any

from memory_shaper.record import Beat

from hosts.endpoint import ask, say
from hosts.harness import OUR_PLUGIN, Ended, Home, Host, run, session
from hosts.install import REPOSITORY
from hosts.scenes import beats, indexed_home, memory

CLONE = str(REPOSITORY / "plugin" / "memory-shaper")
DEAF = Path(__file__).resolve().parent / "deaf"
SQUATTER = Path(__file__).resolve().parent / "zz-squatter"


def doctor(host: Host, home: Home, *words: str) -> tuple[Ended, dict[str, Any]]:
    """Run doctor with the host's Python, so that its `hermes` is the one that is found; its JSON."""
    env = {"PYTHONPATH": CLONE, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [str(host.python), "-m", "memory_shaper", "doctor", "--json", *words]
    ended = run(command, home, env=env, timeout=200)
    return ended, json.loads(ended.out)


def check(data: dict[str, Any], name: str) -> dict[str, str]:
    return next(row for row in data["checks"] if row["check"] == name)


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_enforced(host: Host, tmp_path: Path) -> None:
    """A real session on a copy refuses both writes, doctor says so, and the home itself is not touched."""
    home = indexed_home(tmp_path)
    before = tree(home.path)
    _, data = doctor(host, home, "--live")
    live = check(data, "live")
    assert (data["enforced"], live["state"]) == (True, "ok"), live
    assert "guard enforced" in live["message"] and host.version in live["message"]
    assert tree(home.path) == before


def test_not_loaded(host: Host, tmp_path: Path) -> None:
    """With the plugin in its folder and switched off in the config the trial says that nobody guards."""
    home = indexed_home(tmp_path, config={"plugins": {"enabled": []}})
    ended, data = doctor(host, home, "--live")
    live = check(data, "live")
    assert (ended.code, data["enforced"], live["state"]) == (1, False, "problem")
    assert "guard NOT enforced" in live["message"] and "did not load the plugin" in live["message"]


def test_hook_results_are_dropped(host: Host, tmp_path: Path) -> None:
    """A host that drops what hooks say: the trial says so, and so do the session itself, once, and doctor after it."""
    home = indexed_home(tmp_path, plugins=(OUR_PLUGIN, DEAF))
    _, data = doctor(host, home, "--live")
    assert data["enforced"] is False
    assert "the guard refused, and the host made the call all the same" in check(data, "live")["message"]
    before = home.index.read_text()
    writes = [("write_file", {"path": str(home.index), "content": f"wiped out {number}\n"}) for number in range(2)]
    done = session(host, home, [ask(memory("add", "no entry")), *map(ask, writes), say("done")])
    assert home.index.read_text() == before
    told = [request.body for request in done.lane("main")]
    assert json.dumps(told[-1]).count("guard NOT enforced") == 1
    assert Beat.IGNORED in {beat.event for beat in beats(home)}
    assert "guard NOT enforced" in check(doctor(host, home)[1], "guard-enforced")["message"]


def test_a_refusal_that_was_kept(host: Host, tmp_path: Path) -> None:
    """After a session with a refused call doctor knows that the host keeps refusals, and has both commands."""
    home = indexed_home(tmp_path)
    session(host, home, [ask(memory("add", "no entry")), say("done")])
    assert Beat.ENFORCED in {beat.event for beat in beats(home)}
    data = doctor(host, home)[1]
    assert (check(data, "guard-enforced")["state"], check(data, "commands")["state"]) == ("ok", "ok")


def test_commands_that_are_taken(host: Host, tmp_path: Path) -> None:
    """Another plugin owns our names: doctor tells which command is whose, after a session and in a trial."""
    home = indexed_home(tmp_path, plugins=(OUR_PLUGIN, SQUATTER))
    session(host, home, [say("done")])
    for words in ((), ("--live",)):
        data = doctor(host, home, *words)[1]
        taken = [row for row in data["checks"] if row["check"] == "command-taken"]
        assert len(taken) == (4 if words else 2), data
        assert all("zz-squatter" in row["message"] and row["command"].endswith("disable zz-squatter") for row in taken)
        assert "/memory-shaper" in taken[0]["message"] and "hermes memory-shaper" in taken[1]["message"]
