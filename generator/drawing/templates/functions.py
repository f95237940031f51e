"""Functions of templates and their limits; values as text; QR codes and bar codes."""

import math
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import groupby, islice
from typing import Any, cast

from markupsafe import Markup, escape

from generator.base.display_list import format_mm
from generator.drawing.templates.template_sources import WovenText
from generator.drawing.templates.template_values import View

MOST_CHARACTERS = 2_000_000
"""Maximum characters of one text."""

MOST_ENTRIES = 100_000
"""Maximum entries of a list that is repeated or added up."""

MOST_BITS = 4096
MOST_STEPS = 100_000
"""Maximum steps of all loops of a face; each call of a macro or function counts as one."""

MOST_PIECES = 2_000_000
"""Maximum pieces of text from all loops of a face, and values put into lists."""

MOST_WRITTEN = 30_000_000
"""Maximum characters of all texts that a face creates, including those it never shows."""

SECONDS = 8.0
"""Maximum seconds of computing. Only malicious templates take that long within the other limits."""

_thread_time = getattr(time, "thread_time", time.process_time)
"""CPU seconds of this thread. Python in a browser has one thread and no clock for it."""

_BETWEEN_LOOKS = 500
_FEW = 64
_HOLDERS = (list, tuple, dict)

NO_TEXT = "[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff\U000f0000\U000f0001]"
"""Control characters, surrogates, and the marks around line numbers in text templates."""

NOT_A_TEXT = "the text has an incomplete, control or private-use character"

_SHORT = 64
_MARKED = re.compile("[&<>'\"]")
"""Characters that markup escapes. Most texts have none, and checking is faster than escaping."""


class BudgetExceeded(ValueError):
    """A template exceeds the limits of a card."""


