"""Command line: the group of all commands, its output, and how a run ends."""

import errno
import gc
import importlib
import os
import platform
import re
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import click

from generator import __version__
from generator.base.errors import Problem, ProblemsFound, WrongUsage, to_one_line, to_short_line

_CODE = os.urandom(8).hex()
"""Placeholder for the start of a terminal escape code until the text is printed. Data can't contain it."""


def say(line: str = "", *, err: bool = False) -> None:
    """Print one line. A line end or another unprintable character in it becomes a visible escape."""
    _print_text(f"{to_one_line(line)}\n", err=err)


def say_text(text: str, *, err: bool = False) -> None:
    """Print a text of several lines. Other unprintable characters become visible escapes.

    The caller must escape line ends in values.
    """
    _print_text("".join(part if part in "\n\t" else to_one_line(part) for part in re.split(r"([\n\t])", text)), err=err)


def overwrite_line(line: str) -> None:
    """Print over the terminal's last line on stderr."""
    click.echo(f"\r\x1b[K{to_one_line(line)}", nl=False, err=True)


def clear_terminal() -> None:
    """Clear the terminal and its scrollback, so that the next player can't read the last player's hand."""
    click.echo("\x1b[H\x1b[2J\x1b[3J", nl=False)


def _print_text(text: str, *, err: bool) -> None:
    click.echo(text.replace(_CODE, "\x1b"), nl=False, err=err)


def colour_text(text: str, **style: Any) -> str:
    """Return the text in a colour for `say`. NO_COLOR and plain terminals leave it uncoloured."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain else click.style(text.replace("\x1b", r"\u001b"), **style).replace("\x1b", _CODE)


try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

SOFTWARE_FAULT = 70
"""The usual exit code for a fault of the program itself."""

_PACKAGE = Path(__file__).parent.parent


FEWEST_FILES = 64
"""Minimum number of open files. With fewer, libraries and helper processes fail or wait."""


def check_file_limit() -> str:
    """Raise the limit of open files. Return an error message if it is still too low, or an empty string."""
    if resource is None:
        return ""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed == resource.RLIM_INFINITY or allowed >= FEWEST_FILES:
        return ""
    if most == resource.RLIM_INFINITY or most >= FEWEST_FILES:
        resource.setrlimit(resource.RLIMIT_NOFILE, (FEWEST_FILES, most))
        return ""
    what = f"only {most} files may be open at once, but pnp needs {FEWEST_FILES}"
    return f"{what}; raise the limit (ulimit -n 256)"


def exit_code_of(error: BaseException) -> int:
    """Report an error that did not come from the user's files, and return the exit code."""
    if isinstance(error, MemoryError):
        _try_say("not enough memory; close other programs, or build fewer games at once")
        return 1
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        _try_say("too many files are open; raise the limit (ulimit -n 1024), or close other programs")
        return 1
    if isinstance(error, OSError) and _is_printing_error(error.__traceback__):
        return _handle_output_error(error)
    if isinstance(error, ValueError) and sys.stdout.closed and _is_printing_error(error.__traceback__):
        _try_say("the game's rules closed the output; change them to leave it open")
        return 1
    report = _write_crash_report(error)
    _try_say(f"a fault of the program itself: {_shorten_error(error)}; {report}")
    return SOFTWARE_FAULT


def _try_say(sentence: str) -> None:
    try:
        say(sentence, err=True)
    except (OSError, ValueError):
        _discard_output()


def _is_printing_error(trace: TracebackType | None) -> bool:
    """Return True if the error was raised while something was printed."""
    return any(frame.f_globals.get("__name__") == "click.utils" for frame, _ in traceback.walk_tb(trace))


def _handle_output_error(error: OSError) -> int:
    """Return the exit code for output that can't be written. A reader that closed the pipe is not reported."""
    _discard_output()
    if error.errno != errno.EPIPE:
        _try_say(f"the output can't be written: {error.strerror or error}; check where you redirect it")
    return 1


