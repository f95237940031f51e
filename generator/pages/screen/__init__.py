"""Books on screens: what the web page does besides being read, and the same blocks as an EPUB."""
