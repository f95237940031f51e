"""What helps those who print at home: calibration, low ink, die lines, boxes, proofs."""
