"""What wayfaring's effects ask for, as pure functions: an oracle for the kernels that are played.

Situations that hold, deeds and costs that can be paid, steps that are possible.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from generator.game.model import Effect
from generator.rules.wayfaring.data import DESTINATION, TROUBLE, Facts


class Placed(NamedTuple):
    """A card on a path: a destination with its terrain, or a trouble without one."""

    card: str
    face_up: bool
    kind: str = DESTINATION
    terrain: str = ""


Path = Sequence[Placed]
"""The cards of a path from the past to the future."""


def visited(path: Path, terrain: str = "") -> int:
    seen = [card for card in path if card.face_up and card.kind == DESTINATION]
    return sum(not terrain or card.terrain == terrain for card in seen)


def troubles(path: Path) -> int:
    return sum(card.face_up and card.kind == TROUBLE for card in path)


def next_card(path: Path) -> int | None:
    """Where the face-down card lies that is moved onto, the one furthest in the past; None if there is none."""
    return next((place for place, card in enumerate(path) if not card.face_up), None)


def last_hidden(path: Path) -> int | None:
    """Where the face-down card lies that can be buried, the one furthest in the future; None if there is none."""
    return next((place for place in reversed(range(len(path))) if not path[place].face_up), None)


@dataclass(frozen=True, slots=True)
class Standing:
    """A player as conditions see them; `destinations` are those in hand."""

    path: Path = ()
    hand: int = 0
    destinations: int = 0
    companions: int = 0
    cursed: int = 0
    marks: int = 0
    gains_vitality: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """The rest of the table as steps of effects see it.

    `drawable`: a card can be drawn, if need be after a reshuffle. `other_hands`: another active player holds a card.
    `joinable`: the player satisfies the situation of a character on display. `hidden`: some path has a face-down card.
    `other_discards`: discards that are no copies of the card being used. `answers_intervention`: one is on top of the
    stack.
    """

    drawable: bool = True
    other_hands: bool = False
    on_display: int = 0
    joinable: bool = False
    character_deck: int = 0
    discards: int = 0
    other_discards: int = 0
    discarded_destinations: int = 0
    hidden: bool = False
    answers_intervention: bool = False


def holds(situation: Effect, player: Standing) -> bool:
    """Whether a player satisfies a situation; ValueError for one that these rules do not know."""
    n: int = situation.values["n"]
    match situation.op:
        case "visited":
            return visited(player.path) >= n
        case "terrain":
            return visited(player.path, situation.values["of"]) >= n
        case "troubles":
            return troubles(player.path) >= n
        case "companions":
            return player.companions >= n
        case "cursed":
            return player.cursed >= n
        case "hand_max":
            return player.hand <= n
    raise ValueError(f"unknown situation '{situation.op}'")


def works(step: Effect, kinds: Collection[str]) -> bool:
    """Whether a step that may be marked with a kind works for a player with companions of these kinds."""
    kind = step.values.get("kind")
    return not kind or kind in kinds


def payable(parts: Iterable[Effect], player: Standing, facts: Facts) -> bool:
    """Whether a player can pay all of a cost or do all of a deed; ValueError for what is neither."""
    parts = tuple(parts)
    discards = [part for part in parts if part.op == "discard"]
    of_destinations = sum(part.values["n"] for part in discards if part.values.get("type"))
    enough = sum(part.values["n"] for part in discards) <= player.hand and of_destinations <= player.destinations
    return enough and all(_payable(part, player, facts) for part in parts if part.op != "discard")


def _payable(part: Effect, player: Standing, facts: Facts) -> bool:
    match part.op:
        case "vitality":
            return True
        case "mark":
            return bool(0 <= player.marks + part.values["k"] <= facts.passes)
        case "bury":
            return last_hidden(player.path) is not None
    raise ValueError(f"'{part.op}' is neither a cost nor a deed")


def usable(steps: Iterable[Effect], player: Standing, table: Table) -> bool:
    """Whether a card or ability may be used: some step is possible, or is marked with a kind (E42)."""
    return any(step.values.get("kind") or possible(step, player, table) for step in steps)


def possible(step: Effect, player: Standing, table: Table) -> bool:
    """Whether a step can do anything at all for a player, its kind apart; ValueError for an unknown operation."""
    answer = _of_player(step, player, table)
    if answer is None:
        answer = _of_table(step, table)
    if answer is None:
        raise ValueError(f"unknown operation '{step.op}'")
    return answer


def _of_player(step: Effect, player: Standing, table: Table) -> bool | None:
    """The answer for operations on hand, path and markers; None for another one."""
    who = step.values.get("who")
    match step.op:
        case "vitality":
            return table.drawable and (player.gains_vitality or who == "each_other")
        case "fatigue":
            return table.other_hands if who == "one_other" else player.hand > 0
        case "discard":
            return (player.destinations if step.values.get("type") else player.hand) > 0
        case "place":
            return player.destinations > 0
        case "move":
            return next_card(player.path) is not None
        case "mark":
            return step.values["k"] > 0 or player.marks > 0
        case "bury":
            return table.hidden if who == "any" else last_hidden(player.path) is not None
    return None


def _of_table(step: Effect, table: Table) -> bool | None:
    """The answer for operations on characters, discards and interventions; None for another one."""
    match step.op:
        case "dismiss":
            return table.on_display > 0
        case "appear":
            return table.character_deck > 0
        case "join":
            return table.joinable
        case "recall":
            return table.discarded_destinations > 0
        case "recover":
            if step.values["type"] == "destination":
                return table.discarded_destinations > 0
            return (table.other_discards if step.values.get("other_design") else table.discards) > 0
        case "negate":
            return table.answers_intervention
    return None
