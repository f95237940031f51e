"""The commands for print shops, preflight, proofs, boxes, calibration and shop pictures."""

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.base.errors import Problem, ProblemsFound
from generator.commands.command_line import say, say_text
from generator.commands.options import (
    COPIES,
    FORMAT,
    GAMES,
    LANG,
    OFFERED_LANGS,
    ONLY,
    OUT,
    PRINTING,
    PROJECT,
    combine_options,
    find_paper,
    open_project,
    order_from_options,
    order_of,
    path_from_here,
    progress,
    read_length,
    say_done,
    say_warnings,
)
from generator.commands.user_folders import find_printer, settings_folder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generator.base.geometry import Size
    from generator.game.presets import ShopPictures


PICKED = combine_options(
    [
        GAMES,
        OFFERED_LANGS,
        OUT,
        ONLY,
        click.option("--stamp", is_flag=True, help="Print the draft number and hash on each face, as on sheets."),
        PROJECT,
    ]
)


@click.command()
@PICKED
@click.option("--preset", required=True, metavar="ID", help="Print shop; `pnp presets` lists all of them.")
@COPIES
@click.option(
    "--standard",
    type=click.Choice(["pdfx4", "pdfx1a"]),
    help="PDF/X settings (default: those of the preset); not certified.",
)
@click.option(
    "--profile",
    type=click.Path(path_type=Path),
    metavar="FILE.icc",
    help="Colour profile of the press, from the print shop.",
)
@click.option("--strict", is_flag=True, help="Treat warnings as errors, and write nothing.")
@click.pass_obj
def shop(obj: Path | None, /, **options: Any) -> None:
    """Export files for a print shop.

    pnp writes OUT/<game>/<preset>.<lang>/ with order.txt and manifest.json. It lists the components that the shop
    can't print and skips them. Warnings don't stop the export unless you add --strict.
    """
    from generator.commands.orders import carry_out
    from generator.production.shop_order import ShopOrder, collect_warnings, find_shop

    project = open_project(obj, options)
    order = order_from_options(
        ShopOrder, options, shop=find_shop(project, *(options[name] for name in ("preset", "standard", "profile")))
    )
    done = carry_out(project, options["games"], order, progress())
    say_done(done)
    say_warnings(collect_warnings(order, done.made))


@click.command()
@click.option(
    "--kind",
    type=click.Choice(["shop", "stock", "sleeve", "paper", "pictures"]),
    help="Kind of preset to list (default: all).",
)
@FORMAT
@click.option("--fits", metavar="SIZE", help="List only sleeves for this card size, such as 63x88 or us-poker.")
@click.option("--sizes", is_flag=True, help="List the names for `size:` with their measures in mm, and no presets.")
@PROJECT
@click.pass_obj
def presets(obj: Path | None, /, **options: Any) -> None:
    """List papers, perforated stock, sleeves and print shops.

    Each entry shows its measures, its sources and what is unconfirmed.
    """
    from generator.commands.preset_list import list_fitting_sleeves, list_presets, list_sizes, resources_of

    if options["sizes"]:
        if options["kind"] or options["fits"] is not None or options["form"] != "text":
            raise click.UsageError("--sizes lists the names of sizes, as text; leave --kind, --fits and --format out")
        say_text(list_sizes())
        return
    card = _parse_card_size(options["fits"]) if options["fits"] is not None else None
    if card and (options["kind"] not in (None, "sleeve") or options["form"] != "text"):
        raise click.UsageError("--fits lists sleeves, as text; leave --kind and --format out")
    resources = resources_of(Path.cwd(), options["project"] or obj)
    if card:
        say_text(list_fitting_sleeves(resources, card))
        return
    say_text(list_presets(resources, options["kind"], options["form"]))


@click.command()
@PICKED
@click.option("--dpi", type=click.FloatRange(36, 2400), default=300, show_default=True, help="Pixels per inch.")
@click.option("--bleed", is_flag=True, help="Include the bleed around each face.")
@click.option("--round", "rounded", is_flag=True, help="Make corners and the outside of tokens transparent.")
@click.option("--sheets", is_flag=True, help="Export print sheets (A4) instead of faces.")
@click.option("--clean", is_flag=True, help="Omit draft number and hash on the faces of --sheets.")
@click.pass_obj
def images(obj: Path | None, /, **options: Any) -> None:
    """Export each card and piece as a PNG.

    pnp names each file after the component: OUT/<game>/images/reel-6-wheat.front.ja.png.
    """
    from generator.commands.images import ImageOrder
    from generator.commands.orders import carry_out

    if not math.isfinite(options["dpi"]):
        raise click.BadParameter("write a number of pixels, such as 300", param_hint="--dpi")
    if options["bleed"] and options["rounded"]:
        raise click.UsageError("--bleed keeps what --round cuts off; choose one of them")
    if options["sheets"] and (options["bleed"] or options["rounded"] or options["stamp"]):
        raise click.UsageError("--bleed, --round and --stamp are for faces; leave them out with --sheets")
    if options["clean"] and options["stamp"]:
        raise click.UsageError("--clean and --stamp exclude each other; leave one out")
    order = order_from_options(ImageOrder, options)
    say_done(carry_out(open_project(obj, options), options["games"], order, progress()))


