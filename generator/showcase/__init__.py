"""Pictures that show a game to those who do not have it: on shop pages, in pitches, in a gallery."""
