"""The contract between a game's rules and the program, and the state fields that rules declare."""

import ast
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from inspect import findsource, signature
from math import prod
from types import FrameType
from typing import Any, TypeAlias

from generator.base.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.game.model import Design, Game
from generator.rules.engine.facts import code_numbers
from generator.rules.engine.kernel import INTERPRETED, PURPOSES, Kernel, Numbers, Record, Row, kernel

Options: TypeAlias = Mapping[str, Any]
"""Values of switches and rule options that replace those in force."""

Zones: TypeAlias = Mapping[str, Mapping[str, int]]
"""Zone ("hand 1", "deck" ...) -> its pieces: ids of copies (`reel/6-wheat#2`) or of designs, and their number."""

ALL_SEEN = -1
"""A value used in place of a seat for a viewer who sees everything."""


@dataclass(frozen=True, slots=True)
class Box:
    """The pieces of one table, and their numbers as the kernels read them.

    Kernels identify a card by its index in `cards` (ids of copies). Pieces in `counted` are all alike, so kernels know
    only their number (design id -> count). Conservation is checked against both together.
    """

    game: Game
    players: int
    options: Options
    numbers: Numbers
    cards: tuple[str, ...]
    counted: Mapping[str, int] = field(default_factory=dict)

    def get_number(self, name: str) -> int:
        """Return a number of the box by name; the entry must not be a row."""
        number = self.numbers[name]
        assert isinstance(number, int)  # noqa: S101 - the rules made it so
        return number

    def get_row(self, name: str) -> Any:
        """Return the row of numbers (a list, or a list of lists) that the box has under this name."""
        return self.numbers[name]

    def make_facts(self) -> Record:
        """Return the numbers as interpreted kernels read them."""
        return INTERPRETED.make_record(self.numbers)

    def find_design(self, card: int) -> Design:
        """Return the design of a card."""
        return self.game.design(self.cards[card].partition("#")[0])

    def name_card(self, card: int) -> str:
        """Return the id of a card's design without its kind: `red-6` for `bookmark/red-6#1`."""
        return self.cards[card].partition("#")[0].partition("/")[2]

    def list_cards_by_name(self) -> dict[str, list[int]]:
        """Return the copies of each design, by its id without its kind."""
        named: dict[str, list[int]] = {}
        for card in range(len(self.cards)):
            named.setdefault(self.name_card(card), []).append(card)
        return named


@dataclass(frozen=True, slots=True)
class Message:
    """A message at the table, usually a move: a phrase of the data's `moves` and the values for its placeholders.

    Values are numbers, designs (shown by name), ids of icons, Words, other texts, or tuples of these.
    """

    phrase: str
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class VisiblePieces:
    """Adjacent pieces in a zone as a seat sees them: a copy or a design (empty if unknown) and their number.

    `turned` marks pieces that lie face down although the seat knows them.
    """

    piece: str
    number: int = 1
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Observation:
    """Everything a seat can know of a table; equal for all states that the seat can't tell apart.

    `zones` lists the pieces of each zone in their order. `status` describes the present moment (phase, turn, what is
    left to do). `facts` describes what lasts longer, by names that the rules choose, such as a seat's. `unsure`
    contains the seats whose points depend on something that the seat can't see.
    """

    zones: Mapping[str, tuple[VisiblePieces, ...]]
    status: tuple[Message, ...] = ()
    facts: Mapping[str, Message] = field(default_factory=dict)
    unsure: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Supply:
    """Pieces that may run out; `pieces` is a kind or a design of the box.

    `reading` is the E-number of the reading that says what happens then. Without a reading, running out is an error in
    the box. `bound` is the id of the data's check that computes the maximum demand, if there is one.
    """

    id: str
    pieces: str
    reading: str = ""
    bound: str = ""


@dataclass(frozen=True, slots=True)
class Hole:
    """A situation that the rules don't cover; `reading` is the E-number of the solution in use."""

    id: str
    reading: str = ""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number that every game has at its end; it answers the data's undecided check with the id `check`.

    `says` describes the number. No game may go below `at_least` or above `at_most`; both are computed from the box. For
    a number that is 0 or 1, `chance` is how often it should be 1. Without any of these, the figures are the answer.
    """

    check: str
    says: str
    at_least: Callable[[Box], int] | None = None
    at_most: Callable[[Box], int] | None = None
    chance: Callable[[Box], float] | None = None


WINS, TIES, REPEATS, SECRETS = "wins", "ties", "repeats", "secrets"
"""What the program counts in every game by itself: see `Rules.answers`."""


@kernel
def _fill_nothing(s: Record, f: Record, row: Row) -> None:
    """Fill in nothing, for rules without measures or supplies."""


@kernel
def _answer_no(s: Record, f: Record) -> int:
    """Return 0, for rules without laws, and for those that can't prove a game lost."""
    return 0


