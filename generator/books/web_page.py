"""Web page: a book's blocks as HTML, in one page that needs nothing else."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, count
from pathlib import Path
from typing import assert_never

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from generator.base.display_list import Paint
from generator.base.errors import Place, raise_problems
from generator.base.files import read_file
from generator.base.geometry import MM_PER_PT
from generator.base.languages import is_right_to_left, phrase
from generator.books.page.blocks import (
    DESIGN,
    INDEX,
    TERM,
    BackCover,
    Block,
    BlockGroup,
    Book,
    Box,
    Contents,
    Figure,
    Heading,
    Index,
    Listing,
    Paragraph,
    Table,
    Text,
    VerticalText,
    id_from_row,
    iter_blocks_within,
    iter_contents_headings,
)
from generator.books.page.figure_setter import find_shown_designs, iter_own_type_sizes
from generator.books.page.page_style import Colours, choose_page_colours, make_readable_colour
from generator.books.page.references import find_anchored_titles, format_box_title
from generator.books.page.text_setter import plain_from_text
from generator.books.web_text import WebText, class_from_paint, href_from_anchor, id_from_anchor
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.svg_writer import Definitions, escape_text, shorten_number, write_figure, write_policy

_ALONE, _BESIDE = 1.6, 1.35
"""Scale of figures on a screen compared with paper: on their own, and beside text. Screens are further away."""

_DEEPEST = 2

_BRIEF = 18
"""Longest table cell (characters) that counts as a name, so that its lines break between phrases."""

_MANY = 5
"""Number of columns from which the first one stays visible while the others scroll."""

_READ = 2.8
"""Minimum type size of a figure's labels on any screen (mm); equals 10.6 pixels."""


