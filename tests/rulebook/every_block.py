"""A rulebook's template with every kind of block, and the project whose data it shows."""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from rulebook_project import DATA, BookProject
from tests_support import project_files

from generator.books.page.blocks import Block, Book, Cover, Origin

EVERYTHING = project_files("book")["every_block.md"]
MORE = """\
icons:
  star: {name: {ja: 星, en: Star}}
operations:
  draw: {says: {ja: 引く, en: Draw.}}
overview: {ja: 札, en: A trick}
palette:"""
STAR = '<svg viewBox="0 0 9 9"><path d="M0 0L9 9L0 9Z" fill="#000000"/></svg>'


def every_block(root: Path) -> BookProject:
    """The project with an icon, an operation and an overview; the template is not written into it."""
    made = BookProject(root)
    made.change(DATA, "palette:", MORE)
    made.write("templates/higher/icons/star.svg", STAR)
    return made


def origins(value: object) -> Iterator[tuple[str, Origin]]:
    """The origins of a book and of all that stands in it, with what each belongs to."""
    if isinstance(value, tuple):
        for part in value:
            yield from origins(part)
    elif isinstance(value, (Book, Cover, Block)):
        yield type(value).__name__, value.origin
        for one in fields(value):
            yield from origins(getattr(value, one.name))
