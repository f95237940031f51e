"""A quick start: sections of the rulebook on one page, each sentence written once; what can't be taken is told."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import Pnp
from pypdfium2 import PdfDocument
from rulebook_project import BookProject, plain
from table_plans import PLAN, PLAN_FILE
from tests_support import project_files

from generator.base.cache import Store
from generator.base.display_list import PlacedSymbol, visit_items
from generator.books.page import book_pages
from generator.books.page.blocks import Block, Book, Box, Figure, Heading, Link, Listing, Paragraph, Table
from generator.books.page.book_pages import set_book_on_sheet
from generator.books.page.composer import Composer
from generator.books.page.page_style import Format
from generator.books.page.strips import Lane, Strip
from generator.books.rulebook.book_templates import QUICK_START
from generator.books.rulebook.read_book import read_book
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.drawing.faces.game_drawing import Workshop
from generator.game.print_pages import Document
from generator.game.project import find_project
from generator.rules.registry import load_rules

RULEBOOK = project_files("book")["quick_start.md"]

QUICK = {lang: f"templates/higher/quickstart.{lang}.md" for lang in ("ja", "en")}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BookProject:
    """A game with a rulebook of many blocks in two languages, in the current folder."""
    made = BookProject(tmp_path / "project")
    for lang in ("ja", "en"):
        made.body(RULEBOOK, lang=lang)
        quick(made, "```part #start\n```\n", lang)
    monkeypatch.chdir(made.root)
    return made


def quick(project: BookProject, text: str, lang: str = "en") -> None:
    project.write(QUICK[lang], text)


def pages(path: Path) -> list[tuple[list[int], str]]:
    """Each page's size in mm and its words."""
    with PdfDocument(path) as document:
        return [
            ([round(side / 72 * 25.4) for side in page.get_size()], page.get_textpage().get_text_range())
            for page in document
        ]


def read(project: BookProject) -> Book:
    game, workshop = project.workshop()
    played = RulebookPlay(game, lambda: load_rules(game, project.root / "data" / "higher"))
    return read_book(workshop, "en", played, QUICK_START)


def test_a_section_is_taken_as_it_is(project: BookProject) -> None:
    """Up to the next heading, a section of the page; what opened a chapter is running text, values are filled in."""
    book = read(project)
    kinds = [type(block) for block in book.blocks]
    assert kinds == [Heading, Paragraph, Paragraph, Listing, Figure, Table, Box]
    first, lead, second = book.blocks[:3]
    assert isinstance(first, Heading) and (first.level, first.anchor, plain(first)) == (2, "start", "Start")
    assert isinstance(lead, Paragraph) and lead.role == "body"
    assert plain(second) == "Then 20 cards; see how, here."


def test_links_to_what_is_not_taken_are_words(project: BookProject) -> None:
    _, _, text, _, _, table, note = read(project).blocks
    assert isinstance(text, Paragraph) and isinstance(table, Table) and isinstance(note, Box)
    assert [inline.anchor for inline in text.text if isinstance(inline, Link)] == ["start"]
    assert not any(isinstance(inline, Link) for row in table.rows for cell in row for inline in cell)
    assert "Mind this." in plain(note)
    quick(project, "```part #start\n```\n\n```part #how\ntake: text\n```\n")
    text = read(project).blocks[2]
    assert isinstance(text, Paragraph)
    assert [inline.anchor for inline in text.text if isinstance(inline, Link)] == ["how", "start"]


@pytest.mark.parametrize(
    ("keys", "kinds"),
    [
        ("take: lists", [Heading, Listing]),
        ("take: [figures, tables]", [Heading, Figure, Table]),
        ("take: notes\nuntitled: true", [Box]),
        ("most: 1", [Heading, Paragraph]),
        ("take: text\nwhole: true", [Heading, Paragraph, Paragraph, Heading, Paragraph]),
    ],
)
def test_what_is_taken_can_be_chosen(project: BookProject, keys: str, kinds: list[type]) -> None:
    quick(project, f"```part #start\n{keys}\n```\n")
    assert [type(block) for block in read(project).blocks] == kinds


