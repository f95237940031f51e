"""Whether deals of a game for one player can be won if one knows the order of its cards: found, proven, left open."""
