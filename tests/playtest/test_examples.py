"""Examples of the data are played: what they say comes out, each way of being wrong is told, and what readings change."""

from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest
from small_games import GAME, higher

from generator.game.model import Example, Game, Reading
from generator.play.example_runs import find_example_faults, find_shown_choices
from generator.rules.engine.contract import Box, Options, Rules


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
        sees_1_hand_1=["card/c9"],
        sees_1_hand_2=[],
        sees_2_trick=1,
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
        (example(sees_1_hand_2=["card/c8"]), "sees 1 hand 2 is [], not [card/c8]"),
        (example(sees_3_deck=0), "sees 3 deck: it takes a seat and a zone, as in `sees 1 deck`"),
        (example(best_of_2=9), "best of 2 is 8, not 9"),
        (example(worst_of_2=9), "worst of 2: unknown question 'worst'"),
        (example(("play c3", "play c9"), over=False), "move 2: 'play c9' is not a legal move; choose from [play c4, play c8]"),
        (example(hands=((99,), ()), over=False), "given: there is no card of strength 99"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(asked: Example, told: str) -> None:
    assert find_example_faults(GAME, RULES, asked) == [told]


def short_box(game: Game, players: int, options: Options) -> Box:
    """Games of a single trick while `length` is short; there is none while it is wrong."""
    if options.get("length") == "wrong":
        raise ValueError("it can't be played")
    made = higher.box(game, players, options)
    return replace(made, numbers={**made.numbers, "hand": 1 if options.get("length") == "short" else 3})


@pytest.mark.parametrize(
    ("options", "played", "shown"),
    [
        ({"length": "short"}, example(("play c3", "play c8"), over=True), True),
        ({"length": "short", "tie": "last"}, example(("play c3", "play c8"), over=True), True),
        (
            {"length": "short"},
            example(("play c3", "play c8"), scores=[0, 2]),
            False,
        ),  # it comes out in a long game, too
        ({}, example(("play c3", "play c8"), over=True), False),  # the example fails: it doesn't choose
    ],
)
def test_an_example_shows_what_would_not_come_out_otherwise(options: Options, played: Example, shown: bool) -> None:
    words = played.says
    length, tie = (
        Reading(name, "", words, words, switch, choices[0], choices)  # type: ignore[arg-type]
        for name, switch, choices in (("E1", "length", ("long", "short", "lost")), ("E2", "tie", ("first", "last")))
    )
    examples = (replace(played, options=options),)
    game = replace(GAME, readings={"E1": length, "E2": tie}, examples=examples)
    rules = replace(RULES, box=short_box, unplayable={"length: lost": "nobody has written it"})
    found = {"E1 length: short": ["x"] if shown else [], "E2 tie: last": []}
    assert find_shown_choices(game, rules) == found

    wrong = replace(
        game, readings={"E1": replace(length, value="wrong", choices=("wrong", "short"))}, examples=examples
    )
    options_of_force = replace(
        rules, box=lambda game, players, options: short_box(game, players, {"length": "wrong", **options})
    )
    assert find_shown_choices(wrong, options_of_force) == {"E1 length: short": []}, "without it, nothing can be played"

    card = replace(GAME.kinds["card"], option="length")
    assert "E1 length: short" not in find_shown_choices(replace(game, kinds={"card": card}), rules), (
        "it is printed only"
    )
