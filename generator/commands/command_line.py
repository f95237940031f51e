"""Command line: the group of all commands, its output, and how a run ends."""

import errno
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Any, cast

import click

from generator import __version__
from generator.base.errors import Problem, ProblemsFound, WrongUsage, to_one_line, to_short_line
from generator.base.extensions import OWN, Addition, Entry, find_additions, find_faulty_package, format_error

_CODE = os.urandom(8).hex()
"""Random placeholder for the start of a terminal colour code; text from data can't contain it."""


def say(line: str = "", *, err: bool = False) -> None:
    """Print one line, on stderr if `err`. A line end or another unprintable character becomes a visible escape."""
    _print_text(f"{to_one_line(line)}\n", err=err)


def say_text(text: str) -> None:
    """Print a text of several lines. Other unprintable characters become visible escapes.

    The caller must escape line ends in values.
    """
    _print_text("".join(part if part in "\n\t" else to_one_line(part) for part in re.split(r"([\n\t])", text)))


def overwrite_line(line: str) -> None:
    """Print over the terminal's last line on stderr."""
    click.echo(f"\r\x1b[K{to_one_line(line)}", nl=False, err=True)


def clear_terminal() -> None:
    """Clear the terminal and its scrollback, so that the next player can't read the last player's hand."""
    click.echo("\x1b[H\x1b[2J\x1b[3J", nl=False)


def _print_text(text: str, *, err: bool = False) -> None:
    click.echo(text.replace(_CODE, "\x1b"), nl=False, err=err)


def ask(question: str, default: str, kind: Any = str) -> Any:
    """Return what the user answers to a question at the terminal, converted to the type `kind`, or the default."""
    return click.prompt(to_one_line(question), default=default, type=kind, show_default=bool(default))


def colour_text(text: str, **style: Any) -> str:
    """Return the text in a colour for `say`, with its own escapes visible; unchanged for NO_COLOR and TERM=dumb."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain else click.style(text.replace("\x1b", r"\u001b"), **style).replace("\x1b", _CODE)


try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

SOFTWARE_FAULT = 70
"""Exit code for an error in the program itself, as is usual on Unix."""

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
        _discard_output()
        if error.errno != errno.EPIPE:  # else the reader has closed the pipe
            _try_say(f"the output can't be written: {error.strerror or error}; check where you redirect it")
        return 1
    if isinstance(error, ValueError) and sys.stdout.closed and _is_printing_error(error.__traceback__):
        _try_say("the game's rules closed the output; change them to leave it open")
        return 1
    report = _write_crash_report(error)
    if package := find_faulty_package(error.__traceback__):
        _try_say(f"the package {package} failed: {format_error(error)}; tell its authors; {report}")
        return 1
    from traceback import extract_tb

    ours = [at for at in extract_tb(error.__traceback__) if Path(at.filename).is_relative_to(_PACKAGE)]
    where = f" ({Path(ours[-1].filename).relative_to(_PACKAGE).as_posix()}:{ours[-1].lineno})" if ours else ""
    words = " ".join(str(error).split())
    shown = words if len(words) <= 200 else f"{words[:200]}..."
    said = f"{type(error).__name__}{': ' if shown else ''}{shown}{where}"
    _try_say(f"internal error of pnp: {said}; {report}")
    return SOFTWARE_FAULT


def _try_say(sentence: str) -> None:
    try:
        say(sentence, err=True)
    except (OSError, ValueError):
        _discard_output()


def _is_printing_error(trace: TracebackType | None) -> bool:
    from traceback import walk_tb

    return any(frame.f_globals.get("__name__") == "click.utils" for frame, _ in walk_tb(trace))


def _discard_output() -> None:
    """Discard output that is still buffered. It would fail again at exit."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.__stdout__.fileno() if sys.__stdout__ else 1)
        os.close(nowhere)
    except (OSError, ValueError):
        return


def _write_crash_report(error: BaseException) -> str:
    """Write a crash report for developers. Return a sentence that names its path or says that none could be written."""
    import platform
    import shlex
    import tempfile
    import traceback

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
"""Key in click's context: True if symbolic links may lead out of the project."""

STOPPED = 130
"""The exit code of a command that Ctrl+C has ended."""

MOST_OF_A_FILE, MOST_OF_ALL = 50, 500
"""Maximum number of problems shown for one file and for all files. Each further file shows one."""


def main() -> None:
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
        for line in _problem_lines(found.problems):
            say(line, err=True)
        if len(found.problems) > 1:
            say(colour_text(f"{len(found.problems):,} problems", bold=True), err=True)
        sys.exit(2 if isinstance(found, WrongUsage) else 1)
    except Exception as error:  # noqa: BLE001 - the one place that may: behind it is only Python's traceback
        sys.exit(exit_code_of(error))


def _problem_lines(problems: Iterable[Problem]) -> Iterator[str]:
    """Yield the problems in order, up to a limit for each file and for the whole project, with their places in bold."""
    said = 0
    for file, group in groupby(problems, lambda problem: problem.place.file if problem.place else ""):
        found = list(group)
        shown = found[: max(1, min(MOST_OF_A_FILE, MOST_OF_ALL - said))]
        said += len(shown)
        for problem in shown:
            place = to_one_line(str(problem.place)) if problem.place else ""
            yield colour_text(place, bold=True) + str(problem).removeprefix(place) if place else str(problem)
        if len(found) > len(shown):
            yield f"{file or 'elsewhere'}: and {len(found) - len(shown):,} more"


