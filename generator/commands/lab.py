"""The lab's commands: an experiment played, kept where more games can join it, and told."""

from hashlib import sha256
from pathlib import Path
from time import monotonic

from generator import __version__
from generator.commands.editions import idle_languages
from generator.commands.rehearsal import kernel_folder, mending, trusted_folder
from generator.dataclass import dataclass
from generator.delivery import delivery
from generator.errors import Problem, ProblemsFound
from generator.faces.workshop import Workshop
from generator.files import read_file
from generator.games.engine.contract import Rules
from generator.games.registry import OWN_SUFFIX, rules_of
from generator.lab.chunks import Setup
from generator.lab.executors import Crew
from generator.lab.experiment import Experiment, begin, play_experiment
from generator.lab.results import Result, read_result
from generator.load.game import load_game
from generator.load.project import Project
from generator.model.game import Game
from generator.model.resources import Told, untold
from generator.reports.bound import report_html, report_pdf
from generator.reports.report import read_report


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


def write_report(
    project: Project, source: Path, out: Path, languages: tuple[str, ...], kinds: tuple[str, ...], *, trusted: bool
) -> tuple[Path, ...]:
    """The files of a result's report in each language (all if empty), of each of these `kinds`: pdf, html.

    ProblemsFound for what is no result, and with all that can't be set.
    """
    result = read_result(read_file(source, "result").decode("utf-8", "replace"), str(source))
    name = str(result.about["game"])
    project.choose((name,))
    of = subject(project, name, trusted=trusted)
    if problems := list(idle_languages([of.game], languages)):
        raise ProblemsFound(problems)
    stale = _stamps(of, project.folder(name))["data"] != result.about["data"]
    with delivery() as files:
        for lang in of.game.languages:
            if languages and lang not in languages:
                continue
            workshop = Workshop(of.game, project.resources)
            book = read_report(result, workshop, lang, of.rules, stale=stale)
            for kind in kinds:
                content = report_pdf(book, workshop) if kind == "pdf" else report_html(book, workshop)
                files.put(out / name / f"{source.stem}.{lang}.{kind}", content)
        return files.hand_over()
