"""Laws of the check lists of all games that ship: complete, counted right, in their margins, nothing on top of another."""

import re
import subprocess
import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import cache
from io import BytesIO
from itertools import combinations, product

import pikepdf
import pytest
from list_pages import Listed, groups, inks, listed, name_of, opened, shipped
from shipped_games import PROJECT, SWEPT, SWEPT_EDITIONS
from tests_support import quick

from generator.base.display_list import TextRun
from generator.base.geometry import Rect
from generator.books.check_list import make_check_list
from generator.drawing.faces.draw_face import Artist
from generator.game.print_pages import Backs
from generator.game.rich_text import Words
from generator.sheets.settings import SheetSettings

LANGUAGES = ("ja", "en")
RUBY = re.compile(r"\{([^{}|]+)\|[^{}]+\}")

each = pytest.mark.parametrize(("game", "lang"), SWEPT_EDITIONS)


def plain(text: str) -> str:
    return re.sub(r"[\s\u00ad]", "", unicodedata.normalize("NFKC", text))


def written(one: Listed, document: str = "made") -> bytes:
    """The PDF of the check list, or of the sheets."""
    out = BytesIO()
    one.workshop.write_document(getattr(one, document), out)
    return out.getvalue()


@cache
def text_of(game: str, lang: str, pdftotext: str, document: str = "made") -> str:
    """What a PDF reader finds in the check list of a game that ships, or in its sheets."""
    pdf = written(shipped(game)[lang], document)
    return plain(
        subprocess.run([pdftotext, "-raw", "-", "-"], input=pdf, check=True, capture_output=True).stdout.decode()
    )


def own_name(fields: dict[str, object], lang: str) -> str | None:
    """The name that the data give a design, where it has no `{{ }}` to fill in; read here anew."""
    value = fields.get("name") or fields.get("title")
    text = value[lang] if isinstance(value, Words) else value
    return RUBY.sub(r"\1", text) if isinstance(text, str) and "{{" not in text else None


@pytest.mark.slow
@each
def test_every_design_stands_there_with_name_and_count(game: str, lang: str, tool: Callable[[str], str]) -> None:
    """A PDF reader finds the name of every design, and as many `x3` as designs with three copies.

    A design without a name goes by its id, in words where that is made of numbers and icons.
    """
    one = shipped(game)[lang]
    text = text_of(game, lang, tool("pdftotext"))
    designs = [design for design in one.workshop.game.designs() if design.count]

    names = Counter(plain(name) for design in designs if (name := own_name(dict(design.fields), lang)))
    for name, least in names.items():
        assert text.count(name) >= least, name
    for kind in one.workshop.game.kinds.values():
        if kind.count:
            assert plain(kind.name[lang]) in text
        for design in kind.designs:
            if design.count and len(kind.designs) > 1 and not {"name", "title"} & {*design.fields}:
                own = design.id.split("/")[1].split("-")
                icons = one.workshop.game.icons
                spelt = all(part in icons or part.isdigit() for part in own)
                words = (
                    [icons[part].name[lang] if part in icons else part for part in own] if spelt else ["-".join(own)]
                )
                assert plain("".join(words)) in text
    found = Counter(map(int, re.findall(r"×(\d+?)(?=×|\D|$)", "".join(counts(one)))))
    assert found == Counter(design.count for design in designs)


def counts(one: Listed) -> list[str]:
    """The numbers beside the tick boxes, as they are set."""
    return [
        "".join(getattr(item, "text", "") for item in group.items)
        for _, group in groups(one.made, "text")
        if name_of(group).startswith("count ") and "/" in name_of(group)
    ]


@each
def test_totals_are_the_models(game: str, lang: str, tool: Callable[[str], str]) -> None:
    """Each kind's subtotal, the number of designs and of all pieces are those of the game."""
    one = shipped(game)[lang]
    text = text_of(game, lang, tool("pdftotext"))
    kinds = [kind for kind in one.workshop.game.kinds.values() if kind.count]
    designs = sum(1 for kind in kinds for design in kind.designs if design.count)
    pieces = sum(kind.count for kind in kinds)

    if lang == "ja":
        assert f"合計{designs}種" in text and f"全{pieces}点" in text
    else:
        assert f"Total{designs}designs" in text and f"{pieces}pieces" in text
    shown = {name_of(group): group for _, group in groups(one.made, "text")}
    for kind in kinds:
        words = "".join(item.text for item in shown[f"count {kind.id}"].items)
        assert re.sub(r"\D", "", words) == str(kind.count)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "lang"), quick(product(PROJECT.games, ("ja", "en")), ("fortuna", "en")))
