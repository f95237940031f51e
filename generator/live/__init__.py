"""Live: the live page with its table, the browser edition, and the language server for editors."""
