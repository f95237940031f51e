"""Elements of a face that the page can move: their boxes, and changes of the numbers in their template."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.files import is_file, read_file, write_in_folder
from generator.base.geometry import IDENTITY, MM_PER_PT, Matrix, Rect, find_scale, map_rect, multiply
from generator.drawing.faces.draw_face import Artist
from generator.drawing.svg.tree import Element, parse_markup_tree
from generator.drawing.svg.values import MM, convert_length, fit_box, parse_length, parse_transform, parse_view_box
from generator.drawing.svg.vocabulary import NEVER_DRAWN
from generator.drawing.templates.template_sources import DRAWN
from generator.game.model import Design, FaceName, Kind

_MOVABLE = ("text", "textbox", "image", "use", "stamp")
_NUMBERS = {"x": "move", "y": "move", "width": "grow", "height": "grow", "font-size": "type"}
"""Attributes that the page may change, and how each is asked for."""

_LETTER, _ASCENT = 0.55, 0.8
"""Usual width of a letter, and height of a line above its baseline, as shares of the font size."""

_LITERAL = re.compile(r"\s*(-?(?:\d+\.?\d*|\.\d+))(mm|cm|in|pt|pc|px|Q)?\s*")
_TAG = re.compile(r"<[\w:-]+(?:[^>\"']|\"[^\"]*\"|'[^']*')*>")
_ATTRIBUTE = re.compile(r"(?<=\s)([\w:-]+)(\s*=\s*)(\"[^\"]*\"|'[^']*')")


class MovableElement(NamedTuple):
    """An element of a face: the place of its tag in the template, its box on the face (mm), and its numbers.

    `scale` is its size on the face to that in its own coordinates. `numbers` has the attributes whose values are
    numbers in the template, as written; the others are expressions or missing.
    """

    place: Place
    name: str
    box: Rect
    scale: float
    numbers: Mapping[str, str]


def find_movable_elements(
    artist: Artist, kind: Kind, design: Design, face: FaceName, lang: str, root: Path
) -> list[MovableElement]:
    """Return the texts and pictures of a face that stand upright, in the order of drawing.

    Elements of drawn layouts, of symbols and of templates outside the project folder `root` are left out. Raise
    ProblemsFound if the template can't be rendered.
    """
    variables = artist.views.make_variables(design, face, lang)
    rendered = artist.templates.render_face(f"{kind.template(design, face)}.svg", variables, lambda: None)
    locate = partial(artist.templates.locate_stamp, rendered)
    svg, _ = parse_markup_tree(rendered.markup.strip().encode(), locate, "template")
    if DRAWN in svg.attributes:
        return []
    outer = (0.0, 0.0, kind.size.width, kind.size.height)
    view = svg.attributes.get("viewBox")
    matrix = fit_box(parse_view_box(view), outer) if view else IDENTITY
    sources: dict[str, str] = {}
    found = []
    for element, around in _walk_elements(svg, matrix):
        place = locate(element.at)
        if place.file not in sources:
            file = root / place.file
            sources[place.file] = read_file(file, "markup").decode("utf-8-sig") if is_file(file) else ""
        numbers = _read_numbers(sources[place.file], place)
        box = _measure_element(element)
        if numbers is not None and box is not None:
            words = " ".join(element.text.split()) or element.attributes.get("href", "")
            name = f"{element.tag} {words[:40]}".strip()
            found.append(MovableElement(place, name, map_rect(around, box), find_scale(around), numbers))
    return found


def _walk_elements(svg: Element, matrix: Matrix) -> Iterator[tuple[Element, Matrix]]:
    """Yield the elements that can be moved, with the matrices from their coordinates to the face's."""
    waiting = [(svg, matrix)]
    while waiting:
        element, around = waiting.pop()
        try:
            own = parse_transform(element.attributes.get("transform", "none").replace("none", ""))
        except ValueError:
            continue
        inside = multiply(around, own)
        if element.tag in NEVER_DRAWN or abs(inside[1]) + abs(inside[2]) > 1e-9 or not inside[0] == inside[3] > 0:
            continue
        if element.tag in _MOVABLE:
            yield element, inside
        waiting += [(child, inside) for child in reversed(element.children)]


