"""Sell sheet: one page that shows a game to publishers and shops."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, NamedTuple

from generator.base.display_list import Drawing
from generator.base.errors import Place, Problem, ProblemsFound
from generator.base.extensions import find_additions
from generator.base.geometry import Size, paper_size
from generator.base.languages import phrase
from generator.books.rulebook.block_makers import list_player_facts
from generator.commands.orders import GameOutput, Job, Order
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Game
from generator.game.presets import PictureSize
from generator.game.print_pages import Document
from generator.game.rich_text import Words
from generator.production.boxes import fill_deck_faces, make_art_kind
from generator.production.showcase import Selection, Showcase, add_grounds, build_fields
from generator.sheets.raster import make_face_page

TEMPLATE = "sell_sheet"
_DESIGN = f"{TEMPLATE}/page"

_TOP, _SIDE, _EDGE, _BETWEEN = 0.39, 0.245, 12.0, 4.0
"""Heights of the head and of the pictures below it as shares of the page; the page's edge and their distance (mm)."""


def size_pictures(paper: Size) -> tuple[PictureSize, ...]:
    """Return the pictures on the page, for the template's groups `picture-1` to `picture-3`."""
    width = (paper.width - 2 * _EDGE - _BETWEEN) / 2
    top = (1600, round(1600 * _TOP * paper.height / paper.width))
    side = (800, round(800 * _SIDE * paper.height / width))
    head = PictureSize("top", "the head of the page", top, "fan", titled=True)
    return head, PictureSize("hand", "a hand", side, "hand"), PictureSize("table", "the table", side, "table")


class Duration(NamedTuple):
    """Minutes that nine of ten games last, by games between bots."""

    least: int
    most: int
    games: int


@dataclass(frozen=True, slots=True)
class SellSheetOrder(Order):
    """The paper of the page."""

    paper: str = "A4"
    trusted: bool = False
    one_language: ClassVar[str] = "sell sheets"

    def make(self, job: Job) -> GameOutput:
        """Make the sell sheets of one game. Raise ProblemsFound with everything wrong."""
        game, folder, size = job.workshop.game, self.out / job.workshop.game.id, paper_size(self.paper)
        if problems := list(_find_missing(game, self.pick_languages(game))):
            raise ProblemsFound(problems)
        duration = None
        for addition in find_additions("durations").entries.values():
            found = addition.load(Callable)(job.project, game.id, folder, trusted=self.trusted)
            duration = Duration(*found) if found else duration
        whole = add_grounds(game, size_pictures(size), job.workshop)
        fields = {**build_fields(game, job.workshop), **_build_texts(game, duration)}
        fields |= {"top": _TOP * size.height, "side": _SIDE * size.height, "edge": _EDGE, "between": _BETWEEN}
        page = make_art_kind(game, _DESIGN, TEMPLATE, size, fields, bleed=0.0, safe=0.0)
        workshop = Workshop(replace(whole, kinds={**whole.kinds, TEMPLATE: page}), job.project.resources)
        for lang in self.pick_languages(game):
            job.progress(f"{game.id}: sell-sheet.{lang}.pdf")
            document = self._draw_page(workshop, game, lang)
            job.files.write(folder / f"sell-sheet.{lang}.pdf", partial(workshop.write_document, document))
        return GameOutput(self.pick_languages(game))

    def _draw_page(self, workshop: Workshop, game: Game, lang: str) -> Document:
        shown = Showcase(workshop, Selection(workshop, game, tuple(game.designs()), lang), lang)
        pictures = [
            drawn for picture in size_pictures(paper_size(self.paper)) if (drawn := shown.draw_picture(picture))
        ]
        (design,) = workshop.game.kinds[TEMPLATE].designs
        page: Drawing | None = workshop.draw_face(design, "front", lang)
        if page is None or workshop.problems:
            raise ProblemsFound(workshop.problems)
        whole = page._replace(items=tuple(fill_deck_faces(page.items, pictures, ())), stamps=(), frames=())
        title = f"{game.title[lang]} – {phrase('sell_sheet', lang)}"
        return Document(title, lang, (make_face_page(whole, bleed=False),), subject=game.subject(lang), date=game.date)


def _find_missing(game: Game, langs: Iterable[str]) -> Iterator[Problem]:
    place = game.places.place("title") or Place(f"data/{game.id}/game.yaml")
    if game.hook is None or not all(game.hook[lang] for lang in langs):
        hint = 'write `hook: {en: "One line that makes people want to play."}`'
        yield Problem(place, f"{game.id} has no `hook` for a sell sheet", hint)
    if not game.steps:
        hint = "write `steps: [{en: First ...}, {en: Then ...}, {en: At last ...}]`"
        yield Problem(place, f"{game.id} has no `steps` for a sell sheet", hint)


def _build_texts(game: Game, duration: Duration | None) -> dict[str, object]:
    """Return what the template reads as `card.NAME`: facts, their source, steps, pieces and words of the program."""

    def say(words: Callable[[str], str]) -> Words:
        return Words({lang: words(lang) for lang in game.languages})

    def list_facts(lang: str) -> list[str]:
        known = replace(game, minutes=game.minutes or 1) if duration else game
        return [
            phrase("minutes_range", lang, least=duration.least, most=duration.most)
            if duration and sign == "minutes"
            else words
            for sign, words in list_player_facts(known, lang)
        ]

    facts = zip(*map(list_facts, game.languages), strict=True)
    return {
        "facts": tuple(Words(dict(zip(game.languages, said, strict=True))) for said in facts),
        "source": say(lambda lang: phrase("minutes_source", lang, n=f"{duration.games:,}") if duration else ""),
        "hook": game.hook, "steps": game.steps, "contact": game.contact or game.credit, "credit": game.credit,
        "pieces": tuple({"name": kind.name, "count": kind.count} for kind in game.kinds.values() if kind.count),
        "how": say(lambda lang: phrase("sell_steps", lang)), "box": say(lambda lang: phrase("contents", lang)),
    }  # fmt: skip
