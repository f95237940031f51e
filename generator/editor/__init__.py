"""A language server: what the program knows of a project, for editors, while its files are written."""
