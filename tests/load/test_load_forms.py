"""Forms of components, their spaces and switches: what the data may say, and what is said of keys that have no effect."""

import json

import pikepdf
import pytest
from conftest import Pnp
from test_load_game import GAME, load, problems
from tests_support import TinyProject

from generator.game.piece_outlines import outline_from_shape

SIZE = "    size: [40, 60]\n"


def say(tiny: TinyProject, lines: str) -> None:
    """Replace the size of the tiny game's cards, on line 14, by other lines."""
    tiny.change(GAME, SIZE, "".join(f"    {line.strip()}\n" for line in lines.split(";")))


@pytest.mark.parametrize("size", ["12", "[12, 12]"])
def test_a_cube_has_one_edge(tiny: TinyProject, size: str) -> None:
    say(tiny, f"size: {size}; form: cube")
    kind = load(tiny).kinds["card"]
    assert (kind.size.width, kind.size.height, kind.foot) == (12, 12, 0)


@pytest.mark.parametrize(
    ("lines", "foot"),
    [
        ("size: [30, 50]; form: standee", 15),
        ("size: [12, 50]; form: standee", 8),
        ("size: [30, 50]; form: standee; foot: 6", 6),
        ("size: [30, 50]", 0),
    ],
)
def test_feet(tiny: TinyProject, lines: str, foot: float) -> None:
    """A standee's feet are half of its width, 8 mm at least, or what the data say; nothing else has feet."""
    say(tiny, lines)
    assert load(tiny).kinds["card"].foot == foot


NO_BACK = "all six sides are drawn by `front`, which sees in `face` which one it is"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("size: [12, 14]; form: cube", ["14:11: a cube has equal sides, but its size is 12 x 14 mm; write one number: the edge in mm"]),
        ("size: 12; form: cube; back: card", [f"16:11: a cube has no back of its own; {NO_BACK}"]),
        ("size: 12; form: cube; two_faced: true", [f"16:16: a cube is not two-faced; {NO_BACK}"]),
        ("size: 12; form: cube; shape: hexagon", ["16:12: a cube has no shape of its own: it is cut along its net; take `shape:` out"]),
        ("size: [20, 30]; form: standee; shape: round", ["16:12: a standee has no shape of its own: it is cut along its net; take `shape:` out"]),
        ("size: [20, 30]; foot: 9", ["15:11: a card has no foot; take `foot:` out, or `form: standee`"]),
        ("size: 12; form: cube; foot: 9", ["16:11: a cube has no foot; take `foot:` out, or `form: standee`"]),
        (
            "size: [12, 14]; form: cube; back: card; foot: 9",
            [
                "17:11: a cube has no foot; take `foot:` out, or `form: standee`",
                "14:11: a cube has equal sides, but its size is 12 x 14 mm; write one number: the edge in mm",
                f"16:11: a cube has no back of its own; {NO_BACK}",
            ],
        ),
    ],
)  # fmt: skip
def test_what_does_not_suit_the_form(tiny: TinyProject, lines: str, said: list[str]) -> None:
    say(tiny, lines)
    assert sorted(problems(tiny)) == sorted(f"{GAME}:{line}" for line in said)


@pytest.mark.parametrize("form", ["cube", "standee"])
def test_a_net_is_the_outline(tiny: TinyProject, form: str) -> None:
    say(tiny, f"size: [20, 20]; form: {form}; outline: M 0 0 L 20 0 L 10 20 Z")
    (said,) = problems(tiny)
    assert said.startswith(f"{GAME}:16:14: a {form} has no outline of its own: it is cut along its net; remove ")


def test_a_designs_own_back_on_a_cube(tiny: TinyProject) -> None:
    say(tiny, "size: 12; form: cube")
    tiny.change(GAME, "value: 2}", "value: 2, back: card}")
    assert problems(tiny) == [f"{GAME}:24:57: a cube has no back of its own; {NO_BACK}"]


