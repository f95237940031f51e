"""What a smaller margin would save is said where sheets are printed, and only there where it saves any."""

from collections.abc import Callable

import pytest
from conftest import Ran
from tests_support import TinyProject

Pnp = Callable[..., Ran]
GAME = "data/tiny/game.yaml"


@pytest.mark.parametrize(
    ("size", "copies", "options", "said"),
    [
        ("us-poker", 18, (), ["note: tiny: card: 8 to a sheet on A4; 9 with --margin 4mm (3 sheets become 2)"]),
        ("us-poker", 18, ("--margin", "4mm"), []),
        ("us-poker", 8, (), []),
        ("us-poker", 10, (), []),
        ("jp-poker", 18, (), []),
        ("us-poker", 9, ("--paper", "Letter"), ["note: tiny: card: 8 to a sheet on Letter; 9 with --margin 1mm (2 sheets become 1)"]),
        ("us-poker", 9, ("--paper", "Letter", "--margin", "1mm"), []),
    ],
)  # fmt: skip
def test_what_one_more_card_costs(tiny: TinyProject, pnp: Pnp, size: str, copies: int, options: tuple[str, ...], said: list[str]) -> None:  # fmt: skip
    """Nine poker cards are a matter of the margin; which, and how many sheets it saves, is told in a line."""
    tiny.change(GAME, "size: [40, 60]", f"size: {size}")
    tiny.change(GAME, "    stated: 5\n", "")
    tiny.change(GAME, "count: 2", f"count: {copies - 3}")
    tiny.change(
        "templates/tiny/card.svg", 'x="-3" y="-3" width="46" height="66"', 'x="-3" y="-3" width="70" height="95"'
    )
    ran = pnp("sheets", *options)
    assert (ran.code, [line for line in ran.said if "to a sheet" in line]) == (0, said)
