"""The table as somebody sees it, for a page: which pieces lie in which zone, with which side up.

Nothing here reads the state but through what the seat observes, and through the game as it may think that it is.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from generator.dataclass import dataclass
from generator.games.engine.contract import ALL_SEEN, Lying, Observation
from generator.games.engine.phrases import piece_name, zone_kind
from generator.games.engine.table import Table
from generator.model.game import Design, FaceName, Game
from generator.model.phrases import phrase
from generator.playtest.showing import common_observation


@dataclass(frozen=True, slots=True)
class SeenPiece:
    """A heap of equal pieces: `key` tells it from all others; the design whose `side` is shown, "" for a blank one.

    Of hidden pieces the design is one that has the same back, not one of them. `turned`: face down, known to the seat.
    """

    key: str
    design: str
    side: FaceName | None
    number: int
    hidden: bool
    turned: bool
    name: str


@dataclass(frozen=True, slots=True)
class TableSight:
    """What somebody sees: the pieces of each zone in their order, and the observation behind them."""

    observation: Observation
    zones: Mapping[str, tuple[SeenPiece, ...]]


def sight_of(table: Table, eyes: Sequence[int], lang: str) -> TableSight:
    """The table for one seat, or for several at once, who are shown what all of them may see."""
    seen = [table.observed(eye) for eye in eyes]
    observation = seen[0] if len(seen) == 1 else common_observation(seen)
    stand_in = _stand_ins(table, eyes)
    game = table.box.game
    zones = {
        zone: tuple(_pieces(game, zone, there, stand_in.get(zone, ()), lang))
        for zone, there in observation.zones.items()
    }
    return TableSight(observation, zones)


def _stand_ins(table: Table, eyes: Sequence[int]) -> Mapping[str, tuple[str, ...]]:
    """By zone, designs that may lie there for all that the eyes know: their backs are those that are seen."""
    for eye in eyes:
        table = table if eye == ALL_SEEN else table.as_seen(eye)
    thought = table.zones()
    game = table.box.game
    return {
        zone: tuple(dict.fromkeys(_like(game, piece.split("#")[0]) for piece in pieces))
        for zone, pieces in thought.items()
    }


def _like(game: Game, name: str) -> str:
    """The first design of the kind with the same back: it says nothing of which one it stands for."""
    design = game.design(name)
    return next(one.id for one in game.kinds[design.kind].designs if one.back == design.back)


def _pieces(game: Game, zone: str, there: Sequence[Lying], stand_in: Sequence[str], lang: str) -> Iterator[SeenPiece]:
    turned_over = _backs_up(game, zone)
    for at, lying in enumerate(there):
        if lying.piece:
            design = game.design(lying.piece.split("#")[0])
            key = lying.piece if "#" in lying.piece else f"{lying.piece}@{zone}"
            side = "back" if turned_over and design.back else _front(game, design)
            name = piece_name(game, lying.piece, lang)
            if lying.turned:
                name = phrase("play_turned", lang, piece=name)
            yield SeenPiece(key, design.id, side, lying.number, False, lying.turned, name)
            continue
        back = game.design(stand_in[0]) if stand_in else next(game.designs())
        name = phrase("play_hidden", lang, n=lying.number)
        yield SeenPiece(f"?{at}@{zone}", back.id, "back" if back.back else None, lying.number, True, False, name)


def _front(game: Game, design: Design) -> FaceName:
    return game.kinds[design.kind].faces(design)[0]


def _backs_up(game: Game, zone: str) -> bool:
    """Whether the data say that pieces of a zone show their backs to everyone."""
    kind = zone_kind(zone)
    return kind in game.zones and game.zones[kind].back


def owner(zone: str, players: int, zones: Mapping[str, object]) -> int:
    """The seat (from 1) whose zone it seems to be where no plan says so, 0 for everybody's.

    Zones of a kind that are numbered as the players are, and by nothing else, are theirs.
    """
    number = re.search(r"\d+", zone)
    if players < 2 or number is None:
        return 0
    kind = zone_kind(zone)
    firsts = {int(found[0]) for one in zones if zone_kind(one) == kind and (found := re.search(r"\d+", one))}
    return int(number[0]) if firsts <= set(range(1, players + 1)) else 0
