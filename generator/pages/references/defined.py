"""Terms repeated small in the margin beside the lines that define them, for readers who leaf through a book."""

import re
from collections.abc import Iterator

from generator.model.text import LineBreak, Plain
from generator.pages.blocks import Inline, Term, Text
from generator.pages.leaves import Leaf
from generator.pages.lines import line_thing
from generator.pages.setter import Setter
from generator.pages.strips import LinkArea, Thing
from generator.pages.style import Look, TypeStyle
from generator.units import Rect

_SIZE, _LEADING = 6.3, 1.15
_BESIDE, _EDGE = 1.8, 4.2
"""mm from the text, and from the paper's edge, where printers at home print nothing."""

_WIDEST = 12.0
_MOST_LINES = 3
_WORDS = re.compile(r"[ァ-ヺー]+|[一-龠々]{1,2}[ぁ-ん]*|[^ァ-ヺー一-龠々]+")
"""Of a Japanese term: what is in katakana, two characters with what bends them, anything else."""


def margin_words(setter: Setter, leaf: Leaf) -> Iterator[Thing]:
    """The terms that a page defines, each in the margin nearest to its line; none that finds no room there.

    They are repeated for the eye alone: a reader who listens has just heard them.
    """
    look = setter.look
    bottoms: dict[bool, float] = {}
    for thing, area in sorted(_definitions(leaf), key=lambda found: found[0].box.y):
        right = _stands_right(look, leaf.number, thing.box.x + area.box.x + area.box.width / 2)
        margin = _margin(look, leaf.number, right)
        style = TypeStyle(_SIZE, _LEADING, phrases=True, paint=look.accent)
        made = setter.make(_by_words(setter, area, style, margin.width), style, area.place)
        if made.narrowest > margin.width:
            continue
        lines = made.lines(margin.width)
        # Its first line has the baseline of the line that it stands beside.
        top = max(thing.box.y + area.box.bottom - 0.3 * look.body.em - style.pitch, bottoms.get(right, 0.0))
        if len(lines) > _MOST_LINES or top + len(lines) * style.pitch > margin.bottom:
            continue
        for line in lines:
            box = Rect(margin.x, top, margin.width, style.pitch)
            x = 0.0 if right else margin.width - line.width
            yield line_thing(line, "artifact", x, style.pitch, box, 0)
            top += style.pitch
        bottoms[right] = top + style.pitch / 2


def _definitions(leaf: Leaf) -> Iterator[tuple[Thing, LinkArea]]:
    """The words of running text that define a term, of those in two lines the first; a title is seen without help."""
    found: set[str] = set()
    for thing in leaf.things:
        for area in thing.areas if thing.role != "heading" else ():
            if isinstance(area.mark, Term) and area.mark.defines and area.mark.id not in found:
                found.add(area.mark.id)
                yield thing, area


def _by_words(setter: Setter, area: LinkArea, style: TypeStyle, width: float) -> Text:
    """A term, in Japanese with breaks between its words where each finds room in a width (mm)."""
    lines: list[str] = []
    for word in _WORDS.findall(area.words) if setter.look.cjk else ():
        if lines and setter.make(lines[-1] + word, style, area.place).natural <= width:
            lines[-1] += word
        else:
            lines.append(word)
    if any(setter.make(line, style, area.place).natural > width for line in lines):
        lines = []
    broken: list[Inline] = []
    for line in lines or [area.words]:
        broken += [LineBreak(), Plain(line)] if broken else [Plain(line)]
    return tuple(broken)


def _stands_right(look: Look, number: int, x: float) -> bool:
    """Whether words stand in the right margin: the outer one, with several columns the one that is near."""
    return number % 2 == 1 if look.format.columns == 1 else x > look.format.size.width / 2


def _margin(look: Look, number: int, right: bool) -> Rect:
    room = look.room(number)
    width = min(_WIDEST, (look.format.size.width - room.right if right else room.x) - _BESIDE - _EDGE)
    return Rect(room.right + _BESIDE if right else room.x - _BESIDE - width, room.y, width, room.height)
