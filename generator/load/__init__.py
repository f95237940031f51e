"""Files to the frozen model, remembering the line and column of everything, with all problems in one pass."""
