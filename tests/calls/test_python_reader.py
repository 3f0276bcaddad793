"""Python, read and not run."""

from __future__ import annotations

from pathlib import Path

import pytest
from calls.readers import Home, changed, words_shell
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_shaper.calls.disk import DiskWorld
from memory_shaper.calls.effects import Act, Reading
from memory_shaper.calls.python import read_python

WRITES = [
    "open(INDEX, 'w').write('x')",
    "open(INDEX, mode='a')",
    "open(INDEX, 'r+').truncate()",
    "open(file=INDEX, mode='x')",
    "import io\nio.open(INDEX, 'w')",
    "import codecs as c\nc.open(INDEX, 'w', 'utf-8')",
    "import gzip\ngzip.open(INDEX, 'wb')",
    "with open(INDEX, 'w') as f:\n    f.write('x')",
    "import os\nopen(os.path.join(MEMDIR, 'MEMORY.md'), 'w')",
    "import os\nos.open(INDEX, os.O_WRONLY | os.O_TRUNC)",
    "import os\nos.fdopen(os.open(INDEX, os.O_CREAT | os.O_WRONLY), 'w').write('x')",
    "from pathlib import Path\nPath(INDEX).write_text('x')",
    "from pathlib import Path as P\n(P(MEMDIR) / 'MEMORY.md').open('w')",
    "from pathlib import Path\nPath.home().joinpath('.hermes', 'memories', 'MEMORY.md').write_bytes(b'')",
    "from pathlib import Path\nPath('~/.hermes/memories/MEMORY.md').expanduser().unlink()",
    "from pathlib import Path\nPath(MEMDIR, 'deploy.md').with_name('MEMORY.md').touch()",
    "from pathlib import Path\nPath(MEMDIR, 'MEMORY.txt').with_suffix('.md').write_text('x')",
    "from pathlib import Path\n(Path(MEMDIR, 'deploy.md').parent / 'MEMORY.md').resolve().write_text('x')",
    "from pathlib import Path\nfor p in Path(MEMDIR).glob('MEM*.md'):\n    p.write_text('x')",
    "from pathlib import Path\nfor p in Path(MEMDIR).iterdir():\n    p.unlink()",
    "from pathlib import Path\n[p.unlink() for p in Path(MEMDIR).parent.rglob('*.md')]",
    "import glob\nfor p in glob.glob(MEMDIR + '/*.md'):\n    open(p, 'w')",
    "import os\nfor n in os.listdir(MEMDIR):\n    os.remove(os.path.join(MEMDIR, n))",
    "import os\nfor top, _, names in os.walk(MEMDIR):\n    for n in names:\n        os.unlink(os.path.join(top, n))",
    "from pathlib import Path\nPath(INDEX).rename('/nowhere')",
    "from pathlib import Path\nPath('x').replace(INDEX)",
    "from pathlib import Path\nPath(INDEX).chmod(0o600)",
    "from pathlib import Path\nPath(INDEX).symlink_to('x')",
    "import os as o\no.remove(INDEX)",
    "from os import unlink as gone\ngone(INDEX)",
    "from os import *\nremove(INDEX)",
    "__import__('os').remove(INDEX)",
    "import os\ngetattr(os, 'rem' + 'ove')(INDEX)",
    "import importlib\nimportlib.import_module('os').remove(INDEX)",
    "import os\nf = os.remove\nf(INDEX)",
    "import os\nos.rename('x', INDEX)",
    "import os\nos.replace(src='x', dst=INDEX)",
    "import os\nos.truncate(INDEX, 0)",
    "import os\nos.link('x', INDEX)",
    "import os\nos.utime(INDEX)",
    "import os\nos.symlink(INDEX, 'soft')\nopen('soft', 'w')",
    "import os\nos.chdir(MEMDIR)\nopen('MEMORY.md', 'w')",
    "import os\nopen(os.environ['HERMES_HOME'] + '/memories/MEMORY.md', 'w')",
    "import os\nopen(os.environ.get('HERMES_HOME', '/x') + '/memories/MEMORY.md', 'w')",
    "import os\nopen(os.getenv('NONE', MEMDIR) + '/MEMORY.md', 'w')",
    "import os\nopen(os.path.expanduser('~/.hermes/memories/MEMORY.md'), 'w')",
    "import os\nopen(os.path.expandvars('$HERMES_HOME/memories/MEMORY.md'), 'w')",
    "import shutil\nshutil.copy('x', INDEX)",
    "import shutil\nshutil.copy('MEMORY.md', MEMDIR)",
    "import shutil\nshutil.copyfile('x', dst=INDEX)",
    "import shutil\nshutil.move('MEMORY.md', MEMDIR)",
    "import shutil\nshutil.move(INDEX, 'x')",
    "import shutil\nshutil.copyfileobj(open('x'), open(INDEX, 'w'))",
    "import json\njson.dump([], open(INDEX, 'w'))",
    "print('x', file=open(INDEX, 'w'))",
    "import fileinput\nfor l in fileinput.input(INDEX, inplace=True):\n    pass",
    "import fileinput\nfor l in fileinput.input([INDEX], inplace=1):\n    pass",
    "import sqlite3\nsqlite3.connect(INDEX)",
    "import numpy as np\nnp.savetxt(INDEX, [])",
    "df = load()\ndf.to_csv(INDEX)",
    "import torch\ntorch.save(thing, INDEX)",
    "import logging\nlogging.FileHandler(INDEX)",
    "import logging\nlogging.basicConfig(filename=INDEX)",
    "import zipfile\nzipfile.ZipFile(INDEX, 'w')",
    "n = 'MEM' + 'ORY' + '.md'\nopen(MEMDIR + '/' + n, 'w')",
    "n = 'MEMORY'\nopen(f'{MEMDIR}/{n}.md', 'w')",
    "open('%s/%s.md' % (MEMDIR, 'MEMORY'), 'w')",
    "open('{}/{n}.md'.format(MEMDIR, n='MEMORY'), 'w')",
    "open('/'.join([MEMDIR, 'MEMORY.md']), 'w')",
    "open(MEMDIR + '/' + ''.join(map(chr, [77, 69, 77])) + 'ORY.md', 'w')",
    "open(MEMDIR + '/' + 'ROMEMXY.md'[2:5] + 'ORY.md', 'w')",
    "open(MEMDIR + '/' + 'memory'.upper() + '.md', 'w')",
    "open(MEMDIR + '/' + bytes.fromhex('4d454d4f52592e6d64').decode(), 'w')",
    "import base64\nopen(MEMDIR + '/' + base64.b64decode('TUVNT1JZLm1k').decode(), 'w')",
    "for n in ['deploy.md', 'MEMORY.md']:\n    open(MEMDIR + '/' + n, 'w')",
    "for n, m in [('deploy.md', 'r'), ('MEMORY.md', 'w')]:\n    open(MEMDIR + '/' + n, m)",
    "for i, n in enumerate(('a', 'MEMORY.md')):\n    open(MEMDIR + '/' + n, 'w')",
    "p = INDEX if unknown else '/x'\nopen(p, 'w')",
    "if unknown:\n    p = '/x'\nelse:\n    p = INDEX\nopen(p, 'w')",
    "def put(path, mode='w'):\n    open(path, mode)\nput(INDEX)",
    "def put(*, path):\n    with open(path, 'w') as f:\n        f.write('x')\nput(path=INDEX)",
    "def place():\n    return INDEX\nopen(place(), 'w')",
    "put = lambda p: open(p, 'w')\nput(INDEX)",
    "import threading\ndef put(p):\n    open(p, 'w')\nthreading.Thread(target=put, args=(INDEX,)).start()",
    "def put(p):\n    open(p, 'w')\nlist(map(put, [INDEX]))",
    "from functools import partial\npartial(open, INDEX)('w')",
    "class W:\n def __init__(self, p):\n  self.p = p\n def go(self):\n  open(self.p, 'w')\nW(INDEX).go()",
    "if (p := INDEX):\n    open(p, 'w')",
    "a, b = 'x', INDEX\nopen(b, 'w')",
    "d = {'p': INDEX}\nopen(d['p'], 'w')",
    "d = dict(p=INDEX)\nfor k, v in d.items():\n    open(v, 'w')",
    "l = []\nl.append(INDEX)\nopen(l[0], 'w')",
    "try:\n    open(INDEX, 'w')\nexcept OSError:\n    pass",
    "async def main():\n    open(INDEX, 'w')\nimport asyncio\nasyncio.run(main())",
    "match unknown:\n    case 1:\n        open(INDEX, 'w')",
    "exec('open(INDEX, \"w\")')",
    "exec(compile('open(INDEX, \"w\")', 'x', 'exec'))",
    "import os\nos.system('rm ' + INDEX)",
    "import os\nos.system(f'cat {unknown} > {INDEX}')",
    "import os\nos.popen('x > ' + INDEX)",
    "import subprocess\nsubprocess.run(['rm', INDEX])",
    "import subprocess as s\ns.run('rm ' + INDEX, shell=True, check=True)",
    "from subprocess import check_call\ncheck_call(['rm', 'MEMORY.md'], cwd=MEMDIR)",
    "import subprocess\nsubprocess.Popen(['rm', unknown, INDEX])",
    "import os\nos.execvp('rm', ['rm', INDEX])",
    "import os\nos.execlp('rm', 'rm', INDEX)",
    "import pty\npty.spawn(['rm', INDEX])",
    "import asyncio\nasyncio.run(asyncio.create_subprocess_shell('rm ' + INDEX))",
    "from hermes_tools import terminal\nterminal('rm ' + INDEX)",
    "import hermes_tools as h\nh.write_file(INDEX, unknown)",
    "from hermes_tools import patch as p\np(INDEX, 'a', 'b')",
    "from hermes_tools import terminal\nterminal(command='rm MEMORY.md', workdir=MEMDIR)",
]

