"""Played checks: results of games between bots that concern the pieces, the rules and the winners.

Some of their words: a supply is pieces that may run out; a hole is a situation that the rules don't cover; a law is
a statement that must hold after every move; a measure is a number that every game has at its end.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from shlex import quote
from typing import Any

from generator.checks.check_report import Check, Status, format_first_entries
from generator.game.model import Game
from generator.play.batch import PlanRow
from generator.play.tally import Tally, compute_mean, find_quantile, largest_unseen_share, wilson_interval
from generator.rules.engine.contract import REPEATS, SECRETS, TIES, WINS, Box, Measure, Rules


@dataclass(frozen=True, slots=True)
class Playtest:
    """Games played for the checks: tallies by number of players and bot, and by example id what was wrong with it.

    `shown` has for each other choice of a reading the ids of the examples that end differently with it. `run` is the
    number of the run; with the number of a game, it is the seed that replays the game.
    """

    rules: Rules
    run: int
    tallies: Mapping[PlanRow, Tally]
    faults: Mapping[str, list[str]]
    shown: Mapping[str, list[str]]


def check_examples(game: Game, test: Playtest) -> Iterator[Check]:
    """Check that each example in the data ends as it says when it is played."""
    for example in game.examples:
        faults = test.faults[example.id]
        status: Status = "fail" if faults else "pass"
        moves = f"moves: {len(example.moves)}, answers: {len(example.expected)}"
        sentence = "playing the example gives the stated result"
        yield Check(f"example.{example.id}", "example", status, sentence, "; ".join(faults) or moves, example.place)


def check_shown_choices(game: Game, test: Playtest) -> Iterator[Check]:
    """Check that each other choice of a reading changes an example, and that each example printed with it changes."""
    unshown = [choice for choice, examples in test.shown.items() if not examples]
    showing = {name for examples in test.shown.values() for name in examples}
    told = [one for reading in game.readings.values() for one in game.list_examples_of(reading) if one.says]
    idle = [example for example in told if example.id not in showing]
    if unshown:
        place = game.readings[unshown[0].split()[0]].place
        sentence = "no example shows what these other readings change: play one with `options`"
        yield Check("readings.shown", "example", "undecided", sentence, format_first_entries(unshown), place)
    elif test.shown:
        sentence = "examples show what each other reading changes"
        yield Check("readings.shown", "example", "pass", sentence, f"other readings: {len(test.shown)}")
    if idle:
        sentence = "these examples hold with the reading in force, too; they don't show what the other reading changes"
        figures = format_first_entries(example.id for example in idle)
        yield Check("readings.idle", "example", "undecided", sentence, figures, idle[0].place)


def report_unplayable(game: Game, reasons: Iterable[str]) -> Iterator[Check]:
    """Report that the game can't be played with the readings in force, with the reasons."""
    sentence = "the rules can't be played with the readings in force"
    yield Check("play", "play", "undecided", sentence, "; ".join(reasons), game.places.place("readings"))


STOPPED = "play.stopped"
"""Id of the check that reports that not all games were played."""


def report_interruption(test: Playtest, *, kept: bool) -> Iterator[Check]:
    """Report that the user stopped the program before all games were played.

    The other checks cover the games played until then. `kept`: the next run continues with them.
    """
    games = sum(tally.games for tally in test.tallies.values())
    more = "; the same command goes on from there" if kept else ""
    yield Check(STOPPED, "play", "undecided", "it was stopped before all games were played", f"{games} games{more}")


def check_games_end(game: Game, test: Playtest) -> Iterator[Check]:
    """Check for each number of players that every game ends."""
    place = game.places.place("players")
    for players in sorted({players for players, _ in test.tallies}):
        rows = {bot: tally for (number, bot), tally in test.tallies.items() if number == players}
        endless = [(bot, tally) for bot, tally in rows.items() if tally.ended < tally.games]
        if endless:
            figures = format_first_entries(
                f"{tally.games - tally.ended} of {tally.games} by {bot} don't end "
                f"(--seed {test.run}/{tally.first_endless})"
                for bot, tally in endless
            )
            yield Check(f"play.{players}", "play", "fail", f"{players} players: games don't end", figures, place)
        else:
            together = _group_by_bot(test, players)
            figures = "; ".join(_describe_course(bot, tally) for bot, tally in together.items())
            yield Check(f"play.{players}", "play", "pass", f"{players} players: every game ends", figures, place)


