"""The type case of a style for columns: upright characters in their forms for columns, short numbers side by side."""

import re

from generator.text.fonts import Font, FontBook
from generator.text.kinsoku import MARKS, TRAILS, Edge
from generator.text.pieces import Pieces, japanese_pieces
from generator.text.typecase import Features, Rarity, Sort, Typecase, blanks, typecase
from generator.text.upright import Orientation, Stance, needs_a_form, orientation

_WORD = "!-~À-ÖØ-öø-ɏ"
_ABREAST = (  # what stands upright in one em, where it is no part of a Latin phrase
    rf"(?<![{_WORD}])(?<![{_WORD}] )(?:(?:[0-9]{{1,2}}|[+\-−][0-9]|[A-ZÀ-ÖØ-ÞΑ-ΩА-Я])[!?]{{0,3}}|[!?]{{1,3}})"
    rf"(?![{_WORD}{MARKS}])(?! [0-9A-Za-zÀ-ɏ])"
)
_MARK_OR_NOT = re.compile("[!?]+|[^!?]+")
_TOGETHER = "\ufff9"  # before a piece that is to stand abreast: alone, the same characters may be part of a phrase
_EM = 1000.0


class ColumnCase(Typecase):
    """A type case whose sorts go down a column; their widths and blanks are counted downwards.

    `unturned` are the characters cast that needed a form for columns which their font doesn't have.
    """

    def __init__(self, chain: tuple[Font, ...], lang: str, spacing: float, features: Features = ()):
        super().__init__(chain, lang, spacing, features)
        self.pieces = _pieces
        self.unturned: set[str] = set()

    def unturned_in(self, text: str) -> tuple[str, ...]:
        """The characters of a text that stand in their form for lines though they shouldn't."""
        return tuple(char for char in text if char in self.unturned)

    def _cast(self, piece: str) -> tuple[Sort, ...]:
        if piece[0] != _TOGETHER or not re.fullmatch(_ABREAST, piece[1:]):
            return super()._cast(piece)
        font = next((font for font in self.chain if all(map(font.glyph, piece[1:]))), None)
        return super()._cast(piece) if font is None else (self._abreast(font, piece[1:]),)

    def _abreast(self, font: Font, piece: str) -> Sort:
        shaped = font.shape(piece, self.lang, ligatures=False)
        if shaped.width > _EM:
            shaped = font.narrow(piece, self.lang)
        letter = Edge.IDEOGRAPH if piece[-1].isalpha() else Edge.WIDE_NUMBER
        edge = Edge.EXCLAIM if piece[-1] in "!?" else letter
        advances = (_EM + self.spacing, *[0.0] * (len(shaped.glyphs) - 1))
        return Sort(
            piece,
            int(edge),
            TRAILS[edge],
            _EM + self.spacing,
            font,
            natural=False,
            rarity=Rarity(stance=Stance.ABREAST),
            right=self.spacing,
            glyphs=shaped.glyphs,
            clusters=shaped.clusters,
            advances=advances,
        )

    def _sorts_of(self, font: Font, text: str, lead: Edge, trail: Edge) -> list[Sort]:
        wanted = orientation(text[0])
        if wanted == Orientation.TURNED and (len(text) > 1 or not font.glyph("あ")):
            return super()._sorts_of(font, text, lead, trail)
        stood = font.stand(text, self.lang, self.features)
        if not stood.turned:
            if needs_a_form(text[0]):
                self.unturned.add(text[0])
            if wanted in (Orientation.TURNED, Orientation.FORM_OR_TURNED):
                return super()._sorts_of(font, text, lead, trail)
        before, after = (
            _blanks(font, stood.glyphs[0], stood.advances[0], lead) if len(stood.glyphs) == 1 else (0.0, 0.0)
        )
        advances = stood.advances
        if self.spacing:
            ends = [*map(bool, stood.clusters[1:]), True]
            advances = tuple(a + self.spacing if end else a for a, end in zip(advances, ends, strict=True))
            after += self.spacing
        return [
            Sort(
                text,
                int(lead),
                TRAILS[trail],
                sum(advances),
                font,
                natural=False,
                rarity=Rarity(stance=Stance.UPRIGHT),
                left=before,
                right=after,
                glyphs=stood.glyphs,
                clusters=stood.clusters,
                advances=advances,
            )
        ]


def column_case(
    fonts: FontBook,
    family: str,
    lang: str,
    bold: bool,
    italic: bool,
    spacing: float,
    weight: int = 0,
    features: Features = (),
) -> Typecase:
    """The case of a style for columns, the same one each time. KeyError for an unknown family.

    Other languages than those written downwards are set as lines and turned with the column.
    """
    lying = typecase(fonts, family, lang, bold, italic, spacing, weight, features)
    if not lying.cjk:
        return lying
    key = ("column", family, lang, bold, italic, spacing, weight, features)
    found: ColumnCase | None = fonts.memo.get(key)
    if found is None:
        found = fonts.memo[key] = ColumnCase(lying.chain, lang, spacing, features)
    return found


def _pieces(text: str) -> Pieces:
    pieces: Pieces = []
    start = 0
    for found in re.finditer(_ABREAST, text):
        pieces += japanese_pieces(text[start : found.start()])
        pieces.append([_TOGETHER + part for part in _MARK_OR_NOT.findall(found[0])])
        start = found.end()
    return pieces + japanese_pieces(text[start:])


def _blanks(font: Font, glyph: int, advance: float, edge: Edge) -> tuple[float, float]:
    """How much of an upright mark's length is blank, above and below it."""
    box = font.ink(glyph)
    if box is None:
        return 0.0, 0.0
    top = font.top(glyph)[1]
    return blanks(top - box[3], advance - top + box[1], edge)
