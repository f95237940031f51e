"""Objects of a drawn layout: the elements of its file with their places, names, styles and boxes."""

import re
from contextlib import suppress
from typing import NamedTuple
from xml.parsers import expat

from generator.base.display_list import ArtNote
from generator.base.errors import InvalidInput, Place, Problem
from generator.base.files import MalformedXml, parse_xml
from generator.base.geometry import (
    IDENTITY,
    MM_PER_INCH,
    Matrix,
    Rect,
    map_rect,
    multiply,
    read_transform,
    scan_numbers,
)
from generator.base.outlines import find_bounds
from generator.base.path_data import to_canonical_path
from generator.drawing.svg.scene import Scene
from generator.drawing.svg.shape_outlines import describe_outline
from generator.drawing.svg.tree import DEEPEST_ART, Element
from generator.drawing.svg.values import MM, Box, convert_length
from generator.drawing.svg.vocabulary import SHAPES
from generator.drawing.templates.template_sources import DRAWN

_START_TAG = re.compile(rb"<(?:[^>\"']|\"[^\"]*\"|'[^']*')*>")
BOXED = SHAPES | {"image", "use", "foreignObject"}

_NAMES = ("inkscape:label", "serif:id", "data-name", "id")
"""The attributes in which programs write the name of an object, the best first. LibreOffice writes its title."""

_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{2,4})_")
_COPY = re.compile(r"((?:if:\s*)?card(?:\.[A-Za-z_]\w*?)+)(?:_\d+_|-\d+)")
"""An ID that is used twice: Illustrator adds `_1_`, Inkscape `-2`. Labels stay as they are."""


class SourceSpan(NamedTuple):
    """The bytes that an element takes in the source: its tag up to `inner`, and all of it up to `end`."""

    start: int
    inner: int
    end: int


def join_words(each: Element) -> str:
    """Return the text in an element. Each paragraph of a frame but the first begins a line."""
    words = ""
    for part in each.parts:
        if isinstance(part, Element):
            begins = part.tag == "flowPara" or "TextParagraph" in part.attributes.get("class", "")
            words += ("\n" if begins and words.strip() else "") + join_words(part)
        elif part.strip() or "\n" not in part or not each.children:
            words += part  # all but the file's own lines between elements
    return words if each.tag in _WORDED else words.strip()


def find_name(each: Element) -> str:
    """Return the name that a designer gave an object, without a program's escapes and numbers of copies."""
    title = next((join_words(child) for child in each.children if child.tag == "title"), "")
    source = next((name for name in _NAMES if each.attributes.get(name)), "")
    found = title if re.match(r"card\.|if:", title) else each.attributes.get(source, "")
    name = _ESCAPED.sub(lambda code: chr(int(code[1], 16)), found).strip()
    copied = _COPY.fullmatch(name) if source == "id" else None
    return copied[1] if copied else name


_WORDED = frozenset(["text", "tspan", "flowPara", "flowSpan", "flowRoot", "textPath"])


def parse_objects(data: bytes) -> tuple[Element, dict[Element, SourceSpan]] | None:
    """Return the root of a file and where its elements are, or None if it is not well-formed."""
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    opened, spans = list[Element](), dict[Element, SourceSpan]()

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(opened) > DEEPEST_ART:
            raise MalformedXml("nested too deeply")
        above, begin = opened[-1] if opened else None, parser.CurrentByteIndex
        each = Element(tag.rpartition(":")[2], attributes, "", above)
        head = _START_TAG.match(data, begin)
        inner = head.end() if head else begin
        spans[each] = SourceSpan(begin, inner, inner)
        if above is not None:
            above.add_child(each)
        opened.append(each)

    def end(_: str) -> None:
        each = opened.pop()
        span = spans[each]
        if data[span.inner - 2 : span.inner] != b"/>":
            spans[each] = span._replace(end=data.index(b">", parser.CurrentByteIndex) + 1)

    def add(words: str) -> None:
        opened[-1].parts.append(words)

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, add
    try:
        parse_xml(parser, data)
    except MalformedXml:
        return None
    finally:
        parser.StartElementHandler = parser.EndElementHandler = parser.CharacterDataHandler = None
    return next(iter(spans)), spans


def describe_object(each: Element) -> str:
    """Return an object's name in quotes, and `in the layer` with that of its layer if it is in one."""
    layer: Element | None = each
    while layer is not None and layer.attributes.get("inkscape:groupmode") != "layer":
        layer = layer.parent
    name = find_name(each) or each.tag
    return f"'{name}' in the layer '{find_name(layer)}'" if layer is not None else f"'{name}'"


def find_style(text: Element, name: str, default: str) -> str:
    """Return a property of a text: that of its first words, else its own, a group's around it, or `default`."""
    inner = [one for one in text.iter_elements() if any(isinstance(part, str) and part.strip() for part in one.parts)]
    each = inner[0] if inner else text
    while each is not None:
        if name in each.properties:
            return each.properties[name]
        each = each.parent  # type: ignore[assignment]
    return default


