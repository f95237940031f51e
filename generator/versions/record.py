"""The command `record`, and the option of `build` that does the same."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from generator.base.display_list import Drawing
from generator.base.errors import Place, Problem, WrongUsage, raise_problems
from generator.base.files import list_folder
from generator.base.languages import second_language
from generator.commands.build import BuildStep
from generator.commands.options import GAMES, LANGS, PROJECT, open_project, order_from_options, progress, say_files
from generator.commands.orders import GameOutput, Job, Order, Progress, carry_out
from generator.commands.settings import REUSE
from generator.game.model import Game
from generator.game.project import UNFINISHED, Project
from generator.versions.game_version import RECORDED, draw_small_pictures, draw_workshop_version
from generator.versions.records import (
    FOLDER,
    Record,
    check_record_name,
    find_obstacle,
    next_number,
    picture_path,
    record_names,
    record_path,
    record_text,
)

_PICTURE = re.compile(r"[0-9a-f]{64}\.png")


@dataclass(frozen=True, slots=True)
class RecordOrder(Order):
    """The name of the record, and whether it may replace an existing one."""

    name: str = ""
    replaced: bool = False

    def make(self, job: Job) -> GameOutput:
        """Write the record of one game."""
        return GameOutput(write_record(job, self))

    def missing_problems(self, _games: Sequence[Game], made: Sequence[GameOutput]) -> Iterable[Problem]:
        """Yield a problem for each requested pair of languages that no template offers."""
        found = {edition for one in made for edition in one.editions}
        for lang in self.languages:
            if second_language(lang) and lang not in found:
                what = f"--lang {lang}: no template offers two languages"
                yield Problem(None, what, "use {{ second... }} in one")


def record_games(project: Project, names: tuple[str, ...], order: RecordOrder, progress: Progress) -> tuple[Path, ...]:
    """Record the games (all if none is named). Return the paths written, except pictures.

    Raise ProblemsFound with all problems.
    """
    check_recordable(project, names, order)
    return record_files(project, order, carry_out(project, names, order, progress).files)


def check_recordable(project: Project, names: tuple[str, ...], order: RecordOrder) -> None:
    """Raise WrongUsage if the name is invalid, and ProblemsFound if an existing record would be lost."""
    if wrong := list(check_record_name(order.name)):
        raise WrongUsage(wrong)
    raise_problems(
        problem
        for name in project.choose_games(names)
        for problem in _check_room(project, name.removeprefix(UNFINISHED), order)
    )


def _check_room(project: Project, game: str, order: RecordOrder) -> Iterable[Problem]:
    """Yield a problem for each file or folder at the paths of the record or its pictures."""
    shown = project.resources.display_path
    path = record_path(project.root, game, order.name)
    stranger = find_obstacle(project.root, game, order.name)
    if stranger is not None:
        what = "a folder stands where the record belongs" if stranger.is_dir() else "a file stands where records belong"
        yield Problem(Place(shown(stranger)), what, "move it away")
    elif path.exists() and not order.replaced:
        hint = "choose another name, or let it be replaced with --replace"
        yield Problem(Place(shown(path)), "there is a record of this name already", hint)
    for other in record_names(project.root, game):
        if other != order.name and other.lower() == order.name.lower():
            what = f"'{order.name}' would be the same file on Windows and macOS"
            yield Problem(Place(shown(record_path(project.root, game, other))), what, "choose another name")


def write_record(job: Job, order: RecordOrder) -> tuple[str, ...]:
    """Write one game's record and its small pictures, and return the record's languages.

    Write nothing and return an empty tuple if the game has none of the requested languages.
    """
    workshop, files, root = job.workshop, job.files, job.project.root
    game = workshop.game.id
    job.progress(f"{game}: record {order.name}")
    with draw_workshop_version(workshop, order.name, order.languages) as now:
        if not now.languages:
            return ()
        number = next_number(root, game, order.name)
        record = Record(game, number, now.draft, now.title, now.languages, now.kinds, now.designs)
        shown: dict[str, Drawing] = {}
        for design in now.designs.values():
            for (face, lang), digest in design.faces.items() if design.count else ():
                drawing = now.draw_face(design.id, face, lang, workshop)
                if drawing is not None:
                    shown.setdefault(digest, drawing)
        for digest, data in zip(shown, draw_small_pictures(workshop, shown.values(), RECORDED), strict=True):
            files.put(picture_path(root, game, order.name, digest), data, at_home=True)
        files.put(record_path(root, game, order.name), record_text(record).encode(), at_home=True)
    return record.languages


def record_files(project: Project, order: RecordOrder, files: Iterable[Path]) -> tuple[Path, ...]:
    """Return the written files to tell the user: all but a record's pictures. Delete old ones of a replaced record."""
    made = tuple(files)
    kept = set(made)
    for path in made:
        if path.suffix == ".json" and path.stem == order.name and path.parent.parent == project.root / "records":
            for old in list_folder(path.with_suffix("")):
                if old not in kept and _PICTURE.fullmatch(old.name):
                    old.unlink()
    return tuple(path for path in made if not _PICTURE.fullmatch(path.name))


_REPLACE_HELP = "Overwrite an existing snapshot of this name."


def _make_record_order(options: dict[str, Any], project: Project) -> RecordOrder | None:
    """Return the order to record a build, or None.

    Raise a usage error for a part of a game, and ProblemsFound if an existing record would be lost.
    """
    if options["record"] is None:
        if options["replaced"]:
            raise click.UsageError("--replace needs a snapshot; name it with --snapshot")
        return None
    if options["only"] or options["copies"] is not None:
        raise click.UsageError("--snapshot saves the whole box; leave --only and --copies out")
    order = order_from_options(RecordOrder, options, name=options["record"])
    check_recordable(project, options["games"], order)
    return order


RECORD_STEP = BuildStep(
    (
        click.Option(
            ["--snapshot", "--record", "record"],
            metavar="NAME",
            help="Save a snapshot in records/<game>/NAME.json, for `pnp changed`.",
        ),
        click.Option(["--replace", "replaced"], is_flag=True, help=_REPLACE_HELP),
    ),
    _make_record_order,
    record_files,
)
"""The options and files of `pnp build --snapshot` (formerly `--record`)."""


@click.command()
@click.argument("name")
@GAMES
@LANGS
@click.option("--replace", "replaced", is_flag=True, help=_REPLACE_HELP)
@REUSE
@PROJECT
@click.pass_obj
def record(obj: Path | None, /, **options: Any) -> None:
    """Save a snapshot of the game as you print it.

    pnp writes records/<game>/NAME.json. Later `pnp changed` compares the game with it. To print and save in one step,
    use `pnp build --snapshot NAME`.
    """
    project = open_project(obj, options)
    order = order_from_options(RecordOrder, options, out=project.root / FOLDER)
    say_files(record_games(project, options["games"], order, progress()))
