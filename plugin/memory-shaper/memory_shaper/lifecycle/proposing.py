"""What the topics of a home suggest: to merge, to correct, to bring together, and what contradicts what. Pure.

Only what stands today is compared, and only within one agent and one project. The same topics give the same
proposals, in whatever order they come.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from .. import names
from ..record import Proposal, digest_of_proposal
from .alike import Likeness, candidates, compare, families, jaccard
from .model import Topic
from .passages import Said, passages, said

SOURCE = "maintain"
_MOST = 50  # proposals of one kind a run; the next run makes the next ones
_FAMILY = 8  # topics in one proposal
_SHARE = 0.8  # of the smaller topic's words that the other one has
_SMALL = 1_200  # characters of a topic that may be brought together with others
_SHARED = 3  # keywords that related topics have in common
_CORRECTS = re.compile(
    r"\s*(?:correction|corrected|erratum|update|更正|纠正|修正|订正)[^\w\n]{0,3}[:：]\s*", re.IGNORECASE
)
_LIKE = 0.3  # Jaccard of telling words of what is corrected: the corrected word itself differs
_DATED = re.compile(r"\W*(?:19|20)\d\d[-./年]\d\d?")


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage of a topic and what it says; `topic` is the place of the topic, `loose` says that it is prose."""

    topic: int
    text: str
    said: Said
    loose: bool = True


@dataclass(frozen=True, slots=True)
class Wish:
    """What is looked for, and the moment (UTC) that is written on it."""

    now: datetime
    duplicates: bool = True
    related: bool = True


def proposals(topics: Iterable[Topic], wish: Wish) -> list[Proposal]:
    """The proposals for some topics, all of which stand today, the same for any order of them."""
    rooms: dict[tuple[str, str], list[Topic]] = defaultdict(list)
    for topic in sorted(topics, key=lambda topic: topic.name):
        rooms[topic.front.agent, names.same(topic.front.project)].append(topic)
    found: list[Proposal] = []
    for _, room in sorted(rooms.items()):
        merges: list[Proposal] = []
        if wish.duplicates:
            likes = _likes(room)
            merges = list(_merges(room, likes, wish.now))
            found += [*merges, *_disputes(room, likes, wish.now)]
        if wish.related:
            taken = {name for merge in merges for name in (merge.target, *_from(merge))}
            found += _groups([topic for topic in room if topic.name not in taken], wish.now)
    often = Counter[str]()
    kept = []
    for one in found:
        often[one.kind] += 1
        if often[one.kind] <= _MOST:
            kept.append(one)
    return kept


def _from(merge: Proposal) -> list[str]:
    old = merge.payload["from"]
    return [str(name) for name in old] if isinstance(old, list) else []


@dataclass(frozen=True, slots=True)
class Likes:
    """All pieces, the pairs of prose that are alike, and those that contradict or correct each other."""

    pieces: Sequence[Piece]
    alike: Sequence[tuple[Piece, Piece]]
    contrary: Sequence[tuple[Piece, Piece]]
    corrected: Sequence[tuple[Piece, Piece]]


def _likes(room: Sequence[Topic]) -> Likes:
    pieces = [piece for place, topic in enumerate(room) for piece in _pieces(place, topic)]
    every = [piece for piece in pieces if piece.loose]
    alike, contrary = [], []
    for one, other in candidates([piece.said for piece in every]):
        mine, theirs = every[one], every[other]
        likeness = compare(mine.said, theirs.said)
        if likeness is Likeness.CONTRARY:
            if not (_is_log(mine, room) and _is_log(theirs, room)):
                contrary.append((mine, theirs))
        elif likeness is not Likeness.APART and mine.topic != theirs.topic:
            alike.append((mine, theirs))
    return Likes(pieces, alike, contrary, list(_corrected(every)))


def _pieces(place: int, topic: Topic) -> Iterator[Piece]:
    for one in passages(topic.text):
        yield Piece(place, one.text, said(one.text), one.loose)


def _is_log(piece: Piece, room: Sequence[Topic]) -> bool:
    """Whether a passage tells what happened on a day: of two such days both are true."""
    topic = room[piece.topic]
    return topic.day is not None or topic.front.kind == "history" or _DATED.match(piece.text) is not None


def _corrected(every: Sequence[Piece]) -> Iterator[tuple[Piece, Piece]]:
    """(old, new) for each passage that says it corrects, and the one before it in its topic that it is most like."""
    earlier: dict[int, list[Piece]] = defaultdict(list)
    for piece in every:
        mark = _CORRECTS.match(piece.text)
        if mark:
            new = said(piece.text[mark.end() :])
            likes = [
                (jaccard(old.said.frame, new.frame), place) for place, old in enumerate(earlier[piece.topic][-50:])
            ]
            best = max(likes, default=(0.0, 0))
            if best[0] >= _LIKE:
                yield earlier[piece.topic][-50:][best[1]], piece
        else:
            earlier[piece.topic].append(piece)


def _merges(room: Sequence[Topic], likes: Likes, now: datetime) -> Iterator[Proposal]:
    apart = {frozenset((room[one.topic].name, room[other.topic].name)) for one, other in likes.contrary}
    near = [pair for pair in _nearly(room, likes) if frozenset(pair) not in apart]
    known = {topic.name: topic for topic in room}
    for family in families([*near, *_exactly(room, likes)]):
        contradicts = any(len(pair) == 2 and pair <= set(family) for pair in apart)
        if not contradicts and (made := _merge([known[name] for name in family], now)):
            yield made


