"""From the project to saved objects of Tabletop Simulator, with the pictures and the rulebook that they show."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

from generator.checklist.document import accent
from generator.commands.online import export
from generator.commands.printing import Progress
from generator.commands.rehearsal import trusted_folder
from generator.delivery import Delivery
from generator.export.album import Album, thumbnail
from generator.export.articles import ArticleLot
from generator.export.tts import Packer, TableObject, saved_object
from generator.faces.workshop import Workshop
from generator.games.registry import rules_of
from generator.load.project import Project
from generator.model.edition import first_language
from generator.model.phrases import phrase
from generator.pages.book import typeset
from generator.rulebook.played import RulebookPlay
from generator.rulebook.source import read_book, rulebook_languages

PAGE = "A5"


@dataclass(frozen=True, slots=True)
class TtsOrder:
    """What is exported: languages (all if empty), folder, ids by pattern, the most dots an inch, where files will lie.

    Without a `url` they are named where they are written. `rulebook`: with it; `trusted` says whether a rules module
    in the game's own folder may run for its examples.
    """

    languages: tuple[str, ...]
    out: Path
    only: tuple[str, ...] = ()
    dpi: int = 300
    url: str = ""
    rulebook: bool = True
    trusted: bool = False


def export_tts(project: Project, names: tuple[str, ...], order: TtsOrder, progress: Progress) -> tuple[Path, ...]:
    """Write the games' saved objects; ProblemsFound with everything wrong, and then nothing is written."""
    written: set[Path] = set()

    def make(workshop: Workshop, edition: str, found: list[ArticleLot], files: Delivery) -> None:
        game, lang = workshop.game, first_language(edition)
        folder = order.out / game.id / "tts"
        album = Album(workshop, lang, game.id, _address(order.url, folder))
        packer = Packer(album, f"{game.id} {edition}", order.dpi)
        things: list[TableObject] = []
        for lot in found:
            progress(f"{game.id}: tts ({edition}), {lot.kind.id}")
            things += packer.things(lot)
        for title, book in _rulebooks(project, workshop, order, lang, progress):
            things.append(packer.book(title, album.keep_file("rulebook", ".pdf", book)))
        name = f"{game.title[lang]} – {phrase('draft', lang, draft=game.draft)}"
        table = saved_object(name, f"{game.credit[lang]} {game.licence[lang]}".strip(), things)
        stem = "selection" if order.only else game.id
        for asset in album.assets.values():
            if (folder / asset.name) not in written:  # languages share what bears no words
                written.add(folder / asset.name)
                files.put(folder / asset.name, asset.data)
        files.put(folder / f"{stem}.{edition}.png", thumbnail(album, found[0].articles[0].front))
        files.put(folder / f"{stem}.{edition}.json", table.encode("utf-8"))

    return export(project, names, order, progress, make)


def _rulebooks(
    project: Project, workshop: Workshop, order: TtsOrder, lang: str, progress: Progress
) -> Iterator[tuple[str, bytes]]:
    """The rulebook's title and PDF, once; nothing where there is none, and none to a selection."""
    game = workshop.game
    if not order.rulebook or order.only or lang not in rulebook_languages(workshop):
        return
    progress(f"{game.id}: rulebook.{lang}")
    engine = cache(lambda: rules_of(game, trusted_folder(project.folder(game.id), order.trusted)))
    book = typeset(read_book(workshop, lang, RulebookPlay(game, engine)), workshop, PAGE, accent(game.palette))
    out = BytesIO()
    workshop.write(book, out)
    yield book.title, out.getvalue()


def _address(url: str, folder: Path) -> Callable[[str], str]:
    """Where a file of a name will be found: on the web, or in the folder on this machine."""
    base = url or folder.resolve().as_uri()
    return lambda name: f"{base}/{quote(name)}"
