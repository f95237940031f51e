"""A rulebook's template becomes a book; whatever is wrong with it is told with its file and line."""

import pytest
from conftest import ROOT, Pnp
from rulebook_project import DATA, EN, EXAMPLES, GLOSSARY, JA, BookProject, plain

from generator.books.page.blocks import (
    BlockGroup,
    Box,
    Contents,
    Figure,
    Heading,
    Index,
    Link,
    Listing,
    Paragraph,
    Table,
    Term,
    VerticalText,
)
from generator.game.rich_text import Icon, LineBreak, Plain, Ruby


def test_a_template_becomes_blocks(project: BookProject) -> None:
    """Chapters, text with its values, terms, ruby, an example with its picture, glossary and index, in order."""
    book = project.book("ja")

    assert [type(block) for block in book.blocks] == [
        *(Contents, Heading, Paragraph, Paragraph, Box, Heading, Table, Index)
    ]
    assert plain(book.blocks[2]) == "札は20枚。"
    assert book.blocks[2].role == "lead"  # type: ignore[union-attr]
    assert book.blocks[3].text == (  # type: ignore[union-attr]
        Term("手札", "hand"),
        Plain("から"),
        Ruby(("札",), ("ふだ",)),
        Plain("を出し、強い札が"),
        Term("勝負", "trick"),
        Plain("に勝つ。同じなら先の人。"),
    )
    example = book.blocks[4]
    assert isinstance(example, Box)
    assert (example.name, plain(example.blocks[0])) == ("例1", "最も高い札が取る。")
    assert isinstance(example.blocks[1], Figure)


def test_cover_and_imprint_come_from_the_data(project: BookProject) -> None:
    project.change(DATA, "licence:", "minutes: 45\nage: 10\noverview: {ja: 概要, en: All about *tricks*.}\nlicence:")
    book = project.book()
    cover = book.cover
    assert (cover.title, cover.subtitle, cover.facts) == ("Higher", "All about tricks.", ("2–4 players", "45 minutes", "ages 10 and up"))  # fmt: skip
    assert book.imprint[0].startswith("Draft 3 · 2026-01-31 · ")
    assert book.imprint[1:] == ("Somebody", "all rights reserved")
    assert (book.game, book.lang, book.date) == ("higher", "en", "2026-01-31")


def test_a_title_may_be_drawn(project: BookProject) -> None:
    words = '<text x="0" y="9" font-size="20pt" font-family="body">{{ game.title }}</text>'
    project.write("templates/higher/title.svg", f'<svg xmlns="http://www.w3.org/2000/svg">{words}</svg>')
    project.body("# Turns\n")
    assert project.book().cover.lettering is None, "a book without a cover block has none"
    project.body("```cover\nof: card/c3\n```\n\n# Turns\n")
    drawn = project.book().cover.lettering
    assert drawn is not None
    assert (drawn.width, drawn.height) == (122, 33)
    project.change("templates/higher/title.svg", "game.title", "game.titel")
    (problem,) = project.problems()
    assert problem.startswith("templates/higher/title.svg:1:") and "titel" in problem


def test_chapters_may_have_a_drawn_rule_and_boxes_a_tint(project: BookProject) -> None:
    project.change(DATA, "palette:", 'palette:\n  sand: "#f4ead0"')
    drawn = '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="{{ height }}"/></svg>'
    project.write("templates/higher/chapter.svg", drawn)
    project.body("```cover\nof: card/c3\ntint: sand\n```\n\n# Turns\n")
    cover = project.book().cover
    assert (cover.tint, cover.rule and (cover.rule.width, cover.rule.height)) == ("sand", (122, 10))
    project.body("```cover\nof: card/c3\ntint: red\n```\n\n# Turns\n")
    (problem,) = project.problems()
    assert problem.endswith(": 'red' is too dark for the text in boxes; choose a paler colour")


