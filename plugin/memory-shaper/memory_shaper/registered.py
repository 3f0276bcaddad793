"""Which of our commands the host registered: another plugin, or the host itself, may own the name. Pure.

The host drops or replaces a command with a line in its log at most, so its registry is looked at when a session begins,
as far as it can be seen: a host that keeps it elsewhere says nothing here.
"""

from __future__ import annotations

from collections.abc import Mapping

TAKEN = "commands.taken"  # the note of the record: lines of command, tab, owner ("": the host itself)
_NAME = "memory-shaper"
_REGISTRIES = {"/memory-shaper": "_plugin_commands", "hermes memory-shaper": "_cli_commands"}


def taken(context: object) -> str | None:
    """The commands that are not ours, as the note of the record; "" where both are ours, None where nothing is seen.

    `context` is what the host handed to `register`.
    """
    manager = getattr(context, "_manager", None)
    seen = {command: getattr(manager, attribute, None) for command, attribute in _REGISTRIES.items()}
    known = {command: entries for command, entries in seen.items() if isinstance(entries, Mapping)}
    if not known:
        return None
    owners = {command: _owner(entries) for command, entries in known.items()}
    return "\n".join(f"{command}\t{owner}" for command, owner in owners.items() if owner != _NAME)


def _owner(entries: Mapping[object, object]) -> str:
    entry = entries.get(_NAME)
    plugin = entry.get("plugin") if isinstance(entry, Mapping) else None
    return " ".join(plugin.split()) if isinstance(plugin, str) else ""
