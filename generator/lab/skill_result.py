"""The skill result: matches and deals in a file that grows, with ratings and shares of luck."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from hashlib import sha256
from typing import Any

from generator.base.dataclass import dataclass
from generator.books.measure_names import Interval
from generator.lab.chunks import Crew, Setup, work_through
from generator.lab.results import SKILL, ResultFile, skill_contradictions
from generator.lab.skill_lots import (
    AGAIN,
    SOURCES,
    DealTable,
    Match,
    Played,
    SkillLot,
    grid,
    ladder,
    play_lot,
    size_of_lot,
)
from generator.lab.statistics.comparisons import RatingGap, gap_of, match_interval, ratings, shares_of_luck
from generator.lab.statistics.intervals import mean_interval

FORMAT = 1
KIND = "skill"
"""In the file: which kind of result it is."""

_FAST_GAMES, _LEAST_GAMES, _PLAYOUTS = 400, 20, 10_000
_DEALS = 200


@dataclass(frozen=True, slots=True)
class SkillQuestion:
    """Which bots, the weakest first, at which numbers of players; the run whose games they play."""

    players: tuple[int, ...]
    bots: tuple[str, ...]
    run: int = 1

    def plain(self) -> dict[str, Any]:
        """The same in plain values, for a file."""
        return {"players": list(self.players), "bots": list(self.bots), "run": self.run, "again": AGAIN}


@dataclass(frozen=True, slots=True)
class SkillWork:
    """How much is played: seeds of each match and deals of each table, None for the usual; all pairs, or the ladder."""

    seeds: int | None = None
    deals: int | None = None
    pairs: bool = False


@dataclass(slots=True)
class SkillResult:
    """What has been played so far. `about` says of which game, by which rules and bots; `key` sums that up.

    `whole` is what a game's win is counted in. A table's rows are in the order of its deals.
    """

    about: Mapping[str, Any]
    key: str
    whole: int
    matches: dict[Match, Played] = field(default_factory=dict)
    tables: dict[DealTable, Played] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether nothing has been played."""
        return not (self.matches or self.tables)

    @property
    def asked(self) -> SkillQuestion:
        """What was asked."""
        said = self.about[KIND]
        return SkillQuestion(tuple(said["players"]), tuple(said["bots"]), int(said["run"]))

    def number(self, of: Match | DealTable) -> int:
        """Seeds or deals played."""
        known = self.matches.get(of) if isinstance(of, Match) else self.tables.get(of)
        return known.number if known is not None else 0

    def join(self, of: Match | DealTable, more: Played) -> None:
        """Adds a lot, the next one in order; whoever is stopped in the middle has added nothing."""
        before = self.matches.get(of) if isinstance(of, Match) else self.tables.get(of)
        known = before if before is not None else Played(0, Counter(), ())
        wins = Counter(known.wins)
        wins.update(more.wins)
        joined = Played(
            known.number + more.number,
            wins,
            known.deals + more.deals,
            known.faults + more.faults,
            known.endless + more.endless,
        )
        if isinstance(of, Match):
            self.matches = {**self.matches, of: joined}
        else:
            self.tables = {**self.tables, of: joined}

    def ladder(self, players: int) -> list[Match]:
        """The matches of each bot against the one below it, as far as they have been played."""
        return [match for match in ladder(players, self.asked.bots) if match in self.matches]

    def grid(self, players: int) -> list[Match]:
        """All matches of so many players; empty where not all pairs have been played."""
        pairs = list(grid(players, self.asked.bots))
        return pairs if all(match in self.matches for match in pairs) else []

    def lucky(self, players: int) -> list[str]:
        """The bots whose deals were played many times, with all that they can have in common."""
        return [
            bot
            for bot in self.asked.bots
            if all(self.number(DealTable(players, bot, source)) > 1 for source in SOURCES)
        ]

    def text(self) -> str:
        """The file: one line for each match and each table, in the order of what was asked."""
        head = {"format": FORMAT, "kind": KIND, "key": self.key, "whole": self.whole, **self.about}
        text = json.dumps(head, ensure_ascii=False, sort_keys=True, indent=1)[:-2]
        asked = self.asked
        order = [match for players in asked.players for match in grid(players, asked.bots)]
        matches = [json.dumps(_match_line(one, self.matches[one])) for one in order if one in self.matches]
        tables = [json.dumps(_table_line(one, self.tables[one])) for one in tables_of(asked) if one in self.tables]
        for name, lines in (("matches", matches), ("deals", tables)):
            text += f',\n "{name}": [\n' + ",\n".join(lines) + "\n]"
        return f"{text}}}\n"


def tables_of(asked: SkillQuestion) -> Iterator[DealTable]:
    """All tables at which deals can be played."""
    for players in asked.players:
        for bot in asked.bots:
            yield from (DealTable(players, bot, source) for source in SOURCES)