class Budget:
    """Limits of one face, text, check or book: steps, list values, characters and time, counted together.

    All operations that create a template's values count: loops, calls, filters and operators.
    """

    def __init__(self) -> None:
        self._seconds = SECONDS
        self._inner = False
        self.together: list[str] = []
        """The parts that were joined last."""
        self.restart()

    def restart(self) -> None:
        """Reset the budget for a new face."""
        self._steps, self._pieces, self._written, self._to_look = MOST_STEPS, MOST_PIECES, MOST_WRITTEN, _BETWEEN_LOOKS
        if not self._inner:
            self._until = _thread_time() + self._seconds

    @contextmanager
    def begin_text(self) -> Iterator[None]:
        """Provide limits for a separate text. Within a face it shares the face's time."""
        kept = self._steps, self._pieces, self._written, self._inner
        if not self._inner:
            self.restart()
        self._inner = True
        self._steps, self._pieces, self._written = MOST_STEPS, MOST_PIECES, MOST_WRITTEN
        try:
            yield
        finally:
            self._steps, self._pieces, self._written, self._inner = kept

    def pay_steps(self, number: int = 1) -> None:
        """Count steps of loops, and calls. Raise BudgetExceeded if there are too many."""
        self._steps -= number
        if self._steps < 0:
            raise BudgetExceeded(f"too many loop steps and macro calls; the limit for one face is {MOST_STEPS:,}")
        self._to_look -= number
        if self._to_look < 0:
            self._check_clock()

    def pay_pieces(self, number: int) -> None:
        """Count `number` values that go into lists. Raise BudgetExceeded for more than MOST_PIECES in a template."""
        self._pieces -= number
        if self._pieces < 0:
            raise BudgetExceeded(f"lists and pieces of text of more than {MOST_PIECES:,} values together")

    def pay_characters(self, characters: int) -> None:
        """Count the characters of a text. Raise BudgetExceeded if all texts together have too many."""
        self._written -= characters
        if self._written < 0:
            raise BudgetExceeded(f"texts of more than {MOST_WRITTEN:,} characters together")

    def _check_clock(self) -> None:
        self._to_look = _BETWEEN_LOOKS
        if _thread_time() > self._until:
            allowed, self._seconds = self._seconds, self._seconds / 2  # the next text may be as slow
            raise BudgetExceeded(f"it takes longer than {allowed:.3g} seconds")

    def pay_iteration(self, steps: Iterable[Any], pieces: int = 1) -> Iterable[Any]:
        """Return the values of a loop, counted; each step outputs this number of pieces of text."""
        try:
            number = len(steps)  # type: ignore[arg-type]
        except TypeError:
            return self._pay_loop(steps, pieces)
        self._pieces -= number * pieces
        if number <= _FEW and self._steps >= number and self._pieces >= 0:
            self.pay_steps(number)
            return steps
        self.pay_pieces(0)
        if number > self._steps:
            self.pay_steps(number)
        return self._pay_loop(steps, 0)

    def _pay_loop(self, values: Iterable[Any], pieces: int) -> Iterator[Any]:
        for value in values:
            self.pay_steps(1)
            self.pay_pieces(pieces)
            yield value

    def pay_value(self, value: Any) -> Any:
        """Return the argument of a filter or function, after counting its characters or the values in it."""
        kind = type(value)
        if kind in _PLAIN:
            return value
        if issubclass(kind, str):
            self.pay_characters(len(value))
        elif kind in _HOLDERS:
            return self.pay_container(value)
        elif kind is range:
            self.pay_pieces(len(value))
        elif isinstance(value, Iterator):
            return self._pay_iterator(value)
        return value

    def _pay_iterator(self, values: Iterator[Any]) -> Iterator[Any]:
        for value in values:
            self._to_look -= 1
            if self._to_look < 0:
                self._check_clock()
            self.pay_pieces(1)
            yield value if type(value) in _PLAIN else self.pay_value(value)

    def pay_container(self, value: Any) -> Any:
        """Return a list, counted with all its contents. Nested lists count as often as they would be written out."""
        waiting = [value]
        while waiting:
            holder = waiting.pop()
            self.pay_pieces(len(holder))
            for part in holder.values() if type(holder) is dict else holder:
                if isinstance(part, str):
                    self.pay_characters(len(part))
                elif type(part) in _HOLDERS:
                    waiting.append(part)
        return value

    def pay_text(self, text: str) -> str:
        """Return the text. Raise BudgetExceeded if it is too long."""
        check_length(len(text))
        self.pay_characters(len(text))
        return text

    def join_parts(self, parts: Iterable[str]) -> str:
        """Return the parts joined. Check their length before memory is allocated."""
        self.together = self.pay_parts(parts)
        return "".join(self.together)

    def pay_parts(self, parts: Iterable[str]) -> list[str]:
        """Return the parts, counted as one text."""
        coming, pieces, length = iter(parts), list[str](), 0
        while some := list(islice(coming, MOST_ENTRIES)):
            length += sum(map(len, some))
            check_length(length)
            pieces += some
            if len(pieces) > MOST_PIECES:
                self.pay_pieces(len(pieces))
        self.pay_characters(length)
        return pieces

    def escape_value(self, value: Any) -> str:
        """Return a value as text in markup. Its type marks it as not written by the template."""
        kind = type(value)
        if kind is Markup or kind is WovenText:
            return cast("str", value)
        if kind is int:
            return str.__new__(Markup, value)
        if kind is str:
            if len(value) > _SHORT:
                self.pay_characters(len(value))
            return escape(value) if _MARKED.search(value) else str.__new__(Markup, value)
        return escape(value if hasattr(value, "__html__") else format_value(value))

    def check_operation(self, operator: str, left: Any, right: Any) -> None:
        """Refuse `left operator right` if the result would be huge, or if `%` would format a text."""
        if operator == "%":
            if isinstance(left, str):
                raise BudgetExceeded("'%' does not format texts here; put values together with '~'")
        elif operator == "*":
            self._check_product(left, right)
            self._check_product(right, left)
        elif operator == "**":
            if isinstance(left, int) and isinstance(right, int) and left.bit_length() * abs(right) > MOST_BITS:
                raise BudgetExceeded("the power is too large")
        elif operator == "+" and isinstance(left, (str, list, tuple)) and isinstance(right, (str, list, tuple)):
            most = MOST_CHARACTERS if isinstance(left, str) else MOST_ENTRIES
            self._pay_for(left, len(left) + len(right), most, "adding")

    def _check_product(self, left: Any, right: Any) -> None:
        if not isinstance(right, int):
            return
        if isinstance(left, (str, list, tuple)):
            self._pay_for(left, len(left) * right, MOST_ENTRIES, "repeating")
        elif isinstance(left, int) and left.bit_length() + right.bit_length() > MOST_BITS:
            raise BudgetExceeded("the product is too large")

    def _pay_for(self, value: Any, length: int, most: int, doing: str) -> None:
        if length > most:
            raise BudgetExceeded(f"{doing} up to more than {most:,} entries")
        if isinstance(value, str):
            self.pay_characters(max(0, length))
        else:
            self.pay_pieces(max(0, length))


