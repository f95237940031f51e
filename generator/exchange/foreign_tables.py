"""Foreign tables: which column is which field, and which columns can't be used."""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import PurePosixPath
from posixpath import normpath

from generator.base.errors import Place, Problem, ProblemsFound
from generator.base.files import PICTURES, Resources, normalize_file_name
from generator.exchange.foreign_project import LONGEST_PATH, FoundDeck, FoundProject
from generator.game.data_fields import id_from_text
from generator.game.fields import RESERVED
from generator.game.table_files import ODS, SEPARATORS, XLSX, check_text, decode_table, iter_text_lines, parse_rows
from generator.game.table_header import COUNTS, Header, fold_heading
from generator.game.table_rows import TableRows, has_content, make_long_cell_problem

_SHOWING = re.compile(r"image|picture|\bart|icon|img|graphic|photo|file|bild|絵|画像")
"""Headings of columns in which a name without a suffix may be a picture."""

_LONGEST_NAME = 60
"""Largest number of characters of a card's name."""

_LOOKED_AT = 20
"""Rows to search for the header."""

_TAKEN = frozenset(
    {*RESERVED, "items", "keys", "values", "get", "kind", "index", "name_of"}
    | {"true", "false", "null", "none", "yes", "no", "on", "off", "y", "n"}
)
"""Names with a meaning in templates or in YAML."""

_WHOLE, _NUMBER = re.compile(r"[+-]?(0|[1-9]\d{0,8})(\.0+)?\Z"), re.compile(r"[+-]?\d{1,9}([.]\d+)?\Z")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*\Z")


@dataclass(frozen=True, slots=True)
class FoundField:
    """A column as a field: its name, its heading, its type, if cells may be empty, and its longest text.

    `shows` maps cells to the files that they name; `folder` is their common folder, if the type is `picture`.
    """

    name: str
    heading: str
    type: str
    optional: bool
    longest: int
    shows: Mapping[str, str] = field(default_factory=dict)
    folder: str = ""


@dataclass(frozen=True, slots=True)
class FoundKind:
    """The kind read from a deck's table: fields in order, meanings of headings, ignored columns, source of ids.

    `title` is the field with the name of a card; `file` is the table's name in the new project; `rows` is the number of
    its cards.
    """

    id: str
    deck: FoundDeck
    file: str
    fields: tuple[FoundField, ...]
    columns: Mapping[str, str]
    ignore: tuple[str, ...]
    id_from: str
    title: str
    signs: frozenset[str]
    rows: int

    @property
    def is_japanese(self) -> bool:
        """Return True if its texts are Japanese: they contain kana, or the file can only be Shift_JIS."""
        data, suffix = self.deck.table.data, PurePosixPath(self.deck.table.file).suffix.lower()
        try:
            if suffix not in (*XLSX, *ODS) and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
                data.decode("utf-8")
        except UnicodeDecodeError:
            return True
        return any("\u3040" <= sign <= "\u30ff" for sign in self.signs)


