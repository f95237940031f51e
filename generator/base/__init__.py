"""Shared basics: errors, files, lengths, geometry, colours, the display list, languages, output.

How caching works: a command looks for a game's finished files (`commands/orders.py`). If an input of these files has
changed, the workshop looks for single faces (`FaceCache` in `drawing/faces/draw_face.py`) and plays for their results.
All of them use `GameCache`, which takes an entry from `Store`, the user's cache folder. `GameCache` returns the entry
only if its type is right and `ReadLog` finds every file unchanged that was read for it. `RecentValues` is independent:
it holds values of one run (glyphs, patterns, compiled texts) until that run ends.
"""
