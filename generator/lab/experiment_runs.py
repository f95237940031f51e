"""Runs of experiments: playing, storing, reporting, and findings beside the game's data."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from importlib.util import find_spec
from json import dumps
from pathlib import Path
from typing import Any

from generator import __version__
from generator.base.dataclass import dataclass
from generator.base.errors import Place, Problem, ProblemsFound, Unfit
from generator.base.files import Told, files_below, read_file, untold
from generator.base.output_files import delivery
from generator.books.page.blocks import Book
from generator.commands.orders import idle_languages
from generator.commands.schema_files import NAME, schema_text
from generator.drawing.faces.game_drawing import Workshop
from generator.game.data_fields import value_name
from generator.game.data_reader import read_yaml
from generator.game.load_game import load_game
from generator.game.model import Game, Reading
from generator.game.project import Project
from generator.game.table_files import SUFFIXES
from generator.lab import win_search
from generator.lab.arms import Arm
from generator.lab.card_findings import follows_cards
from generator.lab.chunks import Cell, Crew, Setup
from generator.lab.experiment import (
    Experiment,
    Limit,
    as_it_is,
    begin,
    begun,
    filed_text,
    play_experiment,
    play_into,
    playable,
    seconds_left,
)
from generator.lab.experiment_file import WrittenExperiment, experiment_text
from generator.lab.experiment_shape import experiment_schema
from generator.lab.findings import findings
from generator.lab.reports.card_report import read_cards
from generator.lab.reports.report_findings import Findings, LabTable
from generator.lab.reports.result_report import read_report, report_html, report_pdf
from generator.lab.results import Result, read_result
from generator.lab.sweep_text import Smallest
from generator.lab.sweeps import SweepGrid, spread
from generator.lab.win_solver import Search, Solved, check_arms, read_solved, solve_deals
from generator.play import game_loop
from generator.play.bot_registry import find_bot
from generator.rules.engine.contract import Rules
from generator.rules.registry import OWN_SUFFIX, kernel_folder, mending, rules_of, state_of, trusted_folder

SCHEMA = "experiment.schema.json"
"""File name of the schema for a game's experiments, in its data folder."""

FINDINGS = "findings.yaml"
"""File name of the findings, in the game's data folder."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much to play: up to the limit or for `seconds` (0 for no time limit), and with which crew.

    With `trusted` a rules module in the game's own folder may run. `kernels` is the folder for compiled rules, or None
    to interpret them. `anew` ignores stored games. `told` receives the progress.
    """

    limit: Limit
    seconds: float
    crew: Crew
    trusted: bool = False
    kernels: Path | None = None
    anew: bool = False
    told: Told = untold


@dataclass(frozen=True, slots=True)
class LabGame:
    """The game of an experiment, and its rules."""

    project: Project
    game: Game
    rules: Rules


def need_libraries(*names: str) -> None:
    """Raise ProblemsFound if a library is not installed. By default check those that the lab always needs."""
    missing = [name for name in names or ("numpy", "scipy") if find_spec(name) is None]
    if missing:
        what = f"the lab needs {' and '.join(missing)}, not installed here"
        raise ProblemsFound([Problem(None, what, "install the program with its extra `lab`")])


def lab_game(project: Project, name: str, *, trusted: bool) -> LabGame:
    """Return the named game. Raise ProblemsFound for an unknown one or one without rules."""
    need_libraries()
    project.choose((name,))
    folder = project.folder(name)
    game = load_game(folder, project.resources)
    rules = rules_of(game, trusted_folder(folder, trusted))
    if rules is None:
        what = f"{game.id} has no rules that could be played"
        raise ProblemsFound([Problem(game.places.place("format"), what, "write some: docs/rules.md")])
    return LabGame(project, game, rules)


def written_experiment(project: Project, path: Path, *, trusted: bool) -> tuple[LabGame, Experiment]:
    """Read an experiment's file and return its game and experiment. Raise ProblemsFound with all problems."""
    need_libraries()
    shown = str(path)
    try:
        written = WrittenExperiment(read_yaml(path, shown), shown)
    except Unfit as error:
        raise ProblemsFound([Problem(Place(shown), str(error), error.hint)]) from error
    try:
        project.choose((written.game,))
    except ProblemsFound as found:
        raise ProblemsFound(map(written.of_game, found.problems)) from found
    of = lab_game(project, written.game, trusted=trusted)
    with mending(of.game):
        return of, spread_out(of, written.experiment(of.game, of.rules))


