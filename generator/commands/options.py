"""Options that commands share: project, games, printing, and the orders made from them."""

import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeVar

import click

from generator.base.errors import Problem
from generator.base.extensions import find_additions
from generator.commands.command_line import LINKS, colour_text, say
from generator.commands.settings import apply_settings, is_project_trusted
from generator.commands.user_folders import find_printer

if TYPE_CHECKING:
    from generator.checks.check_report import Check
    from generator.commands.print_sheets import PrintOrder
    from generator.game.presets import Printer, Stock
    from generator.game.project import Project
    from generator.sheets.imposition import Perforation
    from generator.sheets.settings import SheetSettings


Command = TypeVar("Command", bound=Callable[..., Any])
Made = TypeVar("Made")

BACKS = ("none", "separate", "long", "short", "fold")
PAGES = ("A5", "B5", "A4", "Letter")


_LOUDNESS = "generator.loudness"
"""Key in a command's context: "quiet" or "verbose" if the user asked for one."""


def _set_loudness(context: click.Context, option: click.Parameter, asked: bool) -> None:
    if not asked or not option.name:
        return
    if context.meta.setdefault(_LOUDNESS, option.name) != option.name:
        raise click.UsageError("--quiet and --verbose exclude each other; leave one out")


def _loudness_option(name: str, letter: str, what: str) -> Callable[[Any], Any]:
    return click.option(f"--{name}", letter, is_flag=True, expose_value=False, callback=_set_loudness, help=what)


QUIET = _loudness_option("quiet", "-q", "Print only errors and warnings.")
VERBOSE = _loudness_option("verbose", "-v", "Print each step with its time.")


def is_quiet() -> bool:
    """Return True if only errors are to be printed."""
    return _chosen_loudness() == "quiet"


def _chosen_loudness() -> str:
    context = click.get_current_context(silent=True)
    return str(context.meta.get(_LOUDNESS, "")) if context is not None else ""


def combine_options(options: Iterable[Callable[[Command], Command]]) -> Callable[[Command], Command]:
    """Combine several option decorators into one, in the order of the help text."""

    def decorate(command: Command) -> Command:
        for option in reversed(list(options)):
            command = option(command)
        return command

    return decorate


def order_from_options(order: type[Made], options: dict[str, Any], **more: Any) -> Made:
    """Make an order from the options with the names of its fields, and from further values."""
    names = {field.name for field in fields(order)}  # type: ignore[arg-type]  # orders are dataclasses
    return order(**({name: value for name, value in options.items() if name in names} | more))


class AddedChoice(click.Choice):  # type: ignore[type-arg]  # before click 8.2 it takes no type
    """Choice of the core's names and of those that packages add. An unknown name also reports broken packages."""

    def __init__(self, kind: str, core: Collection[str] = (), *more: str):
        self._found = find_additions(kind, tuple(core))
        super().__init__([*core, *self._found.entries, *more])

    def fail(self, message: str, param: click.Parameter | None = None, ctx: click.Context | None = None) -> NoReturn:
        """Raise BadParameter."""
        super().fail("; ".join([message, *map(str, self._found.problems)]), param, ctx)


GAMES = click.argument("games", nargs=-1)
LANG = click.option(
    "--lang", "languages", multiple=True, metavar="LANG", help="Language to use (default: all); repeatable."
)
LANGS = click.option(
    "--lang",
    "languages",
    multiple=True,
    metavar="LANG",
    help="Language to use (default: all); repeatable. ja+en prints both on a card.",
)
OFFERED_LANGS = click.option(
    "--lang",
    "languages",
    multiple=True,
    metavar="LANG",
    help="Language to use (default: all); repeatable. ja+en prints both on a card if its template supports it.",
)
MOST_OF_A_PATTERN = 200
"""Maximum length of a pattern (characters). No id is longer."""


