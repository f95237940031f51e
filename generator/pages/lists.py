"""Documents of lists: their head, their running foot, and from their parts to pages."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from generator.dataclass import dataclass
from generator.errors import Place, Problem, ProblemsFound
from generator.faces.workshop import Workshop
from generator.model.drawing import Paint
from generator.model.phrases import phrase
from generator.model.sheet import Document, Page
from generator.pages.blocks import Lettering, ListPart, Row, RuledLine, Stack
from generator.pages.makeup.ways import NoRoom
from generator.pages.parts import PartSetter
from generator.pages.setter import Setter
from generator.pages.style import FACTS, LIST_FOOT, TEXT, Look, list_format
from generator.sheets.settings import SheetSettings

_HEAD_LINE = 0.8


@dataclass(frozen=True, slots=True)
class ListPages:
    """The pages of a list called `name` in a language, on the paper that its sheets are printed on."""

    workshop: Workshop
    settings: SheetSettings
    lang: str
    accent: Paint
    name: str

    @property
    def look(self) -> Look:
        """Its margins and language."""
        settings = self.settings
        return Look(list_format(settings.paper_name, settings.paper, settings.margin), self.lang, self.accent)

    @property
    def width(self) -> float:
        """How wide its parts may be, mm."""
        return self.look.column

    @property
    def foot_width(self) -> float:
        """How wide the words at the foot of a page may be, mm."""
        return self.width * 0.78

    def head(self, title: Lettering, kind: str, facts: Sequence[str], place: Place | None = None) -> Stack:
        """The title above what kind of list it is; facts at the right; a rule in the accent's colour below."""
        left = Stack((title, Lettering(kind, replace(TEXT, bold=True), title.width, above=2.2)))
        style, x = replace(FACTS, align="end"), title.width + 2
        right = [Lettering(fact, style, self.width - x, place, f"fact {fact}", 1.3) for fact in facts]
        both = Row(((0.0, left), (x, Stack(right))), lie="low")
        return Stack((both, RuledLine(self.width, self.accent, _HEAD_LINE, above=3.0)), below=_HEAD_LINE)

    def document(
        self,
        title: str,
        parts: Iterable[ListPart],
        foot: Lettering,
        subject: str,
        problems: Sequence[Problem] = (),
    ) -> Document:
        """The pages that the parts fill, each with words and its number at its foot.

        ProblemsFound with those of the parts' words and with every text that can't be set, or where the paper has no
        room.
        """
        setter, room = Setter(self.workshop, self.look, "{} (check list)"), self.look.room(1)
        setting = PartSetter(setter, room.height)
        try:
            leaves = setting.pages(parts, room)
        except NoRoom:
            margins = f"with margins of {self.settings.margin:g} mm"
            what = f"{self.name} finds no room on {self.settings.paper_name} {margins}"
            raise ProblemsFound([Problem(None, what, "choose a larger --paper or a smaller --margin")]) from None
        pages = []
        for number, things in enumerate(leaves, start=1):
            below = setting.strip(self._foot(foot, number, len(leaves)))
            things += [thing.moved(room.x, room.bottom + LIST_FOOT - below.height) for thing in below.things]
            pages.append(Page(self.settings.paper, "front", number, (), tuple(thing.drawn() for thing in things)))
        found = [*setter.problems, *problems, *self.workshop.problems]
        if found:
            raise ProblemsFound(found)
        return Document(title, self.lang, tuple(pages), subject=subject, date=self.workshop.game.date)

    def _foot(self, words: Lettering, page: int, of: int) -> Stack:
        """A page's running foot: words at the left, the page's number at the right."""
        number = phrase("page", self.lang, page=page, of=of)
        right = Lettering(number, replace(FACTS, align="end"), self.width * 0.2, name="page")
        return Stack((RuledLine(self.width), Row(((0.0, words), (self.width * 0.8, right)), above=1.6)))
