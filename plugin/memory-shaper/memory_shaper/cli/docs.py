"""Writes docs/cli.md from the table of verbs: `python -m memory_shaper.cli.docs > docs/cli.md`."""

from __future__ import annotations

import sys

from .parsing import help_of, overview
from .request import Verb
from .table import VERBS

_HEAD = """\
# The command

This page is made from the table of verbs: `python -m memory_shaper.cli.docs > docs/cli.md`.

The same verbs answer as `memory-shaper VERB`, `python -m memory_shaper VERB` and `hermes memory-shaper VERB`.
Data goes to stdout and talk to stderr.
`NO_COLOR` switches colours off; there are none off a terminal.

"""


def page() -> str:
    """The text of docs/cli.md."""
    return _HEAD + _fenced(overview(tuple(VERBS.values()))) + "".join(map(_section, VERBS.values()))


def _section(verb: Verb) -> str:
    rows = "".join(f"| `{name}` | {meaning.replace('|', chr(92) + '|')} |\n" for name, meaning in verb.fields)
    return (
        f"\n## {verb.name}\n\n{_fenced(help_of(verb))}\nFields of `--json`:\n\n| field | meaning |\n|---|---|\n{rows}"
    )


def _fenced(text: str) -> str:
    return f"```text\n{text}\n```\n"


if __name__ == "__main__":
    sys.stdout.write(page())