def _nearly(room: Sequence[Topic], likes: Likes) -> Iterator[tuple[str, str]]:
    """(smaller, larger) for each pair of topics of which one says most of what the other does."""
    sizes = Counter[int]()
    for piece in likes.pieces:
        sizes[piece.topic] += piece.said.size if piece.loose else 0
    shared: dict[tuple[int, int], dict[str, int]] = defaultdict(dict)
    for one, other in likes.alike:
        shared[one.topic, other.topic][one.said.key] = one.said.size
        shared[other.topic, one.topic][other.said.key] = other.said.size
    for (mine, theirs), keys in sorted(shared.items()):
        if sizes[mine] and sum(keys.values()) >= _SHARE * sizes[mine]:
            yield room[mine].name, room[theirs].name


def _exactly(room: Sequence[Topic], likes: Likes) -> Iterator[tuple[str, str]]:
    """Topics with the same text, code and headings included."""
    keys: dict[int, list[str]] = defaultdict(list)
    for piece in likes.pieces:
        keys[piece.topic].append(piece.said.key)
    first: dict[tuple[str, ...], str] = {}
    for place, topic in enumerate(room):
        whole = tuple(keys[place])
        if any(whole) and (known := first.setdefault(whole, topic.name)) != topic.name:
            yield known, topic.name


def _merge(family: Sequence[Topic], now: datetime) -> Proposal | None:
    """One topic takes in the others: the marked one, else the one that says most, else the newest, else by name."""
    movable = [topic for topic in family if topic.entry is not None and not topic.stays]
    best = max(movable, key=_rank, default=None)
    if best is None:
        return None
    others = sorted(topic.name for topic in movable if topic is not best and topic.entry and not topic.entry.mark)
    if not others or (best.entry and best.entry.mark == "!!"):
        return None
    others = others[: _FAMILY - 1]
    title = f"{best.name} says what {', '.join(others)} {'says' if len(others) == 1 else 'say'}: make them one"
    return _about("merge", best.name, title, {"into": best.name, "from": others}, [best.name, *others], now)


def _about(
    kind: str, target: str, title: str, payload: Mapping[str, object], old: Sequence[str], now: datetime
) -> Proposal:
    """A proposal that is the same one for the same topics, whichever of them takes in the others."""
    digest = digest_of_proposal(kind, "", {"topics": sorted(old)})
    return Proposal(kind, now, target, title, payload, SOURCE, digest)


def _rank(topic: Topic) -> tuple[bool, int, date, list[int]]:
    marked = bool(topic.entry and topic.entry.mark)
    return marked, len(topic.text), topic.day or date.min, [-ord(char) for char in topic.name]


def _disputes(room: Sequence[Topic], likes: Likes, now: datetime) -> Iterator[Proposal]:
    corrected = {(old.text, new.text) for old, new in likes.corrected}
    for old, new in likes.corrected:
        name = room[new.topic].name
        payload: dict[str, object] = {"topic": name, "replaces": old.text, "passages": [old.text, new.text]}
        yield Proposal("correct", now, name, f"{name} corrects itself: drop what it corrects", payload, SOURCE)
    for one, other in likes.contrary:
        if (one.text, other.text) in corrected:
            continue
        pair = sorted({room[one.topic].name, room[other.topic].name})
        both: dict[str, object] = {"topics": pair, "passages": sorted((one.text, other.text))}
        where = f"{pair[0]} contradicts itself" if len(pair) == 1 else f"{pair[0]} and {pair[1]} contradict each other"
        yield Proposal("contradiction", now, pair[0], f"{where}: say which holds", both, SOURCE)


def _groups(room: Sequence[Topic], now: datetime) -> Iterator[Proposal]:
    """Small topics of one subject, by the keywords that their lines share; where too many hang together, by more."""
    small = {topic.name: topic for topic in room if _may_join(topic)}
    waiting = [(sorted(small), _SHARED)]
    while waiting:
        members, least = waiting.pop()
        for family in families(_related({name: small[name] for name in members}, least)):
            if len(family) > _FAMILY:
                waiting.append((list(family), least + 1))
            elif len(family) > 2:
                yield _group([small[name] for name in family], now)


def _may_join(topic: Topic) -> bool:
    return (
        topic.entry is not None
        and not topic.entry.mark
        and not topic.stays
        and topic.front.kind != "profile"
        and 0 < len(topic.text) <= _SMALL
    )


def _related(small: Mapping[str, Topic], least: int) -> Iterator[tuple[str, str]]:
    holding: dict[str, list[str]] = defaultdict(list)
    for name, topic in sorted(small.items()):
        for word in sorted(set(topic.entry.keywords if topic.entry else ())):
            holding[word].append(name)
    often = Counter[tuple[str, str]]()
    for _, having in sorted(holding.items()):
        for place, one in enumerate(having):
            for other in having[place + 1 : place + 1 + 2 * _FAMILY]:
                often[one, other] += 1
    return (pair for pair, count in sorted(often.items()) if count >= least)


def _group(family: Sequence[Topic], now: datetime) -> Proposal:
    counts = Counter(word for topic in family for word in (topic.entry.keywords if topic.entry else ()))
    top = [word for word, count in sorted(counts.items(), key=lambda row: (-row[1], row[0])) if count > 1][:2]
    old = [topic.name for topic in family]
    title = f"{len(old)} small topics share a subject: {', '.join(old)}"
    return _about("group", "", title, {"topic": "-".join(top), "from": old}, old, now)
