"""Facts of a session, proposed at its end: a gate, a question to a model, a decision for each, a list of proposals.

Everything but `asking`, `custom`, `sessions` and `running` is pure. Nothing here writes markdown: what is kept goes
through the same door as `memory_remember`.
"""

from __future__ import annotations

LAST = "extract:last"  # where the record holds what the last look came to
