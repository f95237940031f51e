"""The commands: one module for each command, and the code that runs a command over all games."""