def spread_out(of: LabGame, experiment: Experiment) -> Experiment:
    """Return the experiment with an arm for each grid point. Raise ProblemsFound for ranges of unknown values."""
    folder = of.project.folder(of.game.id)
    arms, grids = spread(experiment.arms, experiment.grids, of.game, folder, of.project.resources)
    return replace(experiment, arms=arms, grids=grids)


def cells_of(of: LabGame, players: tuple[int, ...], bots: tuple[str, ...]) -> tuple[Cell, ...]:
    """Return a table for each number of players and bot. Raise ProblemsFound for invalid ones."""
    problems = []
    for number in players:
        if number not in of.game.players:
            hint = f"{of.game.players.fewest} to {of.game.players.most} can play"
            problems.append(Problem(None, f"{of.game.id} can't be played by {number}", hint))
    for bot in bots:
        try:
            find_bot(bot, of.rules)
        except ValueError as error:
            problems.append(Problem(None, *str(error).split("; ", 1)))
    if problems:
        raise ProblemsFound(problems)
    return tuple(Cell(number, (bot,) * number) for number in players for bot in bots)


def save(experiment: Experiment, of: LabGame, target: Path) -> None:
    """Write the file of an experiment."""
    with delivery() as files:
        files.put(target, experiment_text(experiment, of.game.id).encode())
        files.hand_over()


def write_schema(of: LabGame) -> tuple[Path, ...]:
    """Write the schema of the game's experiments beside its data. Return its path."""
    with delivery() as files:
        text = schema_text(experiment_schema(of.game, of.rules))
        files.put(of.project.folder(of.game.id) / SCHEMA, text.encode(), at_home=True)
        return files.hand_over()


def carry_out(of: LabGame, experiment: Experiment, target: Path, effort: Effort) -> tuple[Result, bool]:
    """Play an experiment into its file. Return the result and True if it was stopped early.

    Stored games of the same question are used; a file of another question is renamed. Raise ProblemsFound before any
    game if an arm can't be played or the file can't be written.
    """
    setup = replace(setup_of(of, experiment.arms, effort), cards=experiment.cards)
    with mending(of.game):
        experiment, setup = playable(experiment, setup)
        result = begun(begin(experiment, of.game, of.rules, stamps_of(of)), target, open_result, anew=effort.anew)
        result.asked = experiment.asked
        known = ""

        def told(done: int, whole: int, passed: float) -> None:
            nonlocal known
            if not done & (done - 1):  # what is known changes ever more slowly
                known = _known(result)
            left = seconds_left(done, whole, passed, effort.seconds)
            effort.told(f"{of.game.id}: {done:,} of {whole:,} lots of games, about {left:.0f} s left{known}")

        steps = play_experiment(experiment, of.game, of.rules, setup, result, effort.limit, effort.crew)
        stopped = play_into(target, result, steps, effort.seconds, told)
        effort.told("")
    return result, stopped


def setup_of(of: LabGame, arms: tuple[Arm, ...], effort: Effort, *solver: Path) -> Setup:
    """Return the setup that plays the arms. Raise ProblemsFound if they must be compiled and can't be.

    `solver` is the solver's source file, if one is used.
    """
    if effort.kernels is not None:
        need_libraries("numba")
    folder = of.project.folder(of.game.id)
    kernels = str(kernel_folder(effort.kernels, *_kernel_sources(of), *solver)) if effort.kernels else ""
    return Setup(of.project.root, folder.name, effort.trusted, arms, kernels)


def _known(result: Result) -> str:
    """Return a note on the significant differences so far. They may change, unless sequences are used."""
    standing = [one for one in findings(result) if one.stands]
    if not standing:
        return ""
    first = max(standing, key=lambda one: abs(one.gap.at) / max(one.gap.half, 1e-9))
    number = f"{len(standing)} difference{'s' * (len(standing) > 1)}"
    return f"; {number} so far, as {first.arm}: {result.asked.label(first.measure)} {first.gap.at:+.3g}"


