"""Skill: batches of games in which bots play each other or one deal many times, and the result in its file."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from itertools import pairwise
from typing import Any

from generator.books.measure_names import Interval
from generator.lab.chunks import Cell, ChunkPlayer, Crew, Setup, find_player, map_in_order, play_figures
from generator.lab.measures import BROKEN, Figures, Histogram, make_histogram, make_measures
from generator.lab.results import SKILL, SOURCES, LuckSource, ResultFile, find_skill_contradictions
from generator.lab.statistics import mean_interval
from generator.lab.strengths import (
    RatingGap,
    estimate_luck_shares,
    estimate_rating_gap,
    estimate_ratings,
    match_interval,
)
from generator.play.series import SharedChances

GAMES_PER_DEAL = 10
"""How often each deal is played. If luck settles about a tenth of the wins, ten times is the most precise."""

_ALIKE = {"deal": SharedChances(GAMES_PER_DEAL, 1), "chance": SharedChances(GAMES_PER_DEAL, GAMES_PER_DEAL)}


@dataclass(frozen=True, slots=True)
class Match:
    """A match of bots: `one` in one seat against `others` in all other seats. `one` takes each seat once per seed.

    In a game for one player, both bots play the same seeds.
    """

    players: int
    one: str
    others: str

    def make_cells(self) -> tuple[Cell, ...]:
        """Return the tables that play a seed. For one player these are a table of `one` and a table of `others`."""
        if self.players == 1:
            return Cell(1, (self.one,)), Cell(1, (self.others,))
        seats = range(self.players)
        return tuple(
            Cell(self.players, tuple(self.one if seat == at else self.others for seat in seats)) for at in seats
        )


@dataclass(frozen=True, slots=True)
class DealTable:
    """A table of equal bots at which each deal is played several times, to measure luck.

    `source` says what these games share: the set-up (`deal`) or all later chance (`chance`).
    """

    players: int
    bot: str
    source: LuckSource


@dataclass(frozen=True, slots=True)
class SkillLot:
    """A batch: `number` seeds of a match, or deals of a table, from `first` on."""

    of: Match | DealTable
    run: int
    first: int
    number: int


@dataclass(slots=True)
class LotResult:
    """The outcome of a batch. `wins` is a histogram of how much `one` won per seed, over all seats.

    For one player it is the difference of wins to the other bot. `deals` are the rows for `estimate_luck_shares`.
    `faults` counts games that broke a law of the rules, `endless` those that were cut off.
    """

    number: int
    wins: Histogram
    deals: tuple[tuple[int, ...], ...]
    faults: int = 0
    endless: int = 0


def play_lot(setup: Setup, key: str, lot: SkillLot) -> LotResult:
    """Play a batch in any process and return its outcome. `key` identifies the question."""
    player, arm = find_player(setup, key), setup.arms[0].name
    return _play_match(player, arm, lot, lot.of) if isinstance(lot.of, Match) else _play_deals(player, arm, lot, lot.of)


def _play_match(player: ChunkPlayer, arm: str, lot: SkillLot, match: Match) -> LotResult:
    played = LotResult(lot.number, Histogram(), ())
    won: Any = 0
    for at, cell in enumerate(match.make_cells()):
        figures = play_figures(player.find_table(arm, cell), lot.run, lot.first, lot.number)
        wins = _count_wins(player, arm, cell, figures, played)
        won = won + wins[at] if match.players > 1 else won + (wins[0] if not at else -wins[0])
    played.wins = make_histogram(won)
    return played


def _play_deals(player: ChunkPlayer, arm: str, lot: SkillLot, table: DealTable) -> LotResult:
    import numpy as np

    played = LotResult(lot.number, Histogram(), ())
    cell = Cell(table.players, (table.bot,) * table.players)
    first, games = lot.first * GAMES_PER_DEAL, lot.number * GAMES_PER_DEAL
    figures = play_figures(player.find_table(arm, cell), lot.run, first, games, _ALIKE[table.source])
    wins = np.array(_count_wins(player, arm, cell, figures, played)).reshape(table.players, lot.number, GAMES_PER_DEAL)
    sums, squares = wins.sum(axis=2), (wins * wins).sum(axis=(0, 2))
    played.deals = tuple(tuple(map(int, row)) for row in np.vstack([sums, squares]).T)
    return played


def _count_wins(player: ChunkPlayer, arm: str, cell: Cell, figures: Figures, played: LotResult) -> list[Any]:
    """Return for each seat an array with its win in each game; count broken laws and endless games in `played`."""
    known = make_measures(player.rules, player.find_table(arm, cell).box)
    played.faults += int(known[BROKEN].of(figures).sum())
    played.endless += int(known["endless"].of(figures).sum())
    return [known[f"win of seat {seat + 1}"].of(figures) for seat in range(cell.players)]


def make_ladder(players: int, bots: Sequence[str]) -> Iterator[Match]:
    """Yield matches of each bot against the one before it in `bots`, the weaker one."""
    for below, above in pairwise(bots):
        yield Match(players, above, below)


def make_pairs(players: int, bots: Sequence[str]) -> Iterator[Match]:
    """Yield a match for each pair of bots; with more than two players also with their roles exchanged."""
    for at, one in enumerate(bots):
        for other in bots[:at]:
            yield Match(players, one, other)
            if players > 2:
                yield Match(players, other, one)


def lot_size(series: Match | DealTable) -> int:
    """Return the number of seeds or deals in a batch: fewer for slow bots, so that play stops quickly."""
    bots = {series.one, series.others} if isinstance(series, Match) else {series.bot}
    if any(bot.startswith("search") for bot in bots):
        return 1
    return 20 if isinstance(series, Match) else 2 if bots != {"random"} else 20


FORMAT = 1
KIND = "skill"
"""Key and value in the file for this kind of result."""

_FAST_GAMES, _LEAST_GAMES, _PLAYOUTS = 400, 20, 10_000
_DEALS = 200


@dataclass(frozen=True, slots=True)
class SkillQuestion:
    """What to compare: the numbers of players, the bots (weakest first), and the run (part of the random seeds)."""

    players: tuple[int, ...]
    bots: tuple[str, ...]
    run: int = 1

    def to_data(self) -> dict[str, Any]:
        """Return dicts, lists, texts and numbers for the result's file."""
        return {"players": list(self.players), "bots": list(self.bots), "run": self.run, "again": GAMES_PER_DEAL}


