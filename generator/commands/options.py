"""Options and output that commands share: project, games, languages; lists of files, notes and progress."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeVar

import click

from generator.base.errors import Problem, ProblemsFound
from generator.base.extensions import find_additions
from generator.base.files import read_file, write_in_folder
from generator.commands.command_line import LINKS, colour_text, overwrite_line, say
from generator.commands.settings import NO_CACHE, apply_settings, cache_folder, is_project_trusted, open_cache

if TYPE_CHECKING:
    from generator.base.geometry import Margins
    from generator.checks.check_report import Check
    from generator.commands.orders import Order
    from generator.game.project import Project


Command = TypeVar("Command", bound=Callable[..., Any])
Made = TypeVar("Made")
OrderType = TypeVar("OrderType", bound="Order")

_LOUDNESS = "generator.loudness"
"""Key in click's context: "quiet" or "verbose" if the user chose one."""


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
    """Make an order: each field gets the option of the same name, or a value from `more`."""
    names = {field.name for field in fields(order)}  # type: ignore[arg-type]  # orders are dataclasses
    return order(**({name: value for name, value in options.items() if name in names} | more))


class AddedChoice(click.Choice):  # type: ignore[type-arg]  # before click 8.2 it takes no type
    """Choice of the names that packages add. An unknown name also reports broken packages."""

    def __init__(self, kind: str):
        self._found = find_additions(kind)
        super().__init__([*self._found.entries])

    def fail(self, message: str, param: click.Parameter | None = None, ctx: click.Context | None = None) -> NoReturn:
        """Raise BadParameter with the message and with the problems of packages that may add choices."""
        super().fail("; ".join([message, *map(str, self._found.problems)]), param, ctx)


GAMES = click.argument("games", nargs=-1)


def _language_option(more: str = "") -> Callable[[Any], Any]:
    what = f"Language to use (default: all); repeatable.{more}"
    return click.option("--lang", "languages", multiple=True, metavar="LANG", help=what)


LANG = _language_option()
LANGS = _language_option(" ja+en prints both on a card.")
OFFERED_LANGS = _language_option(" ja+en prints both on a card if its template supports it.")
MOST_OF_A_PATTERN = 200
"""Maximum length of a pattern (characters). No id is longer."""


def _check_patterns(_context: click.Context, _option: click.Parameter, patterns: tuple[str, ...]) -> tuple[str, ...]:
    for pattern in patterns:
        if len(pattern) > MOST_OF_A_PATTERN:
            raise click.BadParameter(
                f"the pattern has {len(pattern):,} characters, more than {MOST_OF_A_PATTERN}; shorten it"
            )
    return patterns


ONLY = click.option("--only", multiple=True, callback=_check_patterns, metavar="PATTERN",
                    help="Use only components whose id matches, such as 'reel/6-*'; repeatable.")  # fmt: skip
COPIES = click.option("--copies", type=click.IntRange(1, 1000),
                      help="Number of copies of each design (default: its count).")  # fmt: skip
PROJECT = combine_options((
    click.option("--project", type=click.Path(path_type=Path),
                 help="Folder that contains data/ (default: search upwards)."),
    click.option("--trust-rules", "trusted", is_flag=True,
                 help="Run the Python rules of this project; `pnp trust` makes this permanent."),
    QUIET, VERBOSE,
))  # fmt: skip
"""The options of every command that opens a project."""
OUT = click.option("--out", type=click.Path(path_type=Path), default="output", show_default=True,
                   help="Write the files to OUT/<game>/.")  # fmt: skip
FORMAT = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
                      help="Output format.")  # fmt: skip
PICKED = combine_options((
    GAMES, OFFERED_LANGS, OUT, ONLY,
    click.option("--stamp", is_flag=True, help="Print the draft number and hash on each face, as on sheets."),
    PROJECT,
))  # fmt: skip
"""The options of commands that make pictures or files of faces."""


def open_project(obj: Path | None, options: dict[str, Any]) -> "Project":
    """Open the project that --project names (`obj`: given before the command's name), or the nearest one upwards.

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
    project = project if options.get("languages") == languages else find()
    return project._replace(store=open_cache(options, project.root))


def path_from_here(path: Path) -> str:
    """Return a path relative to the current folder if it is inside it, else the path unchanged."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()


def say_files(paths: Iterable[Path]) -> None:
    """Print the files that were made, one per line, unless the user wants errors only."""
    for path in () if is_quiet() else paths:
        say(path_from_here(path))


def say_notes(notes: Iterable[str]) -> None:
    """Print each note once."""
    for note in () if is_quiet() else dict.fromkeys(notes):
        say(f"{colour_text('note:', fg='cyan')} {note}", err=True)


def say_passed(passed: int, doubtful: Sequence["Check"]) -> None:
    """Print how many checks passed, and how many are doubtful. Call it only if no check failed."""
    from generator.checks.check_report import format_passed_line

    if (passed or doubtful) and not is_quiet():
        say(
            colour_text(f"validation: {format_passed_line(passed, doubtful)}", fg="yellow" if doubtful else "green"),
            err=True,
        )


