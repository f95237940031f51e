"""Typesetting line by line: fonts, widths, line breaks, ruby, vertical text, right-to-left text."""
