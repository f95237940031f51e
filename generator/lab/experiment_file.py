"""Experiment files: reads them with all problems at once, and writes them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from generator.base.errors import (
    InvalidInput,
    Place,
    Problem,
    ProblemsFound,
    did_you_mean,
    locate_fault,
    raise_problems,
)
from generator.base.output_files import deliver_file
from generator.books.measure_names import WIN_IN_TURN
from generator.game.data_reader import read_yaml
from generator.game.model import Game
from generator.game.project import Project
from generator.game.source import Map, Source
from generator.game.value_faults import read_source
from generator.lab.arms import Arm, Restriction
from generator.lab.card_records import CardWishes, list_card_designs
from generator.lab.chunks import Cell
from generator.lab.experiment import AS_IT_IS, UNCHANGED, Experiment
from generator.lab.experiment_runs import LabGame, open_lab_game, require_libraries, spread_grids
from generator.lab.experiment_shape import EXPERIMENT, FORMAT, Amount
from generator.lab.measures import GameMeasure, make_measures, name_standard_measures
from generator.lab.results import MeasureAim, Question
from generator.lab.skill_result import SkillWork
from generator.lab.sweeps import SweepGrid, SweepRange, is_range, parse_range
from generator.play.bot_registry import find_bot
from generator.rules.engine.contract import Box, Rules
from generator.rules.registry import report_rule_errors


class WrittenExperiment:
    """An experiment file as written and checked on its own. The game that it names is not loaded yet."""

    def __init__(self, root: Map, shown_path: str):
        self._source = Source(shown_path, root)
        self._said = read_source(EXPERIMENT, self._source)

    @property
    def game(self) -> str:
        """The game's name."""
        return str(self._said.game)

    def place_at_game(self, problem: Problem) -> Problem:
        """Return a problem about the game with the place where the file names the game."""
        return Problem(self._source.place("game"), problem.what, problem.hint)

    def make_experiment(self, game: Game, rules: Rules) -> Experiment:
        """Return the experiment. Raise ProblemsFound for everything that the file names and the game lacks."""
        said, problems = self._said, list(self._check_alone())
        cells = tuple(self._make_cells(game, rules, problems))
        measures = self._find_measures(cells, game, rules, problems) if cells and not problems else {}
        labels = {name: label for label, name in said.measures.items() if name != label}
        decide = said.decide
        aims, margins = {}, {}
        for label, aim in said.aims.items() if measures else ():
            if self._check_amount(measures, ("aims", label), aim.low, problems, fair=aim.fair):
                aims[measures[label].name] = MeasureAim(aim.low.number, aim.high.number, aim.fair)
        for label, margin in decide.margin.items() if measures and decide else ():
            if self._check_amount(measures, ("decide", "margin", label), margin, problems):
                margins[measures[label].name] = margin.number
        confidence = decide.confidence if decide else Question().confidence
        asked = Question(dict(said.question), labels, aims, margins, confidence)
        arms, grids = self._read_arms(problems)
        names = tuple(dict.fromkeys(said.measures.values()))
        if any(arm.without is not None for arm in arms):
            problems += self._check_restrictions(game, rules.box(game, game.players.most, {}))
            names = names or (WIN_IN_TURN,)
        raise_problems(problems)
        games = decide.at_most if decide else 1000
        cards, skill = self._said.cards, self._said.skill
        wishes = CardWishes(tuple(cards.played), tuple(cards.better), tuple(cards.worse)) if cards else None
        work = SkillWork(skill.seeds, skill.deals, skill.pairs) if skill else None
        return Experiment(arms, cells, said.run, names, asked, games, grids, None, wishes, work)

    def _check_alone(self) -> Iterator[Problem]:
        own = [key for key in ("cards", "skill") if getattr(self._said, key) is not None]
        if not own:
            return
        told = f"`{own[0]}` measures the unchanged game"
        for key in ("measures", "aims", "compare", *own[1:]):
            if getattr(self._said, key):
                what = f"{told}: `{key}` can't be combined with it"
                yield Problem(self._source.key_place(key), what, "write two experiments")
        if len(self._said.arms) > 1 or any(
            self._read_restriction(name) or [*self._iter_changes(name)] for name in self._said.arms
        ):
            yield Problem(self._source.key_place("arms"), told, f"write {{{AS_IT_IS}: {{}}}}")
        if own[0] == "skill" and any(len(bots) > 1 for bots in self._said.bots.values()):
            what = "each bot plays against the one below it"
            yield Problem(self._source.key_place("bots"), what, "write one for each name")

    def _read_arms(self, problems: list[Problem]) -> tuple[tuple[Arm, ...], tuple[SweepGrid, ...]]:
        """Return the arms without ranges, the base of comparison first, and the grids made of arms with ranges."""
        arms, grids = {}, {}
        for name in self._said.arms:
            changes = list(self._iter_changes(name))
            place = self._source.key_place("arms", name)
            if any(is_range(value) for *_, value, _ in changes):
                axes = tuple(self._read_ranges(changes, problems))
                grids[name] = SweepGrid(name, axes, place=place)
                continue
            readings = {path: value for section, path, value, _ in changes if section == "readings"}
            values = {path: value for section, path, value, _ in changes if section != "readings"}
            places = {path: where for _, path, _, where in changes}
            arms[name] = Arm(name, readings, values, place, places, self._read_restriction(name))
        if not arms or (not self._said.compare and next(iter(self._said.arms)) in grids):
            arms = {AS_IT_IS: Arm(AS_IT_IS)} | arms
        base = self._said.compare or next(iter(arms))
        if base not in arms:
            ranged = f"the arm '{base}' has ranges" if base in grids else f"there is no arm '{base}'"
            problems.append(Problem(self._source.place("compare"), ranged, did_you_mean(base, arms)))
            return (), ()
        return (arms.pop(base), *arms.values()), tuple(grids.values())

    def _read_restriction(self, name: str) -> Restriction | None:
        one = self._said.arms[name]
        return Restriction(one.without, tuple(one.may)) if one.without else None

    def _check_restrictions(self, game: Game, box: Box) -> Iterator[Problem]:
        """Yield problems with `without`: unknown cards and moves, and measures that such games don't have."""
        designs = list_card_designs(box)
        kinds = dict.fromkeys(design.split("/")[0] for design in designs)
        for name, one in self._said.arms.items():
            if one.without and one.without not in (*designs, *kinds):
                hint = did_you_mean(one.without, (*designs, *kinds))
                place = self._source.place("arms", name, "without")
                yield Problem(place, f"{game.id} has no card '{one.without}'", hint)
            for at, move in enumerate(one.may):
                if move not in game.moves:
                    place = self._source.place("arms", name, "may", at)
                    yield Problem(place, f"no move of {game.id} is called '{move}'", did_you_mean(move, game.moves))
        for label, measure in self._said.measures.items():
            if measure not in (WIN_IN_TURN, "ties") and not measure.startswith("win of seat "):
                what = f"'{measure}' can't be measured in games with `without`"
                yield Problem(self._source.place("measures", label), what, f"measure {WIN_IN_TURN}")

    def _iter_changes(self, name: str) -> Iterator[tuple[str, str, Any, Place]]:
        one = self._said.arms[name]
        for section, told in (("readings", one.readings), ("rules", one.rules), ("components", one.components)):
            for path, value in told.items():
                dotted = path if section == "readings" else f"{section}.{path}"
                yield section, dotted, value, self._source.place("arms", name, section, path)

    def _read_ranges(self, changes: list[tuple[str, str, Any, Place]], problems: list[Problem]) -> Iterator[SweepRange]:
        for _, path, value, place in changes:
            try:
                if is_range(value):
                    yield parse_range(path, value, place)
                else:
                    yield SweepRange(path, (value,), times=False, text="", place=place)
            except InvalidInput as error:
                problems.append(Problem(place, str(error), error.hint))

    def _make_cells(self, game: Game, rules: Rules, problems: list[Problem]) -> Iterator[Cell]:
        """Yield a table for each number of players and set of bots; different bots take each seat in turn."""
        players = self._said.players or [game.players.most]
        for at, number in enumerate(players):
            if number not in game.players:
                hint = f"it is for {game.players.fewest} to {game.players.most} players"
                place = self._source.place("players", at)
                problems.append(Problem(place, f"{game.id} does not support {number} players", hint))
        for name, bots in self._said.bots.items():
            place = self._source.place("bots", name)
            for bot in dict.fromkeys(bots):
                try:
                    find_bot(bot, rules)
                except ValueError as error:
                    problems.append(Problem(place, *str(error).split("; ", 1)))
            for number in dict.fromkeys(players):
                if len(bots) not in (1, number):
                    what = f"{len(bots)} bots for {number} seats"
                    problems.append(Problem(place, what, "write one bot for all seats, or one for each"))
                    continue
                seated = bots * number if len(bots) == 1 else bots
                turns = number if self._said.seats == "rotate" else 1
                yield from dict.fromkeys(Cell(number, seated[turn:] + seated[:turn]) for turn in range(turns))

    def _find_measures(
        self, cells: tuple[Cell, ...], game: Game, rules: Rules, problems: list[Problem]
    ) -> Mapping[str, GameMeasure]:
        """Return the measures by the names that the experiment gives them, else by their standard names."""
        known: dict[str, GameMeasure] = {}
        asked = dict(self._said.measures)
        for cell in cells:
            box = rules.box(game, cell.players, {})
            there = make_measures(rules, box)
            known |= there if asked else {name: there[name] for name in name_standard_measures(rules, box)}
        for label, name in asked.items():
            if name not in known:
                place = self._source.place("measures", label)
                problems.append(Problem(place, f"{game.id} has no measure '{name}'", did_you_mean(name, known)))
        return {label: known[name] for label, name in asked.items() if name in known} if asked else known

    def _check_amount(
        self,
        measures: Mapping[str, GameMeasure],
        path: tuple[str, ...],
        amount: Amount,
        problems: list[Problem],
        *,
        fair: bool = False,
    ) -> bool:
        """Return True if the measure exists and both have one unit: share or number (`fair`: share). Else report it."""
        label = path[-1]
        if label not in measures:
            what = f"there is no measure '{label}' in this experiment"
            problems.append(Problem(self._source.key_place(*path), what, did_you_mean(label, measures)))
            return False
        if measures[label].share != amount.share or (fair and not amount.share):
            of_shares = "a share", "write it with pp or %, such as 2pp"
            of_numbers = "no share", "leave out `of: fair`" if fair else "write a number, without pp and %"
            kind, hint = of_shares if measures[label].share else of_numbers
            problems.append(Problem(self._source.place(*path), f"'{label}' is {kind}", hint))
            return False
        return True


