"""Drawings and pages written as PDF, SVG and PNG."""
