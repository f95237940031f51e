"""`pnp read-aloud`: what a face says, once, icons by name; a page with anchors, and codes that lead to them."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pypdfium2
import pytest
from tests_support import TinyProject

from generator.base.display_list import TextRun, walk_leaves
from generator.base.geometry import MM_PER_PT
from generator.drawing.faces.game_drawing import Workshop
from generator.exchange.read_aloud import CodeLabel, SpokenDesign, set_code_labels, spoken_to_page
from generator.game.load_game import load_game
from generator.game.project import find_project

Pnp = Callable[..., Any]


def said(tiny: TinyProject, pnp: Pnp, *more: str) -> tuple[str, str]:
    """The tiny game's text and page."""
    ran = pnp("read-aloud", "tiny", "--out", str(tiny.root / "out"), *more)
    assert ran.code == 0, ran.err
    folder = tiny.root / "out" / "tiny"
    return tuple((folder / f"read-aloud.en.{suffix}").read_text(encoding="utf-8") for suffix in ("txt", "html"))  # type: ignore[return-value]


def test_every_piece_is_told_with_its_icons(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Name, kind and copies, then the face's texts; an icon that no text names is named."""
    monkeypatch.chdir(tiny.root)
    text, page = said(tiny, pnp)
    assert text == ("Tiny, read aloud\n\nOne – Card, 2 copies\n1\nShown: Star\n\nTwo – Card, 3 copies\n2\n")
    assert re.findall(r'<article id="([^"]+)"><h3>([^<]+)', page) == [("card-one", "One"), ("card-two", "Two")]
    assert "<svg" not in page


def test_page_escapes_texts_of_the_game() -> None:
    """Markup in a game's texts is text on the page, in elements and in attributes."""
    design = SpokenDesign("card-one", "<b>One", 'A "kind" & more', 2, ("<script>alert(1)</script>",))
    page = spoken_to_page("<i>", [design], "en", 'https://example.org/"x').decode()
    assert "<h1>&lt;i&gt;</h1>" in page
    assert "<h3>&lt;b&gt;One</h3>" in page
    assert "<h2>A &quot;kind&quot; &amp; more</h2>" in page
    assert "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>" in page
    assert 'aria-label="https://example.org/&quot;x#card-one"' in page


def test_what_stands_twice_is_said_once(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card that may be turned says its title twice, and an icon before its name says it again: both are heard once."""
    monkeypatch.chdir(tiny.root)
    box = '<textbox x="5" y="15" width="30" height="10" font-family="body" font-size="8pt">{{ card.title }}</textbox>'
    rule = box.replace("{{ card.title }}", "Take a {star} Star and <b>{star}</b>.").replace('y="15"', 'y="42"')
    rule = rule.replace("<b>", "").replace("</b>", "")
    tiny.change("templates/tiny/card.svg", box, box + box.replace('y="15"', 'y="28"') + rule)
    text, _ = said(tiny, pnp)
    assert "One – Card, 2 copies\n1\nTake a Star and Star.\n\nTwo" in text


def test_what_a_template_keeps_from_it_is_not_said(
    tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A text with `aloud="no"` is printed but not read; anything but yes and no is a mistake of the template."""
    monkeypatch.chdir(tiny.root)
    number = 'x="5" y="40" font-family="body" font-size="8pt" text-role="number"'
    scale = f'<g transform="translate(1 1)"><text {number} aloud="no">9</text><text {number}>7</text></g></svg>'
    tiny.change("templates/tiny/card.svg", "</svg>", scale)

    text, _ = said(tiny, pnp)

    assert "7" in text
    assert "9" not in text
    tiny.change("templates/tiny/card.svg", 'aloud="no"', 'aloud="perhaps"')
    ran = pnp("read-aloud", "tiny")
    assert ran.code == 1
    assert "perhaps" in ran.err


def test_codes_lead_to_the_anchors(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tiny.root)
    _, page = said(tiny, pnp, "--url", "https://example.org/tiny/")
    addresses = re.findall(r'aria-label="([^"]+)"', page)
    assert addresses == [f"https://example.org/tiny/read-aloud.en.html#card-{name}" for name in ("one", "two")]
    assert len(set(re.findall(r'<path d="([^"]+)"', page))) == 2
    ran = pnp("read-aloud", "tiny", "--url", "https://example.org/" + "x" * 300)
    assert ran.code == 1
    assert "choose a shorter address" in ran.err


def test_codes_come_on_labels_too(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tiny.root)
    assert said(tiny, pnp)
    path = tiny.root / "out/tiny/read-aloud-labels.en.pdf"
    assert not path.exists()

    _, page = said(tiny, pnp, "--url", "https://example.org/tiny/")

    document = pypdfium2.PdfDocument(path)
    assert [tuple(round(side * MM_PER_PT) for side in one.get_size()) for one in document] == [(210, 297)]
    words = document[0].get_textpage().get_text_range().split()
    assert words == ["One", "Card", "Two", "Card"]
    seen = document[0].render(scale=300 / 72).to_pil().convert("L")
    codes = re.findall(r'<path d="([^"]+)"', page)
    for number, code in enumerate(codes):
        x, y = 12 + number * 62 + 4, (297 - 8 * 32) / 2 + 4
        dark = [tuple(map(float, corner)) for corner in re.findall(r"M ?([\d.]+)[ ,]([\d.]+)", code)]
        assert len(dark) > 100
        module = min(b - a for a, b in pairwise(sorted({corner[1] for corner in dark})))
        for dx, dy in dark:
            at = [round((place + module / 2) / MM_PER_PT / 72 * 300) for place in (x + dx, y + dy)]
            assert seen.getpixel((at[0], at[1])) < 100, (number, dx, dy)


def test_many_labels_take_more_sheets(tiny: TinyProject) -> None:
    """24 on each, in order; a long name is set smaller."""
    project = find_project(tiny.root)
    game = load_game(project.find_folder("tiny"), project.resources)
    workshop = Workshop(game, project.resources)
    names = [
        "A name that is long enough to want many lines beside its code on paper, and goes on, and on, and on, until it is over"
    ] + ["Short"] * 48
    document = set_code_labels(
        workshop, "en", "Tiny", [CodeLabel(name, "Card", f"https://x.org/#{n}") for n, name in enumerate(names)]
    )
    assert [len(page.items) for page in document.pages] == [24, 24, 1]
    long, short = (
        {leaf.size for leaf, _ in walk_leaves((item,)) if isinstance(leaf, TextRun)}
        for item in document.pages[0].items[:2]
    )
    assert max(long) < max(short)
