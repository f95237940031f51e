"""The command `guide`: the guides as text, or copied into a folder with their pictures."""

import re
from collections.abc import Collection, Mapping
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
    "tutorial-drawing": "tutorial: your own layout, drawn in a drawing program",
    "pictures": "your own pictures: PNG, JPEG, SVG and a picture for each card",
    "fonts": "your own fonts",
    "spreadsheets": "your own spreadsheet",
    "packs": "looks, icons and presets of others",
    "two-sided": "two-sided cards",
    "shapes": "boards, hexagons, circles and any other outline",
    "print-shops": "effects, and files for print shops",
    "sizes": "named sizes of cards and paper, in mm",
    "colour": "colours, inks and paper on a press",
    "online": "your game on an online table",
    "import": "a project of another program",
    "table": "playing your game in the browser",
    "sessions": "playtest sessions: notes, forms, and what follows from them",
    "figures": "figures of a deck: curves, odds, words, costs, gaps of the rulebook",
    "showcase": "pictures for shop pages, and one archive to download",
    "everybody": "editions for blind players and players with low vision",
    "translation": "another language",
    "editor": "your text editor: errors, previews, completion",
    "browser": "a website that runs pnp",
    "faq": "questions that everybody asks",
    "data": "the YAML: sections, fields, spaces, texts",
    "templates": "the SVG that is drawn, and what is added to it",
    "reference": "every key, element, attribute and mark",
    "rulebook": "writing a rulebook that takes its numbers from the data",
    "rules": "bringing rules, so that the program plays the game",
    "printing": "printers, cutting, print shops, boxes",
    "lab": "experiments: what a rule, a number or a card does to your game",
    "lab-reference": "options, names and statistics of the lab",
    "commands": "every command and its most useful options",
    "extending": "packages that add commands, checks, exports and more",
}
"""Topics of each guide by its name, in reading order."""

_LINK = re.compile(r"\[([^\]\n]+)\]\(([^()\s#]+\.md)(?:#[^()\s]*)?\)")
_PICTURE = re.compile(r"!\[([^\]\n]+)\]\((guides/[^()\s]+)\)")

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
        for path in copy_all_guides(out):
            say(path_from_here(path))
        return
    if name is None:
        for each, about in GUIDES.items():
            say(f"{each:<22}{about}")
        return
    if name not in GUIDES:
        raise click.UsageError(f"unknown guide '{name}'; {did_you_mean(name, GUIDES)}")
    say_text(read_guide(name))


def read_guide(name: str) -> str:
    """Return the text of a guide."""
    return read_file(find_bundled_root() / "docs" / f"{name}.md", "own").decode("utf-8")


def read_guide_for(name: str, files: Collection[str]) -> str:
    """Return a guide to be copied with `files`. A link or picture that is not among them becomes text."""

    def replace_link(link: re.Match[str]) -> str:
        guide = link[2].removesuffix(".md")
        return link[0] if link[2] in files else f"{link[1]} (`pnp guide {guide}`)" if guide in GUIDES else link[1]

    text = _LINK.sub(replace_link, read_guide(name))
    return _PICTURE.sub(lambda picture: picture[0] if picture[2] in files else f"(Picture: {picture[1]}.)", text)


def copy_guides(project: Path, files: tuple[str, ...]) -> None:
    """Copy the guides with the file names `files` into the project's docs/."""
    for file in files:
        write_in_folder(project / "docs", file, read_guide_for(file.removesuffix(".md"), files).encode())


def copy_all_guides(folder: Path) -> tuple[Path, ...]:
    """Copy all guides with their pictures into a folder. Raise ProblemsFound if other files have their names."""
    docs = find_bundled_root() / "docs"
    pictures = [path.relative_to(docs).as_posix() for path in list_files(docs / PICTURES) if path.suffix == ".png"]
    files = {*pictures, *(f"{name}.md" for name in GUIDES)}
    contents = {f"{name}.md": read_guide_for(name, files).encode() for name in GUIDES}
    contents |= {picture: read_file(docs / picture, "own") for picture in pictures}
    there = {path: target for path in contents if (target := folder / path).exists()}
    same = {path for path, target in there.items() if is_file(target) and read_file(target, "own") == contents[path]}
    other = [path for path in there if path not in same]
    if other:
        what, hint = "this file already exists with different text", "move it, or choose another folder"
        raise ProblemsFound([Problem(Place((folder / path).as_posix()), what, hint) for path in other])
    for path, content in contents.items():
        write_in_folder(folder, path, content)
    return tuple(folder / path for path in contents)