def _measure_element(element: Element) -> Rect | None:
    """Return the box of an element in its own coordinates; that of a line of text is estimated."""

    def read(name: str) -> float:
        return parse_length(element.attributes.get(name, "0"))

    try:
        x, y, width, height = map(read, ("x", "y", "width", "height"))
        if element.tag not in ("text", "stamp"):
            return Rect(x, y, width or height, height or width) if width or height else None
        size = parse_length(element.attributes.get("font-size", "8pt"))
    except ValueError:
        return None
    long = width or max(1, len(element.text.strip())) * size * _LETTER
    left = x - long * {"middle": 0.5, "end": 1.0}.get(element.attributes.get("text-anchor", ""), 0.0)
    return Rect(left, y - size * _ASCENT, long, size)


def _read_numbers(source: str, place: Place) -> Mapping[str, str] | None:
    """Return the numbers of the tag at a place of a template, or None if there is no tag."""
    tag = _find_tag(source, place)
    if tag is None:
        return None
    given = {each[1]: each[3][1:-1] for each in _ATTRIBUTE.finditer(tag[0])}
    return {name: given[name] for name in _NUMBERS if name in given and _LITERAL.fullmatch(given[name])}


def _find_tag(source: str, place: Place) -> "re.Match[str] | None":
    lines = source.splitlines(keepends=True)
    if not 0 < place.line <= len(lines):
        return None
    return _TAG.match(source, sum(map(len, lines[: place.line - 1])) + place.column - 1)


def change_numbers(source: str, place: Place, values: Mapping[str, str]) -> str:
    """Return a template's text with other numbers in the tag at a place. All other characters stay.

    Raise InvalidInput if the tag has no number there, or a value is no number.
    """
    tag = _find_tag(source, place)
    if tag is None:
        raise InvalidInput("the template has changed", "try again")
    out, done, left = list[str](), tag.start(), dict(values)
    for each in _ATTRIBUTE.finditer(source, tag.start(), tag.end()):
        value = left.pop(each[1], None)
        if value is not None:
            if not (_LITERAL.fullmatch(each[3][1:-1]) and _LITERAL.fullmatch(value)):
                raise InvalidInput(f"{each[1]} is not a number in the template", "change it in your text editor")
            out += [source[done : each.start(3) + 1], value]
            done = each.end(3) - 1
    if left:
        raise InvalidInput(f"{next(iter(left))} is not written in the template", "add it in your text editor")
    return "".join([source[: tag.start()], *out, source[done:]])


def add_to_number(text: str, by: float) -> str:
    """Return a number of a template that is larger by a length in mm, in its own unit, to a hundredth."""
    match = _LITERAL.fullmatch(text)
    if match is None:
        raise InvalidInput("the template computes this number, or lacks it", "change it in your text editor")
    value = round(float(match[1]) + by / convert_length(1.0, match[2] or "mm", MM), 2) + 0.0
    return f"{value:.2f}".rstrip("0").rstrip(".") + (match[2] or "")


def move_element(element: MovableElement, order: Mapping[str, Any], root: Path) -> dict[str, dict[str, str]]:
    """Write an element's new numbers into its template. Return its `old` and `new` ones.

    `order` has `move` and `grow` (two lengths on the face in mm), `type` (points) or `set` (numbers as written).
    Raise ProblemsFound, at the element's tag, if a number can't be changed.
    """
    new = {name: str(text) for name, text in dict(order.get("set") or {}).items() if name in _NUMBERS}
    try:
        for name, how in _NUMBERS.items():
            asked = order.get(how) or 0
            by = float(asked[0 if name in ("x", "width") else 1] if isinstance(asked, list) else asked * MM_PER_PT)
            if by:
                new[name] = add_to_number(element.numbers.get(name, ""), by / element.scale)
        source = read_file(root / element.place.file, "markup").decode("utf-8-sig")
        changed = change_numbers(source, element.place, new)
    except (InvalidInput, TypeError, IndexError) as mistake:
        hint = getattr(mistake, "hint", "")
        raise ProblemsFound([Problem(element.place, str(mistake), hint)]) from mistake
    write_in_folder(root, element.place.file, changed.encode())
    return {"old": {name: element.numbers[name] for name in new if name in element.numbers}, "new": new}
