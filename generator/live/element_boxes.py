"""Boxes of a face's elements for the page that moves them, and changes of their numbers in the template."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache, reduce
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from generator.base.display_list import Item, TextRun, walk_leaves
from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound, locate_fault
from generator.base.files import is_inside, list_files, read_file
from generator.base.geometry import MM_PER_PT, NUMBER, Matrix, Rect, map_point, map_rect, multiply
from generator.base.outlines import bound_items
from generator.base.output_files import open_delivery
from generator.drawing.faces.draw_face import Artist, FaceKey
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.svg.draw_elements import derive_style, draw_element, open_root
from generator.drawing.svg.scene import Scene
from generator.drawing.svg.style import Style
from generator.drawing.svg.tree import Element, find_link
from generator.drawing.svg.values import parse_length
from generator.drawing.templates.template_sources import DRAWN_SIGNS, blank_tags, find_jinja_tags
from generator.game.project import Project
from generator.text.fonts import FontBook

EDITABLE = ("x", "y", "width", "height", "font-size")
"""Attributes whose numbers can be changed."""

_MOST = 10_000.0
_LINE_END = re.compile(r"\r\n|\r|\n")
_TAG = re.compile(r"<[A-Za-z_][\w:.-]*")
_PIECE = re.compile(r"([^\s=<>\"'/]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')|([<>])|\S")
_LITERAL = re.compile(rf"\s*({NUMBER.pattern})\s*(mm|cm|in|pt|pc|px|Q|)\s*")
_blank_jinja = lru_cache(maxsize=8)(lambda source: blank_tags(source, find_jinja_tags(source)))
_SIZE_IN_STYLE = re.compile(r"(?:^|;)\s*font-size\s*:([^;]*)")


class Literal(NamedTuple):
    """A number in a template: where it begins and ends in the source, its text, and its unit."""

    begin: int
    end: int
    text: str
    unit: str

    @property
    def per(self) -> float:
        """How many user units one of its unit is, such as 10 for cm. User units are mm, unless a group is scaled."""
        return parse_length(f"1{self.unit}")


def find_literals(source: str, line: int, column: int) -> dict[str, Literal]:
    """Return the literal numbers of the start tag at a place, by attribute. Leave out expressions and repeated names.

    Line and column count from 1; a byte order mark counts as no character, and every line end as one.
    """
    found: dict[str, Literal | None] = {}
    for name, begin, end in _iter_values(source, _find_offset(source, line, column)):
        match = _LITERAL.fullmatch(source, begin, end)
        literal = Literal(*match.span(1), match[1], match[2]) if match else None
        found[name] = None if name in found else literal
    return {name: literal for name, literal in found.items() if literal is not None and name in EDITABLE}


def _iter_values(source: str, start: int) -> Iterator[tuple[str, int, int]]:
    """Yield each attribute of the start tag at an offset, with begin and end of its value. Jinja's tags are skipped."""
    tag = _TAG.match(source, start)
    for piece in _PIECE.finditer(_blank_jinja(source), tag.end() if tag else len(source)):
        if piece[4]:
            return
        if piece[1]:
            begin, end = piece.span(3 if piece[2] is None else 2)
            yield piece[1], begin, end
            for size in _SIZE_IN_STYLE.finditer(source[begin:end]) if piece[1] == "style" else ():
                yield "font-size", begin + size.start(1), begin + size.end(1)


def _find_offset(source: str, line: int, column: int) -> int:
    """Return the index in the source of a line and column (from 1), or its length if there is no such place."""
    if column < 1 or line < 1:
        return len(source)
    starts = [int(source.startswith("\ufeff")), *(found.end() for found in _LINE_END.finditer(source))]
    return min(starts[line - 1] + column - 1, len(source)) if line <= len(starts) else len(source)


Change = tuple[str, float | str]
"""The number that is in the template, as its text, and the new one: a number to be rounded, or its exact text."""


def change_numbers(source: str, line: int, column: int, changes: Mapping[str, Change]) -> tuple[str, dict[str, Change]]:
    """Return the source with changed numbers in the start tag at line and column, and the changes that undo this.

    `changes` has (old text, new number or text) by attribute. A number keeps its unit and as many final zeros as the
    old one had. Raise InvalidInput if an attribute isn't the old text, or would be out of range.
    """
    literals = find_literals(source, line, column)
    undo: dict[str, Change] = {}
    edits: list[tuple[int, int, str]] = []
    for name, (old, new) in changes.items():
        literal = literals.get(name)
        if literal is None or literal.text != old:
            raise InvalidInput(f"{name} is not the plain number {old} here", "change it in the file")
        text = new if isinstance(new, str) else _format_number(new, literal)
        if not NUMBER.fullmatch(text) or not abs(float(text)) <= _MOST or (name not in "xy" and float(text) <= 0):
            raise InvalidInput(f"{name} can't become {text[:20]}", f"use a number up to {_MOST:g}, for sizes above 0")
        edits.append((literal.begin, literal.end, text))
        undo[name] = (text, old)
    for begin, end, text in sorted(edits, reverse=True):
        source = source[:begin] + text + source[end:]
    return source, undo


