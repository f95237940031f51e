"""How the checks of draft 18 name what they found: pieces with their lines, figures for each number of players."""

from collections.abc import Callable, Iterable

from generator.errors import Place
from generator.games.engine.check import Outcome
from generator.model.game import Design, Game


def short(design: Design) -> str:
    """A design's own name, without its kind."""
    return design.id.split("/", 1)[1]


def named(design: Design) -> str:
    """A design with the line that describes it: `lotus (data/xanadu/boards.yaml:123)`."""
    return at(short(design), design.place)


def at(name: str, place: Place | None) -> str:
    """A name with the line that it stands in."""
    return f"{name} ({place.file}:{place.line})" if place else name


def against(found: object, stated: object) -> str:
    """What was computed, and what the limits say where they differ."""
    return str(found) if found == stated else f"{found} (the limits say {stated})"


def told(figures: str, faults: Iterable[str]) -> Outcome:
    """Figures, and after them every fault; good without faults."""
    listed = list(faults)
    return Outcome(not listed, "; ".join([figures, *listed]))


def for_players(game: Game, row: Callable[[int], tuple[bool, str]]) -> Outcome:
    """What holds for every number of players, with the figures of each."""
    found = {players: row(players) for players in game.players}
    figures = "; ".join(f"{players} players: {shown}" for players, (_, shown) in found.items())
    return Outcome(bool(found) and all(ok for ok, _ in found.values()), figures)
