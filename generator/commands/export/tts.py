"""Saved objects of Tabletop Simulator, with the pictures and the rulebook that they show."""

from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

from generator.commands.export.online import OnlineOrder, online_editions
from generator.commands.order import Job, Made
from generator.commands.rulebook import engine_of
from generator.dataclass import dataclass
from generator.export.album import Album, thumbnail
from generator.export.articles import ArticleLot
from generator.export.tts import Packer, TableObject, save_as_json
from generator.faces.accent import accent
from generator.model.edition import first_language
from generator.model.phrases import phrase
from generator.pages.book import typeset
from generator.rulebook.played import RulebookPlay
from generator.rulebook.source import read_book
from generator.rulebook.volumes import volume_languages

PAGE = "A5"


@dataclass(frozen=True, slots=True)
class TtsOrder(OnlineOrder):
    """A saved object of each game. Without a `url` its files are named where they are written.

    `rulebook`: with it; `trusted` says whether a rules module in the game's own folder may run for its examples.
    """

    url: str = ""
    rulebook: bool = True
    trusted: bool = False

    def make(self, job: Job) -> Made:
        """One game's saved objects, one an edition."""
        editions: list[str] = []
        written: set[Path] = set()
        for edition, found in online_editions(job, self):
            self._edition(job, edition, found, written)
            editions.append(edition)
        return Made(tuple(editions))

    def _edition(self, job: Job, edition: str, found: list[ArticleLot], written: set[Path]) -> None:
        """The files of an edition; those in `written` are there, as languages share what bears no words."""
        game, lang = job.workshop.game, first_language(edition)
        folder = self.out / game.id / "tts"
        album = Album(job.workshop, lang, game.id, _address(self.url, folder))
        packer = Packer(album, f"{game.id} {edition}", self.dpi)
        things: list[TableObject] = []
        for lot in found:
            job.progress(f"{game.id}: tts ({edition}), {lot.kind.id}")
            things += packer.things(lot)
        for title, book in self._rulebooks(job, lang):
            things.append(packer.book(title, album.keep_file("rulebook", ".pdf", book)))
        name = f"{game.title[lang]} – {phrase('draft', lang, draft=game.draft)}"
        table = save_as_json(name, f"{game.credit[lang]} {game.licence[lang]}".strip(), things)
        stem = "selection" if self.only else game.id
        for asset in album.assets.values():
            if (folder / asset.name) not in written:
                written.add(folder / asset.name)
                job.files.put(folder / asset.name, asset.data)
        job.files.put(folder / f"{stem}.{edition}.png", thumbnail(album, found[0].articles[0].front))
        job.files.put(folder / f"{stem}.{edition}.json", table.encode("utf-8"))

    def _rulebooks(self, job: Job, lang: str) -> Iterator[tuple[str, bytes]]:
        """The rulebook's title and PDF, once; nothing without one, and none to a selection."""
        workshop, game = job.workshop, job.workshop.game
        if not self.rulebook or self.only or lang not in volume_languages(workshop):
            return
        job.progress(f"{game.id}: rulebook.{lang}")
        played = RulebookPlay(game, engine_of(job.project, game, trusted=self.trusted))
        book = typeset(read_book(workshop, lang, played), workshop, PAGE, accent(game.palette))
        out = BytesIO()
        workshop.write(book, out)
        yield book.title, out.getvalue()


def _address(url: str, folder: Path) -> Callable[[str], str]:
    """Where a file of a name will be found: on the web, or in the folder on this machine."""
    base = url or folder.resolve().as_uri()
    return lambda name: f"{base}/{quote(name)}"
