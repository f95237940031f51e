"""What every game's rules stand on: states as records of numbers, kernels, tables, settings, checks."""
