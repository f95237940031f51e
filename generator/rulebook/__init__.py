"""Rulebooks: Markdown templates to a book of blocks, the book to pages, a booklet and a web page."""
