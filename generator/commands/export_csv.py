"""From the project to spreadsheets: each kind of component as a CSV file that the game can read in its list's place."""

from collections.abc import Iterable
from pathlib import Path

from generator.commands.every_game import load_games, make_files
from generator.delivery import Delivery
from generator.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.export.tables import kind_table
from generator.faces.workshop import Workshop
from generator.load.project import Project
from generator.model.game import Game


def export_csv(project: Project, names: tuple[str, ...], kinds: tuple[str, ...], out: Path) -> tuple[Path, ...]:
    """Write OUT/<game>/csv/<kind>.csv for these kinds, all without any; ProblemsFound with all that stops it."""
    games, problems = load_games(project, names)
    problems += _unknown(project, games, kinds) if not problems else ()

    def make(workshop: Workshop, files: Delivery) -> None:
        game, found = workshop.game, list[Problem]()
        for kind in game.kinds.values():
            if not kinds or kind.id in kinds:
                try:
                    table = kind_table(game, kind)
                except ProblemsFound as stopped:
                    found += stopped.problems
                    continue
                files.put(out / game.id / "csv" / f"{kind.id}.csv", table)
        if found:
            raise ProblemsFound(found)

    return make_files(project, games, problems, make)


def _unknown(project: Project, games: Iterable[Game], kinds: Iterable[str]) -> list[Problem]:
    """A kind that is asked for and in none of the games."""
    known = {kind for game in games for kind in game.kinds}
    place = Place(project.resources.shown(project.root / "data"))
    return [
        Problem(place, f"no game has components '{kind}'", did_you_mean(kind, known))
        for kind in kinds
        if kind not in known
    ]
