"""The cards of one game: which seat gets which, how, and what becomes of it; and with how much luck."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from math import comb

from generator.games.engine.contract import Box, Zones
from generator.games.engine.phrases import zone_kind
from generator.lab.cards.whereabouts import Whereabouts, seat_in

TAKEN, DRAWN, DEALT = 1, 2, 3
"""How a seat came by a design: by a choice, by chance in the course of the game, when it was set up; 0 not at all."""

PLAYED, KEPT = 4, 8
"""Added where a copy left its hand by its seat's own move to a zone where it counts as played; where one was left."""

SEAT_CODES = 16
"""So many numbers there are for what a seat had of a design."""

CERTAIN = 1_000_000
"""A chance of 1: chances are told in whole numbers."""


def _design(copy: str) -> str:
    return copy.partition("#")[0]


def _kind(piece: str) -> str:
    return piece.partition("/")[0]


@cache
def chance_of_any(cards: int, copies: int, drawn: int) -> int:
    """How likely one copy at least is among so many cards drawn from a pile (hypergeometric)."""
    every, without = comb(cards, drawn), comb(cards - copies, drawn)
    return CERTAIN - (2 * CERTAIN * without + every) // (2 * every)


class CardZones:
    """The zones of a table: kind and seat of each, as `Whereabouts` has them."""

    def __init__(self, where: Whereabouts, players: int):
        self.where, self._players = where, players
        self._known: dict[str, tuple[str, int]] = {"": ("", -1)}
        self._kinds = where.kinds

    def place(self, zone: str) -> tuple[str, int]:
        """The kind of a zone, and whose it is; -1 for nobody's."""
        if zone not in self._known:
            kind = zone_kind(zone)
            owned = kind in self.where.held or kind in self.where.before
            self._known[zone] = kind, seat_in(zone, self._players) if owned else -1
        return self._known[zone]

    def dealt_from(self, zones: Zones, kind: str, seat: int) -> Iterator[Mapping[str, int]]:
        """What lies where a seat's cards of this kind of zone were dealt from, and what was dealt from there.

        That is what nobody sees and is of the same kinds of cards. Where such piles have seats' numbers, each seat has
        its own; else all were dealt from one.
        """
        hands = [(zone, pieces) for zone, pieces in zones.items() if self.place(zone)[0] == kind]
        dealt = {_kind(copy) for _, pieces in hands for copy in pieces}
        stocks = []
        for zone, pieces in zones.items():
            there = self.place(zone)[0]
            stock = there in self.where.hidden or (there, kind) in self.where.draws
            if stock and not dealt.isdisjoint(map(_kind, pieces)):
                stocks.append((zone, pieces))
        own = self._players > 1 and any(seat_in(zone, self._players) >= 0 for zone, _ in stocks)
        for zone, pieces in (*hands, *stocks):
            if not own or seat_in(zone, self._players) in (-1, seat):
                yield pieces

    def number(self, kind: str) -> int:
        """By which a kind of zone is told in sums: its place among all; one that was not known before is the last."""
        return self._kinds.index(kind) if kind in self._kinds else len(self._kinds)


class CardStory:
    """What happens to the cards of a game.

    `codes` tells by design of each seat how it came by it and what it did with it. `left` counts copies that seats put
    out of their hands, by design and the number of the kind of zone where they went. `luck` has by design for each
    seat how often a draw brought it (once at most), less how often that was to be expected, in parts of `CERTAIN`.
    """

    def __init__(self, zones: CardZones, played: Iterable[str], box: Box):
        self._zones, self._played, self._seats = zones, frozenset(played), box.players
        self._lay: Zones = {}
        self._at: dict[str, str] = {}
        self.codes: dict[str, list[int]] = {}
        self.left: Counter[tuple[str, int]] = Counter()
        self.luck: dict[str, list[int]] = {}

    def look(self, zones: Zones, mover: int, named: frozenset[str]) -> None:
        """The table after a move of a seat that named these designs; first of all as it was dealt."""
        moved = []
        for zone, pieces in zones.items():
            if self._lay.get(zone) != pieces:
                moved += [(copy, zone) for copy in pieces if self._at.get(copy) != zone and "#" in copy]
        draws: dict[tuple[str, str, int], list[str]] = {}
        for copy, zone in moved:
            way = self._move(copy, zone, mover)
            if way is not None:
                draws.setdefault(way, []).append(_design(copy))
        dealt = not self._lay
        for (source, kind, seat), designs in draws.items():
            chance = dealt or ((self._zones.place(source)[0], kind) in self._zones.where.draws)
            if chance and named.isdisjoint(designs):
                self._count_luck(self._pile(zones, source, kind, seat), designs, seat)
                how = DEALT if dealt else DRAWN
            else:
                how = TAKEN
            for design in designs:
                self._come(design, seat, how)
        self._lay = zones
        self._at |= dict(moved)

    def _move(self, copy: str, zone: str, mover: int) -> tuple[str, str, int] | None:
        """From which zone a card has come to a seat, and to which kind of its zones; None where it was its already."""
        lay = self._at.get(copy, "")
        (source, was), (target, owner) = self._zones.place(lay), self._zones.place(zone)
        held = self._zones.where.held
        if was >= 0 and source in held and mover == was and (owner != was or target not in held):
            design = _design(copy)
            self.left[design, self._zones.number(target)] += 1
            if target in self._played:
                self._of(self.codes, design)[was] |= PLAYED
        return (lay, target, owner) if owner >= 0 and owner != was else None

    def _pile(self, zones: Zones, source: str, kind: str, seat: int) -> Counter[str]:
        """By design the cards of which some have come to a seat, as they were before."""
        piles = [self._lay.get(source, {})] if self._lay else self._zones.dealt_from(zones, kind, seat)
        return Counter(_design(copy) for pieces in piles for copy in pieces if "#" in copy)

    def _count_luck(self, pile: Counter[str], designs: list[str], seat: int) -> None:
        cards, drawn, come = pile.total(), len(designs), frozenset(designs)
        for design, copies in pile.items():
            if self._of(self.codes, design)[seat] & 3 < DRAWN:
                luck = (CERTAIN if design in come else 0) - chance_of_any(cards, copies, drawn)
                self._of(self.luck, design)[seat] += luck

    def _come(self, design: str, seat: int, how: int) -> None:
        codes = self._of(self.codes, design)
        codes[seat] = codes[seat] & ~3 | max(codes[seat] & 3, how)

    def _of(self, numbers: dict[str, list[int]], design: str) -> list[int]:
        return numbers.setdefault(design, [0] * self._seats)

    def end(self) -> None:
        """What is in hands at the end is kept."""
        for copy, zone in self._at.items():
            kind, owner = self._zones.place(zone)
            if owner >= 0 and kind in self._zones.where.held:
                self._of(self.codes, _design(copy))[owner] |= KEPT
