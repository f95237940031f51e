"""The tables of one kind, read and joined: its designs, by what the kind says of headings."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from generator.errors import Place, Problem, ProblemsFound, Unfit, did_you_mean
from generator.load.schema import spec_of
from generator.load.tables.designs import DesignTable, designs_of
from generator.load.tables.files import read_rows
from generator.load.tables.header import ALWAYS, Header, fold
from generator.load.tables.made_ids import MadeIds
from generator.load.tables.naming import OF_TABLES, TablesOf
from generator.load.tables.words import in_words_of_tables
from generator.model.data_fields import FieldSpec
from generator.model.resources import Resources


def table_of(
    folder: Path, one: TablesOf, languages: Sequence[str], resources: Resources
) -> tuple[DesignTable, list[Problem]]:
    """The designs of a kind from all its tables, and the problems of their rows."""
    header, ids = kind_header(one.kind, languages), MadeIds()
    table, problems, unread = DesignTable(), list[Problem](), False
    for entry, place in one.entries:
        if not isinstance(entry, str):
            table.put(entry, "", (place.line, place.column))
            continue
        try:
            rows = read_rows(folder, one.path.parent, entry, place, header, resources)
            found = designs_of(rows, header, ids)
        except ProblemsFound as stopped:
            problems += stopped.problems
            unread = True
            continue
        table.take(found)
        problems += rows.problems
        if not found and not rows.problems:
            what = "the table has no designs: there is nothing below its header"
            problems.append(Problem(Place(rows.shown, rows.header + 1, 1), what, "write one into each row"))
            unread = True
    problems += () if unread else _idle_words(one, header, table)
    if unread or not table:
        raise ProblemsFound(in_words_of_tables(problems, table.layouts))
    return table, problems


def _idle_words(one: TablesOf, header: Header, table: DesignTable) -> Iterator[Problem]:
    """What a kind says of headings that no table of it has, and of fields that it has not."""
    headings = [heading for layout in table.layouts.values() for heading in layout.headings if heading]
    there = set(map(fold, headings))
    for heading, name in header.mapping.items():
        if name not in header.names:
            what = f"the heading '{heading}' means '{name}', which is no field of this kind"
            yield Problem(one.source.place("columns", heading), what, did_you_mean(name, header.names))
        elif fold(heading) not in there:
            what = f"the table has no heading '{heading}'"
            yield Problem(one.source.key_place("columns", heading), what, did_you_mean(heading, headings))
    if header.id_from:
        wanted = fold(header.id_from)
        fields = {fold("".join(key)) for layout in table.layouts.values() for key in layout.columns}
        if wanted not in there | fields:
            what = f"ids can't be made of '{header.id_from}': the table has no such heading"
            yield Problem(one.source.place("id_from"), what, did_you_mean(header.id_from, headings))


def kind_header(kind: Mapping[str, Any], languages: Sequence[str]) -> Header:
    """What the tables of a kind may have for columns, by its fields and what it says of headings.

    What is of the wrong shape, which is said elsewhere, counts as not given.
    """
    plain = header_of(kind.get("fields"), languages)
    columns, ignored, id_from = (kind.get(key) for key in OF_TABLES)
    mapping = columns if isinstance(columns, Mapping) else {}
    patterns = [ignored] if isinstance(ignored, str) else ignored if isinstance(ignored, list) else []
    return Header(
        plain.specs,
        languages,
        {str(heading): str(name) for heading, name in mapping.items()},
        [str(pattern) for pattern in patterns],
        id_from if isinstance(id_from, str) else "",
    )


def header_of(fields: Any, languages: Sequence[str]) -> Header:
    """What the table of a kind with these fields, as YAML declares them, has for columns by itself.

    A field that is declared wrongly, which is said elsewhere, is read as text.
    """
    declared = fields if isinstance(fields, Mapping) else {}
    return Header({**ALWAYS, **{str(name): _spec(raw) for name, raw in declared.items()}}, languages)


def _spec(raw: Any) -> FieldSpec:
    if isinstance(raw, str):
        return FieldSpec(raw)
    try:
        return spec_of(raw)
    except Unfit:
        return FieldSpec("text", optional=True)
