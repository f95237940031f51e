"""What a result on skill lets one say: shares of wins, ratings, shares of luck; each with its interval."""

from generator.dataclass import dataclass
from generator.lab.numbers import Interval
from generator.lab.skill.lots import AGAIN, SOURCES, DealTable, Match
from generator.lab.skill.result import SkillResult
from generator.lab.statistics.intervals import mean_interval
from generator.lab.statistics.luck import shares_of_luck
from generator.lab.statistics.ratings import RatingGap, gap_of, match_interval, ratings


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
