"""The command `preflight`: all checks of PDF files in order, each file in its own process, within limits."""

import io
import os
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from errno import EISDIR
from functools import partial
from os import strerror
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any, TypeVar

import click
import pikepdf
from PIL import Image

from generator.base.errors import Place, Problem, ProblemsFound
from generator.base.geometry import MM_PER_INCH
from generator.base.processes import SideProcess
from generator.commands.command_line import say, say_text
from generator.commands.options import FORMAT, PROJECT, say_warnings
from generator.drawing.pdf.page_images import render_page
from generator.game.preset_files import find_preset
from generator.game.presets import Shop
from generator.game.project import find_resources
from generator.production.finish_pdf import Standard
from generator.production.preflight import box_checks, paint_checks
from generator.production.preflight.box_checks import find_cut_box
from generator.production.preflight.inspection import (
    DPI,
    GENERAL,
    HIDING_ERRORS,
    CheckFinding,
    FileContext,
    Finding,
    Ghostscript,
    PageContext,
    PagesSeen,
    Plates,
    PreflightRules,
    Report,
    Rule,
    Severity,
    file_check,
    group_by_figure,
    page_check,
    preflight_to_json,
    preflight_to_text,
    rules_from_shop,
    sort_findings,
)
from generator.production.preflight.paint_checks import find_marks_on_ground
from generator.production.preflight.pdf_colours import FontFacts, PageMark
from generator.production.preflight.pdf_document import (
    BROKEN_FILE_ERRORS,
    LARGEST_PDF,
    OpenedPdf,
    UnreadPage,
    box_from_points,
    find_hidden_layers,
    find_inherited_entry,
    move_box,
    open_file,
)
from generator.production.preflight.pdfx_file import OpenPdf
from generator.production.preflight.pdfx_rules import PDFX_RULES
from generator.production.preflight.stream_reader import read_page_marks
from generator.production.preflight.stream_state import INVISIBLE, SWITCHED_OFF, TRANSFER, FileFacts

_HARMLESS = ("/Link", "/Popup", "/PrinterMark", "/TrapNet")
_UNSEEN = 0b10  # the flag of hidden annotations
_MOST = 500


@page_check("content")
def check_content(look: PageContext) -> Iterator[CheckFinding]:
    """Report content that can't be read: a printer may fail on what our reader can't read."""
    for aside in sorted(look.asides):
        yield CheckFinding("warning", f"the page has {aside}", _REMEDIES[aside])
    white = [mark for mark in look.shown if mark.kind == "text" and mark.colour.is_white and not look.on_ground(mark)]
    if white and not look.is_unread:
        hint = "remove it, or give it a colour"
        yield CheckFinding("warning", "white type on bare paper", hint, white[0].box, times=len(white))
    for what, times in sorted(Counter(look.troubles).items())[:12]:
        severity: Severity = "error" if any(part in what for part in HIDING_ERRORS) else "warning"
        often = f" ({times} times)" if times > 1 else ""
        yield CheckFinding(severity, f"{what}{often}", "save the file again with another program")


@page_check("annotations")
def check_annotations(look: PageContext) -> Iterator[CheckFinding]:
    """Report annotations: they print or not, depending on the machine. Links are harmless except for PDF/X."""
    try:
        found = list(look.sheet.obj.get("/Annots", []))[:_MOST]
    except BROKEN_FILE_ERRORS:
        found = []
    for annotation in found:
        try:
            kind = str(annotation.get("/Subtype", ""))
            harmless = kind in _HARMLESS and not (kind == "/Link" and look.rules.standard)
            if harmless or int(annotation.get("/F", 0)) & _UNSEEN:
                continue
            box = move_box(box_from_points(annotation["/Rect"]), look.sheet.view.base)
        except BROKEN_FILE_ERRORS:
            yield CheckFinding("warning", "a broken annotation", "remove it")
            continue
        name = ascii(kind.removeprefix("/"))[1:-1]
        yield CheckFinding("warning", f"an annotation ({name})", "remove it, or flatten it into the page", box)


