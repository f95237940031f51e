"""The artist: faces in every language and in two, equal faces one object, each problem told once."""

import gc
from dataclasses import replace
from pathlib import Path

import pytest
from face_games import Table, complaints, design, drawn, svg, tale

from generator.base.display_list import TextRun, walk_leaves
from generator.game.rich_text import Words
from generator.game.source import Map, Section, Sections, Source

WHERE = "in templates/tale or templates/common"


def words(en: str, ja: str) -> Words:
    return Words({"en": en, "ja": ja})


def texts(table: Table, number: int = 0, lang: str = "en") -> str:
    drawing = table.draw(number, lang=lang)
    assert drawing is not None, table.complaints
    return "".join(leaf.text for leaf, _ in walk_leaves(drawing.items) if isinstance(leaf, TextRun))


def test_faces_speak_their_language(tmp_path: Path) -> None:
    body = (
        '<text y="9" font-size="9pt">{{ card.title }}{{ card.steps[0].says }}{{ rules.end.name }}{{ icons.star.name }}'
        "{{ kind.name }}{{ game.title }}{{ kinds.deck.count }}{{ game.players.most }}{{ lang }}</text>"
    )
    card = design(title=words("Sun", "日"), steps=[{"says": words("Go", "行")}])
    table = Table(
        tmp_path, tale(card, sections={"rules": {"end": {"name": words("End", "終")}}}), {"tale/card.svg": svg(body)}
    )
    assert texts(table) == "SunGoEndStarDeckTale14en"
    assert texts(table, lang="ja") == "日行終星山札物語14ja"


def test_texts_of_the_data_take_values(tmp_path: Path) -> None:
    """`{{ ... }}` in a card's text or a section's is filled in from rules, card and other texts."""
    body = '<text y="9" font-size="9pt">{{ card.text }}/{{ words.draw }}</text>'
    sections = {"rules": {"hand": 7}, "words": {"draw": words("take {{ rules.hand }}", "{{ rules.hand }}枚")}}
    card = design(number=3, text=words("{{ card.number }} of {{ words.draw }}", "{{ card.number }}"))
    table = Table(tmp_path, tale(card, sections=sections), {"tale/card.svg": svg(body)})
    assert texts(table) == "3 of take 7/take 7"
    assert texts(table, lang="ja") == "3/7枚"


def test_texts_that_name_what_is_missing(tmp_path: Path) -> None:
    body = '<text y="9" font-size="9pt">{{ card.text }}</text>'
    assert complaints(tmp_path / "a", body, text="to {{ crad.number }}") == [
        "data/tale/deck.yaml:7:3: in the text 'to {{ crad.number }}': 'crad' is not known here; did you mean 'card'?"
    ]
    assert complaints(tmp_path / "b", body, text="{{ card.text }}!") == [
        "data/tale/deck.yaml:7:3: the text card.text refers to itself"
    ]


@pytest.mark.slow
def test_a_drawn_face_leaves_no_garbage(tmp_path: Path) -> None:
    body = '<text y="9" font-size="9pt">{{ card.title }}</text>'
    cards = [design(f"no-{number}", title=words(f"No. {number}", f"{number}番")) for number in range(3)]
    table = Table(tmp_path, tale(*cards), {"tale/card.svg": svg(body)})
    assert texts(table) == "No. 0"
    gc.collect()
    gc.freeze()  # what other tests of this process have left may go at any time, and is not counted
    try:
        assert [texts(table, number) for number in (1, 2)] == ["No. 1", "No. 2"]
        assert gc.collect() == 0
    finally:
        gc.unfreeze()


def test_equal_markup_is_one_drawing(tmp_path: Path) -> None:
    game = tale(design("one", number=1), design("two", number=1), design("three", number=2))
    table = Table(tmp_path, game, {"tale/card.svg": svg('<rect width="{{ card.number }}" height="1"/>')})
    first, second, third = (table.draw(number) for number in range(3))
    assert first is second
    assert first is not None
    assert third != first
    japanese = table.draw(0, lang="ja")
    assert japanese is not None
    assert (first.lang, japanese.lang) == ("en", "ja")
    assert first.items == japanese.items
    assert table.draw(0) is first


def test_backs_are_drawn_once(tmp_path: Path) -> None:
    game = tale(design("one", back="back", name="Ace"), design("two", back="back", name="King"))
    templates = {"tale/card.svg": svg(""), "tale/back.svg": svg('<rect width="60" height="90"/>')}
    table = Table(tmp_path, game, templates)
    back = table.draw(0, "back")
    assert back is not None
    assert back is table.draw(1, "back")
    assert back.title == "Deck"
    fronts = [table.draw(number) for number in (0, 1)]
    assert [front and front.title for front in fronts] == ["Ace", "King"]


def test_a_face_without_template_is_none(tmp_path: Path) -> None:
    table = Table(tmp_path, tale(design()), {"tale/card.svg": svg("")})
    assert table.draw(0, "back") is None
    assert table.complaints == []


