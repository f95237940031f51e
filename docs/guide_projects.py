"""The small projects that the guides build up block by block: made by the pictures' script and by the tests alike."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from generator.commands.new import new_project

HERE = Path(__file__).parent
GAME = "my-game"
WITH_PROJECTS = ("pictures", "fonts", "two-sided", "shapes", "print-shops")
"""The guides whose blocks are files of a project."""

ART = ("hexagons/meadow.jpg", "hexagons/sea.jpg", "hexagons/desert.jpg", "fantasy/stag.png")
"""Pictures of the starters that stand for the reader's own."""

_BLOCK = re.compile(r"^```(\w+) ([\w./-]+)\n(.*?)^```$|^!\[.*?\]\((guides/[\w-]+\.png)\)$", re.MULTILINE | re.DOTALL)


def begin(folder: Path) -> Path:
    """A project of one blank card with the pictures that the guides speak of."""
    new_project(folder, GAME, "blank", ("en",))
    root = folder / GAME
    art = root / "templates" / GAME / "art"
    art.mkdir()
    for name in ART:
        starter, picture = name.split("/")
        shutil.copy(HERE.parent / "packs" / starter / "starter/templates/game/pictures" / picture, art / picture)
    return root


def follow(guide: str, root: Path) -> Iterator[str]:
    """Writes the blocks of a guide into a project; stops wherever all files of a step are there.

    Gives the name of the picture that shows the step, or nothing.
    """
    text = (HERE / f"{guide}.md").read_text(encoding="utf-8")
    written = 0
    for found in _BLOCK.finditer(text):
        kind, name, block, picture = found.groups()
        if picture:
            yield picture
            written = 0
            continue
        folder = "data" if kind == "yaml" else "templates"
        (root / folder / GAME / name).write_text(block, encoding="utf-8")
        written += 1
        after = text[found.end() :].lstrip("\n")
        if not after.startswith(("```", "![")) and kind == "svg" and "\n![" not in _before_next_block(after):
            yield ""
            written = 0
    if written:
        yield ""


def _before_next_block(text: str) -> str:
    return "\n" + re.split(r"^```", text, maxsplit=1, flags=re.MULTILINE)[0]
