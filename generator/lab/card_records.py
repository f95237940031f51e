"""Card records: what happens to each card in many games, and how much luck its draws were."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, sqrt

from generator.books.measure_names import Interval
from generator.lab.card_zones import CERTAIN, DRAWN, SEAT_CODES, CardHistory, CardPlaces, CardZones
from generator.lab.measures import BROKEN, GameMeasure, Histogram, Sums, common_denominator
from generator.lab.statistics import USUAL, quantile_of_normal
from generator.play.bot_registry import assign_bots
from generator.play.series import StepSeries
from generator.play.table_text import find_named_designs
from generator.rules.engine.contract import Box, Rules
from generator.rules.engine.kernel import Mode, Record
from generator.rules.engine.table import Seed

# Players who draw more cards have more of every design, and longer games have more draws. So seats that drew a design
# win more often, regardless of its worth. But no play affects which card of a pile comes next. So each draw counts by
# its luck: 1 for the design less its probability, or 0 less that probability. The mean of luck is 0 in every game. Luck
# is an instrument in the sense of Wright (The Tariff on Animal and Vegetable Oils, 1928, appendix B): the part of the
# wins that correlates with luck, divided by the part of having the design that correlates with it, is the effect of
# having the design. No strata are needed, because luck has the same mean for all seats and numbers of players.
#
# Each game gives three numbers (gains by luck, having by luck, luck), summed over its seats. Stored are their sums, the
# sums of their products and of all gains, and the numbers of seats with the design and of all seats.
GAMES, GAIN, HAVING, LUCK = range(4)
GAIN_GAIN, GAIN_HAVING, GAIN_LUCK, HAVING_HAVING, HAVING_LUCK, LUCK_LUCK, GAINED, HAD, SEATS = range(4, 13)


def sum_luck(gains: Sequence[int], drawn: Sequence[bool], luck: Sequence[int]) -> Mapping[int, int]:
    """Return the sums and products of one game, from the win over a fair share, draws and luck of each seat."""
    gain = sum(by * much for by, much in zip(gains, luck, strict=True))
    having = sum(much for had, much in zip(drawn, luck, strict=True) if had)
    all_luck = sum(luck)
    return {
        GAMES: 1, GAIN: gain, HAVING: having, LUCK: all_luck,
        GAIN_GAIN: gain * gain, GAIN_HAVING: gain * having, GAIN_LUCK: gain * all_luck,
        HAVING_HAVING: having * having, HAVING_LUCK: having * all_luck, LUCK_LUCK: all_luck * all_luck,
        GAINED: sum(gains), HAD: sum(drawn), SEATS: len(drawn),
    }  # fmt: skip


_CLEAR = 4.0
"""Luck of draws must decide who has a card at least this clearly (standard deviations), or no worth is stated."""

_NOTHING = 1e-9
"""Variances below this count as zero."""


@dataclass(frozen=True, slots=True)
class LuckTable:
    """Sums over all games of one table for one design. Gains (wins over a fair share) are multiplied by `whole`."""

    sums: Mapping[int, int]
    whole: int


def estimate_worth(tables: Iterable[LuckTable], confidence: float = USUAL) -> Interval:
    """Return the change of a seat's share of wins (-1 to 1) from drawing the design instead of other cards.

    It is the gain that goes with lucky draws over the draws that go with luck (an instrumental variable). Its interval
    uses the residuals of whole games, because seats of one game depend on each other, over all tables together. The
    interval is infinite if draws hardly decide who has the design, or if all games end alike.
    """
    known = [table for table in tables if table.sums.get(SEATS)]
    having, noise = (sum(parts) for parts in zip(*(_weigh_table(table, 0.0, 1.0) for table in known), strict=True))
    if having <= _CLEAR * sqrt(noise) or having <= 0:
        return Interval(0.0, -inf, inf)
    worth = sum(_weigh_table(table, 1.0, 0.0)[0] for table in known) / having
    spread = sum(_weigh_table(table, 1.0, -worth)[1] for table in known)
    if spread <= _NOTHING:
        return Interval(0.0, -inf, inf)
    half = quantile_of_normal(confidence) * sqrt(spread) / having
    return Interval(worth, worth - half, worth + half)


def _weigh_table(table: LuckTable, gains: float, having: float) -> tuple[float, float]:
    """Return the sum over games of luck times (weighted gain + weighted draws - their mean), and its variance."""
    sums = table.sums
    gains /= table.whole
    mean = gains * sums[GAINED] / sums[SEATS] + having * sums[HAD] / sums[SEATS]
    total = gains * sums[GAIN] + having * sums[HAVING] - mean * sums[LUCK]
    squares = gains * gains * sums[GAIN_GAIN] + having * having * sums[HAVING_HAVING] + mean * mean * sums[LUCK_LUCK]
    products = gains * having * sums[GAIN_HAVING] - mean * (gains * sums[GAIN_LUCK] + having * sums[HAVING_LUCK])
    variance = squares + 2 * products - total * total / sums[GAMES]
    return total / CERTAIN, variance / (CERTAIN * CERTAIN)


CARD, LEFT, LUCK_WITH = "card ", "left the hand ", "luck with "
"""Prefixes of the names of measures for one design: its history by seat, the zones it went to from hands, and its luck.

The first is a histogram of `pack_record` numbers. The second counts by the number of a kind of zone. The third has
sums.
"""

TAKEN_BY = "taken by "
"""Prefix of a measure for one kind of move: counts of pairs, one design taken instead of another.