def read_experiment(project: Project, path: Path, *, trusted: bool) -> tuple[LabGame, Experiment]:
    """Read an experiment's file and return its game and experiment. Raise ProblemsFound with all problems."""
    require_libraries()
    shown = str(path)
    with locate_fault(Place(shown)):
        written = WrittenExperiment(read_yaml(path, shown), shown)
    try:
        project.choose_games((written.game,))
    except ProblemsFound as found:
        raise ProblemsFound(map(written.place_at_game, found.problems)) from found
    of = open_lab_game(project, written.game, trusted=trusted)
    with report_rule_errors(of.game):
        return of, spread_grids(of, written.make_experiment(of.game, of.rules))


def read_aimed_sweep(
    project: Project, name: str, path: Path, grid: SweepGrid, *, trusted: bool
) -> tuple[LabGame, Experiment]:
    """Return an experiment that varies `grid`, with aims, tables, measures, run and games of an experiment's file.

    Raise ProblemsFound for a file of another game or without aims.
    """
    of, written = read_experiment(project, path, trusted=trusted)
    problems = []
    if of.game.id != name:
        problems.append(Problem(Place(str(path)), f"its game is {of.game.id}, not {name}", "name a file of this game"))
    if not written.asked.aims:
        what, hint = "the experiment has no aims", "write some, for example {length: {between: [35, 45]}}"
        problems.append(Problem(Place(str(path)), what, hint))
    raise_problems(problems)
    return of, spread_grids(of, replace(written, arms=UNCHANGED, grids=(grid,)))