@file_check("damage")
def check_damage(look: FileContext) -> Iterator[CheckFinding]:
    """Report damage: a truncated file may still be readable, but a page or a picture may be missing."""
    if look.seen.unread:
        what = f"the file is too large: pages from {look.seen.unread[0]} on were not checked"
        yield CheckFinding("error", what, "split it, or save it with simpler art")
    version = str(look.file.pdf.pdf_version)
    if version >= "2" and not look.rules.standard:
        yield CheckFinding(
            "note", f"the file is PDF {version}, which many programs don't support", "save it as PDF 1.7 or older"
        )
    if look.file.mended:
        what = "the file is damaged: its list of objects is missing or wrong"
        yield CheckFinding("error", what, "save or download it again; its end may be missing")


_REMEDIES = {
    INVISIBLE: "remove it; some programs print it",
    SWITCHED_OFF: "delete the layer; some programs print it",
    TRANSFER: "save the file without it; only some machines apply it",
}


@file_check("scripts")
def check_scripts(look: FileContext) -> Iterator[CheckFinding]:
    """Report embedded programs such as JavaScript: print shops and some viewers refuse them."""
    root = look.file.pdf.Root
    try:
        names = root.get("/Names", {})
        opens = root.get("/OpenAction")
        acts = isinstance(opens, pikepdf.Dictionary) and str(opens.get("/S", "")) not in ("/GoTo", "")
        if "/JavaScript" in names or acts or "/AA" in root:
            yield CheckFinding("error", "the file contains a script", "save it without JavaScript and actions")
        if "/EmbeddedFiles" in names:
            yield CheckFinding("warning", "other files are attached", "save it without attachments")
        form = root.get("/AcroForm")
        if isinstance(form, pikepdf.Dictionary) and "/XFA" in form:
            yield CheckFinding(
                "error", "the file is an XFA form, which most programs can't show", "print it to a plain PDF"
            )
    except BROKEN_FILE_ERRORS:
        yield CheckFinding("warning", "the file's catalogue is broken", "save the file again with another program")


@file_check("encryption")
def check_encryption(look: FileContext) -> Iterator[CheckFinding]:
    """Report encryption: the file opens without a password, but may forbid editing that a shop needs."""
    if look.file.encrypted:
        severity: Severity = "error" if look.rules.shop else "warning"
        yield CheckFinding(severity, "the file is encrypted", "save it without restrictions")


def find_pdfx_faults(pdf: bytes, standard: Standard) -> tuple[Finding, ...]:
    """Return every breach of the standard, those of the whole file (page 0) first; () if the file complies."""
    with pikepdf.open(io.BytesIO(pdf), suppress_warnings=True) as opened:
        subject = OpenPdf(opened)
        asked = (rule for rule in PDFX_RULES if standard in rule.standards)
        found = dict.fromkeys(fault for rule in asked for fault in rule.iter_findings(subject))
    return tuple(sorted(found, key=lambda fault: fault.page))


_NAMES = {"pdfx4": "PDF/X-4", "pdfx1a": "PDF/X-1a:2003"}


@file_check("standard")
def check_standard(look: FileContext) -> Iterator[CheckFinding]:
    """Yield each broken rule of the PDF/X standard that the shop requires, with its page."""
    if look.rules.standard not in _NAMES:
        return
    wanted: Standard = "pdfx4" if look.rules.standard == "pdfx4" else "pdfx1a"
    reported = {rule.id for rule in PDFX_RULES if rule.check in look.found}
    for fault in find_pdfx_faults(look.file.data, wanted):
        if fault.check not in reported:
            what = f"not {_NAMES[wanted]}: {fault.what} ({fault.check})"
            yield CheckFinding("error", what, f"export the file as {_NAMES[wanted]}", page=fault.page)


_SLACK = 0.06  # points
_SMALL_ROLES = {"RT": 3.5, "RP": 3.5, "Artifact": 4.0}


def _iter_type(look: PageContext) -> Iterator[PageMark]:
    return (mark for mark in look.shown if mark.kind == "text")