class Finished(Protocol):
    """The result of a command: the files that it made, and notes for the user."""

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


def run_order(project: "Project", options: dict[str, Any], order: "type[OrderType]", **more: Any) -> "OrderType":
    """Carry out an order for the named games, print its files and notes, return it; `more` are further fields."""
    from generator.commands.orders import carry_out

    made = order_from_options(order, options, **more)
    say_done(carry_out(project, options["games"], made, progress()))
    return made


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
    context = click.get_current_context(silent=True)
    line = _StepLines() if asked == "verbose" else _OneLine(context)
    if context is not None:
        context.call_on_close(line.finish)
    return line.show_step


def parse_address(url: str) -> str:
    """Return a web address without its final slash, and '' for no text. Raise BadParameter for anything else."""
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


def find_paper(name: str) -> str:
    """Return the paper's name in its usual case. Raise BadParameter for an unknown one."""
    from generator.base.geometry import PAPER_SIZES

    papers = {known.lower(): known for known in PAPER_SIZES}
    if name.lower() not in papers:
        raise click.BadParameter(f"unknown paper '{name}'; known: {', '.join(papers.values())}", param_hint="--paper")
    return papers[name.lower()]


def _read_margins(_context: click.Context, _option: click.Parameter, text: str) -> "Margins":
    from generator.base.geometry import parse_margins

    try:
        return parse_margins(text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--margin") from error


EDGE = click.option("--margin", default="5mm", show_default=True, callback=_read_margins,
                       help="Unprintable margin of the paper: all edges, or top, right, bottom and left.")  # fmt: skip


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


_PATIENCE = 2.0
"""The remaining time is shown after this time (seconds)."""

_MOST_KEPT = 200
"""Maximum number of runs whose times are stored. The oldest are removed."""


class _StepLines:
    """Shows progress as one line for each step, with the seconds since the start."""

    def __init__(self) -> None:
        self._begun, self._last = monotonic(), ""

    def show_step(self, doing: str) -> None:
        if doing and doing != self._last:
            say(f"{monotonic() - self._begun:7.1f} s  {doing}", err=True)
        self._last = doing

    def finish(self) -> None:
        """Leave the lines on the screen."""


class _OneLine:
    """Shows progress in one line that is overwritten. It stores the duration of each step, to estimate later runs."""

    def __init__(self, context: click.Context | None) -> None:
        self._there, self._begun = False, monotonic()
        self._doing, self._since = "", self._begun
        self._took: dict[str, float] = {}
        self._key = ""
        if context is not None:  # the command with its games, languages and patterns, as these affect the time
            named = {name: context.params.get(name) for name in ("games", "languages", "only", "preset")}
            self._key = " ".join([context.command_path, *(f"{name}={each}" for name, each in named.items() if each)])
        self._before = _read_times().get(self._key, {}) if self._key else {}

    def show_step(self, doing: str) -> None:
        now = monotonic()
        if self._doing:
            step = re.sub(r"\d[\d.,]*", "#", self._doing) if _has_time_left(self._doing) else self._doing
            self._took[step] = self._took.get(step, 0.0) + now - self._since
        self._doing, self._since = doing, now
        if doing or self._there:
            overwrite_line(f"{doing}{self._time_left(now) if doing else ''}")
        self._there = bool(doing)

    def _time_left(self, now: float) -> str:
        if now - self._begun < _PATIENCE or _has_time_left(self._doing):
            return ""
        left = sum(took for step, took in self._before.items() if step not in self._took)
        if not self._before or left < 1:
            return f" ({now - self._begun:.0f} s so far)"
        return f" (about {left:.0f} s left)"

    def finish(self) -> None:
        self.show_step("")
        if self._key and monotonic() - self._begun > _PATIENCE and self._took:
            _keep_times(self._key, self._took)


def _has_time_left(doing: str) -> bool:
    """Return True if the text already includes the time left, as for games that are played."""
    return doing.endswith(" left")


def _read_times() -> dict[str, dict[str, float]]:
    """Return the stored seconds of each step, by run and step. Return {} for a missing or unreadable file."""
    if os.environ.get(NO_CACHE):
        return {}
    import json  # only where somebody looks

    try:
        found = json.loads(read_file(_times_file(), "note"))
        return {str(run): {str(step): float(took) for step, took in steps.items()} for run, steps in found.items()}
    except (OSError, RuntimeError, ValueError, AttributeError, TypeError):
        return {}  # a guess about time is worth no complaint


def _keep_times(key: str, took: dict[str, float]) -> None:
    if os.environ.get(NO_CACHE):
        return
    import json

    runs = {run: steps for run, steps in _read_times().items() if run != key} | {key: took}
    kept = dict(list(runs.items())[-_MOST_KEPT:])
    try:
        write_in_folder(_times_file().parent, _times_file().name, json.dumps(kept, ensure_ascii=False).encode())
    except (OSError, RuntimeError, ProblemsFound):
        return  # the next run tells the time so far


def _times_file() -> Path:
    return cache_folder() / "times.json"
