"""Page references: the page numbers of links and index entries, and how to find linked words after line breaking."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TypeAlias, TypeVar

from generator.base.languages import phrase
from generator.books.page.blocks import PAGE, Block, Box, Heading, Index, Link, Mention, Term, Text, iter_blocks_within
from generator.game.rich_text import Inline as TextInline
from generator.game.rich_text import Plain
from generator.text.glyph_cache import is_cjk

_GUESS = 10
"""Page number assumed for links before pages are known: most have two digits."""

_FREE = 5
"""Number of passes with the latest page numbers; after them, page numbers that still change are left out."""

_SPACE, _JOINT = "\u00a0", "\u2060"
"""Characters between a number and its word: a no-break space, and a word joiner."""

_Pages = TypeVar("_Pages")


@dataclass(frozen=True, slots=True)
class KnownPages:
    """The page numbers printed in a book: of links by the link's number, of index entries by the term's id.

    The first page of an entry is the main one. `links` is None before any page is known. `names` are the words of each
    anchor's heading or example.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[int, int] | None = None
    terms: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def format_link(self, link: Link, lang: str) -> tuple[str, str]:
        """Return a link's words and page, `(p. 12)` or ''; one without words is its page, else its target's title."""
        page = self.find_page(link)
        if page is None:
            return link.text or self.names.get(link.anchor, ""), ""
        # No line breaks inside a page number with its words (`p. 12`).
        words = re.sub(r"(?<=\S) (?=\S)", _SPACE, phrase("page_aside" if link.text else "on_page", lang, page=page))
        aside = re.sub(r"(?<=\d)(?=\D)|(?<=\D)(?=\d)", _JOINT, words) if is_cjk(lang) else words
        return (link.text, aside) if link.text else (aside, "")

    def find_page(self, link: Link) -> int | None:
        """Return a link's page number (from 1), or None if no page number is printed for it."""
        if link.anchor.startswith(PAGE):
            return None
        return self.links.get(make_link_number(link)) if self.links is not None else _GUESS

    def keep_agreeing(self, found: "KnownPages") -> "KnownPages":
        """Return only the page numbers that are equal in both."""
        links, now = self.links or {}, found.links or {}
        kept = {link: page for link, page in links.items() if now.get(link) == page}
        terms = {
            term: tuple(page for page in pages if page in found.terms.get(term, ()))
            for term, pages in self.terms.items()
        }
        return replace(self, links=kept, terms=terms)


def make_link_number(link: Link) -> int:
    """Return a number that identifies this link among links with the same words."""
    return id(link)


def settle_pages(
    known: KnownPages, fill: Callable[[KnownPages], _Pages], read: Callable[[_Pages], KnownPages]
) -> tuple[_Pages, KnownPages]:
    """Return pages and their numbers: repeat `fill` until `read` finds what it got. Drop numbers that keep moving."""
    for number in count():
        pages = fill(known)
        found = read(pages)
        next_ = found if number < _FREE else known.keep_agreeing(found)
        if next_ == known:
            break
        known = next_
    return pages, known


def format_box_title(box: Box, lang: str) -> Text:
    """Return the title of a box, after its name if it has one: Example 3: Two pairs."""
    if not box.name:
        return box.title
    name = Plain(box.name)
    return (name, Plain("　" if is_cjk(lang) else ": "), *box.title) if box.title else (name,)


def find_anchored_titles(blocks: Iterable[Block]) -> Iterator[tuple[str, Text]]:
    """Yield each anchor that links can target, with its title: headings, indexes and boxes."""
    for block in iter_blocks_within(blocks):
        if isinstance(block, Heading):
            yield block.anchor, block.text
        elif isinstance(block, Index) or (isinstance(block, Box) and block.anchor):
            yield block.anchor, block.title


Ticket: TypeAlias = Term | Link | Mention

TICKET = "@"
"""A 'colour' that begins with this is no colour: the number after it identifies a link or term (its ticket)."""

_CLOSING = re.compile("[」』”»]+|[’›](?!\\w)")
"""Closing quotation marks after a link."""


def put_tickets(text: Text, tickets: list[Ticket], pages: KnownPages, lang: str) -> Iterable[TextInline]:
    """Replace terms, links and mentions by plain text whose 'colour' holds a ticket number; add them to `tickets`.

    The setter begins a new run at each colour, so a ticket's runs show the position of its words. The page of a link
    follows a closing quotation mark.
    """
    waiting: Plain | None = None
    for part in text:
        inline = part
        if waiting is not None:
            closing = _CLOSING.match(part.text) if isinstance(part, Plain) else None
            if closing is not None and isinstance(part, Plain):
                yield part._replace(text=closing[0])
                inline = part._replace(text=part.text[closing.end() :])
            yield waiting
            waiting = None
        colour = f"{TICKET}{len(tickets)}"
        if isinstance(inline, Term):
            yield Plain(inline.text, bold=inline.bold or inline.defines, colour=colour)
        elif isinstance(inline, Link):
            words, page = pages.format_link(inline, lang)
            run = Plain(words, bold=inline.bold, colour=colour)
            yield run
            waiting = run._replace(text=page) if page else None
        elif isinstance(inline, Mention):
            shown = inline.shown
            yield shown._replace(colour=colour) if isinstance(shown, Plain) else replace(shown, colour=colour)
        elif not isinstance(inline, Plain) or inline.text:
            yield inline
        if isinstance(inline, Ticket):
            tickets.append(inline)
    if waiting is not None:
        yield waiting


def find_index_ids(tickets: Iterable[Ticket]) -> tuple[str, ...]:
    """Return the ids of the index entries for these terms and mentions."""
    found: dict[str, None] = {}
    for ticket in tickets:
        if not isinstance(ticket, Link):
            found |= dict.fromkeys([ticket.id] if isinstance(ticket, Term) else ticket.ids)
    return tuple(found)
