"""Inputs of the checks: pages and files after reading, ink plates rendered by Ghostscript, and the class of a check."""

import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, NamedTuple

from PIL import Image, ImageFilter, ImageMath

from generator.base.files import list_folder, write_in_folder
from generator.base.processes import find_program
from generator.production.finish_pdf import Standard
from generator.production.preflight.pdf_colours import ColourSpace, PageMark
from generator.production.preflight.pdf_document import (
    READING_ERRORS,
    OpenedPdf,
    PageBox,
    UnreadPage,
    format_reason,
    intersect_boxes,
)
from generator.production.preflight.preflight_report import Finding, PreflightRules, Severity

Plates = Sequence[Image.Image]
"""A grey picture of each plate, all of one size. Black is solid ink."""

DPI = 72.0
_SPOT = 7  # pixels: areas below 2.5 mm square don't stay wet; type on a background is smaller
_LONGEST = 10.0  # seconds for all pages of a file
_FULL = 255
_SLACK = 2.0  # percent: added by rounding on all plates together


class Ghostscript:
    """Ghostscript, if it is installed and `allowed`, with a time limit for all pages of one file."""

    def __init__(self, allowed: bool):
        self._program = find_program("gs", "gswin64c", "gswin32c") if allowed else None
        self._left = _LONGEST

    def separate(self, pdf: bytes, page: int, dpi: float) -> Plates | None:
        """Return the plates of a page (counted from 1), or None without Ghostscript, time or success.

        Ghostscript overprints and blends as a press does. It renders the MediaBox.
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
        write_in_folder(Path(folder), "page.pdf", pdf)
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
            return [_load_plate(path) for path in list_folder(Path(folder)) if path.match("plate-1(*.tif")] or None
        except (OSError, subprocess.SubprocessError):
            return None


def _load_plate(path: Path) -> Image.Image:
    with Image.open(path) as picture:
        return picture.convert("L")


def find_heaviest_spot(plates: Plates, scale: float, within: PageBox, limit: float) -> tuple[float, PageBox] | None:
    """Return the largest ink sum (percent) of any spot of 2.5 mm, with the place of the topmost such spot.

    `scale` is in pixels per mm; only the part `within` the box (mm) counts. Return None if no spot exceeds the limit.
    """
    left, top, right, bottom = (round(side * scale) for side in within)
    width, height = plates[0].size
    total = _sum_plates(plates).crop((max(left, 0), max(top, 0), min(right, width), min(bottom, height)))
    if min(total.size) < _SPOT:
        return None
    low = total.filter(ImageFilter.MinFilter(_SPOT))  # each pixel gets the minimum around it
    most = float(low.getextrema()[1]) * _STEP  # type: ignore[arg-type]
    if most <= limit + _SLACK:
        return None
    over = low.point(lambda percent: _FULL if percent > (limit + _SLACK) / _STEP else 0)
    row = (over.getbbox() or (0, 0, 0, 0))[1]  # the topmost that has any
    column = (over.crop((0, row, over.width, row + 1)).getbbox() or (0, 0, 0, 0))[0]
    x, y = (start + max(at - _SPOT // 2, 0) / scale for start, at in zip(within, (column, row), strict=False))
    return most, (x, y, x + _SPOT / scale, y + _SPOT / scale)


_STEP = 4.0
"""Ink in percent for each step of a byte, so that a byte holds sums of up to 1020 %."""


def _sum_plates(plates: Plates) -> Image.Image:
    """Return the sum of all plates, in steps of four percent, rounded down."""

    def sum_plates(of: dict[str, Any]) -> Any:
        total = sum((_FULL - of["float"](of[f"p{at}"])) for at in range(len(plates)))
        return of["convert"](of["int"](of["min"](total * 100 / _FULL / _STEP + 0.01, _FULL)), "L")

    percent: Image.Image = ImageMath.lambda_eval(sum_plates, **{f"p{at}": plate for at, plate in enumerate(plates)})
    return percent


HIDING_ERRORS = ("can't be read", "draws itself", "was not checked", "nested more than")
"""Phrases in messages about reading errors that leave part of a page unread."""


class CheckFinding(NamedTuple):
    """A result of a check: severity, problem, remedy, and place on the page (mm in its view) or None for all of it."""

    severity: Severity
    what: str
    hint: str = ""
    box: PageBox | None = None
    page: int = 0
    times: int = 1


def group_by_figure(marks: Iterable[PageMark]) -> Iterator[tuple[str, list[PageMark]]]:
    """Group the marks into those in the text and those in figures, each with a phrase: empty or ` in a figure`."""
    groups: dict[str, list[PageMark]] = {}
    for mark in marks:
        groups.setdefault(" in a figure" if mark.tag == "Figure" else "", []).append(mark)
    yield from groups.items()


@dataclass(frozen=True, slots=True)
class PageContext:
    """One page as the checks see it: its marks (painted things). `cut` is the box it is cut to, None if it isn't cut.

    `grounded` are the ids of white marks on a background that isn't white; `asides` names other content, such as hidden
    layers. `shown` are the marks that reach into the trim. `pixels` renders the page at a dpi (0 to 400), or returns
    None on failure. `plates` renders one picture for each ink, or returns None if no program can.
    """

    file: OpenedPdf
    sheet: UnreadPage
    rules: PreflightRules
    cut: PageBox | None
    marks: list[PageMark]
    grounded: frozenset[int]
    troubles: list[str]
    asides: frozenset[str]
    pixels: Callable[[float], Image.Image | None]
    plates: Callable[[], Plates | None]
    shown: tuple[PageMark, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Set `shown`: the marks that are at least partly inside the cut, or on the page if it isn't cut."""
        inside = self.cut or self.sheet.whole
        object.__setattr__(self, "shown", tuple([mark for mark in self.marks if intersect_boxes(mark.box, inside)]))

    def on_ground(self, mark: PageMark) -> bool:
        """Return True if a white mark is on a background that isn't white, so that it is visible."""
        return id(mark) in self.grounded

    @property
    def is_unread(self) -> bool:
        """Return True if part of the page could not be read. Then missing things prove nothing."""
        return any(part in trouble for trouble in self.troubles for part in HIDING_ERRORS)

    @property
    def cmyk(self) -> bool:
        """Return True if the job is for the four inks, according to the shop or the file's output intent."""
        return self.rules.cmyk or self.file.intent == 4


