"""Page layout: the blocks of a book (paragraphs, tables, figures) become strips, which fill columns and pages."""
