"""Rooms of PlayingCards.io, and the lists and pictures that its deck editor takes."""

from pathlib import Path
from urllib.parse import quote

from generator.commands.export.online import OnlineOrder, online_editions
from generator.commands.order import Job, Made
from generator.dataclass import dataclass
from generator.export.album import Album
from generator.export.pcio import PACKAGE, deck_list, piles, room
from generator.model.edition import first_language


@dataclass(frozen=True, slots=True)
class PcioOrder(OnlineOrder):
    """A room of each game; `url` says where the pictures will lie that the lists name, without it there are none."""

    dpi: int = 150
    url: str = ""

    def make(self, job: Job) -> Made:
        """One game's rooms, one an edition."""
        game, folder = job.workshop.game, self.out / job.workshop.game.id / "pcio"
        editions: list[str] = []
        written: set[Path] = set()
        for edition, found in online_editions(job, self):
            job.progress(f"{game.id}: pcio ({edition})")
            stem = f"{'selection' if self.only else game.id}.{edition}"
            album = Album(job.workshop, first_language(edition), game.id, lambda name: f"{PACKAGE}{name}")
            lying = piles(found, album, self.dpi)
            if self.url:
                for pile in lying:
                    listed = deck_list(pile, lambda image: f"{self.url}/{quote(image.removeprefix(PACKAGE))}")
                    job.files.put(folder / f"{stem}.{pile.id}.csv", listed)
                for asset in album.assets.values():
                    if (folder / asset.name) not in written:
                        written.add(folder / asset.name)
                        job.files.put(folder / asset.name, asset.data)
            job.files.put(folder / f"{stem}.pcio", room(lying, album.assets))
            editions.append(edition)
        return Made(tuple(editions))
