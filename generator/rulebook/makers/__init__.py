"""What a book has but once, or makes of a block for its own place: cover, examples, columns, upright pages, imprint."""
