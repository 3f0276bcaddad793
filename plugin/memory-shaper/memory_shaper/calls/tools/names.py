"""What kind of tool a name stands for. Pure."""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import lru_cache


class Kind(Enum):
    """How the arguments of a tool are read."""

    NOTHING = auto()
    BUNDLE = auto()
    CODE = auto()
    PROCESS = auto()
    READ = auto()
    SHELL = auto()
    JOB = auto()
    COPY = auto()
    DELETE = auto()
    MOVE = auto()
    WRITE = auto()
    LOOK = auto()
    OTHER = auto()


_NOTHING = (
    "memory clarify todo todo_list web_search web_extract search_files vision_analyze video_analyze session_search "
    "skill_view skills_list delegate_task browser_navigate browser_click browser_snapshot browser_type browser_scroll "
    "browser_back browser_press browser_console browser_get_images browser_vision send_message react_to_message "
    "read_terminal x_search tool_search memory_search memory_remember memory_feedback memory_stats"
)
_KINDS = {
    **dict.fromkeys(_NOTHING.split(), Kind.NOTHING),
    **dict.fromkeys(("read_file", "Read"), Kind.READ),
    **dict.fromkeys(
        ("terminal", "shell", "bash", "Bash", "run_command", "exec_command", "execute_command"), Kind.SHELL
    ),
    **dict.fromkeys(("execute_code", "python", "run_python", "code_execution"), Kind.CODE),
    **dict.fromkeys(("process", "process_manage"), Kind.PROCESS),
    **dict.fromkeys(("cronjob", "cronjob_manage", "skill_manage"), Kind.JOB),
    "write_file": Kind.WRITE,
    "patch": Kind.WRITE,
    "tool_call": Kind.BUNDLE,
}
"""The tools of the known hosts. The memory tool is judged by what it does to the index, not here."""

_PARTS = {
    **dict.fromkeys(("move", "rename", "mv"), Kind.MOVE),
    **dict.fromkeys(("copy", "cp", "duplicate"), Kind.COPY),
    **dict.fromkeys(("delete", "remove", "unlink", "rm", "trash"), Kind.DELETE),
    **dict.fromkeys(
        [
            "write",
            "edit",
            "editor",
            "create",
            "put",
            "patch",
            "replace",
            "append",
            "prepend",
            "insert",
            "save",
            "update",
            "overwrite",
            "rewrite",
            "modify",
            "truncate",
            "touch",
        ],
        Kind.WRITE,
    ),
}
_LOOKING = frozenset(
    [
        "read",
        "search",
        "view",
        "list",
        "get",
        "analyze",
        "vision",
        "find",
        "grep",
        "stat",
        "info",
        "show",
        "describe",
        "fetch",
        "query",
    ]
)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
_MAX_NAME = 200


@lru_cache(maxsize=1024)
def kind_of(name: str) -> Kind:
    """The kind of a tool; one that no table names is told by the parts of its name, split at signs and capitals."""
    if name in _KINDS or not name.strip():
        return _KINDS.get(name, Kind.NOTHING)
    parts = [part.lower() for part in _PART.findall(name[-_MAX_NAME:])]
    kinds = [_PARTS[part] for part in parts if part in _PARTS]
    for kind in (Kind.MOVE, Kind.COPY, Kind.DELETE):
        if kind in kinds:
            return kind
    if kinds:
        return Kind.WRITE
    return Kind.LOOK if _LOOKING.intersection(parts) else Kind.OTHER
