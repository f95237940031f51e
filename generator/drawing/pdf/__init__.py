"""PDF files: objects, fonts, pictures, contents of pages, documents."""
