"""Secrets and excluded text in topic files: taken out of what a call wrote, left alone in what its owner saved."""

from __future__ import annotations

import pytest
from guard_tools import Sandbox, forget_guards
from memory_shaper import edit, plugin
from memory_shaper.record import EventKind

KEY = "ghp_FAKE0123456789abcdefghij0123456789"
MASK = "[a GitHub token]"
RULES = """plugins:
  entries:
    memory-shaper:
      settings:
        exclude: ["私人", "(?i)secret plan"]
        redact: {"sk-[A-Za-z0-9]{8,}": "[key]"}
"""


def written(sandbox: Sandbox, name: str, text: str) -> str:
    """What is left of a text that `write_file` puts into a topic file."""
    path = sandbox.memories / name
    done = sandbox.call("write_file", {"path": str(path), "content": text}, lambda: path.write_text(text))
    assert done.action == "allow"
    return path.read_text(encoding="utf-8")


def raw(sandbox: Sandbox) -> bytes:
    """Every byte below the home."""
    forget_guards()
    return b"".join(path.read_bytes() for path in sandbox.home.path.rglob("*") if path.is_file())


@pytest.mark.parametrize("name", ["python-env.md", "brand-new.md", "below/deep.md"])
def test_a_secret_that_a_call_writes_is_taken_out(sandbox: Sandbox, name: str) -> None:
    """In an indexed file, a new one and one in a folder: the mask stands there, and the value in no file at all."""
    (sandbox.memories / "below").mkdir()
    sandbox.idle()
    assert written(sandbox, name, f"# Env\nthe key is {KEY}\n") == f"# Env\nthe key is {MASK}\n"
    assert KEY.encode() not in raw(sandbox)


def test_the_model_is_told_kind_and_line(sandbox: Sandbox) -> None:
    """The result of the call names both and not the value."""
    sandbox.idle()
    path = sandbox.memories / "python-env.md"
    done = sandbox.terminal(f"printf 'a\\nkey {KEY}\\n' > {path}")
    assert "python-env.md line 2 (a GitHub token)" in done.note and KEY not in done.note
    assert path.read_text() == f"a\nkey {MASK}\n"


def script(sandbox: Sandbox, text: str, by_agent: bool) -> None:
    """A program `job` on the path, written by a call of the agent or by somebody else."""
    job = sandbox.root / "bin" / "job"

    def write() -> None:
        job.write_text(f"#!/bin/bash\n{text}\n")
        job.chmod(0o755)

    if by_agent:
        sandbox.call("write_file", {"path": str(job), "content": f"#!/bin/bash\n{text}\n"}, write)
    else:
        write()


@pytest.mark.parametrize("sign", [">", ">>"])
def test_a_script_that_nobody_reads_is_caught_as_well(sandbox: Sandbox, sign: str) -> None:
    """What the agent once said is taken out of a file that a program of its own writes, a new one or a known one."""
    sandbox.idle()
    path = sandbox.memories / ("fresh.md" if sign == ">" else "python-env.md")
    script(sandbox, f"echo 'key {KEY}' {sign} {path}", by_agent=True)
    assert f"{path.name} line" in sandbox.terminal("job").note
    assert KEY not in path.read_text()


@pytest.mark.parametrize("said", [False, True])
@pytest.mark.parametrize(
    "command",
    [
        "mv {memories}/new-topic.md {memories}/py.md",
        "chmod -R u+w {memories}/sub",
        "mv {memories}/sub {memories}/sub2",
        "mv {memories}/new-topic.md {memories}/sub/",
        "mv {work}/notes.md {memories}/",
        "cp {work}/notes.md {memories}/copy.md",
        "touch {memories}/new-topic.md",
    ],
)
def test_the_owners_text_survives_being_moved_and_touched(sandbox: Sandbox, command: str, said: bool) -> None:
    """A file with a key of the owner's holds it still, wherever a call puts it, even where the agent knows the key."""
    (sandbox.memories / "sub").mkdir()
    places = [sandbox.memories / "new-topic.md", sandbox.memories / "sub" / "deep.md", sandbox.work / "notes.md"]
    for path in places:
        path.write_text(f"mine: {KEY}\n")
    sandbox.idle()
    if said:
        sandbox.terminal(f"echo {KEY} > /dev/null")
    sandbox.terminal(command.format(memories=sandbox.memories, work=sandbox.work))
    files = [path for folder in (sandbox.memories, sandbox.work) for path in folder.rglob("*.md")]
    assert sum(f"mine: {KEY}" in path.read_text() for path in files) >= len(places)


def test_what_the_user_saves_while_a_call_runs_stays(sandbox: Sandbox) -> None:
    """Two files saved by an editor while an unreadable command runs keep a key that the agent never said."""
    sandbox.idle()
    paths = (sandbox.memories / "python-env.md", sandbox.memories / "fresh.md")
    script(sandbox, "\n".join(f"echo 'mine: {KEY}' > {path}" for path in paths), by_agent=False)
    sandbox.terminal("job")
    assert [path.read_text() for path in paths] == [f"mine: {KEY}\n"] * 2


