"""The plates of a page as Ghostscript separates it, where it is installed, and where too much ink meets on them."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

from PIL import Image, ImageFilter, ImageMath

from generator.files import entries_of, write_below
from generator.printshop.preflight.geometry import Box
from generator.programs import program_path

Plates = Sequence[Image.Image]
"""A grey picture of each plate, all of one size: black is solid ink."""

DPI = 72.0
_SPOT = 7  # pixels: smaller than 2.5 mm square nothing stays wet, and type over a ground never is
_LONGEST = 10.0  # seconds for all pages of a file
_FULL = 255
_SLACK = 2.0  # percent: what rounding adds on all plates together


class Ghostscript:
    """The program, if it is installed and `allowed`, for the pages of one file: it has so many seconds for them all."""

    def __init__(self, allowed: bool):
        self._program = program_path("gs", "gswin64c", "gswin32c") if allowed else None
        self._left = _LONGEST

    def separate(self, pdf: bytes, page: int, dpi: float) -> Plates | None:
        """The plates of a page (counted from 1); None where there is no program or time, or it can't make them.

        Overprinting and blending are done as a press's program does them. The MediaBox is what is shown.
        """
        if self._program is None or self._left <= 0:
            return None
        begun = monotonic()
        try:
            return _run_ghostscript(self._program, pdf, page, dpi, self._left)
        finally:
            self._left -= monotonic() - begun


def _run_ghostscript(program: str, pdf: bytes, page: int, dpi: float, longest: float) -> Plates | None:
    with TemporaryDirectory() as folder:
        write_below(Path(folder), "page.pdf", pdf)
        words = [
            *("-q", "-dSAFER", "-sDEVICE=tiffsep", f"-r{dpi:.3f}", f"-dFirstPage={page}", f"-dLastPage={page}"),
            *("-o", "plate-%d.tif", "page.pdf"),
        ]
        try:
            subprocess.run(  # noqa: S603 - words of ours alone; the file has a name of ours, too
                [program, *words],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=True,
                timeout=longest,
            )
            return [_load_plate(path) for path in entries_of(Path(folder)) if path.match("plate-1(*.tif")] or None
        except (OSError, subprocess.SubprocessError):
            return None


def _load_plate(path: Path) -> Image.Image:
    with Image.open(path) as picture:
        return picture.convert("L")


def heaviest(plates: Plates, scale: float, within: Box, limit: float) -> tuple[float, Box] | None:
    """The most ink in percent that a spot of 2.5 mm takes all over, and where the topmost such spot begins.

    `scale` is pixels a mm; only what lies `within` the box (mm) counts. None where no spot is over the limit.
    """
    total = _percent(plates).crop(_pixels(within, scale, plates[0].size))
    if min(total.size) < _SPOT:
        return None
    low = total.filter(ImageFilter.MinFilter(_SPOT))  # a pixel has what all around it have at least
    most = _most(low)
    if most <= limit + _SLACK:
        return None
    over = low.point(lambda percent: _FULL if percent > (limit + _SLACK) / _STEP else 0)
    left, top = (max(at - _SPOT // 2, 0) / scale for at in _first(over))
    x, y = within[0] + left, within[1] + top
    return most, (x, y, x + _SPOT / scale, y + _SPOT / scale)


_STEP = 4.0
"""Percent to a step of the sum, so that it fits into a byte up to 1020 %."""


def _percent(plates: Plates) -> Image.Image:
    """The sum of all plates, in steps of four percent rounded down."""

    def summed(of: dict[str, Any]) -> Any:
        total = sum((_FULL - of["float"](of[f"p{at}"])) for at in range(len(plates)))
        return of["convert"](of["int"](of["min"](total * 100 / _FULL / _STEP + 0.01, _FULL)), "L")

    percent: Image.Image = ImageMath.lambda_eval(summed, **{f"p{at}": plate for at, plate in enumerate(plates)})
    return percent


def _most(total: Image.Image) -> float:
    return float(total.getextrema()[1]) * _STEP  # type: ignore[arg-type]


def _first(mask: Image.Image) -> tuple[int, int]:
    """The first marked pixel of the topmost row that has any."""
    _, top, _, _ = mask.getbbox() or (0, 0, 0, 0)
    left, _, _, _ = mask.crop((0, top, mask.width, top + 1)).getbbox() or (0, 0, 0, 0)
    return left, top


def _pixels(box: Box, scale: float, size: tuple[int, int]) -> tuple[int, int, int, int]:
    left, top, right, bottom = (round(side * scale) for side in box)
    return max(left, 0), max(top, 0), min(right, size[0]), min(bottom, size[1])
