"""Faces of designs: draws them, stamps them, and makes recoloured and enlarged variants."""
