"""Sell sheet: one page that shows a game to publishers and shops."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from generator.base.errors import Problem, ProblemsFound
from generator.base.extensions import find_additions
from generator.base.geometry import Size, paper_size
from generator.base.languages import phrase
from generator.books.rulebook.block_makers import list_player_facts
from generator.commands.orders import GameOutput, Job, Order
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Game
from generator.game.presets import PictureSize
from generator.game.print_pages import Document
from generator.production.boxes import fill_deck_faces, make_art_kind, make_words
from generator.production.showcase import Selection, Showcase, add_grounds, build_fields
from generator.sheets.raster import make_face_page

TEMPLATE = "sell_sheet"
_TOP, _SIDE, _EDGE, _BETWEEN = 0.39, 0.245, 12.0, 4.0
"""Heights of the head and of the pictures below it as shares of the page; the page's edge and their distance (mm)."""


def size_pictures(paper: Size) -> tuple[PictureSize, ...]:
    """Return the pictures on the page, for the template's groups `picture-1` to `picture-3`."""
    width = (paper.width - 2 * _EDGE - _BETWEEN) / 2
    top = (1600, round(1600 * _TOP * paper.height / paper.width))
    side = (800, round(800 * _SIDE * paper.height / width))
    head = PictureSize("top", "the head of the page", top, "fan", titled=True)
    return head, PictureSize("hand", "a hand", side, "hand"), PictureSize("table", "the table", side, "table")


@dataclass(frozen=True, slots=True)
class SellSheetOrder(Order):
    """The paper of the page."""

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
