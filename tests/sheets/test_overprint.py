"""Overprints: the prototype mark keeps off texts, numbers count the cards of a kind, and no hash knows of either."""

import re
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pytest
from conftest import Pnp
from shipped_games import SWEPT, workshop
from tests_support import TinyProject

from generator.base.display_list import Group, Item, Shape, TextRun, walk_leaves
from generator.base.geometry import Matrix, Rect, multiply
from generator.commands.print_sheets import PrintLook, PrintOrder, impose_sheets
from generator.drawing.faces.game_drawing import Workshop
from generator.game.load_game import load_game
from generator.game.print_pages import Document, Page
from generator.game.project import find_project

WORDS = {"ja": "試作", "en": "PROTOTYPE"}


def printed(game: str, lang: str, look: PrintLook, *only: str, copies: int | None = None) -> Document:
    order = PrintOrder((lang,), Path("unused"), only, copies=copies, look=look)
    return impose_sheets(workshop(game), order, lambda _doing: None)[lang]


def overprints(page: Page) -> Iterator[tuple[Matrix, tuple[Item, ...]]]:
    """What is printed over each face: the way from its coordinates to the page's, and the things."""
    for item in page.items:
        if isinstance(item, Group) and item.clip and len(item.items) == 1 and isinstance(item.items[0], Group):
            yield item.items[0].matrix, item.items[0].items


def marks(items: tuple[Item, ...]) -> Iterator[tuple[Rect, str]]:
    """The prototype marks among overprints, face coordinates: box and word."""
    for item in items:
        if isinstance(item, Group):
            corners = [
                point
                for leaf, matrix in walk_leaves((item,))
                if isinstance(leaf, Shape)
                for point in corners_of(leaf.path, matrix)
            ]
            xs, ys = [x for x, _ in corners], [y for _, y in corners]
            word = "".join(leaf.text for leaf, _ in walk_leaves((item,)) if isinstance(leaf, TextRun))
            yield Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)), word


def corners_of(path: str, matrix: Matrix) -> list[tuple[float, float]]:
    numbers = [float(word) for word in path.split() if not word.isalpha()]
    places = zip(numbers[::2], numbers[1::2], strict=True)
    return [multiply(matrix, (1, 0, 0, 1, x, y))[4:] for x, y in places]


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("game", SWEPT)
def test_the_mark_stands_in_the_margin_clear_of_all_texts(game: str, lang: str) -> None:
    """On every front of the cards, in the game's language, within 2.8 mm of an edge, over no text frame or stamp."""
    document = printed(game, lang, PrintLook(prototype=True))
    cards = {kind.id for kind in workshop(game).game.kinds.values() if kind.form == "card"}
    marked = 0
    for page in document.pages:
        fronts = {(p.trim.x, p.trim.y): p for p in page.placements} if page.side == "front" else {}
        for matrix, items in overprints(page):
            front = next(
                p
                for p in fronts.values()
                if p.trim.grow(0.001).contains(Rect(matrix[4], matrix[5], 0, 0)) and near_corner(matrix, p.trim)
            )
            drawing = front.drawing
            face = Rect(0, 0, drawing.width, drawing.height)
            for box, word in marks(items):
                marked += 1
                assert word == WORDS[lang]
                assert face.grow(-0.4).contains(box)
                assert not face.grow(-2.8).overlaps(box)
                for frame in drawing.frames:
                    assert not box.overlaps(Rect(frame.x, frame.y, frame.width, frame.height)), (front.id, frame.text)
                for run in (
                    leaf for leaf, _ in walk_leaves(drawing.items) if isinstance(leaf, TextRun) and leaf.role == "stamp"
                ):
                    assert not box.grow(0.2).contains(Rect(run.x, run.y, 0, 0)), front.id
    wanted = sum(design.count for design in workshop(game).game.designs() if design.kind in cards)
    assert marked >= wanted


def test_the_mark_goes_where_no_text_is(tiny: TinyProject) -> None:
    tiny.change(
        "templates/tiny/card.svg",
        '<textbox x="5" y="15"',
        '<textbox x="5" y="0.5" width="30" height="4" font-family="body" font-size="6.5pt">Head</textbox>'
        '<textbox x="5" y="15"',
    )
    project = find_project(tiny.root)
    drawn = Workshop(load_game(project.find_folder("tiny"), project.resources), project.resources)
    order = PrintOrder(("en",), Path("unused"), look=PrintLook(prototype=True))
    (page,) = impose_sheets(drawn, order, lambda _doing: None)["en"].pages
    found = [box for _, items in overprints(page) for box, _ in marks(items)]
    assert len(found) == 5
    for box in found:
        assert box.height > box.width
        assert not box.overlaps(Rect(5, 0.5, 30, 4))