def _parse_card_size(text: str) -> "Size":
    """Parse a card size: a name, or width x height, in mm by default. Raise BadParameter for anything else."""
    from generator.base.geometry import CARD_SIZES, Size, parse_mm

    if text in CARD_SIZES:
        return CARD_SIZES[text].size
    try:
        width, height = (parse_mm(side) for side in text.lower().replace("×", "x").split("x"))
    except ValueError as error:
        raise click.BadParameter(
            f"'{text}' is not a size; write 63x88, or a name such as us-poker", param_hint="--fits"
        ) from error
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise click.BadParameter("width and height must be more than 0 mm", param_hint="--fits")
    return Size(width, height)


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
    from generator.production.preflight.preflight_report import preflight_to_json, preflight_to_text
    from generator.production.preflight.preflight_run import find_preflight_rules, inspect_files

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


@click.command()
@GAMES
@LANG
@OUT
@ONLY
@PROJECT
@click.pass_obj
def proof(obj: Path | None, /, **options: Any) -> None:
    """Preview colour blindness, greyscale, trim and safe area.

    pnp shows every design in three kinds of colour blindness, in grey, and with its trim and safe zone.
    """
    from generator.commands.orders import carry_out
    from generator.production.proof import ProofOrder

    order = order_from_options(ProofOrder, options)
    say_done(carry_out(open_project(obj, options), options["games"], order, progress()))


@click.command()
@PRINTING
@click.option(
    "--format", "form", type=click.Choice(["svg", "dxf"]), default="svg", show_default=True, help="File format."
)
@click.pass_obj
def dielines(obj: Path | None, /, **options: Any) -> None:
    """Draw cut lines for a cutting machine.

    The lines match the sheets that `pnp sheets` builds with the same options.
    """
    from generator.commands.orders import carry_out
    from generator.production.die_lines import DieOrder

    if options["backs"] == "fold":
        raise click.BadParameter(
            "a cutting machine can't take folded sheets; choose other --backs", param_hint="--backs"
        )
    if options["stock"]:
        raise click.BadParameter("perforated sheets need no cutting machine; leave it out", param_hint="--perforated")
    project = open_project(obj, options)
    order = order_of(options, project, DieOrder)
    say_done(carry_out(project, options["games"], order, progress()))


@click.command()
@GAMES
@LANG
@OUT
@click.option("--deck", default="", metavar="KIND", help="Draw a box for this deck only (default: all decks).")
@click.option(
    "--thickness",
    "--stock",
    "stock",
    default="0.30mm",
    show_default=True,
    help="Thickness of a card and of the box.",
)
@click.option("--sleeve", default="0mm", show_default=True, help="Thickness of the sleeve film.")
@click.option("--paper", default="A4", show_default=True, help="Paper for the net; A3 if it is too small.")
@click.option("--margin", default="5mm", show_default=True, help="Unprintable margin at each edge of the paper.")
@click.option("--clean", is_flag=True, help="Print no draft number on the boxes, only beside the net.")
@PROJECT
@click.pass_obj
def boxes(obj: Path | None, /, **options: Any) -> None:
    """Draw tuck boxes for the decks.

    Cut, fold and glue each net. The boxes carry the art of the game.
    """
    from generator.commands.orders import carry_out
    from generator.production.tuck_boxes import BoxOrder

    stock, sleeve, margin = (read_length(options, name) for name in ("stock", "sleeve", "margin"))
    if not _LEAST_STOCK <= stock <= _MOST_STOCK:
        raise click.BadParameter(
            f"the thickness must be from {_LEAST_STOCK:g} to {_MOST_STOCK:g} mm", param_hint="--thickness"
        )
    if sleeve > _MOST_FILM:
        raise click.BadParameter(f"the film must be at most {_MOST_FILM:g} mm thick", param_hint="--sleeve")
    given = {"stock": stock, "sleeve": sleeve, "margin": margin, "paper": find_paper(options["paper"])}
    order = order_from_options(BoxOrder, options | given)
    say_done(carry_out(open_project(obj, options), options["games"], order, progress()))


_LEAST_STOCK, _MOST_STOCK, _MOST_FILM = 0.05, 2.0, 1.0


FIGURE_NAMES = ("back_x", "back_y", "scale_x", "scale_y")

