"""Faces written apart from their document, in another process: the names that only the document can give stay open.

Where such a name belongs a form has an opening. With a face goes the news, in the order in which it came about: what
its process has met for the first time. A document that hears all news in the order of its faces gives the same names,
in the same order, as if it had written the faces itself.
"""

from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from generator.model.drawing import Drawing, Gradient, Group, Paint, Picture, Role, Symbol
from generator.model.ink import Rgb
from generator.writers.cid_font import CidFont, FontFile
from generator.writers.pdf_asked import Operators, Resource
from generator.writers.pdf_inks import ScreenInks
from generator.writers.pdf_stock import FaceContent, Fonts, PdfStock, content_of

OPENING = "\x1a"
"""Around the mark of an opening; no operator has it."""


class NewFont(NamedTuple):
    """A font that is used, by its key."""

    mark: str
    key: str


class NewGlyphs(NamedTuple):
    """Glyphs that are shown in a font, and the texts that they stand for."""

    key: str
    glyphs: tuple[tuple[int, str], ...]


class NewThing(NamedTuple):
    """Something that content refers to, and how a stock is asked for it."""

    mark: str
    question: str
    arguments: tuple[Any, ...]


News: TypeAlias = NewFont | NewGlyphs | NewThing


class FaceApart(NamedTuple):
    """A face's form with openings, the marks of the things that it refers to, and the news since the face before."""

    operators: bytes
    marks: tuple[str, ...]
    box: str
    news: tuple[News, ...]


class _Nowhere:
    """The file of a stock that writes none."""

    def reserve(self) -> int:
        return 0

    def fill(self, number: int, body: str | bytes) -> None:
        raise TypeError(f"object {number} is written apart from its document: {body[:40]!r}")


class _FontApart(CidFont):
    """A font that tells what has been shown in it since it last did."""

    def __init__(self, mark: str, file: FontFile):
        super().__init__(mark, file)
        self._told = 0, 0

    def news(self) -> tuple[tuple[int, str], ...]:
        measured, standing = self._told
        self._told = len(self._widths), len(self._texts)
        alone = [(glyph, "") for glyph in islice(self._widths, measured, None) if glyph not in self._texts]
        # Which further code a glyph has depends on all that came before: such faces are written by the document itself.
        return (*alone, *islice(self._texts.items(), standing, None), *self._further)


class StockApart(PdfStock):
    """What the faces of one document come to, as far as can be said without it. `process` tells its marks from others'.

    The document's inks are those of screens.
    """

    def __init__(
        self,
        process: str,
        lang: str,
        fonts: Fonts,
        palette: Callable[[Paint], Rgb],
        pictures: Callable[[str], Path],
    ):
        super().__init__(_Nowhere(), lang, fonts, ScreenInks(palette), pictures, {})
        self._process, self._marks = process, 0
        self._asking: tuple[str, tuple[Any, ...]] = "", ()
        self._news: list[News] = []
        self._apart: dict[str, _FontApart] = {}

    def apart(self, drawing: Drawing) -> FaceApart:
        """A face, with the news."""
        content = self.face(drawing)
        self._tell_glyphs()
        news, self._news = tuple(self._news), []
        return FaceApart(content.operators, tuple(content.resources), content.box, news)

    def font(self, key: str) -> CidFont:
        """The document's font of that key."""
        found = self._apart.get(key)
        if found is None:
            self._tell_glyphs()
            found = self._apart[key] = _FontApart(self._mark(), self._book.font(key))
            self._news.append(NewFont(found.name, key))
        return found

    def operators(self, paint: Paint, role: Role) -> Operators:
        """How a paint is chosen on a thing of that role."""
        self._asking = "operators", (paint, role)
        return super().operators(paint, role)

    def overprint(self, fill: bool, stroke: bool) -> Resource | None:
        """The state in which fills and strokes leave the plates below as they are, or not; None without plates."""
        self._asking = "overprint", (fill, stroke)
        return super().overprint(fill, stroke)

    def picture(self, picture: Picture) -> Resource:
        """The image of a picture's asset."""
        self._asking = "picture", (picture,)
        return super().picture(picture)

    def gradient(self, gradient: Gradient, role: Role) -> Resource | Paint:
        """The shading of a gradient, or a paint when it has only one."""
        self._asking = "gradient", (gradient, role)
        return super().gradient(gradient, role)

    def mixing(self, group: Group) -> Resource:
        """The state in which a group that is painted as one is mixed with what lies below it."""
        self._asking = "mixing", (group,)
        return super().mixing(group)

    def as_one(self, group: Group) -> Resource | None:
        """The form of what such a group holds; None where it holds nothing, or one thing that needs no form."""
        self._asking = "as_one", (group,)
        return super().as_one(group)

    def symbol(self, symbol: Symbol, clip: bool) -> Resource:
        """The form of a symbol, cut off at its box or not."""
        self._asking = "symbol", (symbol, clip)
        return super().symbol(symbol, clip)

    def _once(self, key: tuple[Any, ...], write: Callable[[], int]) -> Resource:  # noqa: ARG002 - a document writes it
        slot = self._written.setdefault(key, [])
        if not slot:
            self._tell_glyphs()  # a symbol may have type in it
            slot.append(Resource(self._mark(), 0))
            self._news.append(NewThing(slot[0].name, *self._asking))
        return slot[0]

    def _mark(self) -> str:
        self._marks += 1
        return f"{OPENING}{self._process}.{self._marks}{OPENING}"

    def _tell_glyphs(self) -> None:
        for key, font in self._apart.items():
            glyphs = font.news()
            if glyphs:
                self._news.append(NewGlyphs(key, glyphs))


_QUESTIONS: Mapping[str, Callable[..., Resource | Paint | None]] = {
    "operators": lambda stock, *of: stock.operators(*of).space,
    "overprint": PdfStock.overprint,
    "picture": PdfStock.picture,
    "gradient": PdfStock.gradient,
    "mixing": PdfStock.mixing,
    "as_one": PdfStock.as_one,
    "symbol": PdfStock.symbol,
}


class Openings:
    """What stands in the openings of the faces of one document."""

    def __init__(self) -> None:
        self._things: dict[str, Resource] = {}
        self._names: dict[bytes, bytes] = {}

    def filled(self, face: FaceApart, stock: PdfStock) -> FaceContent | None:
        """A face, as the document's `stock` would have written it; None where that would have written it otherwise.

        Faces must come in the order of the document.
        """
        for news in face.news:
            if not self._hear(news, stock):
                return None
        parts, mark = face.operators.split(OPENING.encode("ascii")), self._names.__getitem__
        parts[1::2] = map(mark, parts[1::2])
        things = [self._things[name] for name in face.marks]
        return content_of(b"".join(parts), {thing.name: thing for thing in things}, face.box)

    def _hear(self, news: News, stock: PdfStock) -> bool:
        if isinstance(news, NewGlyphs):
            font = stock.font(news.key)
            return all(font.told(glyph, text) for glyph, text in news.glyphs)
        if isinstance(news, NewFont):
            self._name(news.mark, stock.font(news.key).name)
            return True
        thing = _QUESTIONS[news.question](stock, *news.arguments)
        if not isinstance(thing, Resource):
            raise TypeError(f"{news.question} is {thing!r} in the document")
        self._things[news.mark] = thing
        self._name(news.mark, thing.name)
        return True

    def _name(self, mark: str, name: str) -> None:
        self._names[mark.strip(OPENING).encode("ascii")] = name.encode("ascii")
