"""The rules of journey18."""
