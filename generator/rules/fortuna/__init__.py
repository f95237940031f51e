"""The rules of Fortuna."""
