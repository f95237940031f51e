"""The program as a folder of static files: Python for browsers, libraries, fonts, games, and the live page."""