HARMLESS = [
    "print(open(INDEX).read())",
    "open(INDEX, 'r').read()",
    "open(INDEX, 'rb')",
    "x = 3 > len('MEMORY.md')",
    "print('write to', INDEX)",
    "from pathlib import Path\nPath(INDEX).read_text()",
    "from pathlib import Path\nprint(Path(INDEX).exists(), Path(INDEX).stat())",
    "import os\nos.path.getsize(INDEX); os.stat(INDEX); os.access(INDEX, os.R_OK)",
    "import shutil\nshutil.copy(INDEX, '/tmp/backup.md')",
    "import shutil\nshutil.copytree(MEMDIR, '/tmp/backup')",
    "open('MEMORY.md', 'w')",
    "open('/tmp/out', 'w').write(INDEX)",
    "f.write(INDEX)",
    "s = INDEX.replace('a', 'b')\nprint(s)",
    "def put():\n    open(INDEX, 'w')",
    "if False:\n    open(INDEX, 'w')",
    "for n, m in [('MEMORY.md', 'r'), ('deploy.md', 'w')]:\n    open(MEMDIR + '/' + n, m)",
    "p = INDEX\nprint(open(p).read())\np = '/tmp/out'\nopen(p, 'w')",
    "import sys\nsys.exit(0)\nopen(INDEX, 'w')",
    "from pathlib import Path\nfor p in Path(MEMDIR).glob('d*.md'):\n    p.write_text('x')",
    "import sqlite3\nsqlite3.connect(f'file:{INDEX}?mode=ro', uri=True)",
    "import fileinput\nfor l in fileinput.input(INDEX):\n    pass",
    "import json\njson.dumps(INDEX)",
    "from hermes_tools import read_file\nread_file(INDEX)",
    "import subprocess\nsubprocess.run(['cat', INDEX])",
    "import re\nre.sub('w', INDEX, 'a')",
]

