"""Fortuna: its rules."""
