"""CardMaker: the layouts of a project's XML with their sizes, and the tables that they refer to."""

import re
from collections.abc import Mapping
from dataclasses import field
from xml.parsers import expat

from generator.dataclass import dataclass
from generator.errors import Place, Problem, ProblemsFound
from generator.intake.files import StrangersFiles
from generator.intake.found import POKER, FoundProject, Unread, figure
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
        for layout in _layouts(files.text(project), project):
            name = layout.given.get("Name") or "cards"
            size = _size(layout, found, project)
            for line, path in layout.references:
                table = files.found(path, project)
                if not table:
                    what = f"the layout '{name}' refers to the table '{path}', which is not there"
                    found.unread.append(Unread(project, line, what))
                elif table in taken:
                    what = (
                        f"the layout '{name}' shows the table '{table}' once more: make a kind of it, if you want both"
                    )
                    found.unread.append(Unread(project, layout.line, what))
                else:
                    taken.add(table)
                    add_deck(files, found, table, size=size, counts="*")
            found.leave(project, {f"{name}: {kind}": lines for kind, lines in layout.elements.items()},
                        {f"{name}: {kind}": why for kind, why in _WHY.items()}, "an element of the layout")  # fmt: skip
    for defines in files.ending("_defines.csv"):
        what = "words that stand for others (@[...]): write them out, or put them under `words:`"
        found.unread.append(Unread(defines, 1, what))


@dataclass(slots=True)
class _Layout:
    """A layout with its line and attributes, the tables that it refers to, and the lines of its elements by type."""

    line: int
    given: Mapping[str, str]
    references: list[tuple[int, str]] = field(default_factory=list)
    elements: dict[str, list[int]] = field(default_factory=dict)


def _layouts(text: str, name: str) -> list[_Layout]:
    """Return the layouts of a project's XML without entities of its own, which could grow without bound."""
    if re.search(r"<!(DOCTYPE|ENTITY)", text):
        raise ProblemsFound([Problem(Place(name), "the project declares a document type", "take the line out")])
    layouts = list[_Layout]()
    parser = expat.ParserCreate()

    def begin(tag: str, given: dict[str, str]) -> None:
        line = parser.CurrentLineNumber
        if tag == "Layout":
            layouts.append(_Layout(line, given))
        elif layouts and tag == "Reference":
            layouts[-1].references.append((line, given.get("RelativePath", "")))
        elif layouts and tag == "Element":
            layouts[-1].elements.setdefault(given.get("type") or "Element", []).append(line)

    parser.StartElementHandler = begin
    try:
        parser.Parse(_bare(text), True)
    except expat.ExpatError as error:
        what = f"the project is no well-formed XML: {expat.ErrorString(error.code)}"
        raise ProblemsFound([Problem(Place(name, error.lineno, error.offset + 1), what, "save it anew")]) from error
    return layouts


def _bare(text: str) -> bytes:
    """Without the declaration, which names the encoding that the file had; lines stay where they are."""
    return re.sub(r"^<\?xml[^>]*\?>", "", text).encode("utf-8")


def _size(layout: _Layout, found: FoundProject, project: str) -> Size:
    dpi = figure(layout.given.get("dpi", "")) or _DPI
    pixels = (figure(layout.given.get(side, "")) for side in ("width", "height"))
    width, height = (side and side * MM_PER_INCH / dpi for side in pixels)
    return found.card_size(project, layout.line, width, height, POKER)
