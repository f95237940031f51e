"""Cubes and standing pawns in the data: what they may say, and what is said about the rest."""

import pytest
from test_load_game import GAME, load, problems
from tests_support import TinyProject

SIZE = "    size: [40, 60]\n"


def say(tiny: TinyProject, lines: str) -> None:
    """Replace the size of the tiny game's cards, on line 14, by other lines."""
    tiny.change(GAME, SIZE, "".join(f"    {line.strip()}\n" for line in lines.split(";")))


@pytest.mark.parametrize("size", ["12", "[12, 12]"])
def test_a_cube_has_one_edge(tiny: TinyProject, size: str) -> None:
    """One number is a cube's edge; two equal ones do as well."""
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
        (
            "size: [12, 14]; form: cube",
            ["14:11: a cube's sides are equal, but its size is 12 x 14 mm; write one number: the edge in mm"],
        ),
        ("size: 12; form: cube; back: card", [f"16:11: a cube has no back of its own; {NO_BACK}"]),
        ("size: 12; form: cube; two_faced: true", [f"16:16: a cube is not two-faced; {NO_BACK}"]),
        (
            "size: 12; form: cube; shape: hexagon",
            ["16:12: a cube has no shape of its own: it is cut along its net; take `shape:` out"],
        ),
        (
            "size: [20, 30]; form: standee; shape: round",
            ["16:12: a standee has no shape of its own: it is cut along its net; take `shape:` out"],
        ),
        ("size: [20, 30]; foot: 9", ["15:11: a card has no foot; take `foot:` out, or `form: standee`"]),
        ("size: 12; form: cube; foot: 9", ["16:11: a cube has no foot; take `foot:` out, or `form: standee`"]),
        (
            "size: [12, 14]; form: cube; back: card; foot: 9",
            [
                "17:11: a cube has no foot; take `foot:` out, or `form: standee`",
                "14:11: a cube's sides are equal, but its size is 12 x 14 mm; write one number: the edge in mm",
                f"16:11: a cube has no back of its own; {NO_BACK}",
            ],
        ),
    ],
)
def test_what_does_not_suit_the_form(tiny: TinyProject, lines: str, said: list[str]) -> None:
    """Backs, shapes and feet where there can't be any are each told with place and way out, all at once."""
    say(tiny, lines)
    assert sorted(problems(tiny)) == sorted(f"{GAME}:{line}" for line in said)


@pytest.mark.parametrize("form", ["cube", "standee"])
def test_a_net_is_the_outline(tiny: TinyProject, form: str) -> None:
    """A cube's or standee's own outline is one problem at its place."""
    say(tiny, f"size: [20, 20]; form: {form}; outline: M 0 0 L 20 0 L 10 20 Z")
    (said,) = problems(tiny)
    assert said.startswith(f"{GAME}:16:14: a {form} has no outline; ")


def test_a_designs_own_back_on_a_cube(tiny: TinyProject) -> None:
    """The back that one design names is told at that design."""
    say(tiny, "size: 12; form: cube")
    tiny.change(GAME, "value: 2}", "value: 2, back: card}")
    assert problems(tiny) == [f"{GAME}:24:57: a cube has no back of its own; {NO_BACK}"]