def test_a_part_may_be_a_step(project: BookProject) -> None:
    quick(project, "```part #start\nstep: true\nwhole: true\ntake: text\n```\n")
    assert [block.level for block in read(project).blocks if isinstance(block, Heading)] == [3, 3]


def test_a_drawn_title_is_on_the_sheet_as_on_white_paper(project: BookProject) -> None:
    """It needs no cover block, and knows that the sheet is white."""
    quick(project, "```part #start\n```\n")
    assert read(project).cover.lettering is None
    shapes = "<rect width='{{ 4 if on_paper else 8 }}' height='2'/>"
    project.write("templates/higher/title.svg", f'<svg xmlns="http://www.w3.org/2000/svg">{shapes}</svg>')
    drawn = read(project).cover.lettering
    assert drawn is not None and [str(item) for item in drawn.items if "L 4 0" in str(item)]


@pytest.mark.slow
def test_numbers_that_no_figure_shows_are_reported(pnp: Pnp, project: BookProject) -> None:
    project.write(PLAN_FILE, PLAN)
    project.change("templates/higher/card.svg", "<text ", '<text id="number" ')
    callouts = "```figure\nof: card/c3\ncallouts: {number: Its number.}\n```\n"
    table = "```tabletop\nonly: [deck, hand]\n```\n"
    texts = "Deal hands {place:hand}.\n\n1. The rest is the deck {place:deck}.\n\n> Mind the number {callout:number}.\n"
    project.body(f"# Start {{#start}}\n\n{texts}\n{callouts}\n{table}\n# Card {{#card}}\n\n{callouts}")
    cases = {"text": "1", "[text, lists]": "1, 2", "notes": "1", "[notes, figures]": "", "[text, lists, notes, figures]": ""}  # fmt: skip
    for take, missing in cases.items():
        quick(project, f"```part #start\ntake: {take}\n```\n")
        ran = pnp("rulebook", "higher", "--lang", "en", "--trust-rules")
        what = f"quickstart.en.md:2: '#start' mentions numbers that no figure here shows: {missing}; "
        assert ran.code == bool(missing) and (what in ran.err) == bool(missing), ran.err
    quick(project, "```part #start\ntake: text\n```\n\n```part #card\ntake: figures\n```\n")
    assert "no figure here shows: 1;" in pnp("rulebook", "higher", "--lang", "en", "--trust-rules").err


def test_a_part_may_have_a_title_of_its_own(project: BookProject) -> None:
    quick(project, "```part #start\ntitle: Before you play\nwhole: true\ntake: text\n```\n")
    headings = [block for block in read(project).blocks if isinstance(block, Heading)]
    assert [(plain(block), block.level) for block in headings] == [("Before you play", 2), ("Inside", 3)]


def test_examples_are_taken_only_when_asked_for(project: BookProject) -> None:
    quick(project, "```part #how\n```\n")
    assert [type(block) for block in read(project).blocks] == [Heading, Paragraph]
    quick(project, "```part #how\ntake: examples\n```\n")
    taken = read(project).blocks[1]
    assert isinstance(taken, Box) and taken.role == "example"


def test_text_of_its_own_stands_between_the_parts(project: BookProject) -> None:
    quick(project, "Welcome to {{ game.title }}.\n\n```part #start\ntake: lists\n```\n\nHave fun.\n")
    assert [plain(block) for block in read(project).blocks][-1] == "Have fun."