OPEN = [
    "MEMORY_MD.write_text('x')",
    "open(unknown, 'w')",
    "open(f'{unknown}/MEMORY.md', 'w')",
    "open(INDEX, unknown)",
    "exec(unknown)",
    "import os\nos.system(unknown)",
    "import zipfile\nzipfile.ZipFile('a.zip').extractall(MEMDIR)",
    "import shutil\nshutil.unpack_archive('a.zip', MEMDIR)",
    "import ctypes\nctypes.CDLL(None).unlink(b'x')",
    "unknown(INDEX)",
    "def broken(:",
    "x = (" * 3000,
    "import os\nos.remove('MEMORY.md', dir_fd=unknown)",
]


def _program(home: Home, code: str) -> Reading:
    return home.python(f"INDEX = {str(home.index)!r}\nMEMDIR = {str(home.memories)!r}\n{code}")


@pytest.mark.parametrize("code", WRITES)
def test_writes_are_seen(tmp_path: Path, code: str) -> None:
    """A program that changes the index is read as doing so."""
    home = Home(tmp_path)
    assert str(home.index) in changed(_program(home, code))


@pytest.mark.parametrize("code", HARMLESS)
def test_the_rest_is_left_alone(tmp_path: Path, code: str) -> None:
    """A program that reads or names the index, or changes something else, does not change it."""
    home = Home(tmp_path)
    assert str(home.index) not in changed(_program(home, code))


