"""The rulebooks of the games that ship: what follows the data changes with them, nothing else; no line is set badly."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from hashlib import blake2b
from itertools import chain, product
from pathlib import Path

import pytest
from conftest import ROOT, Pnp
from every_block import origins
from shipped_games import PROJECT, SWEPT_EDITIONS, rulebook, rulebook_pages, workshop
from tests_support import quick

from generator.base.display_list import Group, Item, PlacedSymbol, walk_leaves
from generator.base.display_list import TextRun as Run
from generator.base.geometry import map_point
from generator.books.page.blocks import (
    Block,
    BlockGroup,
    Book,
    Box,
    Figure,
    Heading,
    Listing,
    Paragraph,
    Table,
    VerticalText,
)
from generator.books.page.text_setter import plain_from_text
from generator.books.rulebook.read_book import read_book
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Game
from generator.rules.registry import load_rules

sys.path.append(str(Path(__file__).parent.parent / "games"))

from game_changes import Change, card, switch

BOOKS = quick(product(PROJECT.games, ("ja", "en")), "fortuna")
DRAFT_RUNS = Path(__file__).parent / "draft_runs.bin"
"""A hash of each run of 30 characters in the drafts, five bytes each; the drafts themselves belong to their authors."""
RUN, HASH_SIZE = 30, 5


def rules(value: object, *path: str) -> Change:
    """The game with a number of its rules changed."""

    def change(game: Game) -> Game:
        def within(old: object, steps: tuple[str, ...]) -> object:
            if not steps:
                assert old != value
                return value
            assert isinstance(old, dict) or hasattr(old, "items"), steps
            return {**old, steps[0]: within(old[steps[0]], steps[1:])}  # type: ignore[dict-item, index]

        return replace(game, sections={**game.sections, "rules": within(game.sections["rules"], path)})

    return change


FINAL = tuple({"zone": zone, "interim": (zone + 2, zone), "final": (8, 6)} for zone in (1, 2, 3))

CHANGES: dict[str, tuple[str, Change]] = {
    "fortuna-hand": ("fortuna", rules(6, "hand")),
    "fortuna-zero-set": ("fortuna", rules(5, "zero_set_max")),
    "fortuna-same-number": ("fortuna", switch("same_number_scope", "table")),
    "journey18-hand": ("journey18", rules(2, "hand")),
    "journey18-rucksack": ("journey18", rules(3, "rucksack", "hand")),
    "journey8-no-start-card": ("journey8", switch("equal_turns", "no_start_card")),
    "journey8-counters": ("journey8", card("counter/counter", count=80)),
    "wayfaring-memories": ("wayfaring", rules(9, "memories")),
    "xanadu-majority": ("xanadu", rules(FINAL, "majority")),
    "journey8-joker-colour": ("journey8", switch("joker_colour", "always_same")),
}


def book_of(game: Game, lang: str) -> Book:
    return read_book(Workshop(game, PROJECT.resources), lang, RulebookPlay(game, lambda: load_rules(game)))


def sentences(book: Book) -> list[str]:
    """Every sentence of a book in order, page furniture left out."""
    whole = chain([book.cover.title, book.cover.subtitle, *book.cover.facts], _texts(book.blocks))
    return [part.strip() for text in whole for part in re.split(r"(?<=[。！？])|(?<=[.!?:]) +", text) if part.strip()]


def _texts(blocks: tuple[Block, ...]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, (Heading, Paragraph)):
            yield plain_from_text(block.text)
        elif isinstance(block, Listing):
            for entry in block.entries:
                yield from _texts(entry)
        elif isinstance(block, Table):
            yield from (" | ".join(map(plain_from_text, row)) for row in (block.head, *block.rows))
        elif isinstance(block, Figure):
            yield from (
                text for text in (*map(plain_from_text, block.key), plain_from_text(block.caption), block.alt) if text
            )
        elif isinstance(block, BlockGroup):
            yield from _texts(block.blocks)
        elif isinstance(block, Box):
            yield plain_from_text(block.title)
            yield from _texts(block.blocks)
        elif isinstance(block, VerticalText):
            yield from map(plain_from_text, block.paragraphs)


def difference(before: list[str], after: list[str]) -> str:
    """The sentences that went (`-`) and came (`+`)."""
    lines = []
    for _, i, j, k, m in (
        step for step in SequenceMatcher(None, before, after, False).get_opcodes() if step[0] != "equal"
    ):
        lines += [f"- {sentence}" for sentence in before[i:j]]
        lines += [f"+ {sentence}" for sentence in after[k:m]]
    return "\n".join(lines) + "\n"


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_value_changes_its_sentences_alone(name: str, lang: str, golden: Callable[[str, str], None]) -> None:
    """What a changed number or switch does to a book is what was read and found right, in both languages."""
    game, change = CHANGES[name]
    before = sentences(rulebook(game, lang))
    after = sentences(book_of(change(workshop(game).game), lang))
    assert before != after
    golden(f"sentences/{name}.{lang}.txt", difference(before, after))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "lang"), BOOKS)
def test_a_book_says_enough(game: str, lang: str) -> None:
    book = rulebook(game, lang)
    anchors = [block.anchor for block in book.blocks if isinstance(block, Heading)]
    assert len(sentences(book)) > 150
    assert len(anchors) > 10
    assert len(set(anchors)) == len(anchors)


@pytest.mark.parametrize(("game", "lang"), BOOKS)
def test_a_book_knows_where_all_of_it_is_written(game: str, lang: str) -> None:
    found = list(origins(rulebook(game, lang)))
    assert len(found) > 100
    assert not [name for name, origin in found if origin.place is None]
    for place in (place for _, origin in found for place in (origin.place, *origin.parts) if place):
        assert place.line and place.column and (ROOT / place.file).is_file(), place


@pytest.mark.slow
@pytest.mark.parametrize("game", quick(PROJECT.games, "fortuna", rest="release"))
def test_books_fit_large_pages(game: str, shipped: Pnp) -> None:
    """Books, notes and quick starts in all languages fit pages of A4 and Letter, although those have narrow columns."""
    for page in ("A4", "Letter"):
        assert shipped("rulebook", game, "--page", page).err == ""


@pytest.mark.slow
@pytest.mark.parametrize("game", PROJECT.games)
def test_both_languages_have_the_same_chapters(game: str) -> None:
    chapters = [
        [(block.level, block.anchor) for block in rulebook(game, lang).blocks if isinstance(block, Heading)]
        for lang in ("ja", "en")
    ]
    assert chapters[0] == chapters[1]


@pytest.mark.parametrize(("game", "lang"), BOOKS)
def test_no_run_of_the_draft_is_taken_over(game: str, lang: str) -> None:
    """No 30 characters in a row are the draft's, its prologue left out; a quoted passage of a reading is shorter."""
    hashes = DRAFT_RUNS.read_bytes()
    known = {hashes[at : at + HASH_SIZE] for at in range(0, len(hashes), HASH_SIZE)}
    assert len(known) > 20_000
    found = hash_runs("".join(sentences(rulebook(game, lang))))
    assert [run for run, digest in found.items() if digest in known] == []


