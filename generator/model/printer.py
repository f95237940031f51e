"""How a printer puts backs behind fronts: measured on the calibration sheet, corrected on each back page."""

from generator.dataclass import dataclass
from generator.model.geometry import Matrix
from generator.units import Size

MOST_SHIFT = 5.0
"""Further than so many mm no printer goes astray: the number is a slip, or the paper lies wrong."""

MOST_SCALE = 0.02
"""Nor by more than this share of a length: the print dialogue scales."""


@dataclass(frozen=True, slots=True)
class Printer:
    """What is done to back pages so that they come to lie behind their fronts.

    `back_x` and `back_y` move them right and down (mm, seen from the back), `scale_x` and `scale_y` stretch them about
    the paper's middle (1.002 is 100.2 %). ValueError names every figure that is out of reach.
    """

    name: str
    back_x: float = 0.0
    back_y: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0

    def __post_init__(self) -> None:
        faults = []
        for axis, shift in (("x", self.back_x), ("y", self.back_y)):
            if not -MOST_SHIFT <= shift <= MOST_SHIFT:
                faults.append(f"back-{axis} is {shift:g} mm; it can be {MOST_SHIFT:g} mm at most either way")
        for axis, scale in (("x", self.scale_x), ("y", self.scale_y)):
            if not 1 - MOST_SCALE <= scale <= 1 + MOST_SCALE:
                least, most = 100 * (1 - MOST_SCALE), 100 * (1 + MOST_SCALE)
                faults.append(f"scale-{axis} is {100 * scale:g} %; it can be {least:g} % to {most:g} %")
        if faults:
            raise ValueError("; ".join(faults))

    def adjustment(self, paper: Size) -> Matrix:
        """From where a thing belongs on the back page to where it must be printed (mm, y down)."""
        x, y = paper.width / 2, paper.height / 2
        across, down = self.scale_x, self.scale_y
        return (across, 0.0, 0.0, down, x * (1 - across) + self.back_x, y * (1 - down) + self.back_y)
