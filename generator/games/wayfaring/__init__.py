"""The Wayfaring Book: its rules as pure functions, and the checks that `data/wayfaring/checks.yaml` calls."""

from generator.games.wayfaring.checks import (
    destinations_sure,
    display_possible,
    every_card_distinct,
    redraw_chance,
    redraws_bounded,
    set_up_deals,
    terrains_and_kinds,
    victory_feasible,
)
from generator.games.wayfaring.contents import (
    conditions_split,
    counts_given,
    deeds_payable,
    every_text_in_all_languages,
    signs_restored,
    situations_satisfiable,
    vocabulary_kept,
)

__all__ = [
    "conditions_split",
    "counts_given",
    "deeds_payable",
    "destinations_sure",
    "display_possible",
    "every_card_distinct",
    "every_text_in_all_languages",
    "redraw_chance",
    "redraws_bounded",
    "set_up_deals",
    "signs_restored",
    "situations_satisfiable",
    "terrains_and_kinds",
    "victory_feasible",
    "vocabulary_kept",
]
