"""What is printed around the art of one page: rulers, notes, cut marks and fold line, each in a place of its own."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from generator.model.drawing import Item
from generator.sheets.imposition import Grid
from generator.sheets.label import Typeset, line_items, take_lines
from generator.sheets.marks import cut_lines, cut_mark_items, fold_items, fold_line
from generator.sheets.rulers import Ruler, ruler_items, take_rulers
from generator.sheets.slug import Slug, Spot
from generator.units import Rect


@dataclass(frozen=True, slots=True)
class Furniture:
    """The spots of both rulers and of every line of text."""

    rulers: tuple[tuple[Ruler, Spot], ...]
    lines: tuple[tuple[str, Spot], ...]


def furnish(slug: Slug, notes: Sequence[str]) -> Furniture | None:
    """Takes a spot for each ruler and for every line of the notes; None when one finds no room."""
    rulers = take_rulers(slug)
    if rulers is None:
        return None
    lines: list[tuple[str, Spot]] = []
    for note in notes:
        taken = take_lines(slug, note)
        if taken is None:
            return None
        lines += taken
    return Furniture(tuple(rulers), tuple(lines))


def furniture_items(
    grid: Grid, printable: Rect, notes: Sequence[str], marked: Collection[int], typeset: Typeset
) -> tuple[Item, ...] | None:
    """Rulers and notes, then the cut marks of the slots in `marked` and with a fold its line; None if no room is left.

    Places are found as if every slot had its marks, so that all pages of a grid look alike.
    """
    xs, ys = cut_lines(grid, range(grid.capacity))
    if grid.fold:
        (xs if grid.fold == "vertical" else ys).append(fold_line(grid))
    for plain in (False, True):
        slug = Slug(grid.art, printable, sorted(xs), sorted(ys), plain)
        furniture = furnish(slug, notes)
        if furniture is not None:
            return (*_spot_items(furniture, typeset), *_line_items(grid, slug, marked))
    return None


def _spot_items(furniture: Furniture, typeset: Typeset) -> Iterator[Item]:
    for ruler, spot in furniture.rulers:
        yield from ruler_items(ruler, spot, typeset)
    yield from line_items(furniture.lines, typeset)


def _line_items(grid: Grid, slug: Slug, marked: Collection[int]) -> Iterator[Item]:
    xs, ys = cut_lines(grid, marked)
    marks = [mark for x in xs for mark in slug.ends("vertical", x)]
    marks += [mark for y in ys for mark in slug.ends("horizontal", y)]
    yield from cut_mark_items(marks)
    if grid.fold:
        yield from fold_items(slug.ends(grid.fold, fold_line(grid)))
