"""Card zones: where the cards of a game can be, and where each card went during one game."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import comb

from generator.play.bot_registry import TableBots
from generator.play.series import MOST_MOVES
from generator.rules.engine.contract import Box, Rules, Zones
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
        """Return plain values for a file."""
        names = {"held": self.held, "before": self.before, "hidden": self.hidden, "others": self.others}
        told = {name: list(kinds) for name, kinds in names.items()}
        return told | {"draws": [f"{source} > {target}" for source, target in self.draws]}


def seat_of_zone(zone: str, players: int) -> int:
    """Return the seat (from 0) that the first number in a zone's name means (1 for `set 2 6`), or -1 without one."""
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
            self.chance[way] += any(lies[piece] != zone and _has_arrived(lay, lies, zone) for lies in otherwise)


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


def _has_arrived(lay: Mapping[str, str], lies: Mapping[str, str], zone: str) -> bool:
    return any(there == zone and lay.get(piece) != zone for piece, there in lies.items())


def _zone_by_card(zones: Zones) -> dict[str, str]:
    return {piece: zone for zone, pieces in zones.items() for piece in pieces if "#" in piece}


TAKEN, DRAWN, DEALT = 1, 2, 3
"""Codes for how a seat got a design: by a choice, by a draw during the game, or in the set-up. 0 means never."""

PLAYED, KEPT = 4, 8
"""Flags added to the code: the seat played a copy from its hand; a copy was left in its hand at the end."""

SEAT_CODES = 16
"""Number of different codes of a seat for a design."""

CERTAIN = 1_000_000
"""The whole number that stands for a probability of 1."""


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
        """Yield the piles from which a seat's cards were dealt, as they were before the deal.

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
        """Return the number that stands for a kind of zone in the counts. All unknown kinds share the last number."""
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
        """Return where a card that a seat got came from, its new kind of zone, and the seat; None for its own card."""
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
