"""The command `pnp`: arguments in, text and exit code out. The only room that prints."""

import gc
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from generator import __version__
from generator.errors import Problem, ProblemsFound

if TYPE_CHECKING:
    from generator.load.project import Project
    from generator.press import Order

Command = TypeVar("Command", bound=Callable[..., Any])

BACKS = ("none", "separate", "long", "short", "fold")


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


def _several(options: Iterable[Callable[[Command], Command]]) -> Callable[[Command], Command]:
    def decorate(command: Command) -> Command:
        for option in reversed(list(options)):
            command = option(command)
        return command

    return decorate


_games = click.argument("games", nargs=-1)
_project = click.option("--project", type=click.Path(path_type=Path), help="The folder that holds data/.")
_format = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
_printing = _several(
    [
        _games,
        click.option(
            "--lang",
            "languages",
            multiple=True,
            metavar="LANG",
            help="Only this language; repeatable. ja+en: both on a card, where templates offer it.",
        ),
        click.option(
            "--out",
            type=click.Path(path_type=Path),
            default=Path("output"),
            show_default=True,
            help="Files go to OUT/<game>/.",
        ),
        click.option(
            "--paper", default="A4", show_default=True, help="A3, A4, A5, B4, B5, Hagaki, Letter, Legal or Tabloid."
        ),
        click.option("--margin", default="5mm", show_default=True, help="What the printer can't reach at each edge."),
        click.option("--gap", default="0mm", show_default=True, help="Between cards; at 0 neighbours share a cut."),
        click.option(
            "--backs",
            type=click.Choice(BACKS),
            default="long",
            show_default=True,
            help="Duplex turned on the long or short edge, folded over, on sheets of their own, or no backs.",
        ),
        click.option(
            "--only", multiple=True, metavar="PATTERN", help="Only components with such an id ('reel/6-*'); repeatable."
        ),
        click.option("--copies", type=click.IntRange(1, 1000), help="So many of each design, whatever its count."),
        click.option("--show", type=click.Choice(["guides"]), help="Overlay trim, safe zone and text boxes."),
        _project,
    ]
)


@pnp.command()
@_printing
@click.pass_obj
def build(obj: Path | None, /, **options: Any) -> None:
    """Make everything of the GAMES (default: all): print sheets in each language and a validation report."""
    from generator import pipeline

    order = _order(options)
    result = pipeline.build(_open(obj, options), options["games"], order, _progress())
    for path in result.files:
        click.echo(_shown(path))
    if result.failed:
        click.echo(f"validation: {len(result.failed)} failed; see validation.txt, or run pnp validate", err=True)


@pnp.command()
@_printing
@click.pass_obj
def sheets(obj: Path | None, /, **options: Any) -> None:
    """Make only the print sheets of the GAMES."""
    from generator import pipeline

    order = _order(options)
    for path in pipeline.sheets(_open(obj, options), options["games"], order, _progress()).files:
        click.echo(_shown(path))


@pnp.command()
@_games
@_format
@click.option("--strict", is_flag=True, help="Findings and undecided checks count as failures.")
@_project
@click.pass_obj
def validate(obj: Path | None, games: tuple[str, ...], form: str, strict: bool, project: Path | None) -> None:
    """Check the GAMES: counts, set-up, texts, colours, and every check that their data name.

    Exit code 0 unless something fails.
    """
    from generator import pipeline

    report, failed = pipeline.validate(_open(obj, {"project": project}), games, form, strict=strict)
    click.echo(report, nl=False)
    if failed:
        sys.exit(1)


@pnp.command("list")
@_games
@_format
@_project
@click.pass_obj
def list_games(obj: Path | None, games: tuple[str, ...], form: str, project: Path | None) -> None:
    """List the GAMES and their components, with stated and actual count."""
    from generator import pipeline

    click.echo(pipeline.listing(_open(obj, {"project": project}), games, form), nl=False)


@pnp.command()
@_games
@click.option("--check", is_flag=True, help="Write nothing; fail if a schema is out of date.")
@_project
@click.pass_obj
def schema(obj: Path | None, games: tuple[str, ...], check: bool, project: Path | None) -> None:
    """Write data/<game>/schema.json, by which an editor completes and checks the data files."""
    from generator import pipeline

    for path in pipeline.schemas(_open(obj, {"project": project}), games, check_only=check):
        click.echo(_shown(path))


def _open(obj: Path | None, options: dict[str, Any]) -> "Project":
    from generator.load.project import find_project

    return find_project(Path.cwd(), options.get("project") or obj)


def _order(options: dict[str, Any]) -> "Order":
    """The printing options as the pipeline takes them; a wrong length or paper is wrong usage."""
    from generator.model.sizes import PAPER_SIZES, paper_size
    from generator.press import Order
    from generator.sheets.settings import SheetSettings
    from generator.units import length

    lengths = {}
    for name in ("margin", "gap"):
        try:
            lengths[name] = length(options[name])
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint=f"--{name}") from error
        if lengths[name] < 0:
            raise click.BadParameter("must not be negative", param_hint=f"--{name}")
    papers = {name.lower(): name for name in PAPER_SIZES}
    paper = papers.get(options["paper"].lower())
    if paper is None:
        raise click.BadParameter(f"unknown paper; known: {', '.join(papers.values())}", param_hint="--paper")
    settings = SheetSettings(
        paper=paper_size(paper),
        paper_name=paper,
        margin=lengths["margin"],
        gap=lengths["gap"],
        backs=options["backs"],
        guides=options["show"] == "guides",
    )
    return Order(options["languages"], options["out"], settings, options["only"], options["copies"])


def _shown(path: Path) -> str:
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()


def _progress() -> Callable[[str], None]:
    """A line that says what is being made, on a terminal only."""
    if not sys.stderr.isatty():
        return lambda _doing: None

    def show(doing: str) -> None:
        click.echo(f"\r\x1b[K{doing}", nl=False, err=True)

    return show


if __name__ == "__main__":
    main()
