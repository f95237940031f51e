"""What earlier runs, and this one, have made already: kept by what it rests on."""
