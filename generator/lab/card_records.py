"""Card records: where cards can be, what happens to each in many games, and how much luck its draws were."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb, inf, sqrt

from generator.books.measure_names import Interval
from generator.lab.measures import BROKEN, GameMeasure, Histogram, Sums, common_denominator
from generator.lab.statistics import USUAL, quantile_of_normal
from generator.play.bot_registry import TableBots, assign_bots
from generator.play.series import MOST_MOVES, StepSeries
from generator.play.table_text import find_named_designs
from generator.rules.engine.contract import Box, Rules, Zones
from generator.rules.engine.kernel import Mode, Record
from generator.rules.engine.table import Seed, Table, zone_kind

HAND = "hand"
"""A zone with this name belongs to its seat, even if others can see its contents."""

_GAMES, _EVERY = 3, 5
"""Number of trial games for each number of players; in these, every fifth move is examined."""

_MIXES = (1, 2)
"""Seeds for shuffling hidden cards before a move. If another card then arrives, it came by chance."""

_TRIAL_RUN = 0
"""Run (part of the random seed) of the trial games. No experiment uses it by default."""


@dataclass(frozen=True, slots=True)
class CardPlaces:
    """The kinds of zones that hold cards. A kind is a zone's name without numbers: `hand`, `set-down`.

    `held` are hands: cards arrive by chance and only their seat sees them. `before` are other zones of a seat. `hidden`
    zones are seen by no player. `others` are the rest. `draws` are pairs of kinds: chance decides which card moves from
    the first, which has no owner, to the second. `out` are visible kinds that cards enter from hands.
    """

    held: tuple[str, ...]
    before: tuple[str, ...]
    hidden: tuple[str, ...]
    others: tuple[str, ...]
    draws: tuple[tuple[str, str], ...]
    out: tuple[str, ...]

    @property
    def kinds(self) -> tuple[str, ...]:
        """All kinds of zones in ascending order."""
        return tuple(sorted((*self.held, *self.before, *self.hidden, *self.others)))

    def to_data(self) -> dict[str, list[str]]:
        """Return the kinds of zones as plain values for a file."""
        names = {"held": self.held, "before": self.before, "hidden": self.hidden, "others": self.others}
        told = {name: list(kinds) for name, kinds in names.items()}
        return told | {"draws": [f"{source} > {target}" for source, target in self.draws]}


def seat_of_zone(zone: str, players: int) -> int:
    """Return the seat (from 0) of the first number in a zone's name (1 for `set 2 6`); without one -1, 0 if alone."""
    for word in zone.split():
        if word.isdecimal():
            return int(word) - 1 if 1 <= int(word) <= players else -1
    return 0 if players == 1 else -1


class _ZoneObserver:
    """Watches a few games: which seats see each kind of zone, and which cards move by chance or by choice."""

    def __init__(self) -> None:
        self.states: Counter[str] = Counter()
        self.unseen: Counter[str] = Counter()
        self.private: Counter[str] = Counter()
        self.ways: Counter[tuple[str, str]] = Counter()
        self.chance: Counter[tuple[str, str]] = Counter()
        self.owned: dict[str, bool] = {}

    def observe_state(self, table: Table) -> None:
        """Record which seats can see the contents of which zones."""
        players = table.box.players
        seen = [table.observe(seat).zones for seat in range(players)]
        for zone in dict.fromkeys(_zone_by_card(table.list_zones()).values()):
            kind, seat = zone_kind(zone), seat_of_zone(zone, players)
            eyes = {at for at, zones in enumerate(seen) if zone in zones and all(one.piece for one in zones[zone])}
            self.states[kind] += 1
            self.unseen[kind] += not eyes
            self.private[kind] += eyes == {seat} and players > 1
            owned = seat >= 0 and (players > 1 or kind == HAND)
            self.owned[kind] = self.owned.get(kind, True) and owned

    def make_move(self, table: Table, move: int) -> None:
        """Make a move and record which cards came by chance: another order of hidden cards brings other ones."""
        lay = _zone_by_card(table.list_zones())
        twins = [table.copy_as_seen(table.seat, chance) for chance in _MIXES]
        table.apply(move)
        moved = {piece: zone for piece, zone in _zone_by_card(table.list_zones()).items() if lay.get(piece) != zone}
        if not moved:
            return
        for twin in twins:
            twin.apply(move)
        otherwise = [_zone_by_card(twin.list_zones()) for twin in twins]
        for piece, zone in moved.items():
            way = zone_kind(lay.get(piece, "")), zone_kind(zone)
            self.ways[way] += 1
            self.chance[way] += any(
                lies[piece] != zone and any(lay.get(one) != zone for one, there in lies.items() if there == zone)
                for lies in otherwise
            )


