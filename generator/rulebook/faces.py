"""Components for figures: found by id or pattern, their faces as the sheets show them, cut out as the piece will be."""

from dataclasses import replace
from fnmatch import fnmatchcase

from generator.dataclass import dataclass
from generator.errors import Place, Problem, did_you_mean
from generator.faces.workshop import Workshop
from generator.games.engine.phrases import piece_name
from generator.model.drawing import Drawing, Group, Placed, Shape, Symbol, TextRun
from generator.model.game import Design
from generator.model.geometry import IDENTITY, Matrix
from generator.pages.setter import no_glyphs
from generator.pages.style import PIECE_EDGE, PIECE_LINE
from generator.sheets.guides import rounded_box
from generator.units import Rect

BACK = " back"
"""After an id: the other side of that piece."""


@dataclass(frozen=True, slots=True)
class PiecePicture:
    """A piece as a picture: `symbol` in mm of the piece itself, `outline` where it is cut."""

    id: str
    name: str
    symbol: Symbol
    outline: str
    width: float
    height: float

    def place(self, matrix: Matrix, scale: float) -> Group:
        """The piece put somewhere; `scale` is how large the matrix makes it, so that its edge stays as thin."""
        art = Group((Placed(self.symbol, IDENTITY, clip=True, role="art"),), clip=self.outline)
        edge = Shape(self.outline, stroke=PIECE_EDGE, width=PIECE_LINE / scale, join="round", role="frame")
        return Group((art, edge), matrix, id="piece", data=(("design", self.id),), title=self.name)


class Faces:
    """The faces of one game's components in one language; what can't be found goes to `problems`."""

    def __init__(self, workshop: Workshop, lang: str, problems: list[Problem]):
        self.workshop, self.lang = workshop, lang
        self._problems = problems
        self._symbols: dict[int, tuple[Drawing, Symbol]] = {}

    def check(self, run: TextRun, place: Place | None) -> None:
        """Notes characters that are written at a place, and that the font of their run lacks."""
        font = self.workshop.fonts.font(run.font)
        absent = [character for character in run.clusters if not font.glyph(character)]
        self._problems += no_glyphs(f"rulebook ({self.lang}): {{}}", absent, place)

    def designs(self, names: list[object], place: Place | None) -> list[tuple[Design, bool]]:
        """The designs of ids, kinds and patterns, each with whether its back is meant."""
        game = self.workshop.game
        found: list[tuple[Design, bool]] = []
        for entry in names:
            name, back = str(entry).removesuffix(BACK), str(entry).endswith(BACK)
            if name in game.kinds:
                chosen = list(game.kinds[name].designs)
            else:
                chosen = [design for design in game.designs() if fnmatchcase(design.id, name)]
            if not chosen:
                known = [*game.kinds, *(design.id for design in game.designs())]
                self._problems.append(Problem(place, f"unknown component '{name}'", did_you_mean(name, known)))
            found += [(design, back) for design in chosen]
        return found

    def pieces(self, names: list[object], place: Place | None, *, back: bool = False) -> list[PiecePicture]:
        """The pictures of ids, kinds and patterns."""
        designs = self.designs(names, place)
        made = [self.piece(design, place, back=back or other) for design, other in designs]
        return [piece for piece in made if piece is not None]

    def hidden(self, design: Design, place: Place | None = None) -> PiecePicture | None:
        """A piece that shows nothing of what it is: its back, or blank paper of its shape."""
        if design.back:
            return self.piece(design, place, back=True)
        front = self.piece(design, place)
        if front is None:
            return None
        symbol = Symbol(f"blank:{design.kind}", (Shape(front.outline, "#ffffff", role="ground"),), front.symbol.box)
        name = self.workshop.game.kinds[design.kind].name[self.lang]
        return replace(front, name=name, symbol=symbol)

    def piece(self, design: Design, place: Place | None = None, *, back: bool = False) -> PiecePicture | None:
        """One side of a design; None for a problem."""
        workshop = self.workshop
        kind = workshop.game.kinds[design.kind]
        if back and not design.back:
            self._problems.append(Problem(place, f"{design.id} has no back", "show its front"))
            return None
        drawing = workshop.face(design, "back" if back else "front", self.lang)
        if drawing is None:
            return None  # the workshop says why
        known = self._symbols.get(id(drawing))
        if known is None:
            box = (0.0, 0.0, drawing.width, drawing.height)
            symbol = Symbol(f"face:{design.id}{BACK if back else ''}", drawing.items, box)
            known = self._symbols[id(drawing)] = (drawing, symbol)
        outline = kind.outline or rounded_box(Rect(0, 0, drawing.width, drawing.height), kind.corner)
        name = kind.name[self.lang] if back else piece_name(workshop.game, design.id, self.lang)
        return PiecePicture(design.id, name, known[1], outline, drawing.width, drawing.height)
