"""What is odd about the front matter of topics: days that are none, types that are none, succession that leads nowhere.

Shell: reads the topics, live and archived. All of it is harmless, so all of it is a warning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .. import grammar, names, store
from ..model import Finding, Severity
from ..recall.notes import own_date, read_front
from ..recall.standing import Claim, circles, claim_of, key_of, own_key, read_day, replaced
from ..settings import Home

TOPIC_RULES = ("front-day", "supersedes-nothing", "supersedes-circle", "replaced-listed")
_HEAD = 8_192  # bytes of a file that are read


@dataclass(frozen=True, slots=True)
class Known:
    """The claims of all topics that make any, the keys of all files, and those of the index's targets."""

    claims: tuple[Claim, ...]
    files: frozenset[str]
    listed: frozenset[str]


def check_topics(home: Home) -> list[tuple[str, Finding]]:
    """The findings about the topics of a home, each with its file. Raises Missing, Unreadable."""
    live, archived = (
        store.list_folder(path).files if path.is_dir() else frozenset() for path in (home.memories, home.archive)
    )
    index = store.read_if_there(home.index)
    below = f"{names.ARCHIVE_FOLDER}/"
    places = [name for name in live if names.is_topic(name, live)]
    places += [below + name for name in archived if names.is_topic(name, archived)]
    claims = [claim for name in sorted(places) if (claim := _claim(home, name))]
    listed = (names.same(entry.target) for _, entry in grammar.parse(index.text if index else "").entries())
    known = Known(tuple(claims), frozenset(map(own_key, places)), frozenset(listed))
    return [found for rule in (_days, _dangling, _circles, _listed) for found in rule(known)]


def _claim(home: Home, name: str) -> Claim | None:
    if store.identify(home.memories / name) is None:
        return None  # a link that leads nowhere
    try:
        with open(home.memories / name, "rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return None  # other rules tell of it
    if b"---" not in head[:6]:
        return None
    front = read_front(head.decode("utf-8", "replace"))
    return claim_of(name, front, own_date(name, front))


def _finding(rule: str, message: str, fix: str) -> Finding:
    return Finding(rule, Severity.WARNING, message, fix=fix)


def _days(known: Known) -> Iterator[tuple[str, Finding]]:
    for claim in known.claims:
        for row, text in (("invalid_at", claim.invalid_at), ("valid_until", claim.valid_until)):
            if text and read_day(text) is None:
                message = f"`{row}` is no day, so it has no effect"
                yield claim.name, _finding("front-day", message, f"write {row}: 2026-01-31")


def _dangling(known: Known) -> Iterator[tuple[str, Finding]]:
    for claim in known.claims:
        for old in claim.supersedes:
            if key_of(old) not in known.files:
                message = f"it supersedes {old}, and there is no such topic, live or archived"
                yield claim.name, _finding("supersedes-nothing", message, "take the name out, or put it right")


def _circles(known: Known) -> Iterator[tuple[str, Finding]]:
    for claim, old in _arrows(known.claims):
        message = f"it supersedes {old}, which leads back to it: none of them is hidden"
        yield claim.name, _finding("supersedes-circle", message, "take one of the names out")


def _arrows(claims: Iterable[Claim]) -> list[tuple[Claim, str]]:
    """Those of the arrows from a claim to a name that lie on a circle."""
    every = [(claim, old) for claim in claims for old in claim.supersedes]
    round_ = circles({(own_key(claim.name), key_of(old)) for claim, old in every})
    return [(claim, old) for claim, old in every if (own_key(claim.name), key_of(old)) in round_]


def _listed(known: Known) -> Iterator[tuple[str, Finding]]:
    for key in sorted(replaced(known.claims) & known.listed):
        fix = f"memory-shaper archive {key}, or let maintain do it"
        yield key, _finding("replaced-listed", "another topic supersedes it, and its line is in the index still", fix)
