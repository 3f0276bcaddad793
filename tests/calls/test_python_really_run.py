"""Python programs that are really run: what was read off them against what they did to the disk.

MEMORY_SHAPER_FUZZ is the number of random programs, 12 by default.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from calls.readers import Home, changed
from memory_shaper.calls.reader import read_call

COUNT = int(os.environ.get("MEMORY_SHAPER_FUZZ", "12"))

HEAD = "import glob, io, json, os, shutil, subprocess, sys\nfrom functools import partial\nfrom pathlib import Path\n"


class Writer:
    """Makes random programs that touch files in the memories folder, by every route that the reader knows."""

    def __init__(self, home: Home, seed: int) -> None:
        """Draw from a seeded source."""
        self._random = random.Random(seed)
        self._home = home
        self._count = 0

    def program(self) -> str:
        """A program of a few steps."""
        return HEAD + "\n".join(self._wrapped(self._step()) for _ in range(self._random.randint(1, 4))) + "\n"

    def _pick(self, *choices: str) -> str:
        return self._random.choice(choices)

    def _name(self) -> str:
        self._count += 1
        return f"v{self._count}"

    def _target(self) -> str:
        """An expression that is a path as a string."""
        memories, file = str(self._home.memories), self._pick("MEMORY.md", "deploy.md", "postgres.md")
        half = self._random.randint(1, len(file) - 1)
        forms = [
            repr(f"{memories}/{file}"),
            f"{memories!r} + '/' + {file!r}",
            f"os.path.join({memories!r}, {file[:half]!r} + {file[half:]!r})",
            f"os.path.expanduser('~/.hermes/memories/{file}')",
            f"os.environ['HERMES_HOME'] + '/memories/{file}'",
            f"os.path.expandvars('$HERMES_HOME/memories/{file}')",
            f"str(Path.home() / '.hermes' / 'memories' / {file!r})",
            f"str(Path({memories!r}, 'x').with_name({file!r}))",
            f"'/'.join([{memories!r}, {file!r}])",
            f"'%s/%s' % ({memories!r}, {file!r})",
            f"'{{}}/{{n}}'.format({memories!r}, n={file!r})",
            f"{{'p': {memories + '/' + file!r}}}['p']",
            f"(lambda n: {memories!r} + '/' + n)({file!r})",
            f"os.path.relpath({memories + '/' + file!r})" if file == "none" else f"'../home/.hermes/memories/{file}'",
            f"[{file!r}, 'x'][0].join([{memories + '/'!r}, ''])",
            f"({memories!r} + '/' + {file.swapcase()!r}.swapcase())",
        ]
        return f"({self._random.choice(forms)})"

    def _step(self) -> str:
        return self._random.choice([self._write, self._remove, self._move, self._command, self._read])()

    def _write(self) -> str:
        target, other = self._target(), self._pick("'out.txt'", self._target())
        return self._pick(
            f"open({target}, 'w').write('new')",
            f"io.open({other}, {self._pick('chr(119)', repr('a'), repr('w+'))}).write('new')",
            f"with open({target}, mode='a') as f:\n    f.write('more')",
            f"Path({target}).write_text('new')",
            f"Path({target}).open('w').write('new')",
            f"json.dump([1], open({target}, 'w'))",
            f"print('new', file=open({target}, 'w'))",
            f"shutil.copy('source.txt', {target})",
            f"shutil.copyfile('source.txt', dst={target})",
            f"os.truncate({target}, 0) if os.path.exists({target}) else open({target}, 'w').write('n')",
            f"partial(open, {target})('w').write('new')",
            f"os.write(os.open({target}, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), b'new')",
            f"exec({f'open({target}, {chr(34)}w{chr(34)}).write(str(1))'!r})",
        )

    def _remove(self) -> str:
        target = self._target()
        return self._pick(
            f"Path({target}).unlink(missing_ok=True)",
            f"p = {target}\nif os.path.exists(p):\n    os.remove(p)",
            f"getattr(os, 'unl' + 'ink')({target}) if os.path.isfile({target}) else None",
        )

    def _move(self) -> str:
        return self._pick(
            f"open('moved.txt', 'w').write('m'); os.replace('moved.txt', {self._target()})",
            f"open('moved.txt', 'w').write('m'); shutil.move('moved.txt', {self._target()})",
            f"Path('moved.txt').write_text('m')\nPath('moved.txt').rename({self._target()})",
        )

    def _command(self) -> str:
        return self._pick(
            f"subprocess.run(['rm', '-f', {self._target()}])",
            f"subprocess.call('rm -f ' + {self._target()}, shell=True)",
            f"os.system('echo x > ' + {self._target()})",
            "subprocess.run(['rm', '-f', 'deploy.md'], cwd=os.environ['HERMES_HOME'] + '/memories')",
        )

    def _read(self) -> str:
        target = self._target()
        return self._pick(
            f"os.path.exists({target}) and open({target}).read()",
            f"print({target}, 'w')",
            f"shutil.copy({target}, 'backup.txt') if os.path.exists({target}) else None",
            f"x = {target}.replace('a', 'w')",
            "sorted(os.listdir(os.environ['HERMES_HOME'] + '/memories'))",
            f"def unused():\n    open({target}, 'w').write('x')",
        )

    def _wrapped(self, step: str) -> str:
        """The step inside one of the shapes that programs have; it is carried out exactly once."""
        body = "\n".join("    " + line for line in step.splitlines())
        name = self._name()
        wraps: list[Callable[[], str]] = [
            lambda: step,
            lambda: f"if True:\n{body}",
            lambda: f"for {name} in [1]:\n{body}",
            lambda: f"def {name}():\n{body}\n{name}()",
            lambda: f"try:\n{body}\nfinally:\n    pass",
            lambda: (
                f"class {name}:\n    def go(self):\n"
                + "\n".join("    " + one for one in body.splitlines())
                + f"\n{name}().go()"
            ),
            lambda: f"{name} = 0\nwhile {name} < 1:\n{body}\n    {name} += 1",
            lambda: (
                f"import threading\ndef {name}():\n{body}\nt = threading.Thread(target={name}); t.start(); t.join()"
            ),
        ]
        return self._random.choice(wraps)()


def _state(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("seed", range(COUNT))
def test_what_is_read_is_what_happens(tmp_path: Path, seed: int) -> None:
    """Every file that a program changed was predicted or the reading was opaque, and every prediction came true."""
    home = Home(tmp_path)
    (home.work / "source.txt").write_text("copied", encoding="utf-8")
    program = Writer(home, seed).program()
    before, reading = _state(home.memories), read_call("execute_code", {"code": program}, home.world())
    command = [sys.executable, "-X", "utf8", "-c", program]
    done = subprocess.run(command, cwd=home.work, env={**os.environ, **home.env}, capture_output=True, check=False)
    after = _state(home.memories)
    really = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    said = {path for path in changed(reading) if path.startswith(str(home.memories))}
    assert done.returncode == 0, (program, done.stderr)
    assert really <= said or reading.opaque, program
    assert all(path in really or path not in before for path in said), program
