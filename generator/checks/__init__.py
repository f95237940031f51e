"""Checks: the findings of `pnp validate`, and the games that it plays."""
