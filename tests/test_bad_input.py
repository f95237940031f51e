"""Whatever is wrong with a project is said at once, in words, with its place; the last good files stay untouched."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Pnp
from PIL import Image
from tests_support import TinyProject, files_below, refuse_new_files

GAME = "data/tiny/game.yaml"
CARD = "templates/tiny/card.svg"
BOOK = "templates/tiny/rulebook.en.md"


@pytest.fixture
def refuse(tiny: TinyProject, pnp: Pnp) -> Callable[..., list[str]]:
    """Build something broken: exit code 1, no traceback, the good build's files as they were and nothing beside."""
    assert pnp("build").code == 0
    built = files_below(tiny.root / "output")

    def refused(*arguments: str) -> list[str]:
        ran = pnp("build", *arguments, code=1)
        assert ran.out == ""
        assert len(built) == 3  # sheets, check list, report
        assert files_below(tiny.root / "output") == built
        return ran.said

    return refused


TEMPLATE_FAULTS = [
    ("{{ card.value }}", "{{ card.valeu }}", "3: card has no field 'valeu'; did you mean 'value'?"),
    ("{{ card.value }}", "{{ crad.value }}", "3: 'crad' is not known here; did you mean 'card'?"),
    ("{{ card.value }}", "{{ card.value | uper }}", "3: there is no filter 'uper'; did you mean 'upper'?"),
    ("{{ card.value }}", "{{ card.value", "3:58: the `{{` is never closed; write `}}` where it ends"),
    ("{% endif %}", "", "5:3: the `{% if %}` is never closed; write {% endif %} where it ends"),
    ('fill="#f0e8d8"', 'fill="rde"', "2:3: unknown colour 'rde'; did you mean 'red'?"),
    ('fill="#f0e8d8"', 'opacity="half"', "2:3: opacity: 'half' is not a number"),
    ("<rect x", "<blink x", "2:3: <blink> is not supported; known: circle, clipPath"),
    ('font-family="body" font-size="12pt"', 'font-family="bdoy" font-size="12pt"', "3:3: unknown font family 'bdoy'; did you mean 'body'?"),
    ('href="icon:{{ card.mark }}"', 'href="icon:moon"', "5:21: unknown icon 'moon'; known: star"),
    ('width="46"', 'width="46ells"', "2:3: width: '46ells' has the unknown unit 'ells'; use mm, cm, in, pt, px, em or %"),
    ('font-size="8pt"', 'font-size="5pt"', "4:3: font-size is 5 pt, below the 6.5 pt that readers need for a rule; enlarge it, or give it its right text-role"),
]  # fmt: skip


def test_all_problems_come_at_once(tiny: TinyProject, refuse: Callable[..., list[str]]) -> None:
    tiny.change(CARD, 'fill="#f0e8d8"', 'fill="rde"')
    tiny.change(CARD, 'href="icon:{{ card.mark }}"', 'href="icon:moon"')
    tiny.change(CARD, "<textbox", "<txtbox")
    tiny.change(CARD, "</textbox", "</txtbox")
    tiny.change(GAME, "count: 2", "count: 3")

    assert refuse() == [
        f"{GAME}:16:13: card: not as many copies as the draft states: 6 of 5 in 2 designs; change a count, or `stated`",
        f"{CARD}:2:3: unknown colour 'rde'; did you mean 'red'?",
        f"{CARD}:4:3: <txtbox> is not supported; did you mean 'textbox'?",
        f"{CARD}:5:21: unknown icon 'moon'; known: star",
        "4 problems",
    ]


LONG = "Incomprehensibilities of long words " * 6

TEXT_FAULTS = [
    ("title: One", f"title: {LONG}", "22:36: text of card/one (en) does not fit its box: 15.0 mm too tall at 6.5 pt; " f"shorten it or enlarge the textbox at {CARD}:4:3"),
    ("title: One", "title: One 猫", "22:36: U+732B '猫' has no glyph in family 'body' (text of card/one (en)); use another character, or add a font that has it to the family"),
    ("title: One", 'title: "One {rde:x}"', "22:36: the text of card/one (en) names the unknown colour 'rde'; did you mean 'red'?"),
    ("title: One", 'title: "{One"', "22:36: the text of card/one (en) has wrong markup near '{One': '{' is not closed on its line; write \\{ for a brace",),
    ("title: One", 'title: "{{ rules.hand }}"', "22:36: in the text '{{ rules.hand }}': rules has no field 'hand'; there are none to choose from"),
    ("front: card", "front: crad", "15:12: there is no template 'crad.svg'"),
    ("size: [40, 60]", "size: [400, 600]", "14:11: card/one#1 is 400 x 600 mm: A4 takes at most 190 x 270 mm with bleed, cut marks and rulers; choose a larger --paper"),
    ("size: [40, 60]", "size: [40, 60]\n    form: cube", "14:11: a cube has equal sides, but its size is 40 x 60 mm; write one number: the edge in mm"),
    ("SourceSans3_400Regular.ttf", "SourceSans3_400Regula.ttf", "29:9: there is no font file 'SourceSans3_400Regula.ttf'; did you mean 'SourceSans3_400Regular.ttf'?"),
]  # fmt: skip


