"""Validation games: examples and games between bots, played for checks."""

import os
from collections.abc import Iterator, Mapping
from functools import partial
from importlib import util
from pathlib import Path
from time import monotonic

from generator.base.dataclass import dataclass
from generator.base.errors import Problem, ProblemsFound
from generator.base.files import Told, untold
from generator.checks.check_report import Check
from generator.checks.played_checks import (
    Playtest,
    decide_laws,
    decide_measures,
    examples_hold,
    games_end,
    games_repeat,
    hole_checks,
    interrupted_play,
    not_playable,
    supplies_suffice,
    unknown_laws,
    unknown_measures,
    win_checks,
)
from generator.checks.table_checks import table_checks
from generator.game.game_cache import Kept
from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import find_project
from generator.play import game_loop
from generator.play.batch import GamePlan, Opener, PlanRow, run_plan
from generator.play.bot_registry import bot_names
from generator.play.example_runs import faults
from generator.play.tally import Tally
from generator.rules.engine.contract import Rules
from generator.rules.registry import OWN_SUFFIX, kernel_folder, mending, rules_of, state_of, trusted_folder, unplayable


def found_checks(game: Game, rules: Rules | None) -> Iterator[Check]:
    """Check that each table of findings has the current rules and numbers; undecided if they differ."""
    for table in game.findings:
        name = f"findings.{table.players}.{'-'.join(table.bots).replace(':', '-')}"
        entries = len({one.reading for one in table.entries})
        if rules is not None and table.players in game.players and state_of(game, rules, table.players) == table.state:
            said = f"{entries} entries, {table.games} games of each reading"
            yield Check(name, "lab", "pass", "what the lab found is of the game as it is", said, table.place)
        else:
            hint = f"play again: pnp lab readings {game.id} --keep-findings"
            what = "rules or numbers have changed since the lab found what other readings do"
            yield Check(name, "lab", "undecided", what, hint, table.place)


QUICK = 20
"""Default number of games with the random bot for each number of players: a sample that takes seconds."""

SHARE = {"random": 1, "look-ahead": 200}
_SAVED_EVERY = 30.0
"""Interval between saves of the games played so far (seconds)."""

USUAL_SHARE = 20
"""Random games per game with another bot: the look-ahead bot tries hundreds of moves for each that it makes."""