def _check_patterns(_context: click.Context, _option: click.Parameter, patterns: tuple[str, ...]) -> tuple[str, ...]:
    for pattern in patterns:
        if len(pattern) > MOST_OF_A_PATTERN:
            raise click.BadParameter(
                f"the pattern has {len(pattern):,} characters, more than {MOST_OF_A_PATTERN}; shorten it"
            )
    return patterns


ONLY = click.option(
    "--only",
    multiple=True,
    callback=_check_patterns,
    metavar="PATTERN",
    help="Use only components whose id matches, such as 'reel/6-*'; repeatable.",
)
COPIES = click.option(
    "--copies", type=click.IntRange(1, 1000), help="Number of copies of each design (default: its count)."
)
PROJECT = combine_options(
    [
        click.option(
            "--project", type=click.Path(path_type=Path), help="Folder that contains data/ (default: search upwards)."
        ),
        click.option(
            "--trust-rules",
            "trusted",
            is_flag=True,
            help="Run the Python rules of this project; `pnp trust` makes this permanent.",
        ),
        QUIET,
        VERBOSE,
    ]
)
"""The options of every command that opens a project."""
OUT = click.option(
    "--out",
    type=click.Path(path_type=Path),
    default="output",
    show_default=True,
    help="Write the files to OUT/<game>/.",
)
FORMAT = click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output format."
)
PRINTING = combine_options(
    [
        GAMES,
        OFFERED_LANGS,
        OUT,
        click.option(
            "--paper",
            default="A4",
            show_default=True,
            help="A3, A4, A5, B4, B5, Hagaki, Letter, Legal, Tabloid, or a paper listed by `pnp presets`.",
        ),
        click.option(
            "--perforated",
            "--stock",
            "stock",
            metavar="ID",
            help="Perforated stock listed by `pnp presets`; each cell holds one card.",
        ),
        click.option(
            "--margin", default="5mm", show_default=True, help="Unprintable margin at each edge of the paper."
        ),
        click.option(
            "--gap", default="0mm", show_default=True, help="Gap between cards; with 0mm, neighbours share a cut."
        ),
        click.option(
            "--backs",
            type=click.Choice(BACKS),
            default="long",
            show_default=True,
            help="How to print backs: duplex (long or short edge), folded over, on separate sheets, or none.",
        ),
        ONLY,
        COPIES,
        click.option(
            "--registration",
            type=click.Choice(["silhouette"]),
            help="Print registration marks for this cutting machine.",
        ),
        click.option(
            "--show", type=click.Choice(["guides"]), help="Overlay trim, safe zone and text boxes on each face."
        ),
        click.option(
            "--printer", metavar="NAME", help="Correct the backs with the values stored by `pnp calibrate --set NAME`."
        ),
        click.option(
            "--low-ink", is_flag=True, help="Save ink: print backgrounds and art as light tints with outlines."
        ),
        click.option(
            "--large-print", is_flag=True, help="Print all pieces 1.4 times as large, for players with low vision."
        ),
        click.option(
            "--high-contrast", is_flag=True, help="Print black text and dark icons on pale backgrounds and art."
        ),
        click.option("--grey", is_flag=True, help="Print in grey only, for printers with black ink."),
        click.option("--prototype", is_flag=True, help="Print PROTOTYPE in the margin of each front if it fits."),
        click.option("--numbers", is_flag=True, help="Number the cards of each kind in their stamps, such as 12/49."),
        click.option(
            "--clean",
            is_flag=True,
            help="Print no draft number, hash or note on faces; the sheet margins show the draft number.",
        ),
        PROJECT,
    ]
)


def open_project(obj: Path | None, options: dict[str, Any]) -> "Project":
    """Open the project that --project names, or the nearest one upwards.

    Fill options that the user left out from `pnp.toml`. Set the option `trusted` to whether its rules may run.
    """
    from generator.game.project import find_project

    context = click.get_current_context()

    def find() -> "Project":
        links = context.meta.get(LINKS, False)
        extra = tuple(lang for edition in options.get("languages") or () for lang in edition.split("+"))
        return find_project(Path.cwd(), options.get("project") or obj, progress(), links=links, extra_languages=extra)

    project, languages = find(), options.get("languages")
    apply_settings(context, options, project)
    options["trusted"] = options["trusted"] or is_project_trusted(project.root)
    return project if options.get("languages") == languages else find()


