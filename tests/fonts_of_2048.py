"""A font of 2048 units an em, as most fonts of other people are: its widths are no whole thousandths."""

import io
from functools import cache

from conftest import ROOT
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem

_SHOWN = (*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x2010, 0x2027), 0x2190, 0x2192, 0x2212, 0x2013, 0x2032)


@cache
def scaled() -> bytes:
    """Source Sans in 2048 units, with the letters of western languages and without its kerning."""
    options = Options(layout_features=[], notdef_outline=True, name_IDs=[1, 2, 4, 6])
    font = TTFont(ROOT / "fonts" / "SourceSans3_400Regular.ttf")
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=_SHOWN)
    subsetter.subset(font)
    scale_upem(font, 2048)
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()
