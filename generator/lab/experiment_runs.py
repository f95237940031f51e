"""Runs of experiments: plays and stores them, and writes reports and findings."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib.util import find_spec
from json import dumps
from pathlib import Path
from typing import Any

from generator import __version__
from generator.base.errors import Place, Problem, ProblemsFound, locate_fault, raise_problems
from generator.base.files import ProgressListener, list_files, no_progress, read_file
from generator.base.output_files import deliver_file
from generator.commands.schema import NAME, schema_text
from generator.game.data_fields import format_value
from generator.game.load_game import load_game
from generator.game.model import Game, Reading
from generator.game.project import Project
from generator.game.table_files import SUFFIXES
from generator.lab import win_search
from generator.lab.arms import Arm
from generator.lab.chunks import Cell, Crew, Setup
from generator.lab.experiment import (
    Experiment,
    Limit,
    begin_result,
    continue_result,
    drop_unplayable,
    estimate_seconds_left,
    play_experiment,
    play_to_file,
    read_result_text,
)
from generator.lab.experiment_shape import make_experiment_schema
from generator.lab.findings import find_differences
from generator.lab.reports.report_findings import LabTable, ResultFindings, percent_factor
from generator.lab.results import Result, read_result
from generator.lab.sweep_text import SmallestChange
from generator.lab.sweeps import make_grid_arms
from generator.lab.verdicts import ArmVerdict, format_verdict_counts, judge_readings
from generator.lab.win_solver import Search, SolvedDeals, check_arms, read_solved, solve_deals
from generator.play import game_loop
from generator.play.bot_registry import find_bot
from generator.rules.engine.contract import Rules
from generator.rules.registry import hash_rules, kernel_folder, load_rules, report_rule_errors, trusted_folder

SCHEMA = "experiment.schema.json"
"""File name of the JSON Schema of experiment files, in the game's data folder."""

FINDINGS = "findings.yaml"
"""File name of the stored results about readings (findings), in the game's data folder."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to play: up to the limit or for `seconds` (0 for no time limit), and with which workers (crew).

    With `trusted` a rules module in the game's own folder may run. `kernels` is the folder for compiled rules, or None
    to interpret them. `anew` ignores stored games. `told` receives the progress.
    """

    limit: Limit
    seconds: float
    crew: Crew
    trusted: bool = False
    kernels: Path | None = None
    anew: bool = False
    told: ProgressListener = no_progress


@dataclass(frozen=True, slots=True)
class LabGame:
    """A game that the lab can play: its project, data and rules."""

    project: Project
    game: Game
    rules: Rules


def require_libraries(*names: str) -> None:
    """Raise ProblemsFound if one of these libraries is not installed; by default check those the lab always needs."""
    missing = [name for name in names or ("numpy", "scipy") if find_spec(name) is None]
    if missing:
        what = f"the lab needs {' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed"
        raise ProblemsFound([Problem(None, what, "install the program with its extra `lab`")])


def open_lab_game(project: Project, name: str, *, trusted: bool) -> LabGame:
    """Return a game; `trusted`: rules in its folder may run. Raise ProblemsFound if it is unknown or without rules."""
    require_libraries()
    project.choose_games((name,))
    folder = project.find_folder(name)
    game = load_game(folder, project.resources)
    rules = load_rules(game, trusted_folder(folder, trusted))
    if rules is None:
        what = f"{game.id} has no playable rules"
        raise ProblemsFound([Problem(game.places.place("format"), what, "write rules; see docs/rules.md")])
    return LabGame(project, game, rules)


def spread_grids(lab_game: LabGame, experiment: Experiment) -> Experiment:
    """Return the experiment with an arm for each point of its grids. Raise ProblemsFound for unknown values."""
    folder = lab_game.project.find_folder(lab_game.game.id)
    arms, grids = make_grid_arms(experiment.arms, experiment.grids, lab_game.game, folder, lab_game.project.resources)
    return replace(experiment, arms=arms, grids=grids)


def make_cells(lab_game: LabGame, players: tuple[int, ...], bots: tuple[str, ...]) -> tuple[Cell, ...]:
    """Return a table for each number of players and each bot, in all seats. Raise ProblemsFound for invalid ones."""
    problems = []
    for number in players:
        if number not in lab_game.game.players:
            hint = f"it is for {lab_game.game.players.fewest} to {lab_game.game.players.most} players"
            problems.append(Problem(None, f"{lab_game.game.id} does not support {number} players", hint))
    for bot in bots:
        try:
            find_bot(bot, lab_game.rules)
        except ValueError as error:
            problems.append(Problem(None, *str(error).split("; ", 1)))
    raise_problems(problems)
    return tuple(Cell(number, (bot,) * number) for number in players for bot in bots)


