"""Commands that a program starts; the shell reader says what they do. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..effects import World
from ..elsewhere import elsewhere
from .machine import Machine, path_texts, shell_text, shell_word
from .values import HOLE, UNKNOWN, Arguments, Constant, Handle, Items, PathText, Table, Value, only, truth

_RUN = ("args", "command", "cmd")
WORDS = frozenset({"subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output"})
POPEN = "subprocess.Popen"
LINES = frozenset(
    [
        "os.system",
        "os.popen",
        "subprocess.getoutput",
        "subprocess.getstatusoutput",
        "asyncio.create_subprocess_shell",
        "pexpect.run",
        "pexpect.spawn",
        "pexpect.runu",
    ]
)
_LISTS = {"os.execv": 1, "os.execvp": 1, "os.execve": 1, "os.execvpe": 1, "os.posix_spawn": 1, "os.posix_spawnp": 1}
_SPAWNED = {"os.spawnv": 2, "os.spawnvp": 2, "os.spawnve": 2, "os.spawnvpe": 2, "pty.spawn": 0}
WORD_LISTS: Mapping[str, int] = _LISTS | _SPAWNED
"""Where a function takes its list of words."""
WORD_ARGUMENTS: Mapping[str, int] = {
    "os.execl": 1,
    "os.execlp": 1,
    "os.execle": 1,
    "os.execlpe": 1,
    "os.spawnl": 2,
    "os.spawnlp": 2,
    "os.spawnle": 2,
    "os.spawnlpe": 2,
    "asyncio.create_subprocess_exec": 0,
}
"""At which argument the words begin that a function takes one by one."""


@dataclass(frozen=True, slots=True)
class _Command:
    text: str | None
    words: tuple[str, ...]

    def line(self) -> str:
        """The command as the shell would be given it."""
        return shell_text(self.text) if self.text is not None else " ".join(map(shell_word, self.words))


def start(machine: Machine, name: str, arguments: Arguments) -> Value:
    """A call that starts a command, by the tables of this module."""
    if name in LINES:
        _read_lines(machine, arguments.at(0, *_RUN) or UNKNOWN, arguments)
    elif name in WORD_LISTS:
        _read_commands(machine, arguments.at(WORD_LISTS[name], "argv", "args") or UNKNOWN, arguments, shell=False)
    elif name in WORD_ARGUMENTS:
        words = Items(arguments.positional[WORD_ARGUMENTS[name] :])
        _read_commands(machine, Value((words,), arguments.exact), arguments, shell=False)
    else:
        shell = truth(arguments.at(8, "shell") or Value((False,), True))
        machine.opaque = machine.opaque or shell is None or (name == POPEN and "stdin" in arguments.named)
        _read_commands(machine, arguments.at(0, *_RUN) or UNKNOWN, arguments, shell=shell is not False)
    return UNKNOWN


def _read_lines(machine: Machine, command: Value, arguments: Arguments) -> None:
    machine.opaque = machine.opaque or not command.complete
    for text in path_texts(command):
        _read(machine, _Command(text, ()), arguments)


def _read_commands(machine: Machine, command: Value, arguments: Arguments, *, shell: bool) -> None:
    machine.opaque = machine.opaque or not command.complete
    for option in command.options:
        if isinstance(option, Items):
            words = tuple(map(_word, option.values))
            _read(machine, _Command(words[0], ()) if shell and words else _Command(None, words), arguments)
        elif isinstance(option, str | PathText):
            text = option if isinstance(option, str) else option.text
            _read(machine, _Command(text, ()) if shell else _Command(None, (text,)), arguments)
        else:
            machine.opaque = True


def _word(value: Value) -> str:
    texts = list(path_texts(value)) if value.complete else []
    return texts[0] if len(texts) == 1 else HOLE


def _read(machine: Machine, command: _Command, arguments: Arguments) -> None:
    """Hand one command to the shell reader, with what it is given to read."""
    world = _world(machine, arguments)
    supply = _supply(machine, arguments)
    if supply:
        machine.run(command.line() + supply, world)
    elif command.text is None and HOLE not in "".join(command.words):
        machine.run(list(command.words), world)
    else:
        machine.run(command.line(), world)


def _supply(machine: Machine, arguments: Arguments) -> str:
    """The input of the command as a here-document or a redirect, empty where there is none."""
    given = only(arguments.named.get("input"))
    if isinstance(given, bytes):
        given = given.decode("utf-8", "replace")
    if isinstance(given, str) and HOLE not in given:
        end = "END"
        while end in given:
            end += "_"
        return f" <<'{end}'\n{given}\n{end}"
    machine.opaque = machine.opaque or "input" in arguments.named
    file = only(arguments.named.get("stdin"))
    return f" < {shell_word(file.path)}" if isinstance(file, Handle) else ""


def _world(machine: Machine, arguments: Arguments) -> World:
    """The machine's world, in the folder and environment that the call names."""
    cwd = arguments.named.get("cwd")
    place = machine.cwd if cwd is None or only(cwd) is None else _folder(machine, cwd)
    given = only(arguments.named.get("env"))
    env = {**machine.env, **_texts(given)} if isinstance(given, Table) else machine.env
    return elsewhere(machine.world, place, env)


def _folder(machine: Machine, cwd: Value) -> str | None:
    texts = list(path_texts(cwd)) if cwd.complete else []
    return machine.place(texts[0]) if len(texts) == 1 else None


def _texts(table: Table) -> dict[str, str]:
    pairs: dict[str, Constant | Value] = {str(key): only(value) for key, value in table.rows.items()}
    return {key: value for key, value in pairs.items() if isinstance(value, str) and HOLE not in value}
