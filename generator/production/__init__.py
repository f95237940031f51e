"""Production: print shops, preflight, boxes, die lines, proofs, pictures for shop pages."""
