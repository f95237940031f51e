"""What HarfBuzz makes of a text: glyphs, the characters that each stands for, and how far the pen moves."""

from itertools import pairwise
from typing import NamedTuple


class Shaped(NamedTuple):
    """What HarfBuzz makes of a text: parallel tuples, one entry a glyph.

    `clusters` are the characters each glyph stands for ("" for the further glyphs of a cluster). `advances` and `rises`
    (how high a glyph is moved) are in 1/1000 em. `natural`: every glyph stands where its own advance puts it.
    """

    glyphs: tuple[int, ...]
    clusters: tuple[str, ...]
    advances: tuple[float, ...]
    rises: tuple[float, ...]
    width: float
    natural: bool


class Stood(NamedTuple):
    """What HarfBuzz makes of a text set downwards: parallel tuples as in `Shaped`, `advances` down the column.

    `turned`: the font has a form of its own for columns, which is among the glyphs.
    """

    glyphs: tuple[int, ...]
    clusters: tuple[str, ...]
    advances: tuple[float, ...]
    turned: bool


def clusters_of(text: str, starts: list[int]) -> tuple[str, ...]:
    """The characters of each glyph, given where each glyph's cluster starts; none are lost."""
    if starts == list(range(len(text))):
        return tuple(text)
    begins = sorted(set(starts))
    spans = dict(zip(begins, pairwise([0, *begins[1:], len(text)]), strict=False))
    return tuple(
        "" if index and start == starts[index - 1] else text[slice(*spans[start])] for index, start in enumerate(starts)
    )


def scaled(advances: tuple[float, ...], ratio: float) -> tuple[float, ...]:
    """Advances in 1/1000 em of the text, of glyphs that are so large by it."""
    return advances if ratio == 1 else tuple([advance * ratio for advance in advances])
