"""A stranger's project, recognised by its files and read."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from generator.errors import Place, Problem, ProblemsFound, Unfit
from generator.files import is_file, is_folder, read_file
from generator.intake.cardmaker import is_cardmaker, read_cardmaker
from generator.intake.files import ArchiveFiles, FolderFiles, StrangersFiles
from generator.intake.found import FoundProject, Unread
from generator.intake.magic_set import is_magic_set, read_magic_set
from generator.intake.nandeck import is_nandeck, read_nandeck
from generator.intake.plain import TABLES, read_plain, take_pictures
from generator.intake.squib import is_squib, read_squib


class Program(NamedTuple):
    """A program whose projects are read: its name, how they are known, how they are read."""

    name: str
    knows: Callable[[StrangersFiles], bool]
    reads: Callable[[StrangersFiles, FoundProject], None]


PROGRAMS: Mapping[str, Program] = {
    "magic-set-editor": Program("Magic Set Editor", is_magic_set, read_magic_set),
    "cardmaker": Program("CardMaker", is_cardmaker, read_cardmaker),
    "squib": Program("Squib", is_squib, read_squib),
    "nandeck": Program("nanDECK", is_nandeck, read_nandeck),
    "component-studio": Program("Component.Studio", lambda _files: False, read_plain),
    "tables": Program("a folder of tables and pictures", lambda files: bool(files.ending(*TABLES)), read_plain),
}
"""By the words of `--as`, in the order in which they are looked for."""


def read_project(path: Path, shown: str, program: str = "") -> FoundProject:
    """What a folder, an archive or one file of a project holds; ProblemsFound where there is nothing to be read."""
    try:
        files = _files(path, shown)
        name = program or next((name for name, one in PROGRAMS.items() if one.knows(files)), "")
        if not name:
            what = "there are no tables, and nothing of a program that is known"
            hint = f"name the folder of a project, or say what it is with --as ({', '.join(PROGRAMS)})"
            raise ProblemsFound([Problem(Place(shown), what, hint)])
        found = FoundProject(PROGRAMS[name].name)
        found.unread += (Unread(file, 0, f"{unfit}; {unfit.hint}") for file, unfit in files.refused.items())
        PROGRAMS[name].reads(files, found)
        take_pictures(files, found)
    except Unfit as unfit:
        raise ProblemsFound([Problem(Place(shown), str(unfit), unfit.hint)]) from unfit
    if not found.decks:
        hint = f"it was read as {found.program}; say what else it is with --as ({', '.join(PROGRAMS)})"
        told = "; ".join(map(str, found.unread[:3]))
        raise ProblemsFound([Problem(Place(shown), f"there are no cards in it{f': {told}' if told else ''}", hint)])
    return found


def _files(path: Path, shown: str) -> StrangersFiles:
    if is_folder(path):
        return FolderFiles(path, shown)
    if not is_file(path):
        raise ProblemsFound([Problem(Place(shown), "there is no such folder or file", "name the folder of a project")])
    if path.suffix.lower() in (".mse-set", ".zip"):
        return ArchiveFiles(read_file(path, "kept"), shown)
    hint = "name the folder that it lies in"
    raise ProblemsFound([Problem(Place(shown), "a project is a folder, a .zip or an .mse-set", hint)])
