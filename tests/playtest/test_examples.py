"""Examples of the data are played: what they say comes out, and each way of being wrong is told."""

from types import MappingProxyType
from typing import Any

import pytest
from small_games import GAME, higher

from generator.game.model import Example
from generator.play.example_runs import find_example_faults
from generator.rules.engine.contract import Box, Rules


def arrange(s: Any, box: Box, given: Any) -> None:
    """Hands by strength; a strength that isn't there is told."""
    s.best = -1
    for card in range(len(box.cards)):
        s.at[card] = -1
    for seat, hand in enumerate(given["hands"]):
        for strength in hand:
            if not 0 <= strength < len(box.cards):
                raise ValueError(f"there is no card of strength {strength}")
            s.at[strength] = seat


def ask(s: Any, box: Box, question: str, words: tuple[str, ...]) -> Any:
    """`best of 1`: the highest card that a seat holds."""
    if question != "best":
        raise LookupError(f"unknown question '{question}'")
    return max(card for card in range(len(box.cards)) if s.at[card] == int(words[1]) - 1)


RULES: Rules = Rules(
    **{name: getattr(higher.RULES, name) for name in Rules.__slots__ if name not in ("arrange", "ask")},
    arrange=arrange,
    ask=ask,
)


def example(moves: tuple[str, ...] = (), hands: Any = ((3, 9), (4, 8)), **expected: Any) -> Example:
    """Two seats with two cards each, moves made, and what should be so."""
    answers = {name.replace("_", " "): value for name, value in expected.items()}
    return Example("x", None, 2, {}, {"hands": hands}, moves, MappingProxyType(answers))


def test_an_example_that_holds_has_no_faults() -> None:
    asked = example(
        ("play c3", "play c8", "play c4"),
        legal=["play c9"],
        legal_includes=["play c9"],
        illegal=["play c3"],
        seat=1,
        over=False,
        scores=[0, 2],
        places=[2, 1],
        zone_won_2=["card/c8", "card/c3"],
        zone_trick=["card/c4#1"],
        zone_deck=16,
        best_of_1=9,
    )

    assert find_example_faults(GAME, RULES, asked) == []


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (example(legal=["play c3"]), "legal is [play c3, play c9], not [play c3]"),
        (example(legal_includes=["play c4"]), "legal includes is [], not [play c4]"),
        (example(illegal=["play c3"]), "illegal is [], not [play c3]"),
        (example(("play c3",), seat=1), "seat is 2, not 1"),
        (example(scores=[1, 0]), "scores is [0, 0], not [1, 0]"),
        (example(zone_hand_1=["card/c3"]), "zone hand 1 is [card/c3, card/c9], not [card/c3]"),
        (example(zone_deck=15), "zone deck is 16, not 15"),
        (example(best_of_2=9), "best of 2 is 8, not 9"),
        (example(worst_of_2=9), "worst of 2: unknown question 'worst'"),
        (example(("play c3", "play c9"), over=False), "move 2: 'play c9' is not a legal move; choose from [play c4, play c8]"),
        (example(hands=((99,), ()), over=False), "given: there is no card of strength 99"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(asked: Example, told: str) -> None:
    assert find_example_faults(GAME, RULES, asked) == [told]
