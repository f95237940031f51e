"""Forwarder of Xanadu, draft 18: its rules."""
