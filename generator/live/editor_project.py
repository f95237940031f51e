"""An editor's project: games with unsaved files, their names with places, and descriptions of keys."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from generator.base.errors import InvalidInput, Place
from generator.base.files import hold_unsaved, is_folder, list_files, list_folder, read_file
from generator.base.geometry import MM_PER_INCH
from generator.base.picture_files import save_picture
from generator.commands.schema import schema_from_game
from generator.drawing.faces.draw_face import FaceKey
from generator.drawing.templates.game_templates import Templates
from generator.drawing.templates.template_sources import TemplateFiles
from generator.drawing.templates.template_values import GameViews, View
from generator.game.data_reader import read_yaml
from generator.game.model import CUBE_FACES, Design, Game
from generator.game.project import SUFFIXES, find_project
from generator.game.table_files import CSV
from generator.live.draft_text import DataPath, read_cells
from generator.live.file_watch import ALL_CHANGED, ChangeScope
from generator.live.gallery import WorkshopLock
from generator.live.game_show import Show

SchemaPart: TypeAlias = Mapping[str, Any]
"""A part of a JSON Schema."""


def find_shapes(schema: SchemaPart, path: DataPath) -> list[SchemaPart]:
    """Return every part of a schema for the value at a path."""
    shapes = list(_expand_shape(schema, schema))
    for step in path:
        shapes = [
            part
            for shape in shapes
            for below in _iter_shapes_below(shape, step)
            for part in _expand_shape(below, schema)
        ]
    return shapes


def find_description(shapes: list[SchemaPart]) -> str:
    """Return the first description in these schemas of a value, or ''."""
    return next((str(shape["description"]) for shape in shapes if "description" in shape), "")


def list_allowed_values(shapes: list[SchemaPart]) -> list[str]:
    """Return the values that these schemas allow, as YAML texts; [] if they can't be listed."""
    found: dict[str, None] = {}
    for shape in shapes:
        said = [*shape.get("enum", ()), *([shape["const"]] if "const" in shape else ())]
        said += [True, False] if shape.get("type") == "boolean" else []
        found |= dict.fromkeys(str(one).lower() if isinstance(one, bool) else str(one) for one in said)
    return list(found)


def list_allowed_keys(shapes: list[SchemaPart]) -> dict[str, SchemaPart]:
    """Return the allowed keys of a mapping, each with its schema."""
    return {str(name): shape for one in shapes for name, shape in one.get("properties", {}).items()}


def _expand_shape(shape: SchemaPart, whole: SchemaPart) -> Iterator[SchemaPart]:
    """Yield a schema, then all that it refers to (in `$defs` of the schema `whole`) or combines (such as `anyOf`)."""
    yield shape
    name = str(shape.get("$ref", "")).rpartition("/")[2]
    if name:
        yield from _expand_shape(whole["$defs"][name], whole)
    for way in ("allOf", "anyOf", "oneOf"):
        for part in shape.get(way, ()):
            yield from _expand_shape(part, whole)


def _iter_shapes_below(shape: SchemaPart, step: str | int) -> Iterator[SchemaPart]:
    """Yield the schemas below one: of an entry of a list (`step` is a number), or of a key."""
    if isinstance(step, int):
        if isinstance(shape.get("items"), Mapping):
            yield shape["items"]
        return
    named = shape.get("properties", {})
    if step in named:
        yield named[step]
    for pattern, part in shape.get("patternProperties", {}).items():
        if re.search(pattern, step):
            yield part
    if step not in named and isinstance(shape.get("additionalProperties"), Mapping):
        yield shape["additionalProperties"]


_FILES = {path.name.split(".")[1]: path for path in list_folder(Path(__file__).parent) if path.suffix == ".yaml"}
"""Files of descriptions by language."""


def translate_description(description: str, languages: Sequence[str]) -> str:
    """Return an English description, translated to the first of these languages that has it (`en`: unchanged)."""
    for lang in languages:
        if lang == "en":
            break
        found = _read_keys(lang).get(description)
        if found:
            return found
    return description


@cache
def _read_keys(lang: str) -> dict[str, str]:
    path = _FILES.get(lang)
    return {str(name): str(value) for name, value in read_yaml(path, path.name).items()} if path else {}


FileSort: TypeAlias = Literal["data", "table", "template", "text", "other"]
"""Sorts of files: YAML, a table of designs, an SVG template, a book's text, or anything that a game only shows."""

