"""Figures of a rulebook: what a block asks for, composed of the components' faces as one drawing in mm."""

from functools import cache

from generator.errors import Place, Problem
from generator.model.drawing import Drawing, Paint
from generator.model.game import Example
from generator.model.phrases import count_phrase
from generator.model.text import Plain
from generator.pages.blocks import Figure, Origin, Text
from generator.rulebook.annotations.explained import Composed, Key
from generator.rulebook.annotations.numbers import CalloutNumbers
from generator.rulebook.faces import Faces, PiecePicture
from generator.rulebook.fenced import Body
from generator.rulebook.figures.composing import FigureComposer
from generator.rulebook.figures.keys import KEYS, SHOW, TABLETOP
from generator.rulebook.inline import InlineReader, words_of
from generator.rulebook.layouts import BESIDE, Laid, pieces_as_drawing
from generator.rulebook.played import RulebookPlay
from generator.rulebook.tabletop.numbers import PlaceNumbers
from generator.rulebook.tabletop.picture import TablePictures
from generator.rulebook.tabletop.spots import BoardSpots
from generator.rulebook.tabletop.tables import TableMaker


class FigureMaker:
    """Makes the figures of one book; what can't be shown goes to `problems`."""

    def __init__(
        self,
        faces: Faces,
        inline: InlineReader,
        played: RulebookPlay,
        numbers: CalloutNumbers,
        places: PlaceNumbers,
        paint: Paint,
        problems: list[Problem],
    ):
        """`paint` is the accent of the book."""
        self._faces, self._inline, self._played, self._problems = faces, inline, played, problems
        pictures = TablePictures(faces, BoardSpots(faces).board, places, paint)
        self._tables = TableMaker(faces.workshop.game.tabletop, pictures, played, problems)

        def smaller(by: float, width: float) -> FigureComposer:
            unheard = CalloutNumbers(paint, problems)
            return FigureComposer(faces, inline, played, unheard, self._tables, paint, problems, by, width)

        self._composer = FigureComposer(faces, inline, played, numbers, self._tables, paint, problems)
        self._smaller = cache(smaller)

    def figure(self, body: Body, default: str = "row", example: Example | None = None) -> Figure | None:
        """The figure that a block describes, by `default` of this kind, an `example`'s; None for a problem."""
        before = len(self._problems)
        body.keys(*KEYS)
        show = self._composer.shown(body, SHOW, default, example)
        beside = body.choice("side", ("block", "beside"), "block") == "beside"
        if len(self._problems) > before:
            return None
        if "callouts" in body and beside:
            body.problem(
                "a figure with callouts stands by itself", "leave `side` out: its key stands beside it", "side"
            )
        explained = self._composer.explained(body, show, example)
        if explained is None:
            return None
        made, key = explained
        caption = self._text(body, "caption") or self._first_choice(body, show)
        alt = body.text("alt") or made.alt or words_of(caption)
        alt += "".join([f"; {number}: {words_of(text)}" for number, (text, _) in enumerate(key, start=1)])
        drawing = made.figure.drawing(self._faces.lang, alt)
        origin = Origin(body.begins, tuple([place for _, place in key]))
        words = tuple([text for text, _ in key])

        @cache
        def smaller(by: float, width: float) -> Drawing | None:
            composed = self._again(body, show, example, key, (by, width))
            return composed and composed.figure.drawing(self._faces.lang, alt)

        return Figure(drawing, alt, caption, "beside" if beside else "block", origin, words, smaller)

    def _again(
        self, body: Body, show: str, example: Example | None, key: Key, room: tuple[float, float]
    ) -> Composed | None:
        """A figure for less room, its words as large as ever; None where they have no place, or parts other numbers."""
        told = len(self._problems)
        explained = self._smaller(*room).explained(body, show, example)
        hindered = len(self._problems) > told
        del self._problems[told:]
        if explained is None or hindered or explained[1] != key:
            return None
        return explained[0]

    def single(self, piece: PiecePicture, height: float, origin: Origin) -> Figure:
        """A small picture beside the words about it."""
        scale = min(1.0, height / piece.height, BESIDE / piece.width)
        laid: list[Laid] = [(piece, (scale, 0.0, 0.0, scale, 0.0, 0.0), scale)]
        return Figure(pieces_as_drawing(laid, self._faces.lang, piece.name), piece.name, (), "beside", origin)

    def _text(self, body: Body, key: str) -> Text:
        place: Place | None = body.place(key)
        return self._inline.plain(body.text(key), place) if key in body else ()

    def _first_choice(self, body: Body, show: str) -> Text:
        """What a table shows where the writer has no words for it and the rules may have played on."""
        if show == TABLETOP and "caption" not in body and "example" not in body:
            return (Plain(count_phrase("table_set_up", self._faces.lang, self._tables.players(body))),)
        if show != "situation" or "players" not in body or "caption" in body or "alt" in body:
            return ()
        if not self._played.runs_on:
            return ()
        return (Plain(count_phrase("first_choice", self._faces.lang, int(body.number("players", 1, 100) or 1))),)
