"""Player aids, summary cards and score sheets say what the rulebook's overview says, from the same lines of the data."""

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from shipped_games import PROJECT, SWEPT, rulebook
from shipped_games import workshop as shared
from tests_support import quick

from generator.books.page.blocks import Block, Book, Box, Heading, Listing, Paragraph, Table, Text, dissolve_groups
from generator.books.rulebook.inline_text import words_from_text
from generator.books.rulebook.read_book import read_book
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Game
from generator.game.rich_text import Icon, Words
from generator.rules.registry import load_rules

sys.path.append(str(Path(__file__).parent.parent / "games"))

from game_changes import Change, after, card, switch

LANGUAGES = ("ja", "en")

CARDS = (
    ("fortuna", "aid", "overview"),
    ("fortuna", "score_sheet", "overview"),
    ("journey18", "summary", "overview"),
    ("journey18", "score_sheet", "end"),
    ("journey8", "aid", "overview"),
    ("journey8", "score_sheet", "overview"),
    ("wayfaring", "summary", "overview"),
    ("xanadu", "player_aid", "overview"),
)
"""Kinds that sum the rules up, with the chapter that prints their lines."""


def section(value: object, *path: str) -> Change:
    """The game with a value of a section changed."""

    def change(game: Game) -> Game:
        def within(old: Any, steps: tuple[str, ...]) -> object:
            assert steps or old != value
            return {**old, steps[0]: within(old[steps[0]], steps[1:])} if steps else value

        return replace(game, sections={**game.sections, path[0]: within(game.sections[path[0]], path[1:])})

    return change


NEW = Words({"ja": "新しい決まり。", "en": "A new rule."})

LINES: dict[tuple[str, str, str], Change] = {
    ("fortuna", "aid", "overview"): section(NEW, "words", "aid", "lines", "turn", "says"),
    ("fortuna", "score_sheet", "overview"): section(NEW, "words", "aid", "winner"),
    ("journey18", "summary", "overview"): card("summary/summary", refill=NEW),
    ("journey18", "score_sheet", "end"): section(NEW, "words", "score_lines", "note"),
    ("journey8", "aid", "overview"): section(NEW, "words", "aid", "lines", "smaller"),
    ("journey8", "score_sheet", "overview"): section(NEW, "words", "score_note", "foot"),
    ("wayfaring", "summary", "overview"): section(NEW, "words", "aid", "phases", "draw"),
    ("xanadu", "player_aid", "overview"): section(NEW, "words", "aid", "dispatch", "lines", "skills", "says"),
}

READ_OTHERWISE: dict[str, Change] = {
    "fortuna": after(
        switch("ten_value", "ten"),
        switch("same_number_scope", "table"),
        switch("refill_counts", "set_size"),
        switch("wheel_condition", "at_least"),
        switch("wheel_optional", False),
        switch("face_down_icons", "count"),
        switch("end_pile_exhausted", "on_failed_draw"),
    ),
    "journey18": after(
        switch("solve", "forced"),
        switch("solve_per_turn", "many_sequential"),
        switch("letter_windows", "turn_start_end"),
        switch("memory_power", "solved_count"),
    ),
    "wayfaring": after(
        switch("trouble_limit", "per_opponent"),
        switch("display_refill", "immediate"),
        switch("fainting", "rest"),
        switch("owner_may_peek", True),
        switch("ability_refresh", "every_turn"),
        switch("intervention_windows", "all"),
    ),
    "xanadu": after(
        switch("dispatch_rows", "chosen_row_only"),
        switch("gain_outside", "one_total"),
        switch("reset_scope", "board"),
        switch("daily_model", "one_shot"),
        switch("start_player", "vp_order"),
    ),
}
"""Switches that lines of a card follow, all away from the reading in force."""


SWEPT_OTHERWISE = [case for case in SWEPT if case.values[0] in READ_OTHERWISE]


def swept(cards: Iterable[tuple[str, str, str]]) -> list[Any]:
    """The cards as cases: those of one game for `make test`, the others for `make slow`."""
    marks = {case.values[0]: case.marks for case in SWEPT}
    return [pytest.param(*card, marks=marks[card[0]]) for card in cards]


def made(game: Game, lang: str) -> tuple[Book, Workshop]:
    workshop = Workshop(game, PROJECT.resources)
    return read_book(workshop, lang, RulebookPlay(game, lambda: load_rules(game))), workshop


