"""Words in a manner of their own: larger or smaller, above or below the line, underlined, in small capitals."""

from itertools import groupby

from generator.model.text import TypeManner
from generator.text.shaped import scaled
from generator.text.textline import Pictogram
from generator.text.typecase import Features, Sort, Typecase

SMALL_CAPITALS: Features = (("smcp", 1),)
_SCALED = 0.8
"""The size of capitals that stand for small ones."""


def in_manner(sorts: list[Sort], manner: TypeManner) -> list[Sort]:
    """The sorts of words as they stand in their text."""
    return [_in_manner(sort, manner) for sort in sorts]


def _in_manner(sort: Sort, manner: TypeManner) -> Sort:
    size, own = manner.size, sort.rarity
    rarity = own._replace(
        rise=own.rise * size + manner.rise * 1000,
        ratio=own.ratio * size,
        underlined=manner.underlined,
        struck=manner.struck,
        spots=tuple([(right * size, up * size) for right, up in own.spots]),
    )
    if isinstance(own.mark, Pictogram):
        below = own.mark.below * size - manner.rise * 1000
        rarity = rarity._replace(mark=own.mark._replace(height=own.mark.height * size, below=below))
    if size == 1:
        return sort._replace(rarity=rarity)
    return _sized(sort, size)._replace(rarity=rarity)


def _sized(sort: Sort, size: float) -> Sort:
    return sort._replace(
        width=sort.width * size,
        left=sort.left * size,
        right=sort.right * size,
        advances=scaled(sort.advances, size),
    )


def has_small_capitals(case: Typecase, text: str) -> bool:
    """Whether the fonts of a style have small capitals for the letters of a text."""
    fonts = {case.font_for(char) for char in text if char.islower()}
    return all(font is None or font.has_feature("smcp") for font in fonts)


def scaled_capitals(case: Typecase, text: str) -> list[Sort]:
    """A text in capitals, those that stand for small letters smaller; it still reads as it is written."""
    sorts: list[Sort] = []
    for small, chars in groupby(text, key=str.islower):
        part = "".join(chars)
        upper = part.upper() if len(part.upper()) == len(part) else part
        cast = case.sorts(upper if small else part)
        if small:
            cast = [_small(sort) for sort in cast]
        sorts += cast
    return sorts


def _small(sort: Sort) -> Sort:
    clusters = tuple([cluster.lower() for cluster in sort.clusters])
    return _sized(sort, _SCALED)._replace(
        clusters=clusters, rarity=sort.rarity._replace(ratio=sort.rarity.ratio * _SCALED)
    )
