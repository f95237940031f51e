"""Boxes of a face's elements for the page that moves them, and its orders to change their numbers."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import reduce
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from generator.base.display_list import Item, TextRun, walk_leaves
from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.files import is_inside, list_files, read_file
from generator.base.geometry import MM_PER_PT, Matrix, Rect, map_point, map_rect, multiply
from generator.base.outlines import bound_items
from generator.base.output_files import open_delivery
from generator.drawing.faces.draw_face import Artist, FaceKey
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.svg.draw_elements import derive_style, draw_element, open_root
from generator.drawing.svg.scene import Scene
from generator.drawing.svg.style import INITIAL, Style
from generator.drawing.svg.tree import Element, find_link
from generator.drawing.svg.values import parse_view_box
from generator.drawing.templates.template_sources import DRAWN_SIGNS
from generator.game.project import Project
from generator.live.template_edits import Change, Literal, change_numbers, find_literals
from generator.text.fonts import FontBook

_MOVED = frozenset(["text", "textbox", "image", "use", "svg", "rect"])
"""Elements that have a place of their own. A <rect> without plain numbers is part of the ground, and left out."""

_CAPITALS = 0.72
"""Height of a line of text above its baseline (em): its box ends on the baseline, to which people align."""

_FoundBox = tuple[Element, Matrix, Rect, str]
"""An element, the matrix of its own coordinates to the face, its box on the face (mm), and the words in it."""


def _find_boxes(scene: Scene, parent: Element, style: Style, matrix: Matrix, fonts: FontBook) -> Iterator[_FoundBox]:
    """Yield the elements in a parent that can be moved, in drawing order. A box is its own or around what it paints."""
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
    """The templates of a project by the names that places have. Bundled ones are not among them."""

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
        """Return the plain numbers of an element in its template, and its line. Those of a drawing program are left."""
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
    opened = open_root(scene, root, INITIAL, scene.read_value(root, "viewBox", parse_view_box, None), outer)
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
    """An order to change numbers of the start tag at a place in a template with this digest (sha256)."""

    file: str
    line: int
    column: int
    digest: str
    values: Mapping[str, Change]


_PAIRS = {(2, str, str), (2, str, int), (2, str, float)}


def read_order(body: bytes) -> TemplateEdit | None:
    """Return the order in a JSON text, or None if it is none."""
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        return None
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
    try:
        text, undo = change_numbers(source, order.line, order.column, order.values)
    except InvalidInput as unfit:
        raise ProblemsFound([Problem(place, str(unfit), unfit.hint)]) from unfit
    with open_delivery() as files:
        files.put(sources.paths[order.file].resolve(), text.encode(), at_home=True)
        files.hand_over()
    return {"digest": sha256(text.encode()).hexdigest(), "undo": undo}
