"""What a game's rules are to whoever plays them: the box of pieces, and kernels for each step of play."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from generator.games.kernel import Kernel, Numbers, Record
from generator.model.game import Game

Options: TypeAlias = Mapping[str, Any]
"""Values for switches of readings and for options of the rules, instead of those in force."""

Zones: TypeAlias = Mapping[str, Mapping[str, int]]
"""Zone ("hand 1", "deck" ...) -> what lies there: ids of copies (`reel/6-wheat#2`) or of designs, and how many."""


@dataclass(frozen=True, slots=True)
class Box:
    """What one table plays with: the numbers that the kernels read, and the printed pieces that they stand for.

    Kernels know a card by its place in `cards` (ids of copies); of `counted` pieces, which are all alike, they know how
    many there are (design id -> count). All of these together are what conservation is held against.
    """

    game: Game
    players: int
    options: Options
    numbers: Numbers
    cards: tuple[str, ...]
    counted: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Said:
    """A move in words: a phrase of the data's `moves`, and what is filled in.

    Values are numbers, designs (their names are shown), icons' ids, Words, other texts, or tuples of these.
    """

    phrase: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Supply:
    """Pieces that may run out: `pieces` is a kind or a design of the box.

    `reading` is the E-number under which the data say what the rules do then; without one, running out is a fault of
    the box. `bound` is the id of the data's check that works out how many can ever be needed, where one does.
    """

    id: str
    pieces: str
    reading: str = ""
    bound: str = ""


@dataclass(frozen=True, slots=True)
class Hole:
    """A situation in which the rules don't say what to do; `reading` is the E-number of the way out that is taken."""

    id: str
    reading: str = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """A game's rules; `s` is the state, `f` the box's numbers, both records of `kernel`.

    Every state has the fields `rng` (a row of 4), `players`, `seat` (whose choice it is), `over` (1 at the end), `turn`
    (counts turns), `hole` (0, or 1 + the place in `holes` of the first hole in the rules that was met), and `short`, a
    row with one entry for each of `supplies` (one at least): how often it could not be given. All else is the game's.

    box       game, players, options -> Box; ProblemsFound for what can't be played
    state     box -> the fields of a fresh state, rows at their full length
    set_up    (s, f): deals a new game and begins it; `s.rng` is seeded, `s.players` set, all else 0
    legal     (s, f, moves) -> how many: fills the row with the legal moves, ascending, each once; at least one unless
              the game is over
    apply     (s, f, move): carries out a legal move, with all that follows up to the next choice or the end
    score     (s, f, points): each seat's points as they stand
    place     (s, f, places): each seat's place at the end, 1 for the winners; who plays alone and loses is 2nd
    value     (s, f, seat) -> how good the state looks for the seat, larger is better: what greedy bots go by; it may
              read only what the seat can see
    blind     (s, f, seat): mixes all that the seat can't see with `s.rng`, after putting it into an order that doesn't
              depend on where it lay: two states that look alike to the seat become equal
    demand    (s, f, taken): for each of `supplies`, how many pieces are in use now
    most      box -> the most moves there can ever be to choose from
    zones     (s, box) -> where every piece is now
    write     (s, box, move) -> the move in the game's short notation, the same in all languages: `pass 6L1`
    say       (s, box, move) -> the move in words
    arrange   (s, box, given): changes a fresh state to the situation that an example gives; ValueError for what is
              unknown or contradicts itself
    ask       (s, box, question, words) -> answers an example's question about a situation, such as `reach 6 2`, in
              plain numbers, texts and lists; LookupError for a question that it doesn't know
    broken    (s, f) -> 0, or 1 + the place in `laws` of a law that does not hold in this state
    deal      (s, f): `set_up` as far as the table is laid, before play begins: what a rulebook shows as set up. None
              where `set_up` itself ends there

    `laws` are ids of the data's checks that must hold after every move. `unplayable` names switch values that can't be
    played (`switch: value`), with the reason.
    """

    box: Callable[[Game, int, Options], Box]
    state: Callable[[Box], Numbers]
    set_up: Kernel
    legal: Kernel
    apply: Kernel
    score: Kernel
    place: Kernel
    value: Kernel
    blind: Kernel
    demand: Kernel
    most: Callable[[Box], int]
    zones: Callable[[Record, Box], Zones]
    write: Callable[[Record, Box, int], str]
    say: Callable[[Record, Box, int], Said]
    arrange: Callable[[Record, Box, Mapping[str, Any]], None]
    ask: Callable[[Record, Box, str, tuple[str, ...]], Any]
    broken: Kernel
    deal: Kernel | None = None
    laws: tuple[str, ...] = ()
    supplies: tuple[Supply, ...] = ()
    holes: tuple[Hole, ...] = ()
    unplayable: Mapping[str, str] = field(default_factory=dict)