A pair is encoded as `place x designs + other's place`, with the places among the box's designs.
"""


@dataclass(frozen=True, slots=True)
class CardWishes:
    """The user's options: zones where a card counts as played (default: all visible ones), and fields to compare."""

    played: tuple[str, ...] = ()
    better: tuple[str, ...] = ()
    worse: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardPlan:
    """How to track cards: the zones that hold cards, and the kinds of zones that count as played.

    `dominated` is reported with the result: pairs of a design and a better one by the data.
    """

    where: CardPlaces
    played: tuple[str, ...]
    dominated: tuple[tuple[str, str], ...] = ()

    def to_data(self) -> dict[str, list[str]]:
        """Return plain values for a file."""
        told = self.where.to_data() | {"played": list(self.played)}
        return told | {"dominated": [f"{design} < {other}" for design, other in self.dominated]}


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """What happened to one design in a game: a code for each seat (as in `CardHistory`), and each seat's win."""

    codes: tuple[int, ...]
    won: tuple[float, ...]


def pack_record(codes: Sequence[int], winners: Iterable[int]) -> int:
    """Return the seats' codes and the winners packed into one number, which `unpack_record` decodes."""
    number = sum(1 << seat for seat in winners)
    for code in reversed(codes):
        number = SEAT_CODES * number + code
    return number


def unpack_record(number: int, players: int) -> SeatRecord:
    """Return the record that a number from `pack_record` encodes."""
    codes = []
    for _ in range(players):
        number, code = divmod(number, SEAT_CODES)
        codes.append(code)
    winners = number.bit_count()
    return SeatRecord(tuple(codes), tuple((number >> seat & 1) / max(1, winners) for seat in range(players)))


def list_card_designs(box: Box) -> tuple[str, ...]:
    """Return the designs of the cards in the order of the data."""
    return tuple(dict.fromkeys(copy.split("#")[0] for copy in box.cards))


def name_card_measures(box: Box) -> tuple[str, ...]:
    """Return the names of the measures that are counted when cards are tracked."""
    return (*(f"{what}{design}" for what in (CARD, LEFT, LUCK_WITH) for design in list_card_designs(box)), BROKEN)


def make_card_measures(box: Box) -> dict[str, GameMeasure]:
    """Return the measures for tracked cards. Only that of broken laws has a value for each game."""
    wholes = {name: common_denominator(box) if name.startswith(LUCK_WITH) else 1 for name in name_card_measures(box)}
    return {name: GameMeasure(name, lambda figures: figures, n, share=name == BROKEN) for name, n in wholes.items()}


class CardFollower:
    """Plays games and records what happens to each card."""

    def __init__(self, rules: Rules, box: Box, bots: Sequence[str], mode: Mode, plan: CardPlan):
        self._rules, self._box, self._plan = rules, box, plan
        self._steps = StepSeries(rules, box, mode, bots)
        self._designs = list_card_designs(box)
        self._choosing = [bot != "random" for bot in assign_bots(bots, box.players)]
        self._places = {design: at for at, design in enumerate(self._designs)}
        self._whole = common_denominator(box)
        self._zones = CardZones(plan.where, box.players)

    def play_games(self, run: int, first: int, games: int) -> Sums:
        """Play games `first` to `first + games - 1` and return their sums."""
        measures: dict[str, Histogram] = {name: Counter() for name in name_card_measures(self._box)}
        for game in range(first, first + games):
            story = CardHistory(self._zones, self._plan.played, self._box)
            self._play_game(Seed(run, game), story, measures)
            self._add_game(measures, story, self._steps.find_winners())
            measures[BROKEN][int(self._steps.broken > 0)] += 1
        return Sums(games, measures)

    def _play_game(self, seed: Seed, story: CardHistory, measures: dict[str, Histogram]) -> None:
        rules, box, steps = self._rules, self._box, self._steps
        seat, named = -1, frozenset[str]()
        for mover, move, moves in steps.play_game(seed):
            state = steps.state
            story.record_state(rules.zones(state, box), seat, named)
            if len(moves) > 1 and self._choosing[mover]:
                self._count_taken(measures, state, move, moves)
            seat = mover
            named = frozenset(find_named_designs(rules.say(state, box, move))) if len(moves) > 1 else frozenset()
        story.record_state(rules.zones(steps.state, box), seat, named)
        story.finish()

    def _count_taken(self, measures: dict[str, Histogram], state: Record, move: int, moves: Sequence[int]) -> None:
        """Count each design that a move takes instead of others of its kind, offered by moves with the same phrase."""
        said = {one: self._rules.say(state, self._box, one) for one in moves}
        chosen, phrase = find_named_designs(said[move]), said[move].phrase
        others = {
            design for one in said.values() if one.phrase == phrase for design in find_named_designs(one)
        } - chosen
        for design in sorted(chosen):
            for other in sorted(others):
                if design.split("/")[0] == other.split("/")[0] and {design, other} <= self._places.keys():
                    pair = self._places[design] * len(self._places) + self._places[other]
                    measures.setdefault(f"{TAKEN_BY}{phrase}", Counter())[pair] += 1

    def _add_game(self, measures: Mapping[str, Histogram], story: CardHistory, winners: Sequence[int]) -> None:
        players, whole = self._box.players, self._whole
        part = whole // max(1, len(winners))
        gains = [(part if seat in winners else 0) - whole // players for seat in range(players)]
        for design in self._designs:
            codes = story.codes.get(design, [0] * players)
            measures[f"{CARD}{design}"][pack_record(codes, winners)] += 1
            luck = story.luck.get(design, [0] * players)
            drawn = [(code & 3) >= DRAWN for code in codes]
            measures[f"{LUCK_WITH}{design}"].update(sum_luck(gains, drawn, luck))
        for (design, kind), times in story.left.items():
            measures[f"{LEFT}{design}"][kind] += times