def test_a_template_that_does_not_exist(tmp_path: Path) -> None:
    table = Table(tmp_path, tale(design("one"), design("two")), {"tale/cart.svg": svg("")})
    assert table.draw(0) is table.draw(1) is None
    assert table.complaints == [f"data/tale/deck.yaml:2: there is no template 'card.svg' {WHERE}; did you mean 'cart'?"]
    named = replace(tale(design()), places=Sections({"components": section("c.yaml", mapping(deck=mapping(front="")))}))
    table = Table(tmp_path, named, {"tale/card.svg": svg("")})
    (tmp_path / "templates/tale/card.svg").unlink()
    assert table.draw(0) is None
    assert table.complaints == [f"c.yaml:2:5: there is no template 'card.svg' {WHERE}; did you mean 'cart'?"]
    own = replace(design(back="bakc"), source=Source("deck.yaml", mapping(id="one", back="bakc")))
    alone = Table(tmp_path, tale(own, design("two")), {"tale/back.svg": svg("")})
    assert alone.draw(0, "back") is None
    assert alone.complaints == [f"deck.yaml:3:5: there is no template 'bakc.svg' {WHERE}; did you mean 'back'?"]


def test_a_templates_fault_is_told_once(tmp_path: Path) -> None:
    game = tale(*(design(str(number), number=number) for number in range(5)))
    table = Table(tmp_path, game, {"tale/card.svg": svg('<rect fill="bronz" x="{{ card.number }}"/>{{ "" }}')})
    assert [table.draw(number) for number in range(5)] == [None] * 5
    assert table.complaints == ["templates/tale/card.svg:2:1: unknown colour 'bronz'; did you mean 'bronze'?"]


def test_each_cards_own_fault_is_told(tmp_path: Path) -> None:
    game = tale(design("one", icon="star"), design("two", icon="stra"), design("three", icon="mon"))
    table = Table(tmp_path, game, {"tale/card.svg": svg('<text y="9">{{ "{" ~ card.icon ~ "}" }}</text>')})
    assert [table.draw(number) is None for number in range(3)] == [False, True, True]
    assert table.complaints == [
        "data/tale/deck.yaml:7:3: the text of deck/two (en) shows the unknown icon 'stra'; did you mean 'star'?",
        "data/tale/deck.yaml:7:3: the text of deck/three (en) shows the unknown icon 'mon'; did you mean 'moon'?",
    ]


def test_text_is_never_markup(tmp_path: Path) -> None:
    body = '<text y="9">{{ card.text }}</text>'
    card = design(text='</text><rect width="9" height="9"/>&amp;')
    table = Table(tmp_path, tale(card), {"tale/card.svg": svg(body)})
    assert texts(table) == '</text><rect width="9" height="9"/>&amp;'


def test_same_input_same_drawing(tmp_path: Path) -> None:
    body = '<textbox width="40" height="20" font-size="8pt">{{ card.text }}</textbox><use href="icon:star" width="5"/>'
    first, second = (drawn(tmp_path, body, text="Take one {star} now.") for _ in range(2))
    assert first == second
    assert first is not second


def test_icons_by_colour(tmp_path: Path) -> None:
    artist = Table(tmp_path, tale(design()), {"tale/card.svg": svg("")}).artist
    star = artist.draw_icon("star", "night")
    assert star is not None
    assert star is artist.draw_icon("star", "night")
    assert star.name == "icon:star"
    assert star.items[0].fill == "night"  # type: ignore[union-attr]
    own = artist.draw_icon("star", "")
    assert own is not None
    assert own.items[0].fill == "bronze"  # type: ignore[union-attr]
    assert artist.draw_icon("stra", "ink") is None


def test_a_faulty_text_is_found_in_the_data(tmp_path: Path) -> None:
    body = '<text y="9">{{ card.title }}</text><text y="19">{{ words.end }}</text><text y="29">so {zzz} it goes</text>'
    ends = {"en": "The {{ 1 + 1 }}nd ☃", "ja": "終"}
    title = {"en": "{sta}", "ja": "日"}
    game = replace(
        tale(
            replace(
                design(title=Words(title)), source=Source("deck.yaml", mapping(title=mapping(**title), line=4), (3, 1))
            ),
            sections={"words": {"end": Words(ends)}},
        ),
        places=Sections({"words": section("words.yaml", mapping(end=mapping(**ends)))}),
    )
    table = Table(tmp_path, game, {"tale/card.svg": svg(body)})
    assert table.draw() is None
    assert [told.split(": ")[0] for told in table.complaints] == ["deck.yaml:2:5", "words.yaml:2:5", "templates/tale/card.svg:2:71"]  # fmt: skip


def mapping(**values: object) -> Map:
    """A mapping of the data whose values stand one to a line, from line 2."""
    made = Map()
    for line, (key, value) in enumerate(values.items(), 2):
        made[key] = value
        made.keys_at[key] = (line, 1)
        made.values_at[key] = (line, 5)
    return made


def section(file: str, value: Map) -> Section:
    made = Section()
    made.add(Source(file, value))
    return made


BOTH = "{% if second is defined %}<text y='19' font-size='9pt' lang='{{ second.lang }}'>{{ SECOND }}</text>{% endif %}"


def both(first: str, second: str) -> str:
    """A template with one line in the first language and one in the second, where there is one."""
    return svg(f"<text y='9' font-size='9pt'>{first}</text>" + BOTH.replace("{{ SECOND }}", second))


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
