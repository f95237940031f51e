"""Blocks that list what the data know: what is in the box, what set-up takes, what icons and effects mean."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Literal, cast

from generator.errors import Place, did_you_mean
from generator.model.drawing import Drawing
from generator.model.game import Game, Kind
from generator.model.phrases import count_phrase, phrase
from generator.model.text import Icon, Plain
from generator.pages.blocks import Block, Figure, Inline, Listing, Origin, Paragraph, Table, Text
from generator.rulebook.faces import Faces
from generator.rulebook.fenced import Body
from generator.rulebook.figures.maker import FigureMaker
from generator.rulebook.figures.situations import Heap, SituationSetter, ZoneRow
from generator.rulebook.inline import IconColours, InlineReader
from generator.rulebook.layouts import WIDTH

_BOX_HIGH, _LEGEND_HIGH = 30.0, 18.0
"""mm of the tallest piece among what is in the box, and beside its meaning."""

_ICON_HIGH = 5.0
"""mm of an icon beside its meaning: players compare it with the one on a card."""


class Legends:
    """Makes the lists of one book."""

    def __init__(self, faces: Faces, inline: InlineReader, figures: FigureMaker, paints: IconColours):
        self._faces, self._inline, self._figures, self._paints = faces, inline, figures, paints
        self._game: Game = faces.workshop.game
        self._lang = faces.lang

    def components(self, body: Body) -> list[Block]:
        """What is in the box: a picture of each kind with its number, then a table of names and numbers."""
        body.keys("which")
        wanted = [str(name) for name in body.entries("which")]
        for name in wanted:
            if name not in self._game.kinds:
                body.problem(f"unknown component '{name}'", did_you_mean(name, self._game.kinds), "which")
        kinds = [kind for kind in self._game.kinds.values() if kind.count and (not wanted or kind.id in wanted)]
        if not kinds:
            return []
        head = (self._say("component"), self._say("number"))
        rows = tuple((self._kind_name(kind), _plain(str(kind.count))) for kind in kinds)
        parts = tuple(kind.place for kind in kinds for _ in head)
        table = Table(head, rows, ("left", "right"), origin=Origin(body.begins, parts))
        return [*self._piece_figures(kinds, Origin(body.begins)), table]

    def _piece_figures(self, kinds: Iterable[Kind], origin: Origin) -> Iterator[Figure]:
        rows = []
        for kind in kinds:
            first = next(design for design in kind.designs if design.count)
            piece = self._faces.piece(first)
            if piece is not None:
                rows.append(ZoneRow(kind.name[self._lang], (Heap(piece, kind.count),), place=kind.place))
        if rows:
            alt = phrase("and", self._lang).join(f"{row.label} ×{row.heaps[0].number}" for row in rows)

            @cache
            def drawing(by: float, width: float) -> Drawing:
                figure = SituationSetter(self._faces, rows, _BOX_HIGH * by, width).figure()
                return figure.drawing(self._lang, alt)

            yield Figure(drawing(1.0, WIDTH), alt, origin=origin, smaller=drawing)

    def setup(self, body: Body) -> list[Block]:
        """What set-up takes for each number of players."""
        body.keys("also")
        game, lang = self._game, self._lang
        players = tuple(game.players)
        rows: list[tuple[Text, ...]] = []
        parts: list[Place | None] = []
        for item in game.setup:
            amount = phrase("each_gets", lang, n=item.take) if item.each_player else str(item.take)
            rows.append((self._kind_name(game.kinds[item.kind]), *(_plain(amount) for _ in players)))
            parts += [game.kinds[item.kind].place, *(item.place for _ in players)]
        for number, row in enumerate(body.entries("also")):
            cells = row if isinstance(row, list) else [row]
            if len(cells) not in (2, 1 + len(players)):
                what = f"a row of setup.also has {len(cells)} entries, but must have 2 or {1 + len(players)}"
                body.problem(
                    what, "give a name, then an amount for each number of players or one for all", "also", number
                )
                continue
            texts = [self._inline.plain(str(cell), body.place("also", number)) for cell in cells]
            rows.append((texts[0], *(texts[1:] if len(texts) > 2 else texts[1:] * len(players))))
        head = (self._say("component"), *(_plain(count_phrase("players", lang, n)) for n in players))
        align, origin = _aligned("left", *("centre" for _ in players)), Origin(body.begins, tuple(parts))
        return [Table(head, tuple(rows), align, origin=origin)] if rows else []

    def legend(self, body: Body) -> list[Block]:
        """Pictures, names and meanings of icons, operations or components."""
        body.keys("of", "says")
        game, wanted = self._game, body.entries("of")
        all_of: Mapping[object, Iterable[str]] = {"icons": game.icons, "operations": game.operations}
        ids = [str(one) for name in wanted for one in all_of.get(str(name), [name])]
        if not wanted:
            body.problem("the legend block names nothing", "add `of: ...`")
        says = {
            str(name): self._inline.plain(str(text), body.place("says", name))
            for name, text in body.mapping("says").items()
        }
        for name in says:
            if name not in ids:
                body.problem(f"the legend explains '{name}' and doesn't show it", did_you_mean(name, ids), "says", name)
        blocks: list[Block] = []
        for sort, names in groupby(ids, self._sort):
            if sort == "icon":
                blocks += self._icons(list(names), says, body)
            elif sort == "operation":
                blocks += self._operations(list(names), says, body)
            else:
                blocks += self._pieces(list(names), says, body)
        return blocks

    def _sort(self, name: str) -> str:
        return "icon" if name in self._game.icons else "operation" if name in self._game.operations else "piece"

    def _icons(self, names: Sequence[str], says: Mapping[str, Text], body: Body) -> Iterator[Block]:
        explained = any(name in says for name in names)
        head = [self._say("icon"), self._say("name"), *([self._say("meaning")] if explained else [])]
        rows = []
        for name in names:
            row: list[Text] = [
                (Icon(name, self._paints[name], _ICON_HIGH),),
                _plain(self._game.icons[name].name[self._lang]),
            ]
            rows.append(tuple([*row, says.get(name, ())] if explained else row))
        parts = tuple(self._game.icons[name].place if at < 2 else None for name in names for at in range(len(head)))
        align = _aligned("centre", *("left" for _ in head[1:]))
        yield Table(tuple(head), tuple(rows), align, origin=Origin(body.begins, parts))

    def _operations(self, names: Sequence[str], says: Mapping[str, Text], body: Body) -> Iterator[Block]:
        entries: list[tuple[Block, ...]] = []
        for name in names:
            operation = self._game.operations[name]
            text, own, place = says.get(name), operation.says[self._lang], body.begins
            if text is None and "{{" not in own and "{%" not in own:
                text, place = self._inline.plain(own, operation.place), operation.place
            if text is None:
                body.problem(
                    f"the sentence of the operation '{name}' takes values", f"write `says: {{{name}: ...}}`", "of"
                )
                continue
            entries.append((Paragraph(text, origin=Origin(place)),))
        if entries:
            yield Listing(tuple(entries), origin=Origin(body.begins))

    def _pieces(self, names: Sequence[object], says: Mapping[str, Text], body: Body) -> Iterator[Block]:
        for name in names:
            for piece in self._faces.pieces([name], body.place("of")):
                title: tuple[Inline, ...] = (Plain(piece.name, bold=True),)
                meaning = says.get(str(name), ())
                yield self._figures.single(piece, _LEGEND_HIGH, Origin(body.begins))
                text = (*title, Plain("　" if self._lang == "ja" else "  "), *meaning) if meaning else title
                # Its name is the data's, what the block says of it is the block's.
                yield Paragraph(text, origin=Origin(body.begins if meaning else self._game.design(piece.id).place))

    def _kind_name(self, kind: Kind) -> Text:
        return self._inline.plain(kind.name[self._lang], kind.place)

    def _say(self, name: str) -> Text:
        return _plain(phrase(name, self._lang))


def _aligned(*columns: str) -> tuple[Literal["left", "centre", "right"], ...]:
    return cast("tuple[Literal['left', 'centre', 'right'], ...]", columns)


def _plain(words: str) -> Text:
    return (Plain(words),)