_SORTS: dict[str, dict[str, FileSort]] = {
    "data": {**dict.fromkeys(SUFFIXES, "data"), **dict.fromkeys(CSV, "table")},
    "templates": {".svg": "template", ".md": "text"},
}

_WIDTH = 260
"""Longer side of a picture in a hint (pixels)."""


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file of a project: its real path, the games that read it, and its sort (data, table, template, text, other)."""

    path: Path
    games: tuple[str, ...]
    sort: FileSort

    @property
    def change_scope(self) -> ChangeScope:
        """Return what must be read again after a change of this file: its games, and their data or templates."""
        in_data = self.sort in ("data", "table")
        return ChangeScope(frozenset(self.games), data=in_data, templates=not in_data)


class OpenProject:
    """A project by its folder. Raises ProblemsFound if links lead out of it.

    One thread at a time draws a face: `turns` are requested before a game is read or drawn. `languages` are the user's;
    the first that a game has is shown. A caller that reads the games itself passes them as `known`.
    """

    def __init__(self, root: Path, known: Callable[[str], Game | None] | None = None):
        self.project = find_project(root)
        self._known = known or (lambda name: self._shows[name].game if name in self._shows else None)
        self.root = root
        self.turns = WorkshopLock()
        self.languages: tuple[str, ...] = ()
        self._shows: dict[str, Show] = {}
        self._shapes: dict[str, tuple[Game, SchemaPart]] = {}

    def find_file(self, path: Path) -> OpenFile | None:
        """Return the file at a path, or None if no game reads it."""
        folder, *parts = path.relative_to(self.root).parts
        if len(parts) < 2 or folder not in _SORTS:
            return None
        sort = _SORTS[folder].get(path.suffix.lower(), "other")
        if folder == "data":
            parts[0] = parts[0].removeprefix("_")
        names = self.project.games if parts[0] == "common" else parts[:1]
        there = tuple(name for name in names if is_folder(self.project.find_folder(name)))
        return OpenFile(path, there, sort) if there else None

    def read_game(self, name: str, scope: ChangeScope = ALL_CHANGED) -> Show:
        """Read what `scope` names of a game, or all of it for the first time. The caller must have a turn."""
        show = self._shows.get(name)
        if show is None:
            show = self._shows[name] = Show(self.project, name)
            scope = ALL_CHANGED
        show.read(scope)
        return show

    def get_game(self, name: str) -> Game | None:
        """Return a game as last read, or None if it never could be read."""
        return self._known(name)

    def get_schema(self, game: Game) -> SchemaPart:
        """Return the schema of a game, made once for each reading of it."""
        known = self._shapes.get(game.id)
        if known is None or known[0] is not game:
            known = self._shapes[game.id] = (game, schema_from_game(game))
        return known[1]

    def draw_picture(self, name: str, key: FaceKey) -> bytes | None:
        """Return a face as PNG, the last that could be drawn, or None."""
        from generator.drawing.pdf.page_images import render_drawing_png  # loads pdfium, which texts don't need

        with self.turns.take_now():
            show = self._shows.get(name)
            shown = show.get_picture(key) if show is not None and show.has_face(key) else None
            if shown is None:
                return None
            drawing, workshop = shown.cut_drawing(), shown.workshop
            dpi = _WIDTH / max(drawing.width, drawing.height) * MM_PER_INCH
            return save_picture(render_drawing_png(drawing, dpi, workshop.fonts, workshop.rgb_of_paint, Path))

    def choose_language(self, game: Game) -> str:
        """Return the language in which a game is shown to the user."""
        return next((lang for lang in self.languages if lang in game.languages), game.languages[0])


def hold_draft(path: Path, text: str | None) -> None:
    """Use a file's text in the editor from now on; with None, use the file on disk."""
    hold_unsaved(path, None if text is None else text.encode("utf-8", "surrogatepass"))


_QUOTED = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')""")
_WORD = re.compile(r"[^\s,\[\]{}:#<>=\"'()]+")
_TAG = re.compile(r"</?[\w:.-]+")


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a text: lines and characters from 0, without the end."""

    line: int
    start: int
    last: int
    end: int


def read_lines(path: Path) -> list[str]:
    """Return the lines of a file from the editor or from disk, or none if it can't be read."""
    try:
        return read_file(path, "table").decode("utf-8-sig", "replace").splitlines()
    except InvalidInput:
        return []


