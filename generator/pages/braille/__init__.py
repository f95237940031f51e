"""Books and texts in braille, for embossers."""