def _refuse_situation(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    if given:
        raise ValueError("the rules have no function `arrange` for situations")


Questions: TypeAlias = Mapping[str, Callable[..., Any]]
"""Functions of the state, the box, and the words behind a question, by the names of the questions."""


def answer_question(questions: Questions, s: Record, box: Box, question: str, words: tuple[str, ...]) -> Any:
    """Answer an example's question. Raise LookupError if it is unknown, or if its words don't suit it.

    `partial(answer_question, QUESTIONS)` can be the `ask` of rules.
    """
    if question not in questions:
        raise LookupError(f"unknown question '{question}'; {did_you_mean(question, questions)}")
    taken = signature(questions[question])
    try:
        taken.bind(s, box, *words)
    except TypeError as error:
        names = [f"[{one.name}]" if one.default != one.empty else one.name for one in taken.parameters.values()]
        raise LookupError(f"write it as `{' '.join([question, *names[2:]])}`") from error
    try:
        return questions[question](s, box, *words)
    except ValueError as error:
        raise LookupError(str(error)) from error


_REFUSE_QUESTION = partial(answer_question, {})


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a game; `s` is the state and `f` the box's numbers, both records of `kernel`.

    Every state has the fields `rng` (a row of 4), `players`, `seat` (the seat that chooses next), `over` (1 at the
    end), `turn` (counts turns), `hole` (0, or 1 + the index in `holes` of the first hole in the rules that was met),
    and `short`, a row with one entry for each of `supplies` (at least one): how often a piece was wanted and missing,
    because it could not be given or a move could not be offered without it. All other fields belong to the game.

    box       game, players, options -> Box; raises ProblemsFound for what can't be played
    state     box -> the fields of a fresh state, rows at their full length
    set_up    (s, f): deals a new game and begins it; `s.rng` is seeded, `s.players` set, all else 0
    legal     (s, f, moves) -> number: fills the row with the legal moves, ascending, each once; at least one unless
              the game is over
    apply     (s, f, move): makes a legal move and runs on to the next choice or the end
    score     (s, f, points): fills in each seat's present points
    place     (s, f, places): fills in each seat's place at the end, 1 for winners; a single player who loses is 2nd
    value     (s, f, seat) -> how good the state is for the seat, larger is better, a whole number: bots choose by it;
              it may read only what the seat can see
    blind     (s, f, seat): shuffles everything hidden from the seat with `s.rng`, after sorting it so that its old
              position has no influence: two states that look alike to the seat become equal
    demand    (s, f, taken): fills in how many pieces of each of `supplies` are in use now
    most      box -> the largest number of moves that a choice can ever offer
    zones     (s, box) -> the present place of every piece
    write     (s, box, move) -> the move in the game's short notation, the same in all languages: `pass 6L1`
    say       (s, box, move) -> the move in words
    arrange   (s, box, given): changes a fresh state to the situation of an example; raises ValueError for unknown or
              contradictory entries
    ask       (s, box, question, words) -> the answer to an example's question about a situation, such as `reach 6 2`,
              in plain numbers, texts and lists; raises LookupError for an unknown question
    broken    (s, f) -> 0, or 1 + the index in `laws` of a law that does not hold in this state
    measure   (s, f, told): at the end of a game, fills in its number for each of `measures`
    deal      (s, f): the part of `set_up` that lays out the table, before play begins: a rulebook shows it as set-up.
              None if `set_up` itself ends there
    observe   (s, box, seat) -> what the seat sees of the state, or all of it for ALL_SEEN; it must agree with `blind`.
              None: zones are as `blind` leaves them, and there is no status
    tell      (s, box, move, seat, said) -> the message of `say` as another seat gets it, or None for no message.
              If `tell` is None, other seats get the full message, unless it names a card that they can't see
    follow    (before, after, box, seat) -> consequences of a move that nobody chose: a forced pass, a player who drops
              out, the reason for the end; only what the seat can know. `before` is None after the deal

    key       (s, f, keys) -> number: fills the row with numbers for everything that affects the rest of the game, a
              fixed number of them for a box, at most as many as the state has. Two states have equal keys if and only
              if they can be played on in the same way to the same wins. None: no deal can be solved
    hopeless  (s, f) -> 1 if no win is possible any more, even with full knowledge; 0 if it can't tell

    `laws` are ids of the data's checks that must hold after every move. `answers` says which undecided checks the
    program's own counts decide: WINS (of each seat), TIES, REPEATS (a seed replays the same game), SECRETS (no seat
    learns what it can't know), or a supply's id (the most of it that games use). `unplayable` names switch values that
    can't be played (`switch: value`), with the reason. `shared` are options in force if several people share one
    screen, where all of them see who is called to choose: that must not depend on what others can't see.
    `roomy`: kernels never use the length of a record's row, and never iterate to its end. Then compiled rows may be
    longer, padded with zeros, so that boxes of other sizes share machine code.
    `effort`: how many times longer than in a small game a bot needs to try a move and value the result; about 70
    function calls count as 1. The live page's table stops a choice that takes too long by it.
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
    most: Callable[[Box], int]
    zones: Callable[[Record, Box], Zones]
    write: Callable[[Record, Box, int], str]
    say: Callable[[Record, Box, int], Message]
    demand: Kernel = _fill_nothing
    broken: Kernel = _answer_no
    arrange: Callable[[Record, Box, Mapping[str, Any]], None] = _refuse_situation
    ask: Callable[[Record, Box, str, tuple[str, ...]], Any] = _REFUSE_QUESTION
    deal: Kernel | None = None
    key: Kernel | None = None
    hopeless: Kernel = _answer_no
    observe: Callable[[Record, Box, int], Observation] | None = None
    tell: Callable[[Record, Box, int, int, Message], Message | None] | None = None
    follow: Callable[[Record | None, Record, Box, int], Iterable[Message]] | None = None
    laws: tuple[str, ...] = ()
    supplies: tuple[Supply, ...] = ()
    holes: tuple[Hole, ...] = ()
    measures: tuple[Measure, ...] = ()
    measure: Kernel = _fill_nothing
    answers: Mapping[str, str] = field(default_factory=dict)
    shared: Options = field(default_factory=dict)
    unplayable: Mapping[str, str] = field(default_factory=dict)
    roomy: bool = False
    effort: int = 1

    @property
    def name(self) -> str:
        """The name under which the machine code of these rules is filed."""
        return self.legal.__module__.replace(".", "_")


# STATE = State(
#     chances=Chance,
#     supplies=1,
#     phase="which moves are expected: one of Phase",
#     main=row("the main deck, its top last", "cards"),
#     hand=row("the cards of a seat from `seat * width` on, ascending", "seats", "width"),
# )


@dataclass(frozen=True, slots=True)
class Field:
    """The meaning of a state field; a row's length as factors: numbers, names of box numbers, or `seats`.

    A field without a length is a single number. `seats` is the largest number of players, not the present one.
    """

    meaning: str
    length: tuple[int | str, ...] = ()


def row_field(meaning: str, *length: int | str) -> Field:
    """Return a field that is a row of numbers."""
    return Field(meaning, length)


RECORD_NAMES = """
T all any argmax argmin argsort astype base byteswap choose clip compress conj conjugate copy cumprod cumsum data device
diagonal dtype dump dumps fill flags flat flatten getfield imag item itemset itemsize max mean min nbytes ndim
newbyteorder nonzero pprint prod ptp put ravel real repeat reshape resize round searchsorted setfield setflags shape
size sort squeeze std strides sum swapaxes take to_device tobytes tofile tolist tostring trace transpose var view
"""
"""What every numpy record has. A field of such a name could not be read from a compiled state."""


def refuse_field(name: str, find_place: Callable[[], Place]) -> None:
    """Raise ProblemsFound, with the place from `find_place`, if compiled records can't have a field of this name."""
    if name in RECORD_NAMES.split():
        what = f"no field can be named `{name}`, as compiled records have something of this name"
        raise ProblemsFound([Problem(find_place(), what, "rename it")])


def _find_argument(name: str, caller: FrameType) -> Place:
    """Return file, line and column of the argument `name` in the call that `caller` is making, to report it there."""
    calls = (node for node in ast.walk(ast.parse("".join(findsource(caller)[0]))) if isinstance(node, ast.Call))
    given = (part for call in calls if call.lineno == caller.f_lineno for part in call.keywords if part.arg == name)
    place = next(((part.lineno, part.col_offset + 1) for part in given), (caller.f_lineno, 0))
    return Place(caller.f_code.co_filename, *place)


class State:
    """The state fields by name: those of every game, then the game's own in the order of their declaration.

    `chances` are Codes for the purposes of random numbers, each with its own streams: see `kernel.next_chances`.
    Without them, one stream serves all purposes.
    """

    def __init__(self, *, chances: Any = None, supplies: int = 1, **fields: Field | str):
        for name in fields:
            refuse_field(name, partial(_find_argument, name, sys._getframe(1)))
        self.fields: dict[str, Field] = {
            "rng": row_field(
                "where the chances of the game stand: see `kernel.next_chances`",
                PURPOSES + len(code_numbers(chances)) if chances else 4,
            ),
            "players": Field("how many play"),
            "seat": Field("whose choice it is, from 0"),
            "over": Field("1 at the end"),
            "turn": Field("counts turns"),
            "hole": Field("1 + the place in RULES.holes of the first hole in the rules that was met"),
            "short": row_field("for each of RULES.supplies how often a piece was wanted and lacking", max(1, supplies)),
            **{name: Field(field) if isinstance(field, str) else field for name, field in fields.items()},
        }

    def make_fields(self, box: Box) -> dict[str, Any]:
        """Return the fields of a state before set-up: all 0, rows at their full length."""
        known: dict[str, Any] = {**box.numbers, "seats": box.game.players.most}
        values: dict[str, Any] = dict.fromkeys(self.fields, 0)
        for name, spec in self.fields.items():
            if spec.length:
                lengths = (known[factor] if isinstance(factor, str) else factor for factor in spec.length)
                values[name] = [0] * prod(lengths)
        return values
