"""All readers together, as the guard asks them."""

from __future__ import annotations

from pathlib import Path

import pytest
from calls.readers import Home, changed
from memory_shaper.calls.reader import read_call

WRITES = [
    ("terminal", {"command": "python3 -c \"open('INDEX', 'w')\""}),
    ("terminal", {"command": "python3 - <<'E'\nfrom pathlib import Path\nPath('INDEX').write_text('x')\nE"}),
    ("terminal", {"command": "python3 writer.py"}),
    ("terminal", {"command": "cd /tmp && node -e \"require('fs').writeFileSync('INDEX', '')\""}),
    ("terminal", {"command": ["bash", "-c", "echo x > INDEX"]}),
    ("process", {"action": "submit", "data": "echo x > INDEX"}),
    ("execute_code", {"code": "import os\nos.system('cd MEMDIR; echo x > MEMORY.md')"}),
    ("execute_code", {"code": "import subprocess\nsubprocess.run('tee INDEX', shell=True, input=b'x')"}),
    ("execute_code", {"code": "import subprocess\nsubprocess.run(['bash'], input='rm INDEX', text=True)"}),
    ("execute_code", {"code": "import subprocess, x\nsubprocess.run(['cp', x.find(), 'INDEX'])"}),
    ("execute_code", {"code": "import os\nos.system('python3 writer.py')"}),
    ("execute_code", {"code": "from hermes_tools import terminal\nterminal('cp /x INDEX')"}),
    ("execute_code", {"code": "from hermes_tools import terminal as t\nt(f'cat {missing} > INDEX')"}),
]


@pytest.mark.parametrize(("tool", "args"), WRITES)
def test_programs_inside_commands_inside_programs(tmp_path: Path, tool: str, args: object) -> None:
    """A write of the index is seen through every layer that carries it."""
    home = Home(tmp_path)
    (home.work / "writer.py").write_text(f"open({str(home.index)!r}, 'w')\n", encoding="utf-8")
    reading = read_call(tool, home.fill(args), home.world())
    assert str(home.index) in changed(reading)


def test_a_script_that_starts_itself(tmp_path: Path) -> None:
    """A script that runs itself again and again is read in bounded work and is opaque."""
    home = Home(tmp_path)
    (home.work / "loop.py").write_text("import os\n" + "os.system('python3 loop.py')\n" * 50, encoding="utf-8")
    assert read_call("terminal", {"command": "python3 loop.py"}, home.world()).opaque
