"""What is written in a book is told where its block begins, through includes and loops."""

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Pnp
from every_block import EVERYTHING, every_block, origins
from rulebook_project import DATA, EN, EXAMPLES, GLOSSARY, JA, BookProject
from small_book import ACCENT, book, card, text, workshop

from generator.base.cache import Store, hash_value
from generator.base.errors import Place, ProblemsFound
from generator.books.page.blocks import (
    Block,
    Book,
    Box,
    Contents,
    Cover,
    Figure,
    Heading,
    Index,
    Link,
    Listing,
    Origin,
    Paragraph,
    Table,
    Text,
    VerticalText,
    drop_places,
)
from generator.books.page.book_pages import typeset_book
from generator.books.rulebook import book_files
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.books.web_page import make_web_page
from generator.drawing.faces.game_drawing import Workshop
from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.game.rich_text import Icon
from generator.rules.registry import load_rules

LONG, ACE = "W" * 60, "🂡"
"""A word that is wider than any column, and a character that no font has."""

BROAD = "use a shorter word, or allow a break in it"
NONE = "U+1F0A1 '🂡' has no glyph in any font of the game; use another character, or add a font that has it to a family"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BookProject:
    made = every_block(tmp_path / "project")
    monkeypatch.chdir(made.root)
    return made


def told(project: BookProject, lang: str = "en", page: str = "A5") -> list[str]:
    """What is wrong with a book while its pages are set."""
    _, workshop = project.workshop()
    with pytest.raises(ProblemsFound) as caught:
        typeset_book(project.book(lang), workshop, page)
    return [str(problem) for problem in caught.value.problems]


def wide(words: str, by: float, page: str = "A5") -> str:
    """What is said of a word that is so many mm too wide."""
    shown = words if len(words) <= 32 else f"{words[:32]}..."
    return f"rulebook (en, {page}): a word of '{shown}' is {by} mm wider than its place; {BROAD}"


