"""The report of followed cards: what stands is told first, a picture and a table for each kind of card, in each language."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from shipped_games import PROJECT, workshop

from generator.base.languages import phrase
from generator.books.page.blocks import Figure, Heading, Paragraph, Table
from generator.game.rich_text import Plain
from generator.lab.card_experiments import CardReport
from generator.lab.findings import Preference, card_findings
from generator.lab.results import Result, read_result
from generator.rules.engine.table import piece_name

Pnp = Callable[..., Any]
FILE = Path("out/journey8/lab-cards.json")


@pytest.fixture
def result(tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> Result:
    """What 60 games of journey8 showed."""
    monkeypatch.chdir(tmp_path)
    ran = pnp("lab", "cards", "journey8", "--players", "2", "--games", "60", "--executor", "processes:1", "--out", "out",
              "--project", str(PROJECT.root))  # fmt: skip
    assert ran.code == 0, ran.err
    return read_result(FILE.read_text(encoding="utf-8"), str(FILE))


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_a_picture_and_a_table_for_each_kind(result: Result, lang: str) -> None:
    """All designs are named in both; the picture has those with a figure, from the best down."""
    shop = workshop("journey8")
    book = CardReport(result, shop, lang, None).make_book()
    (tables,) = card_findings(result)
    heads = [block.text[0].text for block in book.blocks if isinstance(block, Heading)]
    figures = [block for block in book.blocks if isinstance(block, Figure)]
    rows = [len(block.rows) for block in book.blocks if isinstance(block, Table) and any(block.head)]

    assert heads[:2] == [shop.game.kinds[kind].name[lang] for kind in ("bookmark", "joker")]
    assert rows == [21, 3]
    assert len(figures) == 2
    ordered = sorted((one for one in tables.found if one.kind == "bookmark"), key=lambda one: -one.by_drawing.at)
    told = [figures[0].alt.index(f"{piece_name(shop.game, one.design, lang)} ") for one in ordered]
    assert told == sorted(told)


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_designs_that_others_outdo(result: Result, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the data, and by what players took: each with those above it. Without any there is no such heading."""
    shop = workshop("journey8")
    heads = [
        block.text[0] for block in CardReport(result, shop, lang, None).make_book().blocks if isinstance(block, Heading)
    ]
    result.about["experiment"]["cards"]["dominated"] = ["bookmark/red-1 < bookmark/red-2", "bookmark/red-1 < bookmark/blue-3"]  # fmt: skip
    (tables,) = card_findings(result)
    told = Preference("give", "bookmark", {("a", "b"): 30}, {}, {"bookmark/red-4": ("bookmark/red-5",)})
    monkeypatch.setattr(
        "generator.lab.card_experiments.card_findings", lambda _: [replace(tables, preferences=(told,))]
    )
    blocks = CardReport(result, shop, lang, None).make_book().blocks
    rows = [block.rows for block in blocks if isinstance(block, Table) and any(block.head)][-2:]

    names = {
        design: piece_name(shop.game, f"bookmark/{design}", lang)
        for design in ("red-1", "red-2", "red-4", "red-5", "blue-3")
    }
    assert [[cell[0] for cell in row] for table in rows for row in table] == [
        [Plain(names["red-1"]), Plain(phrase("and", lang).join((names["red-2"], names["blue-3"])))],
        [Plain(names["red-4"]), Plain(names["red-5"])],
    ]
    assert Plain(phrase("lab_cards_outdone", lang)) in [block.text[0] for block in blocks if isinstance(block, Heading)]
    assert Plain(phrase("lab_cards_outdone", lang)) not in heads


@pytest.mark.slow
def test_old_data_are_told(result: Result) -> None:
    """A report says when the data have changed since."""
    shop = workshop("journey8")
    blocks = [CardReport(result, shop, "en", None, stale=stale).make_book().blocks for stale in (False, True)]
    said = [sum(isinstance(block, Paragraph) for block in one) for one in blocks]
    assert said[1] == said[0] + 1


@pytest.mark.slow
def test_pages_and_a_web_page(result: Result, pnp: Pnp) -> None:
    """The command writes both, and the words of the report are in them."""
    ran = pnp(
        "lab", "show", str(FILE), "--pdf", "--html", "--lang", "en", "--project", str(PROJECT.root), "--out", "out"
    )
    assert ran.code == 0, ran.err
    pages = pypdfium2.PdfDocument("out/journey8/lab-cards.en.pdf")
    words = "".join(page.get_textpage().get_text_range() for page in pages)
    web = Path("out/journey8/lab-cards.en.html").read_text(encoding="utf-8")
    for part in ("What the cards are worth", "wins if played", "Mantel"):
        assert part in words
        assert part in web


@pytest.mark.slow
def test_going_without_has_its_own_words(pnp: Pnp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no other reading of a passage, and says so."""
    monkeypatch.chdir(tmp_path)
    here = ("--project", str(PROJECT.root), "--out", "out")
    few = ("--players", "2", "--games", "20", "--executor", "processes:1")
    assert pnp("lab", "cards", "journey8", "--without", "joker", *few, *here).code == 0
    assert pnp("lab", "show", "out/journey8/lab-without.json", "--html", "--lang", "en", *here).code == 0
    web = Path("out/journey8/lab-without.en.html").read_text(encoding="utf-8")
    assert "Going without a card" in web
    for words in ("readings in force", "each reading", "as it is read now", "over all readings"):
        assert words not in web, "nothing is read another way there"
    assert "What does a seat lose if it may not use a card?" in web
    assert "other readings would change" not in web


@pytest.mark.slow
def test_two_results_of_cards_are_not_compared(result: Result, pnp: Pnp) -> None:
    """That is told, instead of figures that mean nothing."""
    ran = pnp("lab", "show", str(FILE), str(FILE))
    told = "results of `pnp lab cards` can't be compared with others; show one result at a time\n"
    assert (ran.code, ran.err) == (1, told)
