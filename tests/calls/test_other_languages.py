"""Languages that are searched, not read."""

from __future__ import annotations

from pathlib import Path

import pytest
from calls.readers import Home, changed, words_shell
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_shaper.calls.disk import DiskWorld
from memory_shaper.calls.effects import Reading
from memory_shaper.calls.other import read_other

WRITES = [
    ("node", "require('fs').writeFileSync('INDEX', '')"),
    ("node", "const p = 'MEMDIR' + '/MEMORY.md'; fs.appendFile(p, 'x', () => {})"),
    ("node", "fs.writeFileSync(`${process.env.HOME}/.hermes/memories/MEMORY.md`, 'x')"),
    ("node", "fs.writeFileSync(path.join(os.homedir(), '.hermes', 'memories', 'MEMORY.md'), 'x')"),
    ("node", "fs.openSync('INDEX', 'w')"),
    ("node", "fs.copyFileSync('/x', 'INDEX')"),
    ("node", "fs.renameSync('INDEX', '/x')"),
    ("node", "fs.createWriteStream(\"INDEX\", {flags: 'a'})"),
    ("node", "process.chdir('MEMDIR'); fs.rmSync('MEMORY.md')"),
    ("node", "require('child_process').execSync('rm INDEX')"),
    ("deno", "await Deno.writeTextFile('INDEX', 'x')"),
    ("bun", "await Bun.write('INDEX', 'x')"),
    ("ruby", "File.write('INDEX', '')"),
    ("ruby", "File.open('INDEX', 'w') { |f| f.puts 'x' }"),
    ("ruby", "FileUtils.rm_f 'INDEX'"),
    ("ruby", "require 'pathname'\nPathname.new('INDEX').write('x')"),
    ("ruby", 'File.write("#{ENV[\'HOME\']}/.hermes/memories/MEMORY.md", "")'),
    ("ruby", "File.write(File.expand_path('~/.hermes/memories/MEMORY.md'), '')"),
    ("php", "file_put_contents('INDEX', '');"),
    ("php", "$p = 'INDEX'; fopen($p, 'a');"),
    ("php", "$d = 'MEMDIR'; unlink(\"$d/MEMORY.md\");"),
    ("php", "file_put_contents(getenv('HOME') . '/.hermes/memories/MEMORY.md', 'x');"),
    ("perl", "open(my $f, '>', 'INDEX') or die;"),
    ("perl", 'open(F, ">INDEX");'),
    ("perl", "unlink 'a', 'INDEX';"),
    ("lua", "local f = io.open('INDEX', 'w')"),
    ("lua", "os.remove('INDEX')"),
    ("Rscript", "writeLines('x', 'INDEX')"),
    ("Rscript", "cat('x', file = 'INDEX')"),
    ("powershell", "Set-Content -Path INDEX -Value x"),
    ("powershell", "'x' > INDEX"),
    ("pwsh", "[IO.File]::WriteAllText('INDEX', 'x')"),
    ("pwsh", "Remove-Item $env:HOME/.hermes/memories/MEMORY.md"),
    ("python", "open('INDEX', 'w')"),
]

HARMLESS = [
    ("node", "console.log(fs.readFileSync('INDEX', 'utf8'))"),
    ("node", "// fs.writeFileSync('INDEX', '')"),
    ("node", "fs.copyFileSync('INDEX', '/tmp/backup')"),
    ("node", "fs.writeFileSync('/tmp/out', 'INDEX')"),
    ("node", "fs.openSync('INDEX', 'r')"),
    ("ruby", "puts File.read('INDEX')"),
    ("ruby", "File.open('INDEX')"),
    ("php", "echo file_get_contents('INDEX'); fopen('INDEX', 'r');"),
    ("perl", "open(my $f, '<', 'INDEX');"),
    ("lua", "io.open('INDEX', 'r'); io.open('INDEX')"),
    ("Rscript", "x <- readLines('INDEX')"),
    ("powershell", "Get-Content INDEX | Out-File /tmp/out"),
    ("powershell", "Copy-Item INDEX /tmp/backup.md"),
    ("cobol", "writeFileSync('INDEX')"),
]


def _paths(home: Home, language: str, code: str) -> set[str]:
    code = code.replace("INDEX", str(home.index)).replace("MEMDIR", str(home.memories))
    return changed(read_other(language, code, home.world(), words_shell))


@pytest.mark.parametrize(("language", "code"), WRITES)
def test_a_path_beside_a_writing_word(tmp_path: Path, language: str, code: str) -> None:
    """The index next to a word that writes is a write."""
    home = Home(tmp_path)
    assert str(home.index) in _paths(home, language, code)


@pytest.mark.parametrize(("language", "code"), HARMLESS)
def test_a_path_beside_a_reading_word(tmp_path: Path, language: str, code: str) -> None:
    """The index next to a word that reads, or in a comment, is none."""
    home = Home(tmp_path)
    assert str(home.index) not in _paths(home, language, code)


LANGUAGES = st.sampled_from(["node", "ruby", "php", "perl", "lua", "r", "powershell", "python", ""])
PIECES = st.sampled_from(
    [
        "open",
        "(",
        ")",
        "'",
        '"',
        "`",
        "$",
        "#",
        "{",
        "}",
        ",",
        ".",
        "=",
        "+",
        "w",
        "x",
        "/a",
        "unlink",
        "path.join",
        ">",
        "\\",
        ";",
        "\n",
        "�",
        "\x00",
        "->",
        "rm",
        "Path",
        "env",
    ]
)


@settings(max_examples=200, deadline=None)
@given(LANGUAGES, st.lists(PIECES, max_size=60))
def test_random_texts_never_raise(language: str, pieces: list[str]) -> None:
    """Whatever the text is, there is a reading, and it is opaque."""
    reading = read_other(language, "".join(pieces), DiskWorld("/", {"HOME": "/h"}))
    assert isinstance(reading, Reading) and reading.opaque
