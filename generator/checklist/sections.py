"""The other parts of a check list: its head, the paper, the steps, what the box does not hold, the foot of a page."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from generator.checklist.inventory import Inventory, SheetGroup, Sides
from generator.checklist.setting import GREY, ListSetter, ListStyle
from generator.checklist.things import TICK, ListBlock, rule, stacked, tick_box
from generator.errors import Place
from generator.model.drawing import Paint
from generator.model.game import Game
from generator.model.phrases import counted, phrase
from generator.model.text import RichText

_SIDES: dict[Sides, str] = {
    "one": "one_side",
    "both": "both_sides",
    "folded": "folded_sides",
    "separate": "separate_sides",
}
_TITLE = ListStyle(24, least=12.0, leading=1.15, bold=True, title=True, phrases=True)
_SECTION = ListStyle(11, least=8.0, bold=True)
_TEXT = ListStyle(8.5, least=7.0, leading=1.35)
_SMALL = ListStyle(7.0, paint=GREY)
_INDENT = TICK + 2.2
_ENTRY_GAP = 2.0
_TITLE_SHARE = 0.68


@dataclass(frozen=True, slots=True)
class SectionSetter:
    """Sets the sections of a game's check list in one language."""

    game: Game
    lang: str
    setter: ListSetter
    accent: Paint

    def head(self, digest: str, width: float) -> ListBlock:
        """The title, large; draft, date and digest at the right; a rule in the accent's colour below."""
        game, lang, text = self.game, self.lang, self.setter.text
        wide = width * _TITLE_SHARE
        place = game.places.place("title")
        title = text(game.title[lang], wide, replace(_TITLE, paint=self.accent), place, "title")
        kind = text(phrase("check_list", lang).capitalize(), wide, replace(_TEXT, bold=True))
        facts = [phrase("draft", lang, draft=game.draft), game.date, digest]
        right = replace(_SMALL, align="end")
        lines = [text(fact, width - wide - 2, right, game.places.place("draft"), f"fact {fact}") for fact in facts]
        left = stacked([ListBlock(title.box.height, (title,)), ListBlock(kind.box.height, (kind,), above=2.2)])
        aside = stacked([ListBlock(line.box.height, (line,), above=1.3) for line in lines], wide + 2)
        bottom = max(left.height, aside.height)
        lifted = [thing.moved(0, bottom - aside.height) for thing in aside.things]
        thick = 0.8
        line = rule(0, bottom + 3, width, self.accent, thick)
        return ListBlock(bottom + 3 + thick, (*left.things, *lifted, line))

    def heading(self, name: str, width: float, above: float = 6.0) -> ListBlock:
        """A section's title, kept with what follows."""
        title = self.setter.text(phrase(name, self.lang), width, replace(_SECTION, paint=self.accent))
        return ListBlock(title.box.height + 0.6, (title,), above, keep=True)

    def paper(self, inventory: Inventory, paper: str, width: float) -> Iterator[ListBlock]:
        """Which sheets there are, what is on them and on which sides, and how many pieces of paper that takes."""
        yield self.heading("paper", width)
        for group in inventory.groups:
            yield self._sheets(group, width)
        words = counted("papers", self.lang, inventory.papers, paper=paper)
        total = self.setter.text(words, width, replace(_TEXT, bold=True, align="end"), None, "papers")
        yield ListBlock(1.4 + total.box.height, (rule(0, 0, width), total.moved(0, 1.4)), above=_ENTRY_GAP)

    def _sheets(self, group: SheetGroup, width: float) -> ListBlock:
        lang, text = self.lang, self.setter.text
        span = "sheet_single" if group.first == group.last else "sheet_range"
        sheets = phrase(span, lang, first=group.first, last=group.last)
        names = phrase("and", lang).join(self.game.kinds[kind].name[lang] for kind in group.kinds)
        sizes = phrase("and", lang).join(f"{size.width:.4g} × {size.height:.4g}" for size in group.sizes)
        small = f"{sizes} mm · {phrase(_SIDES[group.sides], lang)} · {counted('some_pieces', lang, group.count)}"
        room = width - _INDENT
        lines = (
            text(sheets, room, replace(_TEXT, bold=True), None, f"sheets {group.first}-{group.last}"),
            text(names, room, _TEXT, self.game.kinds[group.kinds[0]].place),
            text(small, room, _SMALL, None, f"held {group.first}-{group.last}"),
        )
        body = stacked([ListBlock(line.box.height, (line,), above=1.1) for line in lines], _INDENT)
        tick = tick_box(0, 0, f"sheets {group.first}-{group.last}")
        return _entry(ListBlock(body.height, (tick, *body.things)), width)

    def steps(self, sentences: Iterable[str], width: float) -> Iterator[ListBlock]:
        """The steps, numbered, each with a box to tick."""
        yield self.heading("making", width)
        for number, sentence in enumerate(sentences, start=1):
            digit = self.setter.text(f"{number}", 5.0, replace(_TEXT, bold=True, paint=self.accent))
            text = self.setter.text(sentence, width - _INDENT - 6.0, _TEXT, None, f"step {number}")
            tick = tick_box(0, 0, f"step {number}")
            things = (tick, digit.moved(_INDENT, 0), text.moved(_INDENT + 6.0, 0))
            yield _entry(ListBlock(max(text.box.height, TICK), things), width)

    def not_included(self, wanted: Sequence[tuple[RichText, Place | None]], width: float) -> Iterator[ListBlock]:
        """What players bring themselves; nothing where a game needs nothing."""
        if not wanted:
            return
        yield self.heading("not_included", width)
        for number, (words, place) in enumerate(wanted):
            text = self.setter.text(words, width - _INDENT, _TEXT, place, f"not included {number}")
            things = (tick_box(0, 0, f"not included {number}"), text.moved(_INDENT, 0))
            yield _entry(ListBlock(max(text.box.height, TICK), things), width)

    def foot(self, page: int, of: int, width: float) -> ListBlock:
        """A page's running foot: game and draft at the left, the page's number at the right."""
        game, lang = self.game, self.lang
        words = f"{game.title[lang]} · {phrase('draft', lang, draft=game.draft)} · {phrase('check_list', lang)}"
        left = self.setter.text(words, width * 0.78, _SMALL, game.places.place("title"))
        number = phrase("page", lang, page=page, of=of)
        right = self.setter.text(number, width * 0.2, replace(_SMALL, align="end"), None, "page")
        things = (rule(0, 0, width), left.moved(0, 1.6), right.moved(width * 0.8, 1.6))
        return ListBlock(1.6 + max(left.box.height, right.box.height), things)


def _entry(block: ListBlock, width: float) -> ListBlock:
    """A block of a list under a quiet rule."""
    things = (rule(0, 0, width), *(thing.moved(0, _ENTRY_GAP / 2 + 0.6) for thing in block.things))
    return ListBlock(block.height + _ENTRY_GAP / 2 + 0.6, things, above=_ENTRY_GAP / 2)
