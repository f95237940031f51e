"""Reads a check list back: every placed thing with the box of its ink, found without asking the layout."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from shipped_games import workshop

from generator.base.display_list import Drawing, Group
from generator.base.geometry import Rect, paper_size
from generator.books.check_list import make_check_list
from generator.checks.visible_items import Context, find_ink_box, iter_visible_leaves
from generator.commands.print_sheets import PrintOrder, impose_sheets
from generator.drawing.faces.game_drawing import Workshop, find_accent
from generator.game.load_game import load_game
from generator.game.print_pages import Backs, Document, Page
from generator.game.project import Project
from generator.sheets.settings import SheetSettings


@dataclass(frozen=True)
class Listed:
    """A game's sheets and check list in one language, as documents, and the workshop that drew them."""

    workshop: Workshop
    sheets: Document
    made: Document


def opened(project: Project, game: str) -> Workshop:
    return Workshop(load_game(project.find_folder(game), project.resources), project.resources)


def listed(workshop: Workshop, paper: str = "A4", backs: Backs = "long") -> dict[str, Listed]:
    """The check list of a game in each of its languages, and the sheets that it lists, which are not written."""
    paint = find_accent(workshop.game.palette)
    order = PrintOrder((), Path(), sheets=SheetSettings(paper_size(paper), paper, backs=backs))
    sheets = impose_sheets(workshop, order, lambda _doing: None)
    return {
        lang: Listed(workshop, document, make_check_list(workshop, document, order.sheets, f"sheets.{lang}.pdf", paint))
        for lang, document in sheets.items()
    }


@cache
def shipped(game: str, paper: str = "A4", backs: Backs = "long") -> dict[str, Listed]:
    return listed(workshop(game), paper, backs)


def groups(document: Document, role: str) -> Iterator[tuple[Page, Group]]:
    """The things of a role, `tick` or `picture`, with their pages."""
    for page in document.pages:
        for item in page.items:
            assert isinstance(item, Group), "a page holds named things and nothing else"
            if item.id == role:
                yield page, item


def name_of(group: Group) -> str:
    return dict(group.data).get("name", "")


def inks(one: Listed, page: Page) -> Iterator[tuple[Group, Rect]]:
    """Every thing of a page with the box around all that it paints."""
    context = Context({}, one.workshop.fonts, one.workshop.draw_silhouette)
    for item in page.items:
        drawing = Drawing(page.size.width, page.size.height, 0.0, (item,))
        boxes = [box for leaf in iter_visible_leaves(drawing) if (box := find_ink_box(leaf, context)) is not None]
        around = boxes[0] if boxes else None
        for box in boxes[1:]:
            assert around is not None
            around = around.unite(box)
        if around is not None:
            assert isinstance(item, Group)
            yield item, around