_PLAIN = frozenset([int, float, bool, type(None)])


def format_value(value: Any) -> str:
    """Return a value as text, nothing for None. Raise ValueError for groups, lists and control characters."""
    kind = type(value)
    if kind is float:
        check_finite(value)
        text = f"{value:.6f}".rstrip("0").rstrip(".")
        return "0" if text == "-0" else text
    if value is None:
        return ""
    if kind is View:
        raise ValueError(f"{value} contains several values, not one text; name one of them")
    if kind is tuple or kind is list:
        raise ValueError("a list is not a text; join it with | join(', ')")
    text = str(value)
    if not text.isprintable() and re.search(NO_TEXT, text):
        raise ValueError(NOT_A_TEXT)
    return text


def make_range(*bounds: int) -> range:
    """Return a `range` for templates, limited to the steps of a loop."""
    numbers = range(*bounds)
    # len() fails for very long ranges.
    if (numbers.stop - numbers.start) // numbers.step > MOST_STEPS:
        raise BudgetExceeded(f"the range is too long; the limit for one face is {MOST_STEPS:,} steps")
    return numbers


def check_length(characters: int) -> None:
    """Raise BudgetExceeded for a text longer than any face."""
    if characters > MOST_CHARACTERS:
        raise BudgetExceeded(f"a text of more than {MOST_CHARACTERS:,} characters")


def replace_text(text: str, old: str, new: str) -> str:
    """Return `text` with every `old` replaced by `new`. Raise BudgetExceeded if that is too long."""
    text, old, new = str(text), str(old), str(new)
    check_length(len(text) + text.count(old) * max(0, len(new) - len(old)))
    return text.replace(old, new)


def check_finite(number: float) -> float:
    """Return the number. Raise ValueError if it is not finite."""
    if not math.isfinite(number):
        raise ValueError("the number is too large or not a number")
    return number


def round_number(value: float, precision: int = 0) -> float | int:
    """Return the number rounded to `precision` decimals (0 to 9), as a whole number if precision is 0."""
    if not 0 <= precision <= 9:
        raise BudgetExceeded("round takes 0 to 9 decimals")
    return round(value, precision) if precision else round(value)


def sine(degrees: float) -> float:
    """Return the sine of an angle in degrees, exact at multiples of 90."""
    return round(math.sin(math.radians(degrees)), 12) + 0.0


def cosine(degrees: float) -> float:
    """Return the cosine of an angle in degrees, exact at multiples of 90."""
    return round(math.cos(math.radians(degrees)), 12) + 0.0


def _take_root(value: float) -> float:
    if value < 0:
        raise ValueError("sqrt takes no negative number")
    return float(value**0.5)


def polar(radius: float, degrees: float) -> str:
    """Return `x y` of the point at this distance from the origin; 0 degrees is up, turning clockwise."""
    return f"{format_mm(radius * sine(degrees))} {format_mm(-radius * cosine(degrees))}"


def draw_code(kind: str, *given: object, **named: object) -> str:
    """Return the path data of a code, `kind` being `qr`, `ean13` or `code128`; other arguments are that function's."""
    makers: dict[str, Callable[..., str]] = {"qr": qr, "ean13": ean13, "code128": code128}
    return makers[kind](*given, **named)


def _make_namespace(*given: Any, **values: Any) -> Any:
    from jinja2.utils import Namespace  # few templates have one

    return Namespace(*given, **values)


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "range": make_range, "namespace": _make_namespace, "sin": sine, "cos": cosine, "polar": polar, "sqrt": _take_root,
    "round": round_number, **{name: partial(draw_code, name) for name in ("qr", "ean13", "code128")}, "min": min,
    "max": max,
}  # fmt: skip
"""The functions that every template can call."""

LEAST_MODULE = 0.3
"""Width of the narrowest module (mm) that phones read reliably from print."""

LEAST_BAR = 0.25
"""Width of the narrowest bar (mm). EAN's minimum is 0.264, 80 % of the usual 0.33."""

MOST_IN_QR = 300
"""Maximum characters in a QR code: more would need modules that are too fine for cards."""

_OFFSET = ord("a") - 1


