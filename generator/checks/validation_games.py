"""Validation games: examples and games between bots, played for checks."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import util
from pathlib import Path
from time import monotonic

from generator.base.errors import Problem, ProblemsFound
from generator.base.files import ProgressListener, no_progress
from generator.checks.check_report import Check
from generator.checks.game_checks import (
    Playtest,
    check_examples,
    check_games_end,
    check_holes,
    check_repeats,
    check_supplies,
    count_wins,
    decide_laws,
    decide_measures,
    find_unknown_laws,
    find_unknown_measures,
    report_interruption,
    report_unplayable,
)
from generator.checks.table_checks import check_table_plan
from generator.game.game_cache import GameCache
from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import find_project
from generator.play import game_loop
from generator.play.batch import GamePlan, Opener, PlanRow, run_plan
from generator.play.bot_registry import list_bot_names
from generator.play.example_runs import find_example_faults
from generator.play.tally import Tally
from generator.rules.engine.contract import Rules
from generator.rules.registry import (
    OWN_SUFFIX,
    find_unplayable,
    hash_rules,
    kernel_folder,
    load_rules,
    report_rule_errors,
    trusted_folder,
)


def check_findings(game: Game, rules: Rules | None) -> Iterator[Check]:
    """Check that each table of findings has the current rules and numbers; undecided if they differ."""
    for table in game.findings:
        name = f"findings.{table.players}.{'-'.join(table.bots).replace(':', '-')}"
        entries = len({one.reading for one in table.entries})
        if (
            rules is not None
            and table.players in game.players
            and hash_rules(game, rules, table.players) == table.state
        ):
            said = f"{entries} entries, {table.games} games of each reading"
            yield Check(name, "lab", "pass", "the lab's findings match the current game", said, table.place)
        else:
            hint = f"run pnp lab readings {game.id} --keep-findings again"
            what = "rules or numbers have changed since the lab tested other readings"
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
class ValidationPlay:
    """How many games to play: random games for each number of players, processes, compiled or not.

    `trusted` allows a rules module in the game's own folder to run. `kernels` is the folder for compiled rules, None to
    interpret them; ProblemsFound is raised if they can't be compiled. `told` receives the progress.
    """

    games: int = QUICK
    processes: int = os.cpu_count() or 1
    trusted: bool = False
    kernels: Path | None = None
    told: ProgressListener = no_progress

    def __post_init__(self) -> None:
        if self.kernels is not None and util.find_spec("numba") is None:
            what = "numba is not installed, and --fast needs it"
            raise ProblemsFound([Problem(None, what, "install the program with its extra `fast`")])


def add_game_checks(
    game: Game,
    folder: Path,
    root: Path,
    rehearsal: ValidationPlay,
    checks: tuple[Check, ...],
    stored_tallies: GameCache | None = None,
) -> tuple[Check, ...]:
    """Return the checks with the results of examples and games added.

    Games in `stored_tallies`, played by the same rules with the same data, are not played again.
    """
    rules = load_rules(game, trusted_folder(folder, rehearsal.trusted))
    if rules is None:
        return (*checks, *check_table_plan(game, None), *check_findings(game, None))
    reasons = find_unplayable(game, rules)
    if reasons:
        return (*checks, *report_unplayable(game, reasons))
    with report_rule_errors(game):
        planned = (*check_table_plan(game, rules), *check_findings(game, rules))
        known = None
        if stored_tallies is not None:
            known = stored_tallies.get("games", _GAMES, stored_tallies.game, rehearsal.games)
        if known is not None and (set(known[2]) != {example.id for example in game.examples}):
            known = None  # another process has saved it
        cut = False
        if known is not None:
            test = Playtest(rules, *known)
        else:
            test, cut = _play_games(game, rules, folder, root, rehearsal, stored_tallies)
    if stored_tallies is not None and known is None and not cut:
        played = (test.run, test.tallies, test.faults)
        stored_tallies.put("games", played, stored_tallies.game, rehearsal.games, rests_on=())
    shown = (
        *check_examples(game, test),
        *check_games_end(game, test),
        *count_wins(game, test),
        *check_repeats(game, test),
    )
    pieces = (*check_supplies(game, test, checks), *check_holes(game, test))
    stopped = report_interruption(test, kept=stored_tallies is not None) if cut else ()
    decided = decide_measures(game, test, decide_laws(test, checks))
    unknown = (*find_unknown_laws(game, rules), *find_unknown_measures(game, test))
    return (*decided, *unknown, *planned, *shown, *pieces, *stopped)


def load_trusted_rules(root: Path, name: str, trusted: bool) -> tuple[Game, Rules]:
    """Load a game and its rules afresh, for a process that plays a part of the games."""
    project = find_project(root, root, links=True)  # checked by the calling process
    folder = project.find_folder(name)
    game = load_game(folder, project.resources)
    rules = load_rules(game, trusted_folder(folder, trusted))
    assert rules is not None, name  # noqa: S101 - checked by the calling process
    return game, rules


def _play_games(
    game: Game, rules: Rules, folder: Path, root: Path, rehearsal: ValidationPlay, kept: GameCache | None
) -> tuple[Playtest, bool]:
    """Play the examples and games; return the results and whether the user stopped early."""
    found = {example.id: find_example_faults(game, rules, example) for example in game.examples}
    rows = {
        (players, bot): rehearsal.games // SHARE.get(bot, USUAL_SHARE)
        for players in game.players
        for bot in list_bot_names(rules)
    }
    cache = ""
    if rehearsal.kernels is not None:
        own = [folder / game.rules_module] if game.rules_module.endswith(OWN_SUFFIX) else []
        cache = str(kernel_folder(rehearsal.kernels, Path(game_loop.__file__), *own))
    plan = GamePlan({row: number for row, number in rows.items() if number}, cache=cache)
    opener: Opener = partial(load_trusted_rules, root, folder.name, rehearsal.trusted)
    if rehearsal.processes <= 1:
        opener = lambda: (game, rules)  # noqa: E731 - a single process needs no reload
    before = (kept.get("tallies", dict[PlanRow, Tally], kept.game) if kept is not None else None) or {}
    tallies = {row: tally for row, tally in before.items() if tally.games <= plan.games.get(row, 0)}
    cut, begun = False, monotonic()
    saved = begun
    try:
        for done, of in run_plan(plan, opener, rehearsal.processes, tallies):
            now = monotonic()
            left = _format_duration((now - begun) / done * (of - done))
            rehearsal.told(f"{game.id}: {done} of {of} lots of games, {left} left")
            if now - saved > _SAVED_EVERY:
                saved = _save_tallies(kept, before, tallies)
    except KeyboardInterrupt:
        cut = True
    finally:
        rehearsal.told("")
    if cut or rehearsal.games > QUICK:
        _save_tallies(kept, before, tallies)
    return Playtest(rules, plan.run, tallies, found), cut


def _save_tallies(
    stored_tallies: GameCache | None, before: Mapping[PlanRow, Tally], tallies: Mapping[PlanRow, Tally]
) -> float:
    """Save the games played, for each row the larger tally. Return the time."""
    if stored_tallies is not None:
        more = {row: tally for row, tally in before.items() if row not in tallies}
        stored_tallies.put("tallies", {**more, **tallies}, stored_tallies.game, rests_on=())
    return monotonic()


def _format_duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"