FAULTS = [*((CARD, *fault) for fault in TEMPLATE_FAULTS), *((GAME, *fault) for fault in TEXT_FAULTS)]


@pytest.mark.parametrize(("file", "old", "new", "said"), FAULTS, ids=[fault[2][:24] for fault in FAULTS])
def test_faults_that_drawing_finds(
    tiny: TinyProject, refuse: Callable[..., list[str]], file: str, old: str, new: str, said: str
) -> None:
    """Each is told at its place, where it can be known with the column, once, however many cards it touches.

    In the template, and in the data: text that does not fit, a missing glyph, markup, sizes and fonts.
    """
    tiny.change(file, old, new)
    lines = refuse()
    assert len(lines) == 1
    assert lines[0].startswith(f"{file}:{said}")


def picture(tiny: TinyProject, href: str) -> Path:
    """Let the template show a picture; where it would lie."""
    tiny.change(CARD, "</svg>", f'<image href="{href}" x="1" y="1" width="5" height="5"/></svg>')
    return tiny.write(f"templates/tiny/{href}", b"") if ".." not in href else tiny.root


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (
            Path.unlink,
            "there is no file 'art/x.png' in templates/tiny or templates/common; there are none to choose from",
        ),
        (
            lambda path: path.write_bytes(b"BM89a"),
            "'art/x.png' is not a PNG, JPEG, WebP, GIF, TIFF or AVIF picture, although its name says so; save it as one "
            "of these",
        ),
        (
            Image.new("1", (12000, 12000)).save,
            "the picture 'art/x.png' has 12000 x 12000 pixels, more than 60 million; 600 dpi at its printed size is enough",
        ),
    ],
    ids=["missing", "no picture", "a small file with many pixels"],
)
def test_a_picture_that_can_not_be_shown(
    tiny: TinyProject, refuse: Callable[..., list[str]], spoil: Callable[[Path], object], said: str
) -> None:
    spoil(picture(tiny, "art/x.png"))
    assert refuse() == [f"{CARD}:6:1: {said}"]


def test_a_picture_outside_the_project(tiny: TinyProject, refuse: Callable[..., list[str]], tmp_path: Path) -> None:
    Image.new("1", (4, 4)).save(tmp_path / "outside.png")
    picture(tiny, "../../../outside.png")
    assert refuse() == [
        f"{CARD}:6:1: '../../../outside.png' is outside the templates; put the file into the game's templates folder"
    ]
    tiny.change(CARD, "../../../outside.png", "art/x.png")
    (tiny.root / "templates/tiny/art").mkdir()
    (tiny.root / "templates/tiny/art/x.png").symlink_to(tmp_path / "outside.png")
    assert refuse() == [
        f"{CARD}:6:1: 'art/x.png' is a link to a file outside the templates; copy the file into the templates"
    ]


def test_a_file_that_is_no_font(tiny: TinyProject, refuse: Callable[..., list[str]]) -> None:
    tiny.write("fonts/my.ttf", b"no font")
    tiny.change(GAME, "SourceSans3_400Regular.ttf", "my.ttf")
    assert refuse() == [f"{GAME}:29:9: the font file 'my.ttf' can't be used: it is not a TrueType or OpenType font"]


def test_a_missing_font_does_not_hide_other_faults(tiny: TinyProject, refuse: Callable[..., list[str]]) -> None:
    """What another family lacks is told beside it; texts in the family, and in another that shares the file, are not."""
    tiny.change(
        GAME,
        "  body: {en: {regular: [SourceSans3_400Regular.ttf]}}",
        "  body: {en: {regular: [SourceSans3_400Regular.ttf, BIZUDPGothic_400Regul.ttf]}}\n"
        "  twin: {en: {regular: [BIZUDPGothic_400Regul.ttf]}}\n"
        "  whole: {en: {regular: [SourceSans3_400Regular.ttf]}}",
    )
    texts = "".join(
        f'<text x="5" y="{y}" font-family="{family}">猫</text>'
        for y, family in ((40, "body"), (45, "twin"), (50, "whole"))
    )
    tiny.change(CARD, "</svg>", f"{texts}</svg>")
    tiny.change(CARD, 'width="30" height="10" font-family="body"', 'width="1" height="1" font-family="twin"')

    assert refuse() == [
        f"{GAME}:29:9: there is no font file 'BIZUDPGothic_400Regul.ttf'; did you mean 'BIZUDPGothic_400Regular.ttf'?",
        f"{CARD}:6:93: U+732B '猫' has no glyph in family 'whole' (text of card/one (en)); "
        "use another character, or add a font that has it to the family",
        f"{CARD}:6:93: U+732B '猫' has no glyph in family 'whole' (text of card/two (en)); "
        "use another character, or add a font that has it to the family",
        "3 problems",
    ]


