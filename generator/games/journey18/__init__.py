"""journey18 (Tomorrow, I Set Out): its rules as pure functions, and the named checks that its `checks.yaml` calls."""

from generator.games.journey18.checks import (
    best_loops,
    best_score,
    components_exist,
    enough_cards,
    every_event_once,
    key_icons_even,
    locations_hold_events,
    most_points,
    most_turns,
    phases_exist,
    residue_can_shift,
    stories_can_be_solved,
)

__all__ = [
    "best_loops",
    "best_score",
    "components_exist",
    "enough_cards",
    "every_event_once",
    "key_icons_even",
    "locations_hold_events",
    "most_points",
    "most_turns",
    "phases_exist",
    "residue_can_shift",
    "stories_can_be_solved",
]
