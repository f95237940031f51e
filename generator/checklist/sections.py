"""The other parts of a check list: its head, the paper, the steps, what the box does not hold, the foot of a page."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from generator.checklist.inventory import Inventory, SheetGroup, Sides
from generator.errors import Place
from generator.model.drawing import Paint
from generator.model.game import Game
from generator.model.phrases import counted, phrase
from generator.model.text import RichText
from generator.pages.blocks import Lettering, Part, Row, RuledLine, Stack, TickBox
from generator.pages.lists import ListPages
from generator.pages.style import FACTS, SECTION, TEXT, TICK, TITLE

_SIDES: dict[Sides, str] = {
    "one": "one_side",
    "both": "both_sides",
    "folded": "folded_sides",
    "separate": "separate_sides",
}
_INDENT, _DIGIT = TICK + 2.2, 6.0
_ENTRY_GAP = 2.0
_TITLE_SHARE = 0.68


@dataclass(frozen=True, slots=True)
class CheckListSections:
    """The sections of a game's check list in one language."""

    game: Game
    lang: str
    accent: Paint

    def head(self, digest: str, pages: ListPages) -> Part:
        """The title, large; draft, date and digest at the right."""
        game, lang, at = self.game, self.lang, self.game.places.place
        wide = pages.width * _TITLE_SHARE
        title = Lettering(game.title[lang], replace(TITLE, paint=self.accent), wide, at("title"), "title")
        kind = phrase("check_list", lang).capitalize()
        facts = [phrase("draft", lang, draft=game.draft), game.date, digest]
        return pages.head(title, kind, facts, at("draft"))

    def heading(self, name: str, width: float, above: float = 6.0) -> Part:
        """A section's title, kept with what follows."""
        title = Lettering(phrase(name, self.lang), replace(SECTION, paint=self.accent), width)
        return Stack((title,), above, keep=True, below=0.6)

    def paper(self, inventory: Inventory, paper: str, width: float) -> Iterator[Part]:
        """Which sheets there are, what is on them and on which sides, and how many pieces of paper that takes."""
        yield self.heading("paper", width)
        for group in inventory.groups:
            yield self._sheets(group, width)
        words = counted("papers", self.lang, inventory.papers, paper=paper)
        total = Lettering(words, replace(TEXT, bold=True, align="end"), width, name="papers", above=1.4)
        yield Stack((RuledLine(width), total), _ENTRY_GAP)

    def _sheets(self, group: SheetGroup, width: float) -> Part:
        lang = self.lang
        span = "sheet_single" if group.first == group.last else "sheet_range"
        sheets = phrase(span, lang, first=group.first, last=group.last)
        names = phrase("and", lang).join(self.game.kinds[kind].name[lang] for kind in group.kinds)
        sizes = phrase("and", lang).join(f"{size.width:.4g} × {size.height:.4g}" for size in group.sizes)
        small = f"{sizes} mm · {phrase(_SIDES[group.sides], lang)} · {counted('some_pieces', lang, group.count)}"
        room, number = width - _INDENT, f"{group.first}-{group.last}"
        lines = (
            Lettering(sheets, replace(TEXT, bold=True), room, name=f"sheets {number}"),
            Lettering(names, TEXT, room, self.game.kinds[group.kinds[0]].place, above=1.1),
            Lettering(small, FACTS, room, name=f"held {number}", above=1.1),
        )
        return _entry(width, f"sheets {number}", (_INDENT, Stack(lines)))

    def steps(self, sentences: Iterable[str], width: float) -> Iterator[Part]:
        """The steps, numbered, each with a box to tick."""
        yield self.heading("making", width)
        for number, sentence in enumerate(sentences, start=1):
            digit = Lettering(f"{number}", replace(TEXT, bold=True, paint=self.accent), 5.0)
            text = Lettering(sentence, TEXT, width - _INDENT - _DIGIT, name=f"step {number}")
            yield _entry(width, f"step {number}", (_INDENT, digit), (_INDENT + _DIGIT, text))

    def not_included(self, wanted: Sequence[tuple[RichText, Place | None]], width: float) -> Iterator[Part]:
        """What players bring themselves; nothing where a game needs nothing."""
        if wanted:
            yield self.heading("not_included", width)
        for number, (words, place) in enumerate(wanted):
            name = f"not included {number}"
            yield _entry(width, name, (_INDENT, Lettering(words, TEXT, width - _INDENT, place, name)))

    def foot(self, width: float) -> Lettering:
        """What stands at the foot of each page."""
        game, lang = self.game, self.lang
        words = f"{game.title[lang]} · {phrase('draft', lang, draft=game.draft)} · {phrase('check_list', lang)}"
        return Lettering(words, FACTS, width, game.places.place("title"))


def _entry(width: float, name: str, *parts: tuple[float, Part]) -> Part:
    """An entry of a list under a quiet rule, with a box to tick."""
    return Stack((RuledLine(width), Row(((0.0, TickBox(name)), *parts), _ENTRY_GAP / 2 + 0.6)), _ENTRY_GAP / 2)
