"""The group of all commands, and how a run of it ends: problems with exit code 1, wrong usage with 2."""

import gc
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from generator import __version__
from generator.errors import Problem, ProblemsFound


def main() -> None:
    """Run one command in a process of its own."""
    # It builds values that live until it ends: looking for garbage among them costs a fifth of its time.
    gc.disable()
    # Nor has pydantic to look through every installed package for plugins of its own: none may read a game.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
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
    try:
        pnp.main(standalone_mode=True)
    except ProblemsFound as found:
        _say_problems(found.problems)
        sys.exit(1)


def _say_problems(problems: Iterable[Problem]) -> None:
    count = 0
    for problem in problems:
        click.echo(str(problem), err=True)
        count += 1
    if count > 1:
        click.echo(f"{count} problems", err=True)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="pnp")
@click.option(
    "--project", type=click.Path(path_type=Path), help="The folder that holds data/ (default: search upwards)."
)
@click.pass_context
def pnp(context: click.Context, project: Path | None) -> None:
    """Print-and-play generator: from a folder of YAML to print-ready sheets, with the component list checked.

    A project is a folder with data/<game>/*.yaml, templates/<game>/*.svg and, if it likes, fonts/.
    """
    context.obj = project
