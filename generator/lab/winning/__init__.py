"""Whether deals of a game for one player can be won when the order of its cards is known: found, proven, or left open."""