def open_result(path: Path) -> Result:
    """Return the result in a file. Raise ProblemsFound if it is not a result."""
    return read_result(filed_text(path), str(path))


def stamps_of(of: LabGame, *solver: Path) -> dict[str, str]:
    """Return hashes of the games' inputs: the data, the rules with the `solver`, and the program's version."""
    folder, data = of.project.folder(of.game.id), sha256()
    for path in files_below(folder):
        if path.name not in (NAME, SCHEMA, FINDINGS) and path.suffix in (".yaml", ".yml", ".json", *SUFFIXES):
            try:
                content = read_file(path, "table" if path.suffix in SUFFIXES else "data")
            except Unfit as unfit:
                place = Place(of.project.resources.shown(path))
                raise ProblemsFound([Problem(place, str(unfit), unfit.hint)]) from unfit
            data.update(path.name.encode() + b"\0" + content)
    rules = kernel_folder(Path(), *_kernel_sources(of), *solver).name
    return {"data": data.hexdigest()[:16], "rules": rules, "program": __version__}


def _kernel_sources(of: LabGame) -> list[Path]:
    """Return the source files beside the bundled rules that contain kernels used in play."""
    module = of.game.rules_module
    own = [of.project.folder(of.game.id) / module] if module.endswith(OWN_SUFFIX) else []
    return [Path(game_loop.__file__), *own]


def write_report(
    project: Project, source: Path, out: Path, languages: tuple[str, ...], kinds: tuple[str, ...], *, trusted: bool
) -> tuple[Path, ...]:
    """Write a result's report in each language (all if empty) and kind (pdf, html). Return its files.

    Raise ProblemsFound if the file is not a result, and with every text that can't be set.
    """
    result = open_result(source)
    of = lab_game(project, str(result.about["game"]), trusted=trusted)
    stale = stamps_of(of)["data"] != result.about["data"]

    def read(workshop: Workshop, lang: str) -> Book:
        if follows_cards(result):
            return read_cards(result, workshop, lang, of.rules, stale=stale)
        return read_report(result, workshop, lang, of.rules, stale=stale)

    return set_reports(of, out / of.game.id / source.stem, languages, kinds, read)


def set_reports(
    of: LabGame, stem: Path, languages: tuple[str, ...], kinds: tuple[str, ...], read: Callable[[Workshop, str], Book]
) -> tuple[Path, ...]:
    """Write a report in each language (all if empty) and kind. `stem` begins its path. Raise ProblemsFound."""
    if problems := list(idle_languages([of.game], languages)):
        raise ProblemsFound(problems)
    with delivery() as files:
        for lang in of.game.languages:
            if languages and lang not in languages:
                continue
            workshop = Workshop(of.game, of.project.resources)
            book = read(workshop, lang)
            for kind in kinds:
                content = report_pdf(book, workshop) if kind == "pdf" else report_html(book, workshop)
                files.put(stem.with_name(f"{stem.name}.{lang}.{kind}"), content)
        return files.hand_over()


