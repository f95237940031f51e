"""One module a command: from the project to its files, through the rooms that it needs."""
