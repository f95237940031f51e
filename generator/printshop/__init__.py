"""What goes to a print shop: orders, colour, PDF/X, preflight."""
