"""What checks of a PDF get (pages and files after reading, ink plates of Ghostscript) and give: findings, a report."""

import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, Literal, NamedTuple

from PIL import Image, ImageFilter, ImageMath

from generator.base.errors import Problem, join_lines
from generator.base.files import list_folder, write_in_folder
from generator.base.processes import find_program
from generator.game.presets import Product, Shop
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

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a check: place, problem and remedy.

    `page` counts from 1, 0 for the whole file; `at` is mm from the top left corner of the page's trim, None for the
    whole page; `times` counts equal findings on that page, the first of which is at `at`.
    """

    check: str
    severity: Severity
    page: int
    at: tuple[float, float] | None
    what: str
    hint: str = ""
    times: int = 1


@dataclass(frozen=True, slots=True)
class Report:
    """The findings of one file in page order, and the rules used."""

    file: str
    pages: int
    rules: str
    checks: int
    findings: tuple[Finding, ...]

    def count(self, severity: Severity) -> int:
        """Return the number of findings with that severity."""
        return sum(1 for finding in self.findings if finding.severity == severity)


def sort_findings(findings: list[Finding]) -> tuple[Finding, ...]:
    """Sort by page (the whole file first), severity and place, and merge equal findings of a page."""
    groups: dict[tuple[str, str, int, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.check, finding.severity, finding.page, finding.what), []).append(finding)
    merged = [replace(min(alike, key=_place_key), times=sum(one.times for one in alike)) for alike in groups.values()]
    merged.sort(key=lambda one: (one.page, SEVERITIES.index(one.severity), _place_key(one), one.check, one.what))
    return tuple(merged)


def _place_key(finding: Finding) -> tuple[float, float]:
    return (finding.at[1], finding.at[0]) if finding.at else (-1e9, -1e9)


@dataclass(frozen=True, slots=True)
class PreflightRules:
    """The limits of a preflight: lengths in mm, sizes of type and lines in points, ink in percent.

    `shop` is True if somebody else cuts the pages. Pictures are compared with `dpi`: under three quarters they are
    poor, under half unusable. `flat` forbids transparency. `ink_stated`: the ink limit is the shop's own.
    """

    name: str = "general rules"
    shop: bool = False
    products: tuple[Product, ...] = ()
    bleed: float = 3.0
    safe: float = 3.0
    dpi: float = 300.0
    bitmap_dpi: float = 550.0
    ink_limit: float = 330.0
    ink_stated: bool = False
    cmyk: bool = False
    spots: bool = True
    standard: str = ""
    flat: bool = False
    marks: bool = True
    alternating: bool = False
    pictures_only: bool = False
    line: float = 0.25
    type: float = 5.0
    reversed_type: float = 6.0
    rich_black_type: float = 14.0
    inks_type: float = 7.0


GENERAL = PreflightRules()


def rules_from_shop(shop: Shop) -> PreflightRules:
    """Return the rules of a print shop's preset."""
    return PreflightRules(
        name=shop.id, shop=True, products=shop.products, bleed=shop.bleed, safe=shop.safe, dpi=shop.dpi,
        ink_limit=shop.ink_limit or GENERAL.ink_limit, ink_stated=shop.ink_limit is not None,
        cmyk=shop.colour == "cmyk", spots=shop.spots, standard=shop.standard, flat=shop.standard == "pdfx1a",
        marks=shop.marks != "none", alternating=shop.order == "alternating" and shop.copies == "each",
        pictures_only=shop.upload == "png",
    )  # fmt: skip


_FIGURE = re.compile(r"\d[\d.]*")

VERSION = 1
"""Version of the JSON. It increases when old readers would misread the output."""


def preflight_to_text(report: Report) -> str:
    """Return one line for each finding, and a summary."""
    lines = [_format_line(report.file, alike) for alike in _group_alike(report.findings)]
    counts = ", ".join(_format_count(report.count(severity), severity) for severity in SEVERITIES)
    lines.append(
        f"{report.file}: {_format_count(report.pages, 'page')}, {counts} ({report.checks} checks, {report.rules})"
    )
    return join_lines(lines)


def _format_count(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


def _group_alike(findings: Iterable[Finding]) -> Iterable[list[Finding]]:
    """Group findings that differ only in numbers and occur once on each page; findings without a place stay apart."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    on_page: Counter[tuple[object, ...]] = Counter()
    for finding in findings:
        what = finding.what if finding.at is None else _FIGURE.sub("", finding.what)
        kind = (finding.check, finding.severity, what, finding.at is None)
        on_page[finding.page, kind] += 1
        groups.setdefault((kind, on_page[finding.page, kind]), []).append(finding)
    return groups.values()


def _format_line(file: str, alike: list[Finding]) -> str:
    """Return findings that are alike on several pages as one line: the first, then the other pages' numbers."""
    finding, others = alike[0], [one.page for one in alike[1:]]
    place = f"page {finding.page}" if finding.page else "the whole file"
    if finding.at is not None:
        place += f", {finding.at[0]:.1f} x {finding.at[1]:.1f} mm"
    elif others:
        place += f" and {_format_count(len(others), 'other')}"
    more = f" (and {finding.times - 1} more)" if finding.times > 1 else ""
    if others and finding.at is not None:
        more += f", and the like on {'pages' if len(others) > 1 else 'page'} {_format_ranges(others)}"
    return f"{file}: {place}: {finding.severity}: {finding.what}{more}; {finding.hint}"


def _format_ranges(pages: list[int]) -> str:
    """Return ascending page numbers as text with ranges: `2-5, 9`."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page <= runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def preflight_to_json(reports: Iterable[Report], problems: Iterable[Problem]) -> str:
    """Return all reports as one JSON object. Places are in mm from the top left corner of a page's trim."""
    files = [
        {
            "file": report.file,
            "pages": report.pages,
            "rules": report.rules,
            **{f"{severity}s": report.count(severity) for severity in SEVERITIES},
            "findings": [
                asdict(one) | {"page": one.page or None, "at": one.at and {"x": one.at[0], "y": one.at[1]}}
                for one in report.findings
            ],
        }
        for report in reports
    ]
    unread = [{"file": str(problem.place), "what": problem.what, "hint": problem.hint} for problem in problems]
    whole = {"version": VERSION, "files": files, "unreadable": unread}
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


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
        """Return the inks of a page (from 1; its MediaBox) as on a press; None without Ghostscript, time or success."""
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
        """Record a page's colours and plates, and the page if it is empty; one that could not be read is not."""
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
    """A file whose pages were all read: `cuts`, their cut boxes in order; `found`, ids of checks with findings."""

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
