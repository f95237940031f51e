"""What the tests of vertical text share: boxes of columns, and where each glyph of them stands."""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from generator.base.display_list import Paint, Shape, Symbol, TextRun
from generator.base.geometry import MM_PER_PT
from generator.game.model import FontFamily
from generator.game.rich_text import parse_markup
from generator.text.fonts import FontBook
from generator.text.glyph_rows import SetText, TextBox
from generator.text.set_text import set_box, set_line
from generator.text.vertical_text import measure_centre

FONTS = Path(__file__).parents[2] / "fonts"
GOTHIC, MINCHO, SANS = "BIZUDPGothic_400Regular.ttf", "BIZUDMincho_400Regular.ttf", "SourceSans3_400Regular.ttf"
EM = 8 * MM_PER_PT
COIN = Symbol("icon:coin", (Shape("M 0 0 L 24 0 L 24 24 L 0 24 Z", fill="#c09030"),), (0, 0, 24, 24))


@cache
def book() -> FontBook:
    """Families: `mincho` (one font, full-width), `body` (Latin from Source Sans), `latin` (no form for columns)."""
    mincho = FontFamily({"ja": (MINCHO,), "en": (MINCHO,)}, {"ja": ("BIZUDMincho_700Bold.ttf",)}, {})
    body = FontFamily({"ja": (SANS, GOTHIC), "en": (SANS,)}, {}, {})
    gothic = FontFamily({"ja": (GOTHIC,)}, {}, {})
    return FontBook({"mincho": mincho, "body": body, "gothic": gothic}, lambda name: FONTS / name)


def icon(name: str, _paint: Paint) -> Symbol | None:
    return COIN if name == "coin" else None


def column_box(**changed: Any) -> TextBox:
    """A vertical box of 40 by 60 mm at (5, 10) for Japanese of 8 pt."""
    usual = {
        "x": 5, "y": 10, "width": 40, "height": 60, "family": "mincho", "size": 8, "min_size": 6.5, "lang": "ja",
        "vertical": True,
    }  # fmt: skip
    return TextBox(**(usual | changed))


def put(text: str, **changed: Any) -> SetText:
    return set_box(parse_markup(text), column_box(**changed), book(), icon)


def put_line(text: str, x: float = 0, y: float = 0, anchor: Any = "start", **changed: Any) -> SetText:
    return set_line(parse_markup(text), x, y, column_box(**changed), anchor, book(), icon)


def runs(done: SetText) -> list[TextRun]:
    return [item for item in done.items if isinstance(item, TextRun)]


def said(done: SetText) -> str:
    return "".join(run.text for run in runs(done))


class Stands(NamedTuple):
    """A glyph upright in its column, glyphs abreast, or a turned word: the middle of its column, its length."""

    text: str
    middle: float
    top: float
    bottom: float


def stands(run: TextRun) -> list[Stands]:
    """Where a run's glyphs stand, mm."""
    font, scale = book().get_font(run.font), run.size * MM_PER_PT / 1000
    if run.angle:
        assert run.angle == 90
        length = sum(run.advances or map(font.measure_advance, run.glyphs)) * scale
        return [Stands(run.text, run.x + measure_centre(font, run.text) * 1000 * scale, run.y, run.y + length)]
    (x, y), (last, below) = run.places[0], run.places[-1]
    if len(run.glyphs) > 1 and y == below:  # abreast: as wide as its glyphs, around the middle of its em
        right = last + font.measure_advance(run.glyphs[-1]) * scale
        return [Stands(run.text, run.x + (x + right) / 2, run.y - EM, run.y)]
    found = []
    for glyph, cluster, (across, down) in zip(run.glyphs, run.clusters, run.places, strict=True):
        middle, height = font.find_top(glyph)
        top = run.y + down - height * scale
        found.append(
            Stands(cluster, run.x + across + middle * scale, top, top + font.shape_column(cluster).advances[0] * scale)
        )
    return found


def ink(run: TextRun) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of each glyph's ink, mm; blanks left out."""
    font, scale = book().get_font(run.font), run.size * MM_PER_PT / 1000
    boxes, pen = [], 0.0
    for at, glyph in enumerate(run.glyphs):
        box = font.measure_ink(glyph)
        if box is not None and run.angle:
            boxes.append(
                (
                    run.x + box[1] * scale,
                    run.y + (pen + box[0]) * scale,
                    run.x + box[3] * scale,
                    run.y + (pen + box[2]) * scale,
                )
            )
        elif box is not None:
            x, y = run.x + run.places[at][0], run.y + run.places[at][1]
            boxes.append((x + box[0] * scale, y - box[3] * scale, x + box[2] * scale, y - box[1] * scale))
        pen += run.advances[at] if run.advances else font.measure_advance(glyph)
    return boxes
