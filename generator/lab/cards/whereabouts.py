"""Where cards can lie, as a game's own zones tell: in a hand, before a seat, out of everybody's sight, in the open."""

from collections import Counter
from collections.abc import Iterable, Mapping

from generator.dataclass import dataclass
from generator.games.engine.contract import Box, Rules, Zones
from generator.games.engine.phrases import zone_kind
from generator.games.engine.table import Seed, Table
from generator.playtest.bots import Seated
from generator.playtest.series import MOST_MOVES

HAND = "hand"
"""A zone of this name is held by its seat, whoever else sees what is in it."""

_GAMES, _EVERY = 3, 5
"""Games that are looked at with each number of players, and every how manyth move of them."""

_OTHERWISE = (1, 2)
"""So a move is tried again with what its seat can't see mixed otherwise: does the same card come?"""

_LOOKED_AT = 0
"""Their run: none that an experiment plays by default."""


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Kinds of zones (`hand`, `set-down`) in which cards lie.

    Those `held` are hands: cards come there by chance, and their seat alone sees them. Those `before` a seat are its
    own too, but no hands. What lies in those `hidden` nobody sees; `others` are all else. `draws` are the ways from
    one kind of zone to another, the first of which is nobody's, on which chance says which card goes. `out` are kinds
    to which cards go from hands and can be seen.
    """

    held: tuple[str, ...]
    before: tuple[str, ...]
    hidden: tuple[str, ...]
    others: tuple[str, ...]
    draws: tuple[tuple[str, str], ...]
    out: tuple[str, ...]

    @property
    def kinds(self) -> tuple[str, ...]:
        """All kinds of zones, ascending."""
        return tuple(sorted((*self.held, *self.before, *self.hidden, *self.others)))

    def plain(self) -> dict[str, list[str]]:
        """The same for a file."""
        names = {"held": self.held, "before": self.before, "hidden": self.hidden, "others": self.others}
        told = {name: list(kinds) for name, kinds in names.items()}
        return told | {"draws": [f"{source} > {target}" for source, target in self.draws]}


def seat_in(zone: str, players: int) -> int:
    """The seat that a zone's first number names, from 0: 1 for `set 2 6`; -1 where it names none."""
    for word in zone.split():
        if word.isdecimal():
            return int(word) - 1 if 1 <= int(word) <= players else -1
    return 0 if players == 1 else -1


class _Looks:
    """What was seen of the kinds of zones in a few games: how many cards went from one to another, by chance or not."""

    def __init__(self) -> None:
        self.states: Counter[str] = Counter()
        self.unseen: Counter[str] = Counter()
        self.private: Counter[str] = Counter()
        self.ways: Counter[tuple[str, str]] = Counter()
        self.chance: Counter[tuple[str, str]] = Counter()
        self.owned: dict[str, bool] = {}

    def look(self, table: Table) -> None:
        """Notes who sees what of a state."""
        players = table.box.players
        seen = [table.observed(seat).zones for seat in range(players)]
        for zone in dict.fromkeys(_cards(table.zones()).values()):
            kind, seat = zone_kind(zone), seat_in(zone, players)
            eyes = {at for at, zones in enumerate(seen) if zone in zones and all(one.piece for one in zones[zone])}
            self.states[kind] += 1
            self.unseen[kind] += not eyes
            self.private[kind] += eyes == {seat} and players > 1
            owned = seat >= 0 and (players > 1 or kind == HAND)
            self.owned[kind] = self.owned.get(kind, True) and owned

    def make(self, table: Table, move: int) -> None:
        """Makes a move, and notes which cards came by chance: others would have come, were it otherwise."""
        lay = _cards(table.zones())
        twins = [table.as_seen(table.seat, chance) for chance in _OTHERWISE]
        table.apply(move)
        moved = {piece: zone for piece, zone in _cards(table.zones()).items() if lay.get(piece) != zone}
        if not moved:
            return
        for twin in twins:
            twin.apply(move)
        otherwise = [_cards(twin.zones()) for twin in twins]
        for piece, zone in moved.items():
            way = zone_kind(lay.get(piece, "")), zone_kind(zone)
            self.ways[way] += 1
            self.chance[way] += any(lies[piece] != zone and _came(lay, lies, zone) for lies in otherwise)


def find_whereabouts(rules: Rules, boxes: Iterable[Box]) -> Whereabouts:
    """Looks into a few random games with each box: the same for everybody who asks."""
    looks = _Looks()
    dealt: set[str] = set()
    for box in boxes:
        for game in range(_GAMES):
            seed = Seed(_LOOKED_AT, game)
            table, bot = Table(rules, box, seed), Seated(rules, box, seed, ("random",))
            dealt |= set(map(zone_kind, _cards(table.zones()).values()))
            while not table.over and len(table.moves) < MOST_MOVES:
                if len(table.moves) % _EVERY == 0:
                    looks.look(table)
                looks.make(table, bot.choose(table.state, table.legal()))
            looks.look(table)
    kinds = sorted(looks.states)
    hidden = {kind for kind in kinds if 2 * looks.unseen[kind] > looks.states[kind]}
    mine = {kind for kind in kinds if looks.owned[kind]} - hidden
    draws = {way for way, n in looks.ways.items() if 2 * looks.chance[way] > n and way[0] not in mine}
    by_chance = dealt | {target for _, target in draws}
    private = {kind for kind in kinds if 2 * looks.private[kind] > looks.states[kind]}
    held = {kind for kind in mine if kind == HAND or (kind in private and kind in by_chance)}
    out = {target for source, target in looks.ways if source in held} - held - hidden
    return Whereabouts(
        held=tuple(sorted(held)),
        before=tuple(sorted(mine - held)),
        hidden=tuple(sorted(hidden)),
        others=tuple(sorted(set(kinds) - mine - hidden)),
        draws=tuple(sorted(way for way in draws if way[1] in mine)),
        out=tuple(sorted(out)),
    )


def _came(lay: Mapping[str, str], lies: Mapping[str, str], zone: str) -> bool:
    """Whether any card has come to a zone."""
    return any(there == zone and lay.get(piece) != zone for piece, there in lies.items())


def _cards(zones: Zones) -> dict[str, str]:
    """The zone of each card that can be told from others."""
    return {piece: zone for zone, pieces in zones.items() for piece in pieces if "#" in piece}
