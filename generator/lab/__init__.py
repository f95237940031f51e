"""The laboratory: effects of a reading, a number or a card on a game, from many games on common seeds."""
