"""What becomes of topics over time: kinds and their span, what replaces what, likenesses, forgetting, proposals."""
