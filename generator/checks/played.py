"""What games between bots say about the box and the rules: do games end, do pieces suffice, do the laws hold."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from generator.checks.record import Check, Status, listed
from generator.games.contract import Rules
from generator.model.game import CheckSpec, Game
from generator.playtest.batch import Row
from generator.playtest.statistics import never_seen, quantile, wilson
from generator.playtest.tally import Tally


@dataclass(frozen=True, slots=True)
class Playtest:
    """The games that were played, by number of players and bot, and what is wrong with each example of the data."""

    rules: Rules
    run: int
    tallies: Mapping[Row, Tally]
    faults: Mapping[str, list[str]]


def examples_hold(game: Game, test: Playtest) -> Iterator[Check]:
    """One check for each example of the data."""
    for example in game.examples:
        faults = test.faults[example.id]
        status: Status = "fail" if faults else "pass"
        moves = f"{len(example.moves)} moves, {len(example.expected)} answers"
        sentence = "what the example says comes out when it is played"
        yield Check(f"example.{example.id}", "example", status, sentence, "; ".join(faults) or moves, example.place)


def not_playable(game: Game, reasons: Iterable[str]) -> Iterator[Check]:
    """That the game can't be played with the readings in force, and why."""
    sentence = "the rules can't be played with the readings in force"
    yield Check("play", "play", "undecided", sentence, "; ".join(reasons), game.places.place("readings"))


def games_end(game: Game, test: Playtest) -> Iterator[Check]:
    """For each number of players, whether every game came to its end."""
    place = game.places.place("players")
    for players in sorted({players for players, _ in test.tallies}):
        rows = {bot: tally for (number, bot), tally in test.tallies.items() if number == players}
        endless = [(bot, tally) for bot, tally in rows.items() if tally.ended < tally.games]
        if endless:
            figures = listed(
                f"{tally.games - tally.ended} of {tally.games} by {bot} don't end ({_seed(test, tally.first_endless)})"
                for bot, tally in endless
            )
            yield Check(f"play.{players}", "play", "fail", f"{players} players: games don't end", figures, place)
        else:
            figures = "; ".join(_course(bot, tally) for bot, tally in rows.items())
            yield Check(f"play.{players}", "play", "pass", f"{players} players: every game ends", figures, place)


def supplies_suffice(game: Game, test: Playtest) -> Iterator[Check]:
    """For each supply, the peak demand against the printed number, how often it ran out, and what happens then.

    Where the draft gives no number, the least that no game exceeded is suggested.
    """
    for at, supply in enumerate(test.rules.supplies):
        kind = game.kinds.get(supply.pieces.split("/", maxsplit=1)[0])
        printed = sum(design.count for design in kind.designs if supply.pieces in (design.id, kind.id)) if kind else 0
        peak = max((max(tally.peaks[at]) for tally in test.tallies.values() if tally.peaks.get(at)), default=0)
        short = sum(tally.short[at] for tally in test.tallies.values())
        figures = [f"{printed} printed, at most {peak} in use at a time ({_by_bot(test, lambda t: _peak(t, at))})"]
        figures.append(_shares(test, lambda tally: tally.short[at], "ran out in"))
        if short:
            figures[-1] += f", first in {_replay(test, *_first(test, lambda tally: tally.first_short.get(at)))}"
        if kind is not None and kind.stated is None and not supply.reading:
            figures.append(_suggestion(printed, peak, short))
        status: Status = "fail" if short and not supply.reading else "pass"
        sentence = f"there are {'too few' if status == 'fail' else 'enough'}: {supply.id}"
        if short and supply.reading:
            sentence = f"they may run out, and a reading says what happens then: {supply.id}"
        place = kind.place if kind else None
        reading = supply.reading if supply.reading in game.readings else ""
        yield Check(f"supply.{supply.id}", "supply", status, sentence, "; ".join(figures), place, reading)


def holes_met(game: Game, test: Playtest) -> Iterator[Check]:
    """For each hole in the rules, how many games came upon it, and how to see the first of them again."""
    for at, hole in enumerate(test.rules.holes):
        met = sum(tally.holes[at] for tally in test.tallies.values())
        reading = game.readings.get(hole.reading)
        place, known = (reading.place, reading.id) if reading else (None, "")
        figures = _shares(test, lambda tally: tally.holes[at], "met in")
        if not met:
            yield Check(f"hole.{hole.id}", "rules", "pass", "the rules say what to do", figures, place, known)
            continue
        figures += f", first in {_replay(test, *_first(test, lambda tally: tally.first_hole.get(at)))}"
        sentence = "the draft does not say what to do"
        yield Check(f"hole.{hole.id}", "rules", "finding" if known else "fail", sentence, figures, place, known)


