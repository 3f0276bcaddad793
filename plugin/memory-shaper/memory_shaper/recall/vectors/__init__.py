"""Vectors: notes found by meaning with an embedding endpoint of the user's choice. Off unless one is configured."""
