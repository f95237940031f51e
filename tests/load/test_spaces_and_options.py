"""What a kind says of spaces and of the switch that it is printed by."""

import json
from collections.abc import Callable

import pikepdf
import pytest
from conftest import Ran
from tests_support import TinyProject

from generator.base.errors import ProblemsFound
from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import find_project

GAME = "data/tiny/game.yaml"
STATED = "    stated: 5\n"
READING = """\
readings:
  - {id: E1, problem: Proxies?, reading: None., switch: print_proxies, value: false, choices: [true, false]}
  - {id: E2, problem: Order?, reading: Any., switch: order, value: any}
"""


def load(project: TinyProject) -> Game:
    found = find_project(project.root)
    return load_game(found.find_folder("tiny"), found.resources)


def say(project: TinyProject, *lines: str) -> None:
    """Add lines to the kind `card`, from line 17 on, and the readings to the game."""
    project.change(GAME, STATED, STATED + "".join(f"    {line}\n" for line in lines))
    project.change(GAME, "palette:\n", READING + "palette:\n")


def test_spaces_are_read(tiny: TinyProject) -> None:
    say(
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


@pytest.mark.parametrize(("entry", "said"), FAULTS, ids=[entry for entry, _ in FAULTS])
def test_faults_of_spaces_have_their_place(tiny: TinyProject, entry: str, said: str) -> None:
    say(tiny, "spaces:", f"  - {entry}")
    with pytest.raises(ProblemsFound) as found:
        load(tiny)
    assert [str(problem) for problem in found.value.problems] == [f"{GAME}:18:{said}"]


def test_a_space_is_stated_once(tiny: TinyProject) -> None:
    say(tiny, "spaces:", *["  - {id: row, for: card, holds: 1}"] * 2)
    with pytest.raises(ProblemsFound) as found:
        load(tiny)
    assert [str(problem) for problem in found.value.problems] == [
        f"{GAME}:19:14: the space 'row' of card is given twice; remove one of them"
    ]


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("print_proxy", "unknown switch 'print_proxy'; did you mean 'print_proxies'?"),
        ("order", "the switch 'order' is 'any', but card needs a switch that is true or false; name such a switch"),
    ],
)  # fmt: skip
def test_an_option_is_a_switch_that_is_on_or_off(tiny: TinyProject, option: str, said: str) -> None:
    say(tiny, f"option: {option}")
    with pytest.raises(ProblemsFound) as found:
        load(tiny)
    assert [str(problem) for problem in found.value.problems] == [f"{GAME}:17:13: {said}"]


def test_while_the_switch_is_off_none_are_counted(tiny: TinyProject) -> None:
    """Every design has the count 0; with the switch on, those of the data."""
    say(tiny, "option: print_proxies")
    off = load(tiny).kinds["card"]
    tiny.change(GAME, "value: false, choices", "value: true, choices")
    on = load(tiny).kinds["card"]
    assert (off.option, off.left_out, [design.count for design in off.designs]) == ("print_proxies", True, [0, 0])
    assert (on.option, on.left_out, [design.count for design in on.designs]) == ("print_proxies", False, [2, 3])


def test_what_is_switched_off_contradicts_nothing(tiny: TinyProject, pnp: Callable[..., Ran]) -> None:
    say(tiny, "option: print_proxies")
    tiny.change(GAME, "setup:\n  - {take: 1, from: card, each_player: true}\n", "")
    listed, report = pnp("list", "tiny"), pnp("validate", "tiny")
    assert "0  (5 stated, 2 designs, 40 x 60 mm, option print_proxies: off)  Card" in listed.out
    assert report.code == 0
    assert "card: none are printed while the switch print_proxies is off; the draft states 5" in report.out
    (kind,) = json.loads(pnp("list", "tiny", "--format", "json").out)["games"][0]["kinds"]
    assert kind["option"] == {"switch": "print_proxies", "on": False}


def test_what_is_switched_off_can_be_printed_all_the_same(tiny: TinyProject, pnp: Callable[..., Ran]) -> None:
    say(tiny, "option: print_proxies")
    alone = pnp("sheets", "tiny", "--only", "card")
    assert (alone.code, list(tiny.root.glob("output/**/*.pdf"))) == (1, [])
    assert alone.said[0] == (
        f"{GAME}:17:13: nothing to print: card is not printed while the switch print_proxies is off; print some "
        "with --copies 1"
    )
    assert pnp("sheets", "tiny", "--copies", "15", "--only", "card").code == 0
    with pikepdf.open(tiny.root / "output/tiny/selection.en.pdf") as pdf:
        assert len(pdf.pages) == 2, "thirty cards of 40 x 60 mm are more than a sheet"


def test_counts_of_0_alone_are_nothing_to_print(tiny: TinyProject, pnp: Callable[..., Ran]) -> None:
    """An empty file would look like a success."""
    tiny.change(GAME, "count: 2", "count: 0")
    tiny.change(GAME, "stated: 5", "stated: 3")
    ran = pnp("sheets", "tiny", "--only", "card/one")
    assert ran.said[0] == f"{GAME}:22:26: nothing to print: the count of card/one is 0; print some with --copies 1"
