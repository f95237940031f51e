"""What the laboratory has found, told to a designer: in words, in charts, on pages and on a web page."""
