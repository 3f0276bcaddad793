"""Two real Hermes hosts, driven without a model."""
