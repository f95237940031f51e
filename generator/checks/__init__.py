"""Checks: what `validate` says of a game, and the games that it plays."""
