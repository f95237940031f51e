"""The colour pages of a proof: icons, palette, contrasts and pairs that look alike."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from generator.base.colour import LEAST_DIFFERENCE, measure_contrast, measure_differences
from generator.base.display_list import Group, Item, Paint, PlacedSymbol, Shape, Symbol
from generator.base.geometry import Rect, Size
from generator.base.languages import count_phrase, phrase
from generator.base.outlines import rectangle_path
from generator.books.page.blocks import Artwork
from generator.books.page.page_style import GREY, RULE, WARNING
from generator.drawing.faces.face_marks import draw_rounded_box
from generator.drawing.faces.game_drawing import Workshop
from generator.production.colour_blindness import VisionSimulator
from generator.text.set_text import Labeller

READABLE, LARGE = 4.5, 3.0
"""Smallest contrast of text, and of large numbers and icons, by WCAG 2."""

ALIKE_DIFFERENCE = 5.0
"""CIEDE2000 difference below which paints can only be told apart if they touch."""

_NORMAL, _GREY = "normal sight", "grey"
_LINE, _HEAD = 5.6, 9.0
_NAME, _HEX = 33.0, 15.0
_ICON, _SMALL = 10.0, 4.0
_MOST_PAIRS = 40

_Named: TypeAlias = tuple[str, str]
"""A paint's name and its value as `#rrggbb`."""


