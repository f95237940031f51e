"""What the tests of print-shop files share: a shop for the tiny game, decks of the five games, looks at edges."""

from pathlib import Path

import pikepdf
from conftest import ROOT
from PIL import Image

from generator.base.geometry import PT_PER_MM
from generator.game.project import Project, find_project

DECKS = {"fortuna": "reel/6-*", "journey18": "location", "journey8": "joker", "wayfaring": "cursed", "xanadu": "daily_card"}  # fmt: skip
"""A few cards of each game, with backs where the game has any."""

SHOP = """\
id: corner-shop
kind: shop
name: Corner Shop
source: the shop's own page
date: 2026-01-31
verified: [upload, bleed, products.small]
upload: pdf
colour: rgb
bleed: 5
safe: 3
copies: each
file: "{game}-{product}-{lang}"
products:
  - {id: small, name: Small card, trim: [41, 61]}
"""
"""Makes the tiny game's card of 40 x 60 mm a little larger, with more bleed than its template draws."""

WHITE = 250
"""Paper, to a pixel's rounding."""


def project(folder: Path = ROOT) -> Project:
    """The project of the five games, or one in another folder."""
    return find_project(folder)


def box(page: pikepdf.Page, name: str) -> tuple[float, float, float, float]:
    """A page's box in mm: left, bottom, right, top."""
    left, bottom, right, top = (float(value) / PT_PER_MM for value in page.obj[name])
    return left, bottom, right, top


def bare(image: Image.Image, edge: int) -> list[tuple[int, int]]:
    """Pixels at the picture's outermost edge that are paper though the art there reaches the cut, `edge` pixels in.

    Every third one is looked at; slanting outlines may leave some.
    """
    grey = image.convert("L")
    width, height = grey.size
    found = []
    for x in range(edge, width - edge, 3):
        found += [
            (x, y) for y, inner in ((1, edge), (height - 2, height - 1 - edge)) if _bare(grey, (x, y), (x, inner))
        ]
    for y in range(edge, height - edge, 3):
        found += [(x, y) for x, inner in ((1, edge), (width - 2, width - 1 - edge)) if _bare(grey, (x, y), (inner, y))]
    return found


def _bare(grey: Image.Image, outer: tuple[int, int], inner: tuple[int, int]) -> bool:
    return _level(grey, outer) >= WHITE > _level(grey, inner)


def _level(grey: Image.Image, at: tuple[int, int]) -> int:
    value = grey.getpixel(at)
    assert isinstance(value, int)
    return value
