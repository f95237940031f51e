"""Effects in templates: opacity, masks, patterns, filters, outlines behind letters, text on paths; read when used."""
