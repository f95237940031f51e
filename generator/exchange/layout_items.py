"""Items of a foreign layout: texts, pictures and shapes at their places, with fonts and colours of this program."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from generator.base.geometry import Rect
from generator.drawing.svg.values import parse_colour

MOST_ITEMS = 200
"""Largest number of items of one layout."""


class HeadedColumn(NamedTuple):
    """The place in a text where a column of the table goes."""

    heading: str


Part = str | HeadedColumn


@dataclass(frozen=True, slots=True)
class LaidItem:
    """One item of a layout, on a line of its file. `box` is in mm from the corner where the card is cut.

    A line goes from a corner of its box to the opposite one. A place shows the column of its name, if there is one.
    `parts` are the words and columns of a text, or of the path of a picture. `native` is the size of a pixel (mm) of a
    picture without width or height. `pivot` is the point around which it is turned by `turn` degrees. `cards` are the
    first and last cards that show it; all do if it is empty. `swaps` are marks in texts, and what they are here.
    """

    line: int
    tag: Literal["text", "picture", "rect", "ellipse", "line", "ground", "place"]
    box: Rect
    parts: tuple[Part, ...] = ()
    family: str = ""
    points: float = 12.0
    bold: bool = False
    italic: bool = False
    fill: str = "none"
    stroke: str = "none"
    stroke_width: float = 0.0
    radius: float = 0.0
    align: str = "left"
    valign: str = "top"
    turn: float = 0.0
    pivot: tuple[float, float] = (0.0, 0.0)
    opacity: float = 1.0
    fit: str = "stretch"
    native: float = 0.0
    cards: tuple[tuple[int, int], ...] = ()
    swaps: tuple[tuple[str, str], ...] = ()


class FoundLayout(NamedTuple):
    """The layout of a deck: its file in the source project, and its items from back to front."""

    file: str
    items: tuple[LaidItem, ...]


FORMATS = (("<b>", "**"), ("</b>", "**"), ("<i>", "*"), ("</i>", "*"), ("<br>", "\n"), ("<br/>", "\n"))
"""Marks in texts of other programs, and what they are here."""


def split_columns(text: str, mark: str) -> tuple[Part, ...]:
    """Return the words and columns of a text. `mark` is the pattern of a column, with its heading as the group."""
    parts = re.split(mark, text)
    return tuple(HeadedColumn(part.strip()) if n % 2 else part for n, part in enumerate(parts) if part or n % 2)


def read_colour(text: Part, note: Callable[[str], None]) -> str:
    """Return a colour for a template, or `[heading]` for that of a column.

    Tell `note` of gradients, whose first colour remains, and of unknown colours.
    """
    if isinstance(text, HeadedColumn):
        return f"[{text.heading}]"
    plain = re.sub(r"^0x(?=[0-9a-f]{6})", "#", text.strip().lower().replace("_", ""))
    found = re.search(r"#(?:[0-9a-f]{12}|[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})(?![0-9a-f])", plain)
    if found is not None and found[0] != plain:
        note(f"the gradient '{text.strip()[:60]}' is its first colour now")
    plain = found[0] if found is not None else plain
    if len(plain) == 13:
        plain = "#" + plain[1:3] + plain[5:7] + plain[9:11]
    if re.fullmatch(r"#[0-9a-f]{6}00|#[0-9a-f]{3}0|empty|transparent|", plain):
        return "none"
    if re.fullmatch(r"black|#0000?f?|#000000(ff)?", plain):
        return "ink"
    if parse_colour(plain) is None:
        note(f"the colour '{text.strip()[:60]}' is not known here: it is black now")
        return "ink"
    return plain


_FONTS = (
    (
        r"cinzel|trajan|copperplate|castellar|felix|uncial",
        ("Cinzel", "Cinzel_600SemiBold", "Cinzel_900Black", "Cinzel_600SemiBold", "BIZUDMincho"),
    ),
    (
        r"(?<!sans)[ -]serif|^serif|times|garamond|georgia|palatino|antiqua|cambria|caslon|bodoni|roman|mincho",
        ("EB Garamond", "EBGaramond_400Regular", "EBGaramond_700Bold", "EBGaramond_400Regular_Italic", "BIZUDMincho"),
    ),
)
"""What names of fonts contain, and the bundled font like them: its name, its files, its Japanese companion."""

_PLAIN_FONT = (
    *("Source Sans 3", "SourceSans3_400Regular", "SourceSans3_700Bold"),
    *("SourceSans3_400Regular_Italic", "BIZUDPGothic"),
)


def find_bundled_font(name: str, lang: str) -> tuple[str, Iterator[str]]:
    """Return the bundled font that is closest to a font of this name, and its cuts with files for look.yaml."""
    font = next((font for names, font in _FONTS if re.search(names, name.casefold())), _PLAIN_FONT)
    called, regular, bold, italic, japanese = font

    def iter_cuts() -> Iterator[str]:
        for cut, first in (("regular", regular), ("bold", bold), ("italic", italic)):
            beside = [f"{japanese}_{'700Bold' if cut == 'bold' else '400Regular'}"] if lang == "ja" else []
            files = dict.fromkeys([first, *beside, "SourceSans3_400Regular", "NotoEmoji_400Regular"])
            yield f"{cut}: [{', '.join(f'{file}.ttf' for file in files)}]"

    return called, iter_cuts()
