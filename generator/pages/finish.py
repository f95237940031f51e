"""What a book's pages get when all of them are known: numbers, running heads, links and the outline."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from generator.errors import Place, Problem
from generator.model.phrases import phrase
from generator.model.sheet import Bookmark, Leap, Page
from generator.model.structure import FOOTER, HEADER, Tags
from generator.pages.blocks import INDEX, PAGE, TERM, Book
from generator.pages.leaves import LEAD_IN, Leaf, Said, chapters, goals
from generator.pages.lines import baseline, heading_words, line_thing
from generator.pages.references.defined import margin_words
from generator.pages.setter import Setter
from generator.pages.strips import Thing, rule
from generator.pages.style import HAIR, TypeStyle
from generator.units import Rect

_HEAD, _FOOT = 4.4, 8.0
"""mm: how far the running head's baseline lies above the text, a page's number's above the paper's edge."""


class Finisher:
    """Gives pages what depends on all of them: numbers, running heads, links. `problems`: links that lead nowhere."""

    def __init__(self, book: Book, setter: Setter, leaves: Sequence[Leaf]):
        self._book, self._setter, self._look = book, setter, setter.look
        self._leaves = leaves
        self._goals = goals(leaves)
        self._chapters = chapters(leaves)
        self.problems: list[Problem] = []

    def page(self, leaf: Leaf) -> Page:
        """The page with all that it shows and its links."""
        things = [self._page_number(thing) if thing.number else thing for thing in leaf.things]
        if not leaf.plain:
            things += [*self._running(leaf), *margin_words(self._setter, leaf)]
        links = tuple(leap for thing in things for leap in self._leaps(thing))
        items = tuple(thing.drawn() for thing in things)
        covered = leaf.number == 1 and self._look.format.opening == "cover"
        label = phrase("cover", self._look.lang) if covered else str(leaf.number)
        return Page(self._look.format.size, "front", leaf.number, (), items, links, label)

    def outline(self) -> Iterable[Bookmark]:
        """All headings with their pages."""
        for leaf in self._leaves:
            for strip, y in leaf.strips:
                if strip.heading is not None:
                    words = heading_words(strip.heading)
                    yield Bookmark(words, strip.heading.level, leaf.number - 1, max(0.0, y - LEAD_IN))

    def _goal(self, target: str, place: Place | None) -> tuple[int, float] | None:
        """The page (from 0) and the height on it to which a text leads that is written at a place."""
        if target.startswith(PAGE):
            return int(target.removeprefix(PAGE)) - 1, 0.0
        found = self._goals.get(target)
        if found is None and target.startswith(TERM):
            return self._goals.get(INDEX + target.removeprefix(TERM))
        if found is None:
            what = f"{self._book.name} ({self._look.lang}): a link leads to '{target}', which is no heading of the book"
            self.problems.append(Problem(place, what, "name the anchor of a heading"))
        return found

    def _leaps(self, thing: Thing) -> Iterable[Leap]:
        for area in thing.areas:
            goal = self._goal(area.target, area.place)
            if goal is not None:
                box, tags = area.box.moved(thing.box.x, thing.box.y), (*thing.tags, *area.tags)
                yield Leap(box, *goal, tags, area.words)

    def _page_number(self, thing: Thing) -> Thing:
        """The number of the page that has the thing's anchor, at the right of its box."""
        place = self._book.origin.place
        goal = self._goal(thing.number, place)
        style = replace(self._look.body, align="start")
        line = self._setter.lines(str(goal[0] + 1) if goal else "", style, thing.box.width, place)
        if not line:
            return thing
        drop = baseline(self._look, style, thing.box.height)
        right = thing.box.width - line[0].width
        return line_thing(line[0], thing.role, right, drop, thing.box, thing.part, thing.tags)

    def _running(self, leaf: Leaf) -> list[Thing]:
        """The page's number at the outer foot; above, the game on left pages and the chapter on right ones."""
        look, right = self._look, leaf.number % 2 == 1
        room, page = look.room(leaf.number), look.format
        number = replace(look.note, bold=True, paint=look.accent)
        things = [
            self._aside(
                (str(leaf.number), self._book.origin.place), number, page.size.height - _FOOT, room, right, FOOTER
            )
        ]
        starts = bool(leaf.strips) and leaf.strips[0][0].opens
        cover, chapter = self._book.cover, self._chapters[leaf.number]
        said = chapter if right else (cover.title, cover.origin.part(0))
        if said[0] and not starts:
            things.append(self._aside(said, look.small, room.y - _HEAD, room, right, HEADER))
            things.append(rule(room.x, room.y - _HEAD + 1.6, room.width, width=HAIR))
        return things

    def _aside(self, said: Said, style: TypeStyle, y: float, room: Rect, right: bool, tags: Tags) -> Thing:
        """A line with its baseline at y, at the outer edge of the room."""
        words, place = said
        line = self._setter.only_line(words, style, room.width, place)
        box = Rect(room.x, y - style.pitch, room.width, style.pitch)
        return line_thing(line, "artifact", room.width - line.width if right else 0.0, style.pitch, box, 0, tags)
