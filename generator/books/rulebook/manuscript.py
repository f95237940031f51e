"""Manuscript: a rulebook's Markdown read as blocks, and the YAML of its fenced blocks."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, cast

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from generator.base.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.books.page.blocks import (
    BackCover,
    Block,
    BlockGroup,
    Box,
    Contents,
    Heading,
    Index,
    Level,
    Listing,
    Origin,
    Paragraph,
    Table,
    Text,
    VerticalText,
)
from generator.books.rulebook.inline_text import InlineReader, hide_bars
from generator.drawing.templates.renderer import RenderedText
from generator.game.data_reader import parse_yaml
from generator.game.source import Map, Source
from generator.game.value_faults import describe_value


@dataclass(slots=True)
class Manuscript:
    """The rendered lines of a rulebook, from 0; `problems` grows as they are read. `sources` are templates by file."""

    written: RenderedText
    problems: list[Problem] = field(default_factory=list)
    sources: Mapping[str, str] = field(default_factory=dict)

    def find_place(self, line: int) -> Place:
        """Return the place (file and line) in the template from which a line was rendered."""
        places = self.written.places
        return places[min(max(line, 0), len(places) - 1)]

    def find_begin(self, line: int) -> Place:
        """Return the place of a line in its template, with the column of its first character."""
        return self.add_column(self.find_place(line))

    def add_column(self, place: Place) -> Place:
        """Return a place with the column at which its line begins, or unchanged if it has a column."""
        if place.column or place.file not in self.sources:
            return place
        lines = self.sources[place.file].split("\n")
        source = lines[place.line - 1] if place.line <= len(lines) else ""
        return replace(place, column=len(source) - len(source.lstrip()) + 1)

    def add_problem(self, line: int, what: str, hint: str = "") -> None:
        """Report a fault in a line (its number in the manuscript), with a remedy, by adding it to the problems."""
        self.problems.append(Problem(self.find_place(line), what, hint))


_ANCHOR = re.compile(r"\s*\{:#([\w.-]+)\}\s*$")
"""An anchor at the end of a heading, `{#name}`, as it looks after template rendering."""

_TITLE = re.compile(r"\*\*(.+?)\*\*\s*")
_RULES = ("heading", "list", "blockquote", "fence", "table")
_DEEPEST = 3
_ALIGNED = {"text-align:center": "centre", "text-align:right": "right"}
_ALONE = (Heading, VerticalText, Contents, Index, BlockGroup, BackCover)
"""Blocks that are not allowed in lists and notes."""


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block: its name, the rest of that line, and its body; lines are those of the manuscript."""

    name: str
    argument: str
    body: str
    line: int

    @property
    def first(self) -> int:
        """Return the manuscript's line (from 0) on which the text inside the block begins."""
        return self.line + 1


Make = Callable[[Fence], Iterable[Block]]


