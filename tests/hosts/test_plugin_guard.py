"""One long session that tries to damage the index by every route, between calls of everyday work."""

import base64
import subprocess
from pathlib import Path

from memory_shaper.record import EventKind

from hosts.endpoint import Call, Script, ToolResult, Turn, ask, decide, say
from hosts.harness import Home, Host, session
from hosts.scenes import (
    CRITICAL,
    DOCKER,
    JAVA,
    JAVA_NEW,
    PINNED,
    PYTHON,
    assert_quiet_logs,
    entries,
    events,
    indexed_home,
    memory,
    terminal,
)

NAME = base64.b64encode(b"MEMORY.md").decode()
HIDDEN = f'"$(echo {NAME} | base64 -d)"'


def repository(home: Home) -> None:
    """The memories folder as a git repository whose only commit holds another index."""
    text = home.index.read_bytes()
    home.index.write_text("# old\n", encoding="utf-8")
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    for words in (("init", "-q"), ("add", "MEMORY.md"), (*who, "commit", "-qm", "old")):
        subprocess.run(["git", *words], cwd=home.memories, check=True, capture_output=True)
    home.index.write_bytes(text)


def code(text: str) -> Call:
    return "execute_code", {"code": text}


def v4a(home: Home) -> Call:
    lines = ("*** Begin Patch", f"*** Update File: {home.index}", "@@", f"-{JAVA}", "+gone", "*** End Patch")
    return "patch", {"mode": "patch", "patch": "\n".join(lines)}


def refused_calls(home: Home) -> list[Call]:
    """Calls whose damage can be read off them: none of them may run."""
    index, folder = home.index, home.memories
    return [
        ("write_file", {"path": str(index), "content": "x"}),
        ("patch", {"mode": "replace", "path": str(index), "old_string": JAVA, "new_string": "x"}),
        v4a(home),
        terminal(f"printf x > {index}"),
        terminal(f"cd {folder} && sed -i s/java/x/ M*Y.md"),
        terminal(f"mv {index} {home.work}/away.md"),
        terminal(f"cp /etc/hostname {folder}/MEMORY.md"),
        terminal(f"rm -f {folder}/MEM?RY.md"),
        terminal(f"git -C {folder} checkout -- MEMORY.md"),
        terminal("python3 - <<'E'\nimport os\nopen(os.path.join(os.environ['HERMES_HOME'],'memories','MEMORY.md'),'w')\nE"),
        code(f"from pathlib import Path\nPath({str(folder)!r}).joinpath('MEMORY.md').write_text('x')"),
        code(f"from hermes_tools import terminal\nterminal('rm {index}')"),
    ]  # fmt: skip


def undone_calls(home: Home) -> list[Call]:
    """Calls whose damage shows only when it is done: each is put back, and the model is told."""
    folder = home.memories
    built = f"import base64, os\np = os.path.join({str(folder)!r}, base64.b64decode({NAME!r}).decode())\n"
    return [
        terminal(f"cd {folder} && echo broken > {HIDDEN}; cd {home.work}"),
        terminal(f"cd {folder} && rm {HIDDEN}; cd {home.work}"),
        terminal(f"cd {folder} && sed -i 2d {HIDDEN}; cd {home.work}"),
        code(built + "open(p, 'w').write('x')"),
        code(built + "from hermes_tools import write_file\nprint(write_file(p, 'x'))"),
    ]


def harmless_calls(home: Home) -> list[Call]:
    """Everyday calls that name the index or lie near it."""
    index, folder = home.index, home.memories
    return [
        terminal(f"cat {index} | grep -n deploy; wc -m {index}; ls -l {folder}"),
        terminal(f"diff {index} /dev/null; sed -n 1,5p {index}; git -C {folder} log --oneline -- MEMORY.md"),
        ("write_file", {"path": str(folder / "fresh-topic.md"), "content": "see MEMORY.md line 3\n"}),
        ("patch", {"mode": "replace", "path": str(folder / "java-performance.md"), "old_string": "about",
                   "new_string": "all about"}),
        ("search_files", {"pattern": "deploy", "path": str(folder)}),
        code(f"print(open({str(index)!r}).read())"),
        terminal(f"echo notes > MEMORY.md; cp {index} copy.md; rm copy.md MEMORY.md"),
        ("todo", {"todos": [{"id": "1", "content": f"read {index}", "status": "pending"}]}),
    ]  # fmt: skip


