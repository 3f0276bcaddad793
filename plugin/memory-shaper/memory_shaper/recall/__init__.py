"""Recall: one analyser, a sidecar built from the notes and past sessions, and the search over it."""
