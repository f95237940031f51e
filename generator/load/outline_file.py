"""The outline that a drawing gives: the one line of an SVG file, put on the piece as large as it is printed."""

from xml.parsers import expat

from generator.errors import Unfit
from generator.files import MalformedXml, parse_xml, read_file
from generator.model.geometry import IDENTITY, Matrix, read_transform, times
from generator.model.outline import subpaths
from generator.model.path_data import canonical_as_far
from generator.model.resources import Resources
from generator.units import Size, scan_numbers

MOST_SEGMENTS = 2_000
"""Of a line that scissors or a machine follow: what is more was traced from a picture."""

_DEEPEST = 200
_UNEQUAL = 0.01
"""The file's page may be so much wider or higher than the piece, as a share."""

_ASIDE = frozenset(["defs", "clipPath", "mask", "symbol", "marker", "pattern", "metadata", "namedview"])
"""What an editor keeps in a file and doesn't draw."""

_SHAPES = frozenset(["path", "polygon", "polyline", "rect", "circle", "ellipse", "line", "text", "image", "use"])


def outline_file(name: str, game: str, resources: Resources, size: Size) -> str:
    """Path data in mm of the line that a file of the game's templates draws; Unfit where it gives none.

    The file's page, its viewBox or else its width and height, is the piece: so its units don't matter.
    """
    homes = (f"templates/{game}", "templates/common")
    path = next((found for home in homes if (found := resources.find(home, name)) is not None), None)
    if path is None:
        raise Unfit(f"there is no file '{name}'", f"put the drawing of the outline into templates/{game}")
    reader = _Reader()
    try:
        parse_xml(reader.parser, read_file(path, "markup"))
    except MalformedXml as error:
        raise Unfit(f"'{name}' is no SVG file: line {error.line}: {error}", error.hint) from error
    except Unfit as unfit:
        raise Unfit(f"'{name}': {unfit}", unfit.hint) from unfit
    if len(reader.drawn) != 1:
        what = f"'{name}' draws {len(reader.drawn) or 'no'} shapes"
        raise Unfit(what, "leave one closed line in it: where the piece is cut")
    return _on_piece(name, reader, size)


def _on_piece(name: str, reader: "_Reader", size: Size) -> str:
    if reader.page is None:
        raise Unfit(f"'{name}' has neither a viewBox nor width and height", "save it with a page as large as the piece")
    x, y, width, height = reader.page
    if abs(width * size.height - height * size.width) > _UNEQUAL * height * size.width:
        what = f"the page of '{name}' is {width:g} x {height:g}, which {size.width:g} x {size.height:g} mm stretches"
        raise Unfit(what, "give page and `size` the same proportions")
    ((data, placed),) = reader.drawn
    onto = (size.width / width, 0.0, 0.0, size.height / height, -x * size.width / width, -y * size.height / height)
    line, fault = canonical_as_far(data, times(onto, placed))
    if fault:
        raise Unfit(f"'{name}': {fault}", "save it anew from the program that drew it")
    count = sum(len(part.segments) for part in subpaths(line))
    if count > MOST_SEGMENTS:
        what = f"the line of '{name}' has {count:,} pieces, more than {MOST_SEGMENTS:,}"
        raise Unfit(what, "simplify it (Inkscape: Path > Simplify)")
    return line


class _Reader:
    """Follows a drawing and keeps its shapes as path data, each with where it is placed."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.page: tuple[float, float, float, float] | None = None
        self.drawn: list[tuple[str, Matrix]] = []
        self._placed: list[Matrix] = []
        self._aside = 0

    def _doctype(self, *_: object) -> None:
        raise Unfit("it has a DTD", "save it as plain SVG")

    def _start(self, full: str, attributes: dict[str, str]) -> None:
        tag = full.rpartition(":")[2]
        if not self._placed:
            self._begin(tag, attributes)
        if len(self._placed) > _DEEPEST:
            raise Unfit(f"elements lie more than {_DEEPEST} deep in each other", "save it anew, ungrouped")
        above = self._placed[-1] if self._placed else IDENTITY
        self._placed.append(times(above, read_transform(attributes.get("transform", ""))))
        if self._aside or tag in _ASIDE:
            self._aside += 1
        elif tag in _SHAPES:
            self.drawn.append((_path_data(tag, attributes), self._placed[-1]))

    def _end(self, _full: str) -> None:
        self._placed.pop()
        self._aside = max(0, self._aside - 1)

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        if tag != "svg":
            raise Unfit(f"its first element is <{tag}>", "name an SVG file")
        box = _numbers(attributes.get("viewBox", ""))
        if len(box) != 4:
            box = [0.0, 0.0, *_numbers(attributes.get("width", "")), *_numbers(attributes.get("height", ""))]
        if len(box) == 4 and min(box[2:]) > 0:
            self.page = (box[0], box[1], box[2], box[3])


def _path_data(tag: str, attributes: dict[str, str]) -> str:
    """A shape as path data; Unfit for what has no line of its own."""

    def read(name: str) -> float:
        found = _numbers(attributes.get(name, ""))
        return found[0] if found else 0.0

    if tag == "path":
        return attributes.get("d", "")
    if tag in ("polygon", "polyline"):
        return f"M {attributes.get('points', '')}" + (" Z" if tag == "polygon" else "")
    if tag == "rect" and not (read("rx") or read("ry")):
        return f"M {read('x')} {read('y')} h {read('width')} v {read('height')} h {-read('width')} Z"
    if tag in ("circle", "ellipse"):
        rx, ry = (read("r"), read("r")) if tag == "circle" else (read("rx"), read("ry"))
        arc = f"a {rx} {ry} 0 1 1"
        return f"M {read('cx') - rx} {read('cy')} {arc} {2 * rx} 0 {arc} {-2 * rx} 0 Z"
    what = "a rectangle with round corners" if tag == "rect" else f"<{tag}>"
    raise Unfit(f"{what} is no path", "turn it into a path (Inkscape: Path > Object to Path)")


def _numbers(text: str) -> list[float]:
    return [value for value, _ in scan_numbers(text)[0]]