def on_cards(workshop: Workshop, kind: str, lang: str) -> list[str]:
    """The text of each box with rules on the faces of a kind, without spaces; of score sheets, whole sentences alone."""
    texts = []
    for design in workshop.game.kinds[kind].designs:
        for face in workshop.game.kinds[kind].faces(design):
            drawing = workshop.draw_face(design, face, lang)
            assert drawing is not None, workshop.problems
            texts += [_bare(frame.text) for frame in drawing.frames if frame.text_role == "rule"]
    return [text for text in texts if text and (kind != "score_sheet" or text[-1] in ".。")]


def in_chapter(book: Book, anchor: str) -> list[str]:
    """The text of each cell, paragraph and entry of a chapter, without spaces; the longest first."""
    blocks, inside = list[Block](), False
    for block in dissolve_groups(book.blocks):
        if isinstance(block, Heading) and block.level == 1:
            inside = block.anchor == anchor
        if inside:
            blocks.append(block)
    assert blocks, anchor
    return sorted({_bare(text) for text in _cells(blocks)} - {""}, key=lambda text: (-len(text), text))


def _cells(blocks: list[Block]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, Paragraph):
            yield _shown(block.text)
        elif isinstance(block, Table):
            yield from (_shown(cell) for row in (block.head, *block.rows) for cell in row)
        elif isinstance(block, Box):
            yield _shown(block.title)
            yield from _cells(list(block.blocks))
        elif isinstance(block, Listing):
            for entry in block.entries:
                yield from _cells(list(entry))


def _shown(text: Text) -> str:
    """The words of a text, its icons as a card's box tells them: {goddess}."""
    return "".join(f"{{{part.name}}}" if isinstance(part, Icon) else words_from_text((part,)) for part in text)


def _bare(text: str) -> str:
    return "".join(text.split())


_LEADING_ICONS = re.compile(r"^(?:\{\w+\})+")


def left_over(text: str, said: list[str]) -> list[str]:
    """What a card says that its chapter does not: pieces of the text that are no cell, nor how one begins after icons."""
    words = [bare for cell in said if (bare := _LEADING_ICONS.sub("", cell))]
    for cell in sorted([*said, *words], key=len, reverse=True):  # an aid may draw a line's icon beside its words
        text = text.replace(cell, "\n")
    said = words
    return [piece for piece in text.split("\n") if piece and not any(cell.startswith(piece) for cell in said)]


def assert_same_lines(book: Book, workshop: Workshop, kind: str, anchor: str) -> None:
    """Everything in the boxes of a kind's faces stands in the chapter."""
    lang = book.lang
    texts, said = on_cards(workshop, kind, lang), in_chapter(book, anchor)
    assert texts
    assert {text: left for text in texts if (left := left_over(text, said))} == {}


@pytest.mark.parametrize("lang", quick(LANGUAGES, "ja"))
@pytest.mark.parametrize(("name", "kind", "anchor"), swept(CARDS))
def test_each_line_of_an_aid_is_a_line_of_the_overview(name: str, kind: str, anchor: str, lang: str) -> None:
    """Whatever an aid, a summary card or a score sheet says of the rules, the book's overview says in the same words."""
    assert_same_lines(rulebook(name, lang), shared(name), kind, anchor)


@pytest.mark.slow
@pytest.mark.parametrize("lang", quick(LANGUAGES, "ja"))
@pytest.mark.parametrize("name", SWEPT_OTHERWISE)
def test_card_and_overview_follow_the_same_switches(name: str, lang: str) -> None:
    book, workshop = made(READ_OTHERWISE[name](shared(name).game), lang)
    for game, kind, anchor in CARDS:
        if game == name and kind != "score_sheet":
            assert on_cards(shared(name), kind, lang) != on_cards(workshop, kind, lang)
            assert_same_lines(book, workshop, kind, anchor)


@pytest.mark.slow
@pytest.mark.parametrize("lang", quick(LANGUAGES, "ja"))
@pytest.mark.parametrize(("name", "kind", "anchor"), swept(LINES))
def test_one_changed_line_changes_card_and_book(name: str, kind: str, anchor: str, lang: str) -> None:
    book, workshop = made(LINES[name, kind, anchor](shared(name).game), lang)
    new = _bare(NEW[lang])
    texts, said = on_cards(workshop, kind, lang), in_chapter(book, anchor)
    assert any(new in text for text in texts)
    assert any(new in text for text in said)
    assert_same_lines(book, workshop, kind, anchor)
