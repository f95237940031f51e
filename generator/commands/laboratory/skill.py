"""`pnp lab skill`: bots against each other and the share of luck, played, kept where more games can join, and told."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic

from generator.commands.laboratory.experiments import (
    SAVED_EVERY,
    Effort,
    LabGame,
    cells_of,
    lab_game,
    set_reports,
    setup_of,
    stamps_of,
)
from generator.commands.rehearsal import mending
from generator.dataclass import dataclass
from generator.delivery import delivery
from generator.errors import Place, Problem, ProblemsFound, Unfit
from generator.faces.workshop import Workshop
from generator.files import read_file
from generator.lab.chunks import Setup
from generator.lab.experiment import as_it_is
from generator.lab.measures import measures_of
from generator.lab.skill.costs import seconds_of_a_game, seconds_of_lots
from generator.lab.skill.lots import Match, SkillLot
from generator.lab.skill.result import (
    KIND,
    SkillQuestion,
    SkillResult,
    SkillWork,
    begin_skill,
    lots_of,
    play_skill,
    read_skill,
)
from generator.lab.skill.told import skill_text
from generator.load.project import Project
from generator.pages.blocks import Book
from generator.reports.skill import read_skill_report


@dataclass(frozen=True, slots=True)
class Costs:
    """About how long it will take, in seconds, and how long a game of each bot takes, by the number of players."""

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
    """Plays what lacks into the file, and says whether it was stopped; `beforehand` hears what it will cost.

    ProblemsFound for what can't be played and for a file that is none of its results, before any game.
    """
    cells = cells_of(of, asked.players, asked.bots)
    setup = setup_of(of, as_it_is(), effort)
    stopped = False
    with mending(of.game):
        if faults := setup.faults(cells):
            raise ProblemsFound(problem for _, problem in faults)
        box = of.rules.box(of.game, asked.players[0], {})
        whole = measures_of(of.rules, box)["win of seat 1"].whole
        fresh = begin_skill({"game": of.game.id, "draft": of.game.draft, **stamps_of(of)}, asked, whole)
        result = _begun(fresh, target, anew=effort.anew)
        with delivery() as files:  # whether the place can be written to
            files.put(target, result.text().encode())
        try:
            _play(setup, result, work, target, effort, beforehand)
        except KeyboardInterrupt:
            stopped = True
        finally:
            effort.told("")
            if result.matches or result.tables:
                _keep(result, target)  # whatever has happened: what was played counts
    return result, stopped


def _play(
    setup: Setup,
    result: SkillResult,
    work: SkillWork,
    target: Path,
    effort: Effort,
    beforehand: Callable[[Costs], None],
) -> None:
    lots = lots_of(result, work)
    if not lots:
        return
    costs = _costs(setup, lots, effort)
    beforehand(costs)
    started = kept = monotonic()
    for done in play_skill(setup, result, lots, effort.crew):
        now = monotonic()
        left = costs.seconds if done == 1 else (now - started) / done * (len(lots) - done)
        left = min(left, effort.seconds - (now - started)) if effort.seconds else left
        effort.told(
            f"{result.about['game']}: {done:,} of {len(lots):,} lots of games, about {max(0.0, left):.0f} s left"
        )
        if effort.seconds and now - started > effort.seconds:
            return
        if now - kept > SAVED_EVERY:
            _keep(result, target)
            kept = monotonic()


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
    """The result that a file holds; None for a file of another kind, ProblemsFound for one that can't be read."""
    try:
        text = read_file(path, "result").decode("utf-8", "replace")
    except Unfit as error:
        raise ProblemsFound([Problem(Place(str(path)), str(error), error.hint)]) from error
    try:
        kind = json.loads(text)["kind"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return read_skill(text, str(path)) if kind == KIND else None


def kept_skill(path: Path) -> str:
    """What the result of a file says; empty for a file of another kind."""
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
    """The files of a result's report, behind a path's stem; ProblemsFound with all that can't be set."""
    of = lab_game(project, str(result.about["game"]), trusted=trusted)
    stale = stamps_of(of)["data"] != result.about["data"]

    def read(workshop: Workshop, lang: str) -> Book:
        return read_skill_report(result, workshop, lang, stale=stale)

    return set_reports(of, stem.parent / of.game.id / stem.name, languages, kinds, read)


def _begun(fresh: SkillResult, target: Path, *, anew: bool) -> SkillResult:
    """What is kept of the same question, else the fresh result; what is kept of another gets a name of its own.

    ProblemsFound for a file that is no such result: nobody's file is written over.
    """
    if not target.is_file():
        return fresh
    known = open_skill(target)
    if known is None:
        what, hint = f"{target} is no result of `pnp lab skill`", "move it away, or choose another folder with --out"
        raise ProblemsFound([Problem(None, what, hint)])
    if known.key != fresh.key:
        _keep(known, _aside(known, target))
        again = _aside(fresh, target)
        known = (open_skill(again) if again.is_file() else None) or fresh
    return fresh if anew or known.key != fresh.key else known


def _aside(result: SkillResult, target: Path) -> Path:
    """Where a result goes when another takes its place."""
    return target.with_name(f"{target.stem}.{result.key[:8]}{target.suffix}")


def _keep(result: SkillResult, target: Path) -> None:
    with delivery() as files:
        files.put(target, result.text().encode())
        files.hand_over()
