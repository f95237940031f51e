"""Mistakes of every kind in a project are one sentence at their line, exit 1: no traceback, no endless work."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Ran
from tests_support import TinyProject

GAME, CARD, BOOK = "data/tiny/game.yaml", "templates/tiny/card.svg", "templates/tiny/rulebook.en.md"
Pnp = Callable[..., Ran]
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
    ran = pnp("sheets")
    assert ran.code == 1
    assert ran.said[0].startswith(f"{name}: the file has 3,221,225,472 bytes, more than ")


@pytest.mark.skipif(os.name != "posix", reason="only there files are pipes")
def test_a_pipe_among_the_data_is_told(tiny: TinyProject, pnp: Pnp) -> None:
    os.mkfifo(tiny.root / "data/tiny/more.yaml")
    no_file = "the file can't be read: it is a device, pipe or socket; use a plain file instead"
    assert pnp("list").said == [f"data/tiny/more.yaml: {no_file}"]


@pytest.mark.skipif(os.name != "posix", reason="elsewhere every name is a text")
def test_a_folder_whose_name_is_no_text_is_refused(tiny: TinyProject, pnp: Pnp) -> None:
    """Names of files and addresses are made of a game's name, so that it must be one."""
    odd = os.fsencode(tiny.root / "data") + b"/g\xff"
    os.rename(tiny.root / "data/tiny", odd)  # noqa: PTH104
    ran = pnp("list")
    assert (ran.code, len(ran.said)) == (1, 1)
    assert "the folder's name is not valid text; rename it" in ran.err


def test_a_file_to_save_to_has_a_name(tiny: TinyProject, pnp: Pnp) -> None:
    ran = pnp("play", "tiny", "--save", "")
    assert ran.code == 2
    assert "the file has no name" in ran.err


def test_a_picture_of_too_many_pixels_is_refused(tiny: TinyProject, pnp: Pnp) -> None:
    ran = pnp("images", "--sheets", "--dpi", "2400")
    assert (ran.code, ran.said) == (1, ["a picture of 210 x 297 mm has too many pixels at 2400 dpi; write --dpi 1438 or less"])  # fmt: skip
    assert not (tiny.root / "output/tiny/images").exists()


def test_outputs_stay_where_a_mistake_is_made(tiny: TinyProject, pnp: Pnp) -> None:
    assert pnp("sheets").code == 0
    made = {path: path.read_bytes() for path in Path("output").rglob("*.pdf")}
    tiny.change(CARD, "{{ card.value }}", "{{ 1e400 }}")
    assert pnp("sheets").code == 1
    assert {path: path.read_bytes() for path in Path("output").rglob("*") if path.is_file()} == made