def find_first_place(text: Element, name: str) -> str:
    """Return the first `x` or `y`, whichever is `name`, of a text's lines as text, or `0`."""
    places = (one.attributes[name] for one in text.iter_elements() if name in one.attributes and one.tag == "tspan")
    return next(places, "0").split()[0]


def read_number(text: str) -> float:
    """Return the number at the beginning of a value, without its unit, or 0."""
    numbers, _ = scan_numbers(text)
    return numbers[0][0] if numbers else 0.0


def find_box(each: Element) -> Rect | None:
    """Return the box around an object in its own coordinates, or None if it has no size."""

    def read(name: str) -> float:
        return read_number(each.attributes.get(name, "0"))

    box: Rect | None = None
    if each.tag in ("image", "use", "foreignObject"):
        box = Rect(read("x"), read("y"), read("width"), read("height"))
    elif each.tag in BOXED:
        with suppress(InvalidInput):
            box = find_bounds(to_canonical_path(describe_outline(each, read)))
    else:
        for child in each.children:
            if (inner := find_box(child)) is not None:
                there = map_rect(read_matrix(child), inner)
                box = there if box is None else box.unite(there)
    return box if box is not None and box.width > 0 and box.height > 0 else None


def read_matrix(each: Element) -> Matrix:
    """Return the matrix of an element's own transform, the identity if it can't be read."""
    try:
        return read_transform(each.attributes.get("transform", ""), lambda value, _unit, _kind: value)
    except InvalidInput:
        return IDENTITY


def find_matrix(each: Element) -> Matrix:
    """Return the matrix from an object's own coordinates to the document's."""
    matrix, above = read_matrix(each), each.parent
    while above is not None:
        matrix, above = multiply(read_matrix(above), matrix), above.parent
    return matrix


SAME_SIZE, _SAME_SHAPE = 0.15, 0.01
"""By how many mm a document's sides may differ from the card's, and by what share its ratio may."""

DOTS = (96, 72, 300, 600)
"""Dots per inch at which programs draw in pixels, the most usual first."""


def open_layout(scene: Scene, root: Element, box: Box | None, outer: Box) -> tuple[Box | None, Box]:
    """Add the notes of a drawn layout. Return its viewBox and the box of its document: the card's trim or bleed (mm).

    Add a problem if the document has neither size. One in pixels may have any resolution. `preserveAspectRatio` with
    `none`, `meet` or `slice` asks to scale it; LibreOffice always writes `xMidYMid`.
    """
    for note in root.attributes[DRAWN].splitlines():
        line, _, said = note.partition(":")
        at = Place(scene.place_of(root).file, int(line))
        if said.startswith("!"):
            scene.problems.append(Problem(at, said[1:]))
        else:
            scene.marks.append(ArtNote(f"{at}: {said}"))
    sides = [scan_numbers(root.attributes.get(name, ""))[0][:1] for name in ("width", "height")]
    if scene.design is None or (box is None and not all(sides)):
        return box, outer
    width, height = (number for ((number, _),) in sides) if all(sides) else box[2:]  # type: ignore[index]
    box = box or (0.0, 0.0, width, height)
    kind = scene.studio.game.kinds[scene.design.kind]
    bleed = kind.bleed
    places = (outer, (-bleed, -bleed, outer[2] + 2 * bleed, outer[3] + 2 * bleed))
    unit = sides[0][0][1] if all(sides) else "px"
    in_pixels = unit in ("", "px", "%")
    if unit == "%":
        width, height = box[2:]
    if not in_pixels:
        width, height = (convert_length(number, each, MM) for ((number, each),) in sides)
    for scale in [MM_PER_INCH / dots for dots in DOTS] if in_pixels else [1.0]:
        for place in places:
            if max(abs(width * scale - place[2]), abs(height * scale - place[3])) <= SAME_SIZE:
                return box, place
    place = min(places, key=lambda each: abs(width / height * each[3] / each[2] - 1))
    like = abs(width / height * place[3] / place[2] - 1) <= _SAME_SHAPE
    asked = root.attributes.get("preserveAspectRatio", "").split()[-1:] in (["none"], ["meet"], ["slice"])
    if not asked and not (in_pixels and like):
        sizes = [f"{each[2]:g} x {each[3]:g} mm" for each in places]
        own = f"{width:g} x {height:g} {'px' if in_pixels else 'mm'}"
        hint = 'change the size of the document, or write preserveAspectRatio="xMidYMid meet" on <svg> to scale it'
        scene.add_problem(root, f"the document is {own}, but the {kind.form} {sizes[0]}, with bleed {sizes[1]}", hint)
    return box, place
