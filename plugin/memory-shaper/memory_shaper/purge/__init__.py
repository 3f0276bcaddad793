"""The one true erase: a topic with its line, archive, history, counts and copies. `carrying.purge` does it."""
