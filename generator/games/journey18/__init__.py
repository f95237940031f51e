"""journey18 (Tomorrow, I Set Out): its rules."""
