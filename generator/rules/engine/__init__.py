"""Engine: what every game's rules stand on."""