def write_experiment_schema(lab_game: LabGame) -> tuple[Path, ...]:
    """Write the schema of the game's experiments beside its data. Return its path."""
    text = schema_text(make_experiment_schema(lab_game.game, lab_game.rules))
    return deliver_file(lab_game.project.find_folder(lab_game.game.id) / SCHEMA, text.encode(), at_home=True)


def run_experiment(lab_game: LabGame, experiment: Experiment, target: Path, effort: Effort) -> tuple[Result, bool]:
    """Play an experiment into its file. Return the result and True if it was stopped early.

    Stored games of the same question are used; a file of another question is renamed. Raise ProblemsFound before any
    game if an arm can't be played or the file can't be written.
    """
    setup = replace(make_setup(lab_game, experiment.arms, effort), cards=experiment.cards)
    with report_rule_errors(lab_game.game):
        experiment, setup = drop_unplayable(experiment, setup)
        result = continue_result(
            begin_result(experiment, lab_game.game, lab_game.rules, stamps_of(lab_game)),
            target,
            read_result_file,
            anew=effort.anew,
        )
        result.asked = experiment.asked
        known = ""

        def report_progress(done: int, whole: int, passed: float) -> None:
            nonlocal known
            if not done & (done - 1):  # what is known changes ever more slowly
                known = f"; so far {told}" if (told := _describe_standing(result)) else ""
            left = estimate_seconds_left(done, whole, passed, effort.seconds)
            effort.told(f"{lab_game.game.id}: {done:,} of {whole:,} lots of games, about {left:.0f} s left{known}")

        steps = play_experiment(experiment, lab_game.game, lab_game.rules, setup, result, effort.limit, effort.crew)
        stopped = play_to_file(target, result, steps, effort.seconds, report_progress)
        effort.told("")
    return result, stopped


def _describe_standing(result: Result) -> str:
    """Return what the games so far show in a few words, or ''."""
    if result.asked.unreached is not None:
        return format_verdict_counts(result)
    standing = [one for one in find_differences(result) if one.stands]
    if not standing:
        return ""
    first = max(standing, key=lambda one: abs(one.gap.at) / max(one.gap.half, 1e-9))
    effect = f"{first.arm}: {result.asked.find_label(first.measure)} {first.gap.at:+.3g}"
    return f"{len(standing)} difference{'s' * (len(standing) > 1)}, as {effect}"


def make_setup(lab_game: LabGame, arms: tuple[Arm, ...], effort: Effort, *solver: Path) -> Setup:
    """Return the setup that plays the arms. Raise ProblemsFound if they must be compiled and can't be.

    `solver` is the solver's source file, if one is used.
    """
    if effort.kernels is not None:
        require_libraries("numba")
    folder = lab_game.project.find_folder(lab_game.game.id)
    kernels = str(kernel_folder(effort.kernels, *_kernel_sources(lab_game), *solver)) if effort.kernels else ""
    return Setup(lab_game.project.root, folder.name, effort.trusted, arms, kernels)


def read_result_file(path: Path) -> Result:
    """Return the result in a file. Raise ProblemsFound if it is not a result."""
    return read_result(read_result_text(path), str(path))


def stamps_of(lab_game: LabGame, *solver: Path) -> dict[str, str]:
    """Return hashes of the game's data and of its rules (with the `solver`), and the program's version."""
    folder, data = lab_game.project.find_folder(lab_game.game.id), sha256()
    for path in list_files(folder):
        if path.name not in (NAME, SCHEMA, FINDINGS) and path.suffix in (".yaml", ".yml", ".json", *SUFFIXES):
            with locate_fault(Place(lab_game.project.resources.display_path(path))):
                content = read_file(path, "table" if path.suffix in SUFFIXES else "data")
            data.update(path.name.encode() + b"\0" + content)
    rules = kernel_folder(Path(), *_kernel_sources(lab_game), *solver).name
    return {"data": data.hexdigest()[:16], "rules": rules, "program": __version__}


def _kernel_sources(lab_game: LabGame) -> list[Path]:
    game = lab_game.game
    own = [lab_game.project.find_folder(game.id) / game.rules_module] if game.has_own_rules else []
    return [Path(game_loop.__file__), *own]


