"""What may be written at a cursor: names of the game, keys and values of its schema, what templates can ask for."""

from pathlib import Path

from generator.dataclass import dataclass
from generator.editor.cells import cells_of
from generator.editor.expressions import Named, expression_at, named_at
from generator.editor.keys import about, keys, shapes_at, values
from generator.editor.names import COLOUR_KEYS, KIND_KEYS, TEMPLATE_KEYS, GameName, GameNames
from generator.editor.written import Cursor, cursor_at
from generator.load.fields import TYPES
from generator.model.game import Design


@dataclass(frozen=True, slots=True)
class Offers:
    """Names that may stand in place of a piece of the text, given by its offsets."""

    names: list[GameName]
    start: int
    end: int


NONE = Offers([], 0, 0)


def in_data(names: GameNames, text: str, offset: int) -> Offers:
    """What may be written in a YAML file."""
    cursor = cursor_at(text, offset)
    if cursor is None:
        return NONE
    named = None if cursor.in_key else expression_at(text, offset)
    if named is not None:
        return in_expression(names, named, names.design(cursor.design))
    found = _keys(names, cursor) if cursor.in_key else []
    if cursor.loose or not cursor.in_key:
        found = [*found, *_values(names, cursor)]
    start, end = cursor.span
    quoted = text[start : start + 1] in ("'", '"') and text[start : start + 1] != ""
    return Offers(found, start + quoted, max(start + quoted, end - quoted if len(cursor.word) < end - start else end))


def _keys(names: GameNames, cursor: Cursor) -> list[GameName]:
    shapes = shapes_at(names.shape, cursor.path[:-1])
    found = [GameName(name, "key", about([shape])) for name, shape in keys(shapes).items() if name not in cursor.beside]
    return found + ([*names.kinds(), *names.designs()] if cursor.path[-2:-1] == ("pieces",) else [])


def _values(names: GameNames, cursor: Cursor) -> list[GameName]:
    """The values that may stand at a path: by its schema, or by what its key always names."""
    path = cursor.path[:-1] if cursor.loose else cursor.path
    if not path:
        return []
    listed = values(shapes_at(names.shape, path))
    key = next((str(step) for step in reversed(path) if isinstance(step, str)), "")
    if listed:
        return names.listed(listed)
    if key in COLOUR_KEYS:
        return names.colours()
    if key in TEMPLATE_KEYS:
        return names.templates()
    if key in KIND_KEYS:
        return names.kinds()
    if key in ("provisional", "derived", "related"):
        return names.dotted()
    if len(path) > 3 and path[2] in ("fields", "takes") and key in (path[3], "type", "of"):
        return [GameName(name, "value") for name in TYPES]
    return names.icons() if key == "told_apart" else []


def in_table(names: GameNames, path: Path, text: str, line: int, character: int) -> Offers:
    """What may be written in a cell of a table; the line and character count from 0."""
    rows = list(cells_of(text))
    for number, row in enumerate(rows, 1):
        for column, cell in enumerate(row, 1):
            if (cell.line, cell.start) <= (line, character) <= (cell.last, cell.end):
                kind, field, header = names.column(path, column)
                found = names.of_field(kind, field) if kind and number > header else []
                begin = _offset(text, cell.line, cell.start)
                return Offers(found, begin, begin + len(cell.text))
    return NONE


def in_template(names: GameNames, path: Path, text: str, offset: int) -> Offers:
    """What may be written in a template, by the first design that it draws."""
    named = named_at(text, offset)
    design = next(iter(names.drawn_by(path)), None)
    return in_expression(names, named, design) if named else NONE


def in_expression(names: GameNames, named: Named, design: Design | None) -> Offers:
    """What may stand where something is named."""
    if named.aim == "chain":
        found = names.seen(design, *named.chain[:-1])
    elif named.aim == "file":
        found = [GameName(f"{one.name}.svg", one.sort) for one in names.templates()] + names.art()
    else:
        sorts = {"colour": names.colours, "icon": names.icons, "text icon": names.icons, "font": names.fonts}
        found = sorts[named.aim]()
    return Offers(found, named.start, named.end)


def _offset(text: str, line: int, character: int) -> int:
    at = 0
    for _ in range(line):
        at = text.index("\n", at) + 1
    return at + character
