"""Bots as kernels over any game's rules: each chooses among the legal moves by what its seat sees."""
