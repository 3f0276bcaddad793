"""What of a session goes to the model: the messages that pass the gate, cleaned, in portions. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..privacy.rules import Rules
from ..privacy.screening import cleaned, is_wanted
from .gate import Decision, Gate, judge

PORTION = 12_000  # characters that go to the model at once
_LONGEST_ANSWER = 400  # characters of what the agent answered


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a session: its number in the host's database, `user` or `assistant`, its text, and whether that is
    what a memory tool was given."""

    id: int
    role: str
    text: str
    from_memory: bool = False


@dataclass(frozen=True, slots=True)
class Portion:
    """Messages that go to the model together; `last` is the number up to which the session is done with then."""

    messages: tuple[Message, ...]
    wanted: tuple[str, ...]
    last: int

    @property
    def text(self) -> str:
        """The talk as the model reads it."""
        return "\n\n".join(f"{one.role.upper()}: {one.text}" for one in self.messages)


Wish = Callable[[str], bool | None]


def portions(messages: Sequence[Message], rules: Rules, gate: Gate, wish: Wish = lambda _: None) -> Iterator[Portion]:
    """Cut a session into portions of what may hold facts; one without any has no messages.

    What `wish` (the user's own `should_remember`) says of a message counts before the gate; None leaves it to that. An
    answer of the agent goes with the message that it answers.
    """
    passed = list(_passed(messages, rules, gate, wish))
    held: list[Message] = []
    size, last = 0, 0
    for one in passed:
        if held and size + len(one.text) > PORTION:
            yield _portion(held, rules, last)
            held, size = [], 0
        held.append(one)
        size, last = size + len(one.text), one.id
    if messages:
        yield _portion(held, rules, messages[-1].id)


def _portion(held: Sequence[Message], rules: Rules, last: int) -> Portion:
    wanted = [one.text.strip() for one in held if one.role == "user" and is_wanted(one.text, rules)]
    return Portion(tuple(held), tuple(wanted), last)


def _passed(messages: Sequence[Message], rules: Rules, gate: Gate, wish: Wish) -> Iterator[Message]:
    said: set[str] = set()
    answers = False
    for one in messages:
        text = cleaned(one.text, rules)[0]
        if one.role == "user" or one.from_memory:
            answers = _passes(one, text, rules, gate, wish, text in said)
            said.add(text)
            if answers:
                yield replace(one, text=text)
        elif answers:
            yield replace(one, text=text[:_LONGEST_ANSWER])
            answers = False


def _passes(one: Message, text: str, rules: Rules, gate: Gate, wish: Wish, known: bool) -> bool:
    """Whether a message may hold a fact. What `exclude` keeps out is gone from `text`, so it is never wanted."""
    asked = None if one.from_memory else wish(text)
    if asked is not None:
        return asked
    if is_wanted(text, rules) and not one.from_memory and not known:
        return True
    return judge(text, gate, one.from_memory, "turn" if known else "").decision is Decision.STORE
