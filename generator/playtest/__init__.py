"""Games played by bots and by people: matches, examples, transcripts, and what they say about the box."""
