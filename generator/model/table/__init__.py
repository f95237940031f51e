"""A plan of the table: its places, and how many pieces lie there."""