def write_experiment(experiment: Experiment, game: str, target: Path) -> None:
    """Write the file of an experiment. Arms with ranges are written as ranges, not as single points."""
    asked = experiment.asked
    arms = {arm.name: _arm_data(arm.readings, arm.values, arm.without) for arm in experiment.arms}
    for grid in experiment.grids:
        ranges = {axis.name: axis.text if is_range(axis.text) else axis.values[0] for axis in grid.axes}
        paths = {name: value for name, value in ranges.items() if "." in name}
        arms[grid.name] = _arm_data({name: value for name, value in ranges.items() if name not in paths}, paths)
    players = list(dict.fromkeys(cell.players for cell in experiment.cells))
    bots = {cell.bot_names: cell.bots[0] for cell in experiment.cells}
    told: dict[str, Any] = {"format": FORMAT, "game": game}
    told |= {"question": dict(asked.question)} if asked.question else {}
    told |= {"arms": arms, "players": players, "bots": bots}
    if experiment.wishes is not None:
        told["cards"] = _given_keys(experiment.wishes, played="played", better="better", worse="worse")
    if experiment.skill is not None:
        told["skill"] = _given_keys(experiment.skill, seeds="games", deals="deals", pairs="all pairs")
    if experiment.measures:
        told["measures"] = {asked.find_label(name): name for name in experiment.measures}
    told["decide"] = {"confidence": f"{100 * asked.confidence:.6g}%", "at most": f"{experiment.games} games"}
    if experiment.wishes is None and experiment.skill is None:
        told["compare"] = f"all against {experiment.arms[0].name}"
    told["run"] = experiment.run
    deliver_file(target, "".join(f"{line}\n" for line in _yaml_lines(told)).encode())


def _given_keys(wishes: CardWishes | SkillWork, **keys: str) -> dict[str, Any]:
    """Return the options that are set (not None, False or empty), by the key of a file that `keys` has for each."""
    values = {key: getattr(wishes, name) for name, key in keys.items()}
    return {key: value for key, value in values.items() if value is not None and value is not False and value != ()}


def _arm_data(
    readings: Mapping[str, Any], values: Mapping[str, Any], without: Restriction | None = None
) -> dict[str, Any]:
    told: dict[str, Any] = {"readings": dict(readings)} if readings else {}
    if without is not None:
        told |= {"without": without.cards} | ({"may": list(without.may)} if without.may else {})
    for path, value in values.items():
        section, _, rest = path.partition(".")
        told.setdefault(section, {})[rest] = value
    return told


def _yaml_lines(mapping: Mapping[str, Any], deep: str = "") -> Iterator[str]:
    """Yield a mapping as YAML lines: two levels as blocks, deeper values as JSON on one line. `deep` is the indent."""
    for key, value in mapping.items():
        if isinstance(value, Mapping) and value and not deep:
            yield f"{_to_json(key)}:"
            yield from _yaml_lines(value, "  ")
        else:
            yield f"{deep}{_to_json(key)}: {_to_json(value)}"


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
