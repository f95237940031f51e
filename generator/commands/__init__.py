"""Commands: one module a command, and what runs one over all games."""