class MarkdownReader:
    """Turns one manuscript into blocks; `anchors` are those of its headings."""

    def __init__(self, manuscript: Manuscript, inline: InlineReader, make: Make):
        self._manuscript, self._inline, self._make = manuscript, inline, make
        self.anchors: set[str] = set()
        self._headings = 0

    def read_blocks(self) -> tuple[Block, ...]:
        """Return all blocks in order."""
        parser = MarkdownIt("zero").enable(list(_RULES))
        lines, fenced = list[str](), False
        for line in self._manuscript.written.text.split("\n"):
            if line.lstrip("> -").startswith("```"):
                fenced = not fenced
            lines.append(line if fenced else hide_bars(line))  # Markdown would read `|` in ruby and terms as a table
        return tuple(self._read_run(SyntaxTreeNode(parser.parse("\n".join(lines))).children))

    def _read_run(self, nodes: Sequence[SyntaxTreeNode], *, inside: bool = False) -> Iterator[Block]:
        opened = False
        for node in nodes:
            for block in self._read_block(node, opened):
                if inside and isinstance(block, _ALONE):
                    what = "a list or note can't contain headings, contents, index, columns or upright pages"
                    self._manuscript.add_problem(_find_line_number(node), what, "end the list or note before it")
                else:
                    yield block
            opened = node.type == "heading" and node.tag == "h1"

    def _read_block(self, node: SyntaxTreeNode, opens: bool) -> Iterable[Block]:
        if node.type == "heading":
            return [self._read_heading(node)]
        if node.type == "paragraph":
            content = node.children[0].content
            row = content.strip()
            if len(row) > 1 and row.startswith("|") and row.endswith("|"):
                hint = "write all rows one below the other, |---| under the first, with as many columns"
                self._manuscript.add_problem(_find_line_number(node), "this row does not belong to a table", hint)
            text = self._inline.parse_text(content, self._list_places(node))
            return [Paragraph(text, "lead" if opens else "body", self._make_origin(node))] if text else []
        if node.type in ("bullet_list", "ordered_list"):
            entries = tuple(tuple(self._read_run(item.children, inside=True)) for item in node.children)
            return [Listing(entries, node.type == "ordered_list", self._make_origin(node))]
        if node.type == "blockquote":
            return [self._read_note(node)]
        if node.type == "table":
            return [self._read_table(node)]
        name, _, argument = node.info.strip().partition(" ")
        return self._make(Fence(name, argument.strip(), node.content, _find_line_number(node)))

    def _read_heading(self, node: SyntaxTreeNode) -> Heading:
        level, line = int(node.tag[1:]), _find_line_number(node)
        if level > _DEEPEST:
            self._manuscript.add_problem(line, f"a heading of level {level}", "use #, ## or ###")
        content = node.children[0].content if node.children else ""
        self._headings += 1
        found = _ANCHOR.search(content)
        anchor = found[1] if found else f"heading-{self._headings}"
        if anchor in self.anchors:
            self._manuscript.add_problem(line, f"the anchor '{anchor}' is used twice", "rename one of them")
        self.anchors.add(anchor)
        if level == 1:
            self._inline.names.begin_chapter()
        text = self._inline.parse_text(_ANCHOR.sub("", content), self._list_places(node))
        if not text:
            self._manuscript.add_problem(line, "the heading has no words", "write its title after the #")
        return Heading(cast("Level", min(level, _DEEPEST)), text, anchor, self._make_origin(node))

    def _read_note(self, node: SyntaxTreeNode) -> Box:
        title: Text = ()
        blocks: list[Block] = []
        nodes = list(node.children)
        if nodes and nodes[0].type == "paragraph":
            content = nodes[0].children[0].content
            if found := _TITLE.match(content):
                first = nodes.pop(0)
                places, below = self._list_places(first), found[0].count("\n")
                title = self._inline.parse_text(found[1], places)
                rest = self._inline.parse_text(content[found.end() :], places[below:])
                blocks += [Paragraph(rest, origin=self._make_origin(first, below))] if rest else []
        blocks += self._read_run(nodes, inside=True)
        if blocks and isinstance(box := blocks[0], Box) and box.role == "example" and not title:
            return replace(box, blocks=(*box.blocks, *blocks[1:]))  # what follows an example goes into its box
        return Box("note", title, tuple(blocks), self._make_origin(node))

    def _read_table(self, node: SyntaxTreeNode) -> Table:
        head, *rest = node.children
        cells = head.children[0].children
        align = tuple(_ALIGNED.get(str(cell.attrs.get("style", "")), "left") for cell in cells)
        below = [row for body in rest for row in body.children]
        cells_at = tuple(self._manuscript.find_begin(_find_line_number(row)) for row in below for _ in row.children)
        return Table(
            self._read_row(head.children[0]),
            tuple(map(self._read_row, below)),
            cast("tuple[Literal['left', 'centre', 'right'], ...]", align),
            origin=replace(self._make_origin(node), parts=cells_at),
        )

    def _read_row(self, row: SyntaxTreeNode) -> tuple[Text, ...]:
        places = [self._manuscript.find_place(_find_line_number(row))]
        texts = [cell.children[0].content if cell.children else "" for cell in row.children]
        return tuple(self._inline.parse_text(text, places) for text in texts)

    def _make_origin(self, node: SyntaxTreeNode, below: int = 0) -> Origin:
        """Return the place of a Markdown node, or of the line `below` lines under its first one."""
        return Origin(self._manuscript.find_begin(_find_line_number(node) + below))

    def _list_places(self, node: SyntaxTreeNode) -> list[Place]:
        first, last = node.map or (0, 1)
        return [self._manuscript.find_place(line) for line in range(first, max(last, first + 1))]


def _find_line_number(node: SyntaxTreeNode) -> int:
    return node.map[0] if node.map else 0


_NOTHING: Any = object()


