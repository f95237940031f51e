"""Book templates: which books a game can have, and a search for numbers typed into their text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generator.base.errors import Place, Problem, ProblemsFound
from generator.drawing.faces.game_drawing import Workshop


@dataclass(frozen=True, slots=True)
class Volume:
    """One kind of book (rulebook, quick start ...); `name` is that of its templates and files.

    `called` is its name in problems. `title` names the phrase that is its subtitle instead of the game's overview.
    `folded`: it also has a booklet. `defines`: it must define each term of the glossary. `sheet`: it is one sheet, set
    as large as fits, without a web page. `states`: it shows the state of the game's data, for designers.
    """

    name: str
    called: str
    title: str = ""
    folded: bool = False
    defines: bool = False
    sheet: bool = False
    states: bool = False

    def get_template_name(self, lang: str) -> str:
        """Return the template's file name for a language."""
        return f"{self.name}.{lang}.md"


RULEBOOK = Volume("rulebook", "rulebook", folded=True, defines=True)
NOTES = Volume("notes", "book of notes", "notes_for_designer", states=True)
QUICK_START = Volume("quickstart", "quick start", "quick_start", sheet=True)
VOLUMES = (RULEBOOK, NOTES, QUICK_START)

_TEMPLATE = re.compile(rf"/(?:{'|'.join(volume.name for volume in VOLUMES)})\.[\w-]+\.md$")


def is_volume(file: str) -> bool:
    """Return True if a template is that of a whole book, not a part that books include."""
    return _TEMPLATE.search(file) is not None


def find_volume_languages(workshop: Workshop, volume: Volume = RULEBOOK) -> tuple[str, ...]:
    """Return the languages for which a game has this book. Raise ProblemsFound if only some languages have it."""
    game = workshop.game
    names = {lang: f"{game.id}/{volume.get_template_name(lang)}" for lang in game.languages}
    found = {lang: workshop.artist.templates.find_source(name) for lang, name in names.items()}
    there = [known for known in found.values() if known is not None]
    if not there:
        return ()
    missing = [lang for lang, known in found.items() if known is None]
    if missing:
        folder, have = there[0][1].rsplit("/", 1)
        raise ProblemsFound(
            Problem(
                Place(f"{folder}/{volume.get_template_name(lang)}"),
                f"the {volume.called} is missing, but {have} exists",
                "write it",
            )
            for lang in missing
        )
    return game.languages


TYPED = re.compile(r"\{#-?\s*typed:(.*?)-?#\}")
"""A comment that marks the numbers in its line as intended, with the reason: `{# typed: a date #}`."""

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
"""Keys of fenced blocks whose values are printed as text."""

_UNSEEN = ("from", "to", "of", "only", "zones", "hidden", "highlight", "dim", "raised", "example", "height", "players")
_UNSEEN_VALUE = re.compile(rf"(?<=[{{,])(\s*(?:{'|'.join(_UNSEEN)}):\s)(?:\s*\[[^\[\]]*\]|[^,\[\]{{}}]*)")
"""Matches, inside braces, keys whose values are not printed (ids and sizes), as in `{says: loop, from: day-4}`."""

TEXT_BLOCKS = ("upright",)

_NUMERALS = "〇一二三四五六七八九十百千"
_NOT_NUMBERS = (
    *("一方", "一般", "一緒", "一致", "一覧", "一部", "一連", "一切", "一見", "一気", "一斉", "一旦", "一層", "一種"),
    *("統一", "唯一", "同一", "均一", "万一", "単一", "一様", "一概", "一律", "一応", "一瞬", "一時", "一体", "一定"),
    *("十分", "十字", "三角", "四角", "六角", "八角", "百科", "千鳥", "四季", "四隅", "二重", "三日月", "七夕"),
    *("no one", "one another", "one by one", "one after another"),
)
"""Words that contain a numeral or number word, but don't state a number."""

_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_NUMBER = re.compile(rf"[0-9０-９]+|[{_NUMERALS}]+|(?<![A-Za-z’'-])(?:{_WORDS})(?![A-Za-z])", re.IGNORECASE)
_HARMLESS = re.compile("|".join(_NOT_NUMBERS), re.IGNORECASE)
_HINT = "take it from the data, {{ ... }}, or end the line with {# typed: why #}"


def find_typed_numbers(source: str, file: str) -> Iterator[Problem]:
    """Yield a problem for each number in a template's text, outside expressions and ids, without a `typed:` reason."""
    original = source.split("\n")
    source = _ANCHOR.sub(_blank_match, source)
    fence = _FenceState()
    for line, text in enumerate(_JINJA.sub(_blank_match, source).split("\n"), 1):
        mark = TYPED.search(original[line - 1])
        shown = fence.blank_hidden_text(text)
        if mark and mark[1].strip():
            continue
        if mark:
            place = Place(file, line, mark.start() + 1)
            yield Problem(place, "the mark `typed:` gives no reason", "say why the number is typed")
            continue
        for pattern in (_ENTRY, _IDS, _HARMLESS):
            shown = pattern.sub(_blank_match, shown)
        for found in _NUMBER.finditer(shown):
            place = Place(file, line, found.start() + 1)
            yield Problem(place, f"the number '{found[0]}' is typed in", _HINT)


def _blank_match(found: re.Match[str]) -> str:
    return _NOT_NEWLINE.sub(" ", found[0])


@dataclass(slots=True)
class _FenceState:
    """State while scanning a template line by line: within a fenced block or not, and under which of its keys."""

    name: str = ""
    inside: bool = False
    key: str = ""

    def blank_hidden_text(self, text: str) -> str:
        """Return the line with spaces in place of everything that is not printed as text."""
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
            # Of a line such as `figure: {caption: ...}` only the printed text counts.
            spoken = re.search(rf"(?<=[{{,])\s*(?:{'|'.join(SPOKEN)}):(?=\s)", text)
            return " " * spoken.end() + _UNSEEN_VALUE.sub(_blank_match, text)[spoken.end() :] if spoken else ""
        return _FLOW_KEY.sub(_blank_match, _KEY.sub(_blank_match, text, count=1))