def begin_skill(about: Mapping[str, Any], asked: SkillQuestion, whole: int) -> SkillResult:
    """A result without games yet; `about` names the game and has the hashes that it rests on."""
    told = {**about, KIND: asked.plain()}
    key = sha256(json.dumps(told, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
    return SkillResult(told, key, whole)


def read_skill(text: str, shown: str) -> SkillResult:
    """The result that a file holds; ProblemsFound for what is none."""
    file = ResultFile(text, shown, SKILL, FORMAT, "give the file that `pnp lab skill` wrote")
    data = file.data
    file.check(skill_contradictions(data))
    lines, rows = data.pop("matches"), data.pop("deals")
    del data["format"], data["kind"]
    result = SkillResult(data, data.pop("key"), data.pop("whole"))
    for line in lines:
        wins = Counter({int(value): times for value, times in line["wins"].items()})
        played = Played(line["seeds"], wins, (), line["faults"], line["endless"])
        result.matches[Match(line["players"], line["one"], line["others"])] = played
    for row in rows:
        deals = tuple(map(tuple, row["deals"]))
        played = Played(len(deals), Counter(), deals, row["faults"], row["endless"])
        result.tables[DealTable(row["players"], row["bot"], row["alike"])] = played
    return result


def _match_line(match: Match, played: Played) -> dict[str, Any]:
    wins = {str(value): times for value, times in sorted(played.wins.items())}
    told = {"players": match.players, "one": match.one, "others": match.others, "seeds": played.number, "wins": wins}
    return {**told, "faults": played.faults, "endless": played.endless}


def _table_line(table: DealTable, played: Played) -> dict[str, Any]:
    told = {"players": table.players, "bot": table.bot, "alike": table.source}
    return {**told, "deals": played.deals, "faults": played.faults, "endless": played.endless}


def usual_seeds(match: Match) -> int:
    """Seeds of a match where nobody says how many: fewer for bots that think long."""
    playouts = max(_playouts(match.one), _playouts(match.others), 1)
    return max(_LEAST_GAMES, min(_FAST_GAMES, _PLAYOUTS // playouts))


def usual_deals(table: DealTable) -> int:
    """Deals of a table where nobody says how many: none of bots that search, for each is played ten times."""
    return 0 if _playouts(table.bot) else _DEALS


def _playouts(bot: str) -> int:
    kind, _, number = bot.partition(":")
    return int(number) if kind == "search" else 0


def lots_of(result: SkillResult, work: SkillWork) -> list[SkillLot]:
    """What is still to be played, all matches and tables side by side: whoever stops early knows a little of each."""
    asked, found = result.asked, list[tuple[float, SkillLot]]()
    matches = [one for players in asked.players for one in (grid if work.pairs else ladder)(players, asked.bots)]
    wanted: list[tuple[Match | DealTable, int]] = [
        *((match, usual_seeds(match) if work.seeds is None else work.seeds) for match in matches),
        *((table, usual_deals(table) if work.deals is None else work.deals) for table in tables_of(asked)),
    ]
    for of, number in wanted:
        step = size_of_lot(of)
        for first in range(result.number(of), number, step):
            lot = SkillLot(of, asked.run, first, min(step, number - first))
            found.append((first / number, lot))
    return [lot for _, lot in sorted(found, key=lambda one: one[0])]


def play_skill(setup: Setup, result: SkillResult, lots: Sequence[SkillLot], crew: Crew) -> Iterator[int]:
    """Plays lots into the result; after each, how many are done."""
    work = partial(play_lot, setup, result.key)
    for number, (lot, played) in enumerate(zip(lots, work_through(work, lots, crew), strict=True), 1):
        result.join(lot.of, played)
        yield number


def without_faults(result: SkillResult) -> SkillResult:
    """The same without matches and tables in which a law of the game was broken: their figures are none."""
    return replace(
        result,
        matches={of: played for of, played in result.matches.items() if not played.faults},
        tables={of: played for of, played in result.tables.items() if not played.faults},
    )


@dataclass(frozen=True, slots=True)
class Rung:
    """How a match went: the one's share of wins, from 0 to 1; of a player alone how much more it wins, -1 to 1.

    `fair` is what equal players would have; `gap` the difference of ratings, None of players alone.
    """

    match: Match
    seeds: int
    share: Interval
    fair: float
    gap: RatingGap | None


def rung(result: SkillResult, match: Match) -> Rung:
    """A match that was played."""
    played = result.matches[match]
    if match.players == 1:
        found = mean_interval(played.wins).divided(result.whole)
        share = Interval(found.at, max(-1.0, found.low), min(1.0, found.high))
        return Rung(match, played.number, share, 0.0, None)
    most = result.whole * match.players
    share = match_interval(played.wins, most)
    if match.one == match.others:
        share = mean_interval(played.wins).divided(most)
    return Rung(match, played.number, share, 1 / match.players, gap_of(played.wins, most, match.players))


def rated(result: SkillResult, players: int) -> tuple[RatingGap, ...]:
    """The points of each bot above the first, from all matches of so many players; () of players alone."""
    known = {match: rung(result, match).gap for match in result.matches if match.players == players}
    gaps = {(match.one, match.others): gap for match, gap in known.items() if gap is not None}
    return ratings(result.asked.bots, gaps) if gaps else ()


def luck(result: SkillResult, players: int, bot: str) -> tuple[Interval, ...]:
    """What the deal settles, what chance later on settles beyond it, and what is left to choices: together 1."""
    return shares_of_luck([result.tables[DealTable(players, bot, source)].deals for source in SOURCES], AGAIN)