def solve(
    of: LabGame, arms: tuple[Arm, ...], run: int, search: Search, deals: int, target: Path, effort: Effort
) -> tuple[Solved, bool]:
    """Solve deals into their file. Return the deals and True if it was stopped early. Raise ProblemsFound."""
    solver = Path(win_search.__file__), Path(win_search.__file__)
    setup = setup_of(of, arms, effort, *solver)
    question: dict[str, Any] = {"arms": {arm.name: arm.plain() for arm in arms}}
    question |= {"run": run, "widths": list(search.widths), "states": search.states}
    about = {"game": of.game.id, "draft": of.game.draft, **question, **stamps_of(of, *solver)}
    key = sha256(dumps(about, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
    with mending(of.game):
        check_arms(setup.loaded())
        solved = begun(Solved(about, key, tuple(arm.name for arm in arms)), target, _open_solved, anew=effort.anew)

        def told(done: int, whole: int, passed: float) -> None:
            effort.told(f"{of.game.id}: {done} of {whole} lots of deals, {passed:.0f} s")

        steps = solve_deals(setup, search, solved, run, deals, effort.crew)
        stopped = play_into(target, solved, steps, effort.seconds, told)
        effort.told("")
    return solved, stopped


def _open_solved(path: Path) -> Solved:
    return read_solved(filed_text(path), str(path))


_MOST = 3
"""Maximum number of measures listed for each reading: those with the greatest changes."""

_HEAD = """\
# What other readings do to games between bots: `pnp lab readings {game} --keep-findings` writes this file.
# The book of notes prints it beside the entries; `pnp validate` tells when rules or numbers are others by now.

findings:
"""


def keep_findings(of: LabGame, result: Result) -> tuple[Path, ...]:
    """Write the findings on readings beside the game's data. Return the file. Raise ProblemsFound for no games."""
    text = _HEAD.format(game=of.game.id) + "".join(
        line + "\n" for table in Findings(result).tables for line in _table(of, table)
    )
    with delivery() as files:
        files.put(of.project.folder(of.game.id) / FINDINGS, text.encode(), at_home=True)
        return files.hand_over()


def _table(of: LabGame, table: LabTable) -> Iterator[str]:
    cell, asked = table.cell, table.result.about["experiment"]
    yield f"  - state: {json.dumps(state_of(of.game, of.rules, cell.players))}"
    yield f"    run: {asked['run']}"
    yield f"    games: {table.games}"
    yield f"    players: {cell.players}"
    bots = list(dict.fromkeys(cell.bots)) if len(set(cell.bots)) == 1 else list(cell.bots)
    yield f"    bots: {json.dumps(bots)}"
    yield "    entries:"
    for arm in table.result.arms[1:]:
        readings = asked["arms"][arm]["readings"]
        for name, value in readings.items():
            if name in of.game.readings and (table.cell, arm) in table.result.cells:
                yield f"      - {_finding(of.game.readings[name], value, table, arm)}"


def _finding(reading: Reading, value: object, table: LabTable, arm: str) -> str:
    found = [one for name in table.units if (one := table.effect(arm, name)) is not None and one.stands and one.clear]
    found.sort(key=lambda one: -one.strength)
    changes = {one.measure: [_rounded(end) for end in (one.by.at, one.by.low, one.by.high)] for one in found[:_MOST]}
    written = next((one for one in reading.choices if value_name(one) == value_name(value)), value)
    told = {"reading": reading.id, "value": written, "same": _rounded(100 * table.identical(arm)), "changes": changes}
    return json.dumps(told, ensure_ascii=False)


def _rounded(number: float) -> float:
    """Return the number with 4 digits, which are equal on every machine."""
    return float(f"{number:.4g}")


def aimed(project: Project, name: str, path: Path, grid: SweepGrid, *, trusted: bool) -> tuple[LabGame, Experiment]:
    """Return the sweep of a game for the aims in an experiment's file, with its tables, measures, run and games.

    Raise ProblemsFound for a file of another game or without aims.
    """
    of, written = written_experiment(project, path, trusted=trusted)
    problems = []
    if of.game.id != name:
        problems.append(Problem(Place(str(path)), f"its game is {of.game.id}, not {name}", "give a file of this game"))
    if not written.asked.aims:
        what, hint = "the experiment has no aims", "write some, as {length: {between: [35, 45]}}"
        problems.append(Problem(Place(str(path)), what, hint))
    if problems:
        raise ProblemsFound(problems)
    return of, spread_out(of, replace(written, arms=as_it_is(), grids=(grid,)))


def find_smallest(of: LabGame, experiment: Experiment, target: Path, effort: Effort) -> tuple[Smallest, bool]:
    """Screen all points into the target, then confirm the rest into files beside it.

    Return the smallest change and True if it was stopped. The confirmation plays the next run, so that no game that
    selected a point also confirms it.
    """
    screened, stopped = carry_out(of, experiment, target, effort)
    found = Smallest(screened)
    if stopped:
        return found, True
    arms = {arm.name: arm for arm in experiment.arms}
    limit = Limit(experiment.games, met=found.confidence)
    for number, lot in enumerate(found.lots(), 1):
        named = tuple(arms[point.arm] for point in lot)
        asked = replace(experiment, arms=named, grids=(), run=experiment.run + 1)
        place = target.with_name(f"{target.stem}-confirmed-{number}{target.suffix}")
        result, stopped = carry_out(of, asked, place, replace(effort, limit=limit))
        found.confirmed.append(result)
        if stopped or found.best():
            break
    return found, stopped