def find_span(path: Path, place: Place, lines: list[str]) -> Span:
    """Return the part of the text at a place: without a column a whole line, without a line the first."""
    if path.suffix.lower() in CSV and place.line:
        return _find_cell_span(place, "\n".join(lines)) or _find_line_span(place.line - 1, lines)
    line = max(place.line - 1, 0)
    if line >= len(lines):
        return Span(max(len(lines) - 1, 0), 0, max(len(lines) - 1, 0), len(lines[-1]) if lines else 0)
    start = place.column - 1
    if start < 0:
        return _find_line_span(line, lines)
    if start >= len(lines[line]):
        return Span(line, len(lines[line]), line, len(lines[line]))
    found = next((one for form in (_QUOTED, _TAG, _WORD) if (one := form.match(lines[line], start))), None)
    return Span(line, start, line, found.end() if found else start + 1)


def _find_line_span(line: int, lines: list[str]) -> Span:
    text = lines[line] if line < len(lines) else ""
    return Span(line, len(text) - len(text.lstrip()), line, len(text.rstrip()))


def _find_cell_span(place: Place, text: str) -> Span | None:
    row = next((cells for number, cells in enumerate(read_cells(text), 1) if number == place.line), None)
    if not row:
        return None
    if not place.column:
        return Span(row[0].line, row[0].start, row[-1].last, row[-1].end)
    cell = row[min(place.column, len(row)) - 1]
    return Span(cell.line, cell.start, cell.last, cell.end)


COLOUR_KEYS = frozenset({"colour"})
TEMPLATE_KEYS = frozenset({"front", "back"})
KIND_KEYS = frozenset({"for", "from"})
"""Keys of the data whose values are always names of these sorts."""


