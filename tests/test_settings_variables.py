"""Every setting has its environment variable."""

from __future__ import annotations

import pytest
from memory_shaper.settings import TABLE, Setting, load
from tools import Place

CONFIG = "plugins:\n  entries:\n    memory-shaper:\n      settings:\n        {}: {}\n"


@pytest.mark.parametrize("name", TABLE)
def test_the_variable_wins_over_the_config_and_that_over_the_default(home: Place, name: str) -> None:
    """MEMORY_SHAPER_NAME changes the setting."""
    first, second = others(TABLE[name])
    home.home.config.write_text(CONFIG.format(name, first), "utf-8")
    assert load(home.home, {})[name] == first
    assert load(home.home, {f"MEMORY_SHAPER_{name.upper()}": str(second)})[name] == second


def others(row: Setting) -> tuple[object, object]:
    """Two different values that the setting may have."""
    if row.choices:
        return row.choices[-1], row.choices[0]
    if row.span:
        return "90d", "12w"
    if isinstance(row.default, bool):
        return not row.default, row.default
    if isinstance(row.default, str):
        return "one", "two"
    span = min(row.high, row.low + 4) - row.low
    return (int(row.low + span), int(row.low + span / 2)) if span >= 2 else (row.low + span / 2, row.low + span / 4)