@dataclass(frozen=True, slots=True)
class SkillWork:
    """How much to play: seeds per match, deals per table (None: default); `pairs`: all pairs, not just neighbours."""

    seeds: int | None = None
    deals: int | None = None
    pairs: bool = False


@dataclass(slots=True)
class SkillResult:
    """All matches and tables played so far. `about` names the game, rules and bots; `key` is its hash.

    `whole` is the divisor of wins. A table's rows are in the order of its deals.
    """

    about: Mapping[str, Any]
    key: str
    whole: int
    played: dict[Match | DealTable, LotResult] = field(default_factory=dict)

    @property
    def matches(self) -> Mapping[Match, LotResult]:
        """The matches that were played."""
        return {of: played for of, played in self.played.items() if isinstance(of, Match)}

    @property
    def tables(self) -> Mapping[DealTable, LotResult]:
        """The tables whose deals were played."""
        return {of: played for of, played in self.played.items() if isinstance(of, DealTable)}

    @property
    def empty(self) -> bool:
        """True if no game has been played."""
        return not self.played

    @property
    def question(self) -> SkillQuestion:
        """What is compared."""
        said = self.about[KIND]
        return SkillQuestion(tuple(said["players"]), tuple(said["bots"]), int(said["run"]))

    def count_played(self, of: Match | DealTable) -> int:
        """Return the number of seeds or deals played."""
        return self.played[of].number if of in self.played else 0

    def join(self, series: Match | DealTable, more: LotResult) -> None:
        """Add the next batch. If that is interrupted, the result stays unchanged."""
        known = self.played.get(series, LotResult(0, Counter(), ()))
        joined = LotResult(known.number + more.number, known.wins + more.wins, known.deals + more.deals)
        joined.faults, joined.endless = known.faults + more.faults, known.endless + more.endless
        self.played = {**self.played, series: joined}

    def played_ladder(self, players: int) -> list[Match]:
        """Return the matches of each bot against the next weaker one that were played."""
        return [match for match in make_ladder(players, self.question.bots) if match in self.played]

    def played_pairs(self, players: int) -> list[Match]:
        """Return the matches of all pairs with this number of players, or [] if some are missing."""
        pairs = list(make_pairs(players, self.question.bots))
        return pairs if all(match in self.played for match in pairs) else []

    def bots_with_deals(self, players: int) -> list[str]:
        """Return the bots for which deals with each source of luck were played."""
        return [
            bot
            for bot in self.question.bots
            if all(self.count_played(DealTable(players, bot, source)) > 1 for source in SOURCES)
        ]

    def to_text(self) -> str:
        """Return the text of the file: one line per match and table, in the order of the question."""
        head = {"format": FORMAT, "kind": KIND, "key": self.key, "whole": self.whole, **self.about}
        text = json.dumps(head, ensure_ascii=False, sort_keys=True, indent=1)[:-2]
        asked = self.question
        matches, tables = [], []
        for match in (one for players in asked.players for one in make_pairs(players, asked.bots)):
            if played := self.played.get(match):
                told: dict[str, Any] = {"players": match.players, "one": match.one, "others": match.others}
                told |= {"seeds": played.number, "wins": {str(n): games for n, games in sorted(played.wins.items())}}
                matches.append(json.dumps({**told, "faults": played.faults, "endless": played.endless}))
        for table in make_deal_tables(asked):
            if played := self.played.get(table):
                told = {"players": table.players, "bot": table.bot, "alike": table.source, "deals": played.deals}
                tables.append(json.dumps({**told, "faults": played.faults, "endless": played.endless}))
        for name, lines in (("matches", matches), ("deals", tables)):
            text += f',\n "{name}": [\n' + ",\n".join(lines) + "\n]"
        return f"{text}}}\n"


