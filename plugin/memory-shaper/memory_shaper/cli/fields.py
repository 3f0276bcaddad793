"""The fields that the JSON of many verbs has in common."""

from __future__ import annotations

Fields = tuple[tuple[str, str], ...]

HOME = ("home", "the Hermes home")
CHANGE: Fields = (
    HOME,
    ("dry_run", "whether nothing was to be changed"),
    ("changed", "whether anything was"),
    ("events", "the ids of the journal's events, empty where nothing changed"),
    ("files", "what happened to which file: `file`, `action` (write, create, remove, move), `to` (of a move)"),
    ("diff", "the change as a unified diff"),
    ("notes", "what else the user should know"),
)