def check_supplies(game: Game, test: Playtest, checks: Iterable[Check]) -> Iterator[Check]:
    """Check that each supply suffices: compare the printed number of pieces with the most in use at a time.

    The figures also say how often a supply ran out. If the draft gives no number, they suggest the smallest number that
    no game exceeded. `checks` are the results of the data's checks; some of them compute the maximum demand.
    """
    if test.tallies:
        bounds = {check.id: check for check in checks}
        for at, supply in enumerate(test.rules.supplies):
            yield _check_supply(game, test, at, bounds.get(supply.bound))


def _check_supply(game: Game, test: Playtest, index: int, bound: Check | None) -> Check:
    supply = test.rules.supplies[index]
    kind = game.kinds.get(supply.pieces.split("/", maxsplit=1)[0])
    printed = sum(design.count for design in kind.designs if supply.pieces in (design.id, kind.id)) if kind else 0
    peaks = {row: max(tally.peaks.get(index, (0,))) for row, tally in test.tallies.items()}
    short = {row: tally.short[index] for row, tally in test.tallies.items()}
    most = max(peaks.values())
    by_random = max((peak for (_, bot), peak in peaks.items() if bot == "random"), default=None)
    figures = [f"{printed} printed", f"at most {most} in use at a time"]
    if by_random not in (None, most):
        bot = next(bot for (_, bot), peak in peaks.items() if peak == most)
        figures[-1] += f" (by {bot}; {by_random} at random)"
    figures.append(_describe_shares(test, short, "wanted and lacking in"))
    ran_out = any(short.values())
    if ran_out:
        figures[-1] += f", first in {format_first_game_options(test, lambda tally: tally.first_short.get(index))}"
    if kind is not None and kind.stated is None:
        enough = f"{most} is the least that no game exceeded"
        more = f"more than {printed} are needed if they must never run out"
        figures.append(f"the draft gives no number: {more if ran_out else enough}")
    if bound is not None:
        figures.append(f"for certain, by {bound.id}: {bound.figures}")
    status: Status = "fail" if ran_out and not supply.reading else "pass"
    sentence = f"there are {'too few' if status == 'fail' else 'enough'}: {supply.id}"
    if ran_out and supply.reading:
        sentence = f"they may run out, and a reading says what happens then: {supply.id}"
    reading = supply.reading if supply.reading in game.readings else ""
    place = kind.place if kind else None
    return Check(f"supply.{supply.id}", "supply", status, sentence, "; ".join(figures), place, reading)


def check_holes(game: Game, test: Playtest) -> Iterator[Check]:
    """Report for each situation that the rules don't cover how many games met it, and how to replay the first one."""
    for at, hole in enumerate(test.rules.holes if test.tallies else ()):
        reading = game.readings.get(hole.reading)
        place, known = (reading.place, reading.id) if reading else (None, "")
        figures = _describe_shares(test, {row: tally.holes[at] for row, tally in test.tallies.items()}, "met in")
        status: Status = "pass"
        sentence = "the rules say what to do"
        if first := format_first_game_options(test, lambda tally, at=at: tally.first_hole.get(at)):  # type: ignore[misc]
            figures += f", first in {first}"
            status, sentence = "finding" if known else "fail", "the draft does not say what to do"
        yield Check(f"hole.{hole.id}", "rules", status, sentence, figures, place, known)


def decide_laws(test: Playtest, checks: tuple[Check, ...]) -> tuple[Check, ...]:
    """Return the checks. An undecided one about a law, which must hold after each move, is decided by the games."""
    laws = {name: at for at, name in enumerate(test.rules.laws)}
    if not test.tallies:
        return checks
    moves = sum(tally.moves for tally in test.tallies.values())
    games = sum(tally.games for tally in test.tallies.values())
    decided = []
    for check in checks:
        at = laws.get(check.id)
        if check.status != "undecided" or at is None:
            decided.append(check)
        elif first := format_first_game_options(test, lambda tally, at=at: tally.first_broken.get(at)):  # type: ignore[misc]
            decided.append(replace(check, status="fail", figures=f"broken in {first}"))
        else:
            decided.append(replace(check, status="pass", figures=f"held after each of {moves} moves in {games} games"))
    return tuple(decided)


