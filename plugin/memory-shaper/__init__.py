"""Hermes loads this folder; the package beside this file does the work."""

from .memory_shaper.plugin import register

__all__ = ["register"]
