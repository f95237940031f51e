"""What the marks of rich text need that plain text does without: read when a text has such a mark."""
