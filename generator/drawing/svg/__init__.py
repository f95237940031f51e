"""SVG readers: strict for templates, lenient for art files of other programs."""
