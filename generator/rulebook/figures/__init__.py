"""Figures of books: what a block asks for, composed of faces, at the size that its room allows."""
