"""Nobody sees what he must not: the five games, a starter's and a stranger's rules, by the laws of observation."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import observation_laws as laws
import pytest
from engine_laws import boxes_of
from shipped_games import game_and_rules
from test_table import BOXES, higher
from tests_support import quick

from generator.play.table_text import write_transcript
from generator.rules.engine.contract import ALL_SEEN, Box, Options, Rules
from generator.rules.engine.table import Seed, Table

CASES: dict[str, tuple[str, Options, int, int]] = {
    "fortuna": ("fortuna", {}, 1, 2),
    "journey8": ("journey8", {}, 4, 2),
    "journey18": ("journey18", {}, 4, 2),
    "journey18 with a radio": ("journey18", {"items": ["radio"], "radio": "always"}, 3, 2),
    "wayfaring": ("wayfaring", {}, 2, 8),
    "wayfaring, owners may peek": ("wayfaring", {"owner_may_peek": True}, 1, 8),
    "wayfaring, at one screen": ("wayfaring", {"ask_everyone": True}, 1, 8),
    "xanadu": ("xanadu", {}, 1, 24),
    "xanadu, drafted": ("xanadu", {"style": "advanced"}, 1, 16),
    "higher": ("higher", {}, 3, 1),
}
"""A game, its options, how many games for each number of players, and one state of how many show enough of it."""

THINNER = 3
SAMPLES = [THINNER, pytest.param(1, marks=pytest.mark.release)]
"""Where a state costs most, `make test` sees a third of them, which shows planted faults too, and `make release-check` all."""


@cache
def opened(case: str) -> tuple[Rules, list[Box]]:
    """Rules and boxes of a case."""
    name, options, *_ = CASES[case]
    if name == "higher":
        return higher.RULES, BOXES
    game, rules = game_and_rules(name)
    return rules, boxes_of(rules, game, options)


@pytest.mark.parametrize("case", quick(CASES, "fortuna", "journey8", "journey18", "wayfaring", "xanadu", "higher"))
def test_what_looks_alike_is_shown_alike(case: str) -> None:
    """Observation, displayed lines and choices are the same in states that a seat can't tell apart."""
    laws.check_sights(*opened(case), *CASES[case][2:])


@pytest.mark.parametrize(
    "case", quick([case for case in CASES if not case.startswith("journey18")], "fortuna", "wayfaring")
)
def test_what_looks_alike_is_told_alike(case: str) -> None:
    laws.check_tellings(*opened(case), *CASES[case][2:])


@pytest.mark.parametrize(
    "case", quick(["fortuna", "journey8", "wayfaring", "xanadu, drafted", "higher"], "fortuna", "journey8", "higher")
)
def test_bots_choose_alike(case: str) -> None:
    laws.check_bots(*opened(case), 20, Counter({"random": 20, "greedy": 12, "look-ahead": 1, "look-ahead:2": 1}))


def leaking(case: str, **functions: Callable[..., Any] | None) -> tuple[Rules, list[Box]]:
    """The rules of a case with others in place of their own."""
    rules, boxes = opened(case)
    return replace(rules, **functions), boxes


@pytest.mark.parametrize("case", ["fortuna", "journey8", "wayfaring", "xanadu, drafted"])
def test_an_observation_of_everything_would_be_noticed(case: str) -> None:
    rules, boxes = opened(case)
    assert rules.observe is not None
    look = rules.observe
    spoilt = leaking(case, observe=lambda s, box, seat: look(s, box, ALL_SEEN))[0]
    with pytest.raises(AssertionError):
        laws.check_sights(spoilt, boxes, *CASES[case][2:])


@pytest.mark.parametrize("case", ["wayfaring", "xanadu, drafted"])
def test_a_card_that_is_named_would_be_noticed(case: str) -> None:
    rules, boxes = leaking(case, tell=lambda s, box, move, seat, said: said)
    with pytest.raises(AssertionError):
        laws.check_tellings(rules, boxes, *CASES[case][2:])


@pytest.mark.parametrize("case", ["wayfaring", "xanadu, drafted"])
def test_rules_that_do_not_say_how_to_tell_are_kept_from_naming_hidden_cards(case: str) -> None:
    """Without words of their own for it nothing is named that a seat sees neither before nor after."""
    rules, boxes = leaking(case, tell=None)
    laws.check_tellings(rules, boxes, 1, 2 * CASES[case][3])


@pytest.mark.parametrize(
    "case",
    quick(["fortuna", "journey8", "wayfaring, at one screen", "xanadu, drafted", "higher"], *("fortuna", "journey8")),
)
@pytest.mark.parametrize("thinner", SAMPLES)
def test_who_is_called_gives_nothing_away(case: str, thinner: int) -> None:
    *_, games, share = CASES[case]
    laws.check_callings(*opened(case), games, share * thinner)


def test_calling_only_who_can_answer_would_be_noticed() -> None:
    *_, games, share = CASES["wayfaring"]
    with pytest.raises(AssertionError, match=r"Seed\("):
        laws.check_callings(*opened("wayfaring"), games, share * THINNER)


@pytest.mark.parametrize("lang", quick(["ja", "en"], "en"))
def test_who_could_have_intervened_is_not_told(lang: str) -> None:
    rules, boxes = opened("wayfaring")
    silent = 0
    for number in range(3):
        table = Table(rules, boxes[1], Seed(4, number))
        laws.played(table)
        words = {of: boxes[1].game.moves["decline"][of] for of in ("ja", "en")}
        for seat in range(3):
            course = write_transcript(table, lang, (seat,))
            own = [line for line in course.splitlines() if words[lang] in line]
            assert all(laws.says(seat, line, lang) for line in own), own
            silent += write_transcript(table, lang).count(words[lang]) > len(own)
    assert silent, "the test must see others decline"