def test_what_the_user_saved_stays(sandbox: Sandbox) -> None:
    """A key that was in the file before the call, or is saved between calls, is the user's; new ones are not."""
    path = sandbox.memories / "python-env.md"
    path.write_text(f"mine: {KEY}\n")
    sandbox.idle()
    assert path.read_text() == f"mine: {KEY}\n"
    other = KEY.replace("0", "1")
    assert written(sandbox, "python-env.md", f"mine: {KEY}\nnew: {other}\n") == f"mine: {KEY}\nnew: {MASK}\n"


def test_an_unindexed_file_of_the_user_is_not_taken_apart(sandbox: Sandbox) -> None:
    """Where nobody knows what stood in a file before an unreadable command, nothing is taken out of it."""
    path = sandbox.memories / "new-topic.md"
    path.write_text(f"mine: {KEY}\n")
    sandbox.idle()
    job = sandbox.root / "bin" / "job"
    job.write_text(f"#!/bin/bash\necho more >> {path}\n")
    job.chmod(0o755)
    sandbox.terminal("job")
    assert path.read_text() == f"mine: {KEY}\nmore\n"


def test_excluded_and_redacted_text(sandbox: Sandbox) -> None:
    """A line that `exclude` matches goes as a whole, what `redact` matches is replaced; both reach no file."""
    (sandbox.home.path / "config.yaml").write_text(RULES, encoding="utf-8")
    sandbox.idle()
    text = "# Env\n这是私人的 thing\nuse sk-abcdefgh1234 here\n"
    assert written(sandbox, "python-env.md", text) == "# Env\n[left out]\nuse [key] here\n"
    data = raw(sandbox)
    assert "私人的".encode() not in data and b"sk-abcdefgh1234" not in data


def test_excluded_text_that_the_user_saves_is_in_no_journal(sandbox: Sandbox) -> None:
    """The file stays as it was saved; of its text the record keeps nothing, and a later call changes no line of it."""
    (sandbox.home.path / "config.yaml").write_text(RULES, encoding="utf-8")
    sandbox.idle()
    path = sandbox.memories / "python-env.md"
    path.write_text("our secret plan\n")
    plugin.on_pre_llm_call(session_id="s")
    with edit.open_record(sandbox.home) as record:
        (event,) = record.journal.newest(1, file="python-env.md", kind=EventKind.OUTSIDE)
        assert event.after and record.texts.text(event.after) is None
    forget_guards()
    assert written(sandbox, "python-env.md", "our secret plan\nmore 私人\n") == "our secret plan\n[left out]\n"


def test_the_memory_tool_takes_no_secret(sandbox: Sandbox) -> None:
    """An add, a batch and a line for the user's profile are refused with kind and line; the journal has no value."""
    sandbox.idle()
    line = f"docker,compose,volumes,network,{KEY} → new-topic.md"
    for number, args in enumerate(
        (
            {"action": "add", "content": line},
            {"operations": [{"action": "add", "content": f"a\nmy key {KEY}"}]},
            {"action": "add", "target": "user", "content": f"key {KEY}"},
            {"action": "patch", "old_text": "jmx", "new_text": KEY},
        )
    ):
        done = sandbox.call("memory", {"target": "memory"} | args, session=f"s{number}")
        assert (done.action, KEY in done.result) == ("block", False)
        assert "refused (secret)" in done.result and "a GitHub token" in done.result
    assert KEY.encode() not in raw(sandbox)


def test_the_memory_tool_keeps_to_the_users_rules(sandbox: Sandbox) -> None:
    """Excluded text is refused; what `redact` matches is replaced in the arguments before the host writes them."""
    (sandbox.home.path / "config.yaml").write_text(RULES, encoding="utf-8")
    done = sandbox.call("memory", {"action": "add", "target": "memory", "content": "my Secret Plan"})
    assert "refused (excluded)" in done.result and "Secret Plan" not in done.result
    args = {"operations": [{"action": "add", "content": "x sk-abcdefgh1234"}], "target": "user"}
    changed = plugin.on_tool_request(tool_name="memory", args=args)
    assert changed == {"args": {"operations": [{"action": "add", "content": "x [key]"}], "target": "user"}}
    assert plugin.on_tool_request(tool_name="memory", args=changed["args"]) is None
    assert "refused (redact)" in sandbox.call("memory", args).result


def test_while_the_rules_cannot_be_read_no_text_is_journaled(sandbox: Sandbox) -> None:
    """A config that is broken from the start: nobody knows what is excluded, so the record keeps no topic's text."""
    (sandbox.home.path / "config.yaml").write_text(RULES.replace('"私人"', '"(a+)+"'), encoding="utf-8")
    sandbox.idle()
    with edit.open_record(sandbox.home) as record:
        accepted = record.accepted.of("python-env.md")
        assert accepted and accepted.digest and not record.texts.has(accepted.digest)
        assert record.texts.has((record.accepted.of("MEMORY.md") or accepted).digest or "")
    done = sandbox.call("memory", {"action": "add", "target": "memory", "content": "x"})
    assert done.action == "block" and "(a+)+" in done.result and "exclude: the pattern" in done.result


def test_a_file_name_holds_no_secret(sandbox: Sandbox) -> None:
    """A write below the memories folder under such a name is refused; elsewhere names are not ours."""
    sandbox.idle()
    for path, action in ((sandbox.memories / f"{KEY}.md", "block"), (sandbox.work / f"{KEY}.md", "allow")):
        done = sandbox.call("write_file", {"path": str(path), "content": "x"})
        assert done.action == action and KEY not in done.result
