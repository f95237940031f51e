"""What games between bots were measured by: who wins, how long they are, and checks that their numbers decide."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from generator.checks.played import Playtest, bot_label, first_game, replay
from generator.checks.record import Check, Status
from generator.games.engine.contract import REPEATS, SECRETS, TIES, WINS, Box, Measure
from generator.model.game import Game
from generator.playtest.batch import Row
from generator.playtest.statistics import mean, quantile, wilson
from generator.playtest.tally import Tally

FEW = 5
"""Of fewer games by a bot the shares say nothing; a reader is spared them where other bots played more."""

SURE = 3.89
"""Standard deviations of 99.99 %: a number of chance that ought to be right is called wrong once in 10,000 reports."""


def win_checks(game: Game, test: Playtest) -> Iterator[Check]:
    """For each number of players: the wins of each seat and the ties, by bot; and lengths, in values for a program."""
    place = game.places.place("players")
    for players in sorted({players for players, _ in test.tallies}):
        rows = _by_bot(test, lambda row, players=players: row[0] == players)  # type: ignore[misc]
        figures = _shares_told(rows, _wins, players)
        sentence = f"{players} players: who wins, by seat" if players > 1 else "1 player: how often games are won"
        values = {"players": players, "games": [_values(bot, tally, players) for bot, tally in rows.items()]}
        yield Check(f"wins.{players}", "play", "pass", sentence, figures, place, values=values)


def games_repeat(game: Game, test: Playtest) -> Iterator[Check]:
    """Whether a seed plays the same game each time; not where a check of the data says so."""
    if test.tallies and REPEATS not in test.rules.answers.values():
        sentence = "the same seed plays the same game"
        yield _repeated(
            test, Check("play.repeats", "play", "undecided", sentence, "", game.places.place("rules_module"))
        )


def decide_measures(game: Game, test: Playtest, checks: tuple[Check, ...]) -> tuple[Check, ...]:
    """The checks, with those that measures and the program's own counts answer decided by the games played."""
    if not test.tallies:
        return checks
    measured = {measure.check for measure in test.rules.measures}
    return tuple(_decide(game, test, check, measured) if check.status == "undecided" else check for check in checks)


def unknown_measures(game: Game, test: Playtest) -> Iterator[Check]:
    """Measures and answers that the data have no undecided check for: they would never be told."""
    known = {spec.id for spec in game.checks if spec.undecided}
    for check in dict.fromkeys([*(measure.check for measure in test.rules.measures), *test.rules.answers]):
        if check not in known:
            sentence = f"the rules answer the check '{check}', which the data don't have as an undecided check"
            yield Check(f"measure.{check}", "rules", "fail", sentence, "add it to the checks, with `undecided: true`")


def _decide(game: Game, test: Playtest, check: Check, measured: set[str]) -> Check:
    answer = test.rules.answers.get(check.id)
    if answer == REPEATS:
        return _repeated(test, check)
    if answer == SECRETS:
        return _kept_secret(test, check)
    if answer is not None:
        return replace(check, status="pass", figures=_count_sentence(test, answer))
    return _check_measure(game, test, check) if check.id in measured else check


def _repeated(test: Playtest, check: Check) -> Check:
    if any(tally.first_unlike is not None for tally in test.tallies.values()):
        return replace(check, status="fail", figures=f"not in {first_game(test, lambda tally: tally.first_unlike)}")
    games = sum(tally.repeated for tally in test.tallies.values())
    return replace(check, status="pass", figures=f"{games} games played twice, each the same both times")


def _kept_secret(test: Playtest, check: Check) -> Check:
    if any(tally.first_told is not None for tally in test.tallies.values()):
        return replace(check, status="fail", figures=f"not in {first_game(test, lambda tally: tally.first_told)}")
    games = sum(tally.looked for tally in test.tallies.values())
    if not games:
        return check
    return replace(check, status="pass", figures=f"nobody was shown or told what he can't know in {games} random games")


def _count_sentence(test: Playtest, answer: str) -> str:
    """What the program counts in every game by itself."""
    if answer in (WINS, TIES):
        tell = _wins if answer == WINS else _ties
        numbers = sorted({players for players, _ in test.tallies})
        by_bot = {n: _by_bot(test, lambda row, n=n: row[0] == n) for n in numbers}  # type: ignore[misc]
        return "; ".join(f"{n} players, {_shares_told(rows, tell, n)}" for n, rows in by_bot.items())
    at = [supply.id for supply in test.rules.supplies].index(answer)
    return _range_and_mean({bot: tally.peaks[at] for bot, tally in _by_bot(test).items()})