class BlockBody:
    """The YAML values of a fenced block or of a mapping in it; `name` is for messages.

    `place(key)` is the place of a key, with `begins=True` including its column. `begins` is the place of the block.
    """

    def __init__(
        self,
        name: str,
        values: Mapping[str, Any],
        place: Callable[..., Place | None],
        problems: list[Problem],
        begins: Place | None = None,
    ):
        self.name, self._values, self.place, self._problems = name, values, place, problems
        self.begins = begins

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def drop_keys(self, *keys: str) -> "BlockBody":
        """Return a copy without some of its keys."""
        values = {key: value for key, value in self._values.items() if key not in keys}
        return BlockBody(self.name, values, self.place, self._problems, self.begins)

    def check_keys(self, *known: str) -> None:
        """Report keys other than `known`."""
        for key in self._values:
            if key not in known:
                what = f"{self.name} has no key '{key}'"
                hint = did_you_mean(str(key), known) if known else "leave the block empty"
                self._problems.append(Problem(self.place(key), what, hint))

    def add_problem(self, what: str, hint: str, *path: Any) -> None:
        """Report a problem and a remedy at the place of the key at `path`; without one, at the block itself."""
        self._problems.append(Problem(self.place(*path), what, hint))

    def get_text(self, key: str, default: str = "") -> str:
        """Return the value of a key as text, or the default if it is missing or, which is reported, not a text."""
        value = self._values.get(key, default)
        if isinstance(value, (str, int, float)) and not isinstance(value, bool):
            return str(value)
        self._report_type(key, "a text")
        return default

    def read_choice(self, key: str, choices: Iterable[str], default: str) -> str:
        """Return the word under `key`, or `default`. Report a word that is not one of `choices`."""
        value = self._values.get(key, default)
        if value in (known := list(choices)):
            return str(value)
        what = f"{self.name}.{key} is {describe_value(value)}, which is not a valid choice"
        self.add_problem(what, did_you_mean(str(value), known), key)
        return default

    def read_flag(self, key: str) -> bool:
        """Return True or False, False if it is missing."""
        value = self._values.get(key, False)
        if not isinstance(value, bool):
            self._report_type(key, "true or false")
        return value is True

    def read_number(self, key: str, least: float, most: float) -> float | None:
        """Return the number under `key`, or None if it is missing. Report another type or one outside the bounds."""
        value = self._values.get(key, _NOTHING)
        if value is _NOTHING:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self._report_type(key, "a number")
            return None
        if not least <= value <= most:
            what = f"{self.name}.{key} is {value:g}, but must be from {least:g} to {most:g}"
            self.add_problem(what, "change the number", key)
            return None
        return float(value)

    def read_entries(self, key: str) -> list[Any]:
        """Return the value of a key as a list: of one entry for a single value, empty for a missing one."""
        value = self._values.get(key, [])
        if isinstance(value, Mapping):
            self._report_type(key, "a list")
            return []
        return list(value) if isinstance(value, list) else [value]

    def read_numbers(self, key: str, most: int) -> set[int]:
        """Return whole numbers from 1 to `most`, from a list or a single value."""
        found = set()
        for value in self.read_entries(key):
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
                self.add_problem(f"{self.name}.{key} has {value}, but there are 1 to {most}", "change the number", key)
            else:
                found.add(value)
        return found

    def has_mapping(self, key: str) -> bool:
        """Return True if the key holds a mapping."""
        return isinstance(self._values.get(key), Mapping)

    def read_mapping(self, key: str) -> Mapping[str, Any]:
        """Return a mapping, empty if it is missing. Report a value of another type."""
        value = self._values.get(key, {})
        if isinstance(value, Mapping):
            return value
        self._report_type(key, "a mapping")
        return {}

    def read_inner(self, key: str) -> "BlockBody":
        """Return the mapping under `key` as a BlockBody; its keys become texts, even if they are numbers."""
        written = {str(name): name for name in self.read_mapping(key)}
        values = {name: self.read_mapping(key)[own] for name, own in written.items()}

        def place(*path: Any, begins: bool = False) -> Place | None:
            first = [written.get(name, name) for name in path[:1]]
            return self._find_inner_place((key,), *first, *path[1:], begins=begins)

        return BlockBody(f"{self.name}.{key}", values, place, self._problems, self.begins)

    def read_bodies(self, key: str) -> list["BlockBody"]:
        """Return the mappings under `key`, a list or a single one, each as a BlockBody."""
        value = self._values.get(key, [])
        found = []
        for at, each in enumerate(value if isinstance(value, list) else [value]):
            way = (key, at) if isinstance(value, list) else (key,)
            if isinstance(each, Mapping):
                place = partial(self._find_inner_place, way)
                found.append(BlockBody(f"{self.name}.{key}", each, place, self._problems, self.begins))
            else:
                what = f"{self.name}.{key} must hold mappings, not {describe_value(each)}"
                self.add_problem(what, "write mappings", *way)
        return found

    def _find_inner_place(self, way: tuple[Any, ...], *path: Any, begins: bool = False) -> Place | None:
        return self.place(*way, *path, begins=begins) if begins else self.place(*way, *path)

    def read_word(self, key: str) -> str:
        """Return a text, or an empty string for any other value such as a list."""
        value = self._values.get(key, "")
        return value if isinstance(value, str) else ""

    def _report_type(self, key: str, wanted: str) -> None:
        what = f"{self.name}.{key} must be {wanted}, not {describe_value(self._values.get(key))}"
        self.add_problem(what, f"write {wanted}", key)


def parse_body(fence: Fence, manuscript: Manuscript) -> BlockBody | None:
    """Return the YAML of a block, empty if it has none. Report invalid YAML in `manuscript` and return None."""
    file = manuscript.find_place(fence.line).file
    values = Map()
    if fence.body.strip():
        try:
            values = parse_yaml(fence.body, file)
        except ProblemsFound as found:
            for problem in found.problems:
                line = problem.place.line if problem.place else 0
                what = f"in the {fence.name} block: {problem.what.replace('the file', 'the block')}"
                manuscript.add_problem(fence.first + max(line, 1) - 1, what, problem.hint)
            return None
    source = Source(file, values)

    def place(*path: Any, begins: bool = False) -> Place:
        line = fence.first + source.place(*path).line - 1 if path and values else fence.line
        return manuscript.find_begin(line) if begins else manuscript.find_place(line)

    return BlockBody(fence.name, values, place, manuscript.problems, manuscript.find_begin(fence.line))
