"""Skill and luck in plain text: the ladder of bots, all pairs where they were played, the shares of luck."""

from collections.abc import Iterator
from math import isfinite

from generator.errors import as_lines
from generator.lab.numbers import Interval
from generator.lab.skill.findings import Rung, luck, rated, rung
from generator.lab.skill.lots import AGAIN, DealTable, Match, Played
from generator.lab.skill.result import SkillResult, without_faults
from generator.lab.statistics.ratings import RatingGap
from generator.lab.told import aligned, gap_texts, value_text


def skill_text(result: SkillResult) -> str:
    """All that a result says."""
    return as_lines(_lines(result))


def _lines(result: SkillResult) -> Iterator[str]:
    about = result.about
    yield f"{about['game']}, draft {about['draft']}: run {result.asked.run}, intervals of 95 %"
    everything: list[tuple[Match | DealTable, Played]] = [*result.matches.items(), *result.tables.items()]
    for of, played in everything:
        if played.faults:
            yield f"{name_of(of)}: a law is broken in {played.faults:,} games; their figures are left out"
        if played.endless:
            yield f"{name_of(of)}: {played.endless:,} games had no end and were broken off"
    sound = without_faults(result)
    for players in sound.asked.players:
        parts = [*_ladder(sound, players), *_grid(sound, players), *_luck(sound, players)]
        if parts:
            yield ""
            yield f"{players} player{'s' * (players > 1)}"
            yield from parts
    yield ""
    yield "Bots are not people: with good players it may be otherwise."


def name_of(of: Match | DealTable) -> str:
    """A match or a table, for a line about it."""
    if isinstance(of, Match):
        return f"{of.players} players, {of.one} against {of.others}"
    return f"{of.players} players, {of.bot}"


def _ladder(result: SkillResult, players: int) -> Iterator[str]:
    rungs = [rung(result, match) for match in result.ladder(players)]
    if not rungs:
        return
    if players > 1:
        fair = f"fair is {1 / players:.1%}".replace("%", " %")
        yield f" one seat against the others, each seed once from every seat ({fair}):"
    else:
        yield " how much more each wins than the one below it, with the same seeds:"
    yield from (f"  {line}" for line in aligned([_row(one) for one in rungs]))
    points = rated(result, players)
    if len(points) > 1:
        known = [both for both in zip(result.asked.bots, points, strict=True) if isfinite(both[1].error)]
        yield f"  ratings: {', '.join(f'{bot} {_points(one)}' for bot, one in known)}"


def _row(one: Rung) -> list[str]:
    named = [f"{one.match.one} against {one.match.others}", f"{one.seeds:,} seeds"]
    if one.gap is None:
        return [*named, *gap_texts(one.share, share=True)]
    return [*named, value_text(one.share, share=True), f"{one.gap.points:+.0f} Elo (se {one.gap.error:.0f})"]


def _points(one: RatingGap) -> str:
    return f"{one.points:+.0f} (se {one.error:.0f})" if one.error else "0"


def _grid(result: SkillResult, players: int) -> Iterator[str]:
    """A line for each bot: what it wins on one seat against each other."""
    bots = result.asked.bots
    if len(bots) < 3 or not result.grid(players):
        return
    yield " all pairs, share of wins of the bot of the line against that of the column, %:"
    rows = [["", *bots]]
    for one in bots:
        shares = [grid_share(result, players, one, other) for other in bots]
        rows.append([one, *("-" if share is None else f"{100 * share.at:.1f}" for share in shares)])
    yield from (f"  {line}" for line in aligned(rows))


def grid_share(result: SkillResult, players: int, one: str, other: str) -> Interval | None:
    """What one wins against the other; of two seats, and of players alone, it may be read from their match reversed."""
    if (match := Match(players, one, other)) in result.matches:
        return rung(result, match).share
    if players < 3 and (match := Match(players, other, one)) in result.matches:
        share, all_ = rung(result, match).share, float(players - 1)
        return Interval(all_ - share.at, all_ - share.high, all_ - share.low)
    return None


def _luck(result: SkillResult, players: int) -> Iterator[str]:
    bots = result.lucky(players)
    if not bots:
        return
    yield f" share of luck: what settles who wins, each deal played {AGAIN} times:"
    rows = [["", "", "the deal", "chance later", "choices"]]
    for bot in bots:
        deals = min(played.number for of, played in result.tables.items() if (of.players, of.bot) == (players, bot))
        found = luck(result, players, bot)
        told = [value_text(one, share=True) for one in found] if any(one.at for one in found) else ["nothing differs"]
        rows.append([bot, f"{deals:,} deals", *told])
    yield from (f"  {line}" for line in aligned(_padded(rows)))


def _padded(rows: list[list[str]]) -> list[list[str]]:
    most = max(map(len, rows))
    return [row + [""] * (most - len(row)) for row in rows]
