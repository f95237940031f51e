"""Tables in the place of lists: a kind's `designs: deck.csv` becomes the list of designs that the file holds."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import Problem, ProblemsFound
from generator.load.tables.naming import OF_TABLES, kinds_with_tables, languages_of, names_tables
from generator.model.resources import Resources
from generator.model.source import Map, Source

if TYPE_CHECKING:
    from generator.load.tables.designs import Layout


def put_tables(folder: Path, files: Sequence[tuple[Path, Map]], resources: Resources) -> list[Problem]:
    """Replace each `designs: FILE` in a game's files by what the table holds; problems of single rows.

    Such rows are left out. ProblemsFound, with every problem of every table, where one can't be read at all.
    """
    problems = list(_idle_keys(files, resources))
    named = list(kinds_with_tables(files, resources))
    if not named:
        return problems
    from generator.load.tables.of_kind import table_of
    from generator.load.tables.words import in_words_of_tables

    languages = languages_of(files, resources)
    unread = False
    layouts: dict[str, Layout] = {}
    for one in named:
        try:
            table, found = table_of(folder, one, languages, resources)
            layouts |= table.layouts
            one.kind["designs"] = table
            problems += found
        except ProblemsFound as stopped:
            problems += stopped.problems
            unread = True
    if unread:
        raise ProblemsFound(in_words_of_tables(problems, layouts))
    return problems


def _idle_keys(files: Sequence[tuple[Path, Map]], resources: Resources) -> Iterator[Problem]:
    """What kinds say of tables that have none."""
    for path, root in files:
        kinds = root.get("components")
        for kind in kinds.values() if isinstance(kinds, Map) else ():
            if isinstance(kind, Map) and not names_tables(kind.get("designs")):
                for key in OF_TABLES:
                    if key in kind:
                        what = f"`{key}` has no effect: the designs do not stand in a table"
                        yield Problem(Source(resources.shown(path), kind).key_place(key), what, "take it out")
