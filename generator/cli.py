"""The command `pnp`: arguments in, text and exit code out. The only room that prints."""

import gc
import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from generator import __version__
from generator.errors import Problem, ProblemsFound

if TYPE_CHECKING:
    from generator.load.project import Project
    from generator.press import Order
    from generator.session import Host

Command = TypeVar("Command", bound=Callable[..., Any])

BACKS = ("none", "separate", "long", "short", "fold")
PAGES = ("A5", "B5", "A4", "Letter")


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
_out = click.option(
    "--out", type=click.Path(path_type=Path), default="output", show_default=True, help="Files go to OUT/<game>/."
)
_trust = click.option(
    "--trust-rules", is_flag=True, help="Run rules that a game brings in its own folder: programs of its author's."
)
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
        _out,
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
@_trust
@click.pass_obj
def build(obj: Path | None, /, **options: Any) -> None:
    """Make everything of the GAMES (default: all): print sheets in each language and a validation report."""
    from generator import pipeline
    from generator.rehearsal import Rehearsal

    order, rehearsal = _order(options), Rehearsal(trusted=options["trust_rules"])
    result = pipeline.build(_open(obj, options), options["games"], order, _progress(), rehearsal)
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
@click.option("--lang", "languages", multiple=True, metavar="LANG", help="Only this language; repeatable.")
@_out
@click.option(
    "--page", type=click.Choice(PAGES, case_sensitive=False), default="A5", show_default=True, help="Paper size."
)
@_trust
@_project
@click.pass_obj
def rulebook(obj: Path | None, /, **options: Any) -> None:
    """Make only the rulebooks of the GAMES: pages, a booklet to fold, and a web page, in each language."""
    from generator import pipeline
    from generator.press import BookOrder

    order = BookOrder(options["languages"], options["out"], options["page"])
    project, games = _open(obj, options), options["games"]
    for path in pipeline.rulebooks(project, games, order, _progress(), trusted=options["trust_rules"]).files:
        click.echo(_shown(path))


@pnp.command()
@_games
@_format
@click.option("--strict", is_flag=True, help="Findings and undecided checks count as failures.")
@click.option(
    "--games",
    "number",
    type=click.IntRange(0, 10_000_000),
    metavar="N",
    help="Play N games at random for each number of players, and a twentieth with each other bot; by default a few.",
)
@click.option("--processes", type=click.IntRange(1, 256), metavar="N", help="So many at a time (default: one a core).")
@click.option("--fast", is_flag=True, help="Compile the rules first; needs the extra `fast`.")
@_trust
@_project
@click.pass_obj
def validate(obj: Path | None, /, **options: Any) -> None:
    """Check the GAMES: counts, set-up, texts, colours, every check that their data name, and what playing them shows.

    Exit code 0 unless something fails.
    """
    from generator import pipeline
    from generator.rehearsal import QUICK, Rehearsal

    rehearsal = Rehearsal(
        games=QUICK if options["number"] is None else options["number"],
        processes=options["processes"] or os.cpu_count() or 1,
        trusted=options["trust_rules"],
        kernels=Path(click.get_app_dir("pnp"), "kernels") if options["fast"] else None,
    )
    project, games = _open(obj, options), options["games"]
    report, failed = pipeline.validate(project, games, options["form"], strict=options["strict"], rehearsal=rehearsal)
    click.echo(report, nl=False)
    if failed:
        sys.exit(1)


def _parsed(parse: str) -> Callable[..., Any]:
    """A callback that reads an option by a function of the session; what it refuses is wrong usage."""

    def read(_context: click.Context, _option: click.Parameter, value: Any) -> Any:
        from generator import session

        try:
            if isinstance(value, tuple):
                return dict(getattr(session, parse)(text) for text in value)
            return getattr(session, parse)(value)
        except ValueError as error:
            raise click.BadParameter(str(error)) from error

    return read


@pnp.command()
@click.argument("game")
@click.option("--players", type=click.IntRange(1), metavar="N", help="How many play; by default the fewest.")
@click.option(
    "--seat", "people", type=click.IntRange(1), multiple=True, metavar="N", help="Yours (default 1); repeatable."
)
@click.option(
    "--bot",
    default="greedy",
    show_default=True,
    metavar="NAME",
    help="Who plays the other seats: random, greedy, look-ahead, hoard:<supply>.",
)
@click.option("--bots-only", is_flag=True, help="Bots play all seats.")
@click.option("--transcript", is_flag=True, help="At the end print the whole game.")
@click.option(
    "--seed",
    default="1/0",
    callback=_parsed("seed_of"),
    metavar="RUN/GAME",
    help="Which game is dealt; a report's seed gives the very game that it tells of.",
)
@click.option(
    "--option",
    "options",
    callback=_parsed("option_of"),
    multiple=True,
    metavar="NAME=VALUE",
    help="A switch or option of the rules; repeatable.",
)
@click.option("--lang", default="", metavar="LANG", help="The game's first language by default.")
@click.option("--save", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Where s and q save.")
@click.option("--resume", type=click.Path(path_type=Path), metavar="FILE", help="Go on with a saved game.")
@_trust
@_project
@click.pass_obj
def play(obj: Path | None, /, **options: Any) -> None:
    """Play GAME at the terminal, with bots on the other seats."""
    from generator import session

    context = click.get_current_context()
    given = [name for name in _OF_A_NEW_GAME if context.get_parameter_source(name) is not ParameterSource.DEFAULT]
    if options["resume"] and given:
        raise click.UsageError(f"--resume goes on as the game was begun; leave out {_OF_A_NEW_GAME[given[0]]}")
    if options["bots_only"] and options["people"]:
        raise click.UsageError("--bots-only leaves no --seat to you")
    game, rules = session.open_game(_open(obj, options), options["game"], options["trust_rules"])
    lang = session.language(game, options["lang"])
    if options["resume"]:
        sitting = session.resumed(game, rules, options["resume"])
    else:
        people = () if options["bots_only"] else options["people"] or (1,)
        seating = session.Seating(options["players"], people, options["bot"], options["seed"], options["options"])
        sitting = session.lay(game, rules, seating)
    if sitting.people:
        _play_at_terminal(session.Host(sitting, lang, options["save"] or options["resume"]))
    if options["transcript"] or not sitting.people:
        click.echo(session.account(sitting, lang, whole=options["transcript"]), nl=False)


_OF_A_NEW_GAME = {
    "players": "--players",
    "people": "--seat",
    "bot": "--bot",
    "bots_only": "--bots-only",
    "seed": "--seed",
    "options": "--option",
}


def _play_at_terminal(host: "Host") -> None:
    """Lines out and in until the game ends or is left; Ctrl-C and the end of input leave it."""
    answer = host.opening()
    while True:
        for line in answer.lines:
            click.echo(line)
        if answer.end:
            return
        if sys.stdin.isatty():
            click.echo("> ", nl=False)
        try:
            typed = sys.stdin.readline()
        except KeyboardInterrupt:
            typed = ""
        answer = host.answer(typed) if typed else host.leave()


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
