"""A book's cover: its picture or ground as the template has it, its words as the data have them."""

from collections.abc import Iterator

from generator.errors import Place, did_you_mean
from generator.faces.workshop import Workshop
from generator.model.drawing import Drawing
from generator.model.game import Game
from generator.model.markup import parse_markup, plain_text
from generator.model.phrases import count_phrase, phrase
from generator.model.sizes import paper_size
from generator.pages.blocks import Block, Cover, Figure, Origin, Sign
from generator.rulebook.fenced import Body
from generator.rulebook.figures.maker import FigureMaker
from generator.rulebook.volumes import Volume

COVER_TEMPLATE = "cover.svg"
"""The file of templates/<game>/ that covers the whole first page."""

PAGES_OWN = paper_size("A5")
"""How large that is drawn; other pages show it larger."""


class CoverMaker:
    """Makes the cover of a book; `picture` is the figure on it, where the template asks for one."""

    def __init__(self, workshop: Workshop, lang: str, figures: FigureMaker):
        self._workshop, self._game, self._lang, self._figures = workshop, workshop.game, lang, figures
        self.picture: Figure | None = None
        self._ground: Drawing | str | None = None
        self._ink = ""
        self._covered = False

    def cover(self, volume: Volume, begins: Place | None) -> Cover:
        """The cover; what has no place in the data stands where the book begins."""
        game, lang, at = self._game, self._lang, self._game.places.place
        told = () if volume.states else tuple(player_facts(game, lang))
        if volume.sheet:  # games with the same title are told apart by the number of their players
            subtitle, below = f"{phrase(volume.title, lang)} · {told[0][1]}", at("players")
            told = told[1:]
        elif volume.title:
            subtitle, below = phrase(volume.title, lang), None
        else:
            subtitle, below = self._said("overview") if game.overview else "", at("overview", lang)
        facts = tuple(_state(game, lang)) if volume.states else tuple(fact for _, fact in told)
        signs = tuple(sign for sign, _ in told)
        origin = Origin(begins, (at("title", lang), below, at("players")))
        return Cover(self._said("title"), subtitle, facts, self.picture, self._ground, self._ink, signs, origin)

    def on_cover(self, body: Body) -> list[Block]:
        """What the cover block asks for; it makes no block of the text."""
        if self._covered:
            body.problem("the cover has a picture already", "remove one of them")
        self._covered = True
        ground = self._paint(body, "ground")
        name = f"{self._game.id}/{COVER_TEMPLATE}"
        drawn = self._workshop.artist.templates.source(name) is not None
        if drawn:
            self._ground = self._workshop.artist.ground(name, PAGES_OWN, self._lang)
            if ground:
                body.problem(f"the cover has a ground, and there is {COVER_TEMPLATE}", "remove one of them", "ground")
        else:
            self._ground = ground or None
        self._ink = self._paint(body, "ink")
        shown = body.without("ground", "ink")
        if "callouts" in shown:
            body.problem("the cover has no room for a key", "show the callouts in a figure of the text", "callouts")
        if "of" in shown or "show" in shown or not (drawn or ground):
            self.picture = self._figures.figure(shown)
        else:
            shown.keys()
        return []

    def _paint(self, body: Body, key: str) -> str:
        """A colour of the game's palette, empty where the key is missing."""
        name = body.text(key)
        if name and name not in self._game.palette:
            body.problem(f"unknown colour '{name}'", did_you_mean(name, self._game.palette), key)
            return ""
        return name

    def _said(self, name: str) -> str:
        """A text about the game, without markup."""
        return " ".join(
            plain_text(parse_markup(str(self._workshop.artist.views.of_game(self._lang)["game"][name]))).split()
        )


def player_facts(game: Game, lang: str) -> Iterator[tuple[Sign, str]]:
    """How many play, how long and from which age, each with its sign."""
    fewest, most = game.players.fewest, game.players.most
    if fewest == most:
        yield "players", count_phrase("players", lang, fewest)
    else:
        yield "players", phrase("players_range", lang, fewest=fewest, most=most)
    if game.minutes is not None:
        yield "minutes", count_phrase("minutes", lang, game.minutes)
    if game.age is not None:
        yield "age", phrase("age", lang, n=game.age)


def _state(game: Game, lang: str) -> Iterator[str]:
    if game.draft:
        yield phrase("draft_named", lang, draft=game.draft)
    if game.date:
        yield game.date
