"""A book as one web page that needs nothing else and asks nobody, for phone, desk, night and printer alike.

Its own small script searches and enlarges; without it all is there to be read.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path

from generator.errors import ProblemsFound
from generator.faces.workshop import Workshop
from generator.files import read_file
from generator.model.drawing import Paint
from generator.model.phrases import phrase
from generator.model.scripts import runs_left
from generator.pages.blocks import (
    INDEX,
    TERM,
    Arranged,
    Block,
    Book,
    Box,
    Contents,
    Cover,
    Index,
    Listing,
    Table,
    contents_headings,
    term_id,
)
from generator.pages.references.told import anchored
from generator.pages.setter import plain
from generator.pages.web_blocks import Blocks, contents
from generator.pages.web_colours import Colours, colours_of, readable_colour
from generator.pages.web_text import WebText, colour_class
from generator.writers.svg import Definitions
from generator.writers.svg_steps import escaped
from generator.writers.web_policy import policy_meta

_TOP, _TEXT = "top:", "text:"
"""The page's own anchors: no heading has a colon."""

_TINT = 5.2
"""The contrast of coloured words with the page: on the ground of a box a little of it is lost."""


def html(book: Book, workshop: Workshop, accent: Paint = "ink", *, scripted: bool = True) -> str:
    """The page; ProblemsFound with every icon that does not exist and every link that leads nowhere.

    `accent` is the paint of titles and links, `ink` for one of the palette's deep colours; `scripted`: with its script.
    """
    colours = colours_of(workshop.game.palette, accent)
    definitions = Definitions(workshop.fonts, workshop.hex, Path)
    words, glossary = words_of_page(book, workshop, definitions)
    blocks = Blocks(words, glossary)
    cover = _cover(book.cover, blocks)
    text = blocks.page(book.blocks)
    register = _contents(book.blocks, words)
    if words.problems:
        raise ProblemsFound(words.problems)
    said = escaped(phrase("book_top", book.lang))
    top = f'<a href="#{_TOP}" aria-label="{said}" title="{said}">↑</a>'
    search, script = (_search(book.lang), f"\n{_script()}") if scripted else ("", "")
    aside = f'<div class="side">\n{search}{register}</div>\n' if search or register else ""
    imprint = "".join([f"<p>{escaped(line)}</p>\n" for line in book.imprint])
    return "".join(
        [
            _head(book, colours, tints(words.colours, workshop, colours), policy_meta(script)),
            f"<body{_said(book.lang) if scripted else ''}>\n",
            f'<a class="skip" href="#{_TEXT}">{escaped(phrase("book_skip", book.lang))}</a>\n',
            cover,
            f'<div class="{"page" if register else "page alone"}">\n{aside}<main id="{_TEXT}" tabindex="-1">\n',
            f'{text}</main>\n</div>\n<p class="top">{top}</p>\n<footer>\n{imprint}</footer>\n',
            '<svg class="store" width="0" height="0" aria-hidden="true" focusable="false">',
            f"<defs>{definitions.written()}</defs></svg>\n",
            f"<script>{script}</script>\n" if script else "",
            "</body>\n</html>\n",
        ]
    )


def words_of_page(book: Book, workshop: Workshop, definitions: Definitions) -> tuple[WebText, Mapping[str, int]]:
    """The writer of a book's texts, and by a term's id how many rows of its tables begin with it."""
    glossary = Counter(map(term_id, chain.from_iterable(t.rows for t in _within(book.blocks) if isinstance(t, Table))))
    words = WebText(
        workshop,
        book.lang,
        definitions,
        {anchor: " ".join(plain(text).split()) for anchor, text in anchored(book.blocks)},
        {**_indexed(book.blocks), **{term: TERM + term for term in glossary if term}},
    )
    return words, glossary


def _within(blocks: Iterable[Block]) -> Iterator[Block]:
    """All blocks in the order of the page, those inside lists and boxes too."""
    for block in blocks:
        yield block
        if isinstance(block, Listing):
            yield from _within(chain.from_iterable(block.entries))
        elif isinstance(block, Box | Arranged):
            yield from _within(block.blocks)


