"""Web text: a book's texts as HTML, with emphasis, ruby, icons, terms and links."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from generator.base.display_list import PlacedSymbol
from generator.base.errors import Place, Problem, did_you_mean
from generator.books.page.blocks import Inline, Link, Mention, Term, Text
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.svg_writer import Definitions, escape_text, shorten_number
from generator.game.rich_text import DEFAULT_STYLE, RING, Icon, LineBreak, Plain, Reference, Ruby, RunStyle
from generator.text.kinsoku import get_phrasing

_SHORT_UPRIGHT = re.compile(r"(?<![0-9A-Za-z])[0-9]{1,2}(?![0-9A-Za-z])|[!?]{2}")
_SPACE = re.compile(r"\s")


@dataclass
class WebText:
    """Writes the texts of one book as HTML. `places` maps anchors to the words of their titles.

    `terms` maps a term to the anchor of its definition, `here` is the current section. It collects text `colours`,
    sections that use a term (`used`), and `problems`.
    """

    workshop: Workshop
    lang: str
    definitions: Definitions
    places: Mapping[str, str]
    terms: Mapping[str, str]
    here: str = ""
    colours: dict[str, None] = field(default_factory=dict)
    used: dict[str, dict[str, None]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def write_html(self, text: Text, place: Place | None, upright: bool = False, links: bool = True) -> str:
        """Return a text as HTML. `links=False`: the whole text is already a link. `upright`: for vertical lines."""
        return "".join([self._write_inline(inline, place, upright, links) for inline in text])

    def write_phrases(self, text: Text, place: Place | None, links: bool = True) -> str:
        """Return a title or text for a narrow place: in languages without spaces lines break only between phrases."""
        return "<wbr>".join([self.write_html(run, place, links=links) for run in self._split_phrases(text)])

    def _split_phrases(self, text: Text) -> Iterator[Text]:
        """Yield the text split at phrase ends; a term, a ruby or a link stays whole."""
        characters = "".join(map(_get_inline_characters, text))
        ends = get_phrasing(self.workshop.fonts.memo, self.lang).find_ends(characters)
        run: list[Inline] = []
        at = 0
        for inline in text:
            rest = inline
            if isinstance(inline, Plain):
                cuts = [cut for cut in range(1, len(inline.text)) if at + cut in (ends or ())]
                for start, end in pairwise([0, *cuts]):
                    yield (*run, inline._replace(text=inline.text[start:end]))
                    run = []
                rest = inline._replace(text=inline.text[cuts[-1] if cuts else 0 :])
            run.append(rest)
            at += len(_get_inline_characters(inline))
            if at in (ends or ()):
                yield tuple(run)
                run = []
        if run:
            yield tuple(run)

    def plain_from_text(self, text: Text) -> str:
        """Return a text without markup; icons become their names."""
        return "".join([self._get_spoken_text(inline) for inline in text]).strip()

    def _write_inline(self, inline: Inline, place: Place | None, upright: bool, links: bool) -> str:
        if isinstance(inline, Plain):
            return self._apply_style(_set_upright_numbers(inline.text) if upright else escape_text(inline.text), inline)
        if isinstance(inline, Ruby):
            pairs = zip(inline.base, inline.reading, strict=True)
            groups = [f"{escape_text(base)}<rp>（</rp><rt>{escape_text(read)}</rt><rp>）</rp>" for base, read in pairs]
            return self._apply_style(f"<ruby>{''.join(groups)}</ruby>", inline)
        if isinstance(inline, Term):
            return self._write_term(inline, links)
        if isinstance(inline, Link):
            words = escape_text(self._get_spoken_text(inline))
            if links and inline.anchor not in self.places:
                what = f"rulebook ({self.lang}): a link leads to '{inline.anchor}', but the book has no such heading"
                self.problems.append(Problem(place, what, did_you_mean(inline.anchor, self.places)))
            return f'<a href="{href_from_anchor(inline.anchor)}">{words}</a>' if links else words
        if isinstance(inline, Mention):
            self.add_mentions(inline.ids)
            return self._write_inline(inline.shown, place, upright, links)
        if isinstance(inline, LineBreak):
            return "<br>"
        if isinstance(inline, Reference):
            return self._apply_style(escape_text(self._get_spoken_text(inline)), inline)
        return self._write_icon(inline, place)

    def add_mentions(self, ids: Iterable[str]) -> None:
        """Record that the index entries with these ids link to the current section."""
        for name in ids if self.here else ():
            self.used.setdefault(name, {})[self.here] = None

    def _apply_style(self, words: str, inline: Plain | Ruby | Reference) -> str:
        if inline.manner != DEFAULT_STYLE:
            words = _apply_manner(words, inline.manner)
        if inline.emphasis:
            words = f"<em>{words}</em>"
        if inline.bold:
            words = f"<strong>{words}</strong>"
        if inline.colour and inline.colour != "ink":
            self.colours[inline.colour] = None
            words = f'<span class="{class_from_paint(inline.colour)}">{words}</span>'
        return words

    def _write_term(self, term: Term, links: bool) -> str:
        words = escape_text(term.text)
        if term.defines:
            words = f"<dfn>{words}</dfn>"
        elif term.bold:
            words = f"<strong>{words}</strong>"
        if not links:
            return words
        self.add_mentions((term.id,))
        place = self.terms.get(term.id)
        return words if place is None else f'<a class="term" href="{href_from_anchor(place)}">{words}</a>'

    def _write_icon(self, icon: Icon, place: Place | None) -> str:
        symbol = self.workshop.find_sign(icon.name, icon.colour)
        if symbol is None:
            what = f"rulebook ({self.lang}): there is no icon '{icon.name}'"
            self.problems.append(Problem(place, what, did_you_mean(icon.name, self.workshop.game.icons)))
            return ""
        x, y, width, height = symbol.box
        box = f"{shorten_number(x)} {shorten_number(y)} {shorten_number(width)} {shorten_number(height)}"
        wide = "" if width == height else f' style="width:{shorten_number(width / height)}em"'
        use = self.definitions.write_symbol(PlacedSymbol(symbol, (1.0, 0.0, 0.0, 1.0, 0.0, 0.0), clip=True))
        said = escape_text(self._get_spoken_text(icon))
        role = "large icon" if icon.height else "icon"
        shown = f'<svg class="{role}" viewBox="{box}"{wide} role="img" aria-label="{said}">{use}</svg>'
        return _apply_manner(shown, icon.manner) if icon.manner.rise else shown

    def _get_spoken_text(self, inline: Inline) -> str:
        if isinstance(inline, Ruby):
            return "".join(inline.base)
        if isinstance(inline, LineBreak):
            return " "
        if isinstance(inline, Icon):
            entry = self.workshop.game.icons.get(inline.name)
            return entry.name[self.lang] if entry else inline.name.removeprefix(RING)
        if isinstance(inline, Link):
            return inline.text or self.places.get(inline.anchor, inline.anchor)
        return inline.component if isinstance(inline, Reference) else inline.text


def _get_inline_characters(inline: Inline) -> str:
    """Return the text of one inline element; a picture counts as one character."""
    if isinstance(inline, Ruby):
        return "".join(inline.base)
    return " " if isinstance(inline, (Icon, LineBreak, Reference)) else inline.text


def _apply_manner(words: str, manner: RunStyle) -> str:
    """Return words with the markup of their style (bold, colour ...). Fonts of the cards are not used."""
    style = ";".join(
        said
        for said, wanted in (
            (f"font-size:{shorten_number(manner.size * 100)}%", manner.size != 1 and not manner.rise),
            (f"font-weight:{manner.weight}", manner.weight),
            ("font-variant-caps:small-caps", manner.small_capitals),
        )
        if wanted
    )
    for tag, wanted in (
        ("sup", manner.rise > 0),
        ("sub", manner.rise < 0),
        ("s", manner.struck),
        ("u", manner.underlined),
        (f'span style="{style}"', style),
    ):
        words = f"<{tag}>{words}</{tag.split()[0]}>" if wanted else words
    return words


def id_from_anchor(anchor: str) -> str:
    """Return an anchor as the value of an `id`, without spaces; different anchors stay different."""
    return escape_text(_SPACE.sub(lambda found: f"%{ord(found[0]):02x}", anchor.replace("%", "%25")))


def href_from_anchor(anchor: str) -> str:
    """Return the address of an anchor on the same page."""
    return f"#{id_from_anchor(anchor).replace('%', '%25')}"


def class_from_paint(paint: str) -> str:
    """Return the class of texts in a colour of the palette."""
    return f"in-{paint}" if not paint.startswith("#") else f"in-{paint[1:]}"


def _set_upright_numbers(text: str) -> str:
    """Return a text for vertical lines, with numbers of one or two digits, `!!` and `!?` marked to be set upright."""
    parts, at = [], 0
    for found in _SHORT_UPRIGHT.finditer(text):
        parts += [escape_text(text[at : found.start()]), f'<span class="tcy">{escape_text(found[0])}</span>']
        at = found.end()
    return "".join([*parts, escape_text(text[at:])])
