"""Reading a YAML text with whatever reader this Python has. Pure.

Hermes 0.19 brings PyYAML, 0.22 ruamel.yaml instead; a bare Python has neither, and the plain reader of ours then takes
the sections that are wanted. The older truth values of YAML 1.1 (`off`, `yes`) hold with each of them, as in the hosts.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

from . import yamllite


class BadYaml(ValueError):
    """A text that is no YAML mapping; `line` counts from 1, 0 where the reader does not tell."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.line = line


def parse(text: str, wanted: frozenset[str]) -> Mapping[object, object]:
    """The mapping a text holds, at least its `wanted` top-level sections. Raises BadYaml."""
    tree = _by_library(text)
    return _mapping(_without_library(text, wanted) if tree is None else tree[0])


def parse_whole(text: str) -> Mapping[object, object]:
    """The mapping a text holds, lists and all. Raises BadYaml, also where this Python has no full reader."""
    tree = _by_library(text)
    if tree is None:
        raise BadYaml(0, "only PyYAML or ruamel.yaml could read all of it")
    return _mapping(tree[0])


def _by_library(text: str) -> tuple[object] | None:
    for reader in (_with_pyyaml, _with_ruamel):
        with contextlib.suppress(ImportError):
            return (reader(text),)
    return None


_ODD_VALUES = (ValueError, TypeError, LookupError, RecursionError)  # what their constructors raise for odd values


def _mapping(tree: object) -> Mapping[object, object]:
    if tree is None:
        return {}
    if not isinstance(tree, Mapping):
        raise BadYaml(1, "not a mapping")
    return tree


def _with_pyyaml(text: str) -> object:
    import yaml

    try:
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        raise _bad(error) from error
    except _ODD_VALUES as error:
        raise _odd(error) from error


def _with_ruamel(text: str) -> object:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    reader = YAML(typ="safe", pure=True)
    reader.version = (1, 1)
    try:
        return reader.load(text)
    except YAMLError as error:
        raise _bad(error) from error
    except _ODD_VALUES as error:
        raise _odd(error) from error


def _odd(error: Exception) -> BadYaml:
    return BadYaml(0, "nested too deeply" if isinstance(error, RecursionError) else "a value that YAML cannot hold")


def _bad(error: Exception) -> BadYaml:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or "not YAML"
    return BadYaml(mark.line + 1 if mark is not None else 0, str(problem))


def _without_library(text: str, wanted: frozenset[str]) -> object:
    if text.lstrip().startswith("{"):
        import json

        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BadYaml(getattr(error, "lineno", 0), "not JSON, and only PyYAML could read more") from error
    try:
        return yamllite.load(text, wanted)
    except yamllite.NotPlain as error:
        raise BadYaml(error.line, f"{error}; if the file is right, install PyYAML") from error
