"""The command `pack`: a zip of sheets, books, pictures, licence and read-me."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import click

from generator.base.archives import to_plain_key, zip_files
from generator.base.errors import Place, Problem, ProblemsFound
from generator.base.extensions import find_additions
from generator.base.geometry import Size, paper_size
from generator.base.languages import phrase
from generator.base.output_files import open_delivery
from generator.books.rulebook.block_makers import list_player_facts
from generator.commands.build import write_check_lists
from generator.commands.options import GAMES, LANG, OUT, PROJECT, find_paper, open_project, run_order
from generator.commands.orders import GameOutput, Job, Order
from generator.commands.print_sheets import PrintLook, impose_sheets
from generator.commands.rulebook import write_books
from generator.commands.sheets import SheetsOrder, load_sleeves
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Game
from generator.game.presets import PictureSize, ShopPictures
from generator.game.print_pages import Document
from generator.production.boxes import BoxOrder, fill_deck_faces, group_decks, make_art_kind, make_words
from generator.production.showcase import (
    Selection,
    Showcase,
    ShowcaseOrder,
    add_grounds,
    build_fields,
    find_pages,
    say_doubts,
)
from generator.sheets.raster import halve_png, make_face_page
from generator.sheets.settings import SheetSettings

TEMPLATE = "sell_sheet"
_TOP, _SIDE, _EDGE, _BETWEEN = 0.39, 0.245, 12.0, 4.0
"""Heights of the head and of the pictures below it as shares of the page; the page's edge and their distance (mm)."""


def size_pictures(paper: Size) -> tuple[PictureSize, ...]:
    """Return the sizes (pixels) of a sell sheet's three pictures, for its template's groups `picture-1` to `-3`."""
    width = (paper.width - 2 * _EDGE - _BETWEEN) / 2
    top = (1600, round(1600 * _TOP * paper.height / paper.width))
    side = (800, round(800 * _SIDE * paper.height / width))
    head = PictureSize("top", "the head of the page", top, "fan", titled=True)
    return head, PictureSize("hand", "a hand", side, "hand"), PictureSize("table", "the table", side, "table")


@dataclass(frozen=True, slots=True)
class SellSheetOrder(Order):
    """How to make sell sheets, the page that presents a game to publishers: the paper."""

    paper: str = "A4"
    trusted: bool = False
    one_language: ClassVar[str] = "sell sheets"

    def make(self, job: Job) -> GameOutput:
        """Make the sell sheets of one game. Raise ProblemsFound with everything wrong."""
        game, folder, size = job.workshop.game, self.out / job.workshop.game.id, paper_size(self.paper)
        hints = {
            "hook": 'write `hook: {en: "One line that makes people want to play."}`',
            "steps": "write `steps: [{en: First ...}, {en: Then ...}, {en: At last ...}]`",
        }
        place, missing = game.places.place("title"), [name for name in hints if not getattr(game, name)]
        if missing:
            what = f"{game.id} has no `{{}}` for a sell sheet"
            raise ProblemsFound([Problem(place, what.format(name), hints[name]) for name in missing])
        duration = None
        for addition in find_additions("durations").entries.values():
            duration = addition.load(Callable)(job.project, game.id, folder, trusted=self.trusted) or duration
        sizes = size_pictures(size)
        whole = add_grounds(game, sizes, job.workshop)
        fields = {**build_fields(game, job.workshop), **_build_texts(game, duration)}
        fields |= {"top": _TOP * size.height, "side": _SIDE * size.height, "edge": _EDGE, "between": _BETWEEN}
        art = make_art_kind(game, f"{TEMPLATE}/page", TEMPLATE, size, fields, bleed=0.0, safe=0.0)
        workshop = Workshop(replace(whole, kinds={**whole.kinds, TEMPLATE: art}), job.project.resources)
        for lang in self.pick_languages(game):
            job.progress(f"{game.id}: sell-sheet.{lang}.pdf")
            shown = Showcase(workshop, Selection(workshop, game, tuple(game.designs()), lang), lang)
            pictures = [drawn for picture in sizes if (drawn := shown.draw_picture(picture))]
            page = workshop.draw_face(art.designs[0], "front", lang)
            if page is None or workshop.problems:
                raise ProblemsFound(workshop.problems)
            page = page._replace(items=tuple(fill_deck_faces(page.items, pictures, ())), stamps=(), frames=())
            title, about = f"{game.title[lang]} – {phrase('sell_sheet', lang)}", game.subject(lang)
            made = Document(title, lang, (make_face_page(page, bleed=False),), subject=about, date=game.date)
            job.files.write(folder / f"sell-sheet.{lang}.pdf", partial(workshop.write_document, made))
        return GameOutput(self.pick_languages(game))


