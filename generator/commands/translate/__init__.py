"""A game in further languages: its texts out and back, and a language that is none."""