def test_what_cannot_be_taken_is_told(pnp: Pnp, project: BookProject) -> None:
    """Each with its line: an unknown section, kind and key, nothing left, a section twice; and none in a rulebook."""
    wrong = [
        "```part #strat\n```", "```part #start\ntake: [lists, pictures]\n```", "```part #inside\ntake: tables\n```",
        "```part #how\nmost: 0\nwhat: x\n```", "```part #how\nuntitled: false\n```",
    ]  # fmt: skip
    quick(project, "\n\n".join(wrong) + "\n")
    ran = pnp("rulebook", "higher", "--lang", "en", "--trust-rules")
    said = [line for line in ran.err.splitlines() if "quickstart.en.md" in line]
    assert ran.code == 1 and [line.split("quickstart.en.md:")[1] for line in said] == [
        "1: the rulebook has no section '#strat'; did you mean '#start'?",
        "5: part.take has 'pictures'; known: examples, figures, lists, notes, tables, text",
        "9: `take:` selects nothing from '#inside'; it has text; write them to `take:`",
        "13: part.most is 0, but must be from 1 to 100; change the number",
        "14: part has no key 'what'; known: most, step, take, title, untitled, whole",
        "17: '#how' is taken twice; leave out one of them, or write `untitled: true`",
    ]
    project.body("# Start {#start}\n\n```part #start\n```\n")
    ran = pnp("rulebook", "higher", "--lang", "en", "--trust-rules")
    assert "rulebook.en.md:3: unknown block 'part'" in ran.err


def test_a_short_quick_start_is_one_page(pnp: Pnp, project: BookProject) -> None:
    """A4, with the title, what it is and the cover's picture; no booklet, no web page."""
    ran = pnp("rulebook", "higher", "--trust-rules")
    assert ran.code == 0, ran.err
    folder = project.root / "output/higher"
    names = {path.name for path in folder.iterdir()}
    assert {name for name in names if name.startswith("quick")} == {"quickstart.en.pdf", "quickstart.ja.pdf"}
    ((size, text),) = pages(folder / "quickstart.en.pdf")
    assert size == [210, 297]
    assert "Quick start · 2–4 players" in text and "Then 20 cards" in text
    pnp("rulebook", "higher", "--trust-rules", "--page", "Letter", "--lang", "en")
    ((size, _),) = pages(folder / "quickstart.en.pdf")
    assert size == [216, 279]


PARAGRAPH = "Some words that make a paragraph of the page, line after line, until it is full and fuller. " * 6


@pytest.mark.parametrize("page", ["A5", "Letter"])
def test_a_longer_quick_start_takes_both_sides_of_its_sheet(pnp: Pnp, project: BookProject, page: str) -> None:
    quick(project, f"{PARAGRAPH}\n\n" * 18)
    ran = pnp("rulebook", "higher", "--lang", "en", "--trust-rules", "--page", page)
    assert ran.code == 0, ran.err
    front, back = pages(project.root / "output/higher/quickstart.en.pdf")
    assert "Quick start" in front[1] and "Quick start" not in back[1]
    assert "Somebody" in back[1] and "Somebody" not in front[1]
    assert [text for _, text in (front, back) if text.split()[-1] in ("1", "2")] == []


