"""The group of all commands, and how a run of it ends: problems with exit code 1, wrong usage with 2."""

import gc
import importlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

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


HOMES = {
    "boxes": "proofing",
    "build": "making",
    "calibrate": "printers",
    "changed": "recording",
    "dielines": "proofing",
    "diff": "comparing",
    "export": "exporting",
    "guide": "starting",
    "images": "shopping",
    "import": "starting",
    "lab": "laboratory",
    "language-server": "live.editing",
    "list": "checking",
    "new": "starting",
    "pack": "showing",
    "play": "playing",
    "preflight": "preflighting",
    "presets": "shopping",
    "proof": "proofing",
    "pull": "pulling",
    "read-aloud": "everybody",
    "record": "recording",
    "rulebook": "making",
    "schema": "checking",
    "serve": "live.serving",
    "sheets": "making",
    "showcase": "showing",
    "shop": "shopping",
    "site": "live.site",
    "translate": "translating",
    "trust": "checking",
    "validate": "checking",
}
"""Command -> the module of this room that brings it."""


@contextmanager
def _in_short_lines() -> Iterator[None]:
    """What is wrong usage is told in one line, whatever was typed."""
    try:
        yield
    except click.ClickException as error:
        error.message = in_short_line(error.message)  # type: ignore[misc]
        raise


class Commands(click.Group):
    """The commands, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click calls it
        """All names, in their order."""
        return sorted(HOMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        if cmd_name in HOMES:
            importlib.import_module(f"generator.cli.{HOMES[cmd_name]}")
        return super().get_command(ctx, cmd_name)

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
    """Print-and-play generator: from a folder of YAML to print-ready sheets, with the component list checked.

    A project is a folder with data/<game>/*.yaml, templates/<game>/*.svg and, if it likes, fonts/.
    """
    context.obj = project
    context.meta[LINKS] = allow_links