def find_unknown_checks(game: Game, rules: Rules) -> Iterator[Check]:
    """Yield a failure for each law or measure of the rules for which checks.yaml has no undecided check to decide."""
    known = {spec.id for spec in game.checks if spec.undecided}
    answered = dict.fromkeys([*(measure.check for measure in rules.measures), *rules.answers])
    for kind, names, what in (("law", rules.laws, "check the law"), ("measure", answered, "decide the check")):
        for name in names:
            if name not in known:
                sentence = f"the rules {what} '{name}', but checks.yaml has no undecided check of that name"
                yield Check(f"{kind}.{name}", "rules", "fail", sentence, "add it to checks.yaml with `undecided: true`")


def _describe_course(bot: str, tally: Tally) -> str:
    fewest, middle, most = (find_quantile(tally.turns, share) for share in (0, 0.5, 1))
    turns = f"{fewest}-{most} turns, median {middle}"
    lowest, middle, highest = (find_quantile(tally.scores, share) for share in (0, 0.5, 1))
    scores = f"scores {lowest} to {highest}, median {middle}"
    low, middle, high = (find_quantile(tally.choices, part) for part in (0, 0.5, 1))
    choices = f"{low}-{high} choices, median {middle}, between {tally.widest} moves at most"
    return f"{tally.games} by {bot}: {turns}, {choices}, {scores}"


def _describe_shares(test: Playtest, times: Mapping[PlanRow, int], what: str) -> str:
    """Return how many games had an event, as text. `times` counts the games with the event; `what` names the event.

    For games of the random bot, the text has the 95 % interval of the share. Games of other bots are counted
    separately without an interval, because they are no random sample.
    """
    random, others = [0, 0], [0, 0]
    for row, tally in test.tallies.items():
        of_bot = random if row[1] == "random" else others
        of_bot[0] += times[row]
        of_bot[1] += tally.games
    games = random[1] + others[1]
    if not random[0] + others[0]:
        bound = f" (at random: at most {largest_unseen_share(random[1]):.2%} at 95 %)" if random[1] else ""
        return f"{what} none of {games} games{bound}"
    parts = []
    if random[1]:
        low, high = wilson_interval(*random)
        parts.append(f"{random[0]} of {random[1]} games at random ({low:.1%} to {high:.1%} at 95 %)")
    if others[1]:
        parts.append(f"{others[0]} of {others[1]} by other bots")
    return f"{what} {', '.join(parts)}"


def format_first_game_options(test: Playtest, number: Callable[[Tally], int | None]) -> str:
    """Return the command-line options that replay the first game that `number` returns for any tally, or ''.

    `number` returns the number of a game, or None if no game of the tally is wanted.
    """
    found = {row: game for row, tally in test.tallies.items() if (game := number(tally)) is not None}
    return format_replay_options(test, *min(found.items())) if found else ""


def format_replay_options(test: Playtest, row: PlanRow, game: int) -> str:
    """Return the command-line options of `pnp play` that replay game number `game` of a row (players and bot)."""
    players, bot = row
    return f"--players {players} --bot {quote(bot)} --seed {test.run}/{game}"


FEW = 5
"""Minimum number of games for which a bot's shares are reported. If no bot reaches it, all bots are reported."""

SURE = 3.89
"""Half-width of a 99.99 % interval in standard deviations: 1 in 10,000 correct probabilities is reported as wrong."""


def count_wins(game: Game, test: Playtest) -> Iterator[Check]:
    """Report for each number of players the wins of each seat and the ties, by bot; a check's `values` has them all."""
    place = game.places.place("players")
    for players in sorted({players for players, _ in test.tallies}):
        rows = _group_by_bot(test, players)
        figures = _format_shares(rows, _format_wins, players)
        sentence = f"{players} players: who wins, by seat" if players > 1 else "1 player: how often games are won"
        values = {"players": players, "games": [_list_bot_values(bot, tally, players) for bot, tally in rows.items()]}
        yield Check(f"wins.{players}", "play", "pass", sentence, figures, place, values=values)


