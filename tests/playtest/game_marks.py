"""Many whole games as marks: short hashes of all that was legal, chosen and on the table, turn by turn.

A rule that plays differently changes the mark of the turn in which it first did, and all behind it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from generator.game.model import Game
from generator.play.bot_registry import TableBots
from generator.play.series import MOST_MOVES
from generator.rules.engine.contract import Box, Options, Rules
from generator.rules.engine.kernel import INTERPRETED, Record
from generator.rules.engine.settings import read_choices, read_settings
from generator.rules.engine.table import Seed, Table

GAMES = {"random": 24, "greedy": 2}
LONG_GAMES = {"random": 8, "greedy": 1}
"""So many games by each bot, for each number of players, with the readings in force; `LONG` has the games that last."""

LONG = ("xanadu",)

TURN_BY_TURN = 8
"""Of so many games by a bot every turn has its mark; of others, as of those by other readings, the end alone."""

PER_LINE = 18
"""Marks in one line of the record."""


@dataclass(frozen=True)
class Case:
    """One game of the record: what begins its line, and how it is played."""

    players: int
    bot: str
    game: int
    option: str = ""
    value: Any = None

    @property
    def options(self) -> Options:
        return {self.option: self.value} if self.option else {}

    @property
    def by_turn(self) -> bool:
        return not self.option and self.game < TURN_BY_TURN

    def __str__(self) -> str:
        return f"{self.players} players, {self.bot}, 1/{self.game}" + (f", {self.set}" if self.option else "")

    @property
    def set(self) -> str:
        return f"{self.option}={str(self.value).lower() if isinstance(self.value, bool) else self.value}"


def cases(game: Game, rules: Rules) -> Iterator[Case]:
    """By the readings in force for each number of players; then for each other value of each switch, few and many."""
    for players in game.players:
        for bot, number in (LONG_GAMES if game.id in LONG else GAMES).items():
            yield from (Case(players, bot, n) for n in range(number))
    now = read_settings(game)
    for option, values in read_choices(game).items():
        for value in values:
            shown = str(value).lower() if isinstance(value, bool) else value
            if value != now[option] and f"{option}: {shown}" not in rules.unplayable:
                for players in sorted({game.players.fewest, game.players.most}):
                    yield Case(players, "random", 0, option, value)


def marks(game: Game, rules: Rules, case: Case) -> Iterator[str]:
    """A mark for each turn of the game, where the case tells them, and one for its end."""
    seed, box = Seed(1, case.game), rules.box(game, case.players, case.options)
    table, facts, bot = (Table(rules, box, seed), INTERPRETED.make_record(box.numbers), TableBots(rules, box, seed, (case.bot,)))  # fmt: skip
    state = table.state
    told, turn, moves = blake2b(digest_size=2), 0, 0
    while not state.over and moves < MOST_MOVES:
        legal = table.list_legal_moves()
        move = bot.choose(state, legal)
        told.update(repr((state.seat, legal, move, rules.write(state, box, move))).encode())
        rules.apply(state, facts, move)
        moves += 1
        if state.turn != turn and case.by_turn:
            turn = state.turn
            yield _mark(told, rules, box, facts, state)
    yield _mark(told, rules, box, facts, state)


def _mark(told: Any, rules: Rules, box: Box, facts: Record, state: Record) -> str:
    """What was told so far, and how the table looks now."""
    seats, taken = [0] * box.players, [0] * max(1, len(rules.supplies))
    rules.score(state, facts, seats)
    rules.demand(state, facts, taken)
    zones = sorted((zone, sorted(pieces.items())) for zone, pieces in rules.zones(state, box).items())
    laws = (state.hole, list(state.short), tuple(taken[: len(rules.supplies)]), rules.broken(state, facts))
    told.update(repr((zones, seats, state.over, laws)).encode())
    if state.over:
        rules.place(state, facts, seats)
        measured = [0] * max(1, len(rules.measures))
        rules.measure(state, facts, measured)
        told.update(repr((seats, measured)).encode())
    return str(told.hexdigest())


def record(game: Game, rules: Rules) -> Iterator[str]:
    """The lines of a game's record, in blocks that each begin with a case."""
    for case in cases(game, rules):
        found = list(marks(game, rules, case))
        yield f"{case}:" + ("" if case.by_turn else f" {found[-1]}")
        if case.by_turn:
            yield from ("  " + " ".join(found[n : n + PER_LINE]) for n in range(0, len(found), PER_LINE))


def blocks(lines: Iterable[str]) -> dict[str, list[str]]:
    """A record's marks by case."""
    found: dict[str, list[str]] = {}
    case = ""
    for line in lines:
        if line.startswith("  "):
            found[case] += line.split()
        else:
            case, _, rest = line.partition(":")
            found[case] = rest.split()
    return found


def difference(name: str, before: Iterable[str], now: Iterable[str]) -> str:
    """The first game of two records that differs, in which turn, and how to see it; empty if none does."""
    old, new = blocks(before), blocks(now)
    for case in [*new, *(case for case in old if case not in new)]:
        if old.get(case) != new.get(case):
            one, other = old.get(case, []), new.get(case, [])
            turn = next((n for n, pair in enumerate(zip(one, other, strict=False), 1) if len(set(pair)) > 1), 0)
            where = f"from turn {turn} on" if turn and len(other) > 1 else "somewhere"
            players, bot, seed, *option = case.replace(" players", "").split(", ")
            option_words = f" --option {option[0]}" if option else ""
            see = (
                f"pnp play {name} --players {players} --bot {bot} --seed {seed}{option_words} --bots-only --transcript"
            )
            return f"{case}: plays differently {where}; to see it: {see}"
    return ""
