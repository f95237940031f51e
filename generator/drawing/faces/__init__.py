"""Faces of designs: drawing, stamps, recoloured and enlarged variants."""
