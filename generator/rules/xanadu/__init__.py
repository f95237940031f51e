"""Forwarder of Xanadu: its rules."""
