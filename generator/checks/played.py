"""What games between bots say about the box and the rules: do games end, do pieces suffice, do the laws hold."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from shlex import quote

from generator.checks.record import Check, Status, first_entries
from generator.dataclass import dataclass
from generator.games.engine.contract import Hole, Rules
from generator.model.data_fields import CheckSpec
from generator.model.game import Game
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
        moves = f"moves: {len(example.moves)}, answers: {len(example.expected)}"
        sentence = "what the example says comes out when it is played"
        yield Check(f"example.{example.id}", "example", status, sentence, "; ".join(faults) or moves, example.place)


def not_playable(game: Game, reasons: Iterable[str]) -> Iterator[Check]:
    """That the game can't be played with the readings in force, and why."""
    sentence = "the rules can't be played with the readings in force"
    yield Check("play", "play", "undecided", sentence, "; ".join(reasons), game.places.place("readings"))


STOPPED = "play.stopped"
"""The check that says that not all games were played."""


def interrupted_play(test: Playtest, *, kept: bool) -> Iterator[Check]:
    """That the user has stopped before all games were played: everything is said of those that were."""
    games = sum(tally.games for tally in test.tallies.values())
    more = "; the same command goes on from there" if kept else ""
    yield Check(STOPPED, "play", "undecided", "it was stopped before all games were played", f"{games} games{more}")


def games_end(game: Game, test: Playtest) -> Iterator[Check]:
    """For each number of players, whether every game came to its end."""
    place = game.places.place("players")
    for players in sorted({players for players, _ in test.tallies}):
        rows = {bot: tally for (number, bot), tally in test.tallies.items() if number == players}
        endless = [(bot, tally) for bot, tally in rows.items() if tally.ended < tally.games]
        if endless:
            figures = first_entries(
                f"{tally.games - tally.ended} of {tally.games} by {bot} don't end ({_seed(test, tally.first_endless)})"
                for bot, tally in endless
            )
            yield Check(f"play.{players}", "play", "fail", f"{players} players: games don't end", figures, place)
        else:
            figures = "; ".join(_course(bot, tally) for bot, tally in _hoarders_together(rows).items())
            yield Check(f"play.{players}", "play", "pass", f"{players} players: every game ends", figures, place)


def supplies_suffice(game: Game, test: Playtest, checks: Iterable[Check]) -> Iterator[Check]:
    """For each supply, the peak demand against the printed number, how often it ran out, and what happens then.

    Where the draft gives no number, the least that no game exceeded is suggested. `checks` have the exact bounds.
    """
    if test.tallies:
        bounds = {check.id: check for check in checks}
        for at, supply in enumerate(test.rules.supplies):
            yield _supply(game, test, at, bounds.get(supply.bound))


def _supply(game: Game, test: Playtest, at: int, bound: Check | None) -> Check:
    supply = test.rules.supplies[at]
    kind = game.kinds.get(supply.pieces.split("/", maxsplit=1)[0])
    printed = sum(design.count for design in kind.designs if supply.pieces in (design.id, kind.id)) if kind else 0
    peaks = {row: max(tally.peaks.get(at, (0,))) for row, tally in test.tallies.items()}
    short = {row: tally.short[at] for row, tally in test.tallies.items()}
    figures = [f"{printed} printed", f"at most {max(peaks.values())} in use at a time{_peak_bots(peaks)}"]
    figures.append(_shares(test, short, "wanted and lacking in"))
    ran_out = any(short.values())
    if ran_out:
        figures[-1] += f", first in {first_game(test, lambda tally: tally.first_short.get(at))}"
    if kind is not None and kind.stated is None:
        enough = f"{max(peaks.values())} is the least that no game exceeded"
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


def hole_checks(game: Game, test: Playtest) -> Iterator[Check]:
    """For each hole in the rules, how many games came upon it, and how to see the first of them again."""
    return (_hole(game, test, at, hole) for at, hole in enumerate(test.rules.holes) if test.tallies)


def _hole(game: Game, test: Playtest, at: int, hole: Hole) -> Check:
    reading = game.readings.get(hole.reading)
    place, known = (reading.place, reading.id) if reading else (None, "")
    met = {row: tally.holes[at] for row, tally in test.tallies.items()}
    figures = _shares(test, met, "met in")
    if not any(met.values()):
        return Check(f"hole.{hole.id}", "rules", "pass", "the rules say what to do", figures, place, known)
    figures += f", first in {first_game(test, lambda tally: tally.first_hole.get(at))}"
    status: Status = "finding" if known else "fail"
    return Check(f"hole.{hole.id}", "rules", status, "the draft does not say what to do", figures, place, known)


