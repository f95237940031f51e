"""The group of all commands, and how a run of it ends: problems with exit code 1, wrong usage with 2."""

import gc
import importlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import click

from generator import __version__
from generator.cli.net import exit_code_of, too_few_files
from generator.cli.output import painted, say
from generator.errors import Problem, ProblemsFound, WrongUsage, in_one_line, in_short_line

LINKS = "generator.links"
"""In a command's context: whether links may lead out of the project."""

STOPPED = 130
"""The exit code of what Ctrl+C has ended."""

MOST_OF_A_FILE, MOST_OF_ALL = 50, 500
"""So many problems are told of one file, and of all; of each further file one."""


def main() -> None:
    """Run one command in a process of its own."""
    # It builds values that live until it ends: looking for garbage among them costs a fifth of its time.
    gc.disable()
    try:
        run()
    finally:
        gc.freeze()  # nor is there anything to look for at the exit


def run() -> None:
    """Run the command line. Problems in the user's files end with exit code 1, wrong usage with 2."""
    for stream in (sys.stdout, sys.stderr):
        # A console that can't show Japanese gets escapes instead of a traceback.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if few := too_few_files():
        say(few, err=True)
        sys.exit(1)
    try:
        pnp.main(standalone_mode=True)
    except ProblemsFound as found:
        _say_problems(found.problems)
        sys.exit(2 if isinstance(found, WrongUsage) else 1)
    except Exception as error:  # noqa: BLE001 - the one place that may: behind it is only Python's traceback
        sys.exit(exit_code_of(error))


def _say_problems(problems: Sequence[Problem]) -> None:
    for line in _problem_lines(problems):
        say(line, err=True)
    if len(problems) > 1:
        say(painted(f"{len(problems):,} problems", bold=True), err=True)


def _problem_lines(problems: Iterable[Problem]) -> Iterator[str]:
    """The problems in their order; of what is wrong all over a file, or all over a project, as much as can be read."""
    said = 0
    for file, group in groupby(problems, lambda problem: problem.place.file if problem.place else ""):
        found = list(group)
        shown = found[: max(1, min(MOST_OF_A_FILE, MOST_OF_ALL - said))]
        said += len(shown)
        yield from map(_problem_line, shown)
        if len(found) > len(shown):
            yield f"{file or 'elsewhere'}: and {len(found) - len(shown):,} more"


def _problem_line(problem: Problem) -> str:
    """The problem in its one form, `file:line:column: what; hint`; on a terminal with its place in bold."""
    if problem.place is None:
        return str(problem)
    place = in_one_line(str(problem.place))
    return painted(place, bold=True) + str(problem).removeprefix(place)


class CommandEntry(NamedTuple):
    """Where a command is, and what `pnp --help` says about it."""

    module: str
    """Module that defines the command."""
    section: str
    summary: str
    """One line of at most 60 characters."""


