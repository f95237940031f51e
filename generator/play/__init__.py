"""Play: bots, batches of games, transcripts and games at the terminal."""
