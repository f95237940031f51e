"""Shared basics: errors, files, lengths, geometry, colours, the display list, languages, output.

How caching works: everything stored from run to run goes through `GameCache`, which takes entries from `Store`, the
user's cache folder. An entry is used only if its type is right and `ReadLog` finds everything unchanged that was read
for it: files, for the markup of a face each value of the data, and for a file in one language the data without other
languages (`GameCache.listen`). A command looks for a game's finished files first (`commands/orders.py`), then for those
in a language, for check results and games that were played. What is left is made from stored parts: faces, blocks of
books and measures of faces (`PictureTable`). `RecentValues` is independent: it holds values of one run until it ends.
"""