SECTIONS = ("Start", "Make", "Check", "Print", "Share", "Play", "Experiment", "Edit")
"""The sections of `pnp --help`, in order. An extension may add others."""

COMMANDS = {
    "new": Entry("generator.commands.new:new", "Start a project from a starter", "Start"),
    "guide": Entry("generator.commands.guide:guide", "Print a guide", "Start"),
    "build": Entry("generator.commands.build:build", "Build sheets, rulebooks and the validation report", "Make"),
    "sheets": Entry("generator.commands.sheets:sheets", "Build the print sheets", "Make"),
    "rulebook": Entry("generator.commands.rulebook:rulebook", "Build the rulebooks and quick starts", "Make"),
    "images": Entry("generator.commands.images:images", "Export each card and piece as a PNG", "Make"),
    "list": Entry("generator.commands.list:list_games", "List games and components with their counts", "Check"),
    "figures": Entry("generator.commands.figures:figures", "Show figures of a deck and gaps of its rulebook", "Check"),
    "validate": Entry("generator.commands.validate:validate",
                      "Check counts, texts, set-up, books and simulated games", "Check"),
    "trust": Entry("generator.commands.trust:trust", "Allow the Python rules of this project to run", "Check"),
    "export": Entry("generator.commands.export:export", "Export to online tables and spreadsheets", "Share"),
    "play": Entry("generator.commands.play:play", "Play a game in the terminal, against bots", "Play"),
    "schema": Entry("generator.commands.schema:schema", "Write JSON schemas for completion in editors", "Edit"),
}  # fmt: skip
"""The core's commands. Those of packages are in their `Extension`."""


@contextmanager
def _shorten_usage_errors() -> Iterator[None]:
    try:
        yield
    except click.ClickException as error:
        error.message = to_short_line(error.message)  # type: ignore[misc]
        raise


class CommandTable(click.Group):
    """Group of the core's commands in a table, and of the commands of one kind that packages add.

    A module is imported only when the user asks for its command. Installed packages are looked through only for a
    name that is not in the table, and for lists.
    """

    kind = "exports"
    table: Mapping[str, Entry] = {}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click passes it
        """Return the names of all commands."""
        return [*self.table, *find_additions(self.kind, tuple(self.table)).entries]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command with this name, or None. Raise ProblemsFound if its package is broken."""
        try:
            if cmd_name in self.table:
                return cast(click.Command, Addition(cmd_name, self.table[cmd_name], OWN).load(click.Command))
            found = find_additions(self.kind, tuple(self.table))
            if cmd_name in found.entries:
                return cast(click.Command, found.entries[cmd_name].load(click.Command))
        except ProblemsFound:
            if ctx.resilient_parsing:  # the shell asks for completions
                return None
            raise
        if found.problems and cmd_name[:1].isalnum() and not ctx.resilient_parsing:
            what = f"there is no '{cmd_name}' among the {self.kind}"
            raise ProblemsFound([Problem(None, what, "it may be in a package that can't be used"), *found.problems])
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the commands by section without importing them, and the faults of packages."""
        found = find_additions(self.kind, tuple(self.table))
        entries = {**self.table, **{name: addition.entry for name, addition in found.entries.items()}}
        sections: dict[str, list[tuple[str, str]]] = {section: [] for section in SECTIONS}
        for name, entry in entries.items():
            sections.setdefault(entry.section or "Commands", []).append((name, entry.summary))
        width = max(map(len, entries), default=0)
        for section, rows in sections.items():
            if rows:
                with formatter.section(to_one_line(section)):
                    formatter.write_dl([(to_one_line(name).ljust(width), to_one_line(text)) for name, text in rows])
        if found.problems:
            with formatter.section("Problems"):
                formatter.write_dl([(f"{number}.", str(one)) for number, one in enumerate(found.problems, 1)])


class Commands(CommandTable):
    """The group of all commands."""

    kind = "commands"
    table = COMMANDS

    def make_context(self, *arguments: Any, **more: Any) -> click.Context:
        """Parse the program's own options."""
        with _shorten_usage_errors():
            return super().make_context(*arguments, **more)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command with short usage errors. Ctrl+C ends it with the exit code that shells expect."""
        from generator.commands.settings import locate_setting_errors  # not for `pnp --help`

        try:
            with _shorten_usage_errors(), locate_setting_errors(ctx):
                return super().invoke(ctx)
        except KeyboardInterrupt:
            say("Aborted!", err=True)
            ctx.exit(STOPPED)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="pnp")
@click.option("--project", type=click.Path(path_type=Path),
              help="Folder that contains data/ (default: search upwards).")  # fmt: skip
@click.option("--allow-links", is_flag=True, envvar="PNP_ALLOW_LINKS",
              help="Follow links that lead out of the project; don't use it with projects of strangers.")  # fmt: skip
@click.pass_context
def pnp(context: click.Context, project: Path | None, allow_links: bool) -> None:
    """Turn YAML files into print-ready sheets and rulebooks.

    A project is a folder with data/<game>/*.yaml and templates/<game>/*.svg. The folder fonts/ is optional. Run `pnp
    COMMAND --help` for the options of a command.
    """
    context.obj = project
    context.meta[LINKS] = allow_links
