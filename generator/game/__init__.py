"""What a game is and how it is read: classes, schema, YAML, JSON, tables, presets, translations."""
