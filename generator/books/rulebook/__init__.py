"""Rulebooks: reads a book's Markdown template as blocks, and makes PDF, HTML, EPUB and Braille of them."""