def _find_least_size(look: PageContext, mark: PageMark) -> float:
    return min(_SMALL_ROLES.get(mark.tag, look.rules.type), look.rules.type)


@page_check("type-size")
def check_type_size(look: PageContext) -> Iterator[CheckFinding]:
    """Report type under five points. Ruby and artifacts may be smaller."""
    for where, small in group_by_figure(
        mark for mark in _iter_type(look) if mark.size < _find_least_size(look, mark) - _SLACK
    ):
        least = min(small, key=lambda mark: mark.size)
        what, hint = f"type of {least.size:.1f} pt{where}", f"set type in at least {_find_least_size(look, least):g} pt"
        yield CheckFinding("warning", what, hint, least.box, times=len(small))


@page_check("reversed-type")
def check_reversed_type(look: PageContext) -> Iterator[CheckFinding]:
    """Report small light type: ink spreads into its thin strokes."""
    for mark in _iter_type(look):
        least = look.rules.reversed_type
        if mark.colour.is_light and mark.size < least - _SLACK and not (mark.font is not None and mark.font.bold):
            what = f"light type of {mark.size:.1f} pt that is not bold"
            yield CheckFinding("warning", what, f"make it bold or at least {least:g} pt", mark.box)


@page_check("missing-glyphs")
def check_missing_glyphs(look: PageContext) -> Iterator[CheckFinding]:
    """Report text with characters that its font lacks (glyph 0): they print as an empty box."""
    for mark in _iter_type(look):
        if mark.missing and mark.font is not None:
            what = f"a character has no glyph in {_format_font_name(mark.font)}"
            yield CheckFinding("error", what, "use a font that has it", mark.box)


@page_check("fonts")
def check_fonts(look: PageContext) -> Iterator[CheckFinding]:
    """Report fonts that are not embedded: the printer replaces them by its own."""
    told: set[FontFacts] = set()
    for mark in _iter_type(look):
        font = mark.font
        if font is None or font in told:
            continue
        told.add(font)
        name = _format_font_name(font)
        if not font.embedded:
            yield CheckFinding(
                "error", f"the font {name} is not embedded", "embed all fonts when you save the PDF", mark.box
            )
        elif font.kind == "Type3":
            hint = "save with TrueType or PostScript outlines"
            yield CheckFinding("warning", f"the font {name} is of type 3, drawn glyph by glyph", hint, mark.box)
        elif font.variable:
            hint = "embed one instance of it, or outlines; printers show the default weight"
            yield CheckFinding("warning", f"the font {name} is embedded as a variable font", hint, mark.box)


def _format_font_name(font: FontFacts) -> str:
    head, plus, tail = font.name.partition("+")
    return ascii(tail if plus and len(head) == 6 else font.name)[1:-1]


_LARGEST_PICTURE = 60_000_000  # pixels

_ALL = (
    *vars(box_checks).values(), *vars(paint_checks).values(), check_content, check_annotations, check_damage,
    check_scripts, check_encryption, check_type_size, check_reversed_type, check_missing_glyphs, check_fonts,
)  # fmt: skip
PAGE_CHECKS = tuple(one for one in _ALL if isinstance(one, Rule) and one.per_page)
FILE_CHECKS = tuple(one for one in _ALL if isinstance(one, Rule) and not one.per_page)
CHECKS = (*PAGE_CHECKS, *FILE_CHECKS, check_standard)


