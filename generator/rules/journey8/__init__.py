"""Draft 8: its rules."""
