"""Statistics: what a number of games shows, and how surely."""
