"""RulebookSections of the rulebook that another book takes over as they are, so that each sentence is written once."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import cast

from generator.errors import did_you_mean
from generator.model.phrases import phrase
from generator.model.text import Plain
from generator.pages.blocks import (
    BackCover,
    Block,
    Book,
    Box,
    Figure,
    Heading,
    Level,
    Link,
    Listing,
    Paragraph,
    Table,
    Text,
    without_arrangement,
)
from generator.pages.references.texts import change_texts
from generator.pages.references.told import anchored
from generator.rulebook.annotations.rings import mentioned_rings, shown_rings
from generator.rulebook.fenced import Body
from generator.rulebook.inline import InlineReader

TAKEN = ("text", "lists", "tables", "figures", "notes", "examples")
"""The words for what may be taken of a section; notes and examples stand in boxes."""

USUAL = TAKEN[:-1]
"""What is taken where nothing is said."""


_MOST = 100
"""More blocks than any section has."""

_LEVEL: Level = 2
_STEP: Level = 3
"""A section that is taken is a section there, or a step of one, whatever it was in the rulebook."""


class RulebookSections:
    """Takes sections of a rulebook, which is read when the first is asked for; `anchors` are those of the headings."""

    def __init__(self, rulebook: Callable[[], Book], inline: InlineReader):
        self._rulebook, self._inline = rulebook, inline
        self.anchors: set[str] = set()
        self._taken: list[tuple[str, Body, Sequence[Block]]] = []

    def cover_picture(self) -> Figure | None:
        """The picture on the rulebook's cover, or what is drawn on its ground."""
        return self._rulebook().cover.shown

    def part(self, name: str, body: Body) -> list[Block]:
        """The blocks that a part takes of the section of that name, `#anchor`; what can't be taken is a problem."""
        body.keys("title", "untitled", "step", "take", "most", "whole")
        blocks = tuple(without_arrangement(self._rulebook().blocks))
        at = next((at for at, each in enumerate(blocks) if isinstance(each, Heading) and name == f"#{each.anchor}"), -1)
        if at < 0:
            known = [f"#{block.anchor}" for block in blocks if isinstance(block, Heading)]
            body.problem(f"'{name}' is no section of the rulebook", did_you_mean(name, known))
            return []
        opened, *rest = blocks[at:]
        assert isinstance(opened, Heading)  # noqa: S101 - as it was found
        whole = body.flag("whole")
        found = list(takewhile(lambda block: not _ends(block, opened, whole=whole), rest))
        wanted = [str(word) for word in body.entries("take")] if "take" in body else list(USUAL)
        for word in wanted:
            if word not in TAKEN:
                body.problem(f"part.take has '{word}'", did_you_mean(word, TAKEN), "take")
        most = body.number("most", 1, _MOST)
        made = [_fitted(block, opened) for block in found if isinstance(block, Heading) or kind_of(block) in wanted]
        made = made[: int(most)] if most else made
        if not made:
            body.problem(f"nothing of '{name}' is taken", f"it has {_listed(found)}; write them to `take:`", "take")
        words = self._inline.plain(body.text("title"), body.place("title")) if "title" in body else opened.text
        level = _STEP if body.flag("step") else _LEVEL
        title = [] if body.flag("untitled") else [replace(opened, level=level, text=words)]
        for heading in [*title, *(block for block in made if isinstance(block, Heading))]:
            if heading.anchor in self.anchors:
                body.problem(f"'#{heading.anchor}' is taken twice", "leave out one of them, or write `untitled: true`")
            self.anchors.add(heading.anchor)
        self.anchors |= {anchor for anchor, _ in anchored(made)}
        self._taken.append((name, body, made))
        return [*title, *made]

    def check_rings(self, blocks: Sequence[Block]) -> None:
        """Report parts that mention numbers in rings which no figure among the blocks of the whole book shows."""
        shown = shown_rings(blocks)
        for name, body, taken in self._taken:
            numbers = sorted({ring.number for ring in mentioned_rings(taken) - shown})
            if numbers:
                what = f"'{name}' mentions numbers that no figure here shows: {', '.join(map(str, numbers))}"
                body.problem(what, "take the figures that show them, too, or leave out this text", "take")


def _ends(block: Block, opened: Heading, *, whole: bool) -> bool:
    """Whether a section is over: at the next heading, or, taken whole, at the next of its own level."""
    if isinstance(block, BackCover):
        return True
    return isinstance(block, Heading) and (not whole or block.level <= opened.level)


def _fitted(block: Block, opened: Heading) -> Block:
    """A block for its new place: a section in a section is a step there, what opened a chapter is running text."""
    if isinstance(block, Heading):
        return replace(block, level=cast("Level", min(_STEP, _LEVEL + block.level - opened.level)))
    if isinstance(block, Paragraph) and block.role == "lead":
        return replace(block, role="body")
    if isinstance(block, Box):
        return replace(block, name="")  # it counts the rulebook's examples
    return block


def kind_of(block: Block) -> str:
    """The word of `TAKEN` for a block; empty for one that is made for the place where it stands."""
    if isinstance(block, Box):
        return "examples" if block.role == "example" else "notes"
    kinds = {Paragraph: "text", Listing: "lists", Table: "tables", Figure: "figures"}
    return kinds.get(type(block), "")


def _listed(blocks: Iterable[Block]) -> str:
    kinds = dict.fromkeys(filter(None, map(kind_of, blocks)))
    return ", ".join(kinds) or "nothing to take"


def without_links(blocks: Iterable[Block], places: Collection[str], lang: str) -> tuple[Block, ...]:
    """The blocks with links as plain words, but for those to `places`: what they lead to is in another book.

    A link without words of its own says that it is in the rulebook.
    """

    def unlink(text: Text) -> Text:
        away = [isinstance(inline, Link) and inline.anchor not in places for inline in text]
        return tuple(
            Plain(inline.text or phrase("book_rulebook", lang)) if gone and isinstance(inline, Link) else inline
            for inline, gone in zip(text, away, strict=True)
        )

    return tuple(change_texts(block, unlink) for block in blocks)
