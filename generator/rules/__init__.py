"""Rules of games: the engine, five games and their registry."""
