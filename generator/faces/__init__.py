"""The faces of designs: drawn once, stamped, measured."""