FIGURES = combine_options(
    [
        click.option("--back-x", default="0mm", metavar="MM", help="Distance to move backs right (default: 0mm)."),
        click.option("--back-y", default="0mm", metavar="MM", help="Distance to move backs down (default: 0mm)."),
        click.option("--scale-x", default="100%", metavar="PERCENT", help="Width of the backs (default: 100%)."),
        click.option("--scale-y", default="100%", metavar="PERCENT", help="Height of the backs (default: 100%)."),
    ]
)


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
@FIGURES
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
    from generator.base.geometry import format_num
    from generator.game.preset_files import list_printers, read_printer

    problems: list[Problem] = []
    names = list_printers(settings_folder())
    if not names:
        say("no printers are stored; store one with pnp calibrate --set NAME --back-x 0.6mm", err=True)
    for name in names:
        try:
            printer = read_printer(settings_folder(), name)
        except ProblemsFound as found:
            problems += found.problems
            continue
        across, down = (f"{'' if shift < 0 else '+'}{format_num(shift)}" for shift in (printer.back_x, printer.back_y))
        wider, taller = format_num(100 * printer.scale_x), format_num(100 * printer.scale_y)
        say(f"{name}: back {across} mm, {down} mm; scale {wider} %, {taller} %")
    if problems:
        raise ProblemsFound(problems)


def _store_printer(options: dict[str, Any]) -> None:
    from generator.game.presets import Printer
    from generator.production.calibration import store_printer

    figures = {name: _parse_length(options[name], name) for name in ("back_x", "back_y")}
    figures |= {name: _parse_share(options[name], name) for name in ("scale_x", "scale_y")}
    try:
        say(path_from_here(store_printer(settings_folder(), Printer(options["store"], **figures))))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--set") from error


def _figures_given(context: click.Context) -> Iterator[str]:
    for name in FIGURE_NAMES:
        if context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            yield f"--{name.replace('_', '-')}"


def _print_sheet(options: dict[str, Any]) -> None:
    from generator.production.calibration import print_calibration

    paper = find_paper(options["paper"])
    from generator.base.geometry import paper_size

    try:
        made = print_calibration(paper_size(paper), options["backs"], options["out"], find_printer(options["printer"]))
    except ValueError as error:
        raise click.BadParameter(f"{paper}: {error}; use A5 or larger", param_hint="--paper") from error
    say(path_from_here(made))


def _parse_length(text: str, name: str) -> float:
    from generator.base.geometry import parse_mm

    try:
        return parse_mm(text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=f"--{name.replace('_', '-')}") from error


def _parse_share(text: str, name: str) -> float:
    """Parse a percentage: `100.2%` or `100.2` gives 1.002."""
    try:
        return round(float(text.strip().removesuffix("%")) / 100, 9)
    except ValueError as error:
        hint = f"--{name.replace('_', '-')}"
        raise click.BadParameter(f"'{text}' is not a percentage; write 100.2%", param_hint=hint) from error


@click.command()
@GAMES
@LANG
@OUT
@ONLY
@click.option(
    "--preset",
    "pages",
    multiple=True,
    metavar="ID",
    help="Render only the pictures for this shop page (see `pnp presets`); repeatable.",
)
@click.option("--pdf", is_flag=True, help="Also write each picture as a vector PDF.")
@PROJECT
@click.pass_obj
def showcase(obj: Path | None, /, **options: Any) -> None:
    """Render pictures for a shop page.

    pnp writes a fan, a hand, the table and the box to OUT/<game>/showcase/*.png. Without --only, pnp chooses some
    components of every kind.
    """
    from generator.commands.orders import carry_out
    from generator.production.showcase import ShowcaseOrder, find_pages

    project = open_project(obj, options)
    order = order_from_options(ShowcaseOrder, options | {"pages": find_pages(project, options["pages"])})
    say_done(carry_out(project, options["games"], order, progress()))
    _say_doubts(order.pages)


@click.command()
@GAMES
@LANG
@OUT
@click.option(
    "--paper",
    "papers",
    multiple=True,
    default=("A4", "Letter"),
    show_default=True,
    help="Paper of the sheets (default: A4 and Letter); repeatable.",
)
@PROJECT
@click.pass_obj
def pack(obj: Path | None, /, **options: Any) -> None:
    """Pack a zip for print-and-play sites.

    The zip contains sheets, books, pictures, the licence and a read-me.
    """
    from generator.commands.options import find_paper
    from generator.commands.orders import carry_out
    from generator.production.game_pack import PackOrder
    from generator.production.showcase import find_pages

    project = open_project(obj, options)
    papers = tuple(dict.fromkeys(find_paper(name) for name in options["papers"]))
    pages = find_pages(project, ("itch-page",))
    given = {"papers": papers, "pages": pages}
    done = carry_out(project, options["games"], order_from_options(PackOrder, options | given), progress())
    say_done(done)
    _say_doubts(pages)


def _say_doubts(pages: "Iterable[ShopPictures]") -> None:
    say_warnings(filter(None, (page.check_figures() for page in pages)))
