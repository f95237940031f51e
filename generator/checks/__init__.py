"""What `validate` says of a game: counts, set-up, physical truth, colours, the draft's own rules."""