def _format_number(value: float, like: Literal) -> str:
    """Return a number like the literal `like`, with as many decimals, but 2 or more (in and cm: 3) where needed."""
    if not abs(value) <= _MOST:
        return str(value)
    decimals = 0 if "e" in like.text.lower() else len(like.text.partition(".")[2])
    whole, _, part = f"{value:.{max(decimals, 3 if like.per > 1 else 2)}f}".partition(".")
    kept = decimals if like.text.endswith("0") else 0
    part = part[:kept] + part[kept:].rstrip("0")
    text = f"{whole}.{part}" if part else whole
    if float(text) == 0:
        text = text.lstrip("-")
    bare = like.text.lstrip("+-").startswith(".") and text.lstrip("-").startswith("0.")
    return text.replace("0.", ".", 1) if bare else text


_MOVED = frozenset(["text", "textbox", "image", "use", "svg", "rect"])
"""Elements that have a place of their own. A <rect> without plain numbers is part of the ground, and left out."""

_CAPITALS = 0.72
"""Height of a line of text above its baseline (em): its box ends on the baseline, to which people align."""

_FoundBox = tuple[Element, Matrix, Rect, str]
"""An element, the matrix of its own coordinates to the face, its box on the face (mm), and the words in it."""


def _find_boxes(scene: Scene, parent: Element, style: Style, matrix: Matrix, fonts: FontBook) -> Iterator[_FoundBox]:
    """Yield what can be moved in `parent`, in drawing order. Its box is given by its size, else bounds its drawing."""
    for child in parent.children:
        own = multiply(matrix, scene.read_transform(child))
        if child.tag == "g":
            yield from _find_boxes(scene, child, derive_style(scene, child, style), own, fonts)
        elif child.tag in _MOVED:
            leaves = list(walk_leaves(draw_element(scene, child, style, matrix)))
            x, y, width, height = (scene.read_length(child, name, 0.0) for name in ("x", "y", "width", "height"))
            box: Rect | None = map_rect(own, Rect(x, y, width, height))
            if child.tag == "text" or width <= 0 or height <= 0:
                found = [_bound_leaf(leaf, multiply(matrix, at), fonts) for leaf, at in leaves]
                box = reduce(Rect.unite, filter(None, found)) if any(found) else None
            if box is not None:
                yield child, own, box, "".join([leaf.text for leaf, _ in leaves if isinstance(leaf, TextRun)])


def _bound_leaf(leaf: Item, matrix: Matrix, fonts: FontBook) -> Rect | None:
    if not isinstance(leaf, TextRun) or leaf.places or leaf.angle:
        return bound_items((leaf,), matrix)
    em, advances = leaf.size * MM_PER_PT, [fonts.measure_advance(leaf.font, glyph) for glyph in leaf.glyphs]
    wide = em * sum(leaf.advances or advances) / 1000
    return map_rect(matrix, Rect(leaf.x, leaf.y - _CAPITALS * em, wide, _CAPITALS * em))


class _Sources:
    """The project's own templates, by the file names that places have. Those that come with pnp are left out."""

    def __init__(self, project: Project):
        folder, shown = project.root / "templates", project.resources.display_path
        found = [path for path in list_files(folder) if path.suffix == ".svg" and is_inside(path, folder)]
        self.paths: Mapping[str, Path] = {shown(path): path for path in found}
        self._read: dict[str, tuple[str, str]] = {}

    def read_source(self, file: str) -> tuple[str, str]:
        """Return a template's text, with its own line ends, and its digest. Raise ProblemsFound if it can't be read."""
        if file not in self._read:
            try:
                data = read_file(self.paths[file], "markup")
                self._read[file] = data.decode(), sha256(data).hexdigest()
            except (InvalidInput, KeyError, UnicodeDecodeError) as error:
                what = str(error) if isinstance(error, InvalidInput) else "there is no such template in the project"
                raise ProblemsFound([Problem(Place(file), what, "open it in an editor")]) from error
        return self._read[file]

    def find_element(self, place: Place, element: Element) -> tuple[dict[str, Literal], str]:
        """Return an element's plain numbers in its template ({} in a drawing program's file), and its source line."""
        if place.file not in self.paths:
            return {}, ""
        source = self.read_source(place.file)[0]
        line = "".join(source.splitlines()[place.line - 1 : place.line]).strip()[:400]
        styled = element.properties  # first, since it may change the attributes
        given = {**element.attributes, **styled}
        found = {} if DRAWN_SIGNS.search(source) else find_literals(source, place.line, place.column)
        return {name: one for name, one in found.items() if given.get(name, "").strip() == one.text + one.unit}, line


