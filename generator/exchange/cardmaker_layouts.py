"""Layouts of CardMaker: the elements of a project file."""

import re
from collections.abc import Mapping
from typing import Any

from generator.base.errors import Place, Problem
from generator.base.geometry import MM_PER_INCH, Rect
from generator.exchange.foreign_project import FoundProject, parse_decimal
from generator.exchange.layout_items import FORMATS, LaidItem, read_colour, split_columns

_SCREEN = 96.0
"""Dots per inch that CardMaker's sizes of type are for, whatever the layout's are."""

_INTEGER = re.compile(r"-?[0-9]{1,6}", re.ASCII)
_COLUMN = r"@\[(?!!)([^\]\n]{1,100})\]"
_LONGEST_TEXT = 20_000
_COMPUTED = re.compile(r"#\(|^(?:#\w+)?##|#(?:sc|bg|nosave)|@\[!|\{\{?@|^#[0-9]|^[~]")
_SHAPE = re.compile(r"#(\w+);([0-9]+);([0-9]+|-);([0-9]+|-)(?:;([0-9]+))?#", re.ASCII)
_TAG = re.compile(r"</?[a-z]+(?:=[^<>]*)?>")
_ACROSS, _DOWN = ("left", "center", "right"), ("top", "middle", "bottom")


class ElementReader:
    """Reads the elements of a layout with `dpi` dots per inch."""

    def __init__(self, foreign: FoundProject, file: str, dpi: float):
        self._foreign, self._file, self._pixel = foreign, file, MM_PER_INCH / dpi
        self._points = _SCREEN / dpi
        self._line, self._column, self._name = 1, 1, ""

    def read_element(self, given: Mapping[str, str], line: int, column: int) -> list[LaidItem]:
        """Return the items of an element from back to front: its ground, itself, its border."""
        self._line, self._column = line, column
        self._name = given.get("name") or given.get("type") or "Element"
        if given.get("enabled") == "false":
            return []
        if given.get("layoutreference"):
            self._note("it refers to an element of another layout; copy it")
            return []
        x, y, width, height, thick = (
            self._read_pixels(given, name, usual)
            for name, usual in (("x", "0"), ("y", "0"), ("width", "40"), ("height", "40"), ("borderthickness", "0"))
        )
        box = Rect(x, y, width, height)
        turn = parse_decimal(given.get("rotation", "").lstrip("-")) or 0.0
        opacity = self._read_integer(given, "opacity", "255")
        common: dict[str, Any] = {
            "line": line,
            "turn": -turn if given.get("rotation", "").startswith("-") else turn,
            "pivot": (x + width / 2, y + height / 2),
            "opacity": min(max(opacity / 255, 0.0), 1.0),
        }
        ground = read_colour(given.get("backgroundcolor", ""), self._note)
        border = read_colour(given.get("bordercolor", ""), self._note) if thick > 0 else "none"
        items = [
            LaidItem(tag="rect", box=box, fill=ground, **common) if ground != "none" else None,
            self._make_item(given, box, common),
            LaidItem(tag="rect", box=box, stroke=border, stroke_width=thick, **common) if border != "none" else None,
        ]
        return [item for item in items if item is not None]

    def _note(self, what: str) -> None:
        self._foreign.leave_out(self._file, self._line, f"the element '{self._name}': {what}")

    def _read_integer(self, given: Mapping[str, str], name: str, usual: str) -> int:
        text = given.get(name, usual).strip()
        if _INTEGER.fullmatch(text):
            return int(text)
        what = f"`{name}` of the element '{self._name}' is '{text[:40]}', which is no whole number"
        place = Place(self._file, self._line, self._column)
        self._foreign.problems.append(Problem(place, what, "write a number of pixels"))
        return int(usual)

    def _read_pixels(self, given: Mapping[str, str], name: str, usual: str) -> float:
        return self._read_integer(given, name, usual) * self._pixel

    def _make_item(self, given: Mapping[str, str], box: Rect, common: dict[str, Any]) -> LaidItem | None:
        said, kind = given.get("variable", "")[:_LONGEST_TEXT], given.get("type", "Text")
        colour = read_colour(given.get("elementcolor", "0x000000FF"), self._note)
        if kind == "Shape":
            return self._make_shape(said, box, colour, common)
        if kind not in ("Text", "FormattedText", "Graphic"):
            self._note(f"'{kind}' can't be converted; draw it in the template")
            return None
        if not said.strip():
            return None
        if _COMPUTED.search(said):
            self._note(f"'{' '.join(said.split())[:60]}' is computed; write it into the template")
            return None
        if kind == "Graphic":
            if given.get("tilesize"):
                self._note("its picture is not repeated; use a pattern")
            fit = "contain" if given.get("lockaspect") == "true" else "stretch"
            if given.get("keeporiginalsize") == "true":
                box, fit = Rect(box.x, box.y, 0.0, 0.0), "contain"
            parts = split_columns(said.strip(), _COLUMN)
            return LaidItem(tag="picture", box=box, parts=parts, fit=fit, native=self._pixel, **common)
        return self._make_text(given, said, kind == "FormattedText", box, colour, common)

    def _make_text(
        self, given: Mapping[str, str], said: str, formatted: bool, box: Rect, colour: str, common: dict[str, Any]
    ) -> LaidItem:
        family, size, bold, _, italic, *_ = [*given.get("font", "").split(";"), *[""] * 6][:6]
        swaps = (("\\n", "\n"), *(FORMATS if formatted else ()))
        known = [old for old, _ in FORMATS]
        if formatted and (others := sorted({tag for tag in _TAG.findall(said) if tag not in known})):
            self._note(f"{', '.join(others)[:80]} in its text can't be converted: it is left out")
            said = _TAG.sub(lambda tag: tag[0] if tag[0] in known else "", said)
        outline = self._read_pixels(given, "outlinethickness", "0")
        across, down = (self._read_integer(given, name, "0") for name in ("horizontalalign", "verticalalign"))
        align = "justify" if given.get("justifiedtext") == "true" else _ACROSS[across if across in (1, 2) else 0]
        return LaidItem(
            tag="text", box=box, parts=split_columns(said, _COLUMN), family=family or "Arial",
            points=(parse_decimal(size) or 12.0) * self._points, bold=bold == "1", italic=italic == "1", fill=colour,
            stroke=read_colour(given.get("outlinecolor", ""), self._note) if outline > 0 else "none",
            stroke_width=outline, align=align, valign=_DOWN[down if down in (1, 2) else 0], swaps=swaps, **common,
        )  # fmt: skip

    def _make_shape(self, said: str, box: Rect, colour: str, common: dict[str, Any]) -> LaidItem | None:
        shape = _SHAPE.fullmatch(said.strip())
        if shape is None or shape[1] not in ("rect", "roundedrect", "ellipse"):
            self._note(f"the shape '{said[:60]}' can't be converted; draw it in the template")
            return None
        width, height = (
            side if text == "-" else min(int(text), 100_000) * self._pixel
            for text, side in ((shape[3], box.width), (shape[4], box.height))
        )
        thick = min(int(shape[2]), 100_000) * self._pixel
        paint = {"fill": colour} if not thick else {"stroke": colour, "stroke_width": thick}
        radius = min(int(shape[5] or 0), 100_000) * self._pixel
        tag: Any = "ellipse" if shape[1] == "ellipse" else "rect"
        return LaidItem(tag=tag, box=Rect(box.x, box.y, width, height), radius=radius, **paint, **common)
