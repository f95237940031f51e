"""Tomorrow, I Set Out, draft 8: its rules."""
