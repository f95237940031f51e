"""Codes that a phone or a till reads, as path data of vector modules; ReportLab works out which are dark."""

from collections.abc import Iterable
from itertools import groupby

from generator.model.drawing import number

LEAST_MODULE = 0.3
"""mm of the narrowest module that phones read from print without care."""

LEAST_BAR = 0.25
"""mm of the narrowest bar; EAN's own least size, 80 % of the usual 0.33 mm, is 0.264."""

MOST_IN_QR = 300
"""Characters: what needs more modules is too fine on any card."""

_OFFSET = ord("a") - 1


def qr(text: object, size: float) -> str:
    """Path data of a QR code (error correction M) in a square of `size` mm with its corner at the origin.

    Four modules around it must stay white. ValueError where the text is empty or too long, or modules too fine.
    """
    from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel

    shown = str(text)
    if not 0 < len(shown) <= MOST_IN_QR:
        raise ValueError(f"qr takes a text of 1 to {MOST_IN_QR} characters, not of {len(shown)}")
    code = QRCode(None, QRErrorCorrectLevel.M)
    code.addData(shown)
    code.make()
    count = code.getModuleCount()
    module = _module(size, count, LEAST_MODULE, f"a QR code of {count} x {count} modules")
    boxes = []
    for row in range(count):
        column = 0
        for dark, some in groupby([code.isDark(row, at) for at in range(count)]):
            width = len(list(some))
            if dark:
                boxes.append((column * module, row * module, width * module, module))
            column += width
    return _path(boxes)


def ean13(digits: object, width: float, height: float) -> str:
    """Path data of the bars of an EAN-13 code, the corner at the origin, mm; eleven modules beside it stay white.

    The last digit is the check digit, and is added where twelve are given. ValueError for other texts and for a
    wrong check digit, or where bars come out too fine.
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
    return _bars([(x, wide) for x, wide in bars if wide < 95], 95, width, height)


def code128(text: object, width: float, height: float) -> str:
    """Path data of the bars of a Code 128, the corner at the origin, mm; ten modules beside it stay white.

    ValueError for a text with other characters than ASCII or of more than 40, or where bars come out too fine.
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
    return _bars(bars, at, width, height)


def _bars(bars: Iterable[tuple[float, float]], modules: int, width: float, height: float) -> str:
    module = _module(width, modules, LEAST_BAR, f"a code of {modules} modules")
    return _path([(x * module, 0.0, wide * module, height) for x, wide in bars])


def _module(size: float, modules: int, least: float, what: str) -> float:
    """How wide a module is, mm."""
    module = size / modules
    if module < least - 1e-9:
        needs = number(modules * least + 0.05)
        raise ValueError(
            f"{what} in {number(size)} mm has modules of {module:.2f} mm; it needs {needs} mm or a shorter text"
        )
    return module


def _path(boxes: Iterable[tuple[float, float, float, float]]) -> str:
    return " ".join(
        [f"M {number(x)} {number(y)} H {number(x + w)} V {number(y + h)} H {number(x)} Z" for x, y, w, h in boxes]
    )