def test_the_imprints_hash_follows_text_and_pictures(project: BookProject) -> None:
    first = project.book().imprint[0]
    assert project.book().imprint[0] == first
    project.change("templates/higher/card.svg", "#f0e8d8", "#e0e8d8")
    picture = project.book().imprint[0]
    project.change(EN, "There are", "Here are")
    assert len({first, picture, project.book().imprint[0]}) == 3


def test_sentences_follow_the_switch(project: BookProject) -> None:
    """What belongs to a reading comes and goes with it, in both languages, and nothing else changes."""
    before = {lang: "\n".join(map(plain, project.book(lang).blocks)) for lang in ("ja", "en")}
    project.change(GLOSSARY, "value: first", "value: last")
    after = {lang: "\n".join(map(plain, project.book(lang).blocks)) for lang in ("ja", "en")}
    assert after["ja"] == before["ja"].replace("同じなら先の人。", "")
    assert after["en"] == before["en"].replace(" Of equal ones the first.", "")
    assert before["en"] != after["en"]


VALUES = [
    ("{{ count('card') }} {{ count('card/c1*') }} {{ count('card/c3') }}", "20 11 1"),
    ("{{ name('card') }}; {{ name('card/c3') }}", "Cards; the 3"),
    ("{{ design('card/c7').strength }} {{ design('card/c7').name }} {{ design('card/c7').id }}", "7 the 7 card/c7"),
    ("{% for one in designs('card/c1?') %}{{ one.strength }} {% endfor %}", "10 11 12 13 14 15 16 17 18 19"),
    ("{% for it in setup(4) %}{{ it.name }} {{ it.take }} {{ it.amount }}{% endfor %}", "Cards 3 12"),
    ("{{ reading('E1') }}", "The first to play takes it."),
    ("{% for r in readings %}{{ r.id }} {{ r.switch }} {{ r.value }} {{ r.passage }}{% endfor %}", "E1 tie first 同じ強さ"),
    ("{{ example('highest').says }} {{ example('highest').players }}", "The highest card takes the trick. 2"),
    ("{% for it in provisional %}{{ it.path }}: {{ it.value }}{% endfor %}", "rules.hand: 3"),
    ("{{ rules.hand }} {{ switches.tie }} {{ game.title }} {{ lang }} {{ kinds.card.count }}", "3 first Higher en 20"),
    ("{{ operations | length }}", "0"),
    ("{@card/c3} and **{@card/c4}**", "the 3 and the 4"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "shown"), VALUES)
def test_values_of_the_data(project: BookProject, written: str, shown: str) -> None:
    project.body(written)
    assert plain(project.book().blocks[0]) == shown


TEXTS = [
    ("en", "one *line*\nand **the {ink:next}**", "line and the next"),
    ("ja", "札を\n出す。\nAB\nCD", "札を出す。AB CD"),
    ("en", "a \\\nbreak and \\* a star", "a break and * a star"),
]


@pytest.mark.parametrize(("lang", "written", "shown"), TEXTS)
def test_lines_are_joined(project: BookProject, lang: str, written: str, shown: str) -> None:
    project.body(written.removeprefix("one "), lang=lang)
    book = project.book(lang)
    assert plain(book.blocks[0]) == shown
    assert any(isinstance(part, LineBreak) for part in book.blocks[0].text) == ("\\\n" in written)  # type: ignore[union-attr]


def test_emphasis_beside_japanese_punctuation(project: BookProject) -> None:
    """Bold closes after a bracket before a letter, as on the cards, where plain Markdown would leave the asterisks."""
    project.body("**「手札」**を見る。", lang="ja")
    assert project.book("ja").blocks[0].text == (Plain("「手札」", bold=True), Plain("を見る。"))  # type: ignore[union-attr]


