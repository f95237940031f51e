"""Where the phrases of a Japanese or Chinese title end, after the models of BudouX."""

import re
from collections.abc import Hashable
from itertools import accumulate
from typing import Any

_PARSERS = {
    "ja": "load_default_japanese_parser",
    "zh": "load_default_simplified_chinese_parser",
    "zh-hant": "load_default_traditional_chinese_parser",
    "zh-tw": "load_default_traditional_chinese_parser",
    "zh-hk": "load_default_traditional_chinese_parser",
}
_COMPOUND = "(?<=[一-鿿][えきぎけげしせちてねびべみめりれ])(?=[一-鿿])"
"""Inside 捨て札 or 置き場, which the model takes apart: a verb's stem before an ideograph is half of a noun."""


class Phrasing:
    """The phrases of one language, its model loaded when first needed; none in a language that has no model."""

    def __init__(self, lang: str):
        self._lang = lang.lower()
        self._parser: Any = None
        self._ends: dict[str, frozenset[int]] = {}

    def ends(self, text: str) -> frozenset[int] | None:
        """Behind how many characters each phrase of a text ends; None where all words are phrases."""
        loader = _PARSERS.get(self._lang) or _PARSERS.get(self._lang.split("-", 1)[0])
        if loader is None:
            return None
        found = self._ends.get(text)
        if found is None:
            if self._parser is None:
                import budoux  # here, as it takes a hundredth of a second and only titles need it

                self._parser = getattr(budoux, loader)()
            ends = frozenset(accumulate(map(len, self._parser.parse(text))))
            found = self._ends[text] = ends - {inside.start() for inside in re.finditer(_COMPOUND, text)}
        return found


ANYWHERE = Phrasing("")
"""Where a title must be broken inside its phrases."""


def phrasing(memo: dict[Hashable, Any], lang: str) -> Phrasing:
    """The phrases of a language, its model loaded once for a font book."""
    found: Phrasing | None = memo.get(("phrasing", lang))
    if found is None:
        found = memo["phrasing", lang] = Phrasing(lang)
    return found
