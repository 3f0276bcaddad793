"""A resident keyword index, topic files and a guard that keeps both whole."""

__version__ = "0.1.0"
