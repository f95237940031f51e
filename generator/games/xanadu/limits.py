"""What the data of draft 18 say follows from its numbers; the checks compute all of it afresh."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generator.errors import Problem, ProblemsFound
from generator.games.engine.facts import FactReader
from generator.model.game import Game

TIERS = ("lower", "upper")
GROWTH = ("states", "with_worker", "all_skills")
MAJORITY = ("interim", "final", "first_interim", "first_final")
STOCK = ("normals", "dispatch", "lower", "upper")


@dataclass(frozen=True, slots=True)
class Deck:
    """All requests of a tier together: resources by grade, and VP."""

    goods: tuple[int, ...]
    vp: int


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits by their names in `rules.yaml`; `stock` is what set-up leaves, by players."""

    areas: Mapping[int, int]
    edges: int
    icons: int
    boards_of_type: int
    decks: Mapping[str, Deck]
    of_type: int
    without_expansion: int
    stock: Mapping[int, Mapping[str, int]]
    growth: Mapping[str, int]
    worker_round: int
    turns: tuple[int, int]
    majority: Mapping[str, int]
    warehouse: int
    vp_worth: int
    vp_player: int
    vp_needs: Mapping[int, int]


def limits_of(game: Game) -> Limits:
    """The limits that the data state; ProblemsFound with all that is missing or of the wrong kind."""
    reader = FactReader(game)
    rows = reader.rows("limits", "table", columns=("players", *STOCK))
    limits = Limits(
        areas=_by_number(reader.table("limits", "areas")),
        edges=reader.whole("limits", "edges"),
        icons=reader.whole("limits", "icons", "total"),
        boards_of_type=reader.whole("limits", "icons", "each"),
        decks={tier: _deck(reader, tier) for tier in TIERS},
        of_type=reader.whole("limits", "requests", "of_type"),
        without_expansion=reader.whole("limits", "requests", "without_expansion"),
        stock={row["players"]: {name: row[name] for name in STOCK} for row in rows},
        growth={name: reader.whole("limits", "growth", name) for name in GROWTH},
        worker_round=reader.whole("limits", "growth", "worker_round"),
        turns=(reader.whole("limits", "turns", "fewest"), reader.whole("limits", "turns", "most")),
        majority={name: reader.whole("limits", "majority", name) for name in MAJORITY},
        warehouse=reader.whole("limits", "warehouse"),
        vp_worth=reader.whole("limits", "vp", "worth"),
        vp_player=reader.whole("limits", "vp", "player"),
        vp_needs=_by_number(reader.table("limits", "vp", "needs")),
    )
    reader.finish()
    missing = [players for players in game.players if players not in limits.stock]
    if missing:
        place = game.places.place("rules", "limits", "table")
        raise ProblemsFound(
            Problem(place, f"rules.limits.table has no row for {n} players", f"add `- {{players: {n}, ...}}`")
            for n in missing
        )
    return limits


def _deck(reader: FactReader, tier: str) -> Deck:
    path = ("limits", "requests", tier)
    return Deck(reader.wholes(*path, "goods", fewest=1), reader.whole(*path, "vp"))


def _by_number(table: Mapping[Any, int]) -> Mapping[int, int]:
    """The entries with a number for a name; others match nothing that is computed."""
    return {name: value for name, value in table.items() if isinstance(name, int)}
