"""Terms, links and mentions of a text while it is set: runs in 'colours' that tell where their words come to stand."""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

from generator.model.text import Inline as TextInline
from generator.model.text import Plain, Ruby
from generator.pages.blocks import Link, Mention, Term, Text
from generator.pages.references.told import ToldPages

Ticket: TypeAlias = Term | Link | Mention

TICKET = "@"
"""Before a ticket's number in the colour of its runs."""

_CLOSING = re.compile("[」』”»]+|[’›](?!\\w)")
"""The quotation marks that close after a link."""


def put_tickets(text: Text, tickets: list[Ticket], told: ToldPages, lang: str) -> Iterable[TextInline]:
    """The text with terms, links and mentions as plain runs, each in a 'colour' that is its ticket's number.

    The setter begins a new run at another colour, so that a ticket's runs say where its words came to stand. The page
    of a link stands behind the quotation mark that closes after it.
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
            words, page = told.said(inline, lang)
            run = Plain(words, bold=inline.bold, colour=colour)
            yield run
            waiting = run._replace(text=page) if page else None
        elif isinstance(inline, Mention):
            yield _coloured(inline.shown, colour)
        elif not isinstance(inline, Plain) or inline.text:
            yield inline
        if isinstance(inline, Ticket):
            tickets.append(inline)
    if waiting is not None:
        yield waiting


def _coloured(shown: Plain | Ruby, colour: str) -> Plain | Ruby:
    return shown._replace(colour=colour) if isinstance(shown, Plain) else replace(shown, colour=colour)


def index_ids(tickets: Iterable[Ticket]) -> tuple[str, ...]:
    """The ids of the index's entries that lead to them."""
    found: dict[str, None] = {}
    for ticket in tickets:
        if not isinstance(ticket, Link):
            found |= dict.fromkeys([ticket.id] if isinstance(ticket, Term) else ticket.ids)
    return tuple(found)