def run_solver(
    lab_game: LabGame, arms: tuple[Arm, ...], run: int, search: Search, deals: int, target: Path, effort: Effort
) -> tuple[SolvedDeals, bool]:
    """Solve deals into their file. Return them, and True if stopped early. Raise ProblemsFound if an arm is invalid."""
    solver = Path(win_search.__file__)
    setup = make_setup(lab_game, arms, effort, solver)
    question: dict[str, Any] = {"arms": {arm.name: arm.to_data() for arm in arms}}
    question |= {"run": run, "widths": list(search.widths), "states": search.states}
    about = {"game": lab_game.game.id, "draft": lab_game.game.draft, **question, **stamps_of(lab_game, solver)}
    key = sha256(dumps(about, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
    with report_rule_errors(lab_game.game):
        check_arms(setup.load_arms())
        solved = continue_result(
            SolvedDeals(about, key, tuple(arm.name for arm in arms)),
            target,
            lambda path: read_solved(read_result_text(path), str(path)),
            anew=effort.anew,
        )

        def report_progress(done: int, whole: int, passed: float) -> None:
            effort.told(f"{lab_game.game.id}: {done} of {whole} lots of deals, {passed:.0f} s")

        steps = solve_deals(setup, search, solved, run, deals, effort.crew)
        stopped = play_to_file(target, solved, steps, effort.seconds, report_progress)
        effort.told("")
    return solved, stopped


_LARGEST_SIZE = 1000.0
"""Text for an effect on a measure that is the same in all unchanged games."""

_HEAD = """\
# The effect of other readings on games between bots. `pnp lab readings {game} --keep-findings` writes this file.
# The book of notes prints it beside the entries; `pnp validate` reports if rules or numbers have changed since.

findings:
"""


def write_findings(lab_game: LabGame, result: Result) -> tuple[Path, ...]:
    """Write the verdicts on readings to findings.yaml. Return its path. Raise ProblemsFound without games."""
    tables, verdicts = ResultFindings(result).tables, judge_readings(result)
    text = _HEAD.format(game=lab_game.game.id)
    for table in tables:
        here = [one for one in verdicts if (one.main.cell if one.main else tables[0].cell) == table.cell]
        text += "".join(f"{line}\n" for line in _finding_lines(lab_game, table, here))
    return deliver_file(lab_game.project.find_folder(lab_game.game.id) / FINDINGS, text.encode(), at_home=True)


def _finding_lines(lab_game: LabGame, table: LabTable, verdicts: Sequence[ArmVerdict]) -> Iterator[str]:
    cell, asked = table.cell, table.result.about["experiment"]
    yield f"  - state: {json.dumps(hash_rules(lab_game.game, lab_game.rules, cell.players))}"
    yield f"    run: {asked['run']}"
    yield f"    games: {table.games}"
    yield f"    players: {cell.players}"
    bots = list(dict.fromkeys(cell.bots)) if len(set(cell.bots)) == 1 else list(cell.bots)
    yield f"    bots: {json.dumps(bots)}"
    if cell.options:
        yield f"    options: {json.dumps(cell.options, ensure_ascii=False)}"
    if verdicts:
        yield "    entries:"
    for one in verdicts:
        for name, value in asked["arms"][one.arm]["readings"].items():
            if name in lab_game.game.readings:
                yield f"      - {_finding_line(lab_game.game.readings[name], value, one, table.result)}"


def _finding_line(reading: Reading, value: object, one: ArmVerdict, result: Result) -> str:
    written = next((each for each in reading.choices if format_value(each) == format_value(value)), value)
    told: dict[str, Any] = {"reading": reading.id, "value": written, "verdict": one.verdict}
    if one.verdict == "never":
        return json.dumps(told | ({"where": one.where} if one.where else {}), ensure_ascii=False)
    if one.main is not None:
        by = one.main.gap
        ends = {"change": (by.at, by.low, by.high), "reach": one.reach}
        percents = percent_factor(result, one.main.measure)
        told["measure"] = one.main.measure
        told |= {name: [_round_number(percents * end) for end in row] for name, row in ends.items()}
        told["size"] = _round_number(min(one.size, _LARGEST_SIZE))
    return json.dumps(told | ({"games": one.games} if one.games else {}), ensure_ascii=False)


def _round_number(number: float) -> float:
    """Round to four significant digits, which are equal on every machine."""
    return float(f"{number:.4g}")


def find_smallest(
    lab_game: LabGame, experiment: Experiment, target: Path, effort: Effort
) -> tuple[SmallestChange, bool]:
    """Play a few games of all points, drop those that miss an aim, and confirm the rest in files beside `target`.

    Return the smallest change and True if it was stopped. The confirmation plays the next run, so that no game that
    selected a point also confirms it.
    """
    screened, stopped = run_experiment(lab_game, experiment, target, effort)
    found = SmallestChange(screened)
    if stopped:
        return found, True
    arms = {arm.name: arm for arm in experiment.arms}
    limit = Limit(experiment.games, met=found.confidence)
    for number, lot in enumerate(found.split_lots(), 1):
        named = tuple(arms[point.arm] for point in lot)
        asked = replace(experiment, arms=named, grids=(), run=experiment.run + 1)
        place = target.with_name(f"{target.stem}-confirmed-{number}{target.suffix}")
        result, stopped = run_experiment(lab_game, asked, place, replace(effort, limit=limit))
        found.confirmed.append(result)
        if stopped or found.find_best():
            break
    return found, stopped
