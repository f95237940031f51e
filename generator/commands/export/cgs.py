"""Games for Card Game Simulator: an archive that its menu imports."""

from generator.commands.export.online import OnlineOrder, online_editions
from generator.commands.order import Job, Made
from generator.dataclass import dataclass
from generator.export.album import Album
from generator.export.archive import zipped
from generator.export.cgs import cgs_files
from generator.model.edition import first_language


@dataclass(frozen=True, slots=True)
class CgsOrder(OnlineOrder):
    """An archive of each game."""

    dpi: int = 200

    def make(self, job: Job) -> Made:
        """One game's archives, one an edition."""
        game, editions = job.workshop.game, list[str]()
        for edition, found in online_editions(job, self):
            job.progress(f"{game.id}: cgs ({edition})")
            lang, stem = first_language(edition), f"{'selection' if self.only else game.id}.{edition}"
            album = Album(job.workshop, lang, game.id, str)
            credit = " ".join(f"{game.credit[lang]} {game.licence[lang]}".split())
            files = cgs_files(game.title[lang], credit, found, album, self.dpi)
            archive = zipped((f"{stem}/{name}", data) for name, data in files)
            job.files.put(self.out / game.id / "cgs" / f"{stem}.cgs.zip", archive)
            editions.append(edition)
        return Made(tuple(editions))
