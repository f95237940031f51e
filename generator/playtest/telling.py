"""What each pair of eyes is told of a move: the choice, in words that give nothing hidden away, and what came of it.

Eyes are a seat or ALL_SEEN. What they are told rests on what they see alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from generator.dataclass import dataclass
from generator.games.engine.contract import ALL_SEEN, Lying, Observation, Said, Zones
from generator.games.engine.phrases import move_text, zone_name
from generator.games.engine.table import Table
from generator.model.game import Design, Game
from generator.model.phrases import phrase
from generator.playtest.showing import names_in_lines, pad, piece_names, player_name

NOTATION = 24
"""Columns for the notation of a move."""

MOST_NAMED = 12
"""So many cards that come to a zone at once are named; of more there is only the number."""


@dataclass(frozen=True, slots=True)
class Told:
    """What eyes are told of a move: whose (from 0), in notation and in words, which are empty where all is hidden.

    Notation is for who chooses (and for ALL_SEEN): it may tell copies apart that look alike to everybody else. `then`
    are lines about what came of it.
    """

    seat: int
    written: str
    text: str
    then: tuple[str, ...] = ()

    def lines(self, lang: str) -> Iterator[str]:
        """As it is shown; nothing for a choice of which nothing is told and that changed nothing."""
        if self.text:
            yield f"  {player_name(self.seat, lang)}  {pad(self.written, NOTATION)}  {self.text}".rstrip()
        yield from self.then


class Teller:
    """Makes the moves of a table and tells them to some eyes, each by what it sees before and after."""

    def __init__(self, table: Table, eyes: Iterable[int], lang: str):
        self._table, self.lang = table, lang
        self._seen = {eye: table.observed(eye) for eye in eyes}

    def dealt(self) -> dict[int, tuple[str, ...]]:
        """What is told of the deal."""
        return {eye: tuple(self._consequences(eye)) for eye in self._seen}

    def make(self, move: int) -> dict[int, Told]:
        """Makes the move; IllegalMove for one that isn't legal."""
        table, lang = self._table, self.lang
        if not self._seen:
            table.apply(move)
            return {}
        seat, state = table.seat, table.state
        said = table.rules.say(state, table.box, move)
        whole = Told(seat, table.write(move), move_text(table.box.game, said, lang))
        secret = table.rules.tell
        heard = {
            eye: said if secret is None or eye in (seat, ALL_SEEN) else secret(state, table.box, move, eye, said)
            for eye in self._seen
        }
        lain = table.zones() if secret is None else {}
        table.apply(move)
        told = {}
        for eye, before in self._seen.items():
            now = table.observed(eye)
            words = heard[eye]
            if secret is None and eye not in (seat, ALL_SEEN) and gives_away(said, lain, table.zones(), before, now):
                one = Told(seat, "", phrase("play_secret", lang))
            elif eye in (seat, ALL_SEEN):
                one = whole
            else:
                one = Told(seat, "", move_text(table.box.game, words, lang) if words is not None else "")
            named_already = named_designs(said) if words == said else set()
            then = (*self._consequences(eye), *_came(table.box.game, before, now, named_already, lang))
            told[eye] = replace(one, then=then)
            self._seen[eye] = now
        return told

    def _consequences(self, eye: int) -> Iterator[str]:
        game, lang = self._table.box.game, self.lang
        return (f"    {move_text(game, said, lang)}" for said in self._table.followed(eye))


def gives_away(said: Said, lain: Zones, lies: Zones, *seen: Observation) -> bool:
    """Whether the words name a card that eyes see neither before it was moved nor after; zones have where all lay."""
    before, after = _places(lain), _places(lies)
    known = set().union(*map(_copies, seen))
    for design in named_designs(said):
        copies = [copy for copy in before | after if copy.split("#")[0] == design and "#" in copy]
        moved = [copy for copy in copies if before.get(copy) != after.get(copy)]
        if copies and known.isdisjoint(moved or copies):
            return True
    return False


def common_news(told: Sequence[Told]) -> Told:
    """What may be told to several at once: where they are told different things, the one that says least."""
    least = min(told, key=lambda one: (len(one.written), len(one.text)))
    return replace(least, then=tuple(line for line in told[0].then if all(line in one.then for one in told)))


def named_designs(said: Said) -> set[str]:
    """The designs that a phrase names."""
    values = [part for value in said.values.values() for part in (value if isinstance(value, tuple) else (value,))]
    return {value.id for value in values if isinstance(value, Design)}


def _places(zones: Mapping[str, Mapping[str, int]]) -> dict[str, str]:
    return {piece: zone for zone, pieces in zones.items() for piece in pieces}


def _copies(seen: Observation) -> set[str]:
    return {lying.piece for there in seen.zones.values() for lying in there if "#" in lying.piece}


def _came(game: Game, before: Observation, now: Observation, told: set[str], lang: str) -> Iterator[str]:
    """Each zone to which something has come that the eyes can tell, but for what alone was named already."""
    lay = {lying.piece: zone for zone, there in before.zones.items() for lying in there}
    for zone, there in now.zones.items():
        come = [Lying(lying.piece) for lying in there if "#" in lying.piece and lay.get(lying.piece) != zone]
        if all(lying.piece.split("#")[0] in told for lying in come):
            continue
        names = piece_names(game, come, lang) if len(come) <= MOST_NAMED else [phrase("play_pieces", lang, n=len(come))]
        yield from (f"  {line}" for line in names_in_lines(f"→ {zone_name(game, zone, lang)}", names, lang))
