"""Text set line by line: fonts, widths, line breaking, ruby, columns."""
