"""The daily run: what was read, in which order the index should stand, what goes to the archive."""
