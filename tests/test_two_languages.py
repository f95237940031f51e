"""`--lang ja+en`: both languages on one card, in a file of their own, where a template offers it."""

import subprocess

import pikepdf
import pytest
from conftest import Pnp, Tool
from serve_cases import served
from tests_support import TinyProject

GAME = "data/tiny/game.yaml"
CARD = "templates/tiny/card.svg"

SECOND = (
    '{% if second is defined %}<textbox x="5" y="26" width="30" height="6" font-family="body" font-size="7pt"'
    ' lang="{{ second.lang }}">{{ second.card.title }}</textbox>{% endif %}</svg>'
)

PLAIN = '<svg><text x="5" y="20" font-family="body" font-size="9pt">{{ card.title }}</text></svg>'


@pytest.fixture
def bilingual(tiny: TinyProject) -> TinyProject:
    """The tiny project in Japanese and English; its template speaks one language at a time."""
    tiny.change(GAME, "languages: [en]", "languages: [ja, en]")
    tiny.change(GAME, "title: Tiny", "title: {ja: 小, en: Tiny}")
    tiny.change(GAME, "name: Star", "name: {ja: 星, en: Star}")
    tiny.change(GAME, "name: Card", "name: {ja: 札, en: Card}")
    tiny.change(GAME, "title: One", "title: {ja: 一, en: One}")
    tiny.change(GAME, "title: Two", "title: {ja: 二, en: Two}")
    family = "{regular: [SourceSans3_400Regular.ttf, BIZUDPGothic_400Regular.ttf]}"
    tiny.change(GAME, "{en: {regular: [SourceSans3_400Regular.ttf]}}", f"{{ja: {family}, en: {family}}}")
    return tiny


@pytest.fixture
def offering(bilingual: TinyProject) -> TinyProject:
    """The same with a template that shows the title in a second language too."""
    bilingual.change(CARD, "</svg>", SECOND)
    return bilingual


def built(tiny: TinyProject) -> list[str]:
    return sorted(path.name for path in (tiny.root / "output").rglob("*.pdf"))


def text_of(tiny: TinyProject, name: str, pdftotext: str) -> str:
    run = [pdftotext, "-raw", str(tiny.root / "output/tiny" / name), "-"]
    return "".join(subprocess.run(run, capture_output=True, check=True).stdout.decode().split())


def test_both_languages_on_one_card(offering: TinyProject, pnp: Pnp, tool: Tool) -> None:
    assert pnp("sheets", "--lang", "ja+en").code == 0
    assert built(offering) == ["sheets.ja+en.pdf"]
    text = text_of(offering, "sheets.ja+en.pdf", tool("pdftotext"))
    for word, copies in (("一", 2), ("二", 3), ("One", 2), ("Two", 3)):
        assert text.count(word) == copies
    assert "小·草案1·シート1/1·表·ja+en·" in text
    assert text.count("草案1·") == 6
    with pikepdf.open(offering.root / "output/tiny/sheets.ja+en.pdf") as pdf:
        assert pdf.Root.Lang == "ja"
        assert str(pdf.docinfo.Title) == "小 – 印刷用シート"


def test_both_languages_in_the_live_page(offering: TinyProject, pnp: Pnp) -> None:
    """The page shows the sheets that `pnp sheets --lang` prints, and its words where a template offers one language."""
    with served(offering.root) as client:
        pages = client.json("/sheets/tiny/ja+en")["pages"]
        assert [page["holds"] for page in pages] == [["card/one", "card/two"]]
        assert client.get("/sheet/tiny/ja+en/0.png")[1] != client.get("/sheet/tiny/ja/0.png")[1]
        assert client.get("/sheets/tiny/ja+xx")[0].status == 404
    offering.change(CARD, SECOND, "</svg>")
    backed(offering)
    with served(offering.root) as client:
        assert client.json("/sheets/tiny/ja+en")["problems"] == pnp("sheets", "--lang", "ja+en").said


def test_the_order_of_languages_counts(offering: TinyProject, pnp: Pnp, tool: Tool) -> None:
    """`en+ja` leads with English; single languages can be asked for beside it."""
    assert pnp("sheets", "--lang", "en+ja", "--lang", "en").code == 0
    assert built(offering) == ["sheets.en+ja.pdf", "sheets.en.pdf"]
    assert "Tiny·draft1·sheet1of1·front·en+ja·" in text_of(offering, "sheets.en+ja.pdf", tool("pdftotext"))


def test_two_languages_are_made_on_request_only(offering: TinyProject, pnp: Pnp) -> None:
    assert pnp("build").code == 0
    assert built(offering) == ["components.en.pdf", "components.ja.pdf", "sheets.en.pdf", "sheets.ja.pdf"]


def test_one_face_is_enough(offering: TinyProject, pnp: Pnp) -> None:
    offering.change(GAME, "front: card", "front: card, back: back".replace(", ", "\n    "))
    offering.write("templates/tiny/back.svg", '<svg><rect x="-3" y="-3" width="46" height="66"/></svg>')
    assert pnp("sheets", "--lang", "ja+en").code == 0