WHOLE_TEMPLATES = {
    b'<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>': f"{CARD}:1:1: a DOCTYPE is not allowed; leave it out",
    b"<svg>\n\xff</svg>": f"{CARD}:2:1: byte 0xFF is not UTF-8; save the file as UTF-8",
    b"": f"{CARD}: the template is empty; draw an <svg> in it",
    b"{% if lang == 'ja' %}<svg/>{% endif %}": f"{CARD}: the template produces no output here; draw an <svg> in it",
    b"<svg>{% for i in range(90000) %}{% for j in range(90000) %}<g/>{% endfor %}{% endfor %}</svg>": (
        f"{CARD}:1: too many loop steps and macro calls; the limit for one face is 100,000"
    ),
}


@pytest.mark.parametrize("text", WHOLE_TEMPLATES, ids=lambda text: text[:16].decode("utf-8", "replace") or "empty")
def test_hostile_and_broken_templates(tiny: TinyProject, refuse: Callable[..., list[str]], text: bytes) -> None:
    tiny.write(CARD, text)
    assert refuse() == [WHOLE_TEMPLATES[text]]


def test_data_faults_reach_the_command_line(tiny: TinyProject, refuse: Callable[..., list[str]]) -> None:
    tiny.change(GAME, "count: 2", "cuont: 2")
    tiny.write("data/tiny/bad.yaml", "words:\n\ta: 1\n")
    tiny.write("data/tiny/worse.yaml", "words: [1, 2\n")
    assert refuse() == [
        "data/tiny/bad.yaml:2:1: a tab is used to indent; use ordinary spaces (the lines above have none)",
        "data/tiny/worse.yaml:1:8: the `[` that opens here is never closed; write `]` where it ends",
        "2 problems",
    ]


def test_options_that_pick_nothing(refuse: Callable[..., list[str]]) -> None:
    assert refuse("--only", "card/tow", "--lang", "fr") == [
        f"{GAME}:5:12: --lang fr: not a language of this game; known: en",
        "--only 'card/tow' matches no component of tiny; did you mean 'card/two'?",
        "2 problems",
    ]


@pytest.mark.parametrize(("size", "count", "hint"), [(30, 1, " --only 'chip/*'"), (30, 0, ""), (500, 1, "")])
def test_what_could_be_printed_instead_of_too_large_pieces(
    tiny: TinyProject, pnp: Pnp, size: int, count: int, hint: str
) -> None:
    tiny.write(
        "data/tiny/more.yaml",
        f"components: {{chip: {{name: Chip, size: [{size}, {size}], front: card, "
        f"fields: {{title: words, value: integer, mark: {{type: icon, optional: true}}}}, "
        f"designs: [{{id: one, count: {count}, title: One, value: 1}}]}}}}\n",
    )
    tiny.change("data/tiny/game.yaml", "size: [40, 60]", "size: [400, 600]")
    said = [line for line in pnp("sheets").said if "card/one#1 is 400 x 600 mm" in line]
    assert [line.partition("or print other parts with")[2] for line in said] == [hint]


def test_the_output_can_not_be_written(tiny: TinyProject, pnp: Pnp) -> None:
    tiny.write("blocked", "a file")
    ran = pnp("build", "--out", "blocked", code=1)
    assert ran.said[0].startswith("blocked/tiny/sheets.en.pdf: the file can't be written: ")
    assert ran.said[0].endswith("remove it, or choose another folder with --out")


DISK_FAULTS = {
    errno.ENOSPC: "free some space, or choose another folder with --out",
    errno.EACCES: "allow writing there, or choose another folder with --out",
    errno.EROFS: "choose another folder with --out",
}


