"""The faces of designs: drawn once, stamped, recoloured, enlarged."""