def list_element_boxes(project: Project, workshop: Workshop, key: FaceKey) -> dict[str, Any]:
    """Return the elements of a face that can be moved, with their boxes (mm), places and plain numbers, for the page.

    The templates are read anew, so that places fit to the files as they are now. Raise ProblemsFound if they don't
    draw the face.
    """
    design, game = workshop.game.design(key[0]), workshop.game
    kind, sources = game.kinds[design.kind], _Sources(project)
    scene, root = Artist(game, project.resources, workshop.fonts).open_face(design, key[1], key[2])
    outer = (0.0, 0.0, kind.size.width, kind.size.height)
    opened = open_root(scene, root, outer)
    boxes = []
    for found in _find_boxes(scene, root, *opened, workshop.fonts) if opened else ():
        values, line = sources.find_element(scene.place_of(found[0]), found[0])
        if found[0].tag != "rect" or values.keys() & {"x", "y"}:
            boxes.append(_make_entry(scene, found, values, line))
    times = Counter(one["where"] for one in boxes)
    files = {}
    for file in {one["file"] for one in boxes} & sources.paths.keys():
        source, digest = sources.read_source(file)
        drawn = bool(DRAWN_SIGNS.search(source))
        files[file] = {"digest": digest, "path": sources.paths[file].as_posix(), "drawn": drawn}
    boxes = [{**one, "times": times[one["where"]]} for one in boxes]
    return {"width": outer[2], "height": outer[3], "safe": kind.safe, "files": files, "boxes": boxes}


def _make_entry(scene: Scene, found: _FoundBox, values: Mapping[str, Literal], line: str) -> dict[str, Any]:
    element, own, box, words = found
    place, upright = scene.place_of(element), abs(own[1]) < 1e-9 and abs(own[2]) < 1e-9 and own[0] > 0 and own[3] > 0
    name = words if "text" in element.tag else find_link(element).rpartition("/")[2] or element.attributes.get("id", "")
    anchor = map_point(own, (scene.read_length(element, "x", 0.0), scene.read_length(element, "y", 0.0)))
    values_of = {name: {"text": one.text, "unit": one.unit, "per": one.per} for name, one in values.items()}
    return {
        "tag": element.tag, "name": name[:30], "source": line, "values": values_of, "anchor": list(anchor),
        "where": str(place), "file": place.file, "line": place.line, "column": place.column,
        **{side: round(getattr(box, side), 4) for side in ("x", "y", "width", "height")},
        "scale": [own[0], own[3]] if upright else None,
    }  # fmt: skip


class TemplateEdit(NamedTuple):
    """A page's request to change numbers of the start tag at a place in a template with this digest (sha256)."""

    file: str
    line: int
    column: int
    digest: str
    values: Mapping[str, Change]


_PAIRS = {(2, str, str), (2, str, int), (2, str, float)}


def read_order(given: Any) -> TemplateEdit | None:
    """Return the change of a template that a page asks for, read from JSON; None if it is not valid."""
    match given:
        case {"file": str(file), "line": int(line), "column": int(column), "digest": str(sha), "values": dict(values)}:
            pairs = {name: (*pair,) for name, pair in values.items() if isinstance(pair, list)}
            if {(len(pair), *map(type, pair)) for pair in pairs.values()} <= _PAIRS and len(pairs) == len(values):
                return TemplateEdit(file, line, column, sha, pairs)
    return None


def write_edit(project: Project, order: TemplateEdit) -> dict[str, Any]:
    """Change numbers in a template. Return the digest of the new file, and the changes that undo this.

    Raise ProblemsFound if the file has changed since it was read, or can't be changed like this. It stays whole.
    """
    sources, place = _Sources(project), Place(order.file, order.line, order.column)
    source, digest = sources.read_source(order.file)
    if digest != order.digest:
        raise ProblemsFound([Problem(place, "the file has changed meanwhile", "move the element again")])
    with locate_fault(place):
        text, undo = change_numbers(source, order.line, order.column, order.values)
    with open_delivery() as files:
        files.put(sources.paths[order.file].resolve(), text.encode(), at_home=True)
        files.hand_over()
    return {"digest": sha256(text.encode()).hexdigest(), "undo": undo}