def test_the_other_side_has_the_other_language(offering: TinyProject, pnp: Pnp, tool: Tool) -> None:
    offering.change(GAME, "title: {ja: 二", "front: plain, title: {ja: 二")
    offering.write("templates/tiny/plain.svg", PLAIN)
    assert pnp("sheets", "--lang", "ja+en").code == 0
    text = text_of(offering, "sheets.ja+en.pdf", tool("pdftotext"))
    assert [text.count(word) for word in ("一", "二", "One", "Two")] == [2, 3, 2, 3]
    with pikepdf.open(offering.root / "output/tiny/sheets.ja+en.pdf") as pdf:
        assert len(pdf.pages) == 2


def test_a_face_without_words_is_not_printed_twice(offering: TinyProject, pnp: Pnp) -> None:
    offering.change(GAME, "title: {ja: 二", "front: plain, title: {ja: 二")
    offering.write("templates/tiny/plain.svg", '<svg><rect x="5" y="20" width="9" height="9"/></svg>')
    assert pnp("sheets", "--lang", "ja+en").code == 0
    with pikepdf.open(offering.root / "output/tiny/sheets.ja+en.pdf") as pdf:
        assert len(pdf.pages) == 1


def test_a_piece_that_speaks_on_both_sides_comes_in_each_language(offering: TinyProject, pnp: Pnp, tool: Tool) -> None:
    offering.change(GAME, "title: {ja: 二", "front: plain, back: plain, title: {ja: 二")
    offering.write("templates/tiny/plain.svg", PLAIN)
    ran = pnp("sheets", "--lang", "ja+en", "--numbers", "--prototype")
    assert (ran.code, [line for line in ran.said if line.startswith("note")]) == (0, [])
    text = text_of(offering, "sheets.ja+en.pdf", tool("pdftotext"))
    assert [text.count(word) for word in ("一", "二", "One", "Two")] == [2, 6, 2, 6]
    assert [text.count(f"{n}/5·草案1·") for n in (3, 4, 5)] == [1, 1, 1]
    assert [text.count(f"{n}/5·draft1·") for n in (3, 4, 5)] == [1, 1, 1]
    assert (text.count("PROTOTYPE"), text.count("試作")) == (3, 5)


def test_a_deck_is_not_doubled_but_told(offering: TinyProject, pnp: Pnp, tool: Tool) -> None:
    """Pieces that share a back with words are printed once; that they show one language is told by kind and side."""
    offering.change(GAME, "title: {ja: 二", "front: plain, title: {ja: 二")
    offering.change(GAME, "front: card", "front: card, back: back".replace(", ", "\n    "))
    offering.write("templates/tiny/plain.svg", PLAIN)
    offering.write("templates/tiny/back.svg", PLAIN.replace("card.title", "game.title"))
    for _ in range(2):  # made, and taken from what is kept
        ran = pnp("sheets", "--lang", "ja+en")
        told = "note: tiny: card (back, front) is in ja alone; use {{ second... }} in its template to show en too"
        assert (ran.code, [line for line in ran.said if line.startswith("note")]) == (0, [told])
    text = text_of(offering, "sheets.ja+en.pdf", tool("pdftotext"))
    assert [text.count(word) for word in ("二", "Two")] == [3, 0]
    assert not [line for line in pnp("sheets").said if line.startswith("note")]


def backed(tiny: TinyProject) -> None:
    """Give the cards a common back, so that nothing of them has room for a second language."""
    tiny.change(GAME, "front: card", "front: card\n    back: back")
    tiny.write("templates/tiny/back.svg", '<svg><rect x="-3" y="-3" width="46" height="66"/></svg>')


def test_the_other_side_is_enough(bilingual: TinyProject, pnp: Pnp, tool: Tool) -> None:
    assert pnp("sheets", "--lang", "ja+en", "--only", "card/two").code == 0
    text = text_of(bilingual, "selection.ja+en.pdf", tool("pdftotext"))
    assert [text.count(word) for word in ("一", "二", "One", "Two")] == [0, 3, 0, 3]


def test_no_template_offers_it(bilingual: TinyProject, pnp: Pnp) -> None:
    backed(bilingual)
    ran = pnp("sheets", "--lang", "ja+en")
    assert (ran.code, ran.said) == (1, ["--lang ja+en: no template of tiny offers two languages; use {{ second... }} in one"])  # fmt: skip
    assert built(bilingual) == []


@pytest.mark.parametrize(
    ("edition", "said"),
    [
        ("ja+fr", "'fr' is not a language of this game; known: en, ja"),
        ("jp+en", "'jp' is not a language of this game; did you mean 'ja'?"),
        ("ja+", "'' is not a language of this game; known: en, ja"),
        ("ja+ja", "the same language twice; name two different ones"),
        ("ja+en+ja", "a card has room for two languages; name two of them"),
        ("fr", "not a language of this game; known: en, ja"),
    ],
)
def test_wrong_languages(offering: TinyProject, pnp: Pnp, edition: str, said: str) -> None:
    ran = pnp("sheets", "--lang", edition)
    assert (ran.code, ran.said) == (1, [f"{GAME}:5:12: --lang {edition}: {said}"])
    assert built(offering) == []
