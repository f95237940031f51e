"""What is asked of the text setter and what it gives back: a box with its type, and the text as it was set."""

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

from generator.dataclass import dataclass
from generator.model.drawing import Item, Paint, Symbol, TextFrame
from generator.text.typecase import Features

Align: TypeAlias = Literal["start", "middle", "end", "justify"]
Anchor: TypeAlias = Literal["start", "middle", "end"]
ANCHORS: dict[str, Anchor] = {"start": "start", "middle": "middle", "end": "end"}
IconFinder: TypeAlias = Callable[[str, Paint], Symbol | None]
"""The drawing of an icon by its name and the colour of the text around it; None for an unknown one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TextBox:
    """Where and how a text is set: the box in mm, sizes in pt, `leading` by the size, `spacing` in 1/1000 em.

    Without a leading, writing that fills its em or has marks above and below gets 1.5, other writing 1.25. `phrases`: a
    title, broken only between phrases where it is Japanese, its lines of even length. `vertical`: its lines are columns
    from right to left, as long as the box is high; `align` is along them, `valign` across. A `weight` of 0 is as `bold`
    says; `indent` is before the first line of each paragraph, mm. A single line becomes smaller to be no longer than a
    `width` above 0, and comes out `drawn_out` mm long where that is. A box equals only itself: what was set in it is
    found by it.
    """

    x: float
    y: float
    width: float
    height: float
    family: str
    size: float
    min_size: float
    lang: str
    leading: float | None = None
    align: Align = "start"
    valign: Literal["top", "middle", "bottom"] = "top"
    paint: Paint = "ink"
    bold: bool = False
    italic: bool = False
    text_role: str = "rule"
    spacing: float = 0.0
    hyphenate: bool = True
    phrases: bool = False
    vertical: bool = False
    weight: int = 0
    features: Features = ()
    indent: float = 0.0
    drawn_out: float = 0.0


class SetText(NamedTuple):
    """A text as it was set. `overflow`: by how many mm it, or a word of it, is too large even at its smallest.

    `missing` are the characters that no font has, `unturned` those that stand in a column in their form for lines.
    `taken`: how much of its box's height (a column's width) the text takes, mm. `notes` are what was set otherwise than
    the text asks, `unweighted` the weights that there are no fonts for.
    """

    items: tuple[Item, ...]
    frame: TextFrame
    missing: tuple[str, ...] = ()
    overflow: float = 0.0
    unknown_icons: tuple[str, ...] = ()
    unturned: tuple[str, ...] = ()
    taken: float = 0.0
    notes: tuple[str, ...] = ()
    unweighted: tuple[str, ...] = ()
