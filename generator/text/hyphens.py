"""Where words may be hyphenated, after the patterns of their language."""

import re
from collections.abc import Hashable
from functools import cached_property
from typing import Any

from generator.text.shaped import scaled
from generator.text.typecase import Rarity, Sort

_SHORTEST, _BEFORE, _BEHIND = 6, 2, 3  # letters: of a word that is hyphenated at all, before a hyphen, behind it
_CORE = re.compile(r"\W*([^\W\d_]+)\W*")
_PATTERNS = (
    "af as be bg ca cs da de el en eo es et eu fr gl hr hu id is it kn lt lv mn mr nb nl nn or pa pl pt ro ru sa sk"
)
PARTED = frozenset(f"{_PATTERNS} sl sq sr sv te th uk zu".split())
"""The languages that there are patterns for, so that they need not be loaded to know."""

_NEVER_PARTED = frozenset(["ar", "fa", "he", "ja", "ko", "km", "lo", "my", "th", "ur", "vi", "yi", "zh"])
"""Languages whose words are not hyphenated."""

_HYPHEN, _SOFT_HYPHEN = "-", "\u00ad"


class Hyphens:
    """The hyphenation of one language, loaded when first needed; where there is none, soft hyphens still count.

    `notes` say so where its words would be hyphenated.
    """

    def __init__(self, lang: str):
        self._lang = lang
        self.notes: tuple[str, ...] = ()
        if lang.partition("-")[0].lower() not in PARTED | _NEVER_PARTED:
            self.notes = (f"no words are hyphenated in '{lang}': there are no patterns for this language",)
        self._points: dict[str, tuple[int, ...]] = {}
        self._halves: dict[tuple[Any, str, int, Rarity], tuple[Sort, Sort] | None] = {}

    def points(self, sort: Sort, forced: bool = False) -> tuple[int, ...]:
        """Before which characters of a word a line may end; names and capitals are parted only when `forced`."""
        if sort.rarity.points:
            return sort.rarity.points
        word = sort.text
        found = self._points.get(word)
        if found is None:
            found = self._points[word] = self._find(word)
        return found if forced or word[:1].islower() else ()

    def halves(self, sort: Sort, point: int) -> tuple[Sort, Sort] | None:
        """Both parts of a hyphenated word, the hyphen standing for a soft one; None when the font has no hyphen."""
        key = (sort.font, sort.text, point, sort.rarity)
        if key not in self._halves:
            self._halves[key] = self._part(sort, point)
        return self._halves[key]

    @cached_property
    def _patterns(self) -> Any:
        import pyphen  # here, as it and its patterns take a tenth of a second and few texts need them

        known = pyphen.language_fallback(self._lang.replace("-", "_"))
        return pyphen.Pyphen(lang=known, left=_BEFORE, right=_BEHIND) if known else None

    def _find(self, word: str) -> tuple[int, ...]:
        core = _CORE.fullmatch(word)
        if not core or len(core[1]) < _SHORTEST or self._patterns is None:
            return ()
        return tuple(int(point) + core.start(1) for point in self._patterns.positions(core[1].lower()))

    def _part(self, sort: Sort, point: int) -> tuple[Sort, Sort] | None:
        font = sort.font
        if font is None or not font.glyph(_HYPHEN):
            return None
        ratio, features = sort.rarity.ratio, sort.rarity.features
        head = font.shape(sort.text[:point] + _HYPHEN, self._lang, features=features)
        tail = font.shape(sort.text[point:], self._lang, features=features)
        clusters = (*head.clusters[:-1], _SOFT_HYPHEN)
        first = sort._replace(
            text=sort.text[:point] + _SOFT_HYPHEN,
            width=head.width * ratio,
            glyphs=head.glyphs,
            clusters=clusters,
            advances=scaled(head.advances, ratio),
            natural=head.natural,
            glyph=0,
        )
        second = sort._replace(
            text=sort.text[point:],
            width=tail.width * ratio,
            glyphs=tail.glyphs,
            clusters=tail.clusters,
            advances=scaled(tail.advances, ratio),
            natural=tail.natural,
            glyph=0,
        )
        return first, second


def hyphens(memo: dict[Hashable, Any], lang: str) -> Hyphens:
    """The hyphenation of a language, loaded once for a font book."""
    found: Hyphens | None = memo.get(("hyphens", lang))
    if found is None:
        found = memo["hyphens", lang] = Hyphens(lang)
    return found
