"""Sets a book's texts line by line in the game's fonts; terms and links become areas, what can't be set is told."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from generator.errors import Place, Problem
from generator.model.drawing import Group, Item, Paint, Placed, Shape, TextRun
from generator.model.markup import plain_text
from generator.model.scripts import lacking
from generator.model.structure import LAYOUT, Tag, Tags
from generator.model.text import Inline as TextInline
from generator.model.text import Plain, RichText, Ruby
from generator.pages.blocks import Inline, Link, Term, Text
from generator.pages.strips import LinkArea
from generator.pages.style import BookLook, TypeStyle
from generator.text.fonts import FontBook
from generator.text.passage import Passage, SetLine
from generator.text.textbox import IconFinder, TextBox
from generator.units import MM_PER_PT, Rect


def bases(text: Iterable[Inline]) -> list[str]:
    """The characters below each reading of a text, in its order."""
    rubies = (inline for inline in text if isinstance(inline, Ruby))
    groups = (pair for ruby in rubies for pair in zip(ruby.base, ruby.reading, strict=True))
    return [base for base, reading in groups if base and reading]


def with_ruby(
    items: Iterable[Item], size: float, below: Iterator[str], width: Callable[[TextRun], float]
) -> Iterator[Item]:
    """The items of a line whose type is `size` pt, its readings in groups with the characters `below` them.

    A reading comes right behind the run that ends with its base. `width` says how far the pen moves along a run, mm.
    """
    waiting: TextRun | None = None
    readings: list[TextRun] = []
    for item in (*items, None):
        if isinstance(item, TextRun) and item.size < size:
            readings.append(item)
            continue
        if readings:
            yield from _joined(waiting, tuple(readings), next(below, ""), width)
        elif waiting is not None:
            yield waiting
        waiting, readings = None, []
        if isinstance(item, TextRun):
            waiting = item
        elif item is not None:
            yield item


def _joined(
    run: TextRun | None, readings: tuple[TextRun, ...], base: str, width: Callable[[TextRun], float]
) -> Iterator[Item]:
    """A run and its readings; where the run ends with the base, that and the readings as one ruby."""
    start = _start(run, base) if run is not None else -1
    if run is None or start < 0:
        yield from (run, *readings) if run is not None else readings
        return
    before = replace(run, glyphs=run.glyphs[:start], clusters=run.clusters[:start], advances=run.advances[:start])
    if start:
        yield before
    base_run = replace(
        run,
        x=run.x + (width(before) if start else 0.0),
        glyphs=run.glyphs[start:],
        clusters=run.clusters[start:],
        advances=run.advances[start:],
    )
    yield Group((Group((base_run,), tags=(Tag("RB"),)), Group(readings, tags=(Tag("RT"),))), tags=(Tag("Ruby"),))


def _start(run: TextRun, base: str) -> int:
    """The glyph of a run at which its last characters, the base, begin; -1 where it does not end so."""
    for at in range(len(run.clusters) - 1, -1, -1):
        tail = "".join(run.clusters[at:])
        if run.clusters[at] and tail == base:
            return at
        if len(tail) >= len(base):
            break
    return -1


_TICKET = "@"
_MOST_SHOWN = 32  # characters of a text that a problem quotes
_DOTS = (0.0, 0.72)
_DOT = 0.24
_UNDER = 0.2
"""em below the baseline: where a term's dots are."""


class TypeLine(NamedTuple):
    """A line from x = 0 on the baseline y = 0: what it draws, where it leads, which terms it uses, its words.

    `tall` is the height of its tallest icon, mm.
    """

    items: tuple[Item, ...]
    areas: tuple[LinkArea, ...]
    terms: tuple[str, ...]
    text: str
    width: float
    tall: float = 0.0