def outcome(results: list[ToolResult], calls: list[Call]) -> list[ToolResult]:
    """The results of these calls, taken from the front of the list."""
    taken, results[:] = results[: len(calls)], results[len(calls) :]
    return taken


def test_long_session__only_the_allowed_edits_are_left(host: Host, tmp_path: Path) -> None:
    """After more than thirty calls the index holds exactly the allowed edits, and nothing harmless was refused."""
    home = indexed_home(tmp_path)
    repository(home)
    refused, undone, harmless = refused_calls(home), undone_calls(home), harmless_calls(home)
    if host.defers:
        harmless[-1] = ("todo_list", harmless[-1][1])
    edits = [memory("remove", old_text=PYTHON), memory(host.edit, JAVA_NEW, JAVA), memory("add", DOCKER)]
    parallel: list[Call] = [
        ("read_file", {"path": "deploy-pipeline.md"}),
        ("write_file", {"path": "made.txt", "content": "x"}),
        ("write_file", {"path": str(home.index), "content": "x"}),
    ]
    late = terminal(f"cd {home.memories} && sleep 2 && echo broken > {HIDDEN}", background=True)
    child = [ask(undone[0]), ask(refused[3]), ask(terminal("echo child"), *parallel[:1]), say("did")]

    def when_done(_: list[ToolResult]) -> list[Call]:
        """Wait for the background process to write: the next call is the first that can notice."""
        subprocess.run(["sh", "-c", f"for i in $(seq 100); do grep -q broken {home.index} && exit; sleep 0.1; done"])
        return [terminal("echo noticed")]

    main: list[Turn] = [
        *map(ask, [*edits[:1], *refused, *undone, *harmless[:4], *edits[1:2], *harmless[4:]]),
        ask(*parallel), ask(("delegate_task", {"goal": "Damage it."})),
        Turn(calls=(late,), after="child"), decide(when_done), ask(edits[2]), say("done"),
    ]  # fmt: skip
    done = session(host, home, Script(main=main, child=child), timeout=150)
    results = done.results
    allowed = outcome(results, edits[:1])
    for result in outcome(results, refused):
        assert "memory-shaper: refused" in result.text, (result.arguments, result.text)
    for result in outcome(results, undone):
        assert "memory-shaper: refused" in result.text or "put back" in result.text, (result.arguments, result.text)
    everyday = outcome(results, harmless[:4])
    allowed += outcome(results, edits[1:2])
    everyday += outcome(results, harmless[4:])
    for result in everyday:
        assert "memory-shaper" not in result.text or "File" in result.text, (result.arguments, result.text)
        assert "memory_shaper" not in result.text, (result.arguments, result.text)
    read, made, third = outcome(results, parallel)
    assert ("about deploy-pipeline.md" in read.text, "refused" in made.text) == (True, False)
    assert "memory-shaper: refused" in third.text
    _, started, noticed, added = results
    assert "put back" in noticed.text, (started.text, noticed.text)
    allowed.append(added)
    assert all(result.data["success"] is True for result in allowed)
    damaged, direct, echoed, named = done.endpoint.results("child")
    assert "put back" in damaged.text and "memory-shaper: refused" in direct.text
    assert "child" in echoed.text and "about deploy-pipeline.md" in named.text
    assert entries(home) == (CRITICAL, PINNED, JAVA_NEW, DOCKER)
    assert (home.memories / "fresh-topic.md").read_text() == "see MEMORY.md line 3\n"
    assert (home.work / "made.txt").read_text() == "x"
    assert len(events(home, EventKind.RESTORED)) >= 5
    assert not events(home, EventKind.DAMAGED)
    assert_quiet_logs(home, "springframework", "compose")
