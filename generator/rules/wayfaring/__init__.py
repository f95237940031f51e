"""The Wayfaring Book: its rules."""
