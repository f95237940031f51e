"""CardMaker: the layouts of a project's XML with their sizes, and the tables that they refer to."""

import re
from xml.etree import ElementTree

from generator.errors import Place, Problem, ProblemsFound
from generator.intake.files import StrangersFiles
from generator.intake.found import FoundProject, Unread
from generator.intake.plain import add_deck
from generator.units import MM_PER_INCH, Size

_DPI = 300.0
_WHY = {
    "Text": "a text: where it stands and in which type; see templates/",
    "FormattedText": "a text with formats: where it stands and in which type; see templates/",
    "Graphic": "a picture: where it stands; the files are in templates/",
    "Shape": "a shape; SVG has the like for the template",
    "SubLayout": "a layout within another",
}


def is_cardmaker(files: StrangersFiles) -> bool:
    """Whether there is a project of it."""
    return bool(files.ending(".cmp"))


def read_cardmaker(files: StrangersFiles, found: FoundProject) -> None:
    """A deck for each layout and table that it refers to."""
    taken: set[str] = set()
    for project in files.ending(".cmp"):
        text = files.text(project)
        root = _parsed(text, project)
        for layout in root.iter("Layout"):
            name, line = layout.get("Name") or "cards", _line(text, "Layout", layout.get("Name") or "")
            size = _size(layout)
            for reference in layout.iter("Reference"):
                path = reference.get("RelativePath") or ""
                table = files.found(path, project)
                if not table:
                    what = f"the layout '{name}' refers to the table '{path}', which is not there"
                    found.unread.append(Unread(project, _line(text, "Reference", path), what))
                elif table in taken:
                    what = (
                        f"the layout '{name}' shows the table '{table}' once more: make a kind of it, if you want both"
                    )
                    found.unread.append(Unread(project, line, what))
                else:
                    taken.add(table)
                    add_deck(files, found, table, size=size, counts="*")
            elements: dict[str, list[int]] = {}
            for element in layout.iter("Element"):
                elements.setdefault(element.get("type") or "Element", []).append(
                    _line(text, "Element", element.get("name") or "")
                )
            found.leave(project, {f"{name}: {kind}": lines for kind, lines in elements.items()},
                        {f"{name}: {kind}": why for kind, why in _WHY.items()}, "an element of the layout")  # fmt: skip
    for defines in files.ending("_defines.csv"):
        what = "words that stand for others (@[...]): write them out, or put them under `words:`"
        found.unread.append(Unread(defines, 1, what))


def _parsed(text: str, name: str) -> ElementTree.Element:
    """The XML without entities of its own, which could grow without bound."""
    if re.search(r"<!(DOCTYPE|ENTITY)", text):
        raise ProblemsFound([Problem(Place(name), "the project declares a document type", "take the line out")])
    try:
        return ElementTree.fromstring(_bare(text))  # noqa: S314 - without entities
    except ElementTree.ParseError as error:
        line, column = error.position
        what = f"the project is no well-formed XML: {error.msg.partition(':')[0]}"
        raise ProblemsFound([Problem(Place(name, line, column + 1), what, "save it anew")]) from error


def _bare(text: str) -> bytes:
    """Without the declaration, which names the encoding that the file had; lines stay where they are."""
    return re.sub(r"^<\?xml[^>]*\?>", "", text).encode("utf-8")


def _size(layout: ElementTree.Element) -> Size:
    dpi = _number(layout, "dpi") or _DPI
    width, height = (_number(layout, side) * MM_PER_INCH / dpi for side in ("width", "height"))
    return Size(round(width, 2), round(height, 2))


def _number(layout: ElementTree.Element, name: str) -> float:
    try:
        return float(layout.get(name) or 0)
    except ValueError:
        return 0.0


def _line(text: str, tag: str, said: str) -> int:
    """The line of the first such element that says this."""
    for number, line in enumerate(text.splitlines(), 1):
        if f"<{tag}" in line and said in line:
            return number
    return 1