def read_foreign_kind(deck: FoundDeck, name: str, file: str, foreign: FoundProject, resources: Resources) -> FoundKind:
    """Return the kind `name` of a deck, with its table in `file`. Raise ProblemsFound if the table can't be read."""
    cells = _read_cells(deck, resources)
    told = [index for index, row in enumerate(cells[: 5 * _LOOKED_AT]) if has_content(row)][:_LOOKED_AT]
    wide = [index for index in told if sum(bool(cell.strip()) for cell in cells[index]) > 1]
    at = (wide or told or [len(cells)])[0]
    headings = [" ".join(cell.split()) for cell in cells[at]] if at < len(cells) else []
    rows = [row for row in cells[at + 1 :] if has_content(row)]
    columns = {
        index: [row[index].strip() if index < len(row) else "" for row in rows] for index in range(len(headings))
    }
    twice = {name for name, times in Counter(fold_heading(one) for one in headings if one).items() if times > 1}
    ignored = [one for one in dict.fromkeys(headings) if one and fold_heading(one) in twice]
    for one in ignored:
        what = f"the column '{one}' is there twice: rename one and take it out of `ignore:`"
        foreign.leave_out(deck.table.file, at + 1, what)
    if "" in headings and any(any(columns[index]) for index, one in enumerate(headings) if not one):
        ignored.append("")
        what = 'a column has no name: name it, then remove "" from `ignore:` in components.yaml'
        foreign.leave_out(deck.table.file, at + 1, what)
    live = {index: one for index, one in enumerate(headings) if one and one not in ignored}
    counts = _find_counts(deck, live, columns)
    mapping, fields, id_from, has_ids = dict[str, str](), list[FoundField](), "", False
    names = {"id", "count"}
    for index, heading in live.items():
        values = [value for value in columns[index] if value]
        if index == counts:
            if fold_heading(heading) not in {*map(fold_heading, COUNTS), "count"}:
                mapping[heading] = "count"
            continue
        if fold_heading(heading) == "id":
            ids = columns[index]
            if all(map(_ID.match, ids)) and len({value.lower() for value in ids}) == len(ids):
                has_ids = True
                continue
            id_from = heading
            continue
        if not values and len(rows) > 0:
            ignored.append(heading)
            continue
        made = _read_field(
            deck, heading, _make_field_name(heading, names, len(fields) + 1), columns[index], rows, foreign
        )
        names.add(made.name)
        if fold_heading(made.name) != fold_heading(heading):
            mapping[heading] = made.name
        fields.append(made)
    title = _find_title(fields, {heading: columns[index] for index, heading in live.items()})
    if not has_ids and not id_from and title and title not in ("title", "name"):
        id_from = next(one.heading for one in fields if one.name == title)
    laid = [part for item in deck.layout.items for part in item.parts if isinstance(part, str)] if deck.layout else []
    signs = frozenset().union(*(value for index in live for value in (live[index], *columns[index])), *laid) - {"\n"}
    return FoundKind(name, deck, file, tuple(fields), mapping, tuple(ignored), id_from, title, signs, len(rows))


def _read_cells(deck: FoundDeck, resources: Resources) -> Sequence[Sequence[str]]:
    """Return a table's cells as texts; a text file is split at the likeliest separator. Raise ProblemsFound if bad."""
    table, suffix = deck.table, PurePosixPath(deck.table.file).suffix.lower()
    if suffix in XLSX or suffix in ODS:
        return parse_rows(table.data, suffix, table.file, table.sheet, Header({}, ("en",)), resources).cells
    text = decode_table(table.data, table.file, japanese=True)
    check_text(text, table.file)

    def parts(separator: str) -> tuple[int, int]:
        rows = [row for row in islice(csv.reader(iter_text_lines(text), delimiter=separator), _LOOKED_AT) if row]
        wide = len(rows[0]) if rows else 0
        return (wide if wide > 1 else 0, sum(len(row) == wide for row in rows))

    try:
        separator = max(SEPARATORS, key=parts)
        rows = TableRows(table.file)
        for cells in csv.reader(iter_text_lines(text), delimiter=separator):
            rows.add(cells)
    except csv.Error as error:
        if "field larger" in str(error):
            raise make_long_cell_problem(table.file) from error
        raise ProblemsFound(
            [Problem(Place(table.file), f"it is not a table: {error}", "save it as CSV UTF-8")]
        ) from error
    return rows.cells


def _find_counts(deck: FoundDeck, live: Mapping[int, str], columns: Mapping[int, Sequence[str]]) -> int | None:
    """Return the index of the column of copies (numbers only) by headings, `live`, and cells, `columns`; or None."""
    first = next(iter(live), None)
    said: int | None = (
        first
        if deck.counts == "*"
        else next((n for n, one in live.items() if fold_heading(one) == fold_heading(deck.counts)), None)
    )
    usual = [n for n, one in live.items() if fold_heading(one) in map(fold_heading, (*COUNTS, "count"))]
    likely: list[int] = usual if said is None else [said, *usual]
    for index in likely:
        if all(not value or (_WHOLE.match(value) and not value.startswith("-")) for value in columns[index]):
            return index
    return None


