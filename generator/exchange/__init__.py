"""Exchange: files for other programs and translators, and projects of other programs."""