@dataclass(frozen=True, slots=True)
class GameName:
    """A name, its sort (`icon`, `colour`, `kind`, `template`, `field`, `value`, `key`, `id`) and its description."""

    name: str
    sort: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class GameNames:
    """The names of a game's things, described in one of its languages."""

    project: OpenProject
    game: Game
    lang: str

    @property
    def shape(self) -> SchemaPart:
        """Return the game's schema."""
        return self.project.get_schema(self.game)

    def list_icons(self) -> list[GameName]:
        """Return the ids of the icons, each with its name in the language."""
        return [GameName(name, "icon", icon.name[self.lang]) for name, icon in self.game.icons.items()]

    def list_colours(self) -> list[GameName]:
        """Return the names of the palette's colours, each with its screen colour `#rrggbb`."""
        return [GameName(name, "colour", colour.srgb) for name, colour in self.game.palette.items()]

    def list_kinds(self) -> list[GameName]:
        """Return the ids of the kinds of components, each with its name in the language."""
        return [GameName(name, "kind", kind.name[self.lang]) for name, kind in self.game.kinds.items()]

    def list_designs(self) -> list[GameName]:
        """Return ids of designs with their kinds: `reel/6-wheat`."""
        return [GameName(design.id, "id") for design in self.game.designs()]

    def list_templates(self) -> list[GameName]:
        """Return templates as data name them, without `.svg`. Templates of whole faces are in no subfolder."""
        names = TemplateFiles(self.game.id, self.project.project.resources).list_names()
        return [GameName(name.removesuffix(".svg"), "template") for name in names if "/" not in name]

    def list_art(self) -> list[GameName]:
        """Return drawings in subfolders of templates, by the names that templates use for them."""
        names = TemplateFiles(self.game.id, self.project.project.resources).list_names()
        return [GameName(name.removeprefix("common/"), "template") for name in names if "/" in name]

    def list_fonts(self) -> list[GameName]:
        """Return families of typefaces."""
        return [GameName(name, "value") for name in self.game.fonts]

    def find_place(self, *path: str | int) -> Place | None:
        """Return the place of the key at a path of the data, or None."""
        return self.game.places.key_place(*path) if path and str(path[0]) in self.game.places else None

    def find_template_path(self, name: str) -> Path | None:
        """Return a template's file by its name in the game's folder, `common` or `templates`; None if there is none."""
        find, folders = self.project.project.resources.find, (self.game.id, "common", ".")
        return next((path for folder in folders if (path := find("templates", f"{folder}/{name}"))), None)

    def list_template_files(self) -> list[Path]:
        """Return all templates of the game and the common ones, including books' texts."""
        folders = [self.project.root / "templates" / name for name in (self.game.id, "common")]
        return sorted(path for folder in folders for path in list_files(folder) if path.suffix in (".svg", ".md"))

    def find_face_files(self, design: Design) -> list[Path]:
        """Return the template files from which a design's faces are drawn."""
        found = [self.find_template_path(f"{name}.svg") for name in sorted(_find_templates(self.game, design))]
        return [path for path in found if path is not None]

    def find_design(self, name: str) -> Design | None:
        """Return the design `kind/id`, or None if the game as last read has none."""
        return next((one for one in self.game.designs() if one.id == name), None)

    def find_row_design(self, path: Path, row: int) -> Design | None:
        """Return the design of a row of a table (from 1), or None."""
        shown = self.project.project.resources.display_path(path)
        return next((one for one in self.game.designs() if (one.place.file, one.place.line) == (shown, row)), None)

    def find_column(self, path: Path, column: int) -> tuple[str, str, int]:
        """Return kind and field of a table's column (from 1), and its header's row; empty names without a header."""
        shown = self.project.project.resources.display_path(path)
        kinds = self.game.places["components"].value
        for name, kind in kinds.items():
            layout = getattr(kind.get("designs"), "layouts", {}).get(shown)
            if layout is not None:
                field = next((field for (field, _), at in layout.columns.items() if at == column), "")
                return name, field, layout.header
        return "", "", 0

    def list_field_values(self, kind: str, field: str) -> list[GameName]:
        """Return the allowed values of a field of a kind; [] if they can't be listed."""
        if field in TEMPLATE_KEYS:
            return self.list_templates()
        return self.name_values(list_allowed_values(find_shapes(self.shape, ("components", kind, "designs", 0, field))))

    def name_values(self, among: list[str]) -> list[GameName]:
        """Return values as names. If they are exactly the ids of all icons or all colours, describe them as these."""
        for known in (self.list_icons(), self.list_colours()):
            if {one.name for one in known} == {*among}:
                return known
        return [GameName(name, "value") for name in among]

    def describe_field(self, kind: str, field: str) -> str:
        """Return the description of a field of a kind in Markdown, or '' if there is none."""
        spec = self.game.kinds[kind].fields.get(field)
        told = (
            spec.type if spec else find_description(find_shapes(self.shape, ("components", kind, "designs", 0, field)))
        )
        return f"**{field}**: {told}" if told else ""

    def find_drawn_designs(self, path: Path) -> list[Design]:
        """Return the designs that a template draws, or all for one that others include."""
        named = {path.stem} if path.suffix == ".svg" else set()
        every = list(self.game.designs())
        found = [design for design in every if named & _find_templates(self.game, design)]
        return found or every

    def list_visible_names(self, design: Design | None, *chain: str) -> list[GameName]:
        """Return the names visible in templates below a chain (`card`, `words.aid`), or at the top.

        Texts are not filled in. Without a design there is no `card`, as in a text of the whole game.
        """
        functions = Templates(self.game.id, self.project.project.resources).functions
        views = GameViews(self.game, lambda text, _variables, _place: text, functions)
        value: object = (
            views.make_variables(design, "front", self.lang) if design else views.make_game_variables(self.lang)
        )
        for step in chain:
            if not isinstance(value, (dict, View)) or step not in value:
                return []
            value = value[step]
        if not isinstance(value, (dict, View)):
            return []
        return [GameName(str(name), "field", _format_value(value[name])) for name in value]

    def list_data_paths(self) -> list[GameName]:
        """Return paths of the data as in marks and expressions: `rules.draw_hand`, `components.reel.back`."""
        found = []
        for section, part in self.game.places.items():
            found += [GameName(section, "key")]
            for name, value in part.value.items() if isinstance(part.value, Mapping) else ():
                found.append(GameName(f"{section}.{name}", "key"))
                if isinstance(value, Mapping):
                    found += [GameName(f"{section}.{name}.{inner}", "key") for inner in value]
        return found


def _find_templates(game: Game, design: Design) -> set[str]:
    kind = game.kinds[design.kind]
    return {name for face in CUBE_FACES if (name := kind.template(design, face))}


def _format_value(value: object) -> str:
    """Return a text, number or boolean in one line of at most 80 characters, or an empty text for anything else."""
    return " ".join(str(value).split())[:_LONGEST] if isinstance(value, (str, int, float)) else ""


_LONGEST = 80
