"""SVG read into drawings: shapes, paints, texts, symbols, pictures."""
