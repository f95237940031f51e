"""Commands of the lab that have a file each."""
