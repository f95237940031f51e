"""Text setter: sets texts in the game's fonts, as lines or in boxes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

from generator.base.display_list import LAYOUT, Group, Item, PlacedSymbol, Shape, Tag, Tags, TextRun
from generator.base.errors import Place, Problem
from generator.base.geometry import MM_PER_PT, Rect
from generator.base.languages import iter_missing_glyph_faults
from generator.books.page.blocks import PAGE, TERM, Inline, Link, Mention, Term, Text
from generator.books.page.page_style import Look, TypeStyle
from generator.books.page.references import TICKET, KnownPages, Ticket, find_index_ids, put_tickets
from generator.books.page.strips import LinkArea
from generator.drawing.faces.game_drawing import BOOK_FAMILY, LABEL_FAMILY, Workshop
from generator.game.rich_text import RING, Plain, RichText, Ruby, to_plain_text
from generator.text.glyph_cache import is_cjk
from generator.text.glyph_rows import SetText, TextBox
from generator.text.kinsoku import is_latin
from generator.text.passage import Passage, SetLine
from generator.text.set_text import has_uneven_lines, set_box


def find_ruby_bases(text: Iterable[Inline]) -> list[str]:
    """Return the characters below each ruby (small reading) in a text, in order."""
    rubies = (inline for inline in text if isinstance(inline, Ruby))
    groups = (pair for ruby in rubies for pair in zip(ruby.base, ruby.reading, strict=True))
    return [base for base, reading in groups if base and reading]


def add_ruby(
    items: Iterable[Item], size: float, below: Iterator[str], width: Callable[[TextRun], float]
) -> Iterator[Item]:
    """Yield a line's items with each ruby (small reading) grouped with the characters `below` it.

    Runs below `size` pt are readings, right behind the run of their base. `width` returns the advance of a run (mm).
    """
    waiting: TextRun | None = None
    readings: list[TextRun] = []
    for item in (*items, None):
        if isinstance(item, TextRun) and item.size < size:
            readings.append(item)
            continue
        if readings:
            yield from _join_ruby(waiting, tuple(readings), next(below, ""), width)
        elif waiting is not None:
            yield waiting
        waiting, readings = None, []
        if isinstance(item, TextRun):
            waiting = item
        elif item is not None:
            yield item


def _join_ruby(
    run: TextRun | None, readings: tuple[TextRun, ...], base: str, width: Callable[[TextRun], float]
) -> Iterator[Item]:
    """Yield a run and its readings; if the run ends with `base`, group that part with the readings as a ruby."""
    start = _find_base_start(run, base) if run is not None else -1
    if run is None or start < 0:
        yield from (run, *readings) if run is not None else readings
        return
    before = run._replace(glyphs=run.glyphs[:start], clusters=run.clusters[:start], advances=run.advances[:start])
    if start:
        yield before
    base_run = run._replace(
        x=run.x + (width(before) if start else 0.0),
        glyphs=run.glyphs[start:],
        clusters=run.clusters[start:],
        advances=run.advances[start:],
    )
    yield Group((Group((base_run,), tags=(Tag("RB"),)), Group(readings, tags=(Tag("RT"),))), tags=(Tag("Ruby"),))


def _find_base_start(run: TextRun, base: str) -> int:
    """Return the index of the glyph at which `base` begins at the end of a run, or -1 if the run ends differently."""
    for at in range(len(run.clusters) - 1, -1, -1):
        tail = "".join(run.clusters[at:])
        if run.clusters[at] and tail == base:
            return at
        if len(tail) >= len(base):
            break
    return -1


OF_TEXT, OF_TITLES = "book", "book-titles"
"""Font families of a game for the running text and the titles of its books."""

TALLEST = 48.0
"""Maximum height of a text box in a list (mm)."""

_Set = TypeVar("_Set", Passage, SetText)
_MOST_SHOWN = 32  # characters of a text that a problem quotes
_DOTS = (0.0, 0.72)
_DOT = 0.24
_UNDER = 0.2
"""Distance from the baseline down to the dots below a link (em)."""


class TypeLine(NamedTuple):
    """One line from x = 0 at the baseline y = 0, with its width and the height of its `tall` icons (mm)."""

    items: tuple[Item, ...]
    areas: tuple[LinkArea, ...]
    terms: tuple[str, ...]
    text: str
    width: float
    tall: float = 0.0


@dataclass(frozen=True)
class ComposedText:
    """A text, not yet broken into lines; `tickets` are its terms and links, `bases` the characters below its ruby."""

    passage: Passage
    style: TypeStyle
    tickets: Sequence[Ticket]
    setter: "TextSetter"
    bases: Sequence[str] = ()
    place: Place | None = None

    @cached_property
    def natural(self) -> float:
        """Return its width if set on a single line (mm)."""
        return self.passage.natural

    @cached_property
    def narrowest(self) -> float:
        """Return the width of its widest word (mm)."""
        return self.passage.narrowest

    @cached_property
    def easiest(self) -> float:
        """Return the width of its widest phrase (mm), so that lines break only between phrases."""
        return self.passage.easiest

    def break_lines(self, width: float, beside: int = 0, narrow: float = 0.0) -> list[TypeLine]:
        """Return its lines, each up to `width` mm, the first `beside` up to `narrow` mm. Report a wider word."""
        lines, excess = self.passage.set_lines(width, beside, narrow)
        if excess > 0:
            words = _quote_start("".join(line.text for line in lines))
            what = f"a word of '{words}' is {excess:.1f} mm wider than its place"
            self.setter.report(what, "use a shorter word, or allow a break in it", self.place)
        below = iter(self.bases)
        return [self._make_line(line, below) for line in lines]

    def _make_line(self, line: SetLine, below: Iterator[str]) -> TypeLine:
        items: list[Item] = []
        spans: list[tuple[int, float, float]] = []
        shown_items: Iterable[Item] = line.items
        if self.bases and not self.style.vertical:
            shown_items = add_ruby(line.items, self.style.size, below, self.setter.measure_run)
        for item in shown_items:
            if isinstance(item, PlacedSymbol):
                items.append(self.setter.draw_icon_with_word(item))
                continue
            if not isinstance(item, TextRun) or not item.paint.startswith(TICKET):
                items.append(item)
                continue
            number = int(item.paint[1:])
            ticket = self.tickets[number]
            paint = "" if isinstance(ticket, Term) else self.setter.look.accent
            if isinstance(ticket, Mention):
                paint = ticket.shown.colour
            shown = item._replace(paint=paint or self.style.paint)
            leads = not self.style.vertical and not isinstance(ticket, Mention)
            items.append(Group((shown,), tags=_make_tags(number)) if leads else shown)
            end = item.x + self.setter.measure_run(item)
            if spans and spans[-1][0] == number:
                spans[-1] = (number, spans[-1][1], end)
            else:
                spans.append((number, item.x, end))
        ids = find_index_ids(self.tickets[number] for number, _, _ in spans)
        if self.style.vertical:
            return TypeLine(tuple(items), (), ids, line.text, line.width)
        marks, areas = self._draw_links(spans)
        dots = (Group(tuple(marks), tags=LAYOUT),) if marks else ()
        icons = [item for item in line.items if isinstance(item, PlacedSymbol)]
        tall = max((icon.matrix[3] * icon.symbol.box[3] for icon in icons), default=0.0)
        return TypeLine((*dots, *items), tuple(areas), ids, line.text, line.width, tall)

    def _draw_links(self, spans: Iterable[tuple[int, float, float]]) -> tuple[list[Item], list[LinkArea]]:
        """Return dotted lines below links, and areas of links and terms; `spans`: (ticket, left, right in mm)."""
        em, known = self.style.em, self.setter.told
        marks, areas = list[Item](), list[LinkArea]()
        for number, start, end in spans:
            ticket = self.tickets[number]
            if isinstance(ticket, Mention):
                continue
            # In print, no lines below terms and below links with a page number: they would distract the reader.
            if isinstance(ticket, Link) and not ticket.anchor.startswith(PAGE) and known.find_page(ticket) is None:
                path, paint = f"M {start:.3f} {_UNDER * em:.3f} L {end:.3f} {_UNDER * em:.3f}", self.setter.look.accent
                marks.append(Shape(path, stroke=paint, width=_DOT, cap="round", dash=_DOTS, role="frame"))
            target = TERM + ticket.id if isinstance(ticket, Term) else ticket.anchor
            box, words = Rect(start, -em, end - start, 1.3 * em), ticket.text or known.names.get(target, target)
            areas.append(LinkArea(box, target, words, _make_tags(number), self.place, ticket))
        return marks, areas


def _make_tags(number: int) -> Tags:
    """Return the structure tag of a link's words; equal numbers join a link that continues on the next line."""
    return (Tag("Link", number + 1),)