_GAMES = tuple[int, dict[PlanRow, Tally], dict[str, list[str]]]
"""Saved games: the run, the tallies and the faults of each example."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """How many games to play: random games for each number of players, processes, compiled or not.

    `trusted` allows a rules module in the game's own folder to run. `kernels` is the folder for compiled rules, None to
    interpret them; ProblemsFound is raised if they can't be compiled. `told` receives the progress.
    """

    games: int = QUICK
    processes: int = os.cpu_count() or 1
    trusted: bool = False
    kernels: Path | None = None
    told: Told = untold

    def __post_init__(self) -> None:
        if self.kernels is not None and util.find_spec("numba") is None:
            what = "numba is not installed, and --fast needs it"
            raise ProblemsFound([Problem(None, what, "install the program with its extra `fast`")])


def with_play(
    game: Game,
    folder: Path,
    root: Path,
    rehearsal: Rehearsal,
    checks: tuple[Check, ...],
    kept: Kept | None = None,
) -> tuple[Check, ...]:
    """Return the checks with the results of examples and games added.

    Games in `kept`, played by the same rules with the same data, are not played again.
    """
    rules = rules_of(game, trusted_folder(folder, rehearsal.trusted))
    if rules is None:
        return (*checks, *table_checks(game, None), *found_checks(game, None))
    reasons = unplayable(game, rules)
    if reasons:
        return (*checks, *not_playable(game, reasons))
    with mending(game):
        planned = (*table_checks(game, rules), *found_checks(game, rules))
        known = kept.get("games", _GAMES, kept.game, rehearsal.games) if kept is not None else None
        if known is not None and (set(known[2]) != {example.id for example in game.examples}):
            known = None  # another process has saved it
        cut = False
        if known is not None:
            test = Playtest(rules, *known)
        else:
            test, cut = _play_games(game, rules, folder, root, rehearsal, kept)
    if kept is not None and known is None and not cut:
        kept.put("games", (test.run, test.tallies, test.faults), kept.game, rehearsal.games, rests_on=())
    shown = (*examples_hold(game, test), *games_end(game, test), *win_checks(game, test), *games_repeat(game, test))
    pieces = (*supplies_suffice(game, test, checks), *hole_checks(game, test))
    stopped = interrupted_play(test, kept=kept is not None) if cut else ()
    decided = decide_measures(game, test, decide_laws(test, checks))
    return (*decided, *unknown_laws(game, rules), *unknown_measures(game, test), *planned, *shown, *pieces, *stopped)


def open_rules(root: Path, name: str, trusted: bool) -> tuple[Game, Rules]:
    """Load a game and its rules afresh, for a process that plays a part of the games."""
    project = find_project(root, root, links=True)  # checked by the calling process
    folder = project.folder(name)
    game = load_game(folder, project.resources)
    rules = rules_of(game, trusted_folder(folder, trusted))
    assert rules is not None, name  # noqa: S101 - checked by the calling process
    return game, rules


def _play_games(
    game: Game, rules: Rules, folder: Path, root: Path, rehearsal: Rehearsal, kept: Kept | None
) -> tuple[Playtest, bool]:
    """Play the examples and games; return the results and whether the user stopped early."""
    found = {example.id: faults(game, rules, example) for example in game.examples}
    plan = GamePlan(_rows(game, rules, rehearsal.games), cache=_cache(game, folder, rehearsal.kernels))
    opener: Opener = partial(open_rules, root, folder.name, rehearsal.trusted)
    if rehearsal.processes <= 1:
        opener = lambda: (game, rules)  # noqa: E731 - a single process needs no reload
    before = (kept.get("tallies", dict[PlanRow, Tally], kept.game) if kept is not None else None) or {}
    tallies = {row: tally for row, tally in before.items() if tally.games <= plan.games.get(row, 0)}
    cut, begun = False, monotonic()
    saved = begun
    try:
        for done, of in run_plan(plan, opener, rehearsal.processes, tallies):
            now = monotonic()
            rehearsal.told(f"{game.id}: {done} of {of} lots of games, {_span((now - begun) / done * (of - done))} left")
            if now - saved > _SAVED_EVERY:
                saved = _save(kept, before, tallies)
    except KeyboardInterrupt:
        cut = True
    finally:
        rehearsal.told("")
    if cut or rehearsal.games > QUICK:
        _save(kept, before, tallies)
    return Playtest(rules, plan.run, tallies, found), cut


def _save(kept: Kept | None, before: Mapping[PlanRow, Tally], tallies: Mapping[PlanRow, Tally]) -> float:
    """Save the games played, for each row the larger tally. Return the time."""
    if kept is not None:
        more = {row: tally for row, tally in before.items() if row not in tallies}
        kept.put("tallies", {**more, **tallies}, kept.game, rests_on=())
    return monotonic()


def _span(seconds: float) -> str:
    """Return a duration in words."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"


def _rows(game: Game, rules: Rules, games: int) -> dict[PlanRow, int]:
    """Return the number of games of each row: all at random, fewer with each other bot."""
    rows = {
        (players, bot): games // SHARE.get(bot, USUAL_SHARE) for players in game.players for bot in bot_names(rules)
    }
    return {row: number for row, number in rows.items() if number}


def _cache(game: Game, folder: Path, kernels: Path | None) -> str:
    if kernels is None:
        return ""
    own = [folder / game.rules_module] if game.rules_module.endswith(OWN_SUFFIX) else []
    return str(kernel_folder(kernels, Path(game_loop.__file__), *own))