def _build_texts(game: Game, duration: tuple[int, int, int] | None) -> dict[str, object]:
    """Return what the template reads as `card.NAME`: facts, their source, steps, pieces and words of the program.

    `duration` is the least and the most minutes, and the number of games between bots that they come from.
    """
    known, least, most, games = (replace(game, minutes=game.minutes or 1), *duration) if duration else (game, 0, 0, 0)

    def say_fact(at: int, lang: str) -> str:
        sign, words = [*list_player_facts(known, lang)][at]
        return phrase("minutes_range", lang, least=least, most=most) if games and sign == "minutes" else words

    number = len([*list_player_facts(known, game.languages[0])])
    return {
        "facts": tuple(make_words(game, partial(say_fact, at)) for at in range(number)),
        "source": make_words(game, lambda lang: phrase("minutes_source", lang, n=f"{games:,}") if games else ""),
        "hook": game.hook, "steps": game.steps, "contact": game.contact or game.credit, "credit": game.credit,
        "pieces": tuple({"name": kind.name, "count": kind.count} for kind in game.kinds.values() if kind.count),
        "box": make_words(game, lambda lang: phrase("contents", lang)),
    }  # fmt: skip


_BOOKS = {"rulebook": "pack_rulebook", "rulebook-booklet": "pack_booklet", "quickstart": "pack_quickstart"}
"""The books that are for players, and the read-me's phrase for each."""

_Print: TypeAlias = tuple[str, str, Callable[[Job], object]]

MOST_MB = 60
"""An archive should not be larger (MB)."""

README, LICENCE = "readme", "licence"


@click.command()
@GAMES
@LANG
@OUT
@click.option(
    "--paper",
    "papers",
    multiple=True,
    default=("A4", "Letter"),
    show_default=True,
    help="Paper of the sheets (default: A4 and Letter); repeatable.",
)
@click.option("--sell-sheet", is_flag=True,
              help="Write only a page for publishers and shops, on the first --paper.")  # fmt: skip
@PROJECT
@click.pass_obj
def pack(obj: Path | None, /, **options: Any) -> None:
    """Pack a zip for print-and-play sites. The zip contains sheets, books, pictures, the licence and a read-me."""
    project = open_project(obj, options)
    papers = tuple(dict.fromkeys(find_paper(name) for name in options["papers"]))
    if options["sell_sheet"]:
        run_order(project, options, SellSheetOrder, paper=papers[0])
        return
    pages = find_pages(project, ("itch-page",))
    run_order(project, options, PackOrder, papers=papers, pages=pages)
    say_doubts(pages)