class TextSetter:
    """Sets texts of one document; `problems` are the faults of its texts, each with its place.

    Titles use the game's second font family if it has one (the first is for running text), other texts the first; a
    text with a missing character uses the next family, finally the program's own. A book's running text uses a book
    face: the family `book` of the game, in Japanese else the program's; so do its titles if the game has `book-titles`.
    A Japanese or Chinese list sets Latin titles in the game's own Western language: the word space of an ideographic
    font is far too wide between Latin words.
    """

    def __init__(self, workshop: Workshop, look: Look, about: str):
        """Store `about`, the message for problems, in which `{}` is replaced by the fault."""
        families = workshop.game.fonts
        first, *more = tuple(name for name in families if name not in (OF_TEXT, OF_TITLES)) or (LABEL_FAMILY,)
        is_book = look.format.on_grid
        text = (OF_TEXT,) if is_book and OF_TEXT in families else (BOOK_FAMILY,) if is_book else ()
        titles = (OF_TITLES,) if is_book and OF_TITLES in families else ()
        self._reading = tuple(dict.fromkeys((*text, first, LABEL_FAMILY, *more)))
        self._titling = tuple(dict.fromkeys((*titles, *more[:1], *text, first, LABEL_FAMILY, *more[1:])))
        self.look = look
        self.workshop, self._about = workshop, about
        self._western = next((lang for lang in workshop.game.languages if not is_cjk(lang)), look.lang)
        self._boxed: dict[tuple[RichText, float, TypeStyle, str], SetText] = {}
        self.problems: list[Problem] = []
        self.told = KnownPages()
        """Page numbers that links print, as known from the previous pass."""

    def compose_text(self, text: Text | str, style: TypeStyle, place: Place | None, lang: str = "") -> ComposedText:
        """Prepare a text for breaking into lines. `lang` is its language, if not that of the book."""
        tickets: list[Ticket] = []
        rich = (Plain(text),) if isinstance(text, str) else tuple(put_tickets(text, tickets, self.told, self.look.lang))

        def compose(family: str) -> Passage:
            bed = self._make_text_box(style, family, lang or self.look.lang)
            return Passage(rich, bed, self.workshop.fonts, self.workshop.find_sign)

        done = self._choose_family(style, compose, place, lang)
        return ComposedText(done, style, tickets, self, () if isinstance(text, str) else find_ruby_bases(text), place)

    def find_foreign_language(self, words: str) -> str:
        """Return the game's Western language for Latin words in a Chinese or Japanese book, else ''."""
        return self._western if self.look.cjk and _is_latin((Plain(words),)) else ""

    def set_lines(self, text: Text | str, style: TypeStyle, width: float, place: Place | None) -> list[TypeLine]:
        """Return the lines of a text in a width (mm)."""
        return self.compose_text(text, style, place).break_lines(width)

    def set_in_box(self, text: RichText | str, style: TypeStyle, width: float, place: Place | None) -> SetText:
        """Return a text from (0, 0) in a box `width` mm wide; it wraps, and shrinks if a word is too wide."""
        rich = (Plain(text),) if isinstance(text, str) else text
        done = self._choose_family(style, lambda family: self._set_box(rich, style, width, family), place)
        if done.taken > TALLEST:
            what = f"the text '{done.frame.text[:24]}...' is too long for the check list"
            self.problems.append(Problem(place, what, "shorten it"))
        return done

    def _choose_family(
        self, style: TypeStyle, setting: Callable[[str], _Set], place: Place | None, lang: str = ""
    ) -> _Set:
        """Call `setting` with font families until one has all characters; else take the best and report the rest."""
        tried: list[_Set] = []
        japanese = (lang or self.look.lang).split("-", 1)[0].lower() == "ja"
        for family in self._titling if style.title else self._reading:
            if family == BOOK_FAMILY and not japanese:
                continue
            tried.append(setting(family))
            if not tried[-1].missing:
                break
        done = min(tried, key=lambda one: len(one.missing))
        self.problems += report_missing_glyphs(self._about, done.missing, place)
        for what in done.unweighted:
            self.report(what, "add its file to the family's `weights:`", place)
        for icon in dict.fromkeys(done.unknown_icons):
            self.report(f"there is no icon '{icon}'", "name one of the icons", place)
        return done

    def measure_run(self, run: TextRun) -> float:
        """Return the advance of a run (mm)."""
        if run.advances:
            total = sum(run.advances)
        else:
            font = self.workshop.fonts.get_font(run.font)
            total = sum(font.measure_advance(glyph) for glyph in run.glyphs)
        return total * run.size * MM_PER_PT / 1000

    def draw_icon_with_word(self, icon: PlacedSymbol) -> Group:
        """Return an icon with its name as replacement text for screen readers and copying."""
        name = icon.symbol.name.removeprefix("icon:").removeprefix(RING)
        entry = self.workshop.game.icons.get(name)
        return Group((icon,), tags=(Tag("Span", actual=entry.name[self.look.lang] if entry else name),))

    def report(self, what: str, hint: str, place: Place | None) -> None:
        """Add a problem with the document's texts, as message and hint."""
        self.problems.append(Problem(place, self._about.format(what), hint))

    def report_too_tall(self, thing: str, height: float, place: Place | None) -> None:
        """Report a thing of `height` mm that can't be split and is taller than any column."""
        self.report(f"{thing} is {height:.0f} mm tall and fits no column", "shorten it, or make two of it", place)

    def set_only_line(self, text: str, style: TypeStyle, width: float, place: Place | None) -> TypeLine:
        """Return the only line of a text, empty if it shows nothing. If it has more, report it; return the first."""
        lines = self.set_lines(text, style, width, place)
        if len(lines) > 1:
            self.report(f"'{_quote_start(text)}' is too long for the line at the head of a page", "shorten it", place)
        return lines[0] if lines else TypeLine((), (), (), "", 0.0)

    def _set_box(self, rich: RichText, style: TypeStyle, width: float, family: str) -> SetText:
        key = (rich, width, style, family)
        if key not in self._boxed:
            latin = self.look.cjk and _is_latin(rich)
            bed = self._make_text_box(style, family, self._western if latin else self.look.lang, width, TALLEST)
            if has_uneven_lines(rich, bed):
                from generator.text.text_blocks import Block, set_blocks

                done = set_blocks((Block(rich),), bed, self.workshop.fonts, self.workshop.find_sign)
            else:
                done = set_box(rich, bed, self.workshop.fonts, self.workshop.find_sign)
            self._boxed[key] = done
        return self._boxed[key]

    def _make_text_box(
        self, style: TypeStyle, family: str, lang: str, width: float = 0.0, height: float = 0.0
    ) -> TextBox:
        return TextBox(
            x=0.0, y=0.0, width=width, height=height, family=family, size=style.size,
            min_size=style.least or style.size, lang=lang, leading=style.leading, align=style.align, paint=style.paint,
            bold=style.bold, hyphenate=not style.least, phrases=style.phrases and is_cjk(lang), vertical=style.vertical,
        )  # fmt: skip


def report_missing_glyphs(about: str, characters: Iterable[str], place: Place | None) -> list[Problem]:
    """Return problems for characters that no font has; in `about`, their message, the fault replaces `{}`."""
    faults = iter_missing_glyph_faults(characters, "any font of the game")
    return [Problem(place, about.format(what), hint) for what, hint in faults]


def _is_latin(rich: RichText) -> bool:
    if not all(isinstance(part, Plain) for part in rich):
        return False
    words = "".join(part.text for part in rich if isinstance(part, Plain))
    return " " in words and all(is_latin(char) or char == " " for char in words)


def plain_from_text(text: Text) -> str:
    """Return a text's characters only, for outlines and running heads."""
    parts = (Plain(part.text) if isinstance(part, (Term, Link, Mention)) else part for part in text)
    return to_plain_text(tuple(parts))


def _quote_start(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."