def check_repeats(game: Game, test: Playtest) -> Iterator[Check]:
    """Check that the same seed plays the same game each time, unless the data has a check for this."""
    if test.tallies and REPEATS not in test.rules.answers.values():
        sentence = "the same seed plays the same game"
        place = game.places.place("rules_module")
        yield _decide_repeats(test, Check("play.repeats", "play", "undecided", sentence, "", place))


def decide_measures(game: Game, test: Playtest, checks: tuple[Check, ...]) -> tuple[Check, ...]:
    """Return the checks. Undecided ones about numbers that the rules measure or pnp counts are decided by the games."""
    if not test.tallies:
        return checks
    measured = {measure.check for measure in test.rules.measures}
    return tuple(
        _decide_check(game, test, check, measured) if check.status == "undecided" else check for check in checks
    )


def _decide_check(game: Game, test: Playtest, check: Check, measured: set[str]) -> Check:
    answer = test.rules.answers.get(check.id)
    if answer == REPEATS:
        return _decide_repeats(test, check)
    if answer == SECRETS:
        if first := format_first_game_options(test, lambda tally: tally.first_told):
            return replace(check, status="fail", figures=f"not in {first}")
        games = sum(tally.looked for tally in test.tallies.values())
        told = f"no player saw hidden information in {games} random games"
        return replace(check, status="pass", figures=told) if games else check
    if answer is not None:
        return replace(check, status="pass", figures=_describe_count(test, answer))
    return _check_measure(game, test, check) if check.id in measured else check


def _decide_repeats(test: Playtest, check: Check) -> Check:
    if first := format_first_game_options(test, lambda tally: tally.first_unlike):
        return replace(check, status="fail", figures=f"not in {first}")
    games = sum(tally.repeated for tally in test.tallies.values())
    return replace(check, status="pass", figures=f"{games} games played twice with the same result")


def _describe_count(test: Playtest, answer: str) -> str:
    if answer in (WINS, TIES):
        tell = _format_wins if answer == WINS else lambda tally, _: _format_share(tally.ties, tally.games)
        numbers = sorted({players for players, _ in test.tallies})
        return "; ".join(f"{n} players, {_format_shares(_group_by_bot(test, n), tell, n)}" for n in numbers)
    at = [supply.id for supply in test.rules.supplies].index(answer)
    return _format_range_and_mean({bot: tally.peaks[at] for bot, tally in _group_by_bot(test).items()})


def _check_measure(game: Game, test: Playtest, check: Check) -> Check:
    """Return a check with the range and mean of what the rules measure for it. It fails if a game exceeds a bound."""
    parts: list[str] = []
    wrong: list[str] = []
    for at, measure in enumerate(test.rules.measures):
        if measure.check == check.id:
            rows = {row: tally.measured.get(at, Counter()) for row, tally in test.tallies.items()}
            by_bot = {bot: tally.measured.get(at, Counter()) for bot, tally in _group_by_bot(test).items()}
            told = _format_range_and_mean(by_bot)
            wrong += _find_exceeded_bounds(game, test, at, measure)
            if measure.chance is not None:
                told, off = _compare_with_chance(game, test, measure.chance, rows)
                wrong += off
            parts.append(f"{measure.says}: {told}")
    return replace(check, status="fail" if wrong else "pass", figures="; ".join([*parts, *wrong]))


def _find_exceeded_bounds(game: Game, test: Playtest, index: int, measure: Measure) -> Iterator[str]:
    """Yield for each bound that games exceed in measure number `index` a text with the options to replay the first."""
    for bound, words, beyond in ((measure.at_least, "least", int.__lt__), (measure.at_most, "most", int.__gt__)):
        found: dict[PlanRow, int] = {}
        wanted = {n: bound(test.rules.box(game, n, {})) for n in {n for n, _ in test.tallies}} if bound else {}
        for row, tally in test.tallies.items():
            games = [
                number
                for (which, value), number in tally.first_measured.items()
                if which == index and wanted and beyond(value, wanted[row[0]])
            ]
            if games:
                found[row] = min(games)
        if found:
            row, number = min(found.items())
            yield f"beyond {wanted[row[0]]} at {words} first in {format_replay_options(test, row, number)}"