def _check_measure(game: Game, test: Playtest, check: Check) -> Check:
    """The check with the numbers that answer it; it fails, or is a finding, where a bound is passed."""
    parts: list[str] = []
    wrong: list[str] = []
    for at, measure in enumerate(test.rules.measures):
        if measure.check == check.id:
            rows = {row: tally.measured.get(at, Counter()) for row, tally in test.tallies.items()}
            told = _range_and_mean({bot: tally.measured.get(at, Counter()) for bot, tally in _by_bot(test).items()})
            wrong += _beyond(game, test, at, measure)
            if measure.chance is not None:
                told, off = _against_chance(game, test, measure.chance, rows)
                wrong += off
            parts.append(f"{measure.says}: {told}")
    bad: Status = "finding" if check.reading else "fail"
    return replace(check, status=bad if wrong else "pass", figures="; ".join([*parts, *wrong]))


def _beyond(game: Game, test: Playtest, at: int, measure: Measure) -> Iterator[str]:
    """For each bound of the measure that games go beyond, the first that does."""
    for bound, words, beyond in ((measure.at_least, "least", int.__lt__), (measure.at_most, "most", int.__gt__)):
        found: dict[Row, int] = {}
        wanted = {n: bound(test.rules.box(game, n, {})) for n in {n for n, _ in test.tallies}} if bound else {}
        for row, tally in test.tallies.items():
            games = [
                number
                for (which, value), number in tally.first_measured.items()
                if which == at and wanted and beyond(value, wanted[row[0]])
            ]
            if games:
                found[row] = min(games)
        if found:
            row, number = min(found.items())
            yield f"beyond {wanted[row[0]]} at {words} first in {replay(test, row, number)}"


def _against_chance(
    game: Game, test: Playtest, chance: Callable[[Box], float], rows: Mapping[Row, Counter[int]]
) -> tuple[str, list[str]]:
    """How often it was so in random games, for each number of players, and where that can't be chance."""
    parts: list[str] = []
    wrong: list[str] = []
    for (players, bot), numbers in rows.items():
        if bot == "random":
            seen, games = numbers[1], numbers.total()
            right = chance(test.rules.box(game, players, {}))
            low, high = wilson(seen, games, SURE)
            parts.append(f"{players} players {seen} of {games}, {seen / games:.2%} where {right:.2%} is right")
            if not low <= right <= high:
                wrong.append(f"{players} players: between {low:.2%} and {high:.2%} for all but one in 10,000 reports")
    return ", ".join(parts), wrong


def _range_and_mean(by_bot: Mapping[str, Counter[int]]) -> str:
    """The numbers of games by each bot: lowest, highest and mean; of a yes or no, how often yes."""
    numbers = {number for counter in by_bot.values() for number in counter}
    parts = []
    for bot, counter in by_bot.items():
        if numbers <= {0, 1}:
            parts.append(f"{_share(counter[1], counter.total())} by {bot}")
        elif min(counter) == max(counter):
            parts.append(f"always {min(counter)} by {bot}")
        else:
            parts.append(f"{min(counter)} to {max(counter)}, mean {mean(counter):.1f} by {bot}")
    return ", ".join(parts)


def _shares_told(rows: Mapping[str, Tally], tell: Callable[[Tally, int], str], players: int) -> str:
    """Shares by bot, each with the interval that holds it with 95 %."""
    told = {bot: tally for bot, tally in rows.items() if tally.games >= FEW} or rows
    return "; ".join(f"{tally.games} by {bot}: {tell(tally, players)}" for bot, tally in told.items())


def _wins(tally: Tally, players: int) -> str:
    if players == 1:
        return f"won {_share(tally.wins[0], tally.games)}"
    seats = [f"seat {seat + 1} {_share(tally.wins[seat], tally.games)}" for seat in range(players)]
    return f"{', '.join(seats)}, ties {_ties(tally, players)}"


def _ties(tally: Tally, _players: int) -> str:
    return _share(tally.ties, tally.games)


def _share(seen: int, of: int) -> str:
    low, high = wilson(seen, of)
    return f"{seen / of if of else 0:.1%} ({low:.1%} to {high:.1%} at 95 %)"


def _by_bot(test: Playtest, wanted: Callable[[Row], bool] = lambda _: True) -> dict[str, Tally]:
    """Tallies by bot, of the rows that are wanted, hoarders together."""
    together: dict[str, Tally] = {}
    for row, tally in test.tallies.items():
        if wanted(row):
            together.setdefault(bot_label(row[1]), Tally()).join(tally)
    return together


def _values(bot: str, tally: Tally, players: int) -> Mapping[str, Any]:
    """The figures of one bot's games for a program; shares with the interval that holds them with 95 %."""

    def share(seen: int) -> Mapping[str, Any]:
        low, high = wilson(seen, tally.games)
        return {"games": seen, "low": round(low, 6), "high": round(high, 6)}

    def spread(histogram: Counter[int]) -> Mapping[str, int]:
        return {name: quantile(histogram, part) for name, part in (("least", 0), ("median", 0.5), ("most", 1))}

    return {
        "bot": bot,
        "games": tally.games,
        "ended": tally.ended,
        "wins": [share(tally.wins[seat]) for seat in range(players)],
        "ties": share(tally.ties),
        "turns": spread(tally.turns),
        "choices": spread(tally.choices),
        "widest choice": tally.widest,
        "scores": spread(tally.scores),
    }
