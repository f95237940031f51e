"""What tests read of a figure: its pieces with their places, the designs they show, the words over them."""

from collections.abc import Iterator

from rulebook_project import BookProject

from generator.base.display_list import Drawing, Group, Item, TextRun, walk_leaves
from generator.base.geometry import IDENTITY, Matrix, multiply
from generator.books.page.blocks import Figure


def placed_pieces(drawing: Drawing) -> Iterator[tuple[Matrix, Group]]:
    """Each piece of a figure with the matrix that takes its mm to the figure's."""
    yield from _pieces(drawing.items, IDENTITY)


def _pieces(items: tuple[Item, ...], matrix: Matrix) -> Iterator[tuple[Matrix, Group]]:
    for item in items:
        if isinstance(item, Group):
            own = multiply(matrix, item.matrix)
            if item.id == "piece":
                yield own, item
            else:
                yield from _pieces(item.items, own)


def ids(drawing: Drawing) -> list[str]:
    return [dict(group.data)["design"] for _, group in placed_pieces(drawing)]


def words(drawing: Drawing) -> list[str]:
    """The labels of a figure, without what stands on the pieces."""
    runs = [leaf for leaf, _ in walk_leaves(drawing.items) if isinstance(leaf, TextRun) and leaf.role == "mark"]
    return [run.text for run in runs]


def figure(project: BookProject, body: str, lang: str = "en") -> Figure:
    """The figure that a block gives."""
    project.body(f"```figure\n{body}\n```\n", lang=lang)
    block = project.book(lang).blocks[0]
    assert isinstance(block, Figure)
    return block