@pytest.mark.parametrize("code", OPEN)
def test_what_cannot_be_known_is_opaque(tmp_path: Path, code: str) -> None:
    """A program whose paths or commands are unknown is opaque and has no effect on the index."""
    home = Home(tmp_path)
    reading = _program(home, code)
    assert (reading.opaque, str(home.index) in changed(reading)) == (True, False)


def test_a_plain_read_is_reported(tmp_path: Path) -> None:
    """Reading is an effect of its own kind, and nothing in it is unknown."""
    home = Home(tmp_path)
    reading = _program(home, "open(INDEX).read()")
    assert ([effect.act for effect in reading.effects], reading.opaque) == ([Act.READ], False)


def test_an_own_module_is_read(tmp_path: Path) -> None:
    """A module in the folder the program runs in is read as a part of it."""
    home = Home(tmp_path)
    (home.work / "helper.py").write_text("def put(p):\n    open(p, 'w')\n", encoding="utf-8")
    assert str(home.index) in changed(_program(home, "from helper import put\nput(INDEX)"))


def test_a_script_file_is_read(tmp_path: Path) -> None:
    """runpy and exec of a file's text read that file."""
    home = Home(tmp_path)
    (home.work / "s.py").write_text(f"open({str(home.index)!r}, 'w')\n", encoding="utf-8")
    for code in ("import runpy\nrunpy.run_path('s.py')", "exec(open('s.py').read())"):
        assert str(home.index) in changed(_program(home, code))


def test_a_symbolic_program_ends() -> None:
    """Programs that would grow or recurse without end are read in bounded work."""
    for code in (
        "def f(a):\n    f(a); f(a)\nf(1)",
        "s = 'x'\nwhile True:\n    s += s",
        "for a in range(2000):\n    for b in range(2000):\n        open(str(a) + str(b), 'w')",
        "s = 's=%r;exec(s%%s)'\nexec(s%s)",
        "x = 'a' * 10**9 + '%0999999999d' % 1",
        "import os\nfor i in range(2000):\n    os.system('rm %d' % i)",
    ):
        assert isinstance(read_python(code, DiskWorld("/", {}), words_shell, lambda *_: Reading()), Reading)


@pytest.mark.parametrize(
    "piece", ["-", "not ", "lambda:", "(", "[", "{", "a.", "f(", "'a'+", "x if y else ", "f'{", "2**"]
)
def test_deep_nesting_never_raises(piece: str) -> None:
    """A piece of syntax ten thousand times over is answered, not crashed on."""
    for code in (piece * 10_000, piece * 10_000 + "1", piece * 900 + "1"):
        assert isinstance(read_python(code, DiskWorld("/", {}), words_shell, lambda *_: Reading()), Reading)


PIECES = st.sampled_from(
    [
        "open",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ".",
        ":",
        "=",
        "+",
        "%",
        "/",
        "'w'",
        "'a'",
        '"x"',
        "f'{x}'",
        "x",
        "y",
        "os",
        "sys",
        "Path",
        "glob",
        ".join",
        ".write_text",
        ".glob",
        "lambda",
        "for",
        "in",
        "if",
        "else",
        "while",
        "def",
        "class",
        "return",
        "yield",
        "await",
        "with",
        "as",
        "try",
        "except",
        "import",
        "from",
        "*",
        "**",
        "None",
        "True",
        "0",
        "1",
        "-1",
        "\\n",
        "\\t",
        "print",
        "exec",
        "str",
        "len",
        "map",
        "range",
        "dict",
        "list",
        "getattr",
        "subprocess.run",
        "shutil.copy",
        "�",
        "\x00",
        "é",
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=40))
def test_random_programs_never_raise(pieces: list[str]) -> None:
    """Whatever the text is, there is a reading."""
    code = " ".join(pieces).replace("\\n", "\n").replace("\\t", "    ")
    assert isinstance(read_python(code, DiskWorld("/", {}), words_shell, lambda *_: Reading()), Reading)