def test_stated_sheets_are_those_of_the_print(game: str, lang: str, tool: Callable[[str], str]) -> None:
    """The labels in the sheets' own PDF count as many sheets as the list, and its groups cover each sheet once."""
    one = shipped(game)[lang]
    pdftotext = tool("pdftotext")
    sheets = text_of(game, lang, pdftotext, "sheets")
    label = r"シート(\d+)/(\d+)" if lang == "ja" else r"sheet(\d+)of(\d+)"
    printed = {int(number) for number, _ in re.findall(label, sheets)}
    total = {int(of) for _, of in re.findall(label, sheets)}
    text = text_of(game, lang, pdftotext)
    stated = re.search(r"A4用紙合計(\d+)枚" if lang == "ja" else r"(?:g/m2)?(\d+)sheets?ofA4", text)

    assert stated is not None
    assert total == {int(stated[1])} == {len(printed)}
    spans = [name_of(group) for _, group in groups(one.made, "tick") if name_of(group).startswith("sheets ")]
    covered = []
    for span in spans:
        first, last = map(int, span.removeprefix("sheets ").split("-"))
        covered += range(first, last + 1)
    assert covered == sorted(printed)


@each
def test_one_box_to_tick_for_each_design(game: str, lang: str) -> None:
    """Every design that is in the box has one tick box, 4 mm wide and high; so has every step and group of sheets."""
    one = shipped(game)[lang]
    ticks = [(page, group) for page, group in groups(one.made, "tick")]
    names = [name_of(group) for _, group in ticks]
    assert [name for name in names if "/" in name] == [d.id for d in one.workshop.game.designs() if d.count]
    assert len(set(names)) == len(names)
    for page in one.made.pages:
        for group, box in inks(one, page):
            if group.id == "tick":
                assert (round(box.width, 3), round(box.height, 3)) == (4.0, 4.0)


@pytest.mark.parametrize(
    ("game", "paper", "backs"),
    [
        *(pytest.param(*one.values, "A4", "long", marks=one.marks) for one in SWEPT),
        pytest.param("wayfaring", "Hagaki", "none", marks=pytest.mark.slow),
        pytest.param("wayfaring", "Tabloid", "separate", marks=pytest.mark.slow),
    ],
)
def test_nothing_leaves_the_margins_or_lies_on_another(game: str, paper: str, backs: Backs) -> None:
    """All ink stays in the margins, and no text, picture or tick box touches another's ink."""
    for one in shipped(game, paper, backs).values():
        for page in one.made.pages:
            margin = min(13.0, page.size.width / 15)
            inside = Rect(0, 0, page.size.width, page.size.height).grow(-margin)
            things = list(inks(one, page))
            assert things
            # A letter may lean out a little: a hash that ends in f does by 0.07 mm.
            assert [(name_of(group), box) for group, box in things if not inside.contains(box, 0.1)] == []
            solid = [(group, box) for group, box in things if group.id != "artifact"]
            for (first, here), (second, there) in combinations(solid, 2):
                assert not here.overlaps(there, 0.02), (name_of(first), name_of(second), page.sheet)


@pytest.mark.slow
@pytest.mark.parametrize("game", SWEPT)
def test_the_same_list_is_the_same_bytes(game: str) -> None:
    """Made anew from the files, it does not differ in a byte; and it is one that other programs can open."""
    again = listed(opened(PROJECT, game))
    for lang, one in shipped(game).items():
        pdf = written(one)
        assert pdf == written(again[lang])
        with pikepdf.open(BytesIO(pdf)) as read:
            assert read.Root.Lang == lang
            assert len(read.pages) == len(one.made.pages)


@pytest.mark.parametrize("game", SWEPT)
def test_no_face_is_drawn_for_the_list(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All pictures are the faces that the sheets were printed from."""
    one = shipped(game)[LANGUAGES[0]]

    def never(*_arguments: object) -> None:
        raise AssertionError("a face was drawn again")

    monkeypatch.setattr(Artist, "_draw_rendered", never)
    again = make_check_list(one.workshop, one.sheets, SheetSettings(one.sheets.pages[0].size, "A4"), "x.pdf", "ink")
    pictures = [name_of(group) for _, group in groups(again, "picture")]
    fronts = [name.removeprefix("front ") for name in pictures if name.startswith("front ")]
    assert fronts == [design.id for design in one.workshop.game.designs() if design.count]


@pytest.mark.slow  # all of a large game is drawn for its title
def test_a_latin_title_has_latin_word_spaces() -> None:
    """In a Japanese list a title in Latin words is one run of one font: an ideographic font's spaces gape in it."""
    shown = [thing for _, thing in groups(shipped("xanadu")["ja"].made, "text") if name_of(thing) == "title"]
    runs = [item for thing in shown for item in thing.items if isinstance(item, TextRun)]
    assert [run.text for run in runs] == ["Forwarder of Xanadu"]
