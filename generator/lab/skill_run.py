"""Runs of `pnp lab skill`: cost estimates, play, storage and reports."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter

from generator.base.dataclass import dataclass
from generator.base.errors import Problem, ProblemsFound
from generator.books.page.blocks import Book
from generator.drawing.faces.game_drawing import Workshop
from generator.game.project import Project
from generator.lab.chunks import Cell, Player, Setup
from generator.lab.experiment import as_it_is, begun, filed_text, play_into, seconds_left
from generator.lab.experiment_runs import Effort, LabGame, cells_of, lab_game, set_reports, setup_of, stamps_of
from generator.lab.measures import measures_of
from generator.lab.reports.skill_report import read_skill_report, skill_text
from generator.lab.skill_lots import AGAIN, Match, SkillLot
from generator.lab.skill_result import (
    KIND,
    SkillQuestion,
    SkillResult,
    SkillWork,
    begin_skill,
    lots_of,
    play_skill,
    read_skill,
)
from generator.rules.registry import mending

_MOVES = 8
"""Moves of a trial game. The length of a whole game is known from random play."""

_GAMES = 3


def seconds_of_a_game(player: Player, arm: str, players: int, bots: Sequence[str]) -> Mapping[str, float]:
    """Return about how long a game of each bot in all seats takes (seconds), without compilation."""
    alike = Cell(players, ("random",) * players)
    table = player.table(arm, alike)
    told = table.figures(0, 0, _GAMES)
    width, at = len(table.columns), table.columns.index("moves")
    moves = sum(int(told[game * width + at]) for game in range(_GAMES)) / _GAMES
    found = {}
    for bot in bots:
        table = player.table(arm, Cell(players, (bot,) * players))
        table.figures(0, 0, 1, most=1)
        started = perf_counter()
        played = table.figures(0, 0, 1, most=_MOVES)
        found[bot] = (perf_counter() - started) / max(1, int(played[at])) * moves
    return found


def seconds_of_lots(lots: Sequence[SkillLot], games: Mapping[int, Mapping[str, float]]) -> float:
    """Return about how long one worker needs for lots (seconds). `games` has the seconds of a game."""
    whole = 0.0
    for lot in lots:
        of, each = lot.of, games[lot.of.players]
        if isinstance(of, Match):
            seatings = max(2, of.players)
            mixed = (each[of.one] + (seatings - 1) * each[of.others]) / seatings
            whole += lot.number * seatings * mixed
        else:
            whole += lot.number * AGAIN * each[of.bot]
    return whole


@dataclass(frozen=True, slots=True)
class Costs:
    """Estimated seconds in all, and seconds of a game of each bot by number of players."""

    seconds: float
    games: Mapping[int, Mapping[str, float]]


def measure_skill(
    of: LabGame,
    asked: SkillQuestion,
    work: SkillWork,
    target: Path,
    effort: Effort,
    beforehand: Callable[[Costs], None],
) -> tuple[SkillResult, bool]:
    """Play the missing games into the file. Return the result and True if it was stopped early.

    `beforehand` receives the cost estimate. Raise ProblemsFound before any game for invalid input and for a file that
    is not such a result.
    """
    cells = cells_of(of, asked.players, asked.bots)
    setup = setup_of(of, as_it_is(), effort)
    with mending(of.game):
        if faults := setup.faults(cells):
            raise ProblemsFound(problem for _, problem in faults)
        box = of.rules.box(of.game, asked.players[0], {})
        whole = measures_of(of.rules, box)["win of seat 1"].whole
        fresh = begin_skill({"game": of.game.id, "draft": of.game.draft, **stamps_of(of)}, asked, whole)
        result = begun(fresh, target, _open_own, anew=effort.anew)
        lots = lots_of(result, work)
        costs = _costs(setup, lots, effort)
        if lots:
            beforehand(costs)

        def told(done: int, whole: int, passed: float) -> None:
            left = costs.seconds if done == 1 else seconds_left(done, whole, passed, effort.seconds)
            effort.told(f"{of.game.id}: {done:,} of {whole:,} lots of games, about {left:.0f} s left")

        steps = ((done, len(lots)) for done in play_skill(setup, result, lots, effort.crew))
        stopped = play_into(target, result, steps, effort.seconds, told)
        effort.told("")
    return result, stopped


def _costs(setup: Setup, lots: list[SkillLot], effort: Effort) -> Costs:
    player, games = setup.player(), {}
    bots: dict[int, dict[str, None]] = {}
    for lot in lots:
        seated = (lot.of.one, lot.of.others) if isinstance(lot.of, Match) else (lot.of.bot,)
        bots.setdefault(lot.of.players, {}).update(dict.fromkeys(seated))
    for players, names in bots.items():
        games[players] = seconds_of_a_game(player, setup.arms[0].name, players, tuple(names))
    return Costs(seconds_of_lots(lots, games) / effort.crew.workers, games)


def open_skill(path: Path) -> SkillResult | None:
    """Return the result in a file, or None for another kind of file. Raise ProblemsFound if it can't be read."""
    text = filed_text(path)
    try:
        kind = json.loads(text)["kind"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return read_skill(text, str(path)) if kind == KIND else None


def kept_skill(path: Path) -> str:
    """Return the result of a file as text, or an empty string for another kind of file."""
    found = open_skill(path)
    return skill_text(found) if found is not None else ""


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
    of = lab_game(project, str(result.about["game"]), trusted=trusted)
    stale = stamps_of(of)["data"] != result.about["data"]

    def read(workshop: Workshop, lang: str) -> Book:
        return read_skill_report(result, workshop, lang, stale=stale)

    return set_reports(of, stem.parent / of.game.id / stem.name, languages, kinds, read)


def _open_own(path: Path) -> SkillResult:
    """Return the result of an earlier `pnp lab skill`. Raise ProblemsFound for any other file."""
    known = open_skill(path)
    if known is None:
        what, hint = f"{path} is no result of `pnp lab skill`", "move it away, or choose another folder with --out"
        raise ProblemsFound([Problem(None, what, hint)])
    return known
