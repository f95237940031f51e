"""The live page: every game of a project as it will be printed, drawn again a moment after a file is saved."""
