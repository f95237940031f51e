"""A table plays any rules: a small game of a stranger obeys every law, and broken rules are caught by them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import engine_laws as laws
import higher
import pytest

from generator.base.geometry import Size
from generator.game.model import Design, Game, Kind, Players
from generator.game.rich_text import Words
from generator.game.source import Source
from generator.rules.engine.contract import Box, Message, Rules
from generator.rules.engine.kernel import INTERPRETED, CompiledMode, draw_below, kernel, seed_chance, shuffle
from generator.rules.engine.table import IllegalMove, Seed, Table


def game() -> Game:
    """Twenty cards of strength 0 to 19."""
    name = Words({"ja": "札", "en": "card"})
    designs = tuple(
        Design(f"card/c{n}", "card", 1, "card", "", {"strength": n}, Source("cards.yaml", {})) for n in range(20)
    )
    called = Words({"ja": "{strength}の札", "en": "the {strength}"})
    kind = Kind("card", name, Size(63, 88), designs, called=called)
    return Game(
        id="higher",
        title=name,
        draft="1",
        date="2026-01-01",
        languages=("ja", "en"),
        players=Players(2, 4),
        credit=Words({"en": "", "ja": ""}),
        licence=Words({"en": "", "ja": ""}),
        kinds={"card": kind},
        moves={"play": Words({"ja": "{card}を出す", "en": "play {card}"})},
    )


GAME = game()
BOXES = laws.boxes_of(higher.RULES, GAME)


def table(box: Box = BOXES[1], rules: Rules = higher.RULES) -> Table:
    return Table(rules, box, Seed(1))


def hidden(now: Table, seat: int) -> set[str]:
    return {
        name for name in now.list_zones() if name == "deck" or (name.startswith("hand") and name != f"hand {seat + 1}")
    }


def test_pieces_are_conserved() -> None:
    laws.check_conservation(higher.RULES, BOXES, 20)


def test_a_lost_card_is_noticed() -> None:
    def losing(s: Any, f: Any, move: int) -> None:
        higher.apply(s, f, move)
        s.at[move] = 99

    def zones(s: Any, box: Box) -> Any:
        return {name: pieces for name, pieces in higher.zones(s, box).items() if name != "won 90"}

    with pytest.raises(AssertionError):
        laws.check_conservation(replace(higher.RULES, apply=losing, zones=zones), BOXES, 2)


def test_a_deal_is_what_set_up_begins_from() -> None:
    def opened(s: Any, f: Any) -> None:
        higher.set_up(s, f)
        higher.apply(s, f, s.deck[0])

    def losing(s: Any, f: Any) -> None:
        higher.set_up(s, f)
        s.at[0] = 99

    def zones(s: Any, box: Box) -> Any:
        return {name: pieces for name, pieces in higher.zones(s, box).items() if name != "won 90"}

    laws.check_deal(replace(higher.RULES, set_up=opened, deal=higher.set_up), BOXES, 3)
    with pytest.raises(AssertionError):
        laws.check_deal(replace(higher.RULES, deal=losing, zones=zones), BOXES, 1)
    with pytest.raises(AssertionError):
        laws.check_deal(replace(higher.RULES, deal=opened), BOXES, 1)
    assert (
        Table.deal(higher.RULES, BOXES[0], Seed(1)).list_zones() == Table(higher.RULES, BOXES[0], Seed(1)).list_zones()
    )


def test_texts_are_unique_in_every_language() -> None:
    laws.check_texts(higher.RULES, BOXES, 3)
    with pytest.raises(AssertionError):
        laws.check_texts(replace(higher.RULES, say=lambda s, box, move: Message("play", {"card": "one"})), BOXES, 1)


def test_undo_save_and_replay() -> None:
    laws.check_undo_save_replay(higher.RULES, BOXES, 10)


def test_what_is_hidden_stays_hidden() -> None:
    """States that look alike to a seat become equal; rules that let a seat peek are noticed."""
    laws.check_blind(higher.RULES, BOXES, 5, hidden)

    def peeking(s: Any, f: Any, seat: int) -> None:
        shuffle(s.rng, s.deck, 0, 3)

    with pytest.raises(AssertionError):
        laws.check_blind(replace(higher.RULES, blind=peeking), BOXES, 2, hidden)


def test_modes_agree(request: pytest.FixtureRequest) -> None:
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    laws.check_modes_agree(higher.RULES, BOXES, 3, CompiledMode(request.getfixturevalue("kernels")))


def test_a_rule_that_the_modes_read_differently_is_noticed(tmp_path: Path) -> None:
    """A kernel that runs differently when compiled fails the comparison: here, through a global that is no constant."""
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    compiled = CompiledMode(str(tmp_path))
    other = CompiledMode(str(tmp_path))
    other._known[higher.apply, False] = compiled.prepare_kernel(_idle)
    with pytest.raises(AssertionError):
        laws.check_modes_agree(higher.RULES, BOXES, 1, other)


@kernel
def _idle(s: Any, f: Any, move: int) -> None:
    s.turn += 1


def test_an_illegal_move_changes_nothing() -> None:
    one = table()
    before = INTERPRETED.read_numbers(one.state)
    with pytest.raises(IllegalMove, match="99 is not a legal move now"):
        one.apply(99)
    with pytest.raises(IllegalMove, match="no move has been made"):
        one.undo()
    assert INTERPRETED.read_numbers(one.state) == before


def test_chances_are_even_and_the_same_everywhere() -> None:
    rng = [0] * 4
    seed_chance(rng, 1, 2)
    drawn = [draw_below(rng, 6) for _ in range(6000)]
    assert drawn[:12] == FIRST
    assert all(900 < drawn.count(face) < 1100 for face in range(6))


FIRST = [0, 1, 5, 0, 1, 2, 5, 1, 0, 1, 4, 5]


def test_undo_in_a_clone_leaves_the_others_history_alone() -> None:
    """A clone may go back and play on from there; the first table still goes back to what it was."""
    table = Table(higher.RULES, BOXES[1], Seed(1, 3))
    states = []
    for _ in range(4):
        states.append(INTERPRETED.read_numbers(table.state))
        table.apply(table.list_legal_moves()[0])
    twin = table.clone()
    for _ in range(3):
        twin.undo()
    while not twin.is_over:
        twin.apply(twin.list_legal_moves()[-1])

    for before in reversed(states):
        table.undo()
        assert INTERPRETED.read_numbers(table.state) == before