def test_a_text_far_too_long_for_the_front_is_tried_there_once(
    project: BookProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the least size can't make fit isn't set in it; what comes near is."""
    tried: list[tuple[int, float]] = []
    really = book_pages.typeset_book

    def typeset(book: Book, workshop: Workshop, format_: Format, accent: str) -> Document:
        tried.append((format_.sides, format_.larger))
        return really(book, workshop, format_, accent)

    monkeypatch.setattr(book_pages, "typeset_book", typeset)
    for paragraphs, sizes in ((18, [1.16]), (14, [1.16, 0.95])):
        tried.clear()
        quick(project, f"{PARAGRAPH}\n\n" * paragraphs)
        set_book_on_sheet(read(project), project.workshop()[1])
        assert [round(larger, 2) for sides, larger in tried if sides == 1] == sizes


def test_what_two_processes_have_set_is_not_set_again(
    project: BookProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One makes the rulebook and one the quick start; neither has seen what the other keeps."""
    made: list[Block] = []
    really = Composer._compose_new_block

    def compose(self: Composer, block: Block, lane: Lane) -> list[Strip]:
        made.append(block)
        return really(self, block, lane)

    monkeypatch.setattr(Composer, "_compose_new_block", compose)
    game, _ = project.workshop()
    resources = find_project(project.root).resources
    books = project.book(), project.book(volume=QUICK_START)

    def set_books(shops: Sequence[Workshop]) -> list[Block]:
        made.clear()
        for book, shop in zip(books, shops, strict=True):
            book_pages.typeset_book(book, shop)
        for shop in shops:
            shop.save_faces()
        return [block for block in made if isinstance(block, Figure)]  # it has no links

    def open_two() -> list[Workshop]:
        return [Workshop(game, resources, store=Store(tmp_path / "kept")) for _ in books]

    assert len(set_books(open_two())) > len(set_books(open_two())) == 0


def test_pictures_are_as_large_as_the_sheet_has_room(project: BookProject) -> None:
    """Beside type of the largest size that fits, they take what is left, and then are no smaller than in a book."""
    quick(project, f"```part #start\ntake: figures\n```\n\n{PARAGRAPH}\n\n")
    book = read(project)
    (figure,) = (block for block in book.blocks if isinstance(block, Figure))
    items = [item for page in set_book_on_sheet(book, project.workshop()[1]).pages for item in page.items]
    drawn = [
        item for item, _ in visit_items(items, True, lambda _holder, inside: inside) if isinstance(item, PlacedSymbol)
    ]
    (scale,) = (item.matrix[0] for item in drawn if item.symbol.name == f"figure:{figure.alt}")
    assert scale >= 1.0


def test_a_quick_start_too_long_says_by_how_much(pnp: Pnp, project: BookProject) -> None:
    """Its type is set smaller first; what doesn't fit both sides at the least size is a problem in mm."""
    quick(project, f"{PARAGRAPH}\n\n" * 40)
    ran = pnp("rulebook", "higher", "--lang", "en", "--trust-rules")
    (line,) = [line for line in ran.err.splitlines() if "quickstart" in line]
    assert ran.code == 1
    assert line.split("quickstart.en.md:")[1].startswith("1:1: quickstart (en): about ")
    told = int(line.split("about ")[1].split(" mm of a column too long for both sides of one A4 sheet")[0])
    assert 100 < told < 2000
    assert line.endswith("write less, or take less of the rulebook (`take:`, `most:`)")


def test_a_faulty_rulebook_is_told_once(pnp: Pnp, project: BookProject) -> None:
    project.body(RULEBOOK + "\n[[nothing]]\n")
    ran = pnp("rulebook", "higher", "--lang", "en", "--trust-rules")
    assert ran.code == 1 and ran.err.count("is not in the glossary") == 1


def test_a_game_without_one_has_no_fault(pnp: Pnp, project: BookProject) -> None:
    for path in QUICK.values():
        (project.root / path).unlink()
    assert pnp("rulebook", "higher", "--trust-rules").code == 0
    quick(project, "```part #start\n```\n")
    ran = pnp("rulebook", "higher", "--trust-rules")
    assert "quickstart.ja.md: the quick start is missing, but quickstart.en.md exists; write it" in ran.err


@pytest.mark.slow
def test_leaflet_and_epub_are_made_when_asked_for(pnp: Pnp, project: BookProject) -> None:
    folder = project.root / "output/higher"
    pnp("rulebook", "higher", "--trust-rules", "--lang", "en")
    usual = {path.name for path in folder.iterdir()}
    assert pnp("rulebook", "higher", "--trust-rules", "--lang", "en", "--leaflet", "--epub").code == 0
    more = {path.name for path in folder.iterdir()} - usual
    assert more == {"rulebook-leaflet.en.pdf", "rulebook.en.epub"}
    made = pages(folder / "rulebook-leaflet.en.pdf")
    assert len(made) < len(pages(folder / "rulebook.en.pdf"))
    size, text = made[0]
    assert size == [210, 297]
    assert "Then 20 cards" in text and "Contents" not in text
