"""Shared basics: errors, files, lengths, geometry, colours, the display list, languages, output.

How caching works: a command looks for a game's finished files (`commands/unchanged.py`). If an input of these files has
changed, the workshop looks for single faces (`faces/known_faces.py`) and plays for their results. All of them use
`GameCache`, which takes an entry from `Store`, the user's cache folder. `GameCache` returns the entry only if `ReadLog`
finds every file unchanged that was read for it, and `fits` confirms its type. `RecentValues` is independent: it holds
values of one run (glyphs, patterns, compiled texts) until that run ends.
"""
