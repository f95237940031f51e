"""journey18: its rules."""
