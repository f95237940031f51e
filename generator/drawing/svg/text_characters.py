"""The characters of texts in art files, with their styles and places."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from generator.base.errors import InvalidInput
from generator.drawing.svg.reader_state import NodeContext, ReaderState
from generator.drawing.svg.style import Style
from generator.drawing.svg.tree import Element
from generator.drawing.svg.values import list_numbers, parse_length, parse_lengths
from generator.drawing.svg.vocabulary import SHAPES

MOST_CHARACTERS = 20_000
"""Of a text; and of a drawing as many places of their own, as each is a run of type that checks compare."""


@dataclass(slots=True)
class Char:
    """A character with its style, where it is put and how it is moved: None where it follows the one before."""

    char: str
    node: Element
    spot: NodeContext
    rise: float
    path: Element | None = None
    x: float | None = None
    y: float | None = None
    dx: float | None = None
    dy: float | None = None
    rotate: float | None = None


class TextCharacters:
    """Gathers the characters of a drawing's texts."""

    def __init__(self, desk: ReaderState):
        self._desk = desk

    def collect_characters(self, node: Element, spot: NodeContext) -> list[Char]:
        """Return the characters of a <text> without collapsed blanks."""
        chars: list[Char] = []
        if (
            sum(len(part) for one in node.iter_elements() for part in one.parts if isinstance(part, str))
            > MOST_CHARACTERS
        ):
            self._desk.notes.add(node.at, f"a text has more than {MOST_CHARACTERS:,} characters and is ignored")
            return []
        self._collect_within(node, spot, chars, None, 0.0)
        while chars and chars[-1].char == " " and not chars[-1].spot.style.preserved:
            chars.pop()
        return chars

    def _collect_within(
        self, node: Element, spot: NodeContext, chars: list[Char], path: Element | None, rise: float
    ) -> None:
        start = len(chars)
        for part in node.parts:
            if isinstance(part, str):
                self._add_characters(part, node, spot, chars, path, rise)
            elif part.tag in ("tspan", "a", "textPath", "tref"):
                if part.properties.get("display", "") == "none":
                    continue
                style = self._desk.derive_style(spot.style, part, spot.measure)
                within = replace(self._desk.go_deeper(spot, part, 1), style=style)
                along = self._find_text_path(part) if part.tag == "textPath" else path
                if part.tag == "textPath" and along is None:
                    continue
                within_rise = rise + self._read_baseline_shift(part, spot.style, within)
                self._collect_within(part, within, chars, along, within_rise)
        self._read_positions(node, spot, chars[start:])

    def _add_characters(
        self, text: str, node: Element, spot: NodeContext, chars: list[Char], path: Element | None, rise: float
    ) -> None:
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

    def _read_positions(self, node: Element, spot: NodeContext, chars: Sequence[Char]) -> None:
        if node.tag == "textPath":
            return
        measure = spot.measure._replace(em=spot.style.size)
        for name, axis in (("x", "x"), ("y", "y"), ("dx", "x"), ("dy", "y")):
            text = node.attributes.get(name)
            if not text:
                continue
            try:
                values = parse_lengths(text, measure, axis)
            except InvalidInput as mistake:
                self._desk.notes.add(node.at, f"{name}: {mistake}")
                continue
            for char, value in zip(chars, values, strict=False):
                if getattr(char, name) is None:
                    setattr(char, name, value)
        turns = list_numbers(node.attributes.get("rotate", ""))
        if turns:
            for at, char in enumerate(chars):
                if char.rotate is None:
                    char.rotate = turns[min(at, len(turns) - 1)]

    def _read_baseline_shift(self, node: Element, parent: Style, spot: NodeContext) -> float:
        text = node.properties.get("baseline-shift", "").strip().lower()
        if text in ("", "baseline", "inherit", "initial"):
            return 0.0
        if text in ("super", "sub"):
            return parent.size * (0.4 if text == "super" else -0.2)
        size = spot.style.size
        try:
            return parse_length(text, spot.measure._replace(em=size, width=size, height=size))
        except InvalidInput as mistake:
            self._desk.notes.add(node.at, f"baseline-shift: {mistake}")
            return 0.0

    def _find_text_path(self, node: Element) -> Element | None:
        target = self._desk.ids.get(node.attributes.get("href", "").strip().removeprefix("#"))
        if target is None or target.tag not in SHAPES:
            self._desk.notes.add(node.at, "text follows a path that is not in the file and is ignored")
            return None
        return target