WORDS = [
    (f"Words.\n\nSome {LONG} words.", [f"3:1: {wide(f'Some {LONG}', 34.4)}"]),
    (f"- a\n\n  1. b\n  2. {LONG}", [f"4:3: {wide(LONG, 44.3)}"]),
    (f"> **{LONG}** x", [f"1:1: {wide(LONG, 40.8)}"]),
    (f"> **A**\n> {LONG}", [f"2:1: {wide(LONG, 40.8)}"]),
    (f"| {LONG} |\n|---|\n| b |", [f"1:1: {wide(LONG, 2.8)}"]),
    (f"| a |\n|---|\n| b |\n| {LONG} |", [f"4:1: {wide(LONG, 2.8)}"]),
    (f"a\n\n```figure\nof: card/c1\ncaption: {LONG}\n```", [f"3:1: {wide(LONG, 15.6)}"]),
    (f"a\n\n```example highest\ntitle: {LONG}\n```", [f"3:1: {wide(f'Example 1: {LONG}', 40.8)}"]),
    (f"```upright\n# {LONG}\n\na\n\n{LONG}\n```", [f"1:1: {wide(LONG, 107.8)}", f"6:1: {wide(LONG, 80.0)}"]),
    (f"a\n\n```index\ntitle: {LONG}\n```", [f"3:1: {wide(LONG, 185.8)}"]),
    (f"a\n\n```contents\ntitle: {LONG}\n```", [f"3:1: {wide(LONG, 185.8)}"]),
    (f"# {ACE}\n\n```contents\n```", [f"1:1: rulebook (en, A5): {NONE}"]),
    (f"a {ACE} {ACE}\n\nb {ACE}", [f"{line}:1: rulebook (en, A5): {NONE}" for line in (1, 3)]),
    (f"```setup\nalso: [[{ACE}, a]]\n```", [f"1:1: rulebook (en, A5): {NONE}"]),
    (f"```legend\nof: [icons, card/c1]\nsays: {{star: {ACE}}}\n```", [f"1:1: rulebook (en, A5): {NONE}"]),
    (f"| a |\n|---|\n| b |\n| {'word ' * 900}|", ["4:1: rulebook (en, A5): a row of a table is 200 mm tall and fits no column; shorten it, or make two of it"]),
    (
        "a\n\n> ```figure\n> of: card\n> show: column\n> height: 200\n> alt: All\n> ```",
        ["3:1: the figure 'All' is 114 x 918 mm: too large for its column; make it fit 231 x 287 mm at most, or choose a larger page"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text_", "messages"), WORDS, ids=lambda part: str(part)[:24])
def test_what_does_not_fit_is_told_where_its_block_begins(
    project: BookProject, text_: str, messages: list[str]
) -> None:
    project.body(f"{text_}\n", free=False)
    project.write(GLOSSARY, "setup:\n  - {take: 3, from: card, each_player: true}\n")
    assert told(project) == [f"{EN}:{message}" for message in messages]


TALL = "Word " * 400
TOO_TALL = [
    (EN, "# How to play {#play}", f"# {TALL}{{#play}}", f"{EN}:8:1: ", "a heading is 466 mm tall"),
    (DATA, "en: A trick", f"en: {TALL}", f"{DATA}:49:23: ", "what the cover says is 182 mm tall"),
    (DATA, "en: Higher", f"en: {TALL}", f"{DATA}:2:22: ", "what the cover says is 351 mm tall"),
    (DATA, "credit: Somebody", f"credit: {TALL * 9}", f"{DATA}:7:9: ", "the imprint is 650 mm tall"),
    (GLOSSARY, "en: One card from each player.", f"en: {TALL * 3}", f"{GLOSSARY}:5:38: ", "a row of a table is 323 mm tall"),
    (GLOSSARY, "en: trick", f"en: {TALL * 2}", f"{GLOSSARY}:3:24: ", "an entry of the index is 387 mm tall"),
]  # fmt: skip


@pytest.mark.parametrize("case", TOO_TALL, ids=lambda case: case[1])
def test_words_that_leave_the_paper_are_told(project: BookProject, case: tuple[str, str, str, str, str]) -> None:
    """A title, the cover, the imprint, a row and an entry of the index stay whole, so they must fit a page."""
    file, old, new, place, what = case
    project.body(EVERYTHING, free=False)
    project.change(file, old, new)
    assert f"{place}rulebook (en, A5): {what} and fits no column; shorten it, or make two of it" in told(project)


def test_a_title_that_its_page_head_would_cut_is_told(project: BookProject) -> None:
    long = "Word " * 30
    project.body(f"# {long}\n\n" + "Words. Words.\n\n" * 80)
    project.change(DATA, "en: Higher", f"en: {long}")
    assert told(project) == [
        f"{place}: rulebook (en, A5): '{long[:32]}...' is too long for the line at the head of a page; shorten it"
        for place in (f"{DATA}:2:22", f"{EN}:1:1")
    ]


def test_a_title_of_nothing_that_can_be_shown_is_told(project: BookProject) -> None:
    project.body("# Play\n\n" + "Words. Words.\n\n" * 80)
    project.change(DATA, "en: Higher", f"en: {ACE}")
    assert told(project) == [f"{DATA}:2:22: rulebook (en, A5): {NONE}"]


def test_vertical_lines_are_told_where_they_are_written(project: BookProject) -> None:
    project.body(f"```upright\n# {ACE}\n\n夜。\n\n{ACE}\n```\n", lang="ja")
    assert told(project, "ja") == [f"{JA}:{line}:1: rulebook (ja, A5): {NONE}" for line in (1, 6)]


DATA_TEXTS = [
    (DATA, "en: Higher", "2:22"),
    (DATA, "en: A trick", "49:23"),
    (DATA, "credit: Somebody", "7:9"),
    (DATA, "en: Draw.", "48:9"),
    (DATA, "en: Star", "46:9"),
    (GLOSSARY, "en: trick", "3:24", "9:46"),
    (GLOSSARY, "en: One card from each player.", "5:38"),
    (GLOSSARY, "ja: 手札, en", "7:16"),
    (GLOSSARY, "en: The first to play takes it.", "11:5"),
    (EXAMPLES, "en: The highest card takes the trick.", "4:31"),
]


@pytest.mark.parametrize(
    "case",
    [DATA_TEXTS[0], *(pytest.param(case, marks=pytest.mark.slow) for case in DATA_TEXTS[1:])],
    ids=lambda case: case[1],
)
def test_a_text_of_the_data_is_told_there(project: BookProject, case: tuple[str, ...]) -> None:
    """Title, credit, operations, icons, terms in both languages, readings, examples: where each stands in its file."""
    file, old, *places = case
    project.body(EVERYTHING, free=False)
    key, _, rest = old.partition(": ")
    new = f"{key}: {ACE}, en" if rest.endswith(", en") else f"{key}: {ACE}"
    project.change(file, old, new)
    assert told(project) == [f"{file}:{place}: rulebook (en, A5): {NONE}" for place in places]


@pytest.mark.slow
def test_credit_and_licence_are_told_in_their_language(project: BookProject) -> None:
    project.change(DATA, "credit: Somebody", f"credit: {{ja: だれか, en: {ACE}}}")
    project.change(DATA, "licence: all rights reserved", f"licence: {{ja: {ACE}, en: All rights reserved}}")
    assert told(project) == [f"{DATA}:7:23: rulebook (en, A5): {NONE}"]
    assert told(project, "ja") == [f"{DATA}:8:15: rulebook (ja, A5): {NONE}"]


def test_words_in_pictures_are_told_there(project: BookProject) -> None:
    """A name over a zone or a kind that the labels' fonts lack is no question mark on paper."""
    project.body("```components\n```\n\n```figure\nexample: highest\nzones: [deck, trick]\n```\n")
    project.change(DATA, "en: Cards}", f"en: {ACE}}}")
    project.change(DATA, "en: deck}", f"en: {ACE}}}")
    assert project.problems() == [f"{DATA}:{place}: rulebook (en): {NONE}" for place in ("12:5", "41:22")]


def test_a_zone_without_a_name_is_told_at_its_figure(project: BookProject) -> None:
    project.change("data/higher/rules.py", 'name = "deck" if', f'name = "{ACE}" if')
    project.body("a\n\n```figure\nexample: highest\n```\n")
    assert project.problems() == [f"{EN}:3: rulebook (en): {NONE}"]


def test_places_follow_includes_and_loops(project: BookProject) -> None:
    project.write("templates/higher/turn.md", f"Text.\n\n  - {ACE}\n")
    project.body(
        f"{{# a #}}\n{{% include 'turn.md' %}}\n\n{{% for n in [1, 2] %}}\n{ACE} {{{{ n }}}}\n\n{{% endfor %}}\n"
    )
    assert told(project) == [
        f"{file}: rulebook (en, A5): {NONE}" for file in (f"{EN}:5:1", "templates/higher/turn.md:3:3")
    ]


def test_a_mistake_in_a_reading_is_told_there(project: BookProject) -> None:
    project.change(GLOSSARY, "en: The first to play takes it.", 'en: "{{ rules.hnad }} takes it."')
    project.body("[[hand]]\n\n```readings\n```\n", free=False)
    assert project.problems() == [
        f"{GLOSSARY}:11:5: in the text '{{{{ rules.hnad }}}} takes it.': rules has no field 'hnad'; did you mean 'hand'?"
    ]


def test_the_command_tells_every_place_at_once(project: BookProject, pnp: Pnp) -> None:
    """`pnp rulebook` prints one line for each problem of the pages, in the order of the files, and writes nothing."""
    project.body(f"# Play {{#play}}\n\n{LONG}\n\n> {ACE}\n", free=True)
    project.change(DATA, "credit: Somebody", f"credit: {ACE}")
    ran = pnp("rulebook", "--trust-rules", "--lang", "en", "--page", "b5")
    assert ran.code == 1
    assert ran.said == [
        f"{DATA}:7:9: rulebook (en, B5): {NONE}",
        f"{EN}:3:1: {wide(LONG, 46.4, 'B5')}",
        f"{EN}:5:1: rulebook (en, B5): {NONE}",
        "3 problems",
    ]
    assert not (project.root / "output").exists()


AT = Origin(Place("book.md", 7, 3), (None, Place("words.yaml", 2, 5)))
ASTRAY: Text = (Icon("moon"), Link("b", "nowhere"))
SMALL: list[tuple[Block, str]] = [
    (Heading(1, ASTRAY, "a", AT), "book.md:7:3"),
    (Paragraph(ASTRAY, origin=AT), "book.md:7:3"),
    (Listing(((Paragraph(ASTRAY, origin=AT),),)), "book.md:7:3"),
    (Listing(((Paragraph(ASTRAY, origin=AT), Paragraph(text("a"))),)), "book.md:7:3"),
    (Table((ASTRAY,), ((text("a"),),), ("left",), origin=AT), "book.md:7:3"),
    (Table((text("a"),), ((ASTRAY,),), ("left",), origin=AT), "book.md:7:3"),
    (Table((text("a"),), ((text("a"),), (ASTRAY,)), ("left",), origin=AT), "words.yaml:2:5"),
    (Table((text("a"),), ((text("a"),),), ("left",), ASTRAY, origin=AT), "book.md:7:3"),
    (Figure(card(), "card", ASTRAY, origin=AT), "book.md:7:3"),
    (Box("note", ASTRAY, (Paragraph(text("a")),), AT), "book.md:7:3"),
    (VerticalText((text("a"),), ASTRAY, AT), "book.md:7:3"),
    (VerticalText((text("a"), ASTRAY), (), AT), "words.yaml:2:5"),
    (Contents(ASTRAY, AT), "book.md:7:3"),
    (Index(ASTRAY, (), AT), "book.md:7:3"),
    (Index(text("a"), ((text("a"), "a"), (ASTRAY, "b")), AT), "words.yaml:2:5"),
]


@pytest.mark.parametrize(
    ("block", "place"), SMALL, ids=lambda part: part if isinstance(part, str) else type(part).__name__
)
def test_icons_and_links_that_lead_nowhere_are_told_where_they_stand(block: Block, place: str) -> None:
    made = replace(book("en"), blocks=(Heading(1, text("A"), "here"), block))
    for write in (
        lambda: typeset_book(made, workshop(), "A5", ACCENT),
        lambda: make_web_page(made, workshop(), ACCENT),
    ):
        with pytest.raises(ProblemsFound) as caught:
            write()
        said = [str(problem).split("; ")[0] for problem in caught.value.problems]
        assert {line.split(": ")[0] for line in said} == {place}
        assert any("there is no icon 'moon'" in line for line in said)


NO_GLYPH = "🂡"


def test_every_block_knows_where_it_is_written(project: BookProject) -> None:
    project.body(EVERYTHING, free=False)
    found = list(origins(project.book()))
    names = {name for name, _ in found}
    assert names == {kind.__name__ for kind in (Book, Cover, *Block.__args__)}  # type: ignore[attr-defined]
    for name, origin in found:
        assert all(place.line and place.column for place in (origin.place, *origin.parts) if place), (name, origin)
        assert origin.place, name
    assert sum(len(origin.parts) for _, origin in found) > 30


MOVES = [
    (EN, "```cover", "{# a remark #}\n```cover"),
    (GLOSSARY, "glossary:", "# a remark\nglossary:"),
    (DATA, "format: 1", "# a remark\nformat: 1"),
    (EXAMPLES, "examples:", "# a remark\nexamples:"),
]


@pytest.mark.parametrize(("file", "old", "new"), MOVES)
def test_a_moved_line_changes_places_and_no_content(project: BookProject, file: str, old: str, new: str) -> None:
    project.body(EVERYTHING, free=False)
    before = project.book()
    project.change(file, old, new)
    after = project.book()
    assert before == after
    assert list(origins(before)) != list(origins(after))
    assert hash_value(drop_places(before)) == hash_value(drop_places(after))
    assert all(origin == Origin() for _, origin in origins(drop_places(after)))


def test_kept_books_have_no_places(project: BookProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A remark sets no page anew, and a problem is told in the line where it stands now, however often it was told."""
    store, was_set = Store(tmp_path / "kept"), list[str]()
    folder = project.root / "data/higher"
    true = book_files.typeset_and_proofread
    monkeypatch.setattr(book_files, "typeset_and_proofread", lambda *all_: was_set.append("set") or true(*all_))

    def made() -> book_files.BookFiles | list[str]:
        found = find_project(project.root)
        game = load_game(found.find_folder("higher"), found.resources)
        game = replace(game, rules_module="")  # what a stranger's rules say is asked for each time
        shop = Workshop(game, found.resources, store=store)
        try:
            return book_files.make_book_files(
                shop, "en", RulebookPlay(game, lambda: load_rules(game, folder)), book_files.BookOptions(), "ink"
            )
        except ProblemsFound as problems:
            return [str(problem).split(": ")[0] for problem in problems.problems]

    project.body("Words.\n")
    first = made()
    project.body("{# a remark #}\nWords.\n")
    assert made() == first and len(was_set) == 1
    project.body(f"Words. {NO_GLYPH}\n")
    assert [made(), made()] == [[f"{EN}:1:1"]] * 2
    project.body(f"{{# a remark #}}\nWords. {NO_GLYPH}\n")
    assert made() == [f"{EN}:2:1"]
    project.body("{# a remark #}\n{# another #}\nWords.\n")
    assert made() == first and len(was_set) == 4