class BlockWriter:
    """Writes the blocks of one book as HTML. A chapter is an `h2` (the title is the `h1`); no level is skipped."""

    def __init__(self, words: WebText, glossary: Mapping[str, int]):
        """Store `glossary`: the number of rows that begin with each term; links to a term go to its last row."""
        self.words = words
        self._glossary = glossary
        self._begun: Counter[str] = Counter()
        self._level = 1
        self._names: dict[str, str] = {}

    def write_page(self, blocks: Sequence[Block]) -> str:
        """Return all blocks as HTML. The index is written last, because only then all uses of terms are known."""
        written = [None if isinstance(block, Index) else self._write_block(block) for block in blocks]
        ready = zip(blocks, written, strict=True)
        return "".join([self._write_block(block) if html is None else html for block, html in ready])

    def write_blocks(self, blocks: Iterable[Block]) -> str:
        """Return blocks one after another as HTML. The table of contents is written elsewhere."""
        return "".join([self._write_block(block) for block in blocks])

    def _write_block(self, block: Block) -> str:
        if isinstance(block, Heading):
            self._level = level = min(block.level + 1, self._level + 1)
            self.words.here = block.anchor
            place = block.origin.place
            self._names[block.anchor] = self.words.write_html(block.text, place, links=False)
            html = self.words.write_phrases(block.text, place)
            return f'<h{level} id="{id_from_anchor(block.anchor)}">{html}</h{level}>\n'
        if isinstance(block, Paragraph):
            role = "" if block.role == "body" else f' class="{block.role}"'
            return f"<p{role}>{self.words.write_html(block.text, block.origin.place)}</p>\n"
        if isinstance(block, Listing):
            kind = "ol" if block.ordered else "ul"
            entries = [f"<li>{self._write_entry(entry)}</li>\n" for entry in block.entries]
            sign = f""" style="list-style-type:'{escape_text(block.sign)} '\"""" if block.sign else ""
            return f"<{kind}{sign}>\n{''.join(entries)}</{kind}>\n"
        if isinstance(block, Table):
            return self._write_table(block)
        if isinstance(block, Figure):
            return self.write_figure(block)
        if isinstance(block, Box):
            words = format_box_title(block, self.words.lang)
            title = f'<p class="title">{self.words.write_html(words, block.origin.place)}</p>\n' if words else ""
            label = f' aria-label="{escape_text(self.words.plain_from_text(words))}"' if words else ""
            name = f' id="{id_from_anchor(block.anchor)}"' if block.anchor else ""
            inside = f"{title}{self.write_blocks(block.blocks)}"
            return f'<aside role="note"{name} class="{block.role}"{label}>\n{inside}</aside>\n'
        if isinstance(block, VerticalText):
            return self._write_vertical_text(block)
        if isinstance(block, Index):
            self._level = 2
            return self._write_index(block)
        if isinstance(block, BlockGroup):
            within = self.write_blocks(block.blocks)
            return f'<div class="columns">\n{within}</div>\n' if block.manner == "columns" else within
        if isinstance(block, Contents | BackCover):
            return ""
        assert_never(block)

    def write_figure(self, shown: Figure) -> str:
        """Return a figure slightly wider than on paper, or as wide as the screen."""
        drawing = shown.drawing
        self.words.add_mentions(find_shown_designs(drawing))
        larger = _BESIDE if shown.place == "beside" else _ALONE
        width = f'style="width:{shorten_number(drawing.width * larger, 1)}mm"'
        alt = shown.alt or self.words.plain_from_text(shown.caption)
        # The minimum width (mm) at which its labels are legible.
        smallest = min((size * MM_PER_PT for size in iter_own_type_sizes(drawing.items)), default=0.0)
        least = drawing.width * _READ / smallest if smallest else 0.0
        if least and shown.place != "beside":
            least = min(least, drawing.width * larger)
            style = f'{width[:-1]};min-width:{shorten_number(least, 1)}mm"'
            picture = write_figure(drawing, self.words.definitions, alt, style)
            picture = f'<div class="scroll" tabindex="0" role="region" aria-label="{escape_text(alt)}">{picture}</div>'
        else:
            picture = write_figure(drawing, self.words.definitions, alt, width)
        words = self.words.write_html(shown.caption, shown.origin.place)
        caption = f"<figcaption>{words}</figcaption>" if shown.caption else ""
        said = [self.words.write_html(text, shown.origin.get_part_place(at)) for at, text in enumerate(shown.key)]
        key = "".join([f"<li>{words}</li>\n" for words in said])
        listed = f'\n<ol class="key">\n{key}</ol>\n' if key else ""
        role = ' class="beside"' if shown.place == "beside" else ""
        return f"<figure{role}>{picture}{listed}{caption}</figure>\n"

    def _write_entry(self, entry: Sequence[Block]) -> str:
        """Return a list entry. Its first paragraph has no `p` element, so that short lists are compact."""
        if entry and isinstance(entry[0], Paragraph) and entry[0].role == "body":
            rest = entry[1:]
            if not any(isinstance(block, Paragraph) for block in rest):
                more = f"\n{self.write_blocks(rest)}" if rest else ""
                return self.words.write_html(entry[0].text, entry[0].origin.place) + more
        return self.write_blocks(entry)

    def _write_table(self, table: Table) -> str:
        place, parts = table.origin.place, map(table.origin.get_part_place, count())
        caption = f"<caption>{self.words.write_html(table.caption, place)}</caption>" if table.caption else ""
        head = ""
        if any(table.head):
            cells = [
                f'<th scope="col"{_list_cell_classes(table, at)}>{self.words.write_phrases(text, place)}</th>'
                if text
                else "<td></td>"
                for at, text in enumerate(table.head)
            ]
            head = f"<thead><tr>{''.join(cells)}</tr></thead>\n"
        rows = "".join([self._write_row(table, row, parts) for row in table.rows])
        heads = " · ".join(filter(None, map(self.words.plain_from_text, table.head)))
        name = self.words.plain_from_text(table.caption) or heads
        label = f' role="region" aria-label="{escape_text(name)}"' if name else ""
        opened = f'<div class="scroll" tabindex="0"{label}>'
        kind = ' class="many"' if len(table.align) >= _MANY else ""
        return f"{opened}<table{kind}>{caption}\n{head}<tbody>\n{rows}</tbody></table></div>\n"

    def _write_row(self, table: Table, row: Sequence[Text], parts: Iterator[Place | None]) -> str:
        """Return a row with its first cell as header, in a glossary as a target. `parts` yields each cell's place."""
        term = id_from_row(row)
        self._begun[term] += 1
        defines = bool(term) and self._begun[term] == self._glossary.get(term)
        cells = []
        for at, text in enumerate(row):
            brief, links = len(self.words.plain_from_text(text)) <= _BRIEF, not (defines and at == 0)
            words = (self.words.write_phrases if brief else self.words.write_html)(text, next(parts), links=links)
            if at == 0 and defines:
                words = f"<dfn>{words}</dfn>"
            side = _list_cell_classes(table, at, "" if brief else "long")
            cells.append(f'<th scope="row"{side}>{words}</th>' if at == 0 and text else f"<td{side}>{words}</td>")
        name = f' id="{id_from_anchor(TERM + term)}"' if defines else ""
        return f"<tr{name}>{''.join(cells)}</tr>\n"

    def _write_vertical_text(self, upright: VerticalText) -> str:
        stands = self.words.lang.split("-")[0] == "ja"
        origin = upright.origin
        words = self.words.write_html(upright.title, origin.place, stands)
        title = f'<p class="title">{words}</p>\n' if upright.title else ""
        texts = [(text, origin.get_part_place(at)) for at, text in enumerate(upright.paragraphs)]
        said = [self.words.write_html(text, place, stands) for text, place in texts]
        paragraphs = "".join([f"<p>{words}</p>\n" for words in said])
        name = self.words.plain_from_text(upright.title) or phrase("book_prologue", self.words.lang)
        kind = "upright" if stands else "lying"
        focus = ' tabindex="0"' if stands else ""
        return f'<section class="{kind}" aria-label="{escape_text(name)}"{focus}>\n{title}{paragraphs}</section>\n'

    def _write_index(self, index: Index) -> str:
        """Return the index: each entry links to the word's definition and to every section that uses it."""
        self.words.here = ""
        words = self.words.write_html(index.title, index.origin.place)
        title = f'<h2 id="{id_from_anchor(index.anchor)}">{words}</h2>\n' if index.title else ""
        entries = [
            f"<li>{self._write_index_entry(text, term, index.origin.get_part_place(at))}</li>\n"
            for at, (text, term) in enumerate(index.entries)
            if term in self.words.used or not term.startswith(DESIGN)
        ]
        return f'{title}<ul class="index">\n{"".join(entries)}</ul>\n'

    def _write_index_entry(self, words: Text, term: str, place: Place | None) -> str:
        anchor = self.words.terms.get(term)
        shown = self.words.write_html(words, place, links=anchor == INDEX + term)
        if anchor == INDEX + term:
            shown = f'<span id="{id_from_anchor(anchor)}">{shown}</span>'
        elif anchor is not None:
            shown = f'<a href="{href_from_anchor(anchor)}">{shown}</a>'
        users = self.words.used.get(term, ())
        sections = [f'<a href="{href_from_anchor(user)}">{self._names[user]}</a>' for user in users]
        return shown if not sections else f"{shown} <span>{phrase('and', self.words.lang).join(sections)}</span>"


