"""The terminal door: `memory-shaper VERB …`. Data on stdout, talk on stderr, no traceback for any input.

Other doors use the same table: `call` runs a verb and gives back what it says instead of printing it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TextIO

from .. import __version__
from ..errors import MemoryShaperError, Unreadable, Usage
from ..settings import find_home
from .parsing import HelpAsked, help_of, overview, parse
from .request import Json, Outcome, Request, Verb
from .screen import PLAIN, Screen, screen_of
from .table import VERBS

__all__ = ["VERBS", "Outcome", "Request", "Verb", "call", "main", "run"]

_MEANT = {  # what other programs call our verbs
    "remove": "forget", "delete": "forget", "rm": "forget", "erase": "forget", "uninstall": "install --uninstall",
    "check": "verify", "validate": "verify", "lint": "verify", "repair": "fix", "show": "list", "ls": "list",
    "find": "search", "grep": "search", "log": "history", "revert": "undo", "unarchive": "restore", "pin": "mark",
    "create": "add", "new": "add", "save": "remember", "import": "migrate", "setup": "install", "info": "status",
}  # fmt: skip
_NEAR = 0.7  # of 1, the share of equal letters: one or two slips in a word, and not a word that shares an ending
_INTERRUPTED = 130  # what shells expect of a process that was stopped by Ctrl-C


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command as a process does; returns the exit code."""
    try:
        code = run(sys.argv[1:] if argv is None else argv, sys.stdout, sys.stderr)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader (head, less) has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    return code


def run(argv: Sequence[str], out: TextIO, err: TextIO, environ: Mapping[str, str] | None = None) -> int:
    """Run a verb, write its text or JSON to `out` and its talk to `err`; returns the exit code."""
    env = os.environ if environ is None else environ
    try:
        outcome = call(argv, screen_of(out, env), environ)
    except MemoryShaperError as error:
        outcome = Outcome(talk=str(error), code=error.code)
    except OSError as error:
        outcome = Outcome(talk=f"{error.filename or 'memory-shaper'}: {error.strerror or error}", code=Unreadable.code)
    _say(err, outcome.talk)
    _say(out, outcome.text)
    return outcome.code


def call(argv: Sequence[str], screen: Screen = PLAIN, environ: Mapping[str, str] | None = None) -> Outcome:
    """Run a verb and give back what it says; its `text` is JSON where `--json` was asked for.

    Raises MemoryShaperError with the exit code where it cannot work.
    """
    words = _home_last(argv)
    if not words or words[0] in ("-h", "--help", "help", "--version"):
        return _about(words)
    verb = _verb(words[0])
    try:
        values = parse(verb, words[1:])
    except HelpAsked:
        return Outcome(help_of(verb))
    given = values.get("home")
    if given == "" or "\0" in str(given):  # never another home than the one that was meant
        raise Usage(f"memory-shaper {verb.name}: --home needs the name of a folder")
    home = find_home(environ, given if isinstance(given, str) else None)
    request = Request(verb.name, home, values, screen, verb.only_reads(values))
    outcome = _with_faults(request, verb.action(request))
    return Outcome(_json(outcome.data), {}, outcome.code, outcome.talk) if values.get("json") else outcome


def _with_faults(request: Request, outcome: Outcome) -> Outcome:
    """The outcome of a verb that went on although settings are faulty: it names them, and its exit code says so."""
    faults = request.surveyed[1] if request.only_reads else ()
    if not faults:
        return outcome
    talk = [outcome.talk, *(f"config: {fault}; this was done with the defaults" for fault in faults)]
    return replace(outcome, talk="\n".join(filter(None, talk)), code=Unreadable.code)


def _home_last(argv: Sequence[str]) -> list[str]:
    """The words with a `--home DIR` in front of the verb moved behind it."""
    words = list(argv)
    if words[:1] == ["--home"] and len(words) > 2:
        return [words[2], *words[:2], *words[3:]]
    if words and words[0].startswith("--home=") and len(words) > 1:
        return [words[1], words[0], *words[2:]]
    return words


def _about(words: Sequence[str]) -> Outcome:
    if words == ["--version"]:
        return Outcome(f"memory-shaper {__version__}")
    if len(words) > 1 and words[0] == "help":
        return Outcome(help_of(_verb(words[1])))
    text = overview(tuple(VERBS.values()))
    return Outcome(text) if words else Outcome(talk=text, code=Usage.code)


def _verb(name: str) -> Verb:
    if name in VERBS:
        return VERBS[name]
    meant = f', did you mean "{_MEANT[name]}"?' if name in _MEANT else nearest(name, VERBS)
    raise Usage(f'memory-shaper: there is no verb "{name[:40]}"{meant}; see: memory-shaper --help')


def nearest(name: str, known: Sequence[str] | Mapping[str, object]) -> str:
    """`, did you mean "…"?` with the known name that is nearest, "" where none is near; `.md` makes no name near."""
    import difflib

    bare = {one.removesuffix(".md").casefold(): one for one in known}
    near = difflib.get_close_matches(name[:80].removesuffix(".md").casefold(), bare, n=1, cutoff=_NEAR)
    return f', did you mean "{bare[near[0]]}"?' if near else ""


def _json(data: Json) -> str:
    import json

    return json.dumps(data, ensure_ascii=False, indent=2)


def _say(stream: TextIO, text: str) -> None:
    if not text:
        return
    try:
        stream.write(text.rstrip("\n") + "\n")
    except UnicodeEncodeError:  # an old terminal, or a file name that is no text
        encoding = getattr(stream, "encoding", None) or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding).rstrip("\n") + "\n")
