"""The way from a template to a drawing and to a PDF, SVG or PNG file."""
