"""Drawings as other programs and people have made them: all of SVG that has a meaning on paper, read into items."""
