"""The lab's commands: an experiment played, kept where more games can join it, and told."""

from hashlib import sha256
from json import dumps
from pathlib import Path
from time import monotonic
from typing import Any

from generator import __version__
from generator.commands.rehearsal import kernel_folder, mending, trusted_folder
from generator.dataclass import dataclass
from generator.delivery import delivery
from generator.errors import Problem, ProblemsFound
from generator.files import read_file
from generator.games.engine.contract import Rules
from generator.games.registry import OWN_SUFFIX, rules_of
from generator.lab.arms import Arm
from generator.lab.chunks import Setup
from generator.lab.executors import Crew
from generator.lab.experiment import Experiment, begin, play_experiment
from generator.lab.results import Result, read_result
from generator.lab.winning.deals import Solved, check_arms, read_solved, solve_deals
from generator.lab.winning.solver import Search
from generator.load.game import load_game
from generator.load.project import Project
from generator.model.game import Game
from generator.model.resources import Told, untold


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is played: so many games of each arm, or for so many seconds (0: until all are); by whom.

    `trusted`: a rules module in the game's own folder may run; `kernels` is the folder where compiled rules are kept,
    None to interpret them; `anew`: what was played before does not count. `told` hears how far it is.
    """

    games: int
    seconds: float
    crew: Crew
    trusted: bool = False
    kernels: Path | None = None
    anew: bool = False
    told: Told = untold


@dataclass(frozen=True, slots=True)
class Subject:
    """The game that is experimented with, and its rules."""

    project: Project
    game: Game
    rules: Rules


def subject(project: Project, name: str, *, trusted: bool) -> Subject:
    """The game of that name; ProblemsFound for one without rules."""
    folder = project.folder(name)
    game = load_game(folder, project.resources)
    rules = rules_of(game, trusted_folder(folder, trusted))
    if rules is None:
        what = f"{game.id} has no rules that could be played"
        raise ProblemsFound([Problem(game.places.place("format"), what, "write some: docs/rules.md")])
    return Subject(project, game, rules)


def carry_out(of: Subject, experiment: Experiment, target: Path, effort: Effort) -> tuple[Result, bool]:
    """Plays an experiment into its file, and says whether it was stopped before all games were played.

    What the file has already of the same question counts; ProblemsFound for arms that can't be played.
    """
    folder = of.project.folder(of.game.id)
    kernels = str(kernel_folder(effort.kernels, *_own_rules(of, folder))) if effort.kernels else ""
    setup = Setup(of.project.root, folder.name, effort.trusted, experiment.arms, kernels)
    with mending(of.game):
        setup.player().open_all(experiment.cells)
        result = _begun(begin(experiment, of.game, of.rules, _stamps(of, folder)), target, effort)
        stopped, started = False, monotonic()
        try:
            for done, whole in play_experiment(experiment, of.game, of.rules, setup, result, effort.games, effort.crew):
                passed = monotonic() - started
                left = passed / done * (whole - done)
                if effort.seconds:
                    left = min(left, effort.seconds - passed)
                effort.told(f"{of.game.id}: {done} of {whole} lots of games, about {max(0.0, left):.0f} s left")
                if effort.seconds and passed > effort.seconds:
                    break
        except KeyboardInterrupt:
            stopped = True
        finally:
            effort.told("")
    with delivery() as files:
        files.put(target, result.text().encode())
        files.hand_over()
    return result, stopped


def _begun(fresh: Result, target: Path, effort: Effort) -> Result:
    """What the file holds already of the same experiment; else the fresh one."""
    if effort.anew or not target.is_file():
        return fresh
    try:
        known = read_result(read_file(target, "result").decode("utf-8", "replace"), str(target))
    except ProblemsFound:
        return fresh  # it is written anew
    return known if known.key == fresh.key else fresh


def _stamps(of: Subject, folder: Path) -> dict[str, str]:
    """Hashes of what the games rest on: the data, the rules, and the program's version."""
    data = sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in (".yaml", ".yml", ".csv", ".xlsx", ".json", ".tsv"):
            data.update(path.name.encode() + b"\0" + read_file(path, "data"))
    rules = kernel_folder(Path(), *_own_rules(of, folder)).name
    return {"data": data.hexdigest()[:16], "rules": rules, "program": __version__}


def _own_rules(of: Subject, folder: Path) -> list[Path]:
    return [folder / of.game.rules_module] if of.game.rules_module.endswith(OWN_SUFFIX) else []


def solve(
    of: Subject, arms: tuple[Arm, ...], run: int, search: Search, target: Path, effort: Effort
) -> tuple[Solved, bool]:
    """Solves deals into their file, and says whether it was stopped before all were; ProblemsFound as `carry_out`."""
    folder = of.project.folder(of.game.id)
    kernels = str(kernel_folder(effort.kernels, *_own_rules(of, folder))) if effort.kernels else ""
    setup = Setup(of.project.root, folder.name, effort.trusted, arms, kernels)
    question: dict[str, Any] = {
        "arms": {arm.name: {"readings": dict(arm.readings), "values": dict(arm.values)} for arm in arms}
    }
    question |= {"run": run, "widths": list(search.widths), "states": search.states}
    about = {"game": of.game.id, "draft": of.game.draft, **question, **_stamps(of, folder)}
    key = sha256(dumps(about, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
    with mending(of.game):
        check_arms(setup.loaded())
        solved = _solved_before(Solved(about, key, tuple(arm.name for arm in arms)), target, effort)
        stopped, started = False, monotonic()
        try:
            for done, whole in solve_deals(setup, search, solved, run, effort.games, effort.crew):
                passed = monotonic() - started
                effort.told(f"{of.game.id}: {done} of {whole} lots of deals, {passed:.0f} s")
                if effort.seconds and passed > effort.seconds:
                    break
        except KeyboardInterrupt:
            stopped = True
        finally:
            effort.told("")
    with delivery() as files:
        files.put(target, solved.text().encode())
        files.hand_over()
    return solved, stopped


def _solved_before(fresh: Solved, target: Path, effort: Effort) -> Solved:
    """What the file holds already of the same question; else nothing yet."""
    if effort.anew or not target.is_file():
        return fresh
    try:
        known = read_solved(read_file(target, "result").decode("utf-8", "replace"), str(target))
    except ProblemsFound:
        return fresh  # it is written anew
    return known if known.key == fresh.key else fresh
