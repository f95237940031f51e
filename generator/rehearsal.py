"""What playing a game shows: its examples and a number of games between bots, as checks."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from generator.checks.played import (
    Playtest,
    examples_hold,
    games_end,
    holes_met,
    laws_decided,
    supplies_suffice,
    unknown_laws,
)
from generator.checks.record import Check
from generator.errors import Problem, ProblemsFound
from generator.games.contract import Rules
from generator.games.registry import rules_of
from generator.load.game import load_game
from generator.load.project import find_project
from generator.model.game import Game
from generator.playtest.batch import Opener, Plan, Row, carry_out
from generator.playtest.bots import bot_names
from generator.playtest.examples import faults
from generator.playtest.tally import Tally

QUICK = 20
"""Games for each number of players with the random bot when no number is asked for: a sample that takes seconds."""

SHARE = 20
"""One game with each other bot for so many with the random one."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """How much is played: random games for each number of players, by so many processes, whether compiled.

    `trusted` says whether a rules module in the game's own folder may run; `cache` is where compiled rules are kept.
    """

    games: int = QUICK
    processes: int = os.cpu_count() or 1
    trusted: bool = False
    cache: str = ""


def trusted_folder(folder: Path, rehearsal: Rehearsal) -> Path | None:
    """The game's folder if code in it may run."""
    return folder if rehearsal.trusted else None


def with_play(
    game: Game, folder: Path, root: Path, rehearsal: Rehearsal, checks: tuple[Check, ...]
) -> tuple[Check, ...]:
    """The checks, those decided that games can decide, and with what examples and games show."""
    rules = rules_of(game, trusted_folder(folder, rehearsal))
    if rules is None:
        return checks
    try:
        test = _played(game, rules, partial(open_rules, root, game.id, rehearsal.trusted), rehearsal)
    except (ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as error:
        if not rehearsal.trusted:
            raise
        what = f"the rules module '{game.rules_module}' fails: {type(error).__name__}: {error}"
        raise ProblemsFound([Problem(game.places.place("rules_module"), what, "mend it")]) from error
    shown = (*examples_hold(game, test), *games_end(game, test), *supplies_suffice(game, test), *holes_met(game, test))
    return (*laws_decided(test, checks), *unknown_laws(game, rules), *shown)


def open_rules(root: Path, name: str, trusted: bool) -> tuple[Game, Rules]:
    """A game and its rules, loaded afresh: for a process that plays a part of the games."""
    project = find_project(root, root)
    folder = project.folder(name)
    game = load_game(folder, project.resources)
    rules = rules_of(game, folder if trusted else None)
    assert rules is not None, name  # noqa: S101 - the process that asks has them
    return game, rules


def _played(game: Game, rules: Rules, opener: Opener, rehearsal: Rehearsal) -> Playtest:
    rows: dict[Row, int] = {}
    for players in game.players:
        for bot in bot_names(rules):
            games = rehearsal.games if bot == "random" else rehearsal.games // SHARE
            if games:
                rows[players, bot] = games
    plan = Plan(rows, cache=rehearsal.cache)
    tallies: Mapping[Row, Tally] = carry_out(plan, opener, rehearsal.processes) if rows else {}
    return Playtest(rules, plan.run, tallies, {example.id: faults(game, rules, example) for example in game.examples})