def test_lists_tables_and_notes(project: BookProject) -> None:
    project.body(
        """\
- alpha
- beta

  gamma

  1. delta

| {漢|かん} | [[x\u007cy]] | C |
|---|--:|:-:|
| a | b |  |

> **Note.** Mind
> the gap.
>
> - here
""".replace("[[x\u007cy]]", "**B**"),
        free=True,
    )
    listing, table, box = project.book().blocks

    assert isinstance(listing, Listing)
    assert [len(entry) for entry in listing.entries] == [1, 3]
    assert plain(listing) == "alpha; beta gamma delta"
    inner = listing.entries[1][2]
    assert isinstance(inner, Listing)
    assert inner.ordered
    assert isinstance(table, Table)
    assert table.align == ("left", "right", "centre")
    assert table.head == ((Ruby(("漢",), ("かん",)),), (Plain("B", bold=True),), (Plain("C"),))
    assert table.rows == (((Plain("a"),), (Plain("b"),), ()),)
    assert isinstance(box, Box)
    assert (box.role, plain(box.title)) == ("note", "Note.")
    assert plain(box) == "Mind the gap. here"


def test_tags_with_other_text_keep_the_lines_end(project: BookProject) -> None:
    project.body(
        """\
First.{% if true %} More.{% endif %}

Second. {# a comment #}

Third.

| a |
|---|
{% for word in ['x', 'y'] %}
| {{ word }} |
{% if false %}| never |{% endif %}
{% endfor %}
| z |
"""
    )
    *paragraphs, table = project.book().blocks

    assert [plain(block) for block in paragraphs] == ["First. More.", "Second.", "Third."]
    assert isinstance(table, Table)
    assert [plain(row[0]) for row in table.rows] == ["x", "y", "z"]


def test_headings_have_anchors_and_links_lead_there(project: BookProject) -> None:
    project.body("# Of {{ rules.hand }} {#of}\n\n## Next\n\n## Next\n\n[here](#of)")
    of, first, second, paragraph = project.book().blocks
    assert of == Heading(1, (Plain("Of 3"),), "of")
    assert len({first.anchor, second.anchor, "of"}) == 3  # type: ignore[union-attr]
    assert paragraph.text == (Link("here", "of"),)  # type: ignore[union-attr]


def test_wide_blocks_and_spreads(project: BookProject) -> None:
    told = (ROOT / "docs/rulebook.md").read_text(encoding="utf-8")
    shown = next(part for part in told.split("````\n")[1::2] if "```spread" in part)
    project.body(shown)
    (spread,) = (block for block in project.book("en").blocks if isinstance(block, BlockGroup))
    assert spread.manner == "spread"
    assert [type(block) for block in spread.blocks] == [Heading, Paragraph, BlockGroup]
    wide = spread.blocks[2]
    assert isinstance(wide, BlockGroup) and wide.manner == "wide"
    assert [type(block) for block in wide.blocks] == [Table]


def test_an_upright_page(project: BookProject) -> None:
    project.body("```upright\n# Title\nIt: was\nnight.\n\n- Then **day**.\n```")
    assert project.book().blocks == (
        VerticalText(
            ((Plain("It: was night."),), (Plain("- Then "), Plain("day", bold=True), Plain("."))), (Plain("Title"),)
        ),
    )


def test_what_is_in_the_box(project: BookProject) -> None:
    project.body("```components\n```\n\n```setup\nalso: [[Stones, a, b, c], [Sand, all]]\n```")
    figure, table, setup = project.book().blocks
    assert isinstance(figure, Figure)
    assert figure.alt == "Cards ×20"
    assert isinstance(table, Table)
    assert [tuple(map(plain, row)) for row in table.rows] == [("Cards", "20")]
    assert isinstance(setup, Table)
    assert tuple(map(plain, setup.head)) == ("Component", "2 players", "3 players", "4 players")
    assert [tuple(map(plain, row)) for row in setup.rows] == [("Cards", "3 each", "3 each", "3 each"), ("Stones", "a", "b", "c"), ("Sand", "all", "all", "all")]  # fmt: skip