@dataclass(frozen=True)
class MadeUpText:
    """A text made up in a style: `passage`, and the terms and links of it, by the tickets that stand for colours.

    `bases` are the characters below each of its readings. `place` is where it is written.
    """

    passage: Passage
    style: TypeStyle
    tickets: Sequence[Term | Link]
    setter: "BookSetter"
    bases: Sequence[str] = ()
    place: Place | None = None

    @cached_property
    def natural(self) -> float:
        """Its width on one line, mm."""
        return self.passage.natural

    @cached_property
    def narrowest(self) -> float:
        """The width of its widest word, mm."""
        return self.passage.narrowest

    def lines(self, width: float, beside: int = 0, narrow: float = 0.0) -> list[TypeLine]:
        """Its lines in a width (mm), the first `beside` of them in a `narrow` one."""
        lines, excess = self.passage.lines(width, beside, narrow)
        if excess > 0:
            self.setter.too_wide("".join(line.text for line in lines), excess, self.place)
        below = iter(self.bases)
        return [self._line(line, below) for line in lines]

    def _line(self, line: SetLine, below: Iterator[str]) -> TypeLine:
        items: list[Item] = []
        spans: list[tuple[int, float, float]] = []
        shown_items: Iterable[Item] = line.items
        if self.bases and not self.style.vertical:
            shown_items = with_ruby(line.items, self.style.size, below, self.setter.run_width)
        for item in shown_items:
            if isinstance(item, Placed):
                items.append(self.setter.spoken(item))
                continue
            if not isinstance(item, TextRun) or not item.paint.startswith(_TICKET):
                items.append(item)
                continue
            number = int(item.paint[1:])
            paint = self.setter.look.accent if isinstance(self.tickets[number], Link) else self.style.paint
            shown = replace(item, paint=paint)
            items.append(shown if self.style.vertical else Group((shown,), tags=_way(number)))
            end = item.x + self.setter.run_width(item)
            if spans and spans[-1][0] == number:
                spans[-1] = (number, spans[-1][1], end)
            else:
                spans.append((number, item.x, end))
        if self.style.vertical:
            return TypeLine(tuple(items), (), _terms(self.tickets, spans), line.text, line.width)
        # Terms lead to the glossary too, but on paper a line below each of them would be in the reader's way.
        links = [span for span in spans if isinstance(self.tickets[span[0]], Link)]
        marks = tuple(_underline(*span[1:], self.style, self.setter.look.accent) for span in links)
        dots = (Group(marks, tags=LAYOUT),) if marks else ()
        areas = [self._area(*span) for span in spans]
        tall = max((_height(item) for item in line.items if isinstance(item, Placed)), default=0.0)
        return TypeLine((*dots, *items), tuple(areas), _terms(self.tickets, spans), line.text, line.width, tall)

    def _area(self, number: int, start: float, end: float) -> LinkArea:
        ticket, em = self.tickets[number], self.style.em
        target = term_anchor(ticket.id) if isinstance(ticket, Term) else ticket.anchor
        return LinkArea(Rect(start, -em, end - start, 1.3 * em), target, ticket.text, _way(number), self.place)


def _height(icon: Placed) -> float:
    return icon.matrix[3] * icon.symbol.box[3]


def _way(number: int) -> Tags:
    """Where the words of a ticket are in the structure of their text: a link that may go on in the next line."""
    return (Tag("Link", number + 1),)


def _terms(tickets: Sequence[Term | Link], spans: Iterable[tuple[int, float, float]]) -> tuple[str, ...]:
    found = (tickets[number] for number, _, _ in spans)
    return tuple(dict.fromkeys(ticket.id for ticket in found if isinstance(ticket, Term)))


def _underline(start: float, end: float, style: TypeStyle, paint: Paint) -> Item:
    y = _UNDER * style.em
    path = f"M {start:.3f} {y:.3f} L {end:.3f} {y:.3f}"
    return Shape(path, stroke=paint, width=_DOT, cap="round", dash=_DOTS, role="frame")


def term_anchor(entry: str) -> str:
    """The anchor that a glossary entry's term leads to."""
    return f"term:{entry}"


