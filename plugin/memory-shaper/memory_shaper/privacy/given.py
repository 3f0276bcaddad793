"""The rules as the user gave them: lists and mappings of a config file become compiled patterns, or an error. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from ..errors import Unreadable
from ..yamllite import Unread
from .patterns import BadPattern, compiled
from .rules import Rules

_MOST = 200  # patterns of one setting


class BadRule(ValueError):
    """A rule that makes no sense: the setting it stands in, and why."""

    def __init__(self, setting: str, reason: str) -> None:
        super().__init__(reason)
        self.setting = setting


def read(given: Mapping[str, object], told: Mapping[str, str], place: Callable[[str], str]) -> Rules:
    """Return the rules of a config file, or of the JSON that the environment holds for a setting.

    Raises Unreadable with the place of the setting: what cannot be read stops everything rather than letting it pass.
    """
    values = dict(given)
    for name, text in told.items():
        try:
            values[name] = json.loads(text) if text.strip() else None
        except (ValueError, RecursionError) as error:
            raise Unreadable(f"{place(name)}: {name} is no JSON; refusing to change anything") from error
    for name, value in values.items():
        if isinstance(value, Unread):
            raise Unreadable(
                f"{place(name)}: {name} cannot be read without PyYAML; write patterns in quotes, one a line; refusing "
                "to change anything"
            )
    try:
        return rules_of(values.get("exclude"), values.get("always"), values.get("redact"))
    except BadRule as error:
        raise Unreadable(f"{place(error.setting)}: {error.setting}: {error}; refusing to change anything") from error


def rules_of(exclude: object, always: object, redact: object) -> Rules:
    """Return the rules that three settings hold: two lists of patterns, a mapping from patterns to texts; None: none.

    Raises BadRule.

    >>> rules_of("私人", None, {"sk-[A-Z]+": "[key]"}).redact[0][1]
    '[key]'
    """
    pairs = _mapping(redact)
    made = tuple((_pattern("redact", pattern), _text(pattern, put)) for pattern, put in pairs.items())
    for pattern, put in made:
        _check_put(pattern, put)
    return Rules(_patterns("exclude", exclude), _patterns("always", always), made)


def plain(rules: Rules) -> dict[str, list[str] | dict[str, str]]:
    """Return rules as a file would hold them, what is empty left out: the way back of `rules_of`."""
    lists = {"exclude": rules.exclude, "always": rules.always}
    found: dict[str, list[str] | dict[str, str]] = {
        name: [one.pattern for one in patterns] for name, patterns in lists.items() if patterns
    }
    return found | ({"redact": {one.pattern: put for one, put in rules.redact}} if rules.redact else {})


def _patterns(setting: str, value: object) -> tuple[re.Pattern[str], ...]:
    listed = [] if value is None else value if isinstance(value, list | tuple) else [value]
    if len(listed) > _MOST:
        raise BadRule(setting, f"at most {_MOST} patterns")
    return tuple(_pattern(setting, one) for one in listed)


def _pattern(setting: str, value: object) -> re.Pattern[str]:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise BadRule(setting, "a list of patterns, each of them text")
    try:
        return compiled(str(value))
    except BadPattern as error:
        raise BadRule(setting, f'the pattern "{str(value)[:40]}" is not used: {error}') from error


def _mapping(value: object) -> Mapping[object, object]:
    if value is None:
        return {}
    if not isinstance(value, Mapping) or len(value) > _MOST:
        raise BadRule("redact", f"a mapping of at most {_MOST} patterns to what stands in their place")
    return value


def _text(pattern: object, put: object) -> str:
    if isinstance(put, bool) or not isinstance(put, str | int | None):
        raise BadRule("redact", f'what stands in place of "{str(pattern)[:40]}" has to be text')
    return "" if put is None else str(put)


def _check_put(pattern: re.Pattern[str], put: str) -> None:
    """A replacement may name groups of its pattern; any other use of the backslash is refused now, not in use."""
    try:
        pattern.sub(put, "")
    except (re.error, IndexError) as error:
        raise BadRule("redact", f'"{put[:40]}" cannot stand in place of its pattern ({error})') from error