def _compare_with_chance(
    game: Game, test: Playtest, chance: Callable[[Box], float], rows: Mapping[PlanRow, Counter[int]]
) -> tuple[str, list[str]]:
    """Compare how often random games measured 1 with `chance`, which returns the correct probability for a set-up.

    `rows` count the measured numbers. Return the shares by number of players as text, and a text for each wrong one.
    """
    parts: list[str] = []
    wrong: list[str] = []
    for (players, bot), numbers in rows.items():
        if bot == "random":
            seen, games = numbers[1], numbers.total()
            right = chance(test.rules.box(game, players, {}))
            low, high = wilson_interval(seen, games, SURE)
            parts.append(f"{players} players {seen} of {games}, {seen / games:.2%} where {right:.2%} is right")
            if not low <= right <= high:
                wrong.append(f"{players} players: between {low:.2%} and {high:.2%} for all but one in 10,000 reports")
    return ", ".join(parts), wrong


def _format_range_and_mean(by_bot: Mapping[str, Counter[int]]) -> str:
    """Return for each bot lowest, highest and mean of the counted numbers as text; the share of 1 if all are 0 or 1."""
    numbers = {number for counter in by_bot.values() for number in counter}
    parts = []
    for bot, counter in by_bot.items():
        if numbers <= {0, 1}:
            parts.append(f"{_format_share(counter[1], counter.total())} by {bot}")
        elif min(counter) == max(counter):
            parts.append(f"always {min(counter)} by {bot}")
        else:
            parts.append(f"{min(counter)} to {max(counter)}, mean {compute_mean(counter):.1f} by {bot}")
    return ", ".join(parts)


def _format_shares(rows: Mapping[str, Tally], tell: Callable[[Tally, int], str], players: int) -> str:
    """Return for each bot its games and what `tell(tally, players)` says; bots with few games only if all have few."""
    told = {bot: tally for bot, tally in rows.items() if tally.games >= FEW} or rows
    return "; ".join(f"{tally.games} by {bot}: {tell(tally, players)}" for bot, tally in told.items())


def _format_wins(tally: Tally, players: int) -> str:
    if players == 1:
        return f"won {_format_share(tally.wins[0], tally.games)}"
    seats = [f"seat {seat + 1} {_format_share(tally.wins[seat], tally.games)}" for seat in range(players)]
    return f"{', '.join(seats)}, ties {_format_share(tally.ties, tally.games)}"


def _format_share(seen: int, of: int) -> str:
    low, high = wilson_interval(seen, of)
    return f"{seen / of if of else 0:.1%} ({low:.1%} to {high:.1%} at 95 %)"


def _group_by_bot(test: Playtest, players: int | None = None) -> dict[str, Tally]:
    """Return the tallies by bot, of this number of players or of all; all hoarding bots are `hoarders`."""
    together: dict[str, Tally] = {}
    for (number, bot), tally in test.tallies.items():
        if players in (None, number):
            together.setdefault("hoarders" if bot.startswith("hoard:") else bot, Tally()).add_tally(tally)
    return together


def _list_bot_values(bot: str, tally: Tally, players: int) -> Mapping[str, Any]:

    def share(seen: int) -> Mapping[str, Any]:
        low, high = wilson_interval(seen, tally.games)
        return {"games": seen, "low": round(low, 6), "high": round(high, 6)}

    def spread(histogram: Counter[int]) -> Mapping[str, int]:
        return {name: find_quantile(histogram, part) for name, part in (("least", 0), ("median", 0.5), ("most", 1))}

    return {
        "bot": bot, "games": tally.games, "ended": tally.ended,
        "wins": [share(tally.wins[seat]) for seat in range(players)], "ties": share(tally.ties),
        "turns": spread(tally.turns), "choices": spread(tally.choices), "widest choice": tally.widest,
        "scores": spread(tally.scores),
    }  # fmt: skip