def hash_runs(text: str) -> dict[str, bytes]:
    """Return the hash of each run of 30 characters in a text without its blanks."""
    packed = "".join(text.split())
    runs = [packed[at : at + RUN] for at in range(len(packed) - RUN + 1)]
    return {run: blake2b(run.encode(), digest_size=HASH_SIZE).digest() for run in runs}


def test_draft_runs_are_those_of_the_drafts(request: pytest.FixtureRequest) -> None:
    """The hashes are sorted and distinct; `PNP_DRAFTS=FOLDER pytest --update-golden` writes them from the drafts."""
    if request.config.getoption("--update-golden") and "PNP_DRAFTS" in os.environ:
        drafts = [path.read_text(encoding="utf-8") for path in sorted(Path(os.environ["PNP_DRAFTS"]).glob("*.txt"))]
        made = {digest for draft in drafts for digest in hash_runs(re.sub(r"■ 概要[^■]*", "", draft)).values()}
        DRAFT_RUNS.write_bytes(b"".join(sorted(made)))
    hashes = DRAFT_RUNS.read_bytes()
    each = [hashes[at : at + HASH_SIZE] for at in range(0, len(hashes), HASH_SIZE)]
    assert each == sorted(set(each))


NEVER_FIRST = set(
    "、。，．・：；？！」』）】〉》〕］｝ゝゞ々ー…‥〜～％ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ!?,.:;)]}%”’"
)
NEVER_LAST = set("「『（【〈《〔［｛([{“‘")


@pytest.mark.parametrize(("game", "lang"), SWEPT_EDITIONS)
def test_lines_are_set_as_they_should(game: str, lang: str) -> None:
    """On every page, no line of running text begins or ends with a forbidden character; all type lies on the paper."""
    seen = 0
    for page in rulebook_pages(game, lang).pages:
        for leaf, matrix in walk_leaves(page.items):
            if isinstance(leaf, Run):
                x, y = map_point(matrix, (leaf.x, leaf.y))
                assert 0 <= x <= page.size.width and 0 <= y <= page.size.height, leaf.text
        begun = ""
        for part, line in _lines(page.items):
            if line:
                seen += 1
                assert part != begun or line[0] not in NEVER_FIRST, line  # a paragraph may begin with dots
                assert line[-1] not in NEVER_LAST, line
            begun = part
    assert seen > 100, "the test must see lines"


def _lines(items: tuple[Item, ...]) -> Iterator[tuple[str, str]]:
    """Each line of a paragraph: which paragraph, and the text with a full block for an icon."""
    for item in items:
        if isinstance(item, Group) and dict(item.data).get("role") == "paragraph":
            for line in item.items:
                if isinstance(line, Group):
                    yield dict(item.data)["part"], "".join(_shown(line.items)).strip()
        elif isinstance(item, Group):
            yield from _lines(item.items)


def _shown(items: tuple[Item, ...]) -> Iterator[str]:
    within = (part for item in items for part in (item.items if isinstance(item, Group) else (item,)))
    marks = [item for item in within if isinstance(item, (Run, PlacedSymbol))]
    for mark in sorted(marks, key=lambda item: item.x if isinstance(item, Run) else item.matrix[4]):
        yield mark.text if isinstance(mark, Run) else "█"
