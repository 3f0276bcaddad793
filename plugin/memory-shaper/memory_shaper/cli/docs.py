"""Writes the pages that are made from tables in the code.

python -m memory_shaper.cli.docs > docs/cli.md
python -m memory_shaper.cli.docs settings > docs/settings.md
"""

from __future__ import annotations

import sys

from ..settings import PATTERNS, TABLE, Setting
from ..settingstable import Patterns
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


_SETTINGS = """\
# Settings

This page is made from the table of settings: `python -m memory_shaper.cli.docs settings > docs/settings.md`.

Settings stand in `config.yaml` of the Hermes home:

```yaml
plugins:
  entries:
    memory-shaper:
      settings:
        on_full: refuse
        grace_days: 30
```

An environment variable `MEMORY_SHAPER_` with the name in capitals wins over the file.
What is set nowhere has its default.
An unknown key is reported with the nearest known one.
A value that makes no sense, or a file that cannot be read, stops every change.

| setting | default | values | what it does |
|---|---|---|---|
"""
_HOST = """
Patterns are Python regular expressions, matched line by line; docs/privacy.md says which are refused and why.
In the environment they are JSON: `MEMORY_SHAPER_EXCLUDE='["private"]'`.

Two values come from the host's own sections.
`memory.memory_char_limit` is the cap, 2,200 where it is not set; `approvals.mode` tells whether a human can be asked.
"""


def settings_page() -> str:
    """The text of docs/settings.md."""
    rows = [*map(_setting, TABLE.values()), *map(_patterns, PATTERNS.values())]
    return _SETTINGS + "".join(rows) + _HOST


def _patterns(row: Patterns) -> str:
    values = "patterns, each with a text" if row.pairs else "patterns"
    return f"| `{row.name}` | none | {values} | {row.doc} |\n"


def _setting(row: Setting) -> str:
    high = f"{row.high:g}" if row.high != float("inf") else "…"
    span = "text" if isinstance(row.default, str) else f"{row.low:g} to {high}"
    span = "`forever`, `90d`, `12w`, `2y`" if row.span else "true, false" if isinstance(row.default, bool) else span
    values = ", ".join(f"`{choice}`" for choice in row.choices) or span
    return f"| `{row.name}` | `{row.default}` | {values} | {row.doc} |\n"


if __name__ == "__main__":
    sys.stdout.write(settings_page() if sys.argv[1:] == ["settings"] else page())
