"""The model of a game and its readers: classes, schema, YAML, JSON, tables, presets, translations."""