@pytest.mark.parametrize("form", ["card", "board", "pad", "token"])
@pytest.mark.parametrize("shape", ["round", "circle", "hexagon", "flat-hexagon"])
def test_a_shape_is_cut_whatever_the_form(tiny: TinyProject, form: str, shape: str) -> None:
    """Cards, boards, pads and tokens are cut round or as hexagons where the data say so; a circle is round."""
    say(tiny, f"size: 40; form: {form}; shape: {shape}")
    kind = load(tiny).kinds["card"]
    assert kind.shape == ("round" if shape == "circle" else shape)
    wide = 46.188 if shape == "flat-hexagon" else 40
    assert (kind.size.width, kind.outline) == (pytest.approx(wide, abs=1e-3), outline_from_shape(kind.shape, kind.size))
    assert kind.outline


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("size: [40, 60]; shape: square", "14:11: a square has equal sides, but its size is 40 x 60 mm"),
        ("size: [40, 40]; form: token; shape: hexagon", "14:11: a hexagon of 40 x 40 mm is stretched"),
        (
            "size: [46.2, 40]; form: token; shape: hexagon",
            "14:11: a hexagon of 46.2 x 40 mm is stretched: it stands on a point, and a regular one of this width is "
            "46.2 x 53.3 mm; write `shape: flat-hexagon`, which lies on a side",
        ),
        (
            "size: [40, 46.2]; shape: flat-hexagon",
            "14:11: a flat-hexagon of 40 x 46.2 mm is stretched: it lies on a side",
        ),
        ("size: [40, 41]; shape: circle", "14:11: a circle has equal width and height, but its size is 40 x 41 mm"),
        (
            "size: 40; shape: hexagon; corner: 2",
            "16:13: `corner` has no effect: a card like this is cut along its hexagon",
        ),
        ("size: 40; form: token; shape: round; corner: 2", "17:13: `corner` has no effect: a token like this"),
        ("size: [20, 30]; form: standee; corner: 2", "16:13: `corner` has no effect: a standee like this"),
        ("size: 20; form: cube; corner: 2", "16:13: `corner` has no effect: a cube like this"),
    ],
)
def test_what_is_not_carried_out_is_told(tiny: TinyProject, lines: str, said: str) -> None:
    say(tiny, lines)
    (found,) = problems(tiny)
    assert found.startswith(f"{GAME}:{said}")


@pytest.mark.parametrize(
    "lines",
    [
        "size: 40; form: token; shape: hexagon; corner: 0", "size: [40, 46.2]; form: token; shape: hexagon",
        "size: [46.2, 40]; form: board; shape: flat-hexagon", "size: [20, 30]; form: token; shape: round",
        "size: 40; shape: square; corner: 2", "size: [40, 60]; shape: rectangle", "size: 20; form: cube; corner: 0",
    ],
)  # fmt: skip
def test_what_is_true_of_a_form_may_be_said(tiny: TinyProject, lines: str) -> None:
    """Regular hexagons, ovals, square cards, corners of 0 and the usual rectangle are nobody's mistake."""
    say(tiny, lines)
    assert load(tiny).kinds["card"].size


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("{type: integer, choices: [1, 2]}", "`choices` has no effect: only the type choice has choices, but this field has the type integer"),
        ("{type: integer, of: text}", "`of` has no effect: a field of the type integer has no entries"),
        ("{type: list, of: icon, max: 3}", "`max` has no effect: only numbers have a max, but this field has the type icon"),
        ("{type: text, min: 3}", "`min` has no effect: only numbers have a min, but this field has the type text"),
    ],
)  # fmt: skip
def test_a_field_says_nothing_that_its_type_has_no_use_for(tiny: TinyProject, field: str, said: str) -> None:
    tiny.change(GAME, "      title: words\n", f"      title: words\n      more: {field}\n")
    found = [problem for problem in problems(tiny) if "no effect" in problem]
    assert found[0].startswith(f"{GAME}:19:")
    assert found == [found[0].split(": ")[0] + f": {said}; remove it"]


STATED = "    stated: 5\n"
READING = """\
readings:
  - {id: E1, problem: Proxies?, reading: None., switch: print_proxies, value: false, choices: [true, false]}
  - {id: E2, problem: Order?, reading: Any., switch: order, value: any}
"""


def say_option(project: TinyProject, *lines: str) -> None:
    """Add lines to the kind `card`, from line 17 on, and the readings to the game."""
    project.change(GAME, STATED, STATED + "".join(f"    {line}\n" for line in lines))
    project.change(GAME, "palette:\n", READING + "palette:\n")


def test_spaces_are_read(tiny: TinyProject) -> None:
    say_option(
        tiny,
        "spaces:",
        "  - {id: row, for: card, holds: 3}",
        "  - {id: heap-*, for: card, pile: true, each: rules.names}",
        "  - {id: more, for: card, holds: card.value, pile: card.value > 1}",
    )
    spaces = load(tiny).kinds["card"].spaces

    assert [(one.id, one.piece, one.holds, one.pile, one.each) for one in spaces] == [
        ("row", "card", "3", "", ""),
        ("heap-*", "card", "", "true", "rules.names"),
        ("more", "card", "card.value", "card.value > 1", ""),
    ]
    assert [str(one.place) for one in spaces] == [f"{GAME}:{line}:9" for line in (18, 19, 20)]