def _discard_output() -> None:
    """Discard output that is still buffered. It would fail again at exit."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.__stdout__.fileno() if sys.__stdout__ else 1)
        os.close(nowhere)
    except (OSError, ValueError):
        return


def _shorten_error(error: BaseException) -> str:
    """Return the error on one line, with the innermost line of this program that it passed through."""
    ours = [at for at in traceback.extract_tb(error.__traceback__) if Path(at.filename).is_relative_to(_PACKAGE)]
    where = f" ({Path(ours[-1].filename).relative_to(_PACKAGE).as_posix()}:{ours[-1].lineno})" if ours else ""
    words = " ".join(str(error).split())
    shown = words if len(words) <= 200 else f"{words[:200]}..."
    return f"{type(error).__name__}{': ' if shown else ''}{shown}{where}"


def _write_crash_report(error: BaseException) -> str:
    """Write a crash report for developers. Return a sentence that names its path."""
    import shlex
    import tempfile

    command = shlex.join(["pnp", *sys.argv[1:]])
    versions = f"pnp {__version__}, Python {platform.python_version()}, {platform.platform()}"
    text = f"{versions}\n{command}\n\n{''.join(traceback.format_exception(error))}"
    try:
        # The home folder's name would reveal the user.
        text = text.replace(str(Path.cwd()), ".").replace(str(Path.home()), "~")
    except (OSError, RuntimeError):
        text = f"{text}\n"
    try:
        number, name = tempfile.mkstemp(prefix="pnp-fault-", suffix=".txt")
        with os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError:
        return "no report could be written; please send us the command"
    return f"the report is in {name}, please send it to us"


LINKS = "generator.links"
"""Key in a command's context: True if links may lead out of the project."""

STOPPED = 130
"""The exit code of a command that Ctrl+C has ended."""

MOST_OF_A_FILE, MOST_OF_ALL = 50, 500
"""Maximum number of problems shown for one file and for all files. Each further file shows one."""


def main() -> None:
    """Run one command in its own process."""
    # A command builds values that live until it ends. Garbage collection would take a fifth of its time.
    gc.disable()
    try:
        run_command_line()
    finally:
        gc.freeze()  # nor is there anything to look for at the exit


def run_command_line() -> None:
    """Run the command line. Exit with 1 for problems in the user's files and with 2 for wrong usage."""
    for stream in (sys.stdout, sys.stderr):
        # Print escapes instead of a traceback on consoles that can't show Japanese.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if few := check_file_limit():
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
        say(colour_text(f"{len(problems):,} problems", bold=True), err=True)


def _problem_lines(problems: Iterable[Problem]) -> Iterator[str]:
    """Yield the problems in order, up to a limit for each file and for the whole project."""
    said = 0
    for file, group in groupby(problems, lambda problem: problem.place.file if problem.place else ""):
        found = list(group)
        shown = found[: max(1, min(MOST_OF_A_FILE, MOST_OF_ALL - said))]
        said += len(shown)
        yield from map(_problem_line, shown)
        if len(found) > len(shown):
            yield f"{file or 'elsewhere'}: and {len(found) - len(shown):,} more"


def _problem_line(problem: Problem) -> str:
    """Return the problem as `file:line:column: what; hint`. On a terminal the place is bold."""
    if problem.place is None:
        return str(problem)
    place = to_one_line(str(problem.place))
    return colour_text(place, bold=True) + str(problem).removeprefix(place)


class CommandEntry(NamedTuple):
    """Module of a command, and its text in `pnp --help`."""

    module: str
    """Module that defines the command."""
    section: str
    summary: str
    """One line of at most 60 characters."""


