"""The command `calibrate`: a sheet that shows how far a printer displaces backs, and the stored measurements."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, BinaryIO

import click

from generator.base.display_list import Item, Shape, TextRun, format_mm
from generator.base.errors import Problem, ProblemsFound, gather_problems, raise_problems
from generator.base.files import Resources
from generator.base.geometry import MM_PER_PT, Size, format_num, paper_size, parse_mm
from generator.base.languages import phrase
from generator.base.output_files import open_delivery
from generator.books.page.blocks import Lettering, Stack
from generator.books.page.list_pages import PartSetter
from generator.books.page.page_style import Look, make_list_format
from generator.books.page.text_setter import TextSetter
from generator.commands.command_line import say
from generator.commands.options import find_paper, path_from_here
from generator.commands.settings import find_printer, settings_folder
from generator.drawing.faces.game_drawing import Workshop
from generator.game.load_game import make_bare_game
from generator.game.preset_files import find_printer_file, format_printer, list_printers, read_printer
from generator.game.presets import Printer
from generator.game.print_pages import Backs, Document, Page
from generator.game.project import find_bundled_root
from generator.game.rich_text import Words
from generator.text.set_text import LabelAnchor

LANGUAGES = ("ja", "en")
"""Languages of the sheet: it always explains itself in both."""

COMB_STEP = 2.0
"""Distance between the lines on the front of a comb, a row of lines read like a vernier scale (mm)."""

COMB_EXTRA_STEP = 0.1
"""Extra distance between lines on the back (mm): if line n meets a front line, the back is n x 0.1 mm off."""

COMB_LINES = 10
"""Lines on either side of a comb's middle: they measure up to 1 mm."""

CROSS_REACH = 5
"""Length of each scale on a cross, in whole mm. It is also the largest correction that a printer can have."""

LEVEL_AWAY, UPRIGHT_AWAY = 13.0, 34.0
"""Distance from a cross outwards to its horizontal comb and to its vertical comb (mm)."""

_TOOTH = 4.0
_HALF = (COMB_STEP + COMB_EXTRA_STEP) * COMB_LINES
_INSET = 10.0
"""Distance from the paper's edge to the outermost line (mm): more than the margin of any printer."""

_LEAST = Size(50.0, 110.0)
"""Smallest distances between the crosses on a page (mm): their combs and the text must fit between them."""

_THIN, _THICK = 0.15, 0.25
_FIGURE, _TEXT, _TITLE = 4.5, 8.0, 14.0
_BELOW_TITLE, _BETWEEN, _BELOW = 1.5, 0.8, 5.0
"""Free space below a title, between steps and below the text in one language (mm)."""

_STEPS = ("print", "hold", "read", "mean", "scale", "set")

Point = tuple[float, float]


FIGURE_NAMES = ("back_x", "back_y", "scale_x", "scale_y")


@click.command()
@click.option("--paper", default="A4", show_default=True, help="Paper of the calibration sheet.")
@click.option(
    "--backs",
    type=click.Choice(["long", "short"]),
    default="long",
    show_default=True,
    help="Edge on which your printer turns the paper.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default="calibration.pdf",
    show_default=True,
    help="File for the calibration sheet.",
)
@click.option("--printer", metavar="NAME", help="Print the sheet with the values of this printer, to check them.")
@click.option(
    "--set", "store", metavar="NAME", help="Store the measured values under this name, replacing earlier values."
)
@click.option("--back-x", default="0mm", metavar="MM", help="Distance to move backs right (default: 0mm).")
@click.option("--back-y", default="0mm", metavar="MM", help="Distance to move backs down (default: 0mm).")
@click.option("--scale-x", default="100%", metavar="PERCENT", help="Width of the backs (default: 100%).")
@click.option("--scale-y", default="100%", metavar="PERCENT", help="Height of the backs (default: 100%).")
@click.option("--list", "listed", is_flag=True, help="List the stored printers.")
@click.pass_context
def calibrate(context: click.Context, /, **options: Any) -> None:
    """Measure and correct how a printer shifts the backs.

    Print the sheet, measure the shift, and store it with --set NAME. Then build with --printer NAME to correct the
    backs.
    """
    if options["listed"]:
        _list_printers()
    elif options["store"] is not None:
        if not any(_figures_given(context)):
            what = "--set stores what was measured: give --back-x, --back-y, --scale-x or --scale-y with it"
            raise click.UsageError(f"{what} (use --back-x 0mm if the printer needs no correction)")
        _store_printer(options)
    else:
        for option in _figures_given(context):
            raise click.UsageError(f"{option} needs a printer name; add --set NAME")
        _print_sheet(options)