def _make_field_name(heading: str, names: Iterable[str], number: int) -> str:
    """Return a new field's name, not in `names`, for a heading; `field_<number>` if the heading is not ASCII."""
    plain = (id_from_text(heading).replace("-", "_") if heading.isascii() else "") or f"field_{number}"
    plain = f"f_{plain}" if plain[0].isdigit() else plain
    plain = f"{plain}_text" if plain in _TAKEN else plain
    made, n = plain, 2
    while made in names:
        made, n = f"{plain}_{n}", n + 1
    return made


def _read_field(
    deck: FoundDeck,
    heading: str,
    name: str,
    values: Sequence[str],
    rows: Sequence[Sequence[str]],
    foreign: FoundProject,
) -> FoundField:
    said = [value for value in values if value]
    optional, longest = len(said) < len(rows), max(map(len, said), default=0)
    bare = _SHOWING.search(heading.casefold()) is not None
    paths = {
        value: find_picture(value, deck.table.file, foreign.index_pictures(), bare=bare)
        for value in dict.fromkeys(said)
    }
    shows = {value: path for value, path in paths.items() if path}
    if shows and len(shows) * 2 >= len(set(said)):
        lost = [value for value in dict.fromkeys(said) if value not in shows]
        if lost:
            named = ", ".join(f"'{one}'" for one in lost[:4]) + (" ..." if len(lost) > 4 else "")
            what = f"column '{heading}': {len(lost)} pictures are not there: {named}"
            foreign.leave_out(deck.table.file, 0, what)
        folders = {path.rpartition("/")[0] for path in shows.values()}
        folder = folders.pop() if len(folders) == 1 else None
        plain = (_is_plain_name(value, folder or "", path) for value, path in shows.items())
        pictures = all(path.lower().endswith(PICTURES) for path in shows.values())
        if folder is not None and not lost and pictures and all(plain):
            return FoundField(name, heading, "picture", optional, longest, shows, folder)
        return FoundField(name, heading, "text", optional, longest, shows)
    kind = "integer" if all(map(_WHOLE.match, said)) else "text"
    if (
        kind == "text"
        and PurePosixPath(deck.table.file).suffix.lower() in (*XLSX, *ODS)
        and all(map(_NUMBER.match, said))
    ):
        kind = "number"  # a workbook may show 7 as 007, and a text must keep the zeros
    return FoundField(name, heading, kind, optional, longest)


def _is_plain_name(value: str, folder: str, path: str) -> bool:
    """Return True if a field of the type `picture` in `folder` finds the file `path` by a cell's text, `value`."""
    bare = value.removeprefix(f"{folder}/") if folder else value
    return (
        "/" not in bare
        and "\\" not in bare
        and normalize_file_name(bare) == normalize_file_name(path.rpartition("/")[2])
    )


def find_picture(value: str, table: str, pictures: Mapping[str, str], *, bare: bool) -> str:
    """Return the path of the picture that a cell of the file `table` names by path or name; empty for none.

    With `bare`, the suffix may be missing. `pictures` is from `index_pictures`.
    """
    if len(value) > LONGEST_PATH or "\n" in value:
        return ""
    wanted = value.replace("\\", "/").removeprefix("./").casefold()
    beside = normpath(f"{table.rpartition('/')[0] or '.'}/{wanted}").casefold()
    names = [f"/{wanted}", f"/{beside}", wanted]
    if bare and "." not in wanted:
        names.append(f"{wanted}.")
    return next((pictures[name] for name in names if name in pictures), "")


def _find_title(fields: Sequence[FoundField], values: Mapping[str, Sequence[str]]) -> str:
    """Return the name of the field with a card's title: title, name, else the text that differs most; or ""."""
    names = [one.name for one in fields]
    for usual in ("title", "name"):
        if usual in names:
            return usual
    calling = [one.name for one in fields if one.name.endswith(("_name", "_title")) or one.name.startswith("card_name")]
    if calling:
        return calling[0]
    calls = {
        one.name: len(set(values[one.heading]))
        for one in fields
        if one.type == "text" and not one.shows and not one.optional and 2 < one.longest <= _LONGEST_NAME
    }
    best = max(calls, key=calls.__getitem__, default="")
    return best if best and 2 * calls[best] > max(map(len, values.values())) else ""