def inspect_pdf(name: str, data: bytes, rules: PreflightRules = GENERAL, ghostscript: bool = True) -> Report:
    """Inspect a PDF, called `name` in messages. Raise ProblemsFound if it can't be opened at all.

    With `ghostscript`, that program, if installed, renders plates where nothing else gives an answer.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ignore the libraries' warnings about the file
        return _inspect_file(open_file(name, data), rules, ghostscript)


def _inspect_file(file: OpenedPdf, rules: PreflightRules, ghostscript: bool) -> Report:
    supplies = FileFacts(find_hidden_layers(file.pdf))
    pictures = _PageRenderer(file, Ghostscript(ghostscript))
    seen, findings = PagesSeen(), []
    cuts = tuple(find_cut_box(sheet, rules) for sheet in file.sheets)
    corners = [cut or sheet.trim for sheet, cut in zip(file.sheets, cuts, strict=True)]
    for sheet, cut in zip(file.sheets, cuts, strict=True):
        if supplies.reading.is_spent:
            seen.unread.append(sheet.number)
            continue
        marks, troubles, asides = read_page_marks(
            sheet.obj, find_inherited_entry(sheet.obj, "/Resources"), sheet.view.base, sheet.whole, supplies
        )
        lying = find_marks_on_ground(marks)
        drawn = (partial(pictures.render, sheet), partial(pictures.separate, sheet))
        look = PageContext(file, sheet, rules, cut, marks, lying, troubles, asides, *drawn)
        seen.add_page(sheet.number, look.shown, unread=look.is_unread)
        findings += [one for check in PAGE_CHECKS for one in check.iter_findings(look, corners, sheet.number)]
    whole = FileContext(file, rules, cuts, seen)
    findings += [one for check in FILE_CHECKS for one in check.iter_findings(whole, corners)]
    whole = FileContext(file, rules, cuts, seen, frozenset(one.check for one in findings))
    findings += check_standard.iter_findings(whole, corners)
    return Report(file.name, len(file.sheets), rules.name, len(CHECKS), sort_findings(findings))


class _PageRenderer:
    """Renders pages as pixels, including what a CropBox hides, because the bleed is there."""

    def __init__(self, file: OpenedPdf, ghostscript: Ghostscript):
        self._file = file
        self._ghostscript = ghostscript
        self._data = b""

    def render(self, sheet: UnreadPage, dpi: float) -> Image.Image | None:
        """Render a page at a dpi, or at less for a huge page. Return None on failure."""
        try:
            return render_page(self._uncrop_pages(), sheet.number - 1, min(dpi, _find_fitting_dpi(sheet)))
        except BROKEN_FILE_ERRORS:
            return None

    def separate(self, sheet: UnreadPage) -> Plates | None:
        """Separate a page into its plates. Return None on failure."""
        try:
            return self._ghostscript.separate(self._uncrop_pages(), sheet.number, min(DPI, _find_fitting_dpi(sheet)))
        except BROKEN_FILE_ERRORS:
            return None

    def _uncrop_pages(self) -> bytes:
        if not self._data:
            for sheet in self._file.sheets:
                if find_inherited_entry(sheet.obj, "/CropBox") is not None:
                    sheet.obj["/CropBox"] = sheet.obj.get("/MediaBox", find_inherited_entry(sheet.obj, "/MediaBox"))
            out = io.BytesIO()
            self._file.pdf.save(out, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
            self._data = out.getvalue()
        return self._data


def _find_fitting_dpi(sheet: UnreadPage) -> float:
    """Return the dpi at which a page has the largest number of pixels that pnp renders."""
    width, height = (side / MM_PER_INCH for side in sheet.view.size)
    return float((_LARGEST_PICTURE / max(width * height, 1e-6)) ** 0.5)


try:
    import resource
except ImportError:  # Windows: only time is limited there
    resource = None  # type: ignore[assignment]

_SECONDS = 18
_LONGEST = 60.0  # seconds on a busy machine, or where a processor's time can't be limited
_BYTES = 800_000_000

Answer = TypeVar("Answer")


class Overrun(Exception):
    """The work took too much time or memory, or a library crashed."""


def run_in_process(work: Callable[..., Answer], *args: Any) -> Answer:
    """Run a function in another process. Return its result or raise its exception; raise Overrun if neither comes."""
    try:
        with SideProcess(_work_within_limits, work, args) as beside:
            answer, error = beside.wait(_LONGEST)
    except TimeoutError:
        raise Overrun(f"more than {_LONGEST:.0f} seconds") from None
    except EOFError as ended:
        late = resource is not None and ended.args[0] == -_TIME_IS_UP
        raise Overrun(f"more than {_SECONDS} seconds" if late else "too much memory, or a fault of a library") from None
    if isinstance(error, MemoryError):
        raise Overrun("too much memory")
    if error is not None:
        raise error
    return answer  # type: ignore[no-any-return]


_TIME_IS_UP = 24  # the signal SIGXCPU


def _work_within_limits(work: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, BaseException | None]:
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS + 1))
        try:  # what is set aside may be many more bytes than are used: each thread has a stack
            used = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
        except (OSError, IndexError, ValueError):
            used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        most = used + _BYTES
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123 - what libraries say before they break down
        os.dup2(nowhere.fileno(), 2)
    try:
        return work(*args), None
    except BaseException as error:  # noqa: BLE001 - it goes on where the answer is waited for
        return None, error


def find_preflight_rules(
    preset: str | None, folder: Path, named: Path | None = None
) -> tuple[PreflightRules, tuple[Problem, ...]]:
    """Return the rules of a shop preset, or general rules without one, and warnings about unconfirmed figures.

    `folder` and `named` say where presets are, see `find_resources`. Raise ProblemsFound for an unknown id.
    """
    if preset is None:
        return GENERAL, ()
    shop = find_preset(find_resources(folder, named), preset, "shop")
    if not isinstance(shop, Shop):
        raise TypeError(f"the preset {shop.id} of kind shop is a {type(shop).__name__}")
    doubts = shop.check_figures()
    return rules_from_shop(shop), (doubts,) if doubts else ()


def inspect_files(
    files: Iterable[Path], rules: PreflightRules, ghostscript: bool = True
) -> tuple[tuple[Report, ...], tuple[Problem, ...]]:
    """Return a report of each file that can be opened, and a problem for each that can't."""
    reports: list[Report] = []
    problems: list[Problem] = []
    for path in files:
        name = path.as_posix()
        try:
            reports.append(run_in_process(_inspect_path, path, rules, ghostscript))
        except OSError as error:
            problems.append(Problem(Place(name), f"can't be read: {error.strerror}", "give the path of a PDF"))
        except Overrun as error:
            what = f"pnp can't check the file: it takes {error}"
            problems.append(Problem(Place(name), what, "split it, or save it again with another program"))
        except ProblemsFound as found:
            problems += found.problems
    return tuple(reports), tuple(problems)


