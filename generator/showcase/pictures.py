"""A game's pictures for shop pages: its template draws the ground and the title, its things are laid on it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from generator.athome.boxes import BoxContents, box_settings, decks, wall_pictures, with_boxes
from generator.dataclass import dataclass
from generator.errors import Place
from generator.faces.accent import accent
from generator.faces.workshop import Workshop
from generator.model.colour import BLACK, WHITE, contrast, mix
from generator.model.drawing import Drawing, Group, Item, Shape
from generator.model.game import CUBE_FACES, Design, Game, Kind
from generator.model.outline import bounds
from generator.model.preset import PictureSize
from generator.model.source import Source
from generator.model.text import Words, title_parts, unbroken
from generator.showcase.box import BoxShown
from generator.showcase.choice import Selection
from generator.showcase.scenes import boxed, fan, hand, table
from generator.units import MM_PER_INCH, Rect, Size

TEMPLATE = "showcase"
"""The template of the ground; the program brings a plain one for games that have none."""

SCREEN_DPI = 96.0
"""So many pixels of a picture are an inch of its drawing."""

_KIND = "showcase_{width}_{height}_{scene}_{titled}"
_FRAME = "scene"
"""The group of the template whose rectangle is where things are laid."""


def size_of(picture: PictureSize) -> Size:
    """How large a picture is drawn, mm."""
    width, height = (pixels / SCREEN_DPI * MM_PER_INCH for pixels in picture.pixels)
    return Size(width, height)


def with_grounds(game: Game, pictures: Sequence[PictureSize], hexes: Workshop) -> Game:
    """The game with a kind for each picture's ground, which is drawn as cards are, and with those of its box."""
    fields = _fields(game, hexes)
    kinds = {_name(picture): _ground(game, picture, fields) for picture in pictures}
    boxed_game = with_boxes(game, _largest(game), box_settings(hexes, clean=True))
    return replace(boxed_game, kinds={**boxed_game.kinds, **kinds})


@dataclass(frozen=True, slots=True)
class Showcase:
    """The pictures of a game `with_grounds`, of the things that `choice` has picked, in one language."""

    workshop: Workshop
    choice: Selection
    lang: str

    def picture(self, picture: PictureSize) -> Drawing | None:
        """One picture, as large as `size_of` says; None where its ground could not be drawn (see `problems`)."""
        (design,) = self.workshop.game.kinds[_name(picture)].designs
        ground = self.workshop.face(design, "front", self.lang)
        if ground is None:
            return None
        frame = next(_frames(ground.items), Rect(0, 0, ground.width, ground.height))
        below = tuple(_without_frame(ground.items))
        return replace(ground, items=(*below, *self._scene(picture, frame)), stamps=(), frames=())

    def _scene(self, picture: PictureSize, frame: Rect) -> Iterator[Item]:
        choice, wide = self.choice, frame.width > 1.5 * frame.height
        if picture.scene == "title":
            return
        if picture.scene == "table":
            yield from table(choice.everything(), frame)
        elif not (cards := choice.fronts(7 if wide and not picture.titled else 5)):
            yield from table(choice.everything(), frame)  # nothing that a hand could hold
        elif picture.scene == "fan":
            yield from fan(cards, frame)
        elif picture.scene == "hand":
            yield from hand(cards[:6], choice.lane(), frame)
        elif (box := self._box()) is not None:
            yield from boxed(box, cards[:5], frame)

    def _box(self) -> BoxShown | None:
        (content,) = _largest(self.choice.game)
        walls = wall_pictures(self.workshop, content, 0, self.lang)
        if len(walls) < len(CUBE_FACES):
            return None
        settings = box_settings(self.workshop)
        return BoxShown(content.box(settings), walls, mix(self.workshop.hex(settings.accent), BLACK, 0.2))


def _largest(game: Game) -> tuple[BoxContents, ...]:
    """The deck whose box is shown; none of a game without cards."""
    return tuple(sorted(decks(game), key=lambda content: -content.count)[:1])


def _frames(items: Sequence[Item]) -> Iterator[Rect]:
    """Where the template wants its things laid."""
    for item in items:
        if isinstance(item, Group):
            if item.id == _FRAME:
                yield from (box for shape in item.items if isinstance(shape, Shape) and (box := bounds(shape.path)))
            yield from _frames(item.items)


def _without_frame(items: Sequence[Item]) -> Iterator[Item]:
    for item in items:
        if not isinstance(item, Group):
            yield item
        elif item.id != _FRAME:
            yield replace(item, items=tuple(_without_frame(item.items)))


def _name(picture: PictureSize) -> str:
    width, height = picture.pixels
    return _KIND.format(width=width, height=height, scene=picture.scene, titled=picture.titled)


def _fields(game: Game, hexes: Workshop) -> dict[str, object]:
    """What the template knows as `card`, beside what the picture shows: colours, founts, the title without its note."""
    first, *more = game.fonts
    paint = hexes.hex(accent(game.palette))
    light = contrast(paint, WHITE) >= contrast(paint, BLACK)
    return {
        "accent": paint,
        "deep": mix(paint, BLACK, 0.45),
        "light": mix(paint, WHITE, 0.16),
        "accent_on": WHITE if light else BLACK,
        "reading": first,
        "titling": more[0] if more else first,
        "title": Words({lang: _breaking(_bare(game.title[lang])) for lang in game.languages}),
    }


def _bare(title: str) -> str:
    """A title without what stands behind it in brackets: `(working title)`."""
    bare = title.partition("（")[0].partition("(")[0].strip()
    return bare or title


def _breaking(title: str) -> str:
    """A title whose lines end where they do on the cover: behind the mark between its words, if it has one."""
    parts = title_parts(title)
    if len(parts) == 1:
        return title
    whole = [unbroken(part).replace(" ", "\u00a0") for part in parts]
    return f"{whole[0]}{' ' if ' ' in title else ''}{whole[1]}"


def _ground(game: Game, picture: PictureSize, fields: dict[str, object]) -> Kind:
    """The ground of a picture as a kind of card with one design."""
    name = _name(picture)
    said = game.places.place("title") or Place(f"templates/{game.id}/{TEMPLATE}.svg")
    source = Source(said.file, None, (said.line, said.column))
    told = {**fields, "scene": picture.scene, "titled": picture.titled}
    design = Design(f"{name}/ground", name, 1, TEMPLATE, "", told, source)
    title = Words(dict(game.title.items()))
    return Kind(name, title, size_of(picture), (design,), bleed=0.0, safe=0.0, corner=0.0, place=source.place())
