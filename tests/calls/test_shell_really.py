"""Commands made at random, run by the real bash in a sandbox, against what the reader foretold."""

from __future__ import annotations

import os
import random
import shlex
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from memory_shaper.calls.shell.run import read_command
from shell_tools import Home, changes, make_home

ROUNDS = int(os.environ.get("MEMORY_SHAPER_FUZZ", "150"))
SEED = int(os.environ.get("MEMORY_SHAPER_SEED", "1"))
BASH = shutil.which("bash")

CHANGING = (
    "echo x > @",
    "echo x >> @",
    "printf y >| @",
    "echo x &> @",
    ": > @",
    "> @",
    "{ echo a; echo b; } > @",
    "echo x | tee @",
    "echo x | tee -a @ > /dev/null",
    "cat < src > @",
    "cp src @",
    "cp -f src @",
    "mv %s @",
    "rm @",
    "rm -f -- @",
    "unlink @",
    "truncate -s 0 @",
    "truncate --size=1 @",
    "sed -i s/a/b/ @",
    "sed -Ei.bak s/a/b/ @",
    "sed --in-place -e 1d @",
    "dd if=src of=@ 2> /dev/null",
    "ln -sf src @",
    "ln -f src @",
    "install -m 600 src @",
    "touch -d 2001-01-01 @",
    "chmod 600 @",
    "chmod u=r @",
    "sort -o @ src",
    "sort src -o @",
    "uniq src @",
    "shred -n1 @",
    "shred -u -n1 @",
    "mv @ gone%n",
    "mv -t old @",
    "gzip -f @",
    "perl -pi -e s/a/b/ @",
    "ed -s @ <<< $'1d\\nw'",
    "echo @ | xargs rm",
    "printf '%%s\\n' @ | xargs -I{} rm {}",
    "find @ -delete",
    "find @ -exec rm {} \\;",
    "find @ -type f -exec truncate -s 0 {} +",
    "cat <<EOF > @\nline\nEOF",
    "xxd -r hex @",
    "tar cf @ src",
    "timeout 5 rm @",
    "env A=b rm @",
    "nice -n 1 rm @",
    "command rm @",
    'for f in @; do rm "$f"; done',
    'while read -r f; do rm "$f"; done <<< @',
    'rm "$(echo @)"',
    'F=@; echo x > "$F"',
    'F=@; echo x > "${F}"',
    'f() { rm "$1"; }; f @',
    'set -- @; rm "$1"',
    "exec 3> @",
    'printf -v G %%s @; rm "$G"',
    'A=(@ src); truncate -s 0 "${A[0]}" || truncate -s 0 "${A[@]}"',
    "awk -v f=@ '{print > f}' src",
)
READING = (
    "cat @",
    "head -n 1 @",
    "wc -l < @",
    "grep -c x @",
    "sort @",
    "diff @ src",
    "cp @ copy%n",
    "cp -n src @",
    "sed -n p @",
    "sed s/a/b/ @",
    "awk '$1 > 3' @",
    "tee copy%n < @",
    "ls -l @",
    "stat @",
    "ln -s @ link%n",
    "gzip -c @ > z%n.gz",
    "test -f @",
    "[ -f @ ]",
    "[[ -f @ ]]",
    "[[ a > @ ]]",
    "echo a \\> @",
    "echo 'x > @'",
    "echo 'rm @' > note%n",
    "cat <<'EOF'\necho x > @\nEOF",
    "{ : # > @\n}",
    "{ echo x # > @\n}",
    "(( 3 > 2 ))",
    "find @ -name nothing -delete",
    "find @ -print",
    "dd if=@ of=copy%n 2> /dev/null",
    "split -l 1 @ part%n",
    "uniq @",
    "uniq @ out%n",
    "true || rm @",
    "false && rm @",
    "case a in b) rm @;; esac",
    "if false; then rm @; fi",
    "for f in; do rm @; done",
    "while false; do rm @; done",
    "g() { rm @; }",
    "alias q='rm @'",
    "tar cf t%n.tar @ 2> /dev/null",
    "cat @ | tee copy%n",
    "cut -d'>' -f1 @",
    "base64 @ > b%n",
    "cmp @ src",
    "xargs echo < @",
    'echo "> @" >> log%n',
)


