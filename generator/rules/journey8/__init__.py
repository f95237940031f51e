"""The rules of Draft 8."""
