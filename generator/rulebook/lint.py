"""Finds numbers that a rulebook's template has typed instead of taking them from the data."""

import re
from collections.abc import Iterator

from generator.dataclass import dataclass
from generator.errors import Place, Problem

TYPED = re.compile(r"\{#-?\s*typed:(.*?)-?#\}")
"""The mark of a line whose numbers are meant, with the reason."""

_ANCHOR = re.compile(r"\{#[\w.-]+\}")
_JINJA = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_NOT_NEWLINE = re.compile(r"[^\n]")

_IDS = re.compile(
    r"\{@[^{}\n]*\}"  # {@reel/6-wheat}
    r"|\{(?:place|callout):[^{}|\n]+\}"  # {place:day-1}
    r"|\{[\w.-]+\}"  # {wheat}
    r"|\{[A-Za-z_][\w.-]*(?:=[^:{}\n]*)?:"  # {bronze: {size=120%:
    r"|\]\(#[^()\s]+\)"  # [there](#anchor)
    r"|\[\[=[^\[\]|\n]+\|"  # [[=entry|
    r"|\|[^\[\]|\n]+\]\]"  # |entry]]
    r"|\[\[[a-z0-9_-]+\]\]"  # [[entry]]
    r"|\bE[0-9]+[a-z]?\b"
)
_ENTRY = re.compile(r"^[\s>]*(?:[-*+]\s+)*[0-9]+[.)](?=\s)")
_FENCE = re.compile(r"^[\s>-]*```+\s*(\w*)")
_KEY = re.compile(r"^(\s*)(?:-\s+)?[\"']?([\w*/. -]+?)[\"']?\s*:(?=\s|$)")
_FLOW_KEY = re.compile(r"(?<=[{,])\s*[\"']?[\w*/.-]+[\"']?\s*:(?=\s)")

SPOKEN = ("alt", "caption", "title", "says", "also", "callouts", "ends", "labels")
"""Keys of blocks whose values are shown."""

_UNSEEN = ("from", "to", "of", "only", "zones", "hidden", "highlight", "dim", "raised", "example", "height", "players")
_UNSEEN_VALUE = re.compile(rf"(?<=[{{,])(\s*(?:{'|'.join(_UNSEEN)}):\s)(?:\s*\[[^\[\]]*\]|[^,\[\]{{}}]*)")
"""In braces behind a key whose value is shown: keys of figures with ids and measures, {says: loop, from: day-4}."""

TEXT_BLOCKS = ("upright",)

_NUMERALS = "〇一二三四五六七八九十百千"
_NOT_NUMBERS = (
    *("一方", "一般", "一緒", "一致", "一覧", "一部", "一連", "一切", "一見", "一気", "一斉", "一旦", "一層", "一種"),
    *("統一", "唯一", "同一", "均一", "万一", "単一", "一様", "一概", "一律", "一応", "一瞬", "一時", "一体", "一定"),
    *("十分", "十字", "三角", "四角", "六角", "八角", "百科", "千鳥", "四季", "四隅", "二重", "三日月", "七夕"),
    *("no one", "one another", "one by one", "one after another"),
)
"""Words with a numeral or number word in them that say nothing about how many."""

_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_NUMBER = re.compile(rf"[0-9０-９]+|[{_NUMERALS}]+|(?<![A-Za-z’'-])(?:{_WORDS})(?![A-Za-z])", re.IGNORECASE)
_HARMLESS = re.compile("|".join(_NOT_NUMBERS), re.IGNORECASE)
_HINT = "take it from the data, {{ ... }}, or end the line with {# typed: why #}"


def typed_numbers(source: str, file: str) -> Iterator[Problem]:
    """A problem for each number that stands in the text of a template as it is written, outside expressions and ids."""
    original = source.split("\n")
    source = _ANCHOR.sub(_blank, source)
    fence = _Fence()
    for line, text in enumerate(_JINJA.sub(_blank, source).split("\n"), 1):
        mark = TYPED.search(original[line - 1])
        shown = fence.visible_text(text)
        if mark and mark[1].strip():
            continue
        if mark:
            place = Place(file, line, mark.start() + 1)
            yield Problem(place, "the mark `typed:` gives no reason", "say why the number is typed")
            continue
        for found in _NUMBER.finditer(_HARMLESS.sub(_blank, _IDS.sub(_blank, _ENTRY.sub(_blank, shown)))):
            place = Place(file, line, found.start() + 1)
            yield Problem(place, f"the number '{found[0]}' is typed", _HINT)


def _blank(found: re.Match[str]) -> str:
    return _NOT_NEWLINE.sub(" ", found[0])


@dataclass(slots=True)
class _Fence:
    """Where in a template we are, line after line: in text, or in a block under a key whose value is shown or not."""

    name: str = ""
    inside: bool = False
    key: str = ""

    def visible_text(self, text: str) -> str:
        """The line with what no reader sees blanked."""
        fence = _FENCE.match(text)
        if fence:
            self.inside, self.name, self.key = not self.inside, fence[1], ""
            return ""
        if not self.inside or self.name in TEXT_BLOCKS:
            return text
        key = _KEY.match(text)
        if key and not key[1]:
            self.key = key[2]
        if self.key not in SPOKEN and not (key and key[2] in SPOKEN):
            return _shown_within(text)
        return _FLOW_KEY.sub(_blank, _KEY.sub(_blank, text, count=1))


def _shown_within(text: str) -> str:
    """What is shown of a line of another key: `figure: {caption: ...}`."""
    spoken = re.search(rf"(?<=[{{,])\s*(?:{'|'.join(SPOKEN)}):(?=\s)", text)
    return " " * spoken.end() + _UNSEEN_VALUE.sub(_blank, text)[spoken.end() :] if spoken else ""
