"""Preflight: checks of a finished PDF, with page and place, and the rules of PDF/X."""
