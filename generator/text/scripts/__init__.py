"""Writing that isn't set letter by letter from left to right: loaded only where a text has some of it."""
