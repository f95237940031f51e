"""Book lists: components, set-up, icons, effects, glossary and index."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from typing import Literal, cast

from generator.base.display_list import Drawing
from generator.base.errors import Place, did_you_mean
from generator.base.languages import count_phrase, phrase
from generator.books.page.blocks import (
    Block,
    Figure,
    Index,
    Inline,
    Listing,
    Origin,
    Paragraph,
    Table,
    Term,
    Text,
    id_from_design,
)
from generator.books.rulebook.block_makers import FigureMaker
from generator.books.rulebook.designer_notes import LANGUAGES
from generator.books.rulebook.inline_text import IconColours, InlineReader
from generator.books.rulebook.manuscript import BlockBody
from generator.books.rulebook.piece_pictures import WIDTH, PieceFaces
from generator.books.rulebook.situations import Heap, SituationSetter, ZoneRow
from generator.drawing.templates.template_values import GameViews
from generator.game.data_fields import GlossaryEntry
from generator.game.model import Game, Kind
from generator.game.rich_text import Icon, Plain
from generator.text.glyph_cache import is_cjk

_BOX_HIGH, _LEGEND_HIGH = 30.0, 18.0
"""Height of the tallest piece in the list of components and in a legend (mm)."""

_ICON_HIGH = 5.0
"""Height of an icon in a legend (mm), as large as on a card for comparison."""


class Legends:
    """Makes the lists of one book: components, set-up, and legends of icons."""

    def __init__(self, faces: PieceFaces, inline: InlineReader, figures: FigureMaker, paints: IconColours):
        self._faces, self._inline, self._figures, self._paints = faces, inline, figures, paints
        self._game: Game = faces.workshop.game
        self._lang = faces.lang

    def list_components(self, body: BlockBody) -> list[Block]:
        """Return the contents of the box: a numbered picture of each kind, then a table of names and counts."""
        body.check_keys("which")
        wanted = [str(name) for name in body.read_entries("which")]
        for name in wanted:
            if name not in self._game.kinds:
                body.add_problem(f"unknown component '{name}'", did_you_mean(name, self._game.kinds), "which")
        kinds = [kind for kind in self._game.kinds.values() if kind.count and (not wanted or kind.id in wanted)]
        if not kinds:
            return []
        head = (self._inline.phrase_text("component"), self._inline.phrase_text("number"))
        rows = tuple((self._name_kind(kind), (Plain(str(kind.count)),)) for kind in kinds)
        parts = tuple(kind.place for kind in kinds for _ in head)
        table = Table(head, rows, ("left", "right"), origin=Origin(body.begins, parts))
        return [*self._make_piece_figures(kinds, Origin(body.begins)), table]

    def _make_piece_figures(self, kinds: Iterable[Kind], origin: Origin) -> Iterator[Figure]:
        rows = []
        for kind in kinds:
            first = next(design for design in kind.designs if design.count)
            piece = self._faces.draw_piece(first)
            if piece is not None:
                rows.append(ZoneRow(kind.name[self._lang], (Heap(piece, kind.count),), place=kind.place))
        if rows:
            alt = phrase("and", self._lang).join(f"{row.label} ×{row.heaps[0].number}" for row in rows)

            @cache
            def drawing(by: float, width: float) -> Drawing:
                figure = SituationSetter(self._faces, rows, _BOX_HIGH * by, width).set_figure()
                return figure.make_drawing(self._lang, alt)

            yield Figure(drawing(1.0, WIDTH), alt, origin=origin, smaller=drawing)

    def list_setup(self, body: BlockBody) -> list[Block]:
        """Return a table of the pieces to set up for each number of players."""
        body.check_keys("also")
        game, lang = self._game, self._lang
        players = tuple(game.players)
        rows: list[tuple[Text, ...]] = []
        parts: list[Place | None] = []
        for item in game.setup:
            amount = phrase("each_gets", lang, n=item.take) if item.each_player else str(item.take)
            rows.append((self._name_kind(game.kinds[item.kind]), *((Plain(amount),) for _ in players)))
            parts += [game.kinds[item.kind].place, *(item.place for _ in players)]
        for number, row in enumerate(body.read_entries("also")):
            cells = row if isinstance(row, list) else [row]
            if len(cells) not in (2, 1 + len(players)):
                what = f"a row of setup.also has {len(cells)} entries, but must have 2 or {1 + len(players)}"
                hint = "give a name, then an amount for each number of players or one for all"
                body.add_problem(what, hint, "also", number)
                continue
            texts = [self._inline.read_plain(str(cell), body.place("also", number)) for cell in cells]
            rows.append((texts[0], *(texts[1:] if len(texts) > 2 else texts[1:] * len(players))))
        head = (self._inline.phrase_text("component"), *((Plain(count_phrase("players", lang, n)),) for n in players))
        align, origin = _align_columns("left", *("centre" for _ in players)), Origin(body.begins, tuple(parts))
        return [Table(head, tuple(rows), align, origin=origin)] if rows else []

    def make_legend(self, body: BlockBody) -> list[Block]:
        """Return pictures, names and meanings of icons, operations or components."""
        body.check_keys("of", "says")
        game, wanted = self._game, body.read_entries("of")
        all_of: Mapping[object, Iterable[str]] = {"icons": game.icons, "operations": game.operations}
        ids = [str(one) for name in wanted for one in all_of.get(str(name), [name])]
        if not wanted:
            body.add_problem("the legend block names nothing", "add `of: ...`")
        says = {
            str(name): self._inline.read_plain(str(text), body.place("says", name))
            for name, text in body.read_mapping("says").items()
        }
        for name in says:
            if name not in ids:
                what = f"the legend explains '{name}' but doesn't show it"
                body.add_problem(what, did_you_mean(name, ids), "says", name)
        blocks: list[Block] = []
        for sort, names in groupby(ids, self._make_sort_key):
            if sort == "icon":
                blocks += self._list_icons(list(names), says, body)
            elif sort == "operation":
                blocks += self._list_operations(list(names), says, body)
            else:
                blocks += self._list_pieces(list(names), says, body)
        return blocks

    def _make_sort_key(self, name: str) -> str:
        return "icon" if name in self._game.icons else "operation" if name in self._game.operations else "piece"

    def _list_icons(self, names: Sequence[str], says: Mapping[str, Text], body: BlockBody) -> Iterator[Block]:
        explained = any(name in says for name in names)
        columns = ("icon", "name", "meaning") if explained else ("icon", "name")
        head = [self._inline.phrase_text(column) for column in columns]
        rows = []
        for name in names:
            icon = Icon(name, self._paints[name], _ICON_HIGH)
            row: list[Text] = [(icon,), (Plain(self._game.icons[name].name[self._lang]),)]
            rows.append(tuple([*row, says.get(name, ())] if explained else row))
        parts = tuple(self._game.icons[name].place if at < 2 else None for name in names for at in range(len(head)))
        align = _align_columns("centre", *("left" for _ in head[1:]))
        yield Table(tuple(head), tuple(rows), align, origin=Origin(body.begins, parts))

    def _list_operations(self, names: Sequence[str], says: Mapping[str, Text], body: BlockBody) -> Iterator[Block]:
        entries: list[tuple[Block, ...]] = []
        for name in names:
            operation = self._game.operations[name]
            text, own, place = says.get(name), operation.says[self._lang], body.begins
            if text is None and "{{" not in own and "{%" not in own:
                text, place = self._inline.read_plain(own, operation.place), operation.place
            if text is None:
                what = f"the sentence of the operation '{name}' takes values"
                body.add_problem(what, f"write `says: {{{name}: ...}}`", "of")
                continue
            entries.append((Paragraph(text, origin=Origin(place)),))
        if entries:
            yield Listing(tuple(entries), origin=Origin(body.begins))

    def _list_pieces(self, names: Sequence[object], says: Mapping[str, Text], body: BlockBody) -> Iterator[Block]:
        for name in names:
            for piece in self._faces.find_pieces([name], body.place("of")):
                title: tuple[Inline, ...] = (Plain(piece.name, bold=True),)
                meaning = says.get(str(name), ())
                yield self._figures.make_piece_figure(piece, _LEGEND_HIGH, Origin(body.begins))
                text = (*title, Plain("　" if self._lang == "ja" else "  "), *meaning) if meaning else title
                # The name's place is in the data, the description's in the block.
                yield Paragraph(text, origin=Origin(body.begins if meaning else self._game.design(piece.id).place))

    def _name_kind(self, kind: Kind) -> Text:
        return self._inline.read_plain(kind.name[self._lang], kind.place)


def _align_columns(*columns: str) -> tuple[Literal["left", "centre", "right"], ...]:
    return cast("tuple[Literal['left', 'centre', 'right'], ...]", columns)


class BackMatter:
    """Makes the glossary of one book; `views` fills values of the game into texts."""

    def __init__(self, game: Game, lang: str, inline: InlineReader, views: GameViews):
        self._game, self._lang, self._inline, self._views = game, lang, inline, views
        self._others = [other for other in game.languages if other != lang]

    def make_glossary(self, body: BlockBody) -> list[Block]:
        """Return a table of all terms with their definitions; with `languages`, also the terms in other languages."""
        body.check_keys("languages")
        others_of = self._others if body.read_flag("languages") else []
        lang = self._lang
        entries = sorted(self._game.glossary.values(), key=lambda one: _make_sort_key(one.term[lang], one.kana, lang))
        names = " / ".join(LANGUAGES.get(other, other) for other in others_of)
        phrase_text = self._inline.phrase_text
        head = [phrase_text("term"), *([(Plain(names),)] if names else []), phrase_text("meaning")]
        rows = []
        parts: list[Place | None] = []
        for entry in entries:
            others = [(Plain(" / ".join(entry.term[other] for other in others_of)),)] if others_of else []
            term: Text = (Term(entry.term[self._lang], entry.id, bold=True),)
            place = self._find_place(entry, "says", self._lang)
            view = self._views.make_view({"says": entry.says[self._lang]}, f"glossary.{entry.id}", self._lang, place)
            rows.append((term, *others, self._inline.parse_text(str(view["says"]), [place], entry.id)))
            parts += [self._find_place(entry, "term", lang) for lang in (self._lang, *others_of[:1])]
            parts.append(place)
        langs = ("", *others_of, "") if len(others_of) == 1 else ()
        origin = Origin(body.begins, tuple(parts))
        return [Table(tuple(head), tuple(rows), tuple("left" for _ in head), (), langs, origin)] if rows else []

    def _find_place(self, entry: GlossaryEntry, field: str, lang: str) -> Place | None:
        return self._game.places.place("glossary", entry.id, field, lang) or entry.place


def _make_sort_key(words: str, kana: str, lang: str) -> str:
    """Return a sort key: alphabetical, in Japanese by kana if the data give them, with katakana as hiragana."""
    if not is_cjk(lang):
        return words.casefold()
    return "".join(chr(ord(char) - 0x60) if "ァ" <= char <= "ヶ" else char for char in kana or words)


Entry = tuple[str, Text, str, Place | None]
"""An index entry: its sort key, its words, its id, and their place."""

_ANCHOR = re.compile(r"[\w.-]+")
_SEE = " → "


class IndexMaker:
    """Makes the index of one book, after `inline` has read all of its text.

    `anchors` are the targets of links to the index, with their places. `begun` adds to a place in a template the column
    at which its line begins.
    """

    def __init__(self, game: Game, lang: str, inline: InlineReader, begun: Callable[[Place], Place]):
        self._game, self._lang, self._inline, self._begun = game, lang, inline, begun
        self._wanted: tuple[str, ...] = ()
        self.anchors: dict[str, Place | None] = {}

    def make_index(self, body: BlockBody) -> list[Block]:
        """Return the placeholder of an index; its entries are added when all text is read."""
        body.check_keys("title", "of", "anchor")
        for name in map(str, body.read_entries("of")):
            if name in self._game.kinds:
                self._wanted += (name,)
            else:
                body.add_problem(f"unknown component '{name}'", did_you_mean(name, self._game.kinds), "of")
        title = (Plain(body.get_text("title") or phrase("index", self._lang)),)
        if "anchor" not in body:
            return [Index(title, (), Origin(body.begins))]
        anchor = body.get_text("anchor")
        if not _ANCHOR.fullmatch(anchor):
            body.add_problem(f"index.anchor is '{anchor}'", "use letters, digits, '-', '_' and '.' alone", "anchor")
        self.anchors[anchor] = body.place("anchor")
        return [Index(title, (), Origin(body.begins), anchor)]

    def fill_index(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """Yield the blocks of the whole book; the index among them gets its entries."""
        for block in blocks:
            if isinstance(block, Index):
                entries = sorted(self._iter_entries(), key=lambda entry: entry[0])
                words, parts = tuple((text, name) for _, text, name, _ in entries), tuple(entry[3] for entry in entries)
                yield replace(block, entries=words, origin=replace(block.origin, parts=parts))
            else:
                yield block

    def _iter_entries(self) -> Iterator[Entry]:
        game, lang = self._game, self._lang
        for entry in game.glossary.values():
            term, place = entry.term[lang], game.places.place("glossary", entry.id, "term", lang) or entry.place
            yield _make_sort_key(term, entry.kana, lang), (Plain(term),), entry.id, place
            for number, other in enumerate(entry.also):
                text: Text = (Plain(other[lang] + _SEE), Term(term, entry.id))
                at = game.places.place("glossary", entry.id, "also", number) or entry.place
                yield _make_sort_key(other[lang], "", lang), text, f"see:{entry.id}:{number}", at
        for mark in self._inline.subjects.values():
            place = mark.place and self._begun(mark.place)
            yield _make_sort_key(mark.reading or mark.words, "", lang), (Plain(mark.words),), mark.id, place
        named: dict[str, Entry] = {}
        for design in (design for kind in self._wanted for design in game.kinds[kind].designs if design.count):
            name = id_from_design(design.id, words := self._inline.names_of_designs[design.id])
            key = _make_sort_key(self._inline.names.get_reading(words), "", lang)
            named.setdefault(name, (key, (Plain(words),), name, design.place))
        yield from named.values()
