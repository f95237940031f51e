"""Reads a tagged PDF as a program for the blind would: its elements in order, and the words that each one holds."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pikepdf

PAINTS = frozenset(("Tj", "TJ", "f", "f*", "S", "B", "B*", "Do", "sh"))
CLOSES = {"EMC": ("BDC", "BMC"), "Q": ("q",), "ET": ("BT",)}


@dataclass
class Element:
    """An element: its type, its dictionary, its words and elements as they follow each other."""

    kind: str
    entry: Any
    pdf: Any  # entries live as long as their file
    kids: "list[Element | str | Link]" = field(default_factory=list)

    @property
    def text(self) -> str:
        """What is read: the words that it stands for where it says so, else those that it holds."""
        said = self.entry.get("/ActualText")
        if said is not None:
            return str(said)
        return "".join(kid if isinstance(kid, str) else kid.text for kid in self.kids if not isinstance(kid, Link))

    @property
    def shape(self) -> Any:
        """Its type with those below it; words and links left out."""
        inner = [kid.shape for kid in self.kids if isinstance(kid, Element)]
        return (self.kind, *inner) if inner else self.kind

    def all(self, *kinds: str) -> "Iterator[Element]":
        """It and all below it, in reading order, of these types."""
        if not kinds or self.kind in kinds:
            yield self
        for kid in self.kids:
            if isinstance(kid, Element):
                yield from kid.all(*kinds)

    def attribute(self, name: str) -> Any:
        return self.entry.get("/A", pikepdf.Dictionary()).get(name)


@dataclass
class Link:
    """An element's reference to a link's annotation."""

    annotation: Any


@dataclass
class Marked:
    """A marked sequence of a page: its tag, its number (-1: an artifact's), its words, how often it paints."""

    tag: str
    number: int
    words: str = ""
    paints: int = 0


class Reader:
    """A tagged file."""

    def __init__(self, file: Any):
        self.pdf = pikepdf.open(file)

    @cached_property
    def pages(self) -> list[tuple[list[Marked], int]]:
        """Of each page its marked sequences in drawing order, and how much is painted outside of them."""
        return [_marked(page) for page in self.pdf.pages]

    @cached_property
    def document(self) -> Element:
        """The only element at the top."""
        return self._element(self.pdf.Root.StructTreeRoot.K)

    def _element(self, entry: Any) -> Element:
        made = Element(str(entry.S)[1:], entry, self.pdf)
        for kid in entry.get("/K", []):
            if isinstance(kid, int):
                made.kids.append(self._words(entry.Pg, kid))
            elif kid.get("/Type") == "/MCR":
                made.kids.append(self._words(kid.Pg, int(kid.MCID)))
            elif kid.get("/Type") == "/OBJR":
                made.kids.append(Link(kid.Obj))
            else:
                assert kid.P.objgen == entry.objgen, "a child names its parent"
                made.kids.append(self._element(kid))
        return made

    def _words(self, page: Any, number: int) -> str:
        return next(mark.words for mark in self.pages[pikepdf.Page(page).index][0] if mark.number == number)


def _marked(page: Any) -> tuple[list[Marked], int]:
    maps: dict[str, dict[int, str]] = {}
    found: list[Marked] = []
    inside: list[tuple[Marked | None, str | None]] = []
    nested: list[str] = []
    font, loose = "", 0
    for operands, operator in pikepdf.parse_content_stream(page):
        name = str(operator)
        _nest(nested, name)
        if name in ("BDC", "BMC"):
            tag, properties = str(operands[0])[1:], operands[1] if len(operands) > 1 else {}
            number = properties.get("/MCID", -1 if tag == "Artifact" else None)
            if number is not None:
                assert not any(mark for mark, _ in inside), "one sequence is not inside another"
                found.append(Marked(tag, int(number)))
            said = properties.get("/ActualText")
            inside.append((found[-1] if number is not None else None, None if said is None else str(said)))
            if said is not None and found:
                found[-1].words += str(said)
        elif name == "EMC":
            inside.pop()
        elif name == "Tf":
            font = str(operands[0])
            if font not in maps:
                maps[font] = _unicode(page.Resources.Font[font])
        if name not in PAINTS:
            continue
        if not any(mark for mark, _ in inside):
            loose += 1
            continue
        found[-1].paints += 1
        if name in ("Tj", "TJ") and not any(said is not None for _, said in inside):
            parts = operands[0] if name == "TJ" else [operands[0]]
            codes = b"".join(bytes(part) for part in parts if isinstance(part, pikepdf.String))
            glyphs = [int.from_bytes(codes[at : at + 2], "big") for at in range(0, len(codes), 2)]
            found[-1].words += "".join(maps[font][glyph] for glyph in glyphs)
    assert not inside and not nested, "every sequence ends"
    return found, loose


def _nest(nested: list[str], name: str) -> None:
    """Operators that open and close something do so in pairs."""
    if name in CLOSES:
        assert nested and nested.pop() in CLOSES[name], "a sequence ends where it began, between q and Q too"
    elif any(name in opened for opened in CLOSES.values()):
        nested.append(name)


def _unicode(font: Any) -> dict[int, str]:
    pairs = re.findall(r"<([0-9A-F]{4})> <([0-9A-F]+)>\n", font.ToUnicode.read_bytes().decode("ascii"))
    return {int(glyph, 16): bytes.fromhex(text).decode("utf-16-be") for glyph, text in pairs}
