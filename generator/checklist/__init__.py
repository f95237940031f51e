"""The check list of a game's parts: what is on the print sheets, how to make it, what must be in the box."""
