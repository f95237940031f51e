"""The state of a game as a table: each field of it with what it means, from which fresh states are made.

STATE = State(
    chances=Chance,
    supplies=1,
    phase="which moves are expected: one of Phase",
    main=row("the main deck, its top last", "cards"),
    hand=row("the cards of a seat from `seat * width` on, ascending", "seats", "width"),
)
"""

from math import prod
from typing import Any

from generator.dataclass import dataclass
from generator.games.engine.codes import numbers
from generator.games.engine.contract import Box
from generator.games.engine.kernel import PURPOSES


@dataclass(frozen=True, slots=True)
class Field:
    """What a field means; the length of a row as factors: numbers, and names of the box's numbers or `seats`.

    Without a length it is a single number. `seats` are the most that can play, whoever plays.
    """

    meaning: str
    length: tuple[int | str, ...] = ()


def row(meaning: str, *length: int | str) -> Field:
    """A field that is a row of numbers."""
    return Field(meaning, length)


class State:
    """The fields by name: those that every game has, and the game's own, in the order in which they are written.

    `chances` are the Codes of what chances are drawn for, each with streams of its own: see `kernel.chances`. Without
    them there is one stream for all.
    """

    def __init__(self, *, chances: Any = None, supplies: int = 1, **fields: Field | str):
        self.fields: dict[str, Field] = {
            "rng": row(
                "where the chances of the game stand: see `kernel.chances`",
                PURPOSES + len(numbers(chances)) if chances else 4,
            ),
            "players": Field("how many play"),
            "seat": Field("whose choice it is, from 0"),
            "over": Field("1 at the end"),
            "turn": Field("counts turns"),
            "hole": Field("1 + the place in RULES.holes of the first hole in the rules that was met"),
            "short": row("for each of RULES.supplies how often a piece was wanted and lacking", max(1, supplies)),
            **{name: Field(field) if isinstance(field, str) else field for name, field in fields.items()},
        }

    def fresh(self, box: Box) -> dict[str, Any]:
        """The fields of a state before set-up: all 0, rows at their full length."""
        known: dict[str, Any] = {**box.numbers, "seats": box.game.players.most}
        return {name: _zeros(field, known) for name, field in self.fields.items()}


def _zeros(field: Field, known: dict[str, Any]) -> int | list[int]:
    if not field.length:
        return 0
    return [0] * prod(known[factor] if isinstance(factor, str) else factor for factor in field.length)