def find_card_places(rules: Rules, boxes: Iterable[Box]) -> CardPlaces:
    """Play a few random games with each box, and return the kinds of zones that hold cards. Always the same result."""
    looks = _ZoneObserver()
    dealt: set[str] = set()
    for box in boxes:
        for game in range(_GAMES):
            seed = Seed(_TRIAL_RUN, game)
            table, bot = Table(rules, box, seed), TableBots(rules, box, seed, ("random",))
            dealt |= set(map(zone_kind, _zone_by_card(table.list_zones()).values()))
            while not table.is_over and len(table.moves) < MOST_MOVES:
                if len(table.moves) % _EVERY == 0:
                    looks.observe_state(table)
                looks.make_move(table, bot.choose(table.state, table.list_legal_moves()))
            looks.observe_state(table)
    kinds = sorted(looks.states)
    hidden = {kind for kind in kinds if 2 * looks.unseen[kind] > looks.states[kind]}
    mine = {kind for kind in kinds if looks.owned[kind]} - hidden
    draws = {way for way, n in looks.ways.items() if 2 * looks.chance[way] > n and way[0] not in mine}
    by_chance = dealt | {target for _, target in draws}
    private = {kind for kind in kinds if 2 * looks.private[kind] > looks.states[kind]}
    held = {kind for kind in mine if kind == HAND or (kind in private and kind in by_chance)}
    out = {target for source, target in looks.ways if source in held} - held - hidden
    return CardPlaces(
        held=tuple(sorted(held)),
        before=tuple(sorted(mine - held)),
        hidden=tuple(sorted(hidden)),
        others=tuple(sorted(set(kinds) - mine - hidden)),
        draws=tuple(sorted(way for way in draws if way[1] in mine)),
        out=tuple(sorted(out)),
    )


def _zone_by_card(zones: Zones) -> dict[str, str]:
    return {piece: zone for zone, pieces in zones.items() for piece in pieces if "#" in piece}


TAKEN, DRAWN, DEALT = 1, 2, 3
"""Codes for how a seat got a design: by a choice, by a draw during the game, or in the set-up. 0 means never."""

PLAYED, KEPT = 4, 8
"""Flags added to the code: the seat played a copy from its hand; a copy was left in its hand at the end."""

SEAT_CODES = 16
"""Number of different codes of a seat for a design."""

CERTAIN = 1_000_000
"""The whole number that represents a probability of 1."""


def _design_of(copy: str) -> str:
    return copy.partition("#")[0]


def _kind_of(piece: str) -> str:
    return piece.partition("/")[0]


@cache
def chance_of_drawing(cards: int, copies: int, drawn: int) -> int:
    """Return the probability (in units of CERTAIN) that `drawn` of `cards` cards include one of the copies."""
    every, without = comb(cards, drawn), comb(cards - copies, drawn)
    return CERTAIN - (2 * CERTAIN * without + every) // (2 * every)


class CardZones:
    """Finds the kind and the owner of each zone at a table, by the kinds in `CardPlaces`."""

    def __init__(self, where: CardPlaces, players: int):
        self.where, self._players = where, players
        self._known: dict[str, tuple[str, int]] = {"": ("", -1)}
        self._kinds = where.kinds

    def find_place(self, zone: str) -> tuple[str, int]:
        """Return the kind of a zone and the seat that owns it (from 0; -1 for none)."""
        if zone not in self._known:
            kind = zone_kind(zone)
            owned = kind in self.where.held or kind in self.where.before
            self._known[zone] = kind, seat_of_zone(zone, self._players) if owned else -1
        return self._known[zone]

    def find_deal_piles(self, zones: Zones, kind: str, seat: int) -> Iterator[Mapping[str, int]]:
        """Yield the hands and piles that were one pile before the deal of a seat's cards of this `kind` of hand.

        The piles are hidden zones with the same kinds of cards. If they have seat numbers, each seat has its own.
        Otherwise all seats share them.
        """
        hands = [(zone, pieces) for zone, pieces in zones.items() if self.find_place(zone)[0] == kind]
        dealt = {_kind_of(copy) for _, pieces in hands for copy in pieces}
        stocks = []
        for zone, pieces in zones.items():
            there = self.find_place(zone)[0]
            stock = there in self.where.hidden or (there, kind) in self.where.draws
            if stock and not dealt.isdisjoint(map(_kind_of, pieces)):
                stocks.append((zone, pieces))
        own = self._players > 1 and any(seat_of_zone(zone, self._players) >= 0 for zone, _ in stocks)
        for zone, pieces in (*hands, *stocks):
            if not own or seat_of_zone(zone, self._players) in (-1, seat):
                yield pieces

    def kind_number(self, kind: str) -> int:
        """Return the number of a kind of zone in the counts. All unknown kinds share the last number."""
        return self._kinds.index(kind) if kind in self._kinds else len(self._kinds)