FAULTS = [
    ("{id: row, for: crad, holds: 1}", "24: unknown component 'crad'; did you mean 'card'?"),
    (
        "{id: row, for: card}",
        "9: the space 'row' has neither `holds` nor `pile`; add `holds:` or `pile: true`",
    ),
    ("{id: row-*, for: card, holds: 1}", "14: the space 'row-*' has a * but no `each`; write one * and `each:`, or neither"),
    ("{id: row, for: card, holds: 1, each: a}", "14: the space 'row' has `each` but not exactly one *; write one * and `each:`, or neither"),
    ("{id: r*-*, for: card, holds: 1, each: a}", "14: the space 'r*-*' has `each` but not exactly one *; write one * and `each:`, or neither"),
    ("{id: Row 1, for: card, holds: 1}", "14: id in entry 1 of components.card.spaces is 'Row 1', which is not valid; use lower-case letters, digits, - and _: `row-1`"),
    ("{id: row, for: card, holds: [1]}", "37: holds in entry 1 of components.card.spaces must be text, not a list; put it in quotes"),
    ("{id: row, for: card, hold: 1}", "30: unknown field 'hold' in entry 1 of components.card.spaces; did you mean 'holds'?"),
]  # fmt: skip


SPACE = "  - {id: row, for: card, holds: 1}"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        *(pytest.param(("spaces:", f"  - {entry}"), f"18:{said}", id=entry) for entry, said in FAULTS),
        (("spaces:", SPACE, SPACE), "19:14: the space 'row' of card is given twice; remove one of them"),
        (("option: print_proxy",), "17:13: unknown switch 'print_proxy'; did you mean 'print_proxies'?"),
        (("option: order",), "17:13: the switch 'order' is 'any', but card needs a switch that is true or false; name such a switch"),
    ],
)  # fmt: skip
def test_faults_of_spaces_and_options_have_their_place(tiny: TinyProject, lines: tuple[str, ...], said: str) -> None:
    say_option(tiny, *lines)
    assert problems(tiny) == [f"{GAME}:{said}"]


def test_while_the_switch_is_off_none_are_counted(tiny: TinyProject) -> None:
    """Every design has the count 0; with the switch on, those of the data."""
    say_option(tiny, "option: print_proxies")
    off = load(tiny).kinds["card"]
    tiny.change(GAME, "value: false, choices", "value: true, choices")
    on = load(tiny).kinds["card"]
    assert (off.option, off.left_out, [design.count for design in off.designs]) == ("print_proxies", True, [0, 0])
    assert (on.option, on.left_out, [design.count for design in on.designs]) == ("print_proxies", False, [2, 3])


def test_what_is_switched_off_contradicts_nothing(tiny: TinyProject, pnp: Pnp) -> None:
    say_option(tiny, "option: print_proxies")
    tiny.change(GAME, "setup:\n  - {take: 1, from: card, each_player: true}\n", "")
    listed, report = pnp("list", "tiny"), pnp("validate", "tiny")
    assert "0  (5 stated, 2 designs, 40 x 60 mm, option print_proxies: off)  Card" in listed.out
    assert report.code == 0
    assert "card: no copies are printed while the switch print_proxies is off; the draft states 5" in report.out
    (kind,) = json.loads(pnp("list", "tiny", "--format", "json").out)["games"][0]["kinds"]
    assert kind["option"] == {"switch": "print_proxies", "on": False}


def test_what_is_switched_off_can_be_printed_all_the_same(tiny: TinyProject, pnp: Pnp) -> None:
    say_option(tiny, "option: print_proxies")
    alone = pnp("sheets", "tiny", "--only", "card")
    assert (alone.code, list(tiny.root.glob("output/**/*.pdf"))) == (1, [])
    assert alone.said[0] == (
        f"{GAME}:17:13: nothing to print: card is not printed while the switch print_proxies is off; print some "
        "with --copies 1"
    )
    assert pnp("sheets", "tiny", "--copies", "15", "--only", "card").code == 0
    with pikepdf.open(tiny.root / "output/tiny/selection.en.pdf") as pdf:
        assert len(pdf.pages) == 2, "thirty cards of 40 x 60 mm are more than a sheet"


def test_counts_of_0_alone_are_nothing_to_print(tiny: TinyProject, pnp: Pnp) -> None:
    tiny.change(GAME, "count: 2", "count: 0")
    tiny.change(GAME, "stated: 5", "stated: 3")
    ran = pnp("sheets", "tiny", "--only", "card/one")
    assert ran.said[0] == f"{GAME}:22:26: nothing to print: the count of card/one is 0; print some with --copies 1"