@dataclass(slots=True)
class ColourSetter:
    """Sets the colour pages. `captions` name normal sight and each kind of colour vision."""

    workshop: Workshop
    lang: str
    letters: Labeller
    sights: Sequence[VisionSimulator]
    captions: Sequence[str]

    def iter_strips(self, width: float) -> Iterator[Artwork]:
        """Yield the icons, then the palette, then the pairs, each `width` mm wide."""
        for group in self.workshop.game.told_apart:
            yield self._draw_icons(group, width)
        yield self._draw_heading(phrase("proof_palette", self.lang), width, phrase("proof_grades", self.lang))
        yield self._draw_palette_head(width)
        for name, colour in self.workshop.game.palette.items():
            yield self._draw_paint(name, colour.srgb, width)
        yield from self._draw_pairs(width)

    def _draw_heading(self, title: str, width: float, note: str = "") -> Artwork:
        items: list[Item] = [
            Shape(rectangle_path(Rect(0, 2.0, width, 0.3)), fill="ink", role="frame"),
            *self.letters.set_level_line(title, 0.0, 7.0, 9.0),
            *self.letters.set_level_line(note, width, 7.0, 6.0, "end", GREY),
        ]
        return Artwork(Size(width, _HEAD), tuple(items))

    def _draw_icons(self, group: Sequence[str], width: float) -> Artwork:
        """Draw the icons of a `told_apart` list, in each sight, at two sizes, with the nearest pair below."""
        game = self.workshop.game
        known = [game.icons[name] for name in group if name in game.icons]
        title = phrase("proof_told_apart", self.lang, names=", ".join(icon.name[self.lang] for icon in known))
        items: list[Item] = list(self._draw_heading(self.letters.shorten_text(title, 9.0, width), width).items)
        y = _HEAD + 1.0
        pitch = min(_ICON + _SMALL + 4.0, (width - 40.0) / max(1, len(known)))
        for caption, sight in zip(self.captions, (None, *self.sights), strict=True):
            items += self.letters.set_level_line(caption, 0.0, y + _ICON / 2 + 0.8, 6.0, "start", GREY)
            for at, icon in enumerate(known):
                symbol = self.workshop.artist.draw_icon(icon.id, "")
                if symbol is not None:
                    x = 40.0 + at * pitch
                    drawn = (
                        _fit_symbol(symbol, x, y, _ICON),
                        _fit_symbol(symbol, x + _ICON + 1, y + _ICON - _SMALL, _SMALL),
                    )
                    items.append(Group(sight.convert_items(drawn) if sight else drawn))
            y += _ICON + 2.0
        for line in self._find_nearest([(icon.name[self.lang], icon.colour) for icon in known]):
            items += self.letters.set_level_line(self.letters.shorten_text(line, 6.0, width), 0.0, y + 2.0, 6.0)
            y += 3.4
        return Artwork(Size(width, y + 3.0), tuple(items))

    def _find_nearest(self, named: Sequence[tuple[str, Paint]]) -> Iterator[str]:
        """Yield for each sight the pair with the nearest colours, and their difference."""
        pairs = [
            (one, other, measure_differences(self.workshop.hex_of_paint(paint), self.workshop.hex_of_paint(second)))
            for (one, paint), (other, second) in combinations(named, 2)
        ]
        if not pairs:
            return
        for caption, name in zip(self.captions, (_NORMAL, *(sight.eye.name for sight in self.sights)), strict=True):
            one, other, figures = min(pairs, key=lambda pair: pair[2][name])
            value = f"{figures[name]:.1f}"
            yield phrase("proof_nearest", self.lang, sight=caption, one=one, other=other, value=value)

    def _place_columns(self, width: float) -> list[float]:
        """Return the left edges of the swatches of each sight, then the right edges of the two contrasts."""
        start, swatches = _NAME + _HEX, len(self.captions)
        room = (width - start - 34.0) / swatches
        return [*(start + room * at for at in range(swatches)), start + room * swatches + 15.0, width]

    def _draw_palette_head(self, width: float) -> Artwork:
        columns = self._place_columns(width)
        pitch = columns[1] - columns[0]
        items: list[Item] = []
        for x, caption in zip(columns, self.captions, strict=False):
            items += self.letters.set_level_line(
                self.letters.shorten_text(caption, 5.0, pitch - 1.0), x, 3.0, 5.0, "start", GREY
            )
        for x, name in zip(columns[-2:], ("proof_on_white", "proof_on_ink"), strict=True):
            items += self.letters.set_level_line(phrase(name, self.lang), x, 3.0, 5.0, "end", GREY)
        return Artwork(Size(width, 2.0), tuple(items))

    def _draw_paint(self, name: str, srgb: str, width: float) -> Artwork:
        """Draw a paint: name, value, a swatch in each sight, and its contrast with white paper and with ink."""
        columns = self._place_columns(width)
        pitch = columns[1] - columns[0]
        items: list[Item] = [
            *self.letters.set_level_line(self.letters.shorten_text(name, 6.5, _NAME - 1), 0.0, 3.4, 6.5),
            *self.letters.set_level_line(srgb, _NAME, 3.4, 6.0, "start", GREY),
        ]
        for x, seen in zip(columns, (srgb, *(sight.eye.convert_hex(srgb) for sight in self.sights)), strict=False):
            items.append(_draw_swatch(Rect(x, 0.2, pitch - 1.0, _LINE - 1.6), seen))
        for x, ground in zip(columns[-2:], ("#ffffff", self.workshop.hex_of_paint("ink")), strict=True):
            figure = measure_contrast(srgb, ground)
            grade = "●" if figure >= READABLE else "○" if figure >= LARGE else "–"
            items += self.letters.set_level_line(
                f"{figure:.1f} {grade}", x, 3.4, 6.5, "end", "ink" if figure >= READABLE else GREY
            )
        return Artwork(Size(width, _LINE - 2.0), tuple(items))

    def _draw_pairs(self, width: float) -> Iterator[Artwork]:
        """Yield tables of paints that differ in normal sight but not in another, the worst first.

        A grey print has far more of them than any colour blindness, so it has its own table.
        """
        eyes = [sight.eye.name for sight in self.sights]
        for title, names in (
            ("proof_pairs", [name for name in eyes if name != _GREY]),
            ("proof_grey_pairs", [name for name in eyes if name == _GREY]),
        ):
            if names:
                palette = [(name, colour.srgb) for name, colour in self.workshop.game.palette.items()]
                found = []
                for one, other in combinations(palette, 2):
                    figures = measure_differences(one[1], other[1])
                    if figures[_NORMAL] >= LEAST_DIFFERENCE and min(figures[name] for name in names) < ALIKE_DIFFERENCE:
                        found.append((one, other, figures))
                yield from self._draw_pair_table(
                    title,
                    sorted(found, key=lambda pair: (round(min(pair[2][name] for name in names), 6), pair[0], pair[1])),
                    width,
                )

    def _draw_pair_table(
        self, title: str, pairs: Sequence[tuple[_Named, _Named, Mapping[str, float]]], width: float
    ) -> Iterator[Artwork]:
        note = count_phrase(
            "proof_pairs_found", self.lang, len(pairs), least=f"{LEAST_DIFFERENCE:g}", together=f"{ALIKE_DIFFERENCE:g}"
        )
        yield self._draw_heading(phrase(title, self.lang), width, note)
        if pairs:
            items: list[Item] = []
            for x, caption in zip(self._place_figures(width), self.captions, strict=True):
                items += self.letters.set_level_line(
                    self.letters.shorten_text(caption, 5.0, 19.0), x + 19.0, 3.0, 5.0, "end", GREY
                )
            yield Artwork(Size(width, 2.0), tuple(items))
        for one, other, figures in pairs[:_MOST_PAIRS]:
            yield self._draw_pair(one, other, figures, width)
        if len(pairs) > _MOST_PAIRS:
            said = phrase("proof_more_pairs", self.lang, n=len(pairs) - _MOST_PAIRS)
            yield Artwork(Size(width, _LINE), self.letters.set_level_line(said, 0.0, 3.4, 6.5, "start", GREY))

    def _place_figures(self, width: float) -> list[float]:
        number = len(self.captions)
        return [width - 20.0 * (number - at) for at in range(number)]

    def _draw_pair(self, first: _Named, second: _Named, figures: Mapping[str, float], width: float) -> Artwork:
        room = width - 20.0 * len(self.captions)
        names = self.letters.shorten_text(f"{first[0]} / {second[0]}", 6.5, room - 1)
        items: list[Item] = [*self.letters.set_level_line(names, 0.0, 3.4, 6.5)]
        sees = [None, *(sight.eye for sight in self.sights)]
        for x, eye in zip(self._place_figures(width), sees, strict=True):
            for at, (_, srgb) in enumerate((first, second)):
                seen = eye.convert_hex(srgb) if eye else srgb
                items.append(_draw_swatch(Rect(x + 5.0 * at, 0.2, 5.0, _LINE - 1.6), seen))
            value = figures[eye.name if eye else _NORMAL]
            paint = WARNING if value < ALIKE_DIFFERENCE else "ink"
            items += self.letters.set_level_line(f"{value:.1f}", x + 19.0, 3.4, 6.5, "end", paint)
        return Artwork(Size(width, _LINE - 2.0), tuple(items))


def _draw_swatch(box: Rect, srgb: str) -> Shape:
    return Shape(draw_rounded_box(box, 0.0), fill=srgb, stroke=RULE, width=0.1, role="frame")


def _fit_symbol(symbol: Symbol, x: float, y: float, size: float) -> PlacedSymbol:
    left, top, width, height = symbol.box
    scale = size / max(width, height)
    return PlacedSymbol(symbol, (scale, 0.0, 0.0, scale, x - left * scale, y - top * scale))
