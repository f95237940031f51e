"""Boxes of a face's elements for the page that moves them, and its orders to change their numbers."""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
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
from generator.live.template_edits import EDITABLE, Change, Literal, change_numbers, find_literals

_MOVED = frozenset(["text", "textbox", "image", "use", "svg", "rect"])
"""Elements that have a place of their own. A <rect> without plain numbers is part of the ground, and left out."""

_CAPITALS = 0.72
"""Height of a line of text above its baseline (em): its box ends on the baseline, to which people align."""

_LONGEST_NAME = 30
_LONGEST_SOURCE = 400


class _DrawnElement(NamedTuple):
    """An element, what it draws, the matrix of these items to the face, and that of its own coordinates."""

    element: Element
    items: tuple[Item, ...]
    matrix: Matrix
    own: Matrix


def _draw_elements(scene: Scene, parent: Element, style: Style, matrix: Matrix) -> Iterator[_DrawnElement]:
    """Yield the elements in a parent that can be moved, in drawing order."""
    for child in parent.children:
        if child.tag in _MOVED:
            items = draw_element(scene, child, style, matrix)
            yield _DrawnElement(child, items, matrix, multiply(matrix, scene.read_transform(child)))
        elif child.tag == "g":
            inner = multiply(matrix, scene.read_transform(child))
            yield from _draw_elements(scene, child, derive_style(scene, child, style), inner)


def _find_box(scene: Scene, drawn: _DrawnElement, measure: Callable[[str, int], float]) -> Rect | None:
    """Return the box of an element on its face (mm): its own if it has a size, else that of what it paints.

    `measure` returns the advance of a font's glyph in 1/1000 em.
    """
    x, y, width, height = (scene.read_length(drawn.element, name, 0.0) for name in ("x", "y", "width", "height"))
    if width > 0 and height > 0 and drawn.element.tag != "text":
        return map_rect(drawn.own, Rect(x, y, width, height))
    found: Rect | None = None
    for leaf, inner in walk_leaves(drawn.items):
        at = multiply(drawn.matrix, inner)
        if isinstance(leaf, TextRun) and not leaf.places and not leaf.angle:
            em, wide = leaf.size * MM_PER_PT, sum(leaf.advances or [measure(leaf.font, one) for one in leaf.glyphs])
            box: Rect | None = map_rect(at, Rect(leaf.x, leaf.y - _CAPITALS * em, wide * em / 1000, _CAPITALS * em))
        else:
            box = bound_items((leaf,), at)
        if box is not None:
            found = box if found is None else found.unite(box)
    return found


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
        lines = source.splitlines()
        line = lines[place.line - 1].strip()[:_LONGEST_SOURCE] if 0 < place.line <= len(lines) else ""
        if DRAWN_SIGNS.search(source):
            return {}, line
        given = {**element.properties, **element.attributes}  # first: they may change the attributes
        sized = element.properties.get("font-size", "")
        found = find_literals(source, place.line, place.column)
        texts = {name: sized if name == "font-size" else given.get(name, "") for name in found}
        return {name: one for name, one in found.items() if texts[name].strip() == one.text + one.unit}, line


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
    for drawn in _draw_elements(scene, root, *opened) if opened else ():
        box, place = _find_box(scene, drawn, workshop.measure_advance), scene.place_of(drawn.element)
        values, line = sources.find_element(place, drawn.element)
        if box is not None and (drawn.element.tag != "rect" or values.keys() & {"x", "y"}):
            boxes.append(_make_entry(scene, drawn, box, place, values, line))
    times = Counter((one["file"], one["line"], one["column"]) for one in boxes)
    for one in boxes:
        one["times"] = times[one["file"], one["line"], one["column"]]
    used = {one["file"] for one in boxes} & sources.paths.keys()
    files = {file: {"digest": sources.read_source(file)[1], "path": sources.paths[file].as_posix()} for file in used}
    return {"width": outer[2], "height": outer[3], "safe": kind.safe, "files": files, "boxes": boxes}


def _make_entry(
    scene: Scene, drawn: _DrawnElement, box: Rect, place: Place, values: Mapping[str, Literal], line: str
) -> dict[str, Any]:
    a, b, c, d, _, _ = drawn.own
    upright = abs(b) < 1e-9 and abs(c) < 1e-9 and a > 0 and d > 0
    words = "".join(leaf.text for leaf, _ in walk_leaves(drawn.items) if isinstance(leaf, TextRun))
    href = find_link(drawn.element).rpartition("/")[2]
    named = words if drawn.element.tag in ("text", "textbox") else href or drawn.element.attributes.get("id", "")
    x, y = (scene.read_length(drawn.element, name, 0.0) for name in ("x", "y"))
    return {
        "tag": drawn.element.tag,
        "name": named[:_LONGEST_NAME],
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "source": line,
        **{name: round(getattr(box, name), 4) for name in ("x", "y", "width", "height")},
        "scale": [a, d] if upright else None,
        "anchor": list(map_point(drawn.own, (x, y))),
        "values": {name: {"text": values[name].text, "unit": values[name].unit, "per": values[name].per}
                   for name in EDITABLE if name in values},
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class TemplateEdit:
    """An order to change numbers of the start tag at a place in a template with this digest (sha256)."""

    file: str
    line: int
    column: int
    digest: str
    values: Mapping[str, Change]


def read_order(body: bytes) -> TemplateEdit | None:
    """Return the order in a JSON text, or None if it is none."""
    try:
        given = json.loads(body)
        order = TemplateEdit(*(given[name] for name in ("file", "line", "column", "digest", "values")))
        values = {str(name): (old, new) for name, (old, new) in order.values.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    texts = isinstance(order.file, str) and isinstance(order.digest, str)
    fits = all(isinstance(old, str) and type(new) in (str, int, float) for old, new in values.values())
    if not (texts and fits and type(order.line) is type(order.column) is int):
        return None
    return TemplateEdit(order.file, order.line, order.column, order.digest, values)


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
