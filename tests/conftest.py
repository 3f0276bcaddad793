"""Fixtures for every test: a throw-away home, and how many examples hypothesis tries (MEMORY_SHAPER_FUZZ)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tools import Place, make_place

# A number: how many examples each property is tried with. The same ones every time, unless a number is given.
_WISHED = os.environ.get("MEMORY_SHAPER_FUZZ")
settings.register_profile(
    "ours",
    max_examples=int(_WISHED or 60),
    derandomize=_WISHED is None,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("ours")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A home below the user's home, which HOME names; HERMES_HOME is not set."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in [name for name in os.environ if name.startswith(("HERMES_", "MEMORY_SHAPER_"))]:
        monkeypatch.delenv(name)
    return make_place(tmp_path)
