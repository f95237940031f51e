"""Shared basics: errors, files, lengths, geometry, colours, the display list, languages, output.

How caching works: everything stored from run to run goes through `GameCache`, which takes entries from `Store`, the
user's cache folder. An entry is used only if its type is right and `ReadLog` finds everything unchanged that was read
for it: files, and for the markup of a face also each value of the data. A command looks for a game's finished files
first (`commands/orders.py`), then for books, check results and games that were played. What is left is made from stored
parts: faces, blocks of books and measures of faces (`PictureTable`). `RecentValues` is independent: it holds values of
one run (glyphs, patterns, compiled texts) until that run ends.
"""
