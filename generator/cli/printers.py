"""The command calibrate: a sheet to measure a printer with, and keeping what was measured."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from generator.cli.group import pnp
from generator.cli.options import path_from_here, several
from generator.cli.orders import find_paper
from generator.cli.output import say
from generator.cli.stored import printer_of, settings_folder
from generator.errors import Problem, ProblemsFound

FIGURE_NAMES = ("back_x", "back_y", "scale_x", "scale_y")

FIGURES = several(
    [
        click.option("--back-x", default="0mm", metavar="MM", help="How far backs are moved to the right."),
        click.option("--back-y", default="0mm", metavar="MM", help="How far backs are moved down."),
        click.option("--scale-x", default="100%", metavar="PERCENT", help="How far they are stretched across."),
        click.option("--scale-y", default="100%", metavar="PERCENT", help="How far they are stretched downwards."),
    ]
)


@pnp.command()
@click.option("--paper", default="A4", show_default=True, help="The paper of the sheet.")
@click.option(
    "--backs",
    type=click.Choice(["long", "short"]),
    default="long",
    show_default=True,
    help="The edge that your printer turns the paper on.",
)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), default="calibration.pdf", show_default=True)
@click.option("--printer", metavar="NAME", help="Print the sheet corrected, to see whether the profile is right.")
@click.option("--set", "store", metavar="NAME", help="Store what was measured, in place of what this name held.")
@FIGURES
@click.option("--list", "listed", is_flag=True, help="List the stored printers.")
@click.pass_context
def calibrate(context: click.Context, /, **options: Any) -> None:
    """Make a sheet that shows how far a printer's backs go astray, or store what it showed.

    Backs are corrected only where --printer names the profile.
    """
    if options["listed"]:
        _list()
    elif options["store"] is not None:
        _refuse_nothing(context)
        _store(options)
    else:
        _refuse_idle(context)
        _print(options)


def _list() -> None:
    from generator.load.printers import printer_names, read_printer
    from generator.units import plain

    problems: list[Problem] = []
    names = printer_names(settings_folder())
    if not names:
        say("no printer is stored yet; store one with pnp calibrate --set NAME --back-x 0.6mm", err=True)
    for name in names:
        try:
            printer = read_printer(settings_folder(), name)
        except ProblemsFound as found:
            problems += found.problems
            continue
        across, down = (f"{'' if shift < 0 else '+'}{plain(shift)}" for shift in (printer.back_x, printer.back_y))
        wider, taller = plain(100 * printer.scale_x), plain(100 * printer.scale_y)
        say(f"{name}: back {across} mm, {down} mm; scale {wider} %, {taller} %")
    if problems:
        raise ProblemsFound(problems)


def _store(options: dict[str, Any]) -> None:
    from generator.commands.settings.calibrate import store_printer
    from generator.model.printer import Printer

    figures = {name: _length(options[name], name) for name in ("back_x", "back_y")}
    figures |= {name: _share(options[name], name) for name in ("scale_x", "scale_y")}
    try:
        say(path_from_here(store_printer(settings_folder(), Printer(options["store"], **figures))))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--set") from error


def _refuse_idle(context: click.Context) -> None:
    """Figures without a name would be lost."""
    for option in _figures_given(context):
        raise click.UsageError(f"{option} is stored with --set NAME; without it there is nothing to store it under")


def _refuse_nothing(context: click.Context) -> None:
    """A name without figures would wipe out what was measured before."""
    if not any(_figures_given(context)):
        what = "--set stores what was measured: give --back-x, --back-y, --scale-x or --scale-y with it"
        raise click.UsageError(f"{what} (--back-x 0mm for a printer that errs in nothing)")


def _figures_given(context: click.Context) -> Iterator[str]:
    for name in FIGURE_NAMES:
        if context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT:
            yield f"--{name.replace('_', '-')}"


def _print(options: dict[str, Any]) -> None:
    from generator.commands.settings.calibrate import print_calibration

    paper = find_paper(options["paper"])
    from generator.model.sizes import paper_size

    try:
        made = print_calibration(paper_size(paper), options["backs"], options["out"], printer_of(options["printer"]))
    except ValueError as error:
        raise click.BadParameter(f"{paper}: {error}; use A5 or larger", param_hint="--paper") from error
    say(path_from_here(made))


def _length(text: str, name: str) -> float:
    from generator.units import length

    try:
        return length(text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=f"--{name.replace('_', '-')}") from error


def _share(text: str, name: str) -> float:
    """`100.2%` (or `100.2`) as 1.002."""
    try:
        return round(float(text.strip().removesuffix("%")) / 100, 9)
    except ValueError as error:
        hint = f"--{name.replace('_', '-')}"
        raise click.BadParameter(f"'{text}' is not a share like 100.2%", param_hint=hint) from error
