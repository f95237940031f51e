"""Live: the page with its table, the browser edition, the language server."""
