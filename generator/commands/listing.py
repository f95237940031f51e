"""The games and their components with stated and actual count."""

import json
from collections.abc import Iterable

from generator.commands.order import load_games
from generator.commands.validate import REPORT_LANGUAGE
from generator.errors import ProblemsFound, as_lines
from generator.load.project import Project
from generator.model.game import Game


def listing(project: Project, names: tuple[str, ...], form: str) -> str:
    """The games and their components with stated and actual count."""
    games, problems = load_games(project, names)
    if problems:
        raise ProblemsFound(problems)
    if form == "json":
        return (
            json.dumps({"format": 1, "games": [_game_as_json(game) for game in games]}, ensure_ascii=False, indent=2)
            + "\n"
        )
    return as_lines(line for game in games for line in _lines(game))


def _game_as_json(game: Game) -> dict[str, object]:
    kinds = [
        {"id": kind.id, "name": dict(kind.name.items()), "stated": kind.stated, "count": kind.count}
        | ({"option": {"switch": kind.option, "on": not kind.left_out}} if kind.option else {})
        | {"designs": [{"id": design.id, "count": design.count} for design in kind.designs]}
        for kind in game.kinds.values()
    ]
    players = {"fewest": game.players.fewest, "most": game.players.most}
    return {
        "id": game.id,
        "title": dict(game.title.items()),
        "draft": game.draft,
        "languages": list(game.languages),
        "players": players,
        "kinds": kinds,
    }


def _lines(game: Game) -> Iterable[str]:
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
