"""The command `guide`: the guides as text, or copied into a folder with their pictures."""

from collections.abc import Mapping
from pathlib import Path

import click

from generator.base.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.base.files import is_file, list_files, read_file, write_in_folder
from generator.commands.command_line import say, say_text
from generator.commands.options import path_from_here
from generator.game.project import find_bundled_root

GUIDES: Mapping[str, str] = {
    "tutorial-board": "tutorial: a board game, step by step",
    "tutorial-spreadsheet": "tutorial: cards from a spreadsheet, step by step",
    "pictures": "your own pictures: PNG, JPEG, SVG and a picture for each card",
    "fonts": "your own fonts",
    "spreadsheets": "your own spreadsheet",
    "two-sided": "two-sided cards",
    "shapes": "boards, hexagons, circles and any other outline",
    "print-shops": "effects, and files for print shops",
    "sizes": "named sizes of cards and paper, in mm",
    "faq": "questions that everybody asks",
    "data": "the YAML: sections, fields, spaces, texts",
    "templates": "the SVG that is drawn, and what is added to it",
    "reference": "every key, element, attribute and mark",
    "rulebook": "writing a rulebook that takes its numbers from the data",
    "rules": "bringing rules, so that the program plays the game",
    "printing": "printers, cutting, print shops, boxes",
    "commands": "every command and its most useful options",
    "extending": "packages that add commands, checks, exports and more",
}
"""Names of the guides in reading order, with the topics of each."""

PICTURES = "guides"
"""The folder in docs/ that holds the guides' pictures."""


@click.command()
@click.argument("name", required=False)
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Write all guides to this folder.")
def guide(name: str | None, out: Path | None) -> None:
    """Print a guide.

    Without NAME, pnp lists all guides. Use --out docs to write them to a folder, with their pictures.
    """
    if out is not None:
        if name is not None:
            raise click.UsageError("--out writes all guides; leave NAME out")
        for path in copy_guides(out):
            say(path_from_here(path))
        return
    if name is None:
        for each, about in GUIDES.items():
            say(f"{each:<22}{about}")
        return
    if name not in GUIDES:
        raise click.UsageError(f"unknown guide '{name}'; {did_you_mean(name, GUIDES)}")
    say_text(read_file(find_bundled_root() / "docs" / f"{name}.md", "own").decode("utf-8"))


def copy_guides(folder: Path) -> tuple[Path, ...]:
    """Copy all guides with their pictures into a folder. Raise ProblemsFound if other files have their names."""
    docs = find_bundled_root() / "docs"
    found = [docs / f"{name}.md" for name in GUIDES] + [
        path for path in list_files(docs / PICTURES) if path.suffix == ".png"
    ]
    targets = [folder / path.relative_to(docs) for path in found]
    other = [target for path, target in zip(found, targets, strict=True) if _is_different(path, target)]
    if other:
        what, hint = "this file already exists with different text", "move it, or choose another folder"
        raise ProblemsFound([Problem(Place(target.as_posix()), what, hint) for target in other])
    for path, target in zip(found, targets, strict=True):
        write_in_folder(folder, target.relative_to(folder), read_file(path, "own"))
    return tuple(targets)


def _is_different(path: Path, target: Path) -> bool:
    return target.exists() and (not is_file(target) or read_file(target, "own") != read_file(path, "own"))