def test_legends(project: BookProject) -> None:
    """Icons with their names and what they mean, operations with their sentences, components beside theirs."""
    project.change(DATA, "palette:", "icons:\n  star: {name: {ja: 星, en: Star}}\npalette:")
    project.write(
        "templates/higher/icons/star.svg", '<svg viewBox="0 0 9 9"><path d="M0 0L9 9L0 9Z" fill="#000000"/></svg>'
    )
    operations = "operations:\n  draw: {says: {ja: 引く, en: Draw.}}\n  gain: {takes: {n: integer}, says: {ja: '{{ n }}', en: '{{ n }}'}}\n"
    project.write("data/higher/operations.yaml", operations)
    project.body("```legend\nof: [icons, draw, gain, card/c3]\nsays: {star: Shines., gain: Get., card/c3: Low.}\n```")
    icons, effects, picture, words = project.book().blocks

    assert isinstance(icons, Table)
    assert icons.rows == (((Icon("star", "ink", 5.0),), (Plain("Star"),), (Plain("Shines."),)),)
    assert plain(effects) == "Draw.; Get."
    assert isinstance(picture, Figure)
    assert (picture.place, picture.alt) == ("beside", "the 3")
    assert plain(words) == "the 3  Low."


FAULTS = [
    ("[[hnad]]", "1: the term 'hnad' is not in the glossary; did you mean 'hand'?"),
    ("Take\n{@card/c30}", "2: unknown component 'card/c30'; did you mean 'card/c3'?"),
    ("Shine\n**on** {moon}", "2: unknown icon 'moon'; there are none to choose from"),
    ("Say\n{rde:x}", "2: unknown colour 'rde'; did you mean 'red'?"),
    ("Para.\nThe **bold", "2: wrong markup: '**' is not closed on its line; write \\* for an asterisk"),
    ("[there](#nowhere)\n\n# Here {#here}", "1: a link leads to 'nowhere', but no heading has this anchor; known: here"),
    ("# A {#a}\n\n# B {#a}", "3: the anchor 'a' is used twice; rename one of them"),
    ("#### Deep", "1: a heading of level 4; use #, ## or ###"),
    ("Hand {{ rules.hnad }}", "1: rules has no field 'hnad'; did you mean 'hand'?"),
    ("a\n\n{{ count('crad') }}", "3: unknown component 'crad'; did you mean 'card'?"),
    ("{{ name('card/c33') }}", "1: unknown component 'card/c33'; did you mean 'card/c3'?"),
    ("{{ setup(7) }}", "1: there is no set-up for 7 players; this game is for 2 to 4"),
    ("{{ reading('E9') }}", "1: unknown reading 'E9'; did you mean 'E1'?"),
    ("{{ example('hihgest') }}", "1: unknown example 'hihgest'; did you mean 'highest'?"),
    ("a\n\n{% if rulse.hand %}b{% endif %}", "3: 'rulse' is not known here; did you mean 'rules'?"),
    ("> # Title\n\ntext", "1: a list or note can't contain headings, contents, index, columns or upright pages; end the list or note before it"),
    ("| a |\n|---|---|", "1: this row does not belong to a table; write all rows one below the other, |---| under the first, with as many columns"),
    ("```figrue\n```", "1: unknown block 'figrue'; did you mean 'figure'?"),
    ("a\n\n```figure\nshow: row\nof: [card/c3\n```", "5: in the figure block: the `[` that opens here is never closed; write `]` where it ends",),
    ("```figure\nshow: rwo\nof: card/c3\n```", "2: figure.show is 'rwo', which is not a valid choice; did you mean 'row'?"),
    ("```figure\nof: card/c3\nshwo: row\n```", "3: figure has no key 'shwo'; did you mean 'show'?"),
    ("```figure\nof:\n  - card/c33\n```", "3: unknown component 'card/c33'; did you mean 'card/c3'?"),
    ("```figure\nshow: row\n```", "1: the figure block names no component; add `of: ...`"),
    ("```figure\nof: card/c3\nheight: tall\n```", "3: figure.height must be a number, not 'tall'; write a number"),
    ("```figure\nof: card/c3\nheight: 900\n```", "3: figure.height is 900, but must be from 3 to 200; change the number"),
    ("```figure\nof: card/c3\nback: true\n```", "2: card/c3 has no back; show its front"),
    ("```figure\nplayers: 9\n```", "2: there is no set-up for 9 players; this game is for 2 to 4"),
    ("```figure\nexample: lowest\n```", "2: unknown example 'lowest'; known: any-card, highest"),
    ("```figure\nshow: board\nof: card/c3\npieces: {gauge: card/c4}\n```", "4: card/c3 has no space 'gauge'; there are none to choose from"),
    ("```example lowest\n```", "1: unknown example 'lowest'; known: any-card, highest"),
    ("```example any-card\n```", "1: the example any-card says nothing; give it `says:`"),
    ("```components\nwhich: [crad]\n```", "2: unknown component 'crad'; did you mean 'card'?"),
    ("```setup\nalso: [[a, b, c]]\n```", "2: a row of setup.also has 3 entries, but must have 2 or 4; give a name, then an amount for each number of players or one for all"),
    ("```legend\nof: card/c3\nsays: {card/c4: x}\n```", "3: the legend explains 'card/c4' but doesn't show it; did you mean 'card/c3'?"),
    ("```contents\npages: a\n```", "2: contents has no key 'pages'; known: title"),
    ("```end\n```", "1: this ends a block that was not started; write ```columns, ```wide or ```spread before it"),
    ("```spread\n```\n\na", "1:1: a spread without an end; write ```end after its content"),
    ("```wide\n```\n\n```columns\n```\n\na\n\n```end\n```", "4: a wide block can't contain narrow columns; write ```end before it: that ends a wide block"),
    ("```spread\n```\n\n```contents\n```\n\n```end\n```", "4:1: a spread can't contain contents, index, upright pages or the back cover; write ```end before it"),
    ("```upright\n```", "1: this upright page has no paragraph; write some text into it"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), FAULTS, ids=lambda part: part[:30])
