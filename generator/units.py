"""Lengths and boxes: everything is millimetres, y runs down from the top left corner, as in SVG."""

import re

from generator.dataclass import dataclass

MM_PER_INCH = 25.4
PT_PER_INCH = 72.0
MM_PER_PT = MM_PER_INCH / PT_PER_INCH
PT_PER_MM = PT_PER_INCH / MM_PER_INCH

_UNITS = {"": 1.0, "mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "pt": MM_PER_PT, "Q": 0.25}
NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_LENGTH = re.compile(rf"\s*({NUMBER.pattern})\s*([A-Za-z%]*)\s*")
_TOKEN = re.compile(rf"(?:\s*+,)?\s*+({NUMBER.pattern})(%|[A-Za-z]*+)")


def scan_numbers(text: str) -> tuple[list[tuple[float, str]], str]:
    """Return the numbers at the beginning of a text, each with its unit, and the rest, which is no number.

    As in all of SVG, spaces or one comma separate them, or nothing where a sign or a point begins the next.
    """
    found: list[tuple[float, str]] = []
    text, at = text.strip(), 0
    while (match := _TOKEN.match(text, at)) and (found or match.start(1) == 0):
        found.append((float(match[1]), match[2]))
        at = match.end()
    return found, text[at:].lstrip()


def length(text: str | float) -> float:
    """Millimetres of `63`, `63mm`, `2.5in`, `7.5pt`, `6cm` or `32Q`; ValueError for any other unit or form."""
    if isinstance(text, (int, float)):
        return float(text)
    match = _LENGTH.fullmatch(text)
    if not match:
        raise ValueError(f"'{text}' is not a length")
    unit = match[2]
    if unit not in _UNITS:
        raise ValueError(f"'{text}' has the unknown unit '{unit}'; use mm, cm, in, pt or Q")
    return float(match[1]) * _UNITS[unit]


def plain(value: float) -> str:
    """A number as people write it: 0.00001 and 1234567, where Python writes 1e-05 and 1.23457e+06."""
    text = f"{value:.15g}"
    tiny = text.partition("e-")[2]
    return f"{value:.{int(tiny) + 14}f}".rstrip("0") if tiny else text


@dataclass(frozen=True, slots=True, order=True)
class Size:
    """Width and height in mm."""

    width: float
    height: float

    def turned(self) -> "Size":
        """The same size on its side."""
        return Size(self.height, self.width)


@dataclass(frozen=True, slots=True)
class Rect:
    """A box in mm: its top left corner, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of its right edge, mm."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of its lower edge, mm."""
        return self.y + self.height

    def grown(self, by: float) -> "Rect":
        """Larger by `by` mm on each side (smaller where negative)."""
        return Rect(self.x - by, self.y - by, self.width + 2 * by, self.height + 2 * by)

    def moved(self, dx: float, dy: float) -> "Rect":
        """The same box, dx to the right and dy down."""
        return Rect(self.x + dx, self.y + dy, self.width, self.height)

    def holds(self, other: "Rect", slack: float = 1e-6) -> bool:
        """Whether `other` lies inside, edges touching allowed, `slack` mm forgiven."""
        return (
            other.x >= self.x - slack
            and other.y >= self.y - slack
            and other.right <= self.right + slack
            and other.bottom <= self.bottom + slack
        )

    def meets(self, other: "Rect", slack: float = 1e-6) -> bool:
        """Whether the two share an area; touching edges do not count."""
        return (
            self.x < other.right - slack
            and other.x < self.right - slack
            and self.y < other.bottom - slack
            and other.y < self.bottom - slack
        )

    def shared(self, other: "Rect") -> "Rect":
        """The box that lies in both, with no width or height where there is none."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Rect(x, y, max(right - x, 0.0), max(bottom - y, 0.0))

    def united(self, other: "Rect") -> "Rect":
        """The smallest box around both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Rect(x, y, max(self.right, other.right) - x, max(self.bottom, other.bottom) - y)