@dataclass(slots=True)
class PagesSeen:
    """What was seen while reading the pages: each colour space and plate with its first page and place."""

    spaces: dict[ColourSpace, tuple[int, PageBox]] = field(default_factory=dict)
    plates: dict[str, tuple[int, PageBox]] = field(default_factory=dict)
    empty: list[int] = field(default_factory=list)
    unread: list[int] = field(default_factory=list)

    def add_page(self, page: int, marks: Iterable[PageMark], unread: bool = False) -> None:
        """Record a page. A page that could not be read does not count as empty."""
        bare = not unread
        for mark in marks:
            bare = bare and mark.colour.is_white
            space = mark.colour.space
            if space not in self.spaces:
                self.spaces[space] = (page, mark.box)
            for name in space.names:
                self.plates.setdefault(name, (page, mark.box))
        if bare:
            self.empty.append(page)


@dataclass(frozen=True, slots=True)
class FileContext:
    """The file after reading all its pages.

    `cuts` are the cut boxes of the pages in order; `found` are the ids of checks with findings.
    """

    file: OpenedPdf
    rules: PreflightRules
    cuts: tuple[PageBox | None, ...]
    seen: PagesSeen
    found: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of preflight: `find` yields a finding for each place that breaks it.

    `find` gets a PageContext (`per_page`), a FileContext or, for a rule of PDF/X, an OpenPdf. `standards` are those
    that contain the rule. `check` names the general rule that reports the same fault with its place on the page.
    """

    id: str
    find: Callable[[Any], Iterable[CheckFinding]]
    per_page: bool = False
    standards: tuple[Standard, ...] = ()
    check: str = ""

    def iter_findings(self, look: Any, corners: Sequence[PageBox] = (), number: int = 0) -> Iterator[Finding]:
        """Yield findings on page `number`, or in the whole file (0). `corners` are the boxes each page is cut to.

        Places are in mm from the top left corner of the trim, with one decimal. If the rule fails because the file is
        broken, yield that as an error.
        """
        try:
            for found in self.find(look):
                page, at = found.page or number, None
                if found.box is not None:
                    left, top = corners[page - 1][:2]
                    # What begins beyond the page's edge is reported at the edge.
                    x, y = max(found.box[0], 0.0) - left, max(found.box[1], 0.0) - top
                    at = (round(x, 1) + 0.0, round(y, 1) + 0.0)
                yield Finding(self.id, found.severity, page, at, found.what, found.hint, found.times)
        except READING_ERRORS as error:
            what = f"pnp can't check this ({format_reason(error)})"
            yield Finding(self.id, "error", number, None, what, "save the file again with another program")


def page_check(name: str) -> Callable[[Callable[[PageContext], Iterable[CheckFinding]]], Rule]:
    """Return a decorator that turns a generator of findings on one page into a Rule with this name."""
    return lambda find: Rule(name, find, per_page=True)


def file_check(name: str) -> Callable[[Callable[[FileContext], Iterable[CheckFinding]]], Rule]:
    """Return a decorator that turns a generator of findings in the whole file into a Rule with this name."""
    return lambda find: Rule(name, find)
