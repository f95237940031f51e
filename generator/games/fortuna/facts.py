"""What Fortuna's rules take from the data: the numbers they name, and the readings they are played by."""

from collections.abc import Mapping
from dataclasses import fields

from generator.dataclass import dataclass
from generator.games.engine.facts import FactReader
from generator.model.game import Game


@dataclass(frozen=True, slots=True)
class Facts:
    """The numbers of the rules, by the names that they have in `rules.yaml`."""

    numbers: tuple[int, ...]
    copies: Mapping[str, int]
    wild: str
    modulus: int
    hand: int
    end_pile: int
    draw: int
    pass_discard: int
    wheel_total: int
    refill_minus: int
    one_card_discard: int
    zero_set_min: int
    zero_set_max: int

    @property
    def cards(self) -> int:
        """How many cards the deck has: every number with all copies of every icon."""
        return len(self.numbers) * sum(self.copies.values())


@dataclass(frozen=True, slots=True)
class Switches:
    """The reading in force for each passage that can be played in more than one way (`readings.yaml`)."""

    ten_value: str
    zero_set_max: int
    zero_all_in: bool
    number_fix: str
    same_number_scope: str
    discard_key: str
    wheel_trigger: str
    wheel_condition: str
    wheel_destination: str
    wheel_optional: bool
    allin_source: str
    face_down_icons: str
    refill_counts: str
    refill_in_progress: str
    one_card_discard_after_trigger: bool
    turn_draw_after_trigger: bool
    all_in_after_trigger: bool
    end_pile_exhausted: str
    tie_break: str


@dataclass(frozen=True, slots=True)
class GameLength:
    """What follows for one number of players: main deck after set-up; rounds of the shortest and the longest game."""

    players: int
    main_deck: int
    shortest: int
    longest: int


@dataclass(frozen=True, slots=True)
class Limits:
    """What the data say follows from the numbers; the checks compute it afresh."""

    game_length: Mapping[int, GameLength]
    most_points: tuple[int, ...]
    all_in_only: tuple[int, ...]


def facts_of(game: Game) -> tuple[Facts, Switches]:
    """The numbers and readings of a game's data; ProblemsFound with all that is missing or of the wrong kind."""
    reader = FactReader(game)
    copies = reader.table("copies")
    facts = Facts(
        numbers=reader.wholes("numbers", fewest=1),
        copies=copies,
        wild=reader.name("wild", known=copies),
        modulus=reader.whole("modulus", least=1),
        hand=reader.whole("hand"),
        end_pile=reader.whole("end_pile"),
        draw=reader.whole("draw"),
        pass_discard=reader.whole("pass_discard"),
        wheel_total=reader.whole("wheel_total"),
        refill_minus=reader.whole("refill_minus"),
        one_card_discard=reader.whole("one_card_discard"),
        zero_set_min=reader.whole("zero_set_min"),
        zero_set_max=reader.whole("zero_set_max"),
    )
    switches = reader.switches(tuple(field.name for field in fields(Switches)))
    reader.finish()
    return facts, Switches(**switches)


def limits_of(game: Game) -> Limits:
    """The limits that the data state; ProblemsFound as for `facts_of`."""
    reader = FactReader(game)
    rows = reader.rows("limits", "game_length", columns=tuple(field.name for field in fields(GameLength)))
    limits = Limits(
        game_length={row["players"]: GameLength(**row) for row in rows},
        most_points=reader.wholes("limits", "most_points"),
        all_in_only=reader.wholes("limits", "all_in_only"),
    )
    reader.finish()
    return limits
