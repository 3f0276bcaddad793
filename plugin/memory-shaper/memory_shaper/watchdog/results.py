"""Did a read succeed? Judged from the result that the host stored for the call. Pure.

Shapes seen in both hosts: `{"content": …, "error": "File not found: …"}` (read_file), `{"output": …, "exit_code": 1}`
(terminal, execute_code), `{"success": false, "error": …}` (skill_view, patch), `{"error": …}` (blocked by a plugin),
`{"status": "unchanged", "dedup": true}` (read again, the text is still in the conversation: a success), bare text
(an unknown tool, a long result moved to a file), and any of them with a plugin's note behind the JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

_FAILED_STATUS = {"error", "blocked", "denied", "failed", "timeout", "cancelled", "interrupted", "approval_required"}
_FAILED_TEXT = re.compile(r"\s*[\[(<]?(error|failed|blocked|denied|refus|traceback|tool '[^']*' does not exist)", re.I)
_MISSING = ("no such file", "not found", "permission denied", "is a directory", "not a regular file")
_ONE_OBJECT = json.JSONDecoder()


def succeeded(result: str) -> bool:
    """Whether a stored tool result tells of a call that worked; an empty one does not."""
    value = _object(result)
    if value is None:
        return bool(result.strip()) and _FAILED_TEXT.match(result) is None
    return not (
        value.get("error")
        or value.get("success") is False
        or value.get("not_found") is True
        or value.get("exit_code") not in (None, 0)
        or str(value.get("status", "")).casefold() in _FAILED_STATUS
    )


def missed(result: str, name: str) -> bool:
    """Whether the output of a program that ended well says that it could not open this file."""
    value = _object(result)
    output = value.get("output") if value else None
    lines = output.splitlines() if isinstance(output, str) and name in output else []
    return any(name in line and any(word in line.casefold() for word in _MISSING) for line in lines)


def _object(result: str) -> Mapping[str, object] | None:
    """The JSON object that the result begins with; what a plugin put behind it is left alone."""
    try:
        value, _ = _ONE_OBJECT.raw_decode(result.lstrip())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