def make_deal_tables(asked: SkillQuestion) -> Iterator[DealTable]:
    """Yield a table for each number of players, bot and source of luck."""
    for players in asked.players:
        for bot in asked.bots:
            yield from (DealTable(players, bot, source) for source in SOURCES)


def begin_skill(about: Mapping[str, Any], asked: SkillQuestion, whole: int) -> SkillResult:
    """Return a result without games. `about` has the game and hashes of its inputs; `whole` stands for one win."""
    told = {**about, KIND: asked.to_data()}
    key = sha256(json.dumps(told, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
    return SkillResult(told, key, whole)


def read_skill(text: str, shown_path: str) -> SkillResult:
    """Parse the text of a skill result's file. Raise ProblemsFound if it is not one."""
    file = ResultFile(text, shown_path, SKILL, FORMAT, "name a file that `pnp lab skill` wrote")
    data = file.data
    file.check(find_skill_contradictions(data))
    lines, rows = data.pop("matches"), data.pop("deals")
    del data["format"], data["kind"]
    result = SkillResult(data, data.pop("key"), data.pop("whole"))
    for line in lines:
        wins = Counter({int(value): times for value, times in line["wins"].items()})
        played = LotResult(line["seeds"], wins, (), line["faults"], line["endless"])
        result.played[Match(line["players"], line["one"], line["others"])] = played
    for row in rows:
        deals = tuple(map(tuple, row["deals"]))
        played = LotResult(len(deals), Counter(), deals, row["faults"], row["endless"])
        result.played[DealTable(row["players"], row["bot"], row["alike"])] = played
    return result


def _count_playouts(bot: str) -> int:
    kind, _, number = bot.partition(":")
    return int(number) if kind == "search" else 0


def plan_lots(result: SkillResult, work: SkillWork) -> list[SkillLot]:
    """Return the batches to play, matches and tables in turn, so that an early stop has some of each.

    By default a match has fewer seeds for slow bots, and a table has no deals for searching ones.
    """
    asked, found = result.question, list[tuple[float, SkillLot]]()
    wanted: list[tuple[Match | DealTable, int]] = []
    for players in asked.players:
        for match in (make_pairs if work.pairs else make_ladder)(players, asked.bots):
            playouts = max(_count_playouts(match.one), _count_playouts(match.others), 1)
            usual = max(_LEAST_GAMES, min(_FAST_GAMES, _PLAYOUTS // playouts))
            wanted.append((match, usual if work.seeds is None else work.seeds))
    for table in make_deal_tables(asked):
        usual = 0 if _count_playouts(table.bot) else _DEALS
        wanted.append((table, usual if work.deals is None else work.deals))
    for of, number in wanted:
        step = lot_size(of)
        for first in range(result.count_played(of), number, step):
            lot = SkillLot(of, asked.run, first, min(step, number - first))
            found.append((first / number, lot))
    return [lot for _, lot in sorted(found, key=lambda one: one[0])]


def play_lots(setup: Setup, result: SkillResult, lots: Sequence[SkillLot], crew: Crew) -> Iterator[tuple[int, int]]:
    """Play batches and add them to the result. After each, yield the number of batches done and of all."""
    work = partial(play_lot, setup, result.key)
    for number, (lot, played) in enumerate(zip(lots, map_in_order(work, lots, crew), strict=True), 1):
        result.join(lot.of, played)
        yield number, len(lots)


def drop_faulty(result: SkillResult) -> SkillResult:
    """Return the result without matches and tables that broke laws of the rules, whose figures are invalid."""
    return replace(result, played={of: played for of, played in result.played.items() if not played.faults})


@dataclass(frozen=True, slots=True)
class Rung:
    """Result of a match: the share of wins (0 to 1), or for one player the difference of wins (-1 to 1).

    `fair` is the value for equal players. `gap` is the difference of ratings, or None for one player.
    """

    match: Match
    seeds: int
    share: Interval
    fair: float
    gap: RatingGap | None


def make_rung(result: SkillResult, match: Match) -> Rung:
    """Return the result of a match that was played."""
    played = result.played[match]
    if match.players == 1:
        found = mean_interval(played.wins).divide_by(result.whole)
        share = Interval(found.at, max(-1.0, found.low), min(1.0, found.high))
        return Rung(match, played.number, share, 0.0, None)
    most = result.whole * match.players
    share = match_interval(played.wins, most)
    if match.one == match.others:
        share = mean_interval(played.wins).divide_by(most)
    return Rung(match, played.number, share, 1 / match.players, estimate_rating_gap(played.wins, most, match.players))


def rate_bots(result: SkillResult, players: int) -> tuple[RatingGap, ...]:
    """Return each bot's rating above the first bot from all matches, or () for one player."""
    known = {match: make_rung(result, match).gap for match in result.matches if match.players == players}
    gaps = {(match.one, match.others): gap for match, gap in known.items() if gap is not None}
    return estimate_ratings(result.question.bots, gaps) if gaps else ()


def estimate_luck(result: SkillResult, players: int, bot: str) -> tuple[Interval, ...]:
    """Return how much of the wins the deal, later chance and choices settle: three shares with the sum 1."""
    return estimate_luck_shares(
        [result.played[DealTable(players, bot, source)].deals for source in SOURCES], GAMES_PER_DEAL
    )
