"""Where a name at a cursor is given: from a text to the template that sets it, from a template to the text."""

import re
from collections.abc import Iterator
from pathlib import Path

from generator.dataclass import dataclass
from generator.editor.expressions import Named, expression_at, named_at
from generator.editor.names import TEMPLATE_KEYS, GameNames
from generator.editor.spans import lines_of
from generator.editor.written import Cursor, Steps, cursor_at
from generator.errors import Place
from generator.model.game import Design

_FREE = frozenset({"words", "rules"})


@dataclass(frozen=True, slots=True)
class Goal:
    """A line and column (from 1) of a file."""

    path: Path
    place: Place


def in_data(names: GameNames, text: str, offset: int) -> list[Goal]:
    """Where a name in a YAML file is given; for a text of a card or a word, where templates set it."""
    cursor = cursor_at(text, offset)
    if cursor is None:
        return []
    named = None if cursor.in_key else expression_at(text, offset)
    if named is not None and named.name:
        return _named(names, named, names.design(cursor.design))
    key = next((str(step) for step in reversed(cursor.path) if isinstance(step, str)), "")
    if not cursor.in_key and key in TEMPLATE_KEYS:
        return _file(names, f"{cursor.word}.svg")
    if not cursor.in_key:
        sorts = (("icons", names.icons()), ("palette", names.colours()), ("components", names.kinds()))
        given = [section for section, known in sorts if cursor.word in {one.name for one in known}]
        if given:
            return _goals(names, [names.place(section, cursor.word) for section in given])
    return list(_set_by(names, cursor))


def in_template(names: GameNames, path: Path, text: str, offset: int) -> list[Goal]:
    """Where what a template names is given in the data, or the file that it calls for."""
    named = named_at(text, offset)
    if named is None or not named.name:
        return []
    return _named(names, named, next(iter(names.drawn_by(path)), None))


def _named(names: GameNames, named: Named, design: Design | None) -> list[Goal]:
    if named.aim == "file":
        return _file(names, named.name)
    section = {"colour": "palette", "icon": "icons", "text icon": "icons", "font": "fonts"}.get(named.aim)
    if section:
        return _goals(names, [names.place(section, named.name)])
    first, *rest = named.chain
    if first == "card" and rest and design is not None:
        own = design.source.key_place(rest[0]) if rest[0] in design.fields else None
        return _goals(names, [own, names.place("components", design.kind, "fields", rest[0])])
    if first in ("kind", "kinds") and design is not None:
        kind = [design.kind, *rest] if first == "kind" else rest
        return _goals(names, [names.place("components", *kind)])
    if first == "game":
        return _goals(names, [names.place(*rest)] if rest else [])
    return _goals(names, [names.place(first, *rest)])


def _file(names: GameNames, name: str) -> list[Goal]:
    path = names.template_path(name)
    return [Goal(path, Place(name, 1, 1))] if path else []


def _goals(names: GameNames, places: list[Place | None]) -> list[Goal]:
    root = names.project.root
    return [Goal(root / place.file, place) for place in dict.fromkeys(places) if place is not None]


def _set_by(names: GameNames, cursor: Cursor) -> Iterator[Goal]:
    """The lines of templates that set a value of a design, or a word of the game."""
    design = names.design(cursor.design)
    if design is not None and len(cursor.path) > 4:
        for path in names.faces_of(design):
            yield from _lines(path, re.compile(rf"\bcard\.{re.escape(str(cursor.path[4]))}\b"))
    elif cursor.path and cursor.path[0] in _FREE:
        for chain in _chains(names, cursor.path):
            pattern = re.compile(rf"\b{re.escape(chain)}\b")
            found = [goal for path in names.template_files() for goal in _lines(path, pattern)]
            if found:
                yield from found
                return


def _chains(names: GameNames, path: Steps) -> Iterator[str]:
    """The names by which templates may ask for a word, the longest first; a language is no part of them."""
    steps = [str(step) for step in path]
    if steps[-1] in names.game.languages:
        steps.pop()
    for number in range(len(steps), 1, -1):
        yield ".".join(steps[:number])


def _lines(path: Path, pattern: re.Pattern[str]) -> Iterator[Goal]:
    for number, line in enumerate(lines_of(path), 1):
        found = pattern.search(line)
        if found:
            yield Goal(path, Place(path.name, number, found.start() + 1))
