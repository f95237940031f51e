"""PDF files: objects, fonts, pictures, page contents, documents."""
