"""What the checks may look at beside the game's data: its drawn faces, its fonts' metrics, its icons' silhouettes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, TypeAlias

from generator.dataclass import dataclass
from generator.model.drawing import Drawing, Item, Paint
from generator.model.game import Design, FaceName, Game, Kind

FaceKey: TypeAlias = tuple[str, FaceName, str]
"""Design id, face, language."""

Mask: TypeAlias = Sequence[Sequence[int]]
"""Rows of pixels from the top, equally long: 0 is paper, anything else is paint."""

PAPER = "#ffffff"


@dataclass(frozen=True, slots=True)
class Context:
    """Filled by whoever drew the game.

    `drawings` holds every face of every design in every language, None where it could not be drawn. `ink` and `advance`
    take a font key and a glyph number: the ink's x_min, y_min, x_max, y_max (y up) or None for a blank, and how far the
    pen moves; all in 1/1000 em. `silhouette` takes an icon's id and gives it as black on white, drawn 4 mm large at
    600 dpi, or None where it has no art. `pictures` is filled by the function of that name, kind by kind, and `leaves`
    by `leaves_of`, by the identity of each item: cards of a kind share most of theirs.
    """

    drawings: Mapping[FaceKey, Drawing | None]
    ink: Callable[[str, int], tuple[float, float, float, float] | None]
    advance: Callable[[str, int], float]
    silhouette: Callable[[str], Mask | None]
    pictures: "dict[str, tuple[Face, ...]]" = field(default_factory=dict)
    leaves: dict[int, tuple[Item, tuple[Any, ...]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Face:
    """One drawn face of a design in one language."""

    design: Design
    face: FaceName
    lang: str
    drawing: Drawing

    def __str__(self) -> str:
        return f"{self.design.id} {self.face} {self.lang}"


def faces(game: Game, kind: Kind, context: Context) -> Iterator[Face]:
    """Every drawn face of a kind in the order of the data."""
    for design in kind.designs:
        for face in kind.faces(design):
            for lang in game.languages:
                drawing = context.drawings.get((design.id, face, lang))
                if drawing is not None:
                    yield Face(design, face, lang, drawing)


def pictures(game: Game, kind: Kind, context: Context) -> tuple[Face, ...]:
    """The faces of a kind that differ, each by the first that shows it: a back shared by all designs comes once."""
    if kind.id not in context.pictures:
        context.pictures[kind.id] = tuple(_unlike_faces(game, kind, context))
    return context.pictures[kind.id]


def _unlike_faces(game: Game, kind: Kind, context: Context) -> Iterator[Face]:
    known = set()
    for face in faces(game, kind, context):
        drawing = face.drawing
        shown = (drawing.width, drawing.height, drawing.bleed, drawing.items)
        if shown not in known:
            known.add(shown)
            yield face


def srgb(game: Game, paint: Paint) -> str | None:
    """A paint as `#rrggbb`; None for a name that is not in the palette."""
    if paint.startswith("#"):
        return paint
    if paint in game.palette:
        return game.palette[paint].srgb
    return "#000000" if paint == "ink" else None
