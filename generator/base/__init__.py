"""What all packages use: errors, files, lengths, geometry, colours, the display list, languages, output.

Who asks whom: a command asks for a game's finished files (`commands/unchanged.py`); where they rest on something that
has changed, the workshop asks for single faces (`faces/known_faces.py`), plays for their results. All of them
ask `Kept`, which takes an entry from `Store`, the folder of the user, and answers only if `Reads` says that every file
that was read for it is as it was, and `fits` that it has the shape it should have. `Recent` is asked by nobody else: it
remembers what one run has worked out (glyphs, patterns, compiled texts), and forgets it at the end.
"""
