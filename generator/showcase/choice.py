"""Which of a game's things are shown: some of every kind, from all over its lists, or what was asked for."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from generator.dataclass import dataclass
from generator.faces.workshop import Workshop
from generator.model.drawing import Drawing
from generator.model.game import Design, Game, Kind
from generator.showcase.things import Exhibit, thing_of

_MANY = 4
"""Kinds with fewer designs are aids rather than what is played with, where there are others."""

_CARDS, _BOARDS, _TOKENS = 20, 3, 8
"""The most that lie on the table of all cards, but five of each kind; of all boards, and of a kind of tokens."""

_PILE = 18
"""Cards that are shown of a deck."""

_HELD = 7


@dataclass(frozen=True, slots=True)
class Selection:
    """The things of a game in one language; `designs` are those that may be shown."""

    workshop: Workshop
    game: Game
    designs: Sequence[Design]
    lang: str
    asked: bool = False

    def fronts(self, number: int) -> list[Exhibit]:
        """The fronts of so many cards of one size, of different kinds: of what was asked for the first ones."""
        return list(self._drawn(_held(self._cards(), number, asked=self.asked)))

    def lane(self) -> list[Exhibit]:
        """What lies on the table behind a hand: the deck, and cards that are not in the hand."""
        held = _held(self._cards(), _HELD + 3, asked=self.asked)
        return [*self._piles(held[:1]), *self._drawn(held[_HELD:])]

    def everything(self) -> list[Exhibit]:
        """Some of each kind: decks, cards, boards between them, tokens."""
        kinds = [(kind, own) for kind in self.game.kinds.values() if (own := self._own(kind))]
        decks = sum(kind.form == "card" and len(own) >= _MANY for kind, own in kinds)
        few = max(5, _CARDS // max(decks, 1))
        cards = [self._of_cards(kind, own, few) for kind, own in kinds if kind.form == "card"]
        large = [self._one(own[0]) for kind, own in kinds if kind.form == "board"]
        small = [
            thing
            for kind, own in kinds
            if kind.form in ("token", "cube", "standee")
            for thing in self._drawn(_spread(own, _TOKENS))
        ]
        boards = [thing for found in large[:_BOARDS] for thing in found]
        things = [thing for lot in zip_longest(*cards) for thing in lot if thing is not None]
        return _mixed(things, boards, small)

    def _own(self, kind: Kind) -> list[Design]:
        return [design for design in self.designs if design.kind == kind.id and design.count]

    def _cards(self) -> list[list[Design]]:
        """Cards of the size that most have, by kind, those of which there are most first."""
        kinds = [kind for kind in self.game.kinds.values() if kind.form == "card" and self._own(kind)]
        sizes: dict[tuple[float, float], list[Kind]] = {}
        for kind in kinds:
            sizes.setdefault((kind.size.width, kind.size.height), []).append(kind)
        of_size = max(sizes.values(), key=lambda some: sum(kind.count for kind in some), default=[])
        found = [self._own(kind) for kind in of_size]
        many = [own for own in found if len(own) >= _MANY]
        return sorted(many or found, key=lambda own: -len(own))

    def _of_cards(self, kind: Kind, own: Sequence[Design], number: int) -> list[Exhibit]:
        few = _spread(own, number if len(own) >= _MANY else 2)
        return [*(self._piles(few[:1]) if len(own) >= _MANY and kind.back else ()), *self._drawn(few)]

    def _one(self, design: Design) -> list[Exhibit]:
        return list(self._drawn([design]))

    def _drawn(self, designs: Sequence[Design]) -> Iterator[Exhibit]:
        for design in designs:
            face = self._face(design, back=False)
            if face is not None:
                yield thing_of(face, self.game.kinds[design.kind])

    def _piles(self, designs: Sequence[Design]) -> Iterator[Exhibit]:
        """The decks that cards come from, face down."""
        for design in designs:
            face = self._face(design, back=True) if design.back else None
            if face is not None:
                yield thing_of(face, self.game.kinds[design.kind], _PILE)

    def _face(self, design: Design, *, back: bool) -> Drawing | None:
        return self.workshop.face(design, "back" if back else "front", self.lang)


def _spread(designs: Sequence[Design], number: int) -> list[Design]:
    """So many from all over a list."""
    number = min(number, len(designs))
    return [designs[n * len(designs) // number] for n in range(number)]


def _held(kinds: Sequence[Sequence[Design]], number: int, *, asked: bool) -> list[Design]:
    """So many cards, from one kind after another."""
    if asked:
        return [design for own in kinds for design in own][:number]
    lots = [_spread(own, -(-number // max(len(kinds), 1))) for own in kinds]
    return [design for lot in zip_longest(*lots) for design in lot if design is not None][:number]


def _mixed(cards: Sequence[Exhibit], boards: Sequence[Exhibit], small: Sequence[Exhibit]) -> list[Exhibit]:
    """Cards in their order, boards and small things among them at even distances."""
    if not cards:
        return [*boards, *small]
    mixed: list[Exhibit] = []
    for n, card in enumerate(cards):
        mixed.append(card)
        for some in (boards, small):
            mixed += some[n * len(some) // len(cards) : (n + 1) * len(some) // len(cards)]
    return mixed