def qr(text: object, size: float) -> str:
    """Return the path data of a QR code (error correction M) in a square of `size` mm, corner at the origin.

    Four modules around it must stay white. Raise ValueError if the text is empty or too long, or the modules are too
    fine.
    """
    rows = list_qr_modules(text)
    count = len(rows)
    module = _compute_module(size, count, LEAST_MODULE, f"a QR code of {count} x {count} modules")
    boxes = []
    for row, modules in enumerate(rows):
        column = 0
        for dark, some in groupby(modules):
            width = len(list(some))
            if dark:
                boxes.append((column * module, row * module, width * module, module))
            column += width
    return _draw_boxes(boxes)


def list_qr_modules(text: object) -> list[list[bool]]:
    """Return the rows of a QR code: True for each dark module. Raise ValueError if the text is empty or too long."""
    from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel

    shown = str(text)
    if not 0 < len(shown) <= MOST_IN_QR:
        raise ValueError(f"qr takes a text of 1 to {MOST_IN_QR} characters, not of {len(shown)}")
    code = QRCode(None, QRErrorCorrectLevel.M)
    code.addData(shown)
    code.make()
    every = range(code.getModuleCount())
    return [[bool(code.isDark(row, column)) for column in every] for row in every]


def ean13(digits: object, width: float, height: float) -> str:
    """Return the path data of the bars of an EAN-13 code (mm, corner at the origin).

    Eleven modules beside it must stay white. The last digit is the check digit, which is added if there are twelve.
    Raise ValueError for other texts, for a wrong check digit, and if the bars are too fine.
    """
    from reportlab.graphics.barcode.eanbc import Ean13BarcodeWidget

    shown = str(digits)
    if not (shown.isascii() and shown.isdigit() and len(shown) in (12, 13)):
        raise ValueError(f"ean13 takes twelve or thirteen digits, not '{shown[:20]}'")
    check = -sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(shown[:12])) % 10
    if shown[12:] not in ("", str(check)):
        raise ValueError(f"the last digit of the EAN {shown} must be {check}; one of its digits is wrong")
    widget = Ean13BarcodeWidget(shown[:12], humanReadable=0, quiet=0, barWidth=1, barHeight=1)
    bars = [(rect.x, rect.width) for rect in widget.draw().contents if getattr(rect, "fillColor", None) is not None]
    return _draw_bars([(x, wide) for x, wide in bars if wide < 95], 95, width, height)


def code128(text: object, width: float, height: float) -> str:
    """Return the path data of the bars of a Code 128 (mm, corner at the origin).

    Ten modules beside it must stay white. Raise ValueError if the text has more than 40 characters or others than
    ASCII, and if the bars are too fine.
    """
    from reportlab.graphics.barcode.code128 import Code128

    shown = str(text)
    if not (0 < len(shown) <= 40 and shown.isascii() and shown.isprintable()):
        raise ValueError(f"code128 takes 1 to 40 letters, digits and signs of ASCII, not '{shown[:20]}'")
    code = Code128(shown, quiet=0)
    code.validate()
    code.encode()
    code.decompose()
    at, bars = 0, list[tuple[float, float]]()
    for letter in code.decomposed:  # `A` to `D` are bars, `a` to `d` the white between, one to four modules wide
        wide = ord(letter.lower()) - _OFFSET
        if letter.isupper():
            bars.append((at, wide))
        at += wide
    return _draw_bars(bars, at, width, height)


def _draw_bars(bars: Iterable[tuple[float, float]], modules: int, width: float, height: float) -> str:
    module = _compute_module(width, modules, LEAST_BAR, f"a code of {modules} modules")
    return _draw_boxes([(x * module, 0.0, wide * module, height) for x, wide in bars])


def _compute_module(size: float, modules: int, least: float, what: str) -> float:
    module = size / modules
    if module < least - 1e-9:
        needs = format_mm(modules * least + 0.05)
        measured = f"{format_mm(size)} mm has modules of {module:.2f} mm"
        raise ValueError(f"{what} in {measured}; it needs {needs} mm or a shorter text")
    return module


def _draw_boxes(boxes: Iterable[tuple[float, float, float, float]]) -> str:
    return " ".join(
        [
            f"M {format_mm(x)} {format_mm(y)} H {format_mm(x + w)} V {format_mm(y + h)} H {format_mm(x)} Z"
            for x, y, w, h in boxes
        ]
    )
