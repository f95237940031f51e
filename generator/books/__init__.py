"""Books: page layout, rulebooks, check lists, web pages, EPUB and Braille."""
