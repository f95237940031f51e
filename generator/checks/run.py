"""Runs every check there is on one game."""

from collections.abc import Callable, Iterator

from generator.checks.bleed import bleeds
from generator.checks.context import Context
from generator.checks.contrast import text_stands_out
from generator.checks.counts import setup_affordable, stated_counts, unique_ids
from generator.checks.drawn import art_as_made, faces_drawn, icons_are_used, icons_have_art, smallest_type
from generator.checks.expressions import Evaluate, Functions, named_checks
from generator.checks.needed_spaces import spaces_needed
from generator.checks.record import Check, require_readings
from generator.checks.resolution import pictures_are_sharp, pictures_are_there
from generator.checks.safe_zone import safe_zones
from generator.checks.spaces import spaces_fit
from generator.checks.told_apart import icons_told_apart
from generator.model.game import Game

GENERIC: tuple[Callable[[Game, Context], Iterator[Check]], ...] = (
    stated_counts,
    unique_ids,
    setup_affordable,
    faces_drawn,
    icons_have_art,
    art_as_made,
    icons_are_used,
    icons_told_apart,
    text_stands_out,
    smallest_type,
    safe_zones,
    bleeds,
    pictures_are_there,
    pictures_are_sharp,
    spaces_fit,
)
"""What is asked of every game, in the order of the report."""


def run_checks(
    game: Game, context: Context, evaluate: Evaluate, functions: Functions, lang: str = ""
) -> tuple[Check, ...]:
    """The results of all checks, those for every game first, then the game's own.

    Sentences that the data give come in `lang` (the game's first language where it doesn't have that one). Raises
    ValueError if a check reports a finding without a registered reading, which would be our mistake.
    """
    spoken = lang if lang in game.languages else game.languages[0]
    generic = (check for ask in GENERIC for check in ask(game, context))
    needed = spaces_needed(game, context, evaluate)
    return require_readings((*generic, *needed, *named_checks(game, evaluate, functions, spoken)), game)
