"""What is shown of the thing at a cursor: the card's picture, what a key is for, what a name stands for."""

from pathlib import Path

from generator.dataclass import dataclass
from generator.editor.cells import cells_of
from generator.editor.expressions import Named, expression_at, named_at
from generator.editor.keys import about, shapes_at
from generator.editor.names import GameName, GameNames
from generator.editor.told_keys import in_language
from generator.editor.written import cursor_at
from generator.faces.workshop import FaceKey
from generator.model.game import Design


@dataclass(frozen=True, slots=True)
class Hint:
    """A text in Markdown, and the face whose picture stands below it."""

    text: str
    face: FaceKey | None = None


def in_data(names: GameNames, text: str, offset: int) -> Hint | None:
    """What is shown in a YAML file."""
    cursor = cursor_at(text, offset)
    if cursor is None:
        return None
    named = None if cursor.in_key else expression_at(text, offset)
    said = _of_name(names, named, None) if named else ""
    if not said and cursor.path:
        told = about(shapes_at(names.shape, cursor.path))
        key = next((str(step) for step in reversed(cursor.path) if isinstance(step, str)), "")
        known = {one.name: one for one in [*names.icons(), *names.colours(), *names.kinds()]}
        if not cursor.in_key and cursor.word in known:
            said = f"{_line(known[cursor.word])}\n\n"
        said += f"**{key}**: {in_language(told, names.project.languages)}" if told else ""
    return _shown(names, said, names.design(cursor.design))


def in_table(names: GameNames, path: Path, text: str, line: int, character: int) -> Hint | None:
    """What is shown in a table: the card of the row."""
    for number, row in enumerate(cells_of(text), 1):
        for column, cell in enumerate(row, 1):
            if (cell.line, cell.start) <= (line, character) <= (cell.last, cell.end):
                kind, field, _ = names.column(path, column)
                told = names.about_field(kind, field) if kind else ""
                return _shown(names, told, names.in_row(path, number))
    return None


def in_template(names: GameNames, path: Path, text: str, offset: int) -> Hint | None:
    """What is shown in a template: what is named, by the first design that it draws, and that design."""
    design = next(iter(names.drawn_by(path)), None)
    named = named_at(text, offset)
    return _shown(names, _of_name(names, named, design), design) if named else None


def _of_name(names: GameNames, named: Named | None, design: Design | None) -> str:
    if named is None or not named.name:
        return ""
    if named.aim == "chain":
        *above, last = named.chain
        known = names.seen(design, *above)
        name = named.name
    else:
        known, name = [*names.icons(), *names.colours()], named.name
        last = name
    found = next((one for one in known if one.name == last), None)
    return f"`{name}`: {found.about}" if found and found.about else ""


def _line(known: GameName) -> str:
    return f"`{known.name}`: {known.about}" if known.about else f"`{known.name}`"


def _shown(names: GameNames, said: str, design: Design | None) -> Hint | None:
    face: FaceKey | None = (design.id, "front", names.lang) if design is not None else None
    return Hint(said, face) if said or face else None