def path_from_here(path: Path) -> str:
    """Return a path relative to the current folder if it is inside it, else the path unchanged."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()


def say_files(paths: Iterable[Path]) -> None:
    """Print the files that were made, one per line."""
    for path in () if is_quiet() else paths:
        say(path_from_here(path))


def say_notes(notes: Iterable[str]) -> None:
    """Print each note once."""
    for note in () if is_quiet() else dict.fromkeys(notes):
        say(f"{colour_text('note:', fg='cyan')} {note}", err=True)


def say_passed(passed: int, doubtful: Sequence["Check"]) -> None:
    """Print how many checks passed. Call it only if no check failed."""
    from generator.checks.check_report import format_passed_line

    if (passed or doubtful) and not is_quiet():
        say(
            colour_text(f"validation: {format_passed_line(passed, doubtful)}", fg="yellow" if doubtful else "green"),
            err=True,
        )


class Finished(Protocol):
    """The result of a command: its files and its notes."""

    @property
    def files(self) -> Iterable[Path]:
        """The files that were made."""

    @property
    def notes(self) -> Iterable[str]:
        """Notes for the user."""


def say_done(done: Finished) -> None:
    """Print the files that were made, and the notes."""
    say_files(done.files)
    say_notes(done.notes)


def say_warnings(problems: Iterable[Problem]) -> None:
    """Print problems as warnings. The command goes on."""
    for problem in problems:
        say(f"{colour_text('warning:', fg='yellow')} {problem}", err=True)


def progress() -> Callable[[str], None]:
    """Return a function that shows the current step in one line, on terminals only.

    After two seconds the line also shows the time left, estimated from earlier runs. It disappears when the command
    ends. With --verbose each step is a permanent line, on any output. With --quiet the function does nothing.
    """
    asked = _chosen_loudness()
    if asked == "quiet" or (asked != "verbose" and not sys.stderr.isatty()):
        return lambda _doing: None
    from generator.commands.progress_line import make_progress_printer  # only where somebody looks

    return make_progress_printer(asked == "verbose")


def parse_address(url: str) -> str:
    """Return a web address without its final slash. Raise BadParameter for anything else."""
    from urllib.parse import urlsplit

    if not url:
        return ""
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise click.BadParameter(f"'{url}' is not a web address: {error}", param_hint="--url") from error
    wrong = parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment
    if wrong or any(character.isspace() or not character.isprintable() for character in url):
        raise click.BadParameter(
            f"'{url}' is not a web address for files; write an address such as https://example.org/game",
            param_hint="--url",
        )
    return url.rstrip("/")


Printed = TypeVar("Printed", bound="PrintOrder")


def order_of(options: dict[str, Any], project: "Project", kind: "type[Printed]", **more: Any) -> "Printed":
    """Make an order of the given kind from the printing options and the project's presets.

    Raise ProblemsFound for a broken or unknown stock preset. Warn of unverified figures.
    """
    from generator.commands.print_sheets import PrintLook

    if options["registration"] and options["backs"] == "fold":
        raise click.BadParameter(
            "a cutting machine can't take folded sheets; choose other --backs", param_hint="--registration"
        )
    if options["large_print"] and (options["prototype"] or options["numbers"] or options["stock"]):
        raise click.UsageError("--large-print excludes --prototype, --numbers and --perforated; leave them out")
    if options["clean"] and (options["prototype"] or options["numbers"]):
        raise click.UsageError("--clean excludes --prototype and --numbers; leave one of them out")
    if options["high_contrast"] and options["low_ink"]:
        raise click.UsageError("--high-contrast and --low-ink exclude each other; leave one out")
    settings = replace(
        _stock_settings(options, project) if options["stock"] else _paper_settings(options, project),
        gap=read_length(options, "gap"),
        backs=options["backs"],
        guides=options["show"] == "guides",
        printer=_find_printer(options),
        registration=options["registration"],
    )
    return order_from_options(kind, options, sheets=settings, look=order_from_options(PrintLook, options), **more)


def find_paper(name: str) -> str:
    """Return the paper's name in its usual case. Raise BadParameter for an unknown one."""
    from generator.base.geometry import PAPER_SIZES

    papers = {known.lower(): known for known in PAPER_SIZES}
    if name.lower() not in papers:
        raise click.BadParameter(f"unknown paper '{name}'; known: {', '.join(papers.values())}", param_hint="--paper")
    return papers[name.lower()]


