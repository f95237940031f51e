"""Experiments of the lab that take more than one step."""
