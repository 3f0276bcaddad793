"""Rows of the front matter of a topic file, set where they are wanted; everything else is left as it stands. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

_FRONT = re.compile(
    r"\A(?P<head>\ufeff?---[ \t]*\r?\n)(?P<rows>.*?)(?=^(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z))", re.DOTALL | re.MULTILINE
)
_TAGS = re.compile(
    r"^tags[ \t]*:[ \t]*(?P<value>[^\r\n]*)(?P<items>(?:\r?\n[ \t]*-[ \t]+[^\r\n]*)*)", re.MULTILINE | re.IGNORECASE
)
_ITEM = re.compile(r"^[ \t]*-[ \t]+([^\r\n]*)", re.MULTILINE)
_RULE = re.compile(r"[\s\ufeff]*(?:---|\.\.\.)[ \t]*(?:\r?\n\s*|\Z)")
_UNFIT = re.compile(r"[^\w:.+#/-]")
MOST = 20


def clean_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Return tags without blanks and signs that lists and filters are made of, each once; a comma parts two.

    >>> clean_tags([" a|b,c{} ", "agent:worker", "ab"])
    ('ab', 'c', 'agent:worker')
    """
    parts = (_UNFIT.sub("", part) for tag in tags for part in re.split("[,，]", tag))
    return tuple(dict.fromkeys(part for part in parts if part))[:MOST]


def with_tags(text: str, tags: Iterable[str]) -> str:
    """Return a note with these tags added to those it has; a note that has them all is returned as it is.

    >>> with_tags("---\\ntitle: x\\n---\\nbody", ["a", "b"])
    '---\\ntitle: x\\ntags: [a, b]\\n---\\nbody'
    """
    wanted = clean_tags(tags)
    if not wanted:
        return text
    front = _FRONT.match(text)
    if front is None:
        return f"---\ntags: [{', '.join(wanted)}]\n---\n\n{text}"
    row = _TAGS.search(front["rows"])
    known = _known(row) if row else []
    every = dict.fromkeys([*known, *wanted])
    if len(every) == len(known):
        return text
    line = f"tags: [{', '.join(every)}]"
    rows = front["rows"]
    rows = rows[: row.start()] + line + rows[row.end() :] if row else f"{rows}{line}\n"
    return front["head"] + rows + text[front.end("rows") :]


def with_field(text: str, name: str, value: str, anew: bool = False) -> str:
    """Return a note with a row `name: value` in its front matter; one that has the row keeps it, unless `anew`.

    Only a row of one line is written anew: a list below its name is left as it is.

    >>> with_field("body", "type", "fact")
    '---\\ntype: fact\\n---\\n\\nbody'
    >>> with_field("---\\ntype: fact\\n---\\nbody", "type", "project", anew=True)
    '---\\ntype: project\\n---\\nbody'
    """
    line = f"{name}: {value}"
    front = _FRONT.match(text)
    if front is None:
        return f"---\n{line}\n---\n\n{text}"
    row = re.search(rf"^{re.escape(name)}[ \t]*:[^\r\n]*", front["rows"], re.MULTILINE | re.IGNORECASE)
    rows = front["rows"]
    if row is None:
        rows = f"{rows}{line}\n"
    elif anew:
        rows = rows[: row.start()] + line + rows[row.end() :]
    return front["head"] + rows + text[front.end("rows") :]


def front_of(text: str) -> str:
    """Return the front matter that a note begins with, without its last line; "" where it has none.

    >>> front_of("---\\ntype: fact\\n---\\nbody"), front_of("---\\nbody")
    ('---\\ntype: fact\\n', '')
    """
    front = _FRONT.match(text)
    return front[0] if front else ""


def without_front(text: str) -> str:
    """Return the words of a text alone: without blocks of front matter and lines of dashes at its beginning.

    >>> without_front("---\\nsupersedes: [a.md]\\n---\\n---\\nAnn drinks tea")
    'Ann drinks tea'
    """
    while True:
        start = len(front_of(text))
        found = _RULE.match(text, start)
        if not found:
            return text
        text = text[found.end() :]


def _known(row: re.Match[str]) -> list[str]:
    value = row["value"].strip()
    inline = value[1:-1].split(",") if value.startswith("[") and value.endswith("]") else [value]
    items = [*inline, *_ITEM.findall(row["items"])]
    return [tag for item in items if (tag := item.strip().strip("\"'"))]
