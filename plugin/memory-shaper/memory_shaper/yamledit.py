"""Putting one item into a list of a YAML text, or taking it out, and leaving every other character alone. Pure.

The places come from a full YAML reader's own marks. What comes out is read again and compared: where anything but the
list would differ, or this Python has no full reader, the edit is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol, cast

from . import yamlfile


class CannotEdit(ValueError):
    """A text that cannot be edited safely; the words say why."""


class Insertion(NamedTuple):
    """A text to put in at a place, counted in characters."""

    at: int
    text: str


class _Mark(Protocol):
    index: int
    column: int


class _Node(Protocol):
    """A node as PyYAML and ruamel.yaml compose it: `value` is a text, a list of nodes or a list of pairs of nodes."""

    value: object
    flow_style: bool | None
    start_mark: _Mark
    end_mark: _Mark


class _Place(NamedTuple):
    """A key and the node of its value."""

    key: _Node
    value: _Node


_EMPTY = re.compile(r"\s*(?:#[^\n]*\s*)*")


def listed(text: str, section: str, name: str) -> list[object]:
    """The items of `section.name`, [] where there is no such list. Raises CannotEdit where it cannot be read."""
    found = _section(_tree(text), section).get(name)
    return found if isinstance(found, list) else []


def with_item(text: str, section: str, name: str, item: str) -> Insertion:
    """What to put in so that the list `section.name` ends with the item. Raises CannotEdit."""
    made = _insertion(text, section, name, item)
    _compare(text, inserted(text, made), section, name, [*listed(text, section, name), item])
    return made


def inserted(text: str, made: Insertion) -> str:
    """The text with the insertion."""
    return text[: made.at] + made.text + text[made.at :]


def without_item(text: str, section: str, name: str, item: str, own: str = "") -> str:
    """The text without the item in the list `section.name`. Raises CannotEdit.

    `own` is what an earlier insertion put in: where it stands there still, once, it is taken out as it came.
    """
    left = [one for one in listed(text, section, name) if one != item]
    if own and text.count(own) == 1:
        try:
            return _compare(text, text.replace(own, ""), section, name, left)
        except CannotEdit:  # the list has grown around it since
            return _compare(text, _cut(text, section, name, item), section, name, left)
    return _compare(text, _cut(text, section, name, item), section, name, left)


def _tree(text: str) -> Mapping[object, object]:
    try:
        return yamlfile.parse_whole(text)
    except yamlfile.BadYaml as error:
        raise CannotEdit(str(error)) from error


def _section(tree: Mapping[object, object], section: str) -> Mapping[object, object]:
    found = tree.get(section)
    return found if isinstance(found, Mapping) else {}


def _compare(before: str, after: str, section: str, name: str, wanted: list[object]) -> str:
    """The text after, once it is sure that it means the same as the text before, but for the list."""
    old, new = _tree(before), _tree(after)
    if listed(after, section, name) != wanted or _rest(old, section, name) != _rest(new, section, name):
        raise CannotEdit("the edit would change something else")
    return after


def _rest(tree: Mapping[object, object], section: str, name: str) -> str:
    """All of the tree but the list, written out: equality of values alone takes 1 for true."""
    others = {key: value for key, value in tree.items() if key != section}
    inner = {key: value for key, value in _section(tree, section).items() if key != name}
    kept = tree.get(section) if not isinstance(tree.get(section), Mapping | None) else inner
    return repr((others, kept))


def _insertion(text: str, section: str, name: str, item: str) -> Insertion:
    end = _newline(text)
    root = _composed(text)
    if root is None:
        if _EMPTY.fullmatch(text) is None:
            raise CannotEdit("the text holds no mapping")
        return _at_the_end(text, f"{section}:{end}  {name}:{end}    - {item}{end}")
    top = _pair(root, section)
    if top is None and not root.flow_style:
        return _at_the_end(text, f"{section}:{end}  {name}:{end}    - {item}{end}")
    if top is None:
        return _first(root, f'"{section}": {{"{name}": ["{item}"]}}')
    return _in_section(text, top, name, item)


def _in_section(text: str, top: _Place, name: str, item: str) -> Insertion:
    end = _newline(text)
    if _is_empty(top.value):
        return Insertion(_line_end(text, top.key), f"{end}  {name}:{end}    - {item}")
    if not _is_mapping(top.value):
        raise CannotEdit("the section is no mapping")
    spot = _pair(top.value, name)
    if spot is not None:
        return _in_list(text, top.value, spot, item)
    if top.value.flow_style:
        quoted = f'"{name}": ["{item}"]' if _quotes(text, top.key) else f"{name}: [{item}]"
        return _first(top.value, quoted)
    first = cast("list[tuple[_Node, _Node]]", top.value.value)[0][0]
    indent = " " * first.start_mark.column
    at = first.start_mark.index - first.start_mark.column
    return Insertion(at, f"{indent}{name}:{end}{indent}  - {item}{end}")


def _in_list(text: str, section: _Node, spot: _Place, item: str) -> Insertion:
    value, indent = spot.value, " " * spot.key.start_mark.column
    if _is_empty(value):
        if section.flow_style:
            return Insertion(text.index(":", spot.key.end_mark.index) + 1, f' ["{item}"]')
        return Insertion(_line_end(text, spot.key), f"{_newline(text)}{indent}  - {item}")
    items = _items(value)
    if not value.flow_style:
        dash = " " * value.start_mark.column
        return Insertion(_line_end(text, items[-1]), f"{_newline(text)}{dash}- {item}")
    last = items[-1] if items else spot.key
    quoted = json.dumps(item) if _quotes(text, last) else item
    return (
        Insertion(items[-1].end_mark.index, f", {quoted}") if items else Insertion(value.start_mark.index + 1, quoted)
    )


def _cut(text: str, section: str, name: str, item: str) -> str:
    root = _composed(text)
    top = _pair(root, section) if root is not None else None
    spot = _pair(top.value, name) if top is not None and _is_mapping(top.value) else None
    if spot is None:
        raise CannotEdit("there is no such list")
    items = _items(spot.value)
    at = next((number for number, one in enumerate(items) if one.value == item), None)
    if at is None:
        raise CannotEdit("the list does not name it")
    start, stop = _span(text, spot.value, items, at)
    hole = " []" if len(items) == 1 and not spot.value.flow_style else ""
    where = text.index(":", spot.key.end_mark.index) + 1
    return text[:where] + hole + text[where:start] + text[stop:]


def _span(text: str, value: _Node, items: list[_Node], at: int) -> tuple[int, int]:
    """From where to where an item goes, with the comma or the line end that belongs to it."""
    node = items[at]
    if not value.flow_style:
        return text.rfind("\n", 0, node.start_mark.index) + 1, min(_line_end(text, node, after=True), len(text))
    if at:
        return items[at - 1].end_mark.index, node.end_mark.index
    return node.start_mark.index, items[1].start_mark.index if len(items) > 1 else node.end_mark.index


def _at_the_end(text: str, block: str) -> Insertion:
    open_line = text and not text.endswith("\n")
    return Insertion(len(text), (_newline(text) if open_line else "") + block)


def _first(node: _Node, pair: str) -> Insertion:
    """A pair in front of those of a flow mapping."""
    return Insertion(node.start_mark.index + 1, f"{pair}, " if node.value else pair)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _line_end(text: str, node: _Node, after: bool = False) -> int:
    """Where the line that a node ends in has its end, or, `after` it, where the next one begins."""
    found = text.find("\n", node.end_mark.index)
    if found < 0:
        return len(text)
    return found + 1 if after else found - text.startswith("\r\n", found - 1)


def _quotes(text: str, node: _Node) -> bool:
    return text[node.start_mark.index] == '"'


def _pair(node: _Node, name: str) -> _Place | None:
    """The last pair of a mapping with this key: readers that allow a key twice take that one."""
    if not _is_mapping(node):
        raise CannotEdit("the text holds no mapping")
    found = [pair for pair in cast("list[tuple[_Node, _Node]]", node.value) if pair[0].value == name]
    return _Place(*found[-1]) if found else None


def _is_mapping(node: _Node) -> bool:
    return hasattr(node, "flow_style") and type(node).__name__ == "MappingNode"


def _is_empty(node: _Node) -> bool:
    return node.start_mark.index == node.end_mark.index


def _items(node: _Node) -> list[_Node]:
    if type(node).__name__ != "SequenceNode":
        raise CannotEdit("what stands there is no list")
    return cast("list[_Node]", node.value)


def _composed(text: str) -> _Node | None:
    for compose in (_by_pyyaml, _by_ruamel):
        try:
            return compose(text)
        except ImportError:
            continue
    raise CannotEdit("this Python has neither PyYAML nor ruamel.yaml")


def _by_pyyaml(text: str) -> _Node | None:
    import yaml

    return _guarded(lambda: yaml.compose(text, Loader=yaml.SafeLoader), yaml.YAMLError)


def _by_ruamel(text: str) -> _Node | None:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    return _guarded(lambda: YAML(typ="safe", pure=True).compose(text), YAMLError)


def _guarded(compose: Callable[[], object], wrong: type[Exception]) -> _Node | None:
    try:
        return cast("_Node | None", compose())
    except (wrong, ValueError, RecursionError) as error:
        raise CannotEdit("this is no YAML that can be read whole") from error
