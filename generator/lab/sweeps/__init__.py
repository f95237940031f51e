"""Sweeps: an arm with ranges instead of values, and the arms that its points are."""
