"""The command `list`: games and their components with stated and actual count."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from generator.base.errors import join_lines, raise_problems
from generator.checks.check_report import REPORT_LANGUAGE
from generator.commands.command_line import say_text
from generator.commands.options import FORMAT, GAMES, PROJECT, open_project
from generator.commands.orders import load_games
from generator.game.model import Game
from generator.game.project import Project


@click.command("list")
@GAMES
@FORMAT
@PROJECT
@click.pass_obj
def list_games(obj: Path | None, /, **options: Any) -> None:
    """List games and components with their counts.

    If a component states a count, the list shows the stated count beside the actual one.
    """
    say_text(list_components(open_project(obj, options), options["games"], options["form"]))


def list_components(project: Project, names: tuple[str, ...], form: str) -> str:
    """Return the games and their components with stated and actual count, as JSON (`form`: json) or as lines."""
    games, problems = load_games(project, names)
    raise_problems(problems)
    if form == "json":
        document = {"format": 1, "games": list(map(_game_as_json, games))}
        return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    return join_lines(line for game in games for line in _component_lines(game))


def _game_as_json(game: Game) -> dict[str, object]:
    kinds = [
        {"id": kind.id, "name": dict(kind.name.items()), "stated": kind.stated, "count": kind.count}
        | ({"option": {"switch": kind.option, "on": not kind.left_out}} if kind.option else {})
        | {"designs": [{"id": design.id, "count": design.count} for design in kind.designs]}
        for kind in game.kinds.values()
    ]
    players = {"fewest": game.players.fewest, "most": game.players.most}
    told = {"id": game.id, "title": dict(game.title.items()), "draft": game.draft}
    return {**told, "languages": list(game.languages), "players": players, "kinds": kinds}


def _component_lines(game: Game) -> Iterable[str]:
    lang = REPORT_LANGUAGE if REPORT_LANGUAGE in game.languages else game.languages[0]
    players = f"{game.players.fewest}-{game.players.most} players"
    yield f"{game.id}: {game.title[lang]}, draft {game.draft}, {players}, {', '.join(game.languages)}"
    for kind in game.kinds.values():
        stated = "not stated" if kind.stated is None else f"{kind.stated} stated"
        designs = "1 design" if len(kind.designs) == 1 else f"{len(kind.designs)} designs"
        facts = [stated, designs, f"{kind.size.width:g} x {kind.size.height:g} mm"]
        if kind.option:
            facts.append(f"option {kind.option}: {'off' if kind.left_out else 'on'}")
        yield f"  {kind.id:<16} {kind.count:>4}  ({', '.join(facts)})  {kind.name[lang]}"
