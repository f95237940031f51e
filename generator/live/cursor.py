"""The cursor in a file of a game: finds completions, hints and definitions for it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from generator.base.errors import Place
from generator.drawing.faces.draw_face import FaceKey
from generator.game.fields import TYPES
from generator.game.model import Design
from generator.live.draft_text import Cursor, find_cursor, read_cells
from generator.live.editor_project import (
    COLOUR_KEYS,
    KIND_KEYS,
    TEMPLATE_KEYS,
    GameName,
    GameNames,
    OpenFile,
    OpenProject,
    find_description,
    find_shapes,
    list_allowed_keys,
    list_allowed_values,
    read_lines,
    translate_description,
)

NameSort: TypeAlias = Literal["chain", "colour", "icon", "file", "font", "text icon"]
"""What a name in a file refers to: a value (chain of names), or a colour, icon, file or font."""


@dataclass(frozen=True, slots=True)
class NameAtCursor:
    """A name at the cursor: what it refers to, its whole text, the part before the cursor, its start and end."""

    aim: NameSort
    name: str
    before: str
    start: int
    end: int

    @property
    def chain(self) -> tuple[str, ...]:
        """Return the names in a chain: `words.end_pile` as two."""
        return tuple(self.name.split("."))


_CHAIN = re.compile(r"[A-Za-z_]\w*(?:\.\w*)*")
_ATTRIBUTE = re.compile(r"""([\w:-]+)="([^"<>]*)$""")
_COLOURED = frozenset({"fill", "stroke", "color", "stop-color", "flood-color"})
_QUOTED = re.compile(r"""["']([^"'\n]*)$""")
_IN_TEXT = re.compile(r"(?<!\{)\{([\w-]*)$")


def find_template_name(text: str, offset: int) -> NameAtCursor | None:
    """Return the name at an offset of a template's text, or None."""
    line = text.rfind("\n", 0, offset) + 1
    before = text[line:offset]
    if _in_expression(text, offset):
        asked = _QUOTED.search(before)
        if asked and re.search(r"(?:import|include|from)\s+$", before[: asked.start()]):
            return _make_name("file", text, line + asked.start(1), offset, r"[^\"'\n]*")
        return _find_chain(text, line, offset)
    attribute = _ATTRIBUTE.search(before)
    if attribute:
        return _find_attribute_name(attribute[1], text, line + attribute.start(2), offset)
    shown = _IN_TEXT.search(before)
    return _make_name("text icon", text, line + shown.start(1), offset, r"[\w-]*") if shown else None


def find_expression_name(text: str, offset: int) -> NameAtCursor | None:
    """Return the name at an offset of a text or expression in the data, or None."""
    line = text.rfind("\n", 0, offset) + 1
    if _in_expression(text, offset):
        return _find_chain(text, line, offset)
    shown = _IN_TEXT.search(text[line:offset])
    return _make_name("text icon", text, line + shown.start(1), offset, r"[\w-]*") if shown else None


def _find_attribute_name(name: str, text: str, start: int, offset: int) -> NameAtCursor | None:
    value = text[start:offset]
    if name in ("href", "xlink:href"):
        if value.startswith("icon:"):
            return _make_name("icon", text, start + 5, offset, r"[\w-]*")
        return None if value.startswith("#") else _make_name("file", text, start, offset, r"[^\"{}\n]*")
    if name in _COLOURED:
        return _make_name("colour", text, start, offset, r"[\w-]*")
    return _make_name("font", text, start, offset, r"[\w-]*") if name == "font-family" else None


def _make_name(aim: NameSort, text: str, start: int, offset: int, form: str) -> NameAtCursor:
    found = re.compile(form).match(text, start)
    end = max(found.end() if found else offset, offset)
    return NameAtCursor(aim, text[start:end], text[start:offset], start, end)


def _in_expression(text: str, offset: int) -> bool:
    """Return True if the offset is inside a tag of the template: after `{{ card.` or `{% if `."""
    opened = max(text.rfind("{{", 0, offset), text.rfind("{%", 0, offset))
    return opened >= 0 and max(text.find("}}", opened, offset), text.find("%}", opened, offset)) < 0


def _find_chain(text: str, line: int, offset: int) -> NameAtCursor | None:
    end = text.find("\n", offset)
    stop = len(text) if end < 0 else end
    for found in _CHAIN.finditer(text, line, stop):
        if found.start() <= offset <= found.end():
            last = text.find(".", offset, found.end())
            upto = found.end() if last < 0 else last
            chain = text[found.start() : upto]
            begin = text.rfind(".", found.start(), offset) + 1 or found.start()
            return NameAtCursor("chain", chain, text[begin:offset], begin, upto)
    return NameAtCursor("chain", "", "", offset, offset)


@dataclass(frozen=True, slots=True)
class Offers:
    """Completions: names that may replace the text between two offsets."""

    names: list[GameName]
    start: int
    end: int


NO_OFFERS = Offers([], 0, 0)


def offer_in_data(names: GameNames, text: str, offset: int) -> Offers:
    """Return the completions at an offset of a YAML file."""
    cursor = find_cursor(text, offset)
    if cursor is None:
        return NO_OFFERS
    named = None if cursor.in_key else find_expression_name(text, offset)
    if named is not None:
        return offer_in_expression(names, named, names.find_design(cursor.design))
    found: list[GameName] = []
    if cursor.in_key:
        allowed = list_allowed_keys(find_shapes(names.shape, cursor.path[:-1]))
        own = cursor.sibling_keys
        found = [GameName(key, "key", find_description([allowed[key]])) for key in allowed if key not in own]
    if cursor.in_key and cursor.path[-2:-1] == ("pieces",):
        found += [*names.list_kinds(), *names.list_designs()]
    if cursor.loose or not cursor.in_key:
        found = [*found, *_offer_values(names, cursor)]
    start, end = cursor.span
    quoted = text[start : start + 1] in ("'", '"') and text[start : start + 1] != ""
    return Offers(found, start + quoted, max(start + quoted, end - quoted if len(cursor.word) < end - start else end))


def _offer_values(names: GameNames, cursor: Cursor) -> list[GameName]:
    """Return the values allowed at the cursor: by the schema, else by what such a key usually names."""
    path = cursor.path[:-1] if cursor.loose else cursor.path
    if not path:
        return []
    listed = list_allowed_values(find_shapes(names.shape, path))
    key = next((str(step) for step in reversed(path) if isinstance(step, str)), "")
    if listed:
        return names.name_values(listed)
    if key in COLOUR_KEYS:
        return names.list_colours()
    if key in TEMPLATE_KEYS:
        return names.list_templates()
    if key in KIND_KEYS:
        return names.list_kinds()
    if key in ("provisional", "derived", "related"):
        return names.list_data_paths()
    if len(path) > 3 and path[2] in ("fields", "takes") and key in (path[3], "type", "of"):
        return [GameName(name, "value") for name in TYPES]
    return names.list_icons() if key == "told_apart" else []


def offer_in_table(names: GameNames, path: Path, text: str, line: int, character: int) -> Offers:
    """Return the completions in a cell of a table. Line and character count from 0."""
    rows = list(read_cells(text))
    for number, row in enumerate(rows, 1):
        for column, cell in enumerate(row, 1):
            if (cell.line, cell.start) <= (line, character) <= (cell.last, cell.end):
                kind, field, header = names.find_column(path, column)
                found = names.list_field_values(kind, field) if kind and number > header else []
                at = 0
                for _ in range(cell.line):
                    at = text.index("\n", at) + 1
                begin = at + cell.start
                return Offers(found, begin, begin + len(cell.text))
    return NO_OFFERS


def offer_in_template(names: GameNames, path: Path, text: str, offset: int) -> Offers:
    """Return the completions in a template. Values of `card` are those of the first design that it draws."""
    named = find_template_name(text, offset)
    design = next(iter(names.find_drawn_designs(path)), None)
    return offer_in_expression(names, named, design) if named else NO_OFFERS


def offer_in_expression(names: GameNames, named: NameAtCursor, design: Design | None) -> Offers:
    """Return the completions for a name that is being typed, in a template of `design` if given."""
    if named.aim == "chain":
        found = names.list_visible_names(design, *named.chain[:-1])
    elif named.aim == "file":
        found = [GameName(f"{one.name}.svg", one.sort) for one in names.list_templates()] + names.list_art()
    else:
        others = {"colour": names.list_colours, "font": names.list_fonts}
        found = others.get(named.aim, names.list_icons)()
    return Offers(found, named.start, named.end)


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint: a text in Markdown, and the face whose picture is shown below it."""

    text: str
    face: FaceKey | None = None


def hint_in_data(names: GameNames, text: str, offset: int) -> Hint | None:
    """Return the hint at an offset of a YAML file: what a name or key means, and the card's face; or None."""
    cursor = find_cursor(text, offset)
    if cursor is None:
        return None
    named = None if cursor.in_key else find_expression_name(text, offset)
    said = _describe_name(names, named, None) if named else ""
    if not said and cursor.path:
        told = find_description(find_shapes(names.shape, cursor.path))
        key = next((str(step) for step in reversed(cursor.path) if isinstance(step, str)), "")
        known = {one.name: one for one in [*names.list_icons(), *names.list_colours(), *names.list_kinds()]}
        if not cursor.in_key and cursor.word in known:
            about = known[cursor.word].about
            said = f"`{cursor.word}`{': ' if about else ''}{about}\n\n"
        said += f"**{key}**: {translate_description(told, names.project.languages)}" if told else ""
    return _make_hint(names, said, names.find_design(cursor.design))


def hint_in_table(names: GameNames, path: Path, text: str, line: int, character: int) -> Hint | None:
    """Return the hint in a table: what its column means, and the card in that row; or None outside all cells."""
    for number, row in enumerate(read_cells(text), 1):
        for column, cell in enumerate(row, 1):
            if (cell.line, cell.start) <= (line, character) <= (cell.last, cell.end):
                kind, field, _ = names.find_column(path, column)
                told = names.describe_field(kind, field) if kind else ""
                return _make_hint(names, told, names.find_row_design(path, number))
    return None


def hint_in_template(names: GameNames, path: Path, text: str, offset: int) -> Hint | None:
    """Return the hint in a template: the value of the name for the first design drawn, and its face; or None."""
    design = next(iter(names.find_drawn_designs(path)), None)
    named = find_template_name(text, offset)
    return _make_hint(names, _describe_name(names, named, design), design) if named else None


def _describe_name(names: GameNames, named: NameAtCursor | None, design: Design | None) -> str:
    if named is None or not named.name:
        return ""
    last, known = named.name, [*names.list_icons(), *names.list_colours()]
    if named.aim == "chain":
        *above, last = named.chain
        known = names.list_visible_names(design, *above)
    found = next((one for one in known if one.name == last), None)
    return f"`{named.name}`: {found.about}" if found and found.about else ""


def _make_hint(names: GameNames, said: str, design: Design | None) -> Hint | None:
    face: FaceKey | None = (design.id, "front", names.lang) if design is not None else None
    return Hint(said, face) if said or face else None


_FREE = frozenset({"words", "rules"})


@dataclass(frozen=True, slots=True)
class Goal:
    """A place to jump to: a file, line and column (from 1)."""

    path: Path
    place: Place


def find_in_data(names: GameNames, text: str, offset: int) -> list[Goal]:
    """Return the definition of a name in a YAML file; for a text of a card or a word, where templates use it."""
    cursor = find_cursor(text, offset)
    if cursor is None:
        return []
    named = None if cursor.in_key else find_expression_name(text, offset)
    if named is not None and named.name:
        return _find_named(names, named, names.find_design(cursor.design))
    key = next((str(step) for step in reversed(cursor.path) if isinstance(step, str)), "")
    if not cursor.in_key and key in TEMPLATE_KEYS:
        return _find_template_file(names, f"{cursor.word}.svg")
    if not cursor.in_key:
        sorts = (("icons", names.list_icons()), ("palette", names.list_colours()), ("components", names.list_kinds()))
        given = [section for section, known in sorts if cursor.word in {one.name for one in known}]
        if given:
            return _make_goals(names, [names.find_place(section, cursor.word) for section in given])
    return list(_find_setters(names, cursor))


def find_in_template(names: GameNames, path: Path, text: str, offset: int) -> list[Goal]:
    """Return where a name in a template is defined in the data, or the file that it refers to."""
    named = find_template_name(text, offset)
    if named is None or not named.name:
        return []
    return _find_named(names, named, next(iter(names.find_drawn_designs(path)), None))


def _find_named(names: GameNames, named: NameAtCursor, design: Design | None) -> list[Goal]:
    if named.aim == "file":
        return _find_template_file(names, named.name)
    section = {"colour": "palette", "icon": "icons", "text icon": "icons", "font": "fonts"}.get(named.aim)
    if section:
        return _make_goals(names, [names.find_place(section, named.name)])
    first, *rest = named.chain
    if first == "card" and rest and design is not None:
        own = design.source.key_place(rest[0]) if rest[0] in design.fields else None
        return _make_goals(names, [own, names.find_place("components", design.kind, "fields", rest[0])])
    if first in ("kind", "kinds") and design is not None:
        kind = [design.kind, *rest] if first == "kind" else rest
        return _make_goals(names, [names.find_place("components", *kind)])
    if first == "game":
        return _make_goals(names, [names.find_place(*rest)] if rest else [])
    return _make_goals(names, [names.find_place(first, *rest)])


def _find_template_file(names: GameNames, name: str) -> list[Goal]:
    path = names.find_template_path(name)
    return [Goal(path, Place(name, 1, 1))] if path else []


def _make_goals(names: GameNames, places: list[Place | None]) -> list[Goal]:
    root = names.project.root
    return [Goal(root / place.file, place) for place in dict.fromkeys(places) if place is not None]


def _find_setters(names: GameNames, cursor: Cursor) -> Iterator[Goal]:
    """Yield the lines of templates that use the value at the cursor: a design's field, or a word of the game."""
    design = names.find_design(cursor.design)
    if design is not None and len(cursor.path) > 4:
        for path in names.find_face_files(design):
            yield from _find_lines(path, re.compile(rf"\bcard\.{re.escape(str(cursor.path[4]))}\b"))
    elif cursor.path and cursor.path[0] in _FREE:
        steps = [str(step) for step in cursor.path]
        if steps[-1] in names.game.languages:
            steps.pop()
        for number in range(len(steps), 1, -1):  # templates refer to a value or to what it is in
            pattern = re.compile(rf"\b{re.escape('.'.join(steps[:number]))}\b")
            found = [goal for path in names.list_template_files() for goal in _find_lines(path, pattern)]
            if found:
                yield from found
                return


def _find_lines(path: Path, pattern: re.Pattern[str]) -> Iterator[Goal]:
    for number, line in enumerate(read_lines(path), 1):
        found = pattern.search(line)
        if found:
            yield Goal(path, Place(path.name, number, found.start() + 1))


@dataclass(frozen=True, slots=True)
class CursorRequest:
    """A cursor in a game's file: line and character from 0, and the number of characters before its line."""

    names: GameNames
    file: OpenFile
    text: str
    line: int
    character: int
    before: int

    @property
    def offset(self) -> int:
        """Return the number of characters before the cursor."""
        return self.before + self.character

    def find_offers(self) -> Offers:
        """Return the completions here."""
        if self.file.sort == "table":
            return offer_in_table(self.names, self.file.path, self.text, self.line, self.character)
        if self.file.sort == "data":
            return offer_in_data(self.names, self.text, self.offset)
        return offer_in_template(self.names, self.file.path, self.text, self.offset)

    def find_hint(self) -> Hint | None:
        """Return what the name, key or column at the cursor means, and a card's face; None if nothing is known."""
        if self.file.sort == "table":
            return hint_in_table(self.names, self.file.path, self.text, self.line, self.character)
        if self.file.sort == "data":
            return hint_in_data(self.names, self.text, self.offset)
        return hint_in_template(self.names, self.file.path, self.text, self.offset)

    def find_goals(self) -> list[Goal]:
        """Return the places where the name at the cursor is defined."""
        if self.file.sort == "data":
            return find_in_data(self.names, self.text, self.offset)
        if self.file.sort == "table":
            return []
        return find_in_template(self.names, self.file.path, self.text, self.offset)


def make_cursor_request(project: OpenProject, file: OpenFile, text: str, offset: int) -> CursorRequest | None:
    """Return the cursor at an offset of a file's text, or None before any of the file's games could be read."""
    game = next((game for name in file.games if (game := project.get_game(name)) is not None), None)
    if game is None:
        return None
    line, before = text.count("\n", 0, offset), text.rfind("\n", 0, offset) + 1
    names = GameNames(project, game, project.choose_language(game))
    return CursorRequest(names, file, text, line, offset - before, before)
