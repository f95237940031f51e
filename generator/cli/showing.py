"""Commands that show a game to others: showcase, pack."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli.group import pnp
from generator.cli.options import (
    GAMES,
    LANG,
    ONLY,
    OUT,
    PROJECT,
    open_project,
    order_from_options,
    progress,
    say_done,
    say_warnings,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from generator.model.preset import ShopPictures


@pnp.command()
@GAMES
@LANG
@OUT
@ONLY
@click.option(
    "--preset", "pages", multiple=True, metavar="ID", help="Only the pictures of this page (pnp presets); repeatable."
)
@click.option("--pdf", is_flag=True, help="Each picture as PDF besides, in vectors.")
@PROJECT
@click.pass_obj
def showcase(obj: Path | None, /, **options: Any) -> None:
    """Make pictures of the GAMES for shop pages: a fan, a hand, the table, the box. OUT/<game>/showcase/*.png.

    With --only these things are shown, in their order; else some of every kind.
    """
    from generator.commands.order import carry_out
    from generator.commands.showing.showcase import ShowcaseOrder, find_pages

    project = open_project(obj, options)
    order = order_from_options(ShowcaseOrder, options | {"pages": find_pages(project, options["pages"])})
    say_done(carry_out(project, options["games"], order, progress()))
    _say_doubts(order.pages)


@pnp.command()
@GAMES
@LANG
@OUT
@click.option(
    "--paper", "papers", multiple=True, default=("A4", "Letter"), show_default=True, help="Of the sheets; repeatable."
)
@PROJECT
@click.pass_obj
def pack(obj: Path | None, /, **options: Any) -> None:
    """Pack each of the GAMES for print-and-play sites: one zip of sheets, books, pictures, licence and read-me."""
    from generator.cli.orders import find_paper
    from generator.commands.order import carry_out
    from generator.commands.showing.pack import PackOrder
    from generator.commands.showing.showcase import find_pages

    project = open_project(obj, options)
    papers = tuple(dict.fromkeys(find_paper(name) for name in options["papers"]))
    pages = find_pages(project, ("itch-page",))
    given = {"papers": papers, "pages": pages}
    done = carry_out(project, options["games"], order_from_options(PackOrder, options | given), progress())
    say_done(done)
    _say_doubts(pages)


def _say_doubts(pages: "Iterable[ShopPictures]") -> None:
    """Name the figures of shop pages that nobody has confirmed."""
    say_warnings(filter(None, (page.doubts() for page in pages)))
