"""Laws that hold for every game's rules, for a small game and for a new project's; laws that are broken are noticed."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import engine_laws as laws
import higher
import observation_laws as sights
import pytest
from shipped_games import GAMES, game_and_rules

from generator.base.geometry import Size
from generator.commands.new import new_project
from generator.game.data_fields import ZoneEntry
from generator.game.load_game import load_game
from generator.game.model import Design, Game, Kind, Players
from generator.game.project import find_project
from generator.game.rich_text import Words
from generator.game.source import Source
from generator.play.series import Series
from generator.rules.engine.contract import Box, Message, Rules
from generator.rules.engine.kernel import INTERPRETED, CompiledMode, draw_below, kernel, seed_chance, shuffle
from generator.rules.engine.table import IllegalMove, Seed, Table
from generator.rules.registry import load_rules


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
        zones={
            kind: ZoneEntry(kind, Words({"ja": words, "en": words}))
            for kind, words in {"deck": "deck", "hand": "hand {n}", "trick": "trick", "won": "won {n}"}.items()
        },
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


@pytest.mark.slow
def test_other_numbers_of_the_data_use_the_same_compiled_code(tmp_path: Path) -> None:
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    box = BOXES[2]
    stronger = replace(box, numbers={**box.numbers, "strength": [one + 1 for one in box.numbers["strength"]]})
    kept = []
    for one in (box, stronger):
        series = Series(higher.RULES, one, CompiledMode(str(tmp_path)))
        assert list(series.play_games(1, 0, 5)) == list(Series(higher.RULES, one, INTERPRETED).play_games(1, 0, 5))
        kept.append({path.name: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nb?")})
    assert len(kept[0]) > 10, "the test must see compiled code"
    assert kept[1] == kept[0]


def test_a_constant_argument_makes_no_other_code() -> None:
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    mode = CompiledMode()
    assert mode.prepare_kernel(_add_thrice)(3) == 7
    assert len(mode._compile_once(_add, inner=True).overloads) == 1


@kernel
def _add(one: int, other: int) -> int:
    return one + other


@kernel
def _add_thrice(number: int) -> int:
    return _add(_add(_add(number, 1), 2), _add(0, 1))


@pytest.mark.slow
def test_a_rule_that_the_modes_read_differently_is_noticed(tmp_path: Path) -> None:
    """A kernel that runs differently when compiled fails the comparison: here, through a global that is no constant."""
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    compiled = CompiledMode(str(tmp_path))
    other = CompiledMode(str(tmp_path))
    other._bound[higher.apply, "apply", False] = compiled.prepare_kernel(_idle)
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


def test_what_a_seat_sees_has_no_way_back() -> None:
    """Earlier states would show the cards that are hidden from the seat; moves made on the copy can be taken back."""
    for name in GAMES:
        game, rules = game_and_rules(name)
        table = Table(rules, rules.box(game, game.players.most, {}), Seed(1))
        table.apply(table.list_legal_moves()[0])
        seen = table.copy_as_seen(0)
        with pytest.raises(IllegalMove, match="no move has been made"):
            seen.undo()
        before = seen.list_zones()
        seen.apply(seen.list_legal_moves()[0])
        seen.undo()
        assert seen.list_zones() == before
        assert seen.moves == table.moves


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


NAMED = "rules_module: rules.py"


def rules_and_boxes(folder: Path) -> tuple[Rules, list[Box]]:
    """The rules of a new project that names them, and a box for each number of players."""
    new_project(folder, "windy", "cards")
    path = folder / "windy/data/windy/game.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace(f"# {NAMED}", NAMED), encoding="utf-8")
    game = load_game(path.parent, find_project(folder / "windy").resources)
    rules = load_rules(game, path.parent)
    assert rules is not None
    return rules, laws.boxes_of(rules, game)


def test_laws_hold_for_a_new_project(tmp_path: Path) -> None:
    """What a bot thinks over knows neither the deck nor other hands, either."""
    rules, boxes = rules_and_boxes(tmp_path)
    laws.check_conservation(rules, boxes, 5)
    laws.check_texts(rules, boxes, 10)
    laws.check_undo_save_replay(rules, boxes, 3)
    laws.check_blind(rules, boxes, 3, hidden)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("games", "share"), [(2, 20), pytest.param(5, 1, marks=pytest.mark.release)], ids=["a sample", "every state"]
)
def test_what_looks_alike_is_shown_and_told_alike(tmp_path: Path, games: int, share: int) -> None:
    """Displays, told moves and who is called give away nothing that a seat can't see."""
    rules, boxes = rules_and_boxes(tmp_path)
    for check in (sights.check_sights, sights.check_tellings, sights.check_callings):
        check(rules, boxes, games, share)


@pytest.mark.release  # to compile takes many times as long as to play
def test_compiled_rules_play_the_same(tmp_path: Path) -> None:
    laws.check_modes_agree(*rules_and_boxes(tmp_path), 3, CompiledMode(str(tmp_path / "kernels")))
