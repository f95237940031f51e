"""The printing options as an order: paper or stock, lengths, printer, look. Wrong ones are wrong usage."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from generator.cli.options import order_from_options, say_warnings
from generator.cli.output import say
from generator.cli.stored import printer_of

if TYPE_CHECKING:
    from generator.commands.printing import PrintOrder
    from generator.load.project import Project
    from generator.model.preset import Stock
    from generator.model.printer import Printer
    from generator.sheets.perforated import Perforation
    from generator.sheets.settings import SheetSettings

Printed = TypeVar("Printed", bound="PrintOrder")


def order_of(options: dict[str, Any], project: "Project", kind: "type[Printed]", **more: Any) -> "Printed":
    """The printing options as an order of that kind; papers and stock come from the project's presets too.

    ProblemsFound for a broken or unknown preset of stock; figures that nobody has confirmed are warned of.
    """
    from generator.commands.printing import PrintLook

    if options["registration"] and options["backs"] == "fold":
        raise click.BadParameter("a folded sheet can't be laid into a cutting machine", param_hint="--registration")
    if options["large_print"] and (options["prototype"] or options["numbers"] or options["stock"]):
        raise click.UsageError("--large-print leaves no room for --prototype, --numbers and --stock: leave them out")
    if options["clean"] and (options["prototype"] or options["numbers"]):
        raise click.UsageError("--clean leaves faces unmarked; leave --prototype and --numbers out, or --clean")
    if options["high_contrast"] and options["low_ink"]:
        raise click.UsageError("--high-contrast and --low-ink are two sets of colours: leave one out")
    settings = replace(
        _on_stock(options, project) if options["stock"] else _on_paper(options, project),
        gap=_length(options, "gap"),
        backs=options["backs"],
        guides=options["show"] == "guides",
        printer=_printer(options),
        registration=options["registration"],
    )
    return order_from_options(kind, options, sheets=settings, look=order_from_options(PrintLook, options), **more)


def find_paper(name: str) -> str:
    """The paper of that name as it is written; an unknown one is wrong usage."""
    from generator.model.sizes import PAPER_SIZES

    papers = {known.lower(): known for known in PAPER_SIZES}
    if name.lower() not in papers:
        raise click.BadParameter(f"unknown paper '{name}'; known: {', '.join(papers.values())}", param_hint="--paper")
    return papers[name.lower()]


def _on_paper(options: dict[str, Any], project: "Project") -> "SheetSettings":
    """Plain paper by its size's name or by a preset's id, which brings its margin."""
    from generator.model.preset import Paper, preset_ids
    from generator.model.sizes import paper_size
    from generator.sheets.settings import SheetSettings

    name, margin = options["paper"], _length(options, "margin")
    if name in preset_ids(project.resources):
        from generator.load.presets import find_preset

        preset = find_preset(project.resources, name, "paper")
        if isinstance(preset, Paper):
            if _is_on_command_line("margin"):
                return SheetSettings(preset.size, preset.name, margin)
            say_warnings(filter(None, [preset.doubts()]))
            return SheetSettings(preset.size, preset.name, preset.margin)
    paper = find_paper(name)
    return SheetSettings(paper_size(paper), paper, margin)


def _on_stock(options: dict[str, Any], project: "Project") -> "SheetSettings":
    """Perforated sheets, which are a paper of their own and are neither folded nor cut by a machine."""
    from generator.load.presets import find_preset
    from generator.model.preset import Stock
    from generator.sheets.settings import SheetSettings

    if _is_on_command_line("paper"):
        raise click.UsageError("--stock is a paper of its own: leave --paper out")
    if _is_on_command_line("gap"):
        raise click.UsageError("perforated cells have their own gaps: leave --gap out with --stock")
    if options["backs"] == "fold":
        raise click.BadParameter("perforated sheets are not folded", param_hint="--backs")
    if options["registration"]:
        raise click.BadParameter("perforated sheets need no cutting machine", param_hint="--registration")
    stock = find_preset(project.resources, options["stock"], "stock")
    if not isinstance(stock, Stock):
        raise TypeError(f"a preset of stock is {type(stock)}")
    say_warnings(filter(None, [stock.doubts()]))
    return SheetSettings(stock.paper, stock.name, _length(options, "margin"), stock=_perforation(stock))


def _perforation(stock: "Stock") -> "Perforation":
    from generator.sheets.perforated import Perforation

    cells = (stock.left, stock.top, stock.columns, stock.rows, stock.cell, stock.gap_x, stock.gap_y)
    return Perforation(stock.paper, *cells)


def _printer(options: dict[str, Any]) -> "Printer | None":
    printer = printer_of(options["printer"])
    if printer and options["backs"] not in ("long", "short"):
        what = f"--printer changes nothing with --backs {options['backs']}: only a turned sheet has backs to be moved"
        say(f"warning: {what}", err=True)
    return printer


def _length(options: dict[str, Any], name: str) -> float:
    from generator.units import length

    try:
        value = length(options[name])
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=f"--{name}") from error
    if value < 0:
        raise click.BadParameter("must not be negative", param_hint=f"--{name}")
    return value


def _is_on_command_line(name: str) -> bool:
    """Whether the user wrote the option."""
    return click.get_current_context().get_parameter_source(name) is not click.core.ParameterSource.DEFAULT
