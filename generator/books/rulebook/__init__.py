"""Rulebooks: a Markdown template becomes a book of blocks, the book its files."""
