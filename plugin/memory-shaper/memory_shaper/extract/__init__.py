"""Facts of a session, proposed at its end: gate, one question to a model, a decision for each fact, a list of proposals.

Everything but `asking`, `custom` and `running` is pure. Nothing here writes markdown: what is kept goes through the same
door as `memory_remember`.
"""
