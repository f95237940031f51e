"""For print shops and good printers: presets, colour, standards, preflight, proofs, boxes."""
