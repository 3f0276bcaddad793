"""Play a short session of tool calls through the plugin's hooks, in a throw-away home, and show what happens.

The part of the host is played by this script: it does what an allowed call asks for, as the host's store and a shell
would. Run it with `make demo`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "plugin" / "memory-shaper"))

from memory_shaper import grammar, host, plugin, tools
from memory_shaper.guard.draft import play
from memory_shaper.guard.memory_call import read_memory_call


class Host:
    """As much of a host as the session needs: it registers the plugin and runs one call after the other."""

    def __init__(self, home: Path) -> None:
        self.index = home / "memories" / "MEMORY.md"
        self.hooks: dict[str, Any] = {}
        self.calls = 0
        plugin.register(self)

    def register_hook(self, name: str, hook: Any) -> None:
        self.hooks[name] = hook

    def register_middleware(self, *_: Any, **__: Any) -> None: ...

    def register_tool(self, **_: Any) -> None: ...

    def register_command(self, *_: Any, **__: Any) -> None: ...

    def register_cli_command(self, *_: Any, **__: Any) -> None: ...

    def call(self, tool: str, **args: Any) -> None:
        """One tool call: asked for, judged, run where it may, looked after."""
        self.calls += 1
        ids = {"session_id": "demo", "tool_call_id": f"call-{self.calls}"}
        before = self.index.read_text(encoding="utf-8")
        print(f"\n── {self.calls}. {tool} {_short(args)}")
        verdict = self.hooks["pre_tool_call"](tool_name=tool, args=args, **ids)
        print(f"   verdict: {verdict['action'] if verdict else 'allow'}")
        if verdict:
            print(_indented(verdict["message"]))
            return
        result = self._run(tool, args)
        self.hooks["post_tool_call"](tool_name=tool, args=args, result=result, **ids)
        told = self.hooks["transform_tool_result"](tool_name=tool, args=args, result=result, **ids)
        print(_indented(f"result: {told or result}"))
        _show_change(before, self.index.read_text(encoding="utf-8"))

    def _run(self, tool: str, args: Mapping[str, Any]) -> str:
        if tool == "memory":
            return self._edit(args)
        if tool == "memory_remember":
            return tools.remember_tool(plugin.guard(), args, "demo")
        if tool == "read_file":
            changed = plugin.on_tool_request(tool_name=tool, args=dict(args))
            return Path((changed or {"args": args})["args"]["path"]).read_text(encoding="utf-8")
        done = subprocess.run(args["command"], shell=True, capture_output=True, text=True, check=False)
        return done.stdout.strip() or f"exit code {done.returncode}"

    def _edit(self, args: Mapping[str, Any]) -> str:
        call = read_memory_call(args)
        assert call is not None
        draft, _ = play(call, grammar.parse(self.index.read_text(encoding="utf-8")))
        self.index.write_text(draft.after, encoding="utf-8")
        return f'{{"success": true, "usage": "{host.size(draft.after):,}/2,200"}}'


def _short(args: Mapping[str, Any]) -> str:
    return "  ".join(f"{key}={str(value)[:150]!r}" for key, value in args.items())


def _indented(text: str) -> str:
    return "\n".join(f"   {line}" for line in text.splitlines())


def _show_change(before: str, after: str) -> None:
    old, new = host.parts(before), host.parts(after)
    for part in old:
        if part not in new:
            print(f"   − {part}")
    for part in new:
        if part not in old:
            print(f"   + {part}")
    if old == new:
        print("   the index is as it was")


def main() -> int:
    """Play the session in a copy of the example memory."""
    with tempfile.TemporaryDirectory(prefix="memory-shaper-demo-") as folder:
        home = Path(folder) / "hermes"
        shutil.copytree(ROOT / "examples" / "memories", home / "memories")
        os.environ["HERMES_HOME"] = str(home)
        play_session(Host(home))
    print("\nThe home was a throw-away; nothing of yours was touched.")
    return 0


def play_session(session: Host) -> None:
    """Nine calls: good ones, faulty ones, and one whose damage nobody could foresee."""
    index = session.index
    first = next(entry for _, entry in grammar.parse(index.read_text(encoding="utf-8")).entries() if not entry.mark)
    print("The index:", index.read_text(encoding="utf-8"), sep="\n")
    session.call("read_file", path=first.target)
    session.call("memory", action="add", target="memory", content="The user prefers tabs over spaces.")
    session.call(
        "memory_remember",
        text="The user prefers tabs over spaces in Makefiles and Go, and four spaces in Python.",
        topic="code-style",
        keywords=["indentation", "tabs", "spaces", "makefile", "golang", "python", "formatting"],
    )
    session.call("memory", action="add", target="memory", content="docker,compose,volumes,network,restart -> docker.md")
    session.call("memory", action="remove", target="memory", old_text=str(first))
    session.call("terminal", command=f"sed -i s/tabs/spaces/ {index}")
    session.call("terminal", command=f"grep -c → {index}")
    session.call("terminal", command=f'cd {index.parent} && f=$(ls | grep -i ^mem | head -1) && echo oops > "$f"')
    session.call("terminal", command="echo an everyday command > /dev/null")


if __name__ == "__main__":
    raise SystemExit(main())
