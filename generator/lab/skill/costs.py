"""What playing will cost, told before it begins: from the first moves of a game of each bot."""

from collections.abc import Mapping, Sequence
from time import perf_counter

from generator.lab.chunks import Cell, Player
from generator.lab.skill.lots import AGAIN, Match, SkillLot

_MOVES = 8
"""Moves of a game that are played on trial; how many a whole game has is known from random ones."""

_GAMES = 3


def seconds_of_a_game(player: Player, arm: str, players: int, bots: Sequence[str]) -> Mapping[str, float]:
    """About how long a game of each bot takes, all seats alike; what compiling takes is not counted."""
    alike = Cell(players, ("random",) * players)
    table = player.table(arm, alike)
    told = table.figures(0, 0, _GAMES)
    width, at = len(table.columns), table.columns.index("moves")
    moves = sum(int(told[game * width + at]) for game in range(_GAMES)) / _GAMES
    found = {}
    for bot in bots:
        table = player.table(arm, Cell(players, (bot,) * players))
        table.figures(0, 0, 1, most=1)
        started = perf_counter()
        played = table.figures(0, 0, 1, most=_MOVES)
        found[bot] = (perf_counter() - started) / max(1, int(played[at])) * moves
    return found


def seconds_of_lots(lots: Sequence[SkillLot], games: Mapping[int, Mapping[str, float]]) -> float:
    """About how long one worker is busy with lots; `games` has the seconds of a game by players and bots."""
    whole = 0.0
    for lot in lots:
        of, each = lot.of, games[lot.of.players]
        if isinstance(of, Match):
            seatings = max(2, of.players)
            mixed = (each[of.one] + (seatings - 1) * each[of.others]) / seatings
            whole += lot.number * seatings * mixed
        else:
            whole += lot.number * AGAIN * each[of.bot]
    return whole