def write_contents_list(words: WebText, headings: Iterable[Heading]) -> str:
    """Return HTML with the chapters and sections as nested lists of links; deeper headings are left out."""
    out: list[str] = []
    depth = 0
    for heading in headings:
        if heading.level > _DEEPEST:
            continue
        level = min(heading.level, depth + 1)
        out.append("<ol>" if level > depth else "</li>" + "</ol></li>" * (depth - level))
        depth = level
        shown = words.write_html(heading.text, heading.origin.place, links=False)
        out.append(f'\n<li><a href="{href_from_anchor(heading.anchor)}">{shown}</a>')
    out.append("</li></ol>" * depth)
    return "".join(out)


def write_contents(words: WebText, wanted: Contents, headings: Sequence[Heading]) -> str:
    """Return HTML with the contents' title and links to chapters and sections, collapsed on a narrow screen."""
    name = escape_text(words.plain_from_text(wanted.title) or phrase("book_contents", words.lang))
    title = words.write_html(wanted.title, wanted.origin.place)
    head = f'<p class="title">{title}</p>\n' if wanted.title else ""
    # `details` is beside the list, not around it, so that a wide screen shows the list without a script.
    fold = f"<details><summary>{name}</summary></details>\n"
    return f'<nav aria-label="{name}">\n{head}{fold}{write_contents_list(words, headings)}\n</nav>\n'


def _list_cell_classes(table: Table, column: int, *more: str) -> str:
    side = table.align[column] if column < len(table.align) else "left"
    classes = " ".join(filter(None, ("" if side == "left" else side, *more)))
    return f' class="{classes}"' if classes else ""


