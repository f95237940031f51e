"""The command `play`: a game at the terminal, with bots in the other seats."""

import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from generator.base.files import Resources
from generator.commands.command_line import clear_terminal, say, say_text
from generator.commands.options import PROJECT, open_project
from generator.game.model import Design, Game
from generator.play import play_setup
from generator.play.human_game import Texts
from generator.rules.engine.table import piece_name


def _parse_given(_context: click.Context, _option: click.Parameter, given: Any) -> Any:
    """Parse an option of the command: a text becomes a seed, several `NAME=VALUE` a dict. Raise BadParameter."""
    try:
        return play_setup.parse_seed(given) if isinstance(given, str) else dict(map(play_setup.parse_option, given))
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _require_file_name(_context: click.Context, _option: click.Parameter, path: Path | None) -> Path | None:
    if path is not None and not path.name:
        raise click.BadParameter("the file has no name")
    return path


@click.command()
@click.argument("game")
@click.option("--players", type=click.IntRange(1), metavar="N", help="Number of players (default: the minimum).")
@click.option("--seat", "people", type=click.IntRange(1), multiple=True, metavar="N",
              help="Your seat (default: 1); repeatable.")  # fmt: skip
@click.option(
    "--bot",
    default="greedy",
    show_default=True,
    metavar="NAME",
    help="Bot on the other seats: random, greedy, look-ahead, search:<playouts>, hoard:<supply>, or one for each "
    "seat: greedy,random,greedy.",
)
@click.option("--bots-only", is_flag=True, help="Let bots play all seats.")
@click.option("--transcript", is_flag=True, help="Print the whole game at the end.")
@click.option("--seed", default="1/0", callback=_parse_given, metavar="RUN/GAME",
              help="Seed of the deal (default: 1/0); a seed from a report repeats that game.")  # fmt: skip
@click.option("--option", "options", callback=_parse_given, multiple=True, metavar="NAME=VALUE",
              help="Set a switch or option of the rules; repeatable.")  # fmt: skip
@click.option("--lang", default="", metavar="LANG", help="Language to use (default: the first language of the game).")
@click.option("--save", type=click.Path(path_type=Path, dir_okay=False), callback=_require_file_name, metavar="FILE",
              help="File that the commands s and q, and the end, save to.")  # fmt: skip
@click.option("--resume", type=click.Path(path_type=Path), metavar="FILE", help="Continue a saved game.")
@PROJECT
@click.pass_obj
def play(obj: Path | None, /, **options: Any) -> None:
    """Play a game in the terminal, against bots."""
    context = click.get_current_context()
    given = [name for name in _OF_A_NEW_GAME if context.get_parameter_source(name) is not ParameterSource.DEFAULT]
    if options["resume"] and given:
        raise click.UsageError(f"--resume keeps the settings of the saved game; leave out {_OF_A_NEW_GAME[given[0]]}")
    if options["bots_only"] and options["people"]:
        raise click.UsageError("--bots-only and --seat exclude each other; leave one out")
    project = open_project(obj, options)
    game, rules = play_setup.load_game_and_rules(project, options["game"], options["trusted"])
    lang = play_setup.choose_language(game, options["lang"])
    if options["resume"]:
        sitting = play_setup.resume_saved_game(game, rules, options["resume"])
    else:
        people = () if options["bots_only"] else options["people"] or (1,)
        seating = play_setup.Seating(options["players"], people, options["bot"], options["seed"], options["options"])
        sitting = play_setup.set_up_human_game(game, rules, seating)
    if sitting.people:
        texts = _make_text_reader(game, project.resources)
        _play_at_terminal(play_setup.TerminalHost(sitting, lang, options["save"] or options["resume"], texts))
    if options["transcript"] or not sitting.people:
        say_text(play_setup.describe_bot_game(sitting, lang, whole=options["transcript"]))
    if options["save"] and sitting.table.is_over:
        play_setup.write_saved_game(options["save"], sitting)


def _make_text_reader(game: Game, resources: Resources) -> Texts:
    """Return a function that reads a design's printed texts. Texts that can't be filled in are left out.

    The drawing code is loaded on the first call. `validate` reports texts that can't be filled in.
    """
    artists: list[Any] = []

    def texts(design: Design, lang: str) -> Mapping[str, str]:
        from generator.drawing.faces.game_drawing import Workshop, collect_design_texts, collect_effect_texts

        if not artists:
            artists.append(Workshop(game, resources).artist)
        called = lambda one, of: piece_name(game, one.id, of)  # noqa: E731 - as short as its use
        said = collect_design_texts(artists[0], game, design, lang, called, [])
        shown = " ".join(said.values()).casefold()
        return said | {
            field: text
            for field, text in collect_effect_texts(artists[0], game, design, lang, called, []).items()
            if not all(line.casefold() in shown for line in text.split("\n"))
        }

    return texts


_OF_A_NEW_GAME = {
    "players": "--players", "people": "--seat", "bot": "--bot",
    "bots_only": "--bots-only", "seed": "--seed", "options": "--option",
}  # fmt: skip


def _play_at_terminal(host: play_setup.TerminalHost) -> None:
    """Exchange lines with the player until the game ends. Ctrl+C or the end of input leaves it."""
    answer = host.show_opening()
    while True:
        if answer.clear:  # the next player sees nothing of the last one, in the input history either
            if sys.stdout.isatty():
                clear_terminal()
            with suppress(ImportError):
                import readline

                readline.clear_history()
        for line in answer.lines:
            say(line)
        if answer.end:
            return
        try:
            typed = _read_line()
        except (KeyboardInterrupt, EOFError):
            typed = ""
        answer = host.answer(typed) if typed else host.leave()


def _read_line() -> str:
    """Return the next line with its line end. On a terminal it can be edited, with a history."""
    if not sys.stdin.isatty():
        return sys.stdin.readline()
    with suppress(ImportError):
        import readline  # noqa: F401 - `input` edits lines with it, where there is one
    return input("> ") + "\n"
