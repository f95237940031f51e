"""Forms of text on faces: lists, tables, text on paths, letters with outlines."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Literal, NamedTuple, TypeAlias

from generator.base.display_list import Item, TextRun
from generator.base.errors import did_you_mean
from generator.drawing.svg.outline_painter import fade_items
from generator.drawing.svg.scene import Scene
from generator.drawing.svg.shape_outlines import outline_runs
from generator.drawing.svg.shapes import paint_outline
from generator.drawing.svg.style import Style
from generator.drawing.svg.tree import Element
from generator.drawing.svg.values import AlphaColour
from generator.game.rich_text import LineBreak, MarkupError, RichText
from generator.text.glyph_rows import IconFinder, SetText, TextBox
from generator.text.text_blocks import Block, TextGrid, set_blocks


def draw_lettering(scene: Scene, element: Element, items: tuple[Item, ...], style: Style) -> tuple[Item, ...]:
    """Return a text's items with the style's outline around or behind them. `fill="none"` leaves only the outline."""
    runs = [item for item in items if isinstance(item, TextRun)]
    path = outline_runs(runs, scene.studio.fonts) if style.stroke is not None and style.width else ""
    lined = paint_outline(scene, element, replace(style, fill=None, role=style.role or "text"), path)
    if lined and style.fill is None:
        items = tuple([item for item in items if not isinstance(item, TextRun)])
    covers = style.fill.alpha if isinstance(style.fill, AlphaColour) else 1.0
    items = tuple(fade_items(items, covers * style.fill_opacity))
    return (*lined, *items) if style.is_stroke_first else (*items, *lined)


Side: TypeAlias = Literal["start", "middle", "end"]

_ITEM = re.compile(r"(?P<mark>[-*]|[0-9]{1,3}[.)])[ \t]+(?=\S)")
_ROW = re.compile(r"\|.*\|")
_SEPARATOR = re.compile(r"\|(?:\s*(?::?-{2,}:?|:-:?|-:)\s*\|)+")
_DEEPEST = 3


class ListItem(NamedTuple):
    """A list item: its mark (`-` or a number), its level, from 0, and whether it is `fresh`: after an empty line."""

    mark: str
    depth: int
    words: str
    fresh: bool


class TextLines(NamedTuple):
    """Lines outside lists and tables; `fresh` is True after an empty line."""

    words: str
    fresh: bool


class TextTable(NamedTuple):
    """A table of equal rows, the first a header if `headed`; `sides` align columns, `fresh`: after an empty line."""

    rows: tuple[tuple[str, ...], ...]
    headed: bool
    sides: tuple[Side, ...]
    fresh: bool


def parse_blocks(text: str) -> tuple[TextLines | ListItem | TextTable, ...]:
    """Split a text into paragraphs, items with their further lines, and tables. Raise MarkupError for a wrong row."""
    return _BlockReader(text).read_blocks()


class _BlockReader:
    def __init__(self, text: str):
        self._out: list[TextLines | ListItem | TextTable] = []
        self._fresh = False
        self._lines: list[tuple[str, int]] = []
        at = 0
        for line in text.split("\n"):
            self._lines.append((line, at))
            at += len(line) + 1

    def read_blocks(self) -> tuple[TextLines | ListItem | TextTable, ...]:
        at, indents = 0, [0]
        open_item = False
        while at < len(self._lines):
            line, offset = self._lines[at]
            own = line.strip()
            begin = offset + len(line) - len(line.lstrip())
            indent = begin - offset
            if not own:
                self._fresh, open_item = bool(self._out), False
                at += 1
            elif _ROW.fullmatch(own):
                at = self._read_table(at)
                open_item = False
            elif found := _ITEM.match(own):
                before = indents if self._out and isinstance(self._out[-1], ListItem) else []
                outer = [other for other in before if other < indent]
                indents = outer if len(outer) == len(before) >= _DEEPEST else [*outer, indent]
                words = own[found.end() :]
                self._add_block(ListItem(found["mark"], len(indents) - 1, words, self._fresh))
                open_item = True
                at += 1
            else:
                last = self._out[-1] if self._out and not self._fresh else None
                if isinstance(last, TextLines) or ((open_item and indent > indents[-1]) and isinstance(last, ListItem)):
                    self._out[-1] = last._replace(words=f"{last.words}\n{own}")
                else:
                    self._add_block(TextLines(own, self._fresh))
                open_item = open_item and indent > indents[-1]
                at += 1
        return tuple(self._out)

    def _add_block(self, block: TextLines | ListItem | TextTable) -> None:
        self._out.append(block)
        self._fresh = False

    def _read_table(self, start: int) -> int:
        rows: list[tuple[str, ...]] = []
        sides: tuple[Side, ...] = ()
        headed = False
        while start < len(self._lines) and _ROW.fullmatch(own := self._lines[start][0].strip()):
            line, offset = self._lines[start]
            begin = offset + len(line) - len(line.lstrip())
            cells = _split_cells(own, begin)
            if rows and len(cells) != len(rows[0]):
                count = f"{len(cells)} cell{'s' * (len(cells) != 1)}"
                raise MarkupError(f"a row of a table has {count}, its first row has {len(rows[0])}", begin)
            if _SEPARATOR.fullmatch(own) and len(rows) == 1 and not headed:
                headed, sides = True, tuple(_read_side(cell) for cell in cells)
            else:
                rows.append(cells)
            start += 1
        self._add_block(TextTable(tuple(rows), headed, sides or (_read_side(""),) * len(rows[0]), self._fresh))
        return start


def _split_cells(row: str, offset: int) -> tuple[str, ...]:
    """Return the text between the bars of a row, at `offset` in the whole text. Bars in braces belong to ruby."""
    cells: list[str] = []
    start = at = 1
    deep = 0
    while at < len(row):
        char = row[at]
        if char == "\\":
            at += 1
        elif char in "{}":
            deep = max(0, deep + (1 if char == "{" else -1))
        elif char == "|" and not deep:
            cells.append(row[start:at].strip())
            start = at + 1
        at += 1
    if start < len(row):
        raise MarkupError("the last | of a table row is inside braces or escaped; add another | after it", offset)
    return tuple(cells)


def _read_side(separator: str) -> Side:
    left, right = separator.startswith(":"), separator.endswith(":")
    return "middle" if left and right else "end" if right else "start"


def check_manners(scene: Scene, rich: RichText, lang: str, family: str) -> list[tuple[str, str]]:
    """Return (problem, hint) for each missing font family or weight of a text. Words without a family have `family`."""
    slips: list[tuple[str, str]] = []
    families = scene.studio.game.fonts
    manners = dict.fromkeys(inline.manner for inline in rich if not isinstance(inline, LineBreak))
    for manner in manners:
        own = manner.family or family
        if manner.family and own not in families:
            what = f"the text of {scene.subject} names the unknown font family '{own}'"
            slips.append((what, did_you_mean(own, families)))
        elif own and manner.weight not in (0, 400, 700) and (slip := check_weight(scene, own, lang, manner.weight)):
            slips.append((f"the text of {scene.subject} needs a missing weight: {slip[0]}", slip[1]))
    return slips


def check_weight(scene: Scene, family: str, lang: str, weight: int) -> tuple[str, str] | None:
    """Return the mistake and a hint if a family lacks a weight in a language, else None."""
    entry = scene.studio.game.fonts[family]
    book = scene.studio.fonts
    book.get_chain(family, lang, weight=weight)
    if entry.has_weight(lang, weight, book.varying):
        return None
    spans = [book.varying[file] for file in entry.regular.get(lang, ()) if file in book.varying]
    own = entry.weights.get(lang, {})
    known = sorted({400, *own, *([700] if entry.bold.get(lang) else ())})
    has = [*map(str, known), *(f"{lightest} to {heaviest}" for lightest, heaviest in spans)]
    hint = f"it has {', '.join(has)}; add `weights: {{{weight}: [file]}}` beside its `regular:`"
    return f"the font family '{family}' has no weight {weight} for '{lang}'", hint


def set_listed(
    scene: Scene,
    words: str,
    box: TextBox,
    icon: IconFinder,
    read: Callable[[str], RichText | None],
    complain: Callable[[str, str], None],
) -> SetText | None:
    """Set a text with lists and tables; None for mistakes, reported by `read`, which parses parts, or `complain`."""
    text = words.strip("\n")
    try:
        parts = parse_blocks(text)
    except MarkupError as mistake:
        near = text[mistake.offset :][:12]
        complain(f"the text of {scene.subject} has wrong markup near '{near}': {mistake.what}", "")
        return None
    if box.vertical and any(isinstance(part, TextTable) for part in parts):
        complain(f"the text of {scene.subject} has a table, which can't be set in columns", "write a list instead")
        return None
    blocks: list[Block | TextGrid] = []
    for part in parts:
        if isinstance(part, (TextLines, ListItem)):
            rich = read(part.words)
            if rich is None:
                return None
            mark, depth = (part.mark, part.depth) if isinstance(part, ListItem) else ("", 0)
            blocks.append(Block(rich, mark, depth, part.fresh))
            continue
        cells = [[read(cell) for cell in row] for row in part.rows]
        rows = tuple(tuple(cell for cell in row if cell is not None) for row in cells)
        if any(len(row) < len(part.sides) for row in rows):
            return None
        blocks.append(TextGrid(rows, part.headed, part.sides, part.fresh))
    return set_blocks(blocks, box, scene.studio.fonts, icon)
