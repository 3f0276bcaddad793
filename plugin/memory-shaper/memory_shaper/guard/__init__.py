"""The guard: what a call would do to the index and its topics, before it runs and after."""
