"""Sheets of card faces for a table that cuts them up again: a grid of equal slots, filled in rows from the top left."""

from collections.abc import Sequence
from math import ceil

from PIL import Image

from generator.dataclass import dataclass
from generator.units import MM_PER_INCH, Size

MOST_SIDE = 4096
"""Pixels at a side that every table takes."""

COLUMNS, ROWS = range(2, 11), range(2, 8)

MOST_FACES = 69
"""The last slot of a sheet shows what others see of a hidden card."""

LEGIBLE = 200.0
"""Dots an inch below which small print is hard to read: rather another sheet than fewer."""


@dataclass(frozen=True, slots=True)
class SlotGrid:
    """The slots of a sheet and at how many dots an inch they are filled."""

    columns: int
    rows: int
    dpi: int

    @property
    def slots(self) -> int:
        """How many there are."""
        return self.columns * self.rows


def grid_for(faces: int, size: Size, most: int) -> SlotGrid:
    """The grid that shows so many faces and one slot more as large as `most` dots an inch and the limits allow.

    Of equals the one with the fewest slots. ValueError for none, or more than a sheet has slots for.
    """
    if not 1 <= faces <= MOST_FACES:
        raise ValueError(f"{faces} faces on a sheet of at most {MOST_FACES}")
    grids = [
        SlotGrid(columns, rows, _dpi(columns, rows, size, most))
        for columns in COLUMNS
        for rows in ROWS
        if columns * rows > faces
    ]
    return max(grids, key=lambda grid: (grid.dpi, -grid.slots, grid.columns))


def faces_per_sheet(faces: int, size: Size, most: int) -> list[int]:
    """How many faces come on each sheet: on as few as leave them legible, evenly."""
    wanted = min(LEGIBLE, most, grid_for(1, size, most).dpi)
    sheets = ceil(faces / MOST_FACES)
    while grid_for(ceil(faces / sheets), size, most).dpi < wanted:
        sheets += 1
    whole, over = divmod(faces, sheets)
    return [whole + (sheet < over) for sheet in range(sheets)]


def sheet(grid: SlotGrid, faces: Sequence[Image.Image], hidden: Image.Image) -> Image.Image:
    """One picture of the faces, all of one size, in their slots; `hidden` in the last slot, white in the rest."""
    width, height = faces[0].size
    picture = Image.new("RGB", (grid.columns * width, grid.rows * height), "white")
    for slot, face in enumerate(faces):
        picture.paste(face, _corner(grid, slot, width, height))
    picture.paste(hidden.resize((width, height)), _corner(grid, grid.slots - 1, width, height))
    return picture


def largest_dpi(size: Size, most: float) -> float:
    """The dots an inch of a picture of its own: at most `most`, and never more pixels than a table takes."""
    return min(most, *((MOST_SIDE - 1) * MM_PER_INCH / side for side in (size.width, size.height)))


def _corner(grid: SlotGrid, slot: int, width: int, height: int) -> tuple[int, int]:
    row, column = divmod(slot, grid.columns)
    return column * width, row * height


def _dpi(columns: int, rows: int, size: Size, most: int) -> int:
    """The whole number of dots an inch at which so many slots fit, each rounded up to whole pixels."""
    wide = MOST_SIDE // columns * MM_PER_INCH / size.width
    high = MOST_SIDE // rows * MM_PER_INCH / size.height
    return max(1, int(min(most, wide, high)))