def laws_decided(test: Playtest, checks: tuple[Check, ...]) -> tuple[Check, ...]:
    """The checks, with those that the rules watch over decided by the games played."""
    laws = {name: at for at, name in enumerate(test.rules.laws)}
    games = sum(tally.games for tally in test.tallies.values())
    decided = []
    for check in checks:
        if check.status != "undecided" or check.id not in laws or not games:
            decided.append(check)
            continue
        at = laws[check.id]
        if any(at in tally.first_broken for tally in test.tallies.values()):
            first = _first(test, lambda tally: tally.first_broken.get(at))
            decided.append(replace(check, status="fail", figures=f"broken in {_replay(test, *first)}"))
        else:
            moves = sum(tally.moves for tally in test.tallies.values())
            decided.append(replace(check, status="pass", figures=f"held after each of {moves} moves in {games} games"))
    return tuple(decided)


def unknown_laws(game: Game, rules: Rules) -> Iterator[Check]:
    """Laws of the rules that the data have no check for: they would never be told of."""
    checks: Mapping[str, CheckSpec] = {spec.id: spec for spec in game.checks}
    for law in rules.laws:
        if law not in checks or not checks[law].undecided:
            sentence = f"the rules watch over the law '{law}', which the data don't have as an undecided check"
            yield Check(f"law.{law}", "rules", "fail", sentence, "add it to the checks, with `undecided: true`")


def _course(bot: str, tally: Tally) -> str:
    """How games went, for one bot: number, length, scores."""
    turns = f"{quantile(tally.turns, 0)}-{quantile(tally.turns, 1)} turns, median {quantile(tally.turns, 0.5)}"
    scores = f"scores {quantile(tally.scores, 0)} to {quantile(tally.scores, 1)}, median {quantile(tally.scores, 0.5)}"
    return f"{tally.games} by {bot}: {turns}, {scores}"


def _peak(tally: Tally, at: int) -> int:
    return max(tally.peaks.get(at, {0: 0}))


def _by_bot(test: Playtest, figure: Callable[[Tally], int]) -> str:
    """The largest figure of each bot's games: `random 12, greedy 9`."""
    most: dict[str, int] = {}
    for (_, bot), tally in test.tallies.items():
        most[bot] = max(most.get(bot, 0), figure(tally))
    return ", ".join(f"{bot} {number}" for bot, number in most.items())


def _shares(test: Playtest, times: Callable[[Tally], int], what: str) -> str:
    """In how many games of each bot something happened, with the shares that are believable at 95 %.

    Bots are kept apart: their games are no sample of one thing.
    """
    seen: Counter[str] = Counter()
    games: Counter[str] = Counter()
    for (_, bot), tally in test.tallies.items():
        seen[bot] += times(tally)
        games[bot] += tally.games
    if not seen.total():
        bound = f" (random: at most {never_seen(games['random']):.2%} at 95 %)" if games["random"] else ""
        return f"{what} none of {games.total()} games{bound}"
    parts = []
    for bot, number in seen.items():
        if number:
            low, high = wilson(number, games[bot])
            parts.append(f"{number} of {games[bot]} by {bot} ({low:.1%} to {high:.1%} at 95 %)")
    return f"{what} {', '.join(parts)}"


def _suggestion(printed: int, peak: int, short: int) -> str:
    """What number to print where the draft leaves it open."""
    if short:
        return f"the draft gives no number: more than {printed} are needed"
    return f"the draft gives no number: {peak} is the least that no game exceeded"


def _first(test: Playtest, number: Callable[[Tally], int | None]) -> tuple[Row, int]:
    """The row and number of the first game of which the tallies know one."""
    found = {row: game for row, tally in test.tallies.items() if (game := number(tally)) is not None}
    return min(found.items())


def _seed(test: Playtest, game: int | None) -> str:
    return f"--seed {test.run}/{game}"


def _replay(test: Playtest, row: Row, game: int) -> str:
    players, bot = row
    return f"--players {players} --bot {bot} {_seed(test, game)}"