class CardHistory:
    """Records what happens to the cards in one game.

    `codes` says by design and seat how the seat got the design and what it did with it. `left` counts copies that left
    a hand, by design and number of the target zone's kind. `luck` has by design and seat how often a draw brought it
    (at most once) less the expected number, in units of `CERTAIN`.
    """

    def __init__(self, zones: CardZones, played: Iterable[str], box: Box):
        self._zones, self._played, self._seats = zones, frozenset(played), box.players
        self._lay: Zones = {}
        self._at: dict[str, str] = {}
        self.codes: dict[str, list[int]] = {}
        self.left: Counter[tuple[str, int]] = Counter()
        self.luck: dict[str, list[int]] = {}

    def record_state(self, zones: Zones, mover: int, named: frozenset[str]) -> None:
        """Record how the zones changed by a seat's move, which named these designs. Call it first after the deal."""
        moved = []
        for zone, pieces in zones.items():
            if self._lay.get(zone) != pieces:
                moved += [(copy, zone) for copy in pieces if self._at.get(copy) != zone and "#" in copy]
        draws: dict[tuple[str, str, int], list[str]] = {}
        for copy, zone in moved:
            way = self._find_move(copy, zone, mover)
            if way is not None:
                draws.setdefault(way, []).append(_design_of(copy))
        dealt = not self._lay
        for (source, kind, seat), designs in draws.items():
            chance = dealt or ((self._zones.find_place(source)[0], kind) in self._zones.where.draws)
            if chance and named.isdisjoint(designs):
                piles = [self._lay.get(source, {})] if self._lay else self._zones.find_deal_piles(zones, kind, seat)
                pile = Counter(_design_of(copy) for pieces in piles for copy in pieces if "#" in copy)
                cards, drawn, come = pile.total(), len(designs), frozenset(designs)
                for each, copies in pile.items():
                    if self._seat_numbers(self.codes, each)[seat] & 3 < DRAWN:
                        luck = (CERTAIN if each in come else 0) - chance_of_drawing(cards, copies, drawn)
                        self._seat_numbers(self.luck, each)[seat] += luck
                how = DEALT if dealt else DRAWN
            else:
                how = TAKEN
            for design in designs:
                codes = self._seat_numbers(self.codes, design)
                codes[seat] = codes[seat] & ~3 | max(codes[seat] & 3, how)
        self._lay = zones
        self._at |= dict(moved)

    def _find_move(self, copy: str, zone: str, mover: int) -> tuple[str, str, int] | None:
        """Count a card that its holder moves to `zone`. Return old zone, new kind, new seat if a new seat gets it."""
        lay = self._at.get(copy, "")
        (source, was), (target, owner) = self._zones.find_place(lay), self._zones.find_place(zone)
        held = self._zones.where.held
        if was >= 0 and source in held and mover == was and (owner != was or target not in held):
            design = _design_of(copy)
            self.left[design, self._zones.kind_number(target)] += 1
            if target in self._played:
                self._seat_numbers(self.codes, design)[was] |= PLAYED
        return (lay, target, owner) if owner >= 0 and owner != was else None

    def _seat_numbers(self, numbers: dict[str, list[int]], design: str) -> list[int]:
        return numbers.setdefault(design, [0] * self._seats)

    def finish(self) -> None:
        """Mark the cards that are still in hands at the end of the game."""
        for copy, zone in self._at.items():
            kind, owner = self._zones.find_place(zone)
            if owner >= 0 and kind in self._zones.where.held:
                self._seat_numbers(self.codes, _design_of(copy))[owner] |= KEPT


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
    """Return a game's sums by number (`GAIN_LUCK`) from each seat's win over a fair share, if it drew, and its luck."""
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
    """Return the sum over games of luck times (`gains` * gain + `having` * draws - their mean), and its variance."""
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
        """Return the plan as plain values for a file."""
        told = self.where.to_data() | {"played": list(self.played)}
        return told | {"dominated": [f"{design} < {other}" for design, other in self.dominated]}


def pack_record(codes: Sequence[int], winners: Iterable[int]) -> int:
    """Return the seats' codes and the winners packed into one number, which `unpack_record` decodes."""
    number = sum(1 << seat for seat in winners)
    for code in reversed(codes):
        number = SEAT_CODES * number + code
    return number


def unpack_record(number: int, players: int) -> tuple[list[int], list[float]]:
    """Return each seat's code and share of the win, which a number from `pack_record` encodes."""
    codes = []
    for _ in range(players):
        number, code = divmod(number, SEAT_CODES)
        codes.append(code)
    winners = number.bit_count()
    return codes, [(number >> seat & 1) / max(1, winners) for seat in range(players)]


def list_card_designs(box: Box) -> tuple[str, ...]:
    """Return the designs of the cards in the order of the data."""
    return tuple(dict.fromkeys(copy.split("#")[0] for copy in box.cards))


def name_card_measures(box: Box) -> tuple[str, ...]:
    """Return the names of the measures that are counted when cards are tracked."""
    return (*(f"{what}{design}" for what in (CARD, LEFT, LUCK_WITH) for design in list_card_designs(box)), BROKEN)


def make_card_measures(box: Box) -> dict[str, GameMeasure]:
    """Return the measures for tracked cards: only their names, `whole` and `share`, as `CardFollower` counts them."""
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
