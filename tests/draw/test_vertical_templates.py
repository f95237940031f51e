"""Vertical text in templates: its attributes, its box on the face, and its problems in the author's words."""

from pathlib import Path

import pytest
from face_games import Table, complaints, design, drawn, svg, tale

from generator.base.display_list import TextRun
from generator.base.geometry import MM_PER_PT
from generator.game.rich_text import Words
from generator.text.fonts import Font

EM = 8 * MM_PER_PT


def columns(tmp_path: Path, element: str) -> list[TextRun]:
    """The runs of a Japanese face with that element."""
    table = Table(
        tmp_path, tale(design(text=Words({"en": "Night", "ja": "珍獣屋の夜"}))), {"tale/card.svg": svg(element)}
    )
    drawing = table.draw(lang="ja")
    assert drawing is not None, table.complaints
    return [item for item in drawing.items if isinstance(item, TextRun)]


def test_a_textbox_of_columns(tmp_path: Path) -> None:
    """`width` is how far columns may spread, `height` how long they are; the first is at the right."""
    box = "<textbox x='10' y='20' width='30' height='9' font-size='8pt' writing-mode='vertical-rl'>{{ card.text }}</textbox>"
    first, second = columns(tmp_path, box)
    assert (first.text, second.text) == ("珍獣屋", "の夜")
    assert first.x == pytest.approx(40 - EM, abs=0.01)
    assert first.x - second.x == pytest.approx(1.5 * EM, abs=0.01)
    assert first.y == pytest.approx(20 + 0.88 * EM, abs=0.01)


def test_a_line_of_text_downwards(tmp_path: Path) -> None:
    for anchor, part in (("start", 0.0), ("middle", 0.5), ("end", 1.0)):
        line = f"<text x='30' y='40' font-size='8pt' text-anchor='{anchor}' writing-mode='vertical-rl'>珍獣</text>"
        (run,) = columns(tmp_path, line)
        assert run.x == pytest.approx(30 - EM / 2)
        assert run.y == pytest.approx(40 + (0.88 - 2 * part) * EM, abs=0.01)


def test_horizontal_is_the_usual_mode(tmp_path: Path) -> None:
    """`horizontal-tb` is what a text without the attribute has."""
    usual = columns(tmp_path, "<text x='30' y='40'>珍獣</text>")
    assert columns(tmp_path, "<text x='30' y='40' writing-mode='horizontal-tb'>珍獣</text>") == usual
    assert not usual[0].places


def test_letter_spacing_in_columns(tmp_path: Path) -> None:
    (run,) = columns(
        tmp_path, "<text x='30' y='9' font-size='8pt' letter-spacing='0.5em' writing-mode='vertical-rl'>珍獣</text>"
    )  # fmt: skip
    assert run.places[1][1] == pytest.approx(1.5 * EM)


def test_phrases_by_either_attribute(tmp_path: Path) -> None:
    """`phrases="yes"` and `text-wrap="phrase"` both keep phrases whole."""
    lines = []
    for attribute in ("phrases='yes'", "text-wrap='phrase'", "text-wrap='wrap'"):
        box = f"<textbox width='12' height='30' font-size='8pt' min-size='8pt' text-role='title' {attribute}>星降る夜に旅立つ</textbox>"
        lines.append([run.text for run in columns(tmp_path, box)])
    assert lines == [["星降る", "夜に", "旅立つ"]] * 2 + [["星降る夜", "に旅立つ"]]


@pytest.mark.parametrize("tag", ["text", "textbox width='9' height='9'"])
def test_unknown_modes_are_problems(tag: str, tmp_path: Path) -> None:
    name = tag.split(maxsplit=1)[0]
    assert complaints(tmp_path, f"<{tag} writing-mode='vertical-lr'>x</{name}>") == [
        "templates/tale/card.svg:2:1: writing-mode: 'vertical-lr' is not a valid value; did you mean 'vertical-rl'?"
    ]
    assert complaints(tmp_path, "<rect writing-mode='vertical-rl'/>")[0].startswith(
        "templates/tale/card.svg:2:1: unknown attribute 'writing-mode' on <rect>"
    )
    assert complaints(tmp_path, "<textbox width='9' height='9' text-wrap='phrases'>x</textbox>") == [
        "templates/tale/card.svg:2:1: text-wrap: 'phrases' is not a valid value; did you mean 'phrase'?"
    ]


def test_what_does_not_fit_is_too_wide(tmp_path: Path) -> None:
    table = Table(
        tmp_path,
        tale(design(text=Words({"en": "Night", "ja": "珍獣屋の夜" * 5}))),
        {
            "tale/card.svg": svg(
                "<textbox width='5' height='12' font-size='8pt' writing-mode='vertical-rl'>{{ card.text }}</textbox>"
            )
        },
    )
    assert table.draw(lang="ja") is None
    (problem,) = table.complaints
    assert "text of deck/one (ja) does not fit its box: " in problem
    assert " mm too wide at 6.5 pt" in problem


def test_characters_without_a_vertical_form_are_problems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand = Font.shape_column
    monkeypatch.setattr(Font, "shape_column", lambda font, *said: stand(font, *said)._replace(turned=False))
    table = Table(
        tmp_path,
        tale(design()),
        {"tale/card.svg": svg("<text writing-mode='vertical-rl'>「珍獣」</text><text y='9'>「珍獣」</text>")},
    )
    assert table.draw(lang="ja") is None
    assert table.complaints == [
        "templates/tale/card.svg:2:1: '「' (U+300C) has no vertical form in family 'body' (text of deck (ja)); "
        "use a font with vertical glyphs",
        "templates/tale/card.svg:2:1: '」' (U+300D) has no vertical form in family 'body' (text of deck (ja)); "
        "use a font with vertical glyphs",
    ]


def test_unknown_variants_are_problems(tmp_path: Path) -> None:
    table = Table(tmp_path, tale(design()), {"tale/card.svg": svg("<text>辻\U000e010f</text>")})
    assert table.draw(lang="ja") is None
    (problem,) = table.complaints
    assert "the variant U+8FBB U+E010F '辻\U000e010f' has no glyph in family 'body' (text of deck (ja))" in problem


def test_frames_of_columns_are_the_boxes(tmp_path: Path) -> None:
    drawing = drawn(
        tmp_path,
        "<textbox x='5' y='6' width='20' height='40' writing-mode='vertical-rl'>Night</textbox>"
        "<text x='30' y='40' font-size='8pt' writing-mode='vertical-rl'>Night</text>",
    )
    box, line = drawing.frames
    assert (box.x, box.y, box.width, box.height) == (5, 6, 20, 40)
    assert line.x < 30 < line.x + line.width
    assert line.y == 40
