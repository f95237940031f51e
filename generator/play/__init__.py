"""Play: bots, series of games between them, transcripts, and games at the terminal."""
