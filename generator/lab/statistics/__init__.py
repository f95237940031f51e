"""Statistics: estimates from a number of games, and their confidence."""
