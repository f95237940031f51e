"""The characters of a text with their styles, where they are put and how they are moved."""

from collections.abc import Sequence
from dataclasses import replace

from generator.dataclass import dataclass
from generator.errors import Unfit
from generator.svg.foreign.desk import Desk, Station
from generator.svg.foreign.measures import length, lengths, numbers
from generator.svg.foreign.nodes import Node
from generator.svg.foreign.outlines import SHAPES
from generator.svg.foreign.style import ArtStyle

MOST_CHARACTERS = 20_000
"""Of a text; and of a drawing as many places of their own, as each is a run of type that checks compare."""


@dataclass(slots=True)
class Char:
    """A character with its style, where it is put and how it is moved: None where it follows the one before."""

    char: str
    node: Node
    spot: Station
    rise: float
    path: Node | None = None
    x: float | None = None
    y: float | None = None
    dx: float | None = None
    dy: float | None = None
    rotate: float | None = None


class Letters:
    """Gathers the characters of a drawing's texts."""

    def __init__(self, desk: Desk):
        self._desk = desk

    def of(self, node: Node, spot: Station) -> list[Char]:
        """The characters of a <text>, without the blanks that don't count."""
        chars: list[Char] = []
        if sum(len(part) for one in node.within() for part in one.parts if isinstance(part, str)) > MOST_CHARACTERS:
            self._desk.notes.add(node.at, f"a text of more than {MOST_CHARACTERS:,} characters is left out")
            return []
        self._gather(node, spot, chars, None, 0.0)
        while chars and chars[-1].char == " " and not chars[-1].spot.style.preserved:
            chars.pop()
        return chars

    def _gather(self, node: Node, spot: Station, chars: list[Char], path: Node | None, rise: float) -> None:
        start = len(chars)
        for part in node.parts:
            if isinstance(part, str):
                self._add(part, node, spot, chars, path, rise)
            elif part.tag in ("tspan", "a", "textPath", "tref"):
                if part.declared.get("display", "") == "none":
                    continue
                style = self._desk.styles.derived(spot.style, part, spot.measure)
                within = replace(self._desk.deeper(spot, part, 1), style=style)
                along = self._path_of(part) if part.tag == "textPath" else path
                if part.tag == "textPath" and along is None:
                    continue
                self._gather(part, within, chars, along, rise + self._shifted(part, spot.style, within))
        self._place(node, spot, chars[start:])

    def _add(self, text: str, node: Node, spot: Station, chars: list[Char], path: Node | None, rise: float) -> None:
        style = spot.style
        if style.capitals == "uppercase" or style.small_caps:
            text = text.upper()
        elif style.capitals == "lowercase":
            text = text.lower()
        for given in text:
            char = " " if given in "\t\n\r" else given
            if char == " " and not style.preserved:
                before = chars[-1] if chars else None
                if before is None or (before.char == " " and not before.spot.style.preserved):
                    continue
            chars.append(Char(char, node, spot, rise, path))

    def _place(self, node: Node, spot: Station, chars: Sequence[Char]) -> None:
        if node.tag == "textPath":
            return
        measure = spot.measure._replace(em=spot.style.size)
        for name, axis in (("x", "x"), ("y", "y"), ("dx", "x"), ("dy", "y")):
            text = node.attributes.get(name)
            if not text:
                continue
            try:
                values = lengths(text, measure, axis)
            except Unfit as mistake:
                self._desk.notes.add(node.at, f"{name}: {mistake}")
                continue
            for char, value in zip(chars, values, strict=False):
                if getattr(char, name) is None:
                    setattr(char, name, value)
        turns = numbers(node.attributes.get("rotate", ""))
        if turns:
            for at, char in enumerate(chars):
                if char.rotate is None:
                    char.rotate = turns[min(at, len(turns) - 1)]

    def _shifted(self, node: Node, parent: ArtStyle, spot: Station) -> float:
        text = node.declared.get("baseline-shift", "").strip().lower()
        if text in ("", "baseline", "inherit", "initial"):
            return 0.0
        if text in ("super", "sub"):
            return parent.size * (0.4 if text == "super" else -0.2)
        size = spot.style.size
        try:
            return length(text, spot.measure._replace(em=size, width=size, height=size))
        except Unfit as mistake:
            self._desk.notes.add(node.at, f"baseline-shift: {mistake}")
            return 0.0

    def _path_of(self, node: Node) -> Node | None:
        target = self._desk.ids.get(node.attributes.get("href", "").strip().removeprefix("#"))
        if target is None or target.tag not in SHAPES:
            self._desk.notes.add(node.at, "text on a path that is not in the file is left out")
            return None
        return target
