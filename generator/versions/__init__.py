"""Versions: named records of what was printed, and the differences between two states of a game."""
