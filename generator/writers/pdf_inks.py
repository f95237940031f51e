"""Inks as PDF has them: screen colours from a palette, operators, colour spaces of spot inks, overprint."""

from collections.abc import Callable

from generator.model.drawing import Paint, Role
from generator.model.ink import Bitmap, Ink, Overprint, Rgb
from generator.writers.pdf_objects import name, numbers

_OPERATORS = {"gray": ("g", "G"), "rgb": ("rg", "RG"), "cmyk": ("k", "K")}
_DEVICE = {1: "/DeviceGray", 3: "/DeviceRGB", 4: "/DeviceCMYK"}


class ScreenInks:
    """Colours for screens and desktop printers; greys take black ink alone there, so small type stays sharp."""

    keeps_pictures = True
    overprints: Overprint = "never"

    def __init__(self, palette: Callable[[Paint], Rgb]):
        self._palette = palette

    def ink(self, paint: Paint, role: Role) -> Ink:  # noqa: ARG002 - a screen shows all roles alike
        """A paint as red, green and blue, or as a grey."""
        red, green, blue = self._palette(paint)
        return Ink("gray", (red,)) if red == green == blue else Ink("rgb", (red, green, blue))

    def bitmap(self, bitmap: Bitmap) -> Bitmap:
        """As it is."""
        return bitmap


def device_operators(ink: Ink) -> tuple[str, str]:
    """The operators that choose an ink which is no spot ink, for filling and for stroking."""
    fill, stroke = _OPERATORS[ink.space]
    values = numbers(ink.values)
    return f"{values} {fill}", f"{values} {stroke}"


def separation(ink: Ink) -> str:
    """The colour space of a spot ink: its own plate, or its process colours where there is no such plate."""
    full = numbers(ink.alternate or (0, 0, 0, 1))
    tint = f"<</FunctionType 2/Domain[0 1]/C0[0 0 0 0]/C1[{full}]/N 1>>"
    return f"[/Separation{name(ink.spot)}/DeviceCMYK{tint}]"


def overprint_state(fill: bool, stroke: bool, how: Overprint) -> str:
    """The graphics state in which fills and strokes overprint or not.

    Mode 1: a process colour that is 0 leaves its plate as it is, so black alone changes the black plate alone.
    """
    if how == "darkening":
        return f"<</Type/ExtGState/BM/{'Darken' if fill or stroke else 'Normal'}>>"
    words = {True: "true", False: "false"}
    return f"<</Type/ExtGState/OP {words[stroke]}/op {words[fill]}/OPM {int(fill or stroke)}>>"


def in_one_space(inks: list[Ink]) -> tuple[str, list[tuple[float, ...]]]:
    """The device space that holds all these inks, and each one's values there.

    A spot ink is given by its process colours: what lies between two inks has no plate of its own.
    """
    channels = max(len(process(ink)) for ink in inks)
    return _DEVICE[channels], [_widened(process(ink), channels) for ink in inks]


def process(ink: Ink) -> tuple[float, ...]:
    """The values of an ink without a plate of its own: of a spot ink, what stands for it."""
    if ink.space != "spot":
        return ink.values
    return tuple(part * ink.values[0] for part in ink.alternate or (0, 0, 0, 1))


def _widened(values: tuple[float, ...], channels: int) -> tuple[float, ...]:
    if len(values) == channels:
        return values
    if len(values) == 1:
        return (0.0, 0.0, 0.0, 1 - values[0]) if channels == 4 else values * 3
    red, green, blue = values  # only where someone's inks mix screen and press
    black = 1 - max(values)
    return (1 - red - black, 1 - green - black, 1 - blue - black, black)
