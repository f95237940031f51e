"""Named card and paper sizes in mm, one name for each figure in use: where sources disagree, each has its own name."""

from collections.abc import Mapping
from types import MappingProxyType

from generator.dataclass import dataclass
from generator.units import MM_PER_INCH, Size


@dataclass(frozen=True, slots=True)
class NamedSize:
    """A trim or paper size with a line on who uses it and who gives another figure."""

    name: str
    size: Size
    note: str


def _mm(name: str, width: float, height: float, note: str) -> NamedSize:
    return NamedSize(name, Size(width, height), note)


def _inches(name: str, width: float, height: float, note: str) -> NamedSize:
    return NamedSize(name, Size(round(width * MM_PER_INCH, 3), round(height * MM_PER_INCH, 3)), note)


_CARDS = (
    _mm("jp-poker", 63, 88, "trading cards, Japanese game cards; us-poker is 0.5 x 0.9 mm larger"),
    _inches("us-poker", 2.5, 3.5, "poker decks, American printers; jp-poker is the metric figure"),
    _mm("jp-small", 59, 86, "Japanese small trading cards"),
    _mm("jp-bridge", 58, 89, "Japanese playing cards; us-bridge is 0.85 mm narrower"),
    _inches("us-bridge", 2.25, 3.5, "bridge decks; some tools round the width to 57.2 mm"),
    _mm("us-standard", 56, 87, "the sleeve size 'Standard USA'; tgc-us-game is 55.88 x 87.12 mm"),
    _mm("us-mini", 41, 63, "the sleeve size 'Mini USA'"),
    _mm("euro-standard", 59, 92, "the sleeve size 'Standard Euro'"),
    _mm("euro-mini", 45, 68, "Mini Euro as most sleeves count it; others say 44 x 68 or 44 x 67 mm"),
    _mm("euro-mini-44x68", 44, 68, "Mini Euro in several print services"),
    _mm("euro-mini-44x67", 44, 67, "Mini Euro in several layout programs"),
    _mm("asia-standard", 57.5, 89, "the sleeve size 'Asia' or 'Chimera'"),
    _mm("asia-mini", 43, 65, "the sleeve size 'Mini Asia'"),
    _inches("half-poker", 1.75, 2.5, "half of a poker card; cutting-machine templates take half-poker-62"),
    _inches("half-poker-62", 1.75, 2.45, "half-poker with room for the cut between two, 62.23 mm high"),
    _mm("tarot", 70, 120, "tarot as European printers make it; us-tarot is 69.85 x 120.65 mm"),
    _inches("us-tarot", 2.75, 4.75, "tarot as American printers make it"),
    _mm("french-tarot", 61, 112, "the card game of Tarot"),
    _mm("square-50", 50, 50, "square tiles and cards"),
    _mm("square-70", 70, 70, "the sleeve size 'Square'"),
    _mm("square-100", 100, 100, "large square cards"),
    _mm("dixit", 80, 120, "the sleeve size for large picture cards"),
    _mm("wonder", 65, 100, "the sleeve size for 65 x 100 mm cards"),
    _mm("volcano", 70, 110, "the sleeve size for 70 x 110 mm cards"),
    _inches("domino", 1.75, 3.5, "half of a us-poker card lengthways"),
    _mm("id-1", 85.6, 54, "bank and member cards, lying"),
    _mm("jp-business", 91, 55, "Japanese business cards, lying; ten on a perforated A4 sheet"),
    _inches("tgc-euro-poker", 2.48, 3.46, "The Game Crafter's euro poker, 62.99 x 87.88 mm: all but jp-poker"),
    _inches("tgc-us-game", 2.2, 3.43, "The Game Crafter's US game deck; us-standard is the sleeve's figure"),
    _inches("tgc-square", 3.5, 3.5, "The Game Crafter's square deck"),
    _inches("tgc-euro-square", 2.76, 2.76, "The Game Crafter's euro square, 70.1 mm; square-70 is the sleeve's figure"),
    _inches("tgc-divider", 3.0, 3.5, "The Game Crafter's divider deck"),
)

_PAPERS = (
    _mm("A3", 297, 420, "ISO 216"),
    _mm("A4", 210, 297, "ISO 216"),
    _mm("A5", 148, 210, "ISO 216"),
    _mm("B4", 257, 364, "JIS P 0138, as sold in Japan; the ISO sheet is 250 x 353 mm"),
    _mm("B5", 182, 257, "JIS P 0138, as sold in Japan; the ISO sheet is 176 x 250 mm"),
    _mm("Hagaki", 100, 148, "Japanese postcard"),
    _inches("Letter", 8.5, 11, "ANSI A"),
    _inches("Legal", 8.5, 14, "American legal"),
    _inches("Tabloid", 11, 17, "ANSI B"),
)

CARD_SIZES: Mapping[str, NamedSize] = MappingProxyType({named.name: named for named in _CARDS})
PAPER_SIZES: Mapping[str, NamedSize] = MappingProxyType({named.name: named for named in _PAPERS})


def card_size(name: str) -> Size:
    """The trim size of a named card, `jp-poker` for instance; KeyError if there is none (names: `CARD_SIZES`)."""
    return CARD_SIZES[name].size


def paper_size(name: str) -> Size:
    """The named paper upright, `A4` for instance; KeyError if there is none (names: `PAPER_SIZES`)."""
    return PAPER_SIZES[name].size
