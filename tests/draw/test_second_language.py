"""Two languages on one face: what a template sees as `second`, and texts set in the language that they name."""

from pathlib import Path

import pytest
from face_games import Table, complaints, design, drawn, svg, tale

from generator.base.display_list import TextRun, walk_leaves
from generator.game.rich_text import Words

BOTH = "{% if second is defined %}<text y='19' font-size='9pt' lang='{{ second.lang }}'>{{ SECOND }}</text>{% endif %}"


def both(first: str, second: str) -> str:
    """A template with one line in the first language and one in the second, where there is one."""
    return svg(f"<text y='9' font-size='9pt'>{first}</text>" + BOTH.replace("{{ SECOND }}", second))


def words(en: str, ja: str) -> Words:
    return Words({"en": en, "ja": ja})


def lines(table: Table, lang: str, number: int = 0) -> list[str]:
    drawing = table.draw(number, lang=lang)
    assert drawing is not None, table.complaints
    return [frame.text for frame in drawing.frames]


def test_second_holds_the_same_names(tmp_path: Path) -> None:
    """Card, sections, icons, kinds, game and language are there in both languages, texts filled in."""
    names = (
        "{{ X.card.title }}{{ X.words.draw }}{{ X.icons.star.name }}{{ X.kind.name }}{{ X.kinds.deck.name }}"
        "{{ X.game.title }}{{ X.lang }}{{ X.rules.hand }}"
    )
    card = design(title=words("Sun", "日"))
    sections = {"rules": {"hand": 7}, "words": {"draw": words("draw {{ rules.hand }}", "{{ rules.hand }}枚")}}
    template = both(names.replace("X.", ""), names.replace("X.", "second."))
    table = Table(tmp_path, tale(card, sections=sections), {"tale/card.svg": template})
    english, japanese = "Sundraw 7StarDeckDeckTaleen7", "日7枚星山札山札物語ja7"
    assert lines(table, "ja+en") == [japanese, english]
    assert lines(table, "en+ja") == [english, japanese]
    assert lines(table, "ja") == [japanese]
    assert table.artist.offered == {"ja+en", "en+ja"}


def test_second_holds_data_only(tmp_path: Path) -> None:
    """Functions are no matter of language: `second` does not repeat them."""
    template = both("x", "{{ second | list | sort | join(' ') }}").replace("9pt", "5pt")
    table = Table(tmp_path, tale(design()), {"tale/card.svg": template})
    names = "bleed card face game height icons kind kinds lang safe setup width"
    assert lines(table, "ja+en") == ["x", names]


def test_the_first_language_leads(tmp_path: Path) -> None:
    table = Table(tmp_path, tale(design(name=words("Sun", "日"))), {"tale/card.svg": both("a", "b")})
    drawing = table.draw(lang="ja+en")
    assert drawing is not None
    assert (drawing.lang, drawing.title) == ("ja", "日")


def test_a_template_without_second_is_drawn_in_the_first(tmp_path: Path) -> None:
    table = Table(
        tmp_path, tale(design(title=words("Sun", "日"))), {"tale/card.svg": svg("<text y='9'>{{ card.title }}</text>")}
    )
    drawing = table.draw(lang="ja+en")
    assert drawing is not None
    assert drawing is table.draw(lang="ja")
    assert table.artist.offered == set()


def test_cards_differ_in_their_second_language(tmp_path: Path) -> None:
    """A template that asks for the card only by `second.card` is not shared; one that does not ask for it is."""
    game = tale(design("one", title=words("Sun", "日")), design("two", title=words("Moon", "日")))
    table = Table(tmp_path / "a", game, {"tale/card.svg": both("x", "{{ second.card.title }}")})
    assert [lines(table, "ja+en", number)[1] for number in (0, 1)] == ["Sun", "Moon"]
    shared = Table(tmp_path / "b", game, {"tale/card.svg": both("x", "{{ second.game.title }}")})
    assert shared.draw(0, lang="ja+en") is shared.draw(1, lang="ja+en")


def test_second_in_one_language_says_how(tmp_path: Path) -> None:
    assert complaints(tmp_path, "{{ second.card.title }}") == [
        "templates/tale/card.svg:2: 'second' is defined only when you print two languages together; put what "
        "uses it between {% if second is defined %} and {% endif %}"
    ]


def test_mistakes_in_second_are_told(tmp_path: Path) -> None:
    """A field that does not exist is missed in the second language too; `second` itself is no text."""
    table = Table(tmp_path / "a", tale(design(title="x")), {"tale/card.svg": both("x", "{{ second.card.titl }}")})
    assert table.draw(lang="ja+en") is None
    assert table.complaints == ["templates/tale/card.svg:2: card has no field 'titl'; did you mean 'title'?"]
    loose = Table(tmp_path / "b", tale(design()), {"tale/card.svg": both("x", "{{ second }}")})
    assert loose.draw(lang="ja+en") is None
    assert loose.complaints == [
        "templates/tale/card.svg:2: second contains several values, not one text; name one of them"
    ]


def test_problems_name_both_languages(tmp_path: Path) -> None:
    table = Table(tmp_path, tale(design()), {"tale/card.svg": both("x", "☃")})
    assert table.draw(lang="ja+en") is None
    assert [told.partition(";")[0] for told in table.complaints] == [
        "templates/tale/card.svg:2:63: U+2603 '☃' has no glyph in family 'body' (text of deck (ja+en))"
    ]


@pytest.mark.parametrize("tag", ["text", "textbox"])
def test_texts_are_set_in_the_language_they_name(tmp_path: Path, tag: str) -> None:
    """`lang` chooses the fonts, and the names that `{@...}` stands for; without it, the face's language does."""
    body = "".join(f'<{tag} y="9" width="30" height="20" {lang}>{{@deck}}</{tag}>' for lang in ("", 'lang="ja"'))
    if tag == "text":
        body = body.replace('width="30" height="20" ', "")
    runs = [leaf for leaf, _ in walk_leaves(drawn(tmp_path, body).items) if isinstance(leaf, TextRun)]
    assert [(run.text, run.font.partition("_")[0]) for run in runs] == [("Deck", "SourceSans3"), ("山札", "BIZUDPGothic")]  # fmt: skip


def test_lines_are_spaced_by_the_language_they_name(tmp_path: Path) -> None:
    """English lines stand closer than Japanese ones; `lang` says which they are."""
    box = '<textbox width="25" height="40" font-size="8pt" {}>1234567890 1234567890 1234567890</textbox>'
    pitches = []
    for name, lang in (("own", ""), ("named", 'lang="ja"')):
        items = drawn(tmp_path / name, box.format(lang)).items
        first, second = sorted({leaf.y for leaf, _ in walk_leaves(items) if isinstance(leaf, TextRun)})[:2]
        pitches.append(second - first)
    assert pitches == pytest.approx([1.25 * 8 * 25.4 / 72, 1.5 * 8 * 25.4 / 72])


def test_an_unknown_language(tmp_path: Path) -> None:
    assert complaints(tmp_path, '<text lang="jp">x</text>') == [
        "templates/tale/card.svg:2:1: unknown language 'jp'; did you mean 'ja'?"
    ]
