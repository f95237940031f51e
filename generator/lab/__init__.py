"""The laboratory: what a reading, a number or a card does to a game, from many games on common seeds."""