def _list_printers() -> None:
    problems: list[Problem] = []
    names = list_printers(settings_folder())
    if not names:
        say("no printers are stored; store one with pnp calibrate --set NAME --back-x 0.6mm", err=True)
    for name in names:
        with gather_problems(problems):
            printer = read_printer(settings_folder(), name)
            shifts = printer.back_x, printer.back_y
            across, down = (f"{'' if shift < 0 else '+'}{format_num(shift)}" for shift in shifts)
            wider, taller = format_num(100 * printer.scale_x), format_num(100 * printer.scale_y)
            say(f"{name}: back {across} mm, {down} mm; scale {wider} %, {taller} %")
    raise_problems(problems)


def _store_printer(options: dict[str, Any]) -> None:
    figures = {name: _parse_figure(options[name], name) for name in FIGURE_NAMES}
    try:
        printer = Printer(options["store"], **figures)
        target = find_printer_file(settings_folder(), printer.name)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--set") from error
    try:
        with open_delivery() as files:
            files.put(target, format_printer(printer).encode("utf-8"))
            say(path_from_here(files.hand_over()[0]))
    except ProblemsFound as found:
        hint = "make its folder writable, or name another settings folder in PNP_HOME"
        raise ProblemsFound([replace(problem, hint=hint) for problem in found.problems]) from found


def _figures_given(context: click.Context) -> Iterator[str]:
    for name in FIGURE_NAMES:
        if context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            yield f"--{name.replace('_', '-')}"


def _print_sheet(options: dict[str, Any]) -> None:
    paper = find_paper(options["paper"])
    resources, printer = Resources((find_bundled_root(),)), find_printer(options["printer"])
    try:
        sheet = CalibrationSheet(paper_size(paper), options["backs"], resources, printer)
    except PaperTooSmall as error:
        raise click.BadParameter(f"{paper}: {error}; use A5 or larger", param_hint="--paper") from error
    with open_delivery() as files:
        files.write(options["out"], sheet.write)
        say(path_from_here(files.hand_over()[0]))


def _parse_figure(text: str, name: str) -> float:
    """Parse the option `name`: a length in mm, or for a scale a percentage (`100.2%` or `100.2` gives 1.002)."""
    is_scale = name.startswith("scale")
    try:
        return round(float(text.strip().removesuffix("%")) / 100, 9) if is_scale else parse_mm(text)
    except ValueError as error:
        what = f"'{text}' is not a percentage; write 100.2%" if is_scale else str(error)
        raise click.BadParameter(what, param_hint=f"--{name.replace('_', '-')}") from error


class PaperTooSmall(ValueError):
    """The paper is too small for four crosses and the text between them."""


@dataclass(frozen=True, slots=True)
class Crosses:
    """Centres of the four crosses, `across` and `down` mm apart, around the middle of the paper."""

    paper: Size
    across: float
    down: float

    def iter_places(self) -> Iterator[tuple[Point, Point]]:
        """Yield the middle of each cross and its outward direction: -1 or 1 to the right and down."""
        for down, across in product((-1.0, 1.0), repeat=2):
            x = self.paper.width / 2 + across * self.across / 2
            yield (x, self.paper.height / 2 + down * self.down / 2), (across, down)


