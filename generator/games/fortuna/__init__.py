"""Fortuna: its rules as pure functions, and the named checks that `data/fortuna/checks.yaml` calls."""

from generator.games.fortuna.checks import (
    all_in_only_numbers,
    best_sets,
    deal_fits,
    end_pile_can_run_out,
    every_card_once,
    hand_within_bounds,
    longest_game,
    no_early_trigger,
    refill_spares_end_pile,
    set_sizes_lawful,
    ten_set_numbers,
    value_counts,
    wheel_can_turn,
)

__all__ = [
    "all_in_only_numbers",
    "best_sets",
    "deal_fits",
    "end_pile_can_run_out",
    "every_card_once",
    "hand_within_bounds",
    "longest_game",
    "no_early_trigger",
    "refill_spares_end_pile",
    "set_sizes_lawful",
    "ten_set_numbers",
    "value_counts",
    "wheel_can_turn",
]