@dataclass
class Maker:
    """Makes commands; every path lies in the sandbox."""

    dice: random.Random
    home: Home
    number: int = 0

    def command(self) -> str:
        """One to three segments in a row."""
        joints = [self.dice.choice((" ; ", "\n", " ;\n ")) for _ in range(self.dice.choice((0, 0, 1, 2)))]
        segments = [self.segment() for _ in range(len(joints) + 1)]
        return "".join(segment + joint for segment, joint in zip(segments, [*joints, ""], strict=True))

    def segment(self) -> str:
        """A folder to be in, a command on a path, and something round it."""
        folder = self.dice.choice((self.home.work, self.home.memories, self.home.root, self.home.hermes))
        template = self.dice.choice(CHANGING + READING)
        self.number += 1
        target = self.target()
        text = template.replace("%n", str(self.number)).replace("%%", "%")
        text = text.replace("%s", str(self.home.root / "pool" / f"s{self.number % 20}"))
        quoted = "'" in text and "@" in text.split("'")[1] if text.count("'") == 2 else "'EOF'" in text
        plain = str(target) if quoted or "[[ a" in text else self.spelled(target, folder, globs="<<<" not in text)
        text = text.replace("@", plain).replace(" src", " " + str(self.home.root / "src"))
        text = text.replace("=src", "=" + str(self.home.root / "src")).replace(
            " hex", " " + str(self.home.root / "hex")
        )
        text = text.replace("-t old", "-t " + str(self.home.root / "old"))
        return self.wrapped(self.enter(folder) + text)

    def target(self) -> Path:
        near = (self.home.memories / "java.md", self.home.work / "MEMORY.md", self.home.work / "a.txt")
        return self.home.index if self.dice.random() < 0.6 else self.dice.choice(near)

    def enter(self, folder: Path) -> str:
        word = self.dice.choice(("cd @ && ", "cd @; ", "cd '@'\n", "pushd @ > /dev/null; ", 'D=@; cd "$D"; '))
        return word.replace("@", str(folder))

    def spelled(self, path: Path, folder: Path, globs: bool) -> str:
        """The path, written in one of many ways."""
        relative = os.path.relpath(path, folder)
        ways: list[Callable[[], str]] = [
            lambda: str(path),
            lambda: relative,
            lambda: "./" + relative,
            lambda: shlex.quote(str(path)) + "''",
            lambda: f'"{path}"',
            lambda: f"{path.parent}/../{path.parent.name}/{path.name}",
            lambda: f"{path.parent}//{path.name[:3]}''{path.name[3:]}",
            lambda: f"{path.parent}/{path.name[:3]}\\{path.name[3:]}",
            lambda: f"$'{path}'",
            lambda: f'"{path.parent}"/{path.name}',
            lambda: f"~/{path.relative_to(self.home.root)}",
            lambda: f'"$HOME"/{path.relative_to(self.home.root)}',
            lambda: f"${{HOME}}/{path.relative_to(self.home.root)}",
            lambda: f"${{NOT_SET_HERE:-{path}}}",
            lambda: f"$(echo {path})",
            lambda: f"`echo {path}`",
        ]
        if globs:
            ways += [
                lambda: f"{path.parent}/{path.name[:3]}*{path.suffix}",
                lambda: f"{path.parent}/?{path.name[1:]}",
                lambda: f"{path.parent}/[{path.name[0]}]{path.name[1:]}",
            ]
        return self.dice.choice(ways)()

    def wrapped(self, text: str) -> str:
        ways: list[Callable[[str], str]] = [
            lambda text: text,
            lambda text: text,
            lambda text: text,
            lambda text: f"( {text}\n)",
            lambda text: f"{{ {text}\n}}",
            lambda text: f"if true; then {text}\nfi",
            lambda text: f"for i in 1; do {text}\ndone",
            lambda text: f"bash -c {shlex.quote(text)}",
            lambda text: f"eval {shlex.quote(text)}",
            lambda text: f"echo {shlex.quote(text)} | bash",
            lambda text: f"bash <<'END'\n{text}\nEND",
            lambda text: f"h() {{ {text}\n}}\nh",
            lambda text: f"false || {{ {text}\n}}",
            lambda text: f"echo $({text}\n)" if "<<" not in text else text,
            lambda text: f"cat <<'END' > /dev/null\n{text}\nEND",
            lambda text: f"echo {shlex.quote(text)}",
            lambda text: f": {shlex.quote(text)}",
            lambda text: f"m='{text}'" if "'" not in text else text,
            lambda text: f"true | {{ {text}\n}}",
            lambda text: f"case x in x) {text}\n;; esac",
        ]
        return self.dice.choice(ways)(text)


def state(path: Path) -> object:
    """What a change of the file would change; times of access do not count."""
    if not path.exists():
        return None
    seen = path.lstat()
    return seen.st_mode, seen.st_mtime_ns, seen.st_ino, path.read_bytes()


def prepared(root: Path) -> Home:
    home = make_home(root)
    (home.root / "pool").mkdir()
    (home.root / "old").mkdir()
    for number in range(20):
        (home.root / "pool" / f"s{number}").write_text("pool\n", encoding="utf-8")
    (home.root / "src").write_text("a\nb\n", encoding="utf-8")
    (home.root / "hex").write_text("00000000: 4142\n", encoding="utf-8")
    (home.work / "MEMORY.md").write_text("another\n", encoding="utf-8")
    return home


def check(command: str, home: Home) -> str | None:
    """Run a command; a sentence where what happened was not foretold."""
    reading = read_command(command, home.disk())
    foretold = changes(reading, home.index)
    before = state(home.index)
    env = {**home.disk().env, "LC_ALL": "C.UTF-8"}
    subprocess.run(
        ["bash", "-c", command],
        cwd=home.work,
        env=env,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=20,
        check=False,
    )
    touched = state(home.index) != before
    if touched and not foretold and not reading.opaque:
        return f"not foretold: {command}"
    if foretold and not touched:
        return f"foretold for nothing: {command}"
    return None


@pytest.mark.skipif(BASH is None, reason="no bash")
def test_what_bash_does_was_foretold(tmp_path: Path) -> None:
    """What really changes the index is foretold or opaque, and nothing is foretold that does not happen."""
    dice = random.Random(SEED)
    faults: list[str] = []
    for number in range(ROUNDS):
        home = prepared(tmp_path / f"r{number}")
        fault = check(Maker(dice, home).command(), home)
        faults += [fault] if fault else []
        shutil.rmtree(home.root)
    assert faults == []
