"""Production: print shops, preflight, boxes, die lines, proofs and pictures for shop pages."""
