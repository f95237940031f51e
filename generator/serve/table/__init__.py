"""The table in the browser: a game played with the cards as printed, each answer worked out from its question."""