def test_faults_are_told_with_their_line(project: BookProject, text: str, message: str) -> None:
    project.body(f"{text}\n", free="hnad" not in text)
    said = [line for line in project.problems() if "never marks the term" not in line]
    assert said == [f"{EN}:{message}"]


def test_every_fault_is_told_at_once(project: BookProject) -> None:
    project.body("Take 3 {moon}.\n\n```figrue\n```\n\n[[ghost]]\n")
    assert [line.split(": ")[0] for line in project.problems()] == [f"{EN}:1", f"{EN}:1:6", f"{EN}:3", f"{EN}:6"]


def test_what_a_rulebook_includes_is_read_as_closely(project: BookProject) -> None:
    project.write("templates/higher/turn.md", "Text.\n\nTake 2 {moon}.\n")
    project.write("templates/higher/macros.md", "{% macro cards(n) %}\n{{ n }} of 9 cards\n{% endmacro %}\n")
    project.body("{% from 'macros.md' import cards %}\n{% include 'turn.md' %}\n\n{{ cards(3) }} {sun}\n")
    assert [line.split("; ")[0] for line in project.problems()] == [
        "templates/higher/macros.md:2:12: the number '9' is typed in",
        f"{EN}:4: unknown icon 'sun'",
        "templates/higher/turn.md:3: unknown icon 'moon'",
        "templates/higher/turn.md:3:6: the number '2' is typed in",
    ]


def test_lines_count_through_loops_and_comments(project: BookProject) -> None:
    project.change(DATA, "palette:", 'words: {long: {ja: "a", en: "a\\n\\nb"}}\npalette:')
    project.body(
        "{# one\n two #}\n{% set x = 'y' %}\n\n{{ words.long }}\n\n{% for n in [0, 1] %}\n- [[ghost]]\n{% endfor %}\n\n{moon}\n"
    )
    assert [line.split(": ")[0] for line in project.problems()] == [f"{EN}:8", f"{EN}:11"]


