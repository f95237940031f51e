"""Runs of `pnp lab skill`: estimates the time, plays, stores and reports."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from generator.base.errors import Problem, ProblemsFound
from generator.books.page.blocks import Book
from generator.drawing.faces.game_drawing import Workshop
from generator.game.project import Project
from generator.lab.chunks import Cell, ChunkPlayer, Setup
from generator.lab.experiment import (
    continue_result,
    estimate_seconds_left,
    play_to_file,
    read_result_text,
    unchanged_arm,
)
from generator.lab.experiment_runs import (
    Effort,
    LabGame,
    make_cells,
    make_setup,
    open_lab_game,
    stamps_of,
    write_reports,
)
from generator.lab.measures import make_measures
from generator.lab.reports.skill_report import format_skill, make_skill_report
from generator.lab.skill_lots import GAMES_PER_DEAL, Match, SkillLot
from generator.lab.skill_result import (
    KIND,
    SkillQuestion,
    SkillResult,
    SkillWork,
    begin_skill,
    plan_lots,
    play_lots,
    read_skill,
)
from generator.rules.registry import report_rule_errors

_MOVES = 8
"""Number of moves for which a bot is timed. The length of a whole game is known from random play."""

_GAMES = 3


def measure_game_seconds(player: ChunkPlayer, arm: str, players: int, bots: Sequence[str]) -> Mapping[str, float]:
    """Return the estimated seconds of a game with each bot in all seats, without compiling the rules."""
    alike = Cell(players, ("random",) * players)
    table = player.find_table(arm, alike)
    told = table.game_figures(0, 0, _GAMES)
    width, at = len(table.columns), table.columns.index("moves")
    moves = sum(int(told[game * width + at]) for game in range(_GAMES)) / _GAMES
    found = {}
    for bot in bots:
        table = player.find_table(arm, Cell(players, (bot,) * players))
        table.game_figures(0, 0, 1, most=1)
        started = perf_counter()
        played = table.game_figures(0, 0, 1, most=_MOVES)
        found[bot] = (perf_counter() - started) / max(1, int(played[at])) * moves
    return found


def estimate_seconds(lots: Sequence[SkillLot], games: Mapping[int, Mapping[str, float]]) -> float:
    """Return the estimated seconds that one worker needs for the batches; `games` has the seconds per game."""
    whole = 0.0
    for lot in lots:
        of, each = lot.of, games[lot.of.players]
        if isinstance(of, Match):
            seatings = max(2, of.players)
            mixed = (each[of.one] + (seatings - 1) * each[of.others]) / seatings
            whole += lot.number * seatings * mixed
        else:
            whole += lot.number * GAMES_PER_DEAL * each[of.bot]
    return whole


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """Estimated seconds in total, and seconds per game by number of players and bot."""

    seconds: float
    games: Mapping[int, Mapping[str, float]]


def run_skill(
    lab_game: LabGame,
    question: SkillQuestion,
    work: SkillWork,
    target: Path,
    effort: Effort,
    beforehand: Callable[[CostEstimate], None],
) -> tuple[SkillResult, bool]:
    """Play the missing games into the file. Return the result and True if it was stopped early.

    `beforehand` receives the cost estimate. Raise ProblemsFound before any game for invalid input and for a file that
    is not such a result.
    """
    cells = make_cells(lab_game, question.players, question.bots)
    setup = make_setup(lab_game, unchanged_arm(), effort)
    with report_rule_errors(lab_game.game):
        if faults := setup.find_faults(cells):
            raise ProblemsFound(problem for _, problem in faults)
        box = lab_game.rules.box(lab_game.game, question.players[0], {})
        whole = make_measures(lab_game.rules, box)["win of seat 1"].whole
        fresh = begin_skill(
            {"game": lab_game.game.id, "draft": lab_game.game.draft, **stamps_of(lab_game)}, question, whole
        )
        result = continue_result(fresh, target, _read_own_file, anew=effort.anew)
        lots = plan_lots(result, work)
        costs = _estimate_costs(setup, lots, effort)
        if lots:
            beforehand(costs)

        def report_progress(done: int, whole: int, passed: float) -> None:
            left = costs.seconds if done == 1 else estimate_seconds_left(done, whole, passed, effort.seconds)
            effort.told(f"{lab_game.game.id}: {done:,} of {whole:,} lots of games, about {left:.0f} s left")

        steps = ((done, len(lots)) for done in play_lots(setup, result, lots, effort.crew))
        stopped = play_to_file(target, result, steps, effort.seconds, report_progress)
        effort.told("")
    return result, stopped


def _estimate_costs(setup: Setup, lots: list[SkillLot], effort: Effort) -> CostEstimate:
    player, games = setup.make_player(), {}
    bots: dict[int, dict[str, None]] = {}
    for lot in lots:
        seated = (lot.of.one, lot.of.others) if isinstance(lot.of, Match) else (lot.of.bot,)
        bots.setdefault(lot.of.players, {}).update(dict.fromkeys(seated))
    for players, names in bots.items():
        games[players] = measure_game_seconds(player, setup.arms[0].name, players, tuple(names))
    return CostEstimate(estimate_seconds(lots, games) / effort.crew.workers, games)


def read_skill_file(path: Path) -> SkillResult | None:
    """Return the result in a file, or None for another kind of file. Raise ProblemsFound if it can't be read."""
    text = read_result_text(path)
    try:
        kind = json.loads(text)["kind"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return read_skill(text, str(path)) if kind == KIND else None


def format_skill_file(path: Path) -> str:
    """Return the result of a file as text, or an empty string for another kind of file."""
    found = read_skill_file(path)
    return format_skill(found) if found is not None else ""


def write_skill_report(
    project: Project,
    result: SkillResult,
    stem: Path,
    languages: tuple[str, ...],
    kinds: tuple[str, ...],
    *,
    trusted: bool,
) -> tuple[Path, ...]:
    """Write a result's report and return its files. `stem` begins their paths. Raise ProblemsFound."""
    of = open_lab_game(project, str(result.about["game"]), trusted=trusted)
    stale = stamps_of(of)["data"] != result.about["data"]

    def read(workshop: Workshop, lang: str) -> Book:
        return make_skill_report(result, workshop, lang, stale=stale)

    return write_reports(of, stem.parent / of.game.id / stem.name, languages, kinds, read)


def _read_own_file(path: Path) -> SkillResult:
    """Return the result of an earlier `pnp lab skill`. Raise ProblemsFound for any other file."""
    known = read_skill_file(path)
    if known is None:
        what, hint = f"{path} is not a result of `pnp lab skill`", "move it, or choose another folder with --out"
        raise ProblemsFound([Problem(None, what, hint)])
    return known