class BookSetter:
    """Sets texts of one book; `problems` is what its writers must mend, each at the place where its text is written.

    Titles are in the game's second font family where it has one (the first is for running text), other texts in the
    first; a text with a character that the family lacks goes to the next family, at last to the program's own.
    """

    def __init__(
        self,
        look: BookLook,
        families: Iterable[str],
        own: str,
        fonts: FontBook,
        icon: IconFinder,
        called: Mapping[str, str],
    ):
        """`families` are the game's in the order of its data, `own` the program's; icons are `called` so."""
        first, *more = families
        self._reading = tuple(dict.fromkeys((first, own, *more)))
        self._titling = tuple(dict.fromkeys((*more[:1], first, own, *more[1:])))
        self.look = look
        self._fonts, self._icon, self._called = fonts, icon, called
        self.problems: list[Problem] = []

    def make(self, text: Text | str, style: TypeStyle, place: Place | None) -> MadeUpText:
        """A text that is written at a place, made up in a style, ready to give its lines."""
        tickets: list[Term | Link] = []
        rich = (Plain(text),) if isinstance(text, str) else tuple(_ticketed(text, tickets))
        tried: list[Passage] = []
        for family in self._titling if style.title else self._reading:
            tried.append(self._passage(rich, style, family))
            if not tried[-1].missing:
                break
        done = min(tried, key=lambda passage: len(passage.missing))
        self.problems += no_glyphs(self._book, done.missing, place)
        for icon in done.unknown_icons:
            self.problems.append(Problem(place, f"{self._book}: there is no icon '{icon}'", "name one of the icons"))
        return MadeUpText(done, style, tickets, self, () if isinstance(text, str) else bases(text), place)

    def lines(self, text: Text | str, style: TypeStyle, width: float, place: Place | None) -> list[TypeLine]:
        """The lines in a width (mm) of a text that is written at a place."""
        return self.make(text, style, place).lines(width)

    def run_width(self, run: TextRun) -> float:
        """How far the pen moves along a run, mm."""
        if run.advances:
            total = sum(run.advances)
        else:
            font = self._fonts.font(run.font)
            total = sum(font.advance(glyph) for glyph in run.glyphs)
        return total * run.size * MM_PER_PT / 1000

    def spoken(self, icon: Placed) -> Group:
        """An icon of a text with the word that it stands for."""
        name = icon.symbol.name.removeprefix("icon:")
        return Group((icon,), tags=(Tag("Span", actual=self._called.get(name, name)),))

    def too_wide(self, text: str, excess: float, place: Place | None) -> None:
        """Notes that a text has a part that is wider than its column by so many mm."""
        what = f"{self._book}: a word of '{_quoted(text)}' is {excess:.1f} mm wider than its place"
        self.problems.append(Problem(place, what, "use a shorter word, or allow a break in it"))

    def too_tall(self, thing: str, height: float, place: Place | None) -> None:
        """Notes that a thing that can't be parted is as tall as so many mm, and no column holds it."""
        what = f"{self._book}: {thing} is {height:.0f} mm tall and fits no column"
        self.problems.append(Problem(place, what, "shorten it, or make two of it"))

    def only_line(self, text: str, style: TypeStyle, width: float, place: Place | None) -> TypeLine:
        """The one line of a text that is written at a place; blank if nothing can be shown, told if it is too long."""
        lines = self.lines(text, style, width, place)
        if len(lines) > 1:
            what = f"{self._book}: '{_quoted(text)}' is too long for the line at the head of a page"
            self.problems.append(Problem(place, what, "shorten it"))
        return lines[0] if lines else TypeLine((), (), (), "", 0.0)

    @property
    def _book(self) -> str:
        return f"rulebook ({self.look.lang}, {self.look.format.name})"

    def _passage(self, rich: RichText, style: TypeStyle, family: str) -> Passage:
        box = TextBox(
            x=0.0,
            y=0.0,
            width=0.0,
            height=0.0,
            family=family,
            size=style.size,
            min_size=style.size,
            lang=self.look.lang,
            leading=style.leading,
            align=style.align,
            paint=style.paint,
            bold=style.bold,
            phrases=style.phrases and self.look.cjk,
            vertical=style.vertical,
        )
        return Passage(rich, box, self._fonts, self._icon)


def no_glyphs(book: str, characters: Iterable[str], place: Place | None) -> list[Problem]:
    """What to say of characters that are written at a place, and that can't be set."""
    return [Problem(place, f"{book}: {what}", hint) for what, hint in lacking(characters, "any font of the game")]


def plain(text: Text) -> str:
    """A text's characters alone, for outlines and running heads."""
    return plain_text(tuple(_ticketed(text, [])))


def _ticketed(text: Text, tickets: list[Term | Link]) -> Iterable[TextInline]:
    """The text with terms and links as plain runs, each in a 'colour' that is its ticket's number.

    The setter begins a new run at another colour, so that a ticket's runs say where its words came to stand.
    """
    for inline in text:
        if isinstance(inline, (Term, Link)):
            bold = inline.bold if isinstance(inline, Term) else False
            yield Plain(inline.text, bold=bold, colour=f"{_TICKET}{len(tickets)}")
            tickets.append(inline)
        else:
            yield inline


def _quoted(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."
