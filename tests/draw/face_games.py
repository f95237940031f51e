"""A small game with templates written by the test, for drawing its faces."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from generator.base.display_list import Drawing
from generator.base.errors import Place
from generator.base.files import Resources
from generator.base.geometry import Size
from generator.drawing.faces.draw_face import Artist
from generator.game.model import Colour, Design, FontFamily, Game, IconEntry, Kind, Players
from generator.game.rich_text import Words
from generator.game.source import Source
from generator.text.fonts import FontBook

FONTS = Path(__file__).parents[2] / "fonts"

STAR = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
    '<path d="M 12 2 L 22 22 L 2 22 Z" fill="currentColor"/></svg>'
)


def design(key: str = "one", /, *, back: str = "", **fields: Any) -> Design:
    return Design(f"deck/{key}", "deck", 1, "card", back, fields, Source("data/tale/deck.yaml", {}, (7, 3)))


def tale(*designs: Design, sections: Mapping[str, Any] | None = None) -> Game:
    """A game of one deck, 60 x 90 mm, bleed 3."""
    deck = Kind(
        "deck", Words({"en": "Deck", "ja": "山札"}), Size(60, 90), designs, place=Place("data/tale/deck.yaml", 2)
    )
    return Game(
        id="tale",
        title=Words({"en": "Tale", "ja": "物語"}),
        draft="1",
        date="",
        languages=("en", "ja"),
        players=Players(2, 4),
        credit=Words({"en": "", "ja": ""}),
        licence=Words({"en": "", "ja": ""}),
        kinds={"deck": deck},
        icons={
            "star": IconEntry("star", Words({"en": "Star", "ja": "星"}), "bronze", letter="S", place=Place("data/tale/look.yaml", 3)),
            "moon": IconEntry("moon", Words({"en": "Moon", "ja": "月"}), "", letter="M", place=Place("data/tale/look.yaml", 4)),
        },
        palette={"bronze": Colour("#8a6a3a"), "night": Colour("#101020")},
        fonts={
            "body": FontFamily({"en": ("SourceSans3_400Regular.ttf",), "ja": ("BIZUDPGothic_400Regular.ttf",)}, {}, {})
        },
        sections=sections or {},
    )  # fmt: skip


class Table:
    """A project in a temporary folder, and an artist for its game."""

    def __init__(self, root: Path, game: Game, templates: Mapping[str, str | bytes]):
        for name, content in {"tale/icons/star.svg": STAR, **templates}.items():
            path = root / "templates" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        self.game = game
        resources = Resources((root, FONTS.parent), shown_from=root)
        self.artist = Artist(game, resources, FontBook(game.fonts, lambda name: resources.find("fonts", name)))

    def draw(self, number: int = 0, face: Any = "front", lang: str = "en") -> Drawing | None:
        return self.artist.draw_face(tuple(self.game.designs())[number], face, lang)

    @property
    def complaints(self) -> list[str]:
        return [str(problem) for problem in self.artist.problems]


def svg(body: str, attributes: str = "") -> str:
    """A template: one <svg> whose content begins on line 2."""
    return f'<svg xmlns="http://www.w3.org/2000/svg"{attributes}>\n{body}\n</svg>\n'


def drawn(
    root: Path, body: str, attributes: str = "", /, files: Mapping[str, str | bytes] | None = None, **fields: Any
) -> Drawing:
    """The front of one card with that content; fails where there are problems."""
    table = Table(root, tale(design(**fields)), {"tale/card.svg": svg(body, attributes), **(files or {})})
    drawing = table.draw()
    assert drawing is not None, table.complaints
    return drawing


def complaints(root: Path, body: str, files: Mapping[str, str | bytes] | None = None, /, **fields: Any) -> list[str]:
    """The problems of one card's front with that content, which begins on line 2."""
    table = Table(root, tale(design(**fields)), {"tale/card.svg": svg(body), **(files or {})})
    assert table.draw() is None
    return table.complaints
