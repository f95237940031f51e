"""The five games as the tests of exports need them: loaded, drawn, their pieces counted and called."""

from collections import Counter

from conftest import ROOT
from PIL import Image
from shipped_games import PROJECT, SWEPT, workshop

from generator.game.model import FaceName
from generator.sheets.raster import make_face_page, render_pages

DPI = 72

__all__ = ["DPI", "PROJECT", "ROOT", "SWEPT", "counts", "design_counts", "face", "workshop"]


def face(name: str, design: str, side: FaceName = "front", lang: str = "en", dpi: float = DPI) -> Image.Image:
    """One face rendered alone."""
    work = workshop(name)
    drawing = work.draw_face(work.game.design(design), side, lang)
    assert drawing is not None
    (image,) = render_pages(work, [make_face_page(drawing, bleed=False)], dpi, lang)
    return image


def counts(name: str) -> Counter[str]:
    """How many pieces of each kind the game's data want."""
    game = workshop(name).game
    return Counter({kind.id: kind.count for kind in game.kinds.values() if kind.count})


def design_counts(name: str, kind: str) -> list[int]:
    """How many copies of each design of a kind, by number."""
    return sorted(design.count for design in workshop(name).game.kinds[kind].designs if design.count)
