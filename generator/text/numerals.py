"""Numbers composed of their digits, where a font neither kerns nor joins them: hardly two cards have the same one."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import product

from generator.text.shaped import Shaped

MANY = 100
"""Numbers that are shaped before the digits of a font are looked at, which takes as long as shaping as many."""

Manner = tuple[str, bool]
"""A language, and whether letters join."""


class Numerals:
    """The numbers of one font. `shape` is what HarfBuzz makes of a text, `glyph` and `advance` are a digit's own."""

    def __init__(
        self,
        shape: Callable[[str, str, bool], Shaped],
        glyph: Callable[[str], int],
        advance: Callable[[int], float],
    ):
        self._shape, self._glyph, self._advance = shape, glyph, advance
        self._met: Counter[Manner] = Counter()
        self._apart: dict[Manner, bool] = {}
        self._digits: dict[str, tuple[int, float]] = {}

    def composed(self, text: str, lang: str, ligatures: bool) -> Shaped | None:
        """What HarfBuzz makes of a number, without asking it; None where it must be asked."""
        if not (text.isascii() and text.isdigit()):
            return None
        manner = lang, ligatures
        apart = self._apart.get(manner)
        if apart is None:
            self._met[manner] += 1
            if self._met[manner] <= MANY:
                return None
            row = _every_three()
            apart = self._apart[manner] = self._shape(row, *manner) == self._side_by_side(row)
        return self._side_by_side(text) if apart else None

    def _side_by_side(self, text: str) -> Shaped:
        digits = self._digits
        if not digits:
            digits |= {digit: (glyph := self._glyph(digit), self._advance(glyph)) for digit in "0123456789"}
        glyphs, advances = zip(*map(digits.__getitem__, text), strict=True)
        return Shaped(glyphs, tuple(text), advances, (0.0,) * len(glyphs), sum(advances), natural=True)


@cache
def _every_three() -> str:
    """A row of digits in which any three that may stand side by side do: 1,002, after de Bruijn."""
    words = ("".join(word) for size in (1, 3) for word in product("0123456789", repeat=size))
    lyndon = sorted(word for word in words if all(word < word[turn:] + word[:turn] for turn in range(1, len(word))))
    row = "".join(lyndon)
    return row + row[:2]
