"""From the project to rooms of PlayingCards.io, and to the lists and pictures that its deck editor takes."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from generator.commands.online import export
from generator.commands.printing import Progress
from generator.delivery import Delivery
from generator.export.album import Album
from generator.export.articles import ArticleLot
from generator.export.pcio import PACKAGE, deck_list, piles, room
from generator.faces.workshop import Workshop
from generator.load.project import Project
from generator.model.edition import first_language


@dataclass(frozen=True, slots=True)
class PcioOrder:
    """What is exported: languages (all if empty), folder, ids by pattern, dots an inch.

    `url` says where the pictures will lie that the lists name; without it there are no lists.
    """

    languages: tuple[str, ...]
    out: Path
    only: tuple[str, ...] = ()
    dpi: int = 150
    url: str = ""


def export_pcio(project: Project, names: tuple[str, ...], order: PcioOrder, progress: Progress) -> tuple[Path, ...]:
    """Write the games' rooms; ProblemsFound with everything wrong, and then nothing is written."""
    written: set[Path] = set()

    def make(workshop: Workshop, edition: str, found: list[ArticleLot], files: Delivery) -> None:
        game, lang = workshop.game, first_language(edition)
        progress(f"{game.id}: pcio ({edition})")
        folder = order.out / game.id / "pcio"
        stem = f"{'selection' if order.only else game.id}.{edition}"
        album = Album(workshop, lang, game.id, lambda name: f"{PACKAGE}{name}")
        lying = piles(found, album, order.dpi)
        if order.url:
            for pile in lying:
                listed = deck_list(pile, lambda image: f"{order.url}/{quote(image.removeprefix(PACKAGE))}")
                files.put(folder / f"{stem}.{pile.id}.csv", listed)
            for asset in album.assets.values():
                if (folder / asset.name) not in written:
                    written.add(folder / asset.name)
                    files.put(folder / asset.name, asset.data)
        files.put(folder / f"{stem}.pcio", room(lying, album.assets))

    return export(project, names, order, progress, make)