def _inspect_path(path: Path, rules: PreflightRules, ghostscript: bool) -> Report:
    name, about = path.as_posix(), path.stat()
    if S_ISDIR(about.st_mode):
        raise OSError(EISDIR, strerror(EISDIR))
    if not S_ISREG(about.st_mode):
        what = "this is a device or a pipe, not a file"
        raise ProblemsFound([Problem(Place(name), what, "give the path of a PDF")])
    with path.open("rb") as file:
        return inspect_pdf(name, file.read(LARGEST_PDF + 1), rules, ghostscript)


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE.pdf...", type=click.Path(path_type=Path))
@click.option("--preset", metavar="ID", help="Check the requirements of this print shop (see `pnp presets`).")
@FORMAT
@click.option("--strict", is_flag=True, help="Treat warnings as errors.")
@click.option(
    "--ghostscript/--no-ghostscript",
    default=True,
    help="Use Ghostscript to measure ink on complex pages (default: if it is installed).",
)
@PROJECT
@click.pass_obj
def preflight(obj: Path | None, /, **options: Any) -> None:
    """Check PDF files for print faults.

    pnp checks boxes, bleed, type, fonts, pictures, ink, colours and lines. It accepts PDF files of any program. The
    exit code is 1 if there are errors.
    """
    rules, doubts = find_preflight_rules(options["preset"], Path.cwd(), options["project"] or obj)
    say_warnings(doubts)
    reports, problems = inspect_files(options["files"], rules, options["ghostscript"])
    if options["form"] == "json":
        say_text(preflight_to_json(reports, problems))
    else:
        for report in reports:
            say_text(preflight_to_text(report))
        for problem in problems:
            say(str(problem), err=True)
    severe = 0
    for report in reports:
        severe += report.count("error") + (report.count("warning") if options["strict"] else 0)
    if problems or severe:
        sys.exit(1)
