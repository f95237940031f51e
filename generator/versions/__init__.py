"""What was printed, kept by name in the project, and how two states of a game differ."""
