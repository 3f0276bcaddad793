"""The report as what JSON can hold: every field under its own name, times in UTC, secrets masked. Pure."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import datetime

from ..record.times import stamp
from ..secrets import masked
from .facts import Report


def data(report: Report) -> dict[str, object]:
    """The report by the names of its fields."""
    return {field.name: _value(getattr(report, field.name)) for field in fields(report)}


def _value(value: object) -> object:
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, datetime):
        return stamp(value)
    if isinstance(value, tuple):
        return [_value(one) for one in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _value(getattr(value, field.name)) for field in fields(value)}
    return value