@dataclass(frozen=True, slots=True)
class PackOrder(Order):
    """How to make a game's zip: the papers of its sheets, and the shop pages whose pictures it has (`cover` first)."""

    papers: tuple[str, ...] = ("A4", "Letter")
    pages: tuple[ShopPictures, ...] = ()
    trusted: bool = False
    one_language: ClassVar[str] = "archives"

    def option_problems(self, games: Sequence[Game]) -> Iterable[Problem]:
        """Yield problems, also for games without a licence."""
        yield from Order.option_problems(self, games)
        for game in games:
            if missing := [lang for lang in self.pick_languages(game) if not game.licence[lang]]:
                place = game.places.place("licence") or Place(f"data/{game.id}/game.yaml")
                what = f"{game.id} does not say what others may do with it ({', '.join(missing)})"
                hint = 'write `licence: {en: "CC BY-NC-SA 4.0: print it, play it, do not sell it"}`'
                yield Problem(place, what, hint)

    def make(self, job: Job) -> GameOutput:
        """Make the archive of one game. Raise ProblemsFound with everything wrong in any part of it."""
        game = job.workshop.game
        stem = to_plain_key(f"{game.id}-print-and-play-{game.draft}").lower()
        langs = self.pick_languages(game)
        made = tuple(self._build_files(job, langs))
        files: list[tuple[str, bytes]] = []
        for lang in langs:
            own = [(name, what.get(lang, ""), data) for name, what, data in made if f".{lang}." in name]
            files.append((f"{stem}/{README}.{lang}.txt", _format_readme(game, lang, own)))
            files.append((f"{stem}/{LICENCE}.{lang}.txt", f"{_format_licence(game, lang)}\n".encode()))
            files += ((f"{stem}/{lang}/{name}", data) for name, _, data in own)
        data = zip_files(files)
        job.files.put(self.out / game.id / f"{stem}.zip", data)
        size = f"{game.id}: the archive has {len(data) / 1e6:.0f} MB; many sites take {MOST_MB} MB"
        return GameOutput(langs, notes=(f"{size}; use --lang or one --paper",) if len(data) > MOST_MB * 1e6 else ())

    def _build_files(self, job: Job, langs: tuple[str, ...]) -> Iterator[tuple[str, dict[str, str], bytes]]:
        """Yield each file: its name in the archive, its description in each language, and its bytes."""
        game = job.workshop.game
        for paper in self.papers:
            for look, words, make in self._list_prints(job, langs, paper):
                told = {lang: phrase(words, lang, paper=paper) for lang in langs}
                for path, data in _capture_files(job, make):
                    stem, _, ending = path.name.partition(".")
                    yield f"{game.id}-{stem}-{paper.lower()}{look}.{ending}", told, data
        for path, data in _capture_files(job, lambda own: write_books(own, langs, self.out, trusted=self.trusted)):
            kind, _, ending = path.name.partition(".")
            if kind in _BOOKS and ending.endswith("pdf"):
                yield f"{game.id}-{path.name}", {lang: phrase(_BOOKS[kind], lang) for lang in langs}, data
        pictures = ShowcaseOrder(langs, self.out, pages=self.pages)
        said = {lang: phrase("pack_picture", lang) for lang in langs}
        for path, data in _capture_files(job, pictures.make):
            name = path.name
            for page in self.pages:
                name = name.removeprefix(f"{page.id}-")
            yield f"{game.id}-{name}", said, data
            if name.startswith("cover."):
                yield f"{game.id}-thumbnail{name.removeprefix('cover')}", said, halve_png(data)

    def _list_prints(self, job: Job, langs: tuple[str, ...], paper: str) -> Iterator[_Print]:
        """Yield what is printed on a paper: its file name's ending, the read-me's phrase, and what makes its files."""
        settings, sleeves = SheetSettings(paper_size(paper), paper), load_sleeves(job.project)
        order = SheetsOrder(langs, self.out, sheets=settings, look=PrintLook(clean=True), sleeves=sleeves)
        yield "", "pack_sheets", order.make
        yield "-low-ink", "pack_low_ink", replace(order, look=PrintLook(clean=True, low_ink=True)).make
        yield "-fold", "pack_fold", replace(order, sheets=replace(settings, backs="fold")).make
        sheets = partial(impose_sheets, order=order, progress=job.progress)
        yield "", "pack_check_list", lambda own: write_check_lists(own, order, sheets(own.workshop))
        if group_decks(job.workshop.game):
            yield "", "pack_box", BoxOrder(langs, self.out, paper=paper, clean=True).make


def _capture_files(job: Job, make: Callable[[Job], object]) -> tuple[tuple[Path, bytes], ...]:
    """Run `make` and return the paths and contents of the files that it would write, without writing them."""
    with open_delivery() as own:
        make(job._replace(files=own))
        return own.read_contents()


def _format_readme(game: Game, lang: str, files: Sequence[tuple[str, str, bytes]]) -> bytes:
    """Return the read-me: what the archive is, what it contains, how to print it. Plain text."""
    title = phrase("pack_title", lang, title=game.title[lang], draft=phrase("draft", lang, draft=game.draft))
    lines = [title, "=" * len(title), ""]
    if game.overview is not None and game.overview[lang]:
        lines += [game.overview[lang], ""]
    lines += [phrase("pack_files", lang), *(f"- {lang}/{name}: {what}" for name, what, _ in files), ""]
    lines += [phrase("pack_how", lang), phrase("pack_print", lang), ""]
    lines += [phrase("pack_may", lang), _format_licence(game, lang)]
    return ("\n".join(lines) + "\n").encode()


def _format_licence(game: Game, lang: str) -> str:
    return "\n".join(filter(None, (game.credit[lang], game.licence[lang])))
