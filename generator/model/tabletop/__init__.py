"""Plans of the table, as the data have them."""