@pytest.mark.parametrize("fault", DISK_FAULTS, ids=os.strerror)
def test_the_disk_refuses(
    tiny: TinyProject, refuse: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch, fault: int
) -> None:
    """No space or no permission while a file is written leaves the old files and no halves of new ones."""

    def refused(*_arguments: Any, **_named: Any) -> None:
        raise OSError(fault, os.strerror(fault))

    monkeypatch.setattr("generator.drawing.faces.game_drawing.Workshop.write_document", refused)
    assert refuse() == [
        f"output/tiny/sheets.en.pdf: the file can't be written: {os.strerror(fault)}; {DISK_FAULTS[fault]}"
    ]


def test_a_schema_can_not_be_written(tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has its place beside the data, and `pnp schema` has no option that leads elsewhere."""
    refuse_new_files(monkeypatch, errno.EACCES)
    ran = pnp("schema", code=1)

    assert "data/tiny/schema.json: the file can't be written: Permission denied; " in ran.said[0]
    assert ran.said[0].endswith("allow writing there, or copy the project to a folder you may write to")


def test_a_folder_without_a_project(room: Path, pnp: Pnp) -> None:
    for command in ("build", "sheets", "validate", "list", "schema"):
        assert pnp(command, code=1).said == [
            "there is no project here; no data/ in this folder or a parent folder; create one with `pnp new "
            "my-game`, change to its folder, or name it with --project DIR"
        ]


VALUE = "value: {type: integer, min: 0, max: 9}"
CALLED = "    stated: 5"
CHAIN = '<g id="g0"><rect width="1" height="1"/></g>' + "".join(
    f'<g id="g{n}"><use href="#g{n - 1}"/></g>' for n in range(1, 2000)
)

IN_THE_DATA = [
    ("mark: star", "mark: {a: b}", "22:57: mark is a mapping, but this game has no such icon; write one of star"),
    ("mark: star", "mark: [star]", "22:57: mark is a list, but this game has no such icon; write one of star"),
    (VALUE, "value: {type: list, of: nope}", "19:31: unknown type 'nope' of the field 'value'; known: "),
    (VALUE, "value: {type: list, of: list}", "19:31: the field 'value' is a list of lists; put all values in one list"),
    (VALUE, "value: {type: integer, min: 9, max: 0}", "19:43: the field 'value' has a max, 0, below its min, 9; swap"),
    (VALUE, "value: {type: choice}", "19:14: the field 'value' has no choices; add `choices: [...]`"),
    (CALLED, CALLED + "\n    called: '{'", "17:13: components.card.called '{' has a single brace; write names as {id}"),
    (CALLED, CALLED + "\n    called: '{nope}'", "17:13: components.card.called names '{nope}'; known: id, mark, title"),
    (CALLED, CALLED + "\n    called: '{0}'", "17:13: components.card.called names '{0}'; known: id, mark, title"),
    (CALLED, CALLED + "\n    called: '{title.a}'", "17:13: components.card.called names '{title.a}'; did you mean"),
    (CALLED, CALLED + "\n    called: '{title!r}'", "17:13: components.card.called gives 'title' a form of its own"),
    (CALLED, CALLED + "\n    called: '{title:>999999999}'", "17:13: components.card.called gives 'title' a form"),
    ("setup:", "moves: {x: '{card:>99999999999}'}\nsetup:", "24:12: moves.x gives 'card' a form of its own; write"),
    ("setup:", "moves: {x: '{card[0]}'}\nsetup:", "24:12: moves.x names '{card[0]}'"),
    ("setup:", "zones: {x: '{card}'}\nsetup:", "24:12: zones.x names '{card}'; known: m, n"),
    ("setup:", "provisional: ['²']\nsetup:", "24:15: '²' names no value of this file; write the path of a value"),
    ("2026-01-31", "0000-00-00", "4:7: date: the date 0000-00-00 does not exist; write the day as 2026-01-31"),
    ("2026-01-31", "2026-02-30", "4:7: date: the date 2026-02-30 does not exist; write the day as 2026-01-31"),
    ("2026-01-31", "２０２６-01-01", "4:7: date is '２０２６-01-01', but a date is year-month-day; write year"),
    ("title: Tiny", "title: ' '", "2:8: title has no text; write one"),
    ("[40, 60]", "[40, 0.001]", "14:11: components.card.size has a side of 0.001 mm; the minimum for cutting is 3 mm"),
    ("SourceSans3_400Regular.ttf", "a" * 5000, "29:9: there is no font file 'aaa"),
    ("title: One", "title: \"{{ '\\\\ud800' }}\"", "22:36: in the text '{{ '\\ud800' }}': the text has an incomplete"),
]  # fmt: skip

IN_THE_TEMPLATE = [
    ("{{ card.value }}", "{{ 1e308*10 }}", "3: the number is too large or not a number"),
    ("{{ card.value }}", "{{ '\\ud800' }}", "3: the text has an incomplete, control or private-use character"),
    ("{{ card.value }}", "{{ '\\a' }}", "3: the text has an incomplete, control or private-use character"),
    ("{{ card.value }}", "{% include 'x' * 5000 %}", "3: there is no template 'xxx"),
    ('<textbox x="5"', '<textbox text-align="centre" x="5"', "4:3: text-align: 'centre' is not a valid value; did you mean 'center'?"),
    ('<text x="5"', '<text text-anchor="midle" x="5"', "3:3: text-anchor: 'midle' is not a valid value; did you mean 'middle'?"),
    ("{{ card.value }}", "x" * 60_000, "3:3: one <text> contains 60,000 characters; no piece has room for"),
    ("{{ card.value }}", "A&E", "3:3: the markup is not well-formed: an ampersand needs an escape; write &amp; instead"),
    ("<svg", '<?xml version="1.0" encoding="nope"?><svg', "1:38: the markup is not well-formed: its encoding 'nope' is not supported; save"),
    ("</svg>", f"<defs>{CHAIN}</defs><use href='#g1999'/></svg>", "6:"),
    ("</svg>", f'<image href="{"x" * 5000}.png" width="5"/></svg>', "6:1: there is no file 'xxx"),
    ("</svg>", '<image href="icons/stars.svg" width="5"/></svg>', "6:1: there is no file 'icons/stars.svg'"),
    ("</svg>", '<g data-space="card" data-holds="x"><rect width="1" height="1"/></g></svg>', "6:1: <g> has data-holds="),
    ("</svg>", f'<g data-space="card" data-holds="{"9" * 5000}"><rect width="1" height="1"/></g></svg>', "6:1: <g> has"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "said"), [*((GAME, *case) for case in IN_THE_DATA), *((CARD, *case) for case in IN_THE_TEMPLATE)], ids=lambda value: value[:24])  # fmt: skip
def test_a_mistake_is_told_at_its_line(tiny: TinyProject, pnp: Pnp, file: str, old: str, new: str, said: str) -> None:
    tiny.change(file, old, new)
    ran = pnp("sheets")
    assert (ran.code, ran.out, len(ran.said)) == (1, "", 1)
    assert ran.said[0].startswith(f"{file}:{said}")


@pytest.mark.parametrize(("text", "said"), [("\U000f000099:99\U000f0001x", "3: the character U+F0000 has no meaning here"), ("```legend\nof: [[a]]\n```", "4: unknown component '['a']'"), ("{% for a in 'x' * 9999 %}{% for b in 'x' * 9999 %}{% endfor %}{% endfor %}", "3: too many loop steps"), ("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", " the template is nested too deeply")], ids=["marks", "legend", "loops", "deep"])  # fmt: skip
def test_a_mistake_in_a_rulebook_is_told_at_its_line(tiny: TinyProject, pnp: Pnp, text: str, said: str) -> None:
    tiny.write(BOOK, f"# Book\n\n{text}\n")
    ran = pnp("rulebook")
    assert (ran.code, ran.out) == (1, "")
    assert ran.said[0].startswith(f"{BOOK}:{said}")


def test_a_picture_that_a_card_names_is_told_at_the_card(tiny: TinyProject, pnp: Pnp) -> None:
    tiny.change(CARD, "</svg>", '<image href="art/{{ card.title }}.png" width="5"/></svg>')
    ran = pnp("sheets")
    assert [line.split(";")[0] for line in ran.said[:2]] == [
        f"{GAME}:{line}:36: there is no file 'art/{name}.png' in templates/tiny or templates/common (shown at {CARD}:6:1)"
        for line, name in ((22, "One"), (23, "Two"))
    ]


@pytest.mark.parametrize("name", [CARD, "templates/tiny/icons/star.svg", GAME])
def test_a_huge_file_is_refused_at_once(tiny: TinyProject, pnp: Pnp, name: str) -> None:
    os.truncate(tiny.root / name, 3 * 1024**3)
    assert pnp("sheets", code=1).said[0].startswith(f"{name}: the file has 3,221,225,472 bytes, more than ")


@pytest.mark.skipif(os.name != "posix", reason="elsewhere every name is a text")
def test_a_folder_whose_name_is_no_text_is_refused(tiny: TinyProject, pnp: Pnp) -> None:
    odd = os.fsencode(tiny.root / "data") + b"/g\xff"
    os.rename(tiny.root / "data/tiny", odd)  # noqa: PTH104
    ran = pnp("list")
    assert (ran.code, len(ran.said)) == (1, 1)
    assert "the folder's name is not valid text; rename it" in ran.err