def _paper_settings(options: dict[str, Any], project: "Project") -> "SheetSettings":
    """Return settings for plain paper, given by the name of its size or by a preset's id, which sets the margin."""
    from generator.base.geometry import PAPER_SIZES, paper_size
    from generator.game.presets import Paper, list_preset_ids
    from generator.sheets.settings import SheetSettings

    name, margin = options["paper"], read_length(options, "margin")
    if name in list_preset_ids(project.resources, added=name.lower() not in map(str.lower, PAPER_SIZES)):
        from generator.game.preset_files import find_preset

        preset = find_preset(project.resources, name, "paper")
        if isinstance(preset, Paper):
            if _is_on_command_line("margin"):
                return SheetSettings(preset.size, preset.name, margin)
            say_warnings(filter(None, [preset.check_figures()]))
            return SheetSettings(preset.size, preset.name, preset.margin)
    paper = find_paper(name)
    return SheetSettings(paper_size(paper), paper, margin)


def _stock_settings(options: dict[str, Any], project: "Project") -> "SheetSettings":
    """Return settings for perforated sheets. They have their own paper size and are neither folded nor machine cut."""
    from generator.game.preset_files import find_preset
    from generator.game.presets import Stock
    from generator.sheets.settings import SheetSettings

    if _is_on_command_line("paper"):
        raise click.UsageError("--perforated sets the paper; leave --paper out")
    if _is_on_command_line("gap"):
        raise click.UsageError("--perforated sets the gaps; leave --gap out")
    if options["backs"] == "fold":
        raise click.BadParameter("perforated sheets can't be folded; choose other --backs", param_hint="--backs")
    if options["registration"]:
        raise click.BadParameter("perforated sheets need no cutting machine; leave it out", param_hint="--registration")
    stock = find_preset(project.resources, options["stock"], "stock")
    if not isinstance(stock, Stock):
        raise TypeError(f"a preset of stock is {type(stock)}")
    say_warnings(filter(None, [stock.check_figures()]))
    return SheetSettings(stock.paper, stock.name, read_length(options, "margin"), stock=_perforation_of(stock))


def _perforation_of(stock: "Stock") -> "Perforation":
    from generator.sheets.imposition import Perforation

    cells = (stock.left, stock.top, stock.columns, stock.rows, stock.cell, stock.gap_x, stock.gap_y)
    return Perforation(stock.paper, *cells)


def _find_printer(options: dict[str, Any]) -> "Printer | None":
    printer = find_printer(options["printer"])
    if printer and options["backs"] not in ("long", "short") and _is_on_command_line("printer"):
        what = f"--printer has no effect with --backs {options['backs']}; use --backs long or short"
        say(f"warning: {what}", err=True)
    return printer


def read_length(options: dict[str, Any], name: str) -> float:
    """Return an option as a length (mm). Raise BadParameter if it is negative or not a length."""
    from generator.base.geometry import parse_mm

    try:
        value = parse_mm(options[name])
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=f"--{name}") from error
    if value < 0:
        raise click.BadParameter("the length must not be negative; write 0mm or more", param_hint=f"--{name}")
    return value


def _is_on_command_line(name: str) -> bool:
    """Return True if the user wrote the option in this command."""
    return click.get_current_context().get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
