"""What a tool's result tells, as a table. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping

_LONGEST_RESULT = 100_000  # characters; what a longer result tells is not looked for


def table(result: object) -> Mapping[str, object]:
    """The fields of a result that is a JSON object, none of any other."""
    if isinstance(result, str) and result[:1] == "{" and len(result) < _LONGEST_RESULT:
        try:
            result = json.loads(result)
        except (ValueError, RecursionError):
            return {}
    return result if isinstance(result, Mapping) else {}
