"""Charts as our own drawings: vectors in the game's colours that can be read in grey, their words in one language."""