def test_a_failing_example_is_a_problem(project: BookProject) -> None:
    project.change(EXAMPLES, "scores: [0, 2]", "scores: [2, 0]")
    assert project.problems() == [
        f"{EN}:17: the example highest fails: scores is [0, 2], not [2, 0]; correct the example or the rules"
    ]


def test_a_missing_language_is_a_problem(project: BookProject, pnp: Pnp) -> None:
    (project.root / JA).unlink()
    ran = pnp("rulebook", "--trust-rules")
    assert (ran.code, ran.out) == (1, "")
    assert ran.said == [f"{JA}: the rulebook is missing, but rulebook.en.md exists; write it"]
    assert not (project.root / "output").exists()


def test_the_command_writes_pages_booklet_and_web_page(project: BookProject, pnp: Pnp) -> None:
    """Three files for each language, the same bytes each time; `--lang` and `--page` choose."""
    ran = pnp("rulebook", "--trust-rules")
    names = [
        f"rulebook{part}" for lang in ("ja", "en") for part in (f".{lang}.pdf", f"-booklet.{lang}.pdf", f".{lang}.html")
    ]
    written = {path.name: path.read_bytes() for path in (project.root / "output/higher").iterdir()}

    assert (ran.code, ran.err) == (0, "")
    assert [line.rsplit("/", 1)[1] for line in ran.out.splitlines()] == names
    assert sorted(written) == sorted(names)

    assert pnp("rulebook", "higher", "--trust-rules", "--lang", "en", "--page", "a4", "--out", "big").code == 0
    assert sorted(path.name for path in (project.root / "big/higher").iterdir()) == sorted(names[3:])
    assert (project.root / "big/higher/rulebook.en.pdf").read_bytes() != written["rulebook.en.pdf"]

    assert pnp("rulebook", "--trust-rules").code == 0
    assert {path.name: path.read_bytes() for path in (project.root / "output/higher").iterdir()} == written


def test_building_includes_the_rulebook(project: BookProject, pnp: Pnp) -> None:
    """`pnp build` makes the rulebooks besides sheets and lists; a selection of cards has none."""
    assert pnp("build", "--trust-rules").code == 0
    built = {path.name for path in (project.root / "output/higher").iterdir()}
    assert pnp("build", "--trust-rules", "--only", "card/c3", "--out", "some").code == 0
    assert {"rulebook.ja.pdf", "rulebook-booklet.en.pdf", "rulebook.en.html", "sheets.ja.pdf"} <= built
    assert not [path for path in (project.root / "some/higher").iterdir() if path.name.startswith("rulebook")]


def test_a_game_without_templates_has_no_rulebook(project: BookProject, pnp: Pnp) -> None:
    for name in (JA, EN):
        (project.root / name).unlink()
    assert pnp("build", "--trust-rules").code == 0
    ran = pnp("rulebook", "--trust-rules")
    assert (ran.code, ran.said) == (1, ["higher: there is no rulebook; write templates/<game>/rulebook.<lang>.md (docs/rulebook.md)"])  # fmt: skip


def test_rules_of_strangers_run_only_when_trusted(project: BookProject, pnp: Pnp) -> None:
    ran = pnp("rulebook")
    assert ran.code == 1
    assert all("add --trust-rules" in line for line in ran.said if ": " in line)
    for lang in ("ja", "en"):
        project.body("Words.\n", lang=lang)
    assert pnp("rulebook").code == 0


def test_an_unknown_language_is_wrong_usage_of_the_data(project: BookProject, pnp: Pnp) -> None:
    """`--lang` with a language that no game has is told with where the languages stand."""
    ran = pnp("rulebook", "--trust-rules", "--lang", "fr")
    assert (ran.code, ran.said[0]) == (1, f"{DATA}:5:12: --lang fr: not a language of this game; known: en, ja")
