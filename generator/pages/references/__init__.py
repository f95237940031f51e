"""What a book says of its own pages: references with their pages, where terms are defined."""
