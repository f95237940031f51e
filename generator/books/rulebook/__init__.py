"""Rulebooks: a Markdown template becomes a book of blocks, and the book becomes files."""