def _indexed(blocks: Sequence[Block]) -> dict[str, str]:
    entries = chain.from_iterable(block.entries for block in blocks if isinstance(block, Index))
    return {term: INDEX + term for _, term in entries}


def _head(book: Book, colours: Colours, tints: str, policy: str) -> str:
    cover = book.cover
    named = f'<meta name="description" content="{escaped(cover.subtitle)}">\n' if cover.subtitle else ""
    leftward = ' dir="rtl"' if runs_left(book.lang) else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{escaped(book.lang)}"{leftward}>\n<head>\n<meta charset="utf-8">\n'
        f"{policy}\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escaped(book.title)}</title>\n{named}"
        '<meta name="color-scheme" content="light dark">\n'
        f'<meta name="theme-color" content="{colours.cover}">\n'
        f"<style>\n{_painted(colours)}{_style()}{tints}</style>\n</head>\n"
    )


def _cover(cover: Cover, blocks: Blocks) -> str:
    below = f'<p class="subtitle">{escaped(cover.subtitle)}</p>\n' if cover.subtitle else ""
    facts = "".join([f"<li>{escaped(fact)}</li>" for fact in cover.facts])
    listed = f'<ul class="facts">{facts}</ul>\n' if facts else ""
    picture = blocks.figure(cover.shown) if cover.shown is not None else ""
    title = f'<h1 id="{_TOP}">{escaped(cover.title)}</h1>\n'
    return f'<header class="cover">\n<div>{title}{below}{listed}</div>\n{picture}</header>\n'


def _contents(blocks: Sequence[Block], words: WebText) -> str:
    """The page's contents, whether the book has any of its own or not: a page is long and has no numbers."""
    wanted = next((block for block in blocks if isinstance(block, Contents)), Contents(()))
    chapters = list(contents_headings(_within(blocks)))
    return contents(words, wanted, chapters) if chapters else ""


def _search(lang: str) -> str:
    """What to search with; hidden until the script has it work."""
    name = escaped(phrase("book_search", lang))
    field = f'<input type="search" aria-label="{name}" placeholder="{name}" enterkeyhint="search">'
    buttons = []
    for kind, sign in (("back", "↑"), ("on", "↓")):
        said = escaped(phrase(f"book_search_{kind}", lang))
        buttons.append(f'<button type="button" class="{kind}" aria-label="{said}" title="{said}">{sign}</button>')
    return f'<div class="search" role="search" hidden="">\n{field}<output></output>{"".join(buttons)}\n</div>\n'


def _said(lang: str) -> str:
    """What the script says, as attributes."""
    names = {"none": "search_none", "sideways": "sideways", "enlarge": "enlarge", "close": "close"}
    return "".join([f' data-{name}="{escaped(phrase(f"book_{said}", lang))}"' for name, said in names.items()])


def _painted(colours: Colours) -> str:
    day = f"--ground:{colours.day};--text:{colours.day_text};--accent:{colours.day_accent}"
    night = f"--ground:{colours.night};--text:{colours.night_text};--accent:{colours.night_accent}"
    cover = f"--paper:{colours.paper};--cover:{colours.cover};--on-cover:{colours.on_cover}"
    return f":root{{{day};{cover}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{night}}}}}\n"


def tints(paints: Iterable[Paint], workshop: Workshop, colours: Colours) -> str:
    """The colours of texts: the palette's, made readable on the page by day and by night."""
    day, night = [], []
    for paint in paints:
        srgb, name = workshop.hex(paint), colour_class(paint)
        day.append(f".{name}{{color:{readable_colour(srgb, colours.day, _TINT)}}}\n")
        night.append(f".{name}{{color:{readable_colour(srgb, colours.night, _TINT)}}}\n")
    return f"{''.join(day)}@media screen and (prefers-color-scheme:dark){{\n{''.join(night)}}}\n" if day else ""


@cache
def _style() -> str:
    return read_file(Path(__file__).with_name("web.css"), "own").decode()


@cache
def _script() -> str:
    return read_file(Path(__file__).with_name("screen") / "page.js", "own").decode()