def near_corner(matrix: Matrix, trim: Rect) -> bool:
    """Whether a face's origin is the corner of its trim that its turn brings there."""
    right, low = matrix[2] < 0 or matrix[0] < 0, matrix[1] < 0 or matrix[3] < 0
    corner = (trim.right if right else trim.x, trim.bottom if low else trim.y)
    return (matrix[4], matrix[5]) == pytest.approx(corner)


@pytest.mark.parametrize("game", SWEPT)
def test_every_card_has_the_number_of_its_own_within_its_kind(game: str) -> None:
    """1/n to n/n for each kind of cards, each once, in the stamp; no piece of another form has one."""
    document = printed(game, "en", PrintLook(numbers=True))
    found = [number for page in document.pages for number in numbers(page)]
    kinds = [kind for kind in workshop(game).game.kinds.values() if kind.form == "card" and kind.count]
    wanted = [f"{n}/{kind.count}" for kind in kinds for n in range(1, kind.count + 1)]
    assert sorted(found) == sorted(wanted)
    assert wanted


def numbers(page: Page) -> list[str]:
    """The numbers that a page's overprints show, one for each card."""
    texts = [
        "".join(leaf.text for leaf, _ in walk_leaves(items) if isinstance(leaf, TextRun))
        for _, items in overprints(page)
    ]
    return [match[1] for text in texts if (match := re.match(r"(\d+/\d+) · .*[0-9a-f]{6}$", text))]


def test_a_selection_keeps_the_numbers_of_the_whole_deck() -> None:
    deck = next(kind for kind in workshop("fortuna").game.kinds.values() if kind.form == "card")
    third, before = deck.designs[2], sum(design.count for design in deck.designs[:2])
    one = printed("fortuna", "ja", PrintLook(numbers=True), third.id)
    assert [n for page in one.pages for n in numbers(page)] == [
        f"{before + n}/{deck.count}" for n in range(1, third.count + 1)
    ]
    twice = printed("fortuna", "ja", PrintLook(numbers=True), third.id, copies=2)
    assert [n for page in twice.pages for n in numbers(page)] == [f"{n}/{2 * len(deck.designs)}" for n in (5, 6)]


@pytest.mark.parametrize("game", SWEPT)
def test_overprints_change_no_hash_and_no_back(game: str) -> None:
    plain, marked = (printed(game, "en", look) for look in (PrintLook(), PrintLook(prototype=True, numbers=True)))
    assert [digest(page) for page in plain.pages] == [digest(page) for page in marked.pages]
    backs = [(page.placements, page.items) for page in plain.pages if page.side == "back"]
    assert backs == [(page.placements, page.items) for page in marked.pages if page.side == "back"]
    assert backs


def digest(page: Page) -> str:
    """The hash in a page's label."""
    words = " ".join(item.text for item in page.items if isinstance(item, TextRun))
    match = re.search(r"· ([0-9a-f]{8})", words)
    assert match
    return match[1]


def test_the_options_reach_the_file(tiny: TinyProject, pnp: Pnp) -> None:
    """--grey writes greys alone; --low-ink, --prototype and --numbers each change the sheets, and none the next print."""
    made = {}
    for name, options in {
        "plain": [],
        "grey": ["--grey"],
        "low": ["--low-ink"],
        "mark": ["--prototype"],
        "numbers": ["--numbers"],
        "all": ["--grey", "--low-ink", "--prototype", "--numbers"],
        "again": [],
    }.items():
        assert pnp("sheets", *options, "--out", name).code == 0
        made[name] = (tiny.root / name / "tiny/sheets.en.pdf").read_bytes()
    assert made.pop("again") == made["plain"]
    assert len(set(made.values())) == len(made)
    for name in ("grey", "all"):
        operators = operators_of(tiny.root / name / "tiny/sheets.en.pdf")
        assert not operators & {"rg", "RG", "k", "K", "sc", "scn", "SC", "SCN"}
        assert "g" in operators
    assert "rg" in operators_of(tiny.root / "plain/tiny/sheets.en.pdf")


def operators_of(path: Path) -> set[str]:
    """Every operator that a PDF's pages and forms use."""
    with pikepdf.open(path) as pdf:
        streams = [page.obj for page in pdf.pages]
        streams += [one for one in pdf.objects if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == "/Form"]
        return {str(operator) for one in streams for _, operator in pikepdf.parse_content_stream(one)}