COMMANDS = {
    "new": CommandEntry("generator.cli.starting", "Start", "Start a project from a starter"),
    "import": CommandEntry("generator.cli.importing", "Start", "Convert a project of another program"),
    "guide": CommandEntry("generator.cli.starting", "Start", "Print a guide"),
    "build": CommandEntry("generator.cli.making", "Make", "Build sheets, rulebooks and the validation report"),
    "sheets": CommandEntry("generator.cli.making", "Make", "Build the print sheets"),
    "rulebook": CommandEntry("generator.cli.making", "Make", "Build the rulebooks and quick starts"),
    "images": CommandEntry("generator.cli.shopping", "Make", "Export each card and piece as a PNG"),
    "list": CommandEntry("generator.cli.checking", "Check", "List games and components with their counts"),
    "validate": CommandEntry(
        "generator.cli.checking", "Check", "Check counts, texts, set-up, books and simulated games"
    ),
    "preflight": CommandEntry("generator.cli.preflighting", "Check", "Check PDF files for print faults"),
    "proof": CommandEntry("generator.cli.proofing", "Check", "Preview colour blindness, greyscale, trim and safe area"),
    "diff": CommandEntry("generator.cli.comparing", "Check", "Compare two versions of a game"),
    "trust": CommandEntry("generator.cli.checking", "Check", "Allow the Python rules of this project to run"),
    "presets": CommandEntry(
        "generator.cli.shopping", "Print", "List papers, perforated stock, sleeves and print shops"
    ),
    "calibrate": CommandEntry("generator.cli.printers", "Print", "Measure and correct how a printer shifts the backs"),
    "record": CommandEntry("generator.cli.recording", "Print", "Save a snapshot of the game as you print it"),
    "changed": CommandEntry("generator.cli.recording", "Print", "Print only the cards changed since a snapshot"),
    "boxes": CommandEntry("generator.cli.proofing", "Print", "Draw tuck boxes for the decks"),
    "dielines": CommandEntry("generator.cli.proofing", "Print", "Draw cut lines for a cutting machine"),
    "shop": CommandEntry("generator.cli.shopping", "Print", "Export files for a print shop"),
    "pack": CommandEntry("generator.cli.showing", "Share", "Pack a zip for print-and-play sites"),
    "showcase": CommandEntry("generator.cli.showing", "Share", "Render pictures for a shop page"),
    "export": CommandEntry("generator.cli.exporting", "Share", "Export to online tables and spreadsheets"),
    "translate": CommandEntry(
        "generator.cli.translating", "Share", "Export texts for translators and import translations"
    ),
    "read-aloud": CommandEntry("generator.cli.everybody", "Share", "Write every piece as text for screen readers"),
    "site": CommandEntry("generator.cli.live.site", "Share", "Build a website that runs the program in the browser"),
    "play": CommandEntry("generator.cli.playing", "Play", "Play a game in the terminal, against bots"),
    "lab": CommandEntry(
        "generator.cli.laboratory", "Experiment", "Simulate many games and compare rules, numbers and cards"
    ),
    "serve": CommandEntry(
        "generator.cli.live.serving", "Edit", "Show the game in a browser and update it when you save"
    ),
    "language-server": CommandEntry(
        "generator.cli.live.editing", "Edit", "Connect a text editor: errors, previews, completion"
    ),
    "pull": CommandEntry("generator.cli.pulling", "Edit", "Download the tables that a game reads from the web"),
    "schema": CommandEntry("generator.cli.checking", "Edit", "Write JSON schemas for completion in editors"),
}
"""Every command by its name, in the order of `pnp --help`."""


@contextmanager
def _in_short_lines() -> Iterator[None]:
    """What is wrong usage is told in one line, whatever was typed."""
    try:
        yield
    except click.ClickException as error:
        error.message = in_short_line(error.message)  # type: ignore[misc]
        raise


class Commands(click.Group):
    """The commands of the table. Import the module of a command when the user asks for it."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click passes it
        """Return the names of all commands in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command with this name, or None."""
        if cmd_name in COMMANDS:
            importlib.import_module(COMMANDS[cmd_name].module)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the commands by section, without importing them."""
        width = max(map(len, COMMANDS))
        for section, group in groupby(COMMANDS.items(), lambda item: item[1].section):
            with formatter.section(section):
                formatter.write_dl([(name.ljust(width), entry.summary) for name, entry in group])

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        """Read the program's own options."""
        with _in_short_lines():
            return super().make_context(*arguments, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; Ctrl+C ends it as shells expect of a program that heard it."""
        try:
            with _in_short_lines():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            say("Aborted!", err=True)
            ctx.exit(STOPPED)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="pnp")
@click.option(
    "--project", type=click.Path(path_type=Path), help="The folder that holds data/ (default: search upwards)."
)
@click.option(
    "--allow-links",
    is_flag=True,
    envvar="PNP_ALLOW_LINKS",
    help="Let links in the project's folders lead out of it; not for projects of strangers.",
)
@click.pass_context
def pnp(context: click.Context, project: Path | None, allow_links: bool) -> None:
    """Print-and-play generator: turn YAML files into print-ready sheets and rulebooks, and check the components.

    A project is a folder with data/<game>/*.yaml, templates/<game>/*.svg and optionally fonts/.
    """
    context.obj = project
    context.meta[LINKS] = allow_links
