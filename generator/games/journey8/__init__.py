"""Tomorrow, I Set Out, draft 8: its rules as pure functions, and the checks that `data/journey8/checks.yaml` calls."""

from generator.games.engine.variants import variants_settable
from generator.games.journey8.checks import (
    cards_in_game,
    counters_suffice,
    effects_given,
    effects_worth,
    every_bookmark_once,
    example_can_occur,
    example_counts,
    keys_bounded,
    reverse_possible,
    row_bounded,
    set_up_deals,
    turns_equal,
    turns_equal_without_story_card,
)

__all__ = [
    "cards_in_game",
    "counters_suffice",
    "effects_given",
    "effects_worth",
    "every_bookmark_once",
    "example_can_occur",
    "example_counts",
    "keys_bounded",
    "reverse_possible",
    "row_bounded",
    "set_up_deals",
    "turns_equal",
    "turns_equal_without_story_card",
    "variants_settable",
]
