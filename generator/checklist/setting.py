"""Sets the texts of a check list in the game's fonts, broken by the program's own setter; what can't be set is told."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from generator.checklist.things import ListThing
from generator.errors import Place, Problem
from generator.model.drawing import Paint
from generator.model.scripts import lacking
from generator.model.text import Plain, RichText
from generator.text.fonts import FontBook
from generator.text.kinsoku import is_latin
from generator.text.textset import IconFinder, SetText, TextBox, set_box
from generator.text.typecase import is_cjk
from generator.units import Rect

GREY = "#595959"
"""Of what is read second; 7 to 1 on white."""

TALLEST = 48.0
"""mm: no text of a check list is longer than a passage that is taken in at a glance."""


@dataclass(frozen=True, slots=True)
class ListStyle:
    """How a text looks: points, leading by the size, `title` in the game's titling face, else in the reading one.

    A text that is wider than its place wraps; only a word that is wider shrinks, to `least` points, and is then parted.
    `phrases`: Japanese wraps between phrases.
    """

    size: float
    least: float = 5.0
    leading: float = 1.3
    bold: bool = False
    title: bool = False
    phrases: bool = False
    paint: Paint = "ink"
    align: Literal["start", "end"] = "start"


class ListSetter:
    """Sets texts in one language; `problems` is what the user must mend.

    Titles are in the game's second font family where it has one (the first is for running text), other texts in the
    first; a text with a character that the family lacks goes to the next family, at last to the program's own.
    A Japanese or Chinese list sets Latin titles as the game's language `western` does: a word space of an ideographic
    font is far too wide between Latin words.
    """

    def __init__(
        self, lang: str, families: Iterable[str], own: str, fonts: FontBook, icon: IconFinder, western: str = ""
    ):
        """`families` are the game's in the order of its data, `own` the program's; no `western` where it has none."""
        first, *more = families
        self._reading = tuple(dict.fromkeys((first, own, *more)))
        self._titling = tuple(dict.fromkeys((*more[:1], first, own, *more[1:])))
        self._lang, self._fonts, self._icon = lang, fonts, icon
        self._western = western if is_cjk(lang) and western else lang
        self.problems: list[Problem] = []
        self._known: dict[tuple[RichText, float, ListStyle, str], SetText] = {}

    def text(
        self,
        text: str | RichText,
        width: float,
        style: ListStyle,
        place: Place | None = None,
        name: str = "",
    ) -> ListThing:
        """The text in a box `width` mm wide and as high as it needs, at (0, 0). `place` is where the data say it."""
        rich = (Plain(text),) if isinstance(text, str) else text
        families = self._titling if style.title else self._reading
        settings = (self._set(rich, width, style, family) for family in families)
        done = first = next(settings)
        while done.missing:
            following = next(settings, None)
            if following is None:
                done = first
                self._lacking(done, place)
                break
            done = following
        self._check(done, place)
        return ListThing("text", Rect(0, 0, width, done.taken), done.items, name)

    def _set(self, rich: RichText, width: float, style: ListStyle, family: str) -> SetText:
        key = (rich, width, style, family)
        if key not in self._known:
            self._known[key] = self._set_anew(*key)
        return self._known[key]

    def _set_anew(self, rich: RichText, width: float, style: ListStyle, family: str) -> SetText:
        lang = self._western if _is_latin(rich) else self._lang
        box = TextBox(
            x=0.0,
            y=0.0,
            width=width,
            height=TALLEST,
            family=family,
            size=style.size,
            min_size=style.least,
            lang=lang,
            leading=style.leading,
            align=style.align,
            paint=style.paint,
            bold=style.bold,
            hyphenate=False,
            phrases=style.phrases and is_cjk(lang),
        )
        return set_box(rich, box, self._fonts, self._icon)

    def _lacking(self, done: SetText, place: Place | None) -> None:
        for what, hint in lacking(done.missing, "any font of the game"):
            self.problems.append(Problem(place, f"{what} (check list)", hint))

    def _check(self, done: SetText, place: Place | None) -> None:
        if done.taken > TALLEST:
            what = f"the text '{done.frame.text[:24]}...' is too long for the check list"
            self.problems.append(Problem(place, what, "shorten it"))
        for icon in dict.fromkeys(done.unknown_icons):
            self.problems.append(Problem(place, f"there is no icon '{icon}' (check list)", "name one of the icons"))


def _is_latin(rich: RichText) -> bool:
    """Whether a text is Latin words with spaces between them."""
    if not all(isinstance(part, Plain) for part in rich):
        return False
    words = "".join(part.text for part in rich if isinstance(part, Plain))
    return " " in words and all(is_latin(char) or char == " " for char in words)
