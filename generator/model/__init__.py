"""Frozen values that the whole program speaks of: texts, games, components, drawings, sheets."""
