"""A write to config.yaml: does it leave the sections alone that only the user may change? Pure."""

from __future__ import annotations

from collections.abc import Mapping

from .. import yamlfile

SECTIONS = ("plugins", "approvals", "command_allowlist")


def leaves_alone(tool: str, args: object, before: str) -> bool:
    """Whether a call of a file tool, which would write config.yaml, surely leaves SECTIONS as they are in `before`."""
    after = _after(tool, args, before) if isinstance(args, Mapping) else None
    if after is None:
        return False
    try:
        old, new = yamlfile.parse_whole(before), yamlfile.parse_whole(after)
    except yamlfile.BadYaml:
        return False
    # As text, since 1 and true are equal to Python.
    return all(repr(old.get(section)) == repr(new.get(section)) for section in SECTIONS)


def _after(tool: str, args: Mapping[object, object], before: str) -> str | None:
    """The text that the call leaves, None where only the host knows."""
    if tool == "write_file" and isinstance(content := args.get("content"), str):
        return content
    old, new = args.get("old_string"), args.get("new_string")
    if tool != "patch" or args.get("mode", "replace") != "replace" or not isinstance(old, str) or not old:
        return None
    if not isinstance(new, str) or before.count(old) != 1:  # the host matches more loosely than this
        return None
    return before.replace(old, new)
