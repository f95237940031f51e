"""Labels to be cut out and glued to sleeves: a piece's name, and a QR code that leads to what it says."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from generator.errors import ProblemsFound
from generator.faces.workshop import Workshop
from generator.model.drawing import Group, Item, Shape
from generator.model.outline import rectangle
from generator.model.path_data import canonical
from generator.model.sheet import Document, Page
from generator.model.text import Plain
from generator.pages.blocks import Lettering, Stack
from generator.pages.parts import PartSetter
from generator.pages.setter import Setter
from generator.pages.style import HAIR, RULE, Look, list_format
from generator.templates.codes import qr
from generator.units import Rect, Size

PAPER = Size(210.0, 297.0)
LABEL = Size(62.0, 32.0)
"""mm of a label, lines between labels shared."""

ACROSS, DOWN = 3, 8
"""Labels on a sheet; around them is more than the margin of any printer."""

CODE, _WHITE = 24.0, 4.0
"""mm of a code, and what stays white around it: four modules of the largest code that is printed."""

_NAMES, _KIND, _BETWEEN = (10.0, 8.0, 6.5), 6.5, 1.0
"""Points of a name, the largest with which it finds room, and of its kind; mm between them."""


class CodeLabel(NamedTuple):
    """A piece's name, what it is, and the address to which its code leads."""

    name: str
    kind: str
    address: str


def code_labels(workshop: Workshop, lang: str, title: str, labels: Sequence[CodeLabel]) -> Document:
    """Sheets of labels in their order; ProblemsFound for names that can't be set, ValueError as `qr` has it."""
    setter = Setter(workshop, Look(list_format("", PAPER, 0.0), lang, "ink"), f"labels ({lang}): {{}}")
    many = ACROSS * DOWN
    pages = [
        Page(PAPER, "front", at // many + 1, (), tuple(_sheet(setter, labels[at : at + many])))
        for at in range(0, len(labels), many)
    ]
    if setter.problems:
        raise ProblemsFound(setter.problems)
    return Document(title, lang, tuple(pages))


def _sheet(setter: Setter, labels: Sequence[CodeLabel]) -> Iterator[Item]:
    left = (PAPER.width - ACROSS * LABEL.width) / 2
    top = (PAPER.height - DOWN * LABEL.height) / 2
    for at, label in enumerate(labels):
        x, y = left + at % ACROSS * LABEL.width, top + at // ACROSS * LABEL.height
        yield Group(tuple(_label(setter, label)), (1.0, 0.0, 0.0, 1.0, x, y))


def _label(setter: Setter, label: CodeLabel) -> Iterator[Item]:
    """A label from its upper left corner on: line to cut along, code, words beside it at half its height."""
    yield Shape(rectangle(Rect(0, 0, LABEL.width, LABEL.height)), stroke=RULE, width=HAIR, role="mark")
    code = Shape(canonical(qr(label.address, CODE)), fill="ink", role="art")
    yield Group((code,), (1.0, 0.0, 0.0, 1.0, _WHITE, _WHITE))
    x = CODE + 2 * _WHITE
    width = LABEL.width - x - _WHITE / 2
    for size in _NAMES:
        name = Lettering((Plain(label.name),), setter.look.plain(size), width)
        kind = Lettering((Plain(label.kind),), setter.look.plain(_KIND), width, above=_BETWEEN)
        strip = PartSetter(setter, LABEL.height).strip(Stack((name, kind)))
        if strip.height <= CODE:
            break
    down = max(0.0, (LABEL.height - strip.height) / 2)
    for thing in strip.things:
        yield Group(tuple(thing.items), (1.0, 0.0, 0.0, 1.0, x + thing.box.x, down + thing.box.y))