def place_crosses(paper: Size) -> Crosses:
    """Place the crosses as far apart as the paper allows, in whole cm. Raise PaperTooSmall."""
    across = (paper.width - 2 * (_INSET + UPRIGHT_AWAY + _TOOTH)) // 10 * 10
    down = (paper.height - 2 * (_INSET + _HALF)) // 10 * 10
    if across < _LEAST.width or down < _LEAST.height:
        raise PaperTooSmall(f"the calibration sheet doesn't fit on {paper.width:g} x {paper.height:g} mm")
    return Crosses(paper, across, down)


class CalibrationSheet:
    """Both sides of the sheet for a paper and a duplex setting. A printer's profile corrects its back.

    Raises PaperTooSmall.
    """

    def __init__(self, paper: Size, backs: Backs, resources: Resources, printer: Printer | None = None):
        self._workshop = Workshop(make_bare_game(Words(dict.fromkeys(LANGUAGES, ""))), resources)
        self._labeller = self._workshop.make_labeller(LANGUAGES[0])
        self._lie, self._backs, self._printer = place_crosses(paper), backs, printer
        self.pages = (self._build_front(), self._build_back())

    def write(self, out: BinaryIO) -> None:
        """Write both pages as PDF. Equal sheets give equal bytes."""
        document = Document(phrase("calibration", "en"), "en", self.pages, backs=self._backs)
        self._workshop.write_document(document, out)

    def _build_front(self) -> Page:
        """Draw the front: lines without figures, because figures would shine through."""
        items: list[Item] = []
        for (x, y), (outwards, downwards) in self._lie.iter_places():
            arm = CROSS_REACH + 3.0  # longer than the back's cross, to stay visible beside the scales
            items.append(_draw_lines([((x - arm, y), (x + arm, y)), ((x, y - arm), (x, y + arm))], _THICK))
            items += _draw_combs(x, y, outwards, downwards, COMB_STEP, outer=True)
        told = [(lang, phrase("calibration", lang), [phrase("calibration_front", lang)]) for lang in LANGUAGES]
        # As low as possible: the back's text is higher up, and this text would shine through it.
        items += self._set_instructions(told, (self._lie.paper.height + self._lie.down) / 2 - _HALF - 26.0)
        return Page(self._lie.paper, "front", 1, (), tuple(items))

    def _build_back(self) -> Page:
        """Draw the back: lines with figures, and instructions."""
        items: list[Item] = []
        for (x, y), (outwards, downwards) in self._lie.iter_places():
            arm = float(CROSS_REACH)
            lines = [((x - arm, y), (x + arm, y)), ((x, y - arm), (x, y + arm))]
            for n in (*range(-CROSS_REACH, 0), *range(1, CROSS_REACH + 1)):
                tick = 0.9 if abs(n) == CROSS_REACH else 0.6
                lines += [((x + n, y - tick), (x + n, y + tick)), ((x - tick, y + n), (x + tick, y + n))]
            items.append(_draw_lines(lines, _THIN))
            items += _draw_combs(x, y, outwards, downwards, COMB_STEP + COMB_EXTRA_STEP, outer=False)
            items += self._set_figures(x, y, outwards, downwards)
        # The instructions explain how to turn a difference in mm into a percentage.
        across, down = (f"{100 / side:.2f}" for side in (self._lie.across, self._lie.down))
        told = []
        for lang in LANGUAGES:
            name = self._printer.name if self._printer else phrase("calibration_plain", lang)
            steps = [phrase(f"calibration_{step}", lang, across=across, down=down) for step in _STEPS]
            numbered = [f"{n}. {step}" for n, step in enumerate(steps, 1)]
            told.append((lang, phrase("calibration_back", lang, printer=name), numbered))
        items += self._set_instructions(told, (self._lie.paper.height - self._lie.down) / 2 + _HALF + 6.0)
        page = Page(self._lie.paper, "back", 1, (), tuple(items))
        return page._replace(adjust=self._printer.make_adjustment(page.size)) if self._printer else page

    def _set_figures(self, x: float, y: float, outwards: float, downwards: float) -> Iterator[Item]:
        """Draw the numbers of both combs (scales) of the cross at (x, y), on its sides `outwards`, `downwards` (±1)."""
        half = 0.33 * _FIGURE * MM_PER_PT
        for n in range(-COMB_LINES, COMB_LINES + 1, 2):
            text = f"{n * COMB_EXTRA_STEP:+.1f}" if n else "0"
            along = n * (COMB_STEP + COMB_EXTRA_STEP)
            level = y + downwards * (LEVEL_AWAY - _TOOTH - 1.3) + half
            yield from self._labeller.set(text, x + along, level, _FIGURE, "middle", 0.0, "ink", "mark")
            upright = x + outwards * (UPRIGHT_AWAY - _TOOTH - 0.6)
            side: LabelAnchor = "end" if outwards > 0 else "start"
            yield from self._labeller.set(text, upright, y + along + half, _FIGURE, side, 0.0, "ink", "mark")
        level, upright = y + downwards * (LEVEL_AWAY - _TOOTH / 2), x + outwards * (UPRIGHT_AWAY - _TOOTH / 2)
        for text, place in (
            ("x", (x - outwards * (_HALF + 2.5), level + half)),
            ("y", (upright, y - downwards * (_HALF + 2.5) + half)),
        ):
            yield from self._labeller.set(text, *place, 2 * _FIGURE, "middle", 0.0, "ink", "mark")
        for n in (-CROSS_REACH, CROSS_REACH):
            yield from self._labeller.set(f"{n:+d}", x + n, y - 1.2, _FIGURE, "middle", 0.0, "ink", "mark")
            yield from self._labeller.set(f"{n:+d}", x + 1.4, y + n + half, _FIGURE, "start", 0.0, "ink", "mark")

    def _set_instructions(self, passages: Iterable[tuple[str, str, list[str]]], top: float) -> Iterator[Item]:
        """Draw (language, title, steps) in the middle of the page, one language below the other, from `top` mm."""
        lie = self._lie
        width = min(lie.paper.width - 2 * _INSET, 150.0)
        left = (lie.paper.width - width) / 2
        for lang, title, steps in passages:
            look = Look(make_list_format("", lie.paper, 0.0), lang, "ink")
            plain = partial(Lettering, style=look.make_plain_style(_TEXT), width=width)
            said = [plain(step, above=_BETWEEN if at else _BELOW_TITLE) for at, step in enumerate(steps)]
            parts = Stack((Lettering(title, look.make_plain_style(_TITLE), width), *said), below=_BETWEEN + _BELOW)
            strip = PartSetter(TextSetter(self._workshop, look, "{}"), lie.paper.height).make_strip(parts)
            for box, run in ((thing.box, item) for thing in strip.things for item in thing.items):
                yield run._replace(x=run.x + left, y=run.y + top + box.y) if isinstance(run, TextRun) else run
            top += strip.height


def _draw_combs(x: float, y: float, outwards: float, downwards: float, step: float, outer: bool) -> Iterator[Item]:
    """Draw both combs (scales) of the cross at (x, y): lines `step` mm apart; `outer`: beyond their baselines."""
    level, upright = y + downwards * LEVEL_AWAY, x + outwards * UPRIGHT_AWAY
    side = 1.0 if outer else -1.0
    lines = []
    for n in range(-COMB_LINES, COMB_LINES + 1):
        tooth = side * (_TOOTH if n % 5 == 0 else _TOOTH - 1.0)
        lines.append(((x + n * step, level), (x + n * step, level + downwards * tooth)))
        lines.append(((upright, y + n * step), (upright + outwards * tooth, y + n * step)))
    yield _draw_lines(lines, _THIN)


def _draw_lines(lines: Iterable[tuple[Point, Point]], width: float) -> Shape:
    path = " ".join(f"M {format_mm(a)} {format_mm(b)} L {format_mm(c)} {format_mm(d)}" for (a, b), (c, d) in lines)
    return Shape(path=path, stroke="ink", width=width, role="mark")
