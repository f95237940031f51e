"""Modules of Vassal, one an edition."""

from generator.commands.export.online import OnlineOrder, online_editions
from generator.commands.order import Job, Made
from generator.dataclass import dataclass
from generator.export.album import Album
from generator.export.vassal import ModuleTexts, module, vassal_piles
from generator.model.edition import first_language
from generator.model.phrases import phrase


@dataclass(frozen=True, slots=True)
class VassalOrder(OnlineOrder):
    """A module of each game."""

    dpi: int = 100

    def make(self, job: Job) -> Made:
        """One game's modules, one an edition."""
        game, editions = job.workshop.game, list[str]()
        for edition, found in online_editions(job, self):
            job.progress(f"{game.id}: vassal ({edition})")
            lang, stem = first_language(edition), f"{'selection' if self.only else game.id}.{edition}"
            credit = " ".join(f"{game.credit[lang]} {game.licence[lang]}".split())
            seats = tuple(phrase("play_player", lang, seat=n).capitalize() for n in range(1, game.players.most + 1))
            album = Album(job.workshop, lang, game.id, str)
            piles, dpi = vassal_piles(found, album, self.dpi)
            said = ModuleTexts(game.title[lang], str(game.draft), credit, lang, seats)
            job.files.put(self.out / game.id / "vassal" / f"{stem}.vmod", module(said, piles, dpi, album.assets))
            editions.append(edition)
        return Made(tuple(editions))