def decide_laws(test: Playtest, checks: tuple[Check, ...]) -> tuple[Check, ...]:
    """The checks, with those that the rules watch over decided by the games played."""
    laws = {name: at for at, name in enumerate(test.rules.laws)}
    if not test.tallies:
        return checks
    return tuple(
        _law(test, check, laws[check.id]) if check.status == "undecided" and check.id in laws else check
        for check in checks
    )


def _law(test: Playtest, check: Check, at: int) -> Check:
    if any(at in tally.first_broken for tally in test.tallies.values()):
        first = first_game(test, lambda tally: tally.first_broken.get(at))
        return replace(check, status="fail", figures=f"broken in {first}")
    moves = sum(tally.moves for tally in test.tallies.values())
    games = sum(tally.games for tally in test.tallies.values())
    return replace(check, status="pass", figures=f"held after each of {moves} moves in {games} games")


def unknown_laws(game: Game, rules: Rules) -> Iterator[Check]:
    """Laws of the rules that the data have no check for: they would never be told of."""
    checks: Mapping[str, CheckSpec] = {spec.id: spec for spec in game.checks}
    for law in rules.laws:
        if law not in checks or not checks[law].undecided:
            sentence = f"the rules watch over the law '{law}', which the data don't have as an undecided check"
            yield Check(f"law.{law}", "rules", "fail", sentence, "add it to the checks, with `undecided: true`")


def _hoarders_together(rows: Mapping[str, Tally]) -> dict[str, Tally]:
    """The tallies by bot, with one for all that hoard something."""
    together: dict[str, Tally] = {}
    for bot, tally in rows.items():
        together.setdefault(bot_label(bot), Tally()).join(tally)
    return together


def bot_label(bot: str) -> str:
    """The bot's name in figures: all that hoard something are told of together."""
    return "hoarders" if bot.startswith("hoard:") else bot


def _course(bot: str, tally: Tally) -> str:
    """How games went, for one bot: number, length, scores."""
    turns = f"{quantile(tally.turns, 0)}-{quantile(tally.turns, 1)} turns, median {quantile(tally.turns, 0.5)}"
    scores = f"scores {quantile(tally.scores, 0)} to {quantile(tally.scores, 1)}, median {quantile(tally.scores, 0.5)}"
    low, middle, high = (quantile(tally.choices, part) for part in (0, 0.5, 1))
    choices = f"{low}-{high} choices, median {middle}, between {tally.widest} moves at most"
    return f"{tally.games} by {bot}: {turns}, {choices}, {scores}"


def _peak_bots(peaks: Mapping[Row, int]) -> str:
    """Which bot came to the peak, unless it was the random one, and how far that came."""
    most = max(peaks.values())
    by_random = max((peak for (_, bot), peak in peaks.items() if bot == "random"), default=None)
    if by_random is None or by_random == most:
        return ""
    bot = next(bot for (_, bot), peak in peaks.items() if peak == most)
    return f" (by {bot}; {by_random} at random)"


def _shares(test: Playtest, times: Mapping[Row, int], what: str) -> str:
    """In how many games something happened, with the shares of random games that are believable at 95 %.

    Other bots are kept apart: their games are no sample of what players do.
    """
    random, others = (_sums(test, times, at_random=at_random) for at_random in (True, False))
    games = random[1] + others[1]
    if not random[0] + others[0]:
        bound = f" (at random: at most {never_seen(random[1]):.2%} at 95 %)" if random[1] else ""
        return f"{what} none of {games} games{bound}"
    parts = []
    if random[1]:
        low, high = wilson(*random)
        parts.append(f"{random[0]} of {random[1]} games at random ({low:.1%} to {high:.1%} at 95 %)")
    if others[1]:
        parts.append(f"{others[0]} of {others[1]} by other bots")
    return f"{what} {', '.join(parts)}"


def _sums(test: Playtest, times: Mapping[Row, int], *, at_random: bool) -> tuple[int, int]:
    """How often something happened, in how many games: those of the random bot, or those of all others."""
    rows = [row for row in test.tallies if (row[1] == "random") == at_random]
    return sum(times[row] for row in rows), sum(test.tallies[row].games for row in rows)


def first_game(test: Playtest, number: Callable[[Tally], int | None]) -> str:
    """How to play again the first game, of the first row, of which a tally knows one."""
    found = {row: game for row, tally in test.tallies.items() if (game := number(tally)) is not None}
    return replay(test, *min(found.items()))


def _seed(test: Playtest, game: int | None) -> str:
    return f"--seed {test.run}/{game}"


def replay(test: Playtest, row: Row, game: int) -> str:
    """The options that play a game again."""
    players, bot = row
    return f"--players {players} --bot {quote(bot)} {_seed(test, game)}"