COMMANDS = {
    "new": CommandEntry("generator.commands.start_options", "Start", "Start a project from a starter"),
    "import": CommandEntry("generator.exchange.commands", "Start", "Convert a project of another program"),
    "guide": CommandEntry("generator.commands.start_options", "Start", "Print a guide"),
    "build": CommandEntry(
        "generator.commands.build_options", "Make", "Build sheets, rulebooks and the validation report"
    ),
    "sheets": CommandEntry("generator.commands.build_options", "Make", "Build the print sheets"),
    "rulebook": CommandEntry("generator.commands.build_options", "Make", "Build the rulebooks and quick starts"),
    "images": CommandEntry("generator.production.commands", "Make", "Export each card and piece as a PNG"),
    "list": CommandEntry("generator.commands.check_options", "Check", "List games and components with their counts"),
    "validate": CommandEntry(
        "generator.commands.check_options", "Check", "Check counts, texts, set-up, books and simulated games"
    ),
    "preflight": CommandEntry("generator.production.commands", "Check", "Check PDF files for print faults"),
    "proof": CommandEntry(
        "generator.production.commands", "Check", "Preview colour blindness, greyscale, trim and safe area"
    ),
    "diff": CommandEntry("generator.versions.commands", "Check", "Compare two versions of a game"),
    "trust": CommandEntry("generator.commands.check_options", "Check", "Allow the Python rules of this project to run"),
    "presets": CommandEntry(
        "generator.production.commands", "Print", "List papers, perforated stock, sleeves and print shops"
    ),
    "calibrate": CommandEntry(
        "generator.production.commands", "Print", "Measure and correct how a printer shifts the backs"
    ),
    "record": CommandEntry("generator.versions.commands", "Print", "Save a snapshot of the game as you print it"),
    "changed": CommandEntry("generator.versions.commands", "Print", "Print only the cards changed since a snapshot"),
    "boxes": CommandEntry("generator.production.commands", "Print", "Draw tuck boxes for the decks"),
    "dielines": CommandEntry("generator.production.commands", "Print", "Draw cut lines for a cutting machine"),
    "shop": CommandEntry("generator.production.commands", "Print", "Export files for a print shop"),
    "pack": CommandEntry("generator.production.commands", "Share", "Pack a zip for print-and-play sites"),
    "showcase": CommandEntry("generator.production.commands", "Share", "Render pictures for a shop page"),
    "export": CommandEntry("generator.exchange.commands", "Share", "Export to online tables and spreadsheets"),
    "translate": CommandEntry(
        "generator.exchange.commands", "Share", "Export texts for translators and import translations"
    ),
    "read-aloud": CommandEntry("generator.exchange.commands", "Share", "Write every piece as text for screen readers"),
    "site": CommandEntry("generator.live.commands", "Share", "Build a website that runs the program in the browser"),
    "play": CommandEntry("generator.commands.play", "Play", "Play a game in the terminal, against bots"),
    "lab": CommandEntry(
        "generator.lab.commands", "Experiment", "Simulate many games and compare rules, numbers and cards"
    ),
    "serve": CommandEntry("generator.live.commands", "Edit", "Show the game in a browser and update it when you save"),
    "language-server": CommandEntry(
        "generator.live.commands", "Edit", "Connect a text editor: errors, previews, completion"
    ),
    "pull": CommandEntry("generator.exchange.commands", "Edit", "Download the tables that a game reads from the web"),
    "schema": CommandEntry("generator.commands.check_options", "Edit", "Write JSON schemas for completion in editors"),
}
"""Every command by name, in the order of `pnp --help`."""


@contextmanager
def _shorten_usage_errors() -> Iterator[None]:
    """Shorten the message of a usage error to one line."""
    try:
        yield
    except click.ClickException as error:
        error.message = to_short_line(error.message)  # type: ignore[misc]
        raise


class Commands(click.Group):
    """Command group that imports the module of a command only when the user asks for it."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click passes it
        """Return the names of all commands in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command with this name, or None."""
        if cmd_name in COMMANDS:
            importlib.import_module(COMMANDS[cmd_name].module)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the commands by section without importing them."""
        width = max(map(len, COMMANDS))
        for section, group in groupby(COMMANDS.items(), lambda item: item[1].section):
            with formatter.section(section):
                formatter.write_dl([(name.ljust(width), entry.summary) for name, entry in group])

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        """Parse the program's own options."""
        with _shorten_usage_errors():
            return super().make_context(*arguments, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. Ctrl+C ends it with the exit code that shells expect."""
        try:
            with _shorten_usage_errors():
                return super().invoke(ctx)
        except KeyboardInterrupt:
            say("Aborted!", err=True)
            ctx.exit(STOPPED)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="pnp")
@click.option(
    "--project", type=click.Path(path_type=Path), help="Folder that contains data/ (default: search upwards)."
)
@click.option(
    "--allow-links",
    is_flag=True,
    envvar="PNP_ALLOW_LINKS",
    help="Follow links that lead out of the project; don't use it with projects of strangers.",
)
@click.pass_context
def pnp(context: click.Context, project: Path | None, allow_links: bool) -> None:
    """Turn YAML files into print-ready sheets and rulebooks.

    A project is a folder with data/<game>/*.yaml and templates/<game>/*.svg. The folder fonts/ is optional. Run `pnp
    COMMAND --help` for the options of a command.
    """
    context.obj = project
    context.meta[LINKS] = allow_links


# Each module adds its commands to the group when the user asks for one of them. A command imports the large packages
# only when it runs.
