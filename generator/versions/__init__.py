"""Versions: what was printed, kept by name, and how two states of a game differ."""