# A small script searches and enlarges; the page is complete without it.

_TINT = 5.2
"""Contrast of coloured text with the page: more than required, because boxes have a darker background."""


def make_web_page(book: Book, workshop: Workshop, accent: Paint = "ink", *, scripted: bool = True) -> str:
    """Return the book as one HTML page. Raise ProblemsFound with every missing icon and every broken link.

    `accent` is the paint of titles and links, `ink` for one of the palette's deep colours; `scripted`: with its script.
    """
    colours = choose_page_colours(workshop.game.palette, accent)
    definitions = Definitions(workshop.fonts, workshop.hex_of_paint, Path)
    words, glossary = make_web_text(book, workshop, definitions)
    blocks = BlockWriter(words, glossary)
    shown = book.cover.any_picture
    picture = blocks.write_figure(shown) if shown is not None else ""
    text = blocks.write_page(book.blocks)
    wanted = next((block for block in iter_blocks_within(book.blocks) if isinstance(block, Contents)), Contents(()))
    chapters = list(iter_contents_headings(iter_blocks_within(book.blocks)))
    register = write_contents(words, wanted, chapters) if chapters else ""
    raise_problems(words.problems)
    tints = write_tints(words.colours, workshop, colours)
    return fill_page(
        "books/web_page",
        book.lang,
        book.title,
        f"\n{_read_own_file('page.js')}" if scripted else "",
        style=Html(f"{_read_own_file('web.css')}{tints}"),
        cover=book.cover,
        colours=colours,
        picture=Html(picture),
        register=Html(register),
        text=Html(text),
        imprint=book.imprint,
        definitions=Html(definitions.write_definitions()),
        say=lambda name: phrase(f"book_{name}", book.lang),
    )


class Html(str):
    """HTML text that page templates insert unchanged. They escape all other texts."""

    __slots__ = ()


@cache
def _open_templates() -> Environment:
    def escape_value(value: object) -> str:
        return value if isinstance(value, Html) else escape_text(str(value))

    return Environment(  # noqa: S701
        loader=FileSystemLoader(Path(__file__).parent.parent),
        trim_blocks=True,
        keep_trailing_newline=True,
        finalize=escape_value,
        undefined=StrictUndefined,
    )


def fill_page(template: str, lang: str, title: str, script: str = "", **values: object) -> str:
    """Return a page from one of the program's templates. Its security policy allows only this `script`."""
    page = _open_templates().get_template(f"{template}.html.j2")
    policy, leftward = Html(write_policy(script)), is_right_to_left(lang)
    return page.render(values, lang=lang, title=title, policy=policy, leftward=leftward, script=Html(script))


def make_web_text(book: Book, workshop: Workshop, definitions: Definitions) -> tuple[WebText, Mapping[str, int]]:
    """Return the writer of a book's texts, and the number of table rows that begin with each term."""
    tables = (block for block in iter_blocks_within(book.blocks) if isinstance(block, Table))
    glossary = Counter(id_from_row(row) for table in tables for row in table.rows)
    indexed = chain.from_iterable(block.entries for block in book.blocks if isinstance(block, Index))
    words = WebText(
        workshop,
        book.lang,
        definitions,
        {anchor: " ".join(plain_from_text(text).split()) for anchor, text in find_anchored_titles(book.blocks)},
        {**{term: INDEX + term for _, term in indexed}, **{term: TERM + term for term in glossary if term}},
    )
    return words, glossary


def write_tints(paints: Iterable[Paint], workshop: Workshop, colours: Colours) -> str:
    """Return CSS for the palette's text colours, adjusted to be legible on the light and on the dark page."""
    day, night = [], []
    for paint in paints:
        srgb, name = workshop.hex_of_paint(paint), class_from_paint(paint)
        day.append(f".{name}{{color:{make_readable_colour(srgb, colours.day, _TINT)}}}\n")
        night.append(f".{name}{{color:{make_readable_colour(srgb, colours.night, _TINT)}}}\n")
    return f"{''.join(day)}@media screen and (prefers-color-scheme:dark){{\n{''.join(night)}}}\n" if day else ""


@cache
def _read_own_file(name: str) -> str:
    return read_file(Path(__file__).with_name(name), "own").decode()
