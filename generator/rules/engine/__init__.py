"""Engine: the shared basis of all games' rules."""
