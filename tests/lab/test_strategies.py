"""Strategies of one sentence: one that must win is found, others are not, and wrong ones are told where they stand."""

from pathlib import Path

import pytest
from cards_project import LAID, CardsProject
from conftest import Pnp

from generator.lab.arms import Strategy
from generator.rules.engine.contract import Message

HOW = ("--trust-rules", "--executor", "processes:1", "--out", "out")


def write_strategies(root: Path, text: str) -> None:
    """Make the game of favours: the card that a seat lays is worth up to half of a win."""
    CardsProject(root, "favour", LAID, {"ahead": 1, "laid": 1})
    path = root / "data/known/game.yaml"
    path.write_text(f"{path.read_text(encoding='utf-8')}strategies:\n{text}", encoding="utf-8")


@pytest.mark.slow
def test_a_strategy_that_wins_too_often(room: Path, pnp: Pnp) -> None:
    """The best card in hand wins more than random play, the worst less; each only in its seat."""
    write_strategies(
        room,
        "  best: {name: always the best card, prefer: [lay most card.favour]}\n"
        "  worst: {name: always the worst card, prefer: [lay least card.favour]}\n"
        "  not_best: {name: never the fourth card, avoid: [lay card is c3]}\n",
    )
    ran = pnp("lab", "strategies", "known", "--bot", "random", "--games", "1500", *HOW)
    assert ran.code == 0, ran.err
    assert ran.out.startswith("known, draft 1: run 1, intervals of 95 %\n\n2 players, random: 1,500 games of each, ")
    assert "wins of a seat that plays so (fair is 50.0 %)\n" in ran.out
    rows = {line.split()[0]: line for line in ran.out.splitlines() if line.startswith("  ")}
    assert next(iter(rows)) == "best" and len(rows) == 3
    assert "+" in rows["best"] and "*  always the best card" in rows["best"]
    assert "-" in rows["not_best"] and "*  never the fourth card" in rows["not_best"]
    assert "\n wins too often: best\n" in ran.out
    assert ran.out == pnp("lab", "show", "out/known/lab-strategies.json").out


def test_only_the_named_ones(room: Path, pnp: Pnp) -> None:
    write_strategies(room, "  lay: {name: lay, prefer: [lay]}\n  second: {name: the second, avoid: [lay]}\n")
    ran = pnp("lab", "strategies", "known", "lay", "--bot", "random", "--games", "20", *HOW)
    assert (ran.code, " no strategy wins too often" in ran.out, "second" in ran.out) == (0, True, False)
    assert "  +0 pp" in ran.out or "  +0.0 pp" in ran.out, ran.out


def test_compiled_rules_play_the_same(room: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    write_strategies(room, "  best: {name: best, prefer: [lay most card.favour], bot: greedy}\n")
    monkeypatch.setattr("generator.lab.experiment_runs.kernel_folder", lambda *_: room / "kernels")
    told = [pnp("lab", "strategies", "known", "--games", "40", *HOW, "--anew", *more).out for more in ((), ("--fast",))]
    assert told[0] == told[1] != ""


WRONG = {
    "nothing": ("  a: {name: a}\n", ":35:6: the strategy 'a' names no move; add `prefer` or `avoid`"),
    "no move": ("  a: {name: a, prefer: [lie]}\n", ":35:25: known has no move 'lie'; known: lay"),
    "half a wish": (
        "  a: {name: a, avoid: [lay least]}\n",
        ":35:24: 'lay least' names no move; write `pass`, `play least number` or `play number is 3`",
    ),
    "no word": ("  a: {name: a, prefer: [lay most crad]}\n", ":35:25: the move 'lay' has no placeholder 'crad'; did you mean 'card'?"),
    "no field": (
        "  a: {name: a, prefer: [lay most card.favor]}\n",
        ":35:25: no piece has a field 'favor'; did you mean 'favour'?",
    ),
    "no bot": ("  a: {name: a, prefer: [lay], bot: gredy}\n", ":35:36: unknown bot 'gredy'; did you mean 'greedy'?"),
    "no key": ("  a: {name: a, perfer: [lay]}\n", ":35:16: unknown field 'perfer' in strategies.a; did you mean 'prefer'?"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "told"), WRONG.values(), ids=WRONG)
def test_what_can_not_be_played(room: Path, pnp: Pnp, text: str, told: str) -> None:
    """It is told where it stands, and nothing is written."""
    write_strategies(room, text)
    ran = pnp("lab", "strategies", "known", *HOW)
    assert (ran.code, ran.said) == (1, [f"data/known/game.yaml{told}"])
    assert not Path("out").exists()


def test_cards_are_no_numbers(room: Path, pnp: Pnp) -> None:
    write_strategies(room, "  a: {name: a, prefer: [lay most card]}\n")
    ran = pnp("lab", "strategies", "known", "--games", "2", *HOW)
    assert (ran.code, ran.said) == (
        1, ["'lay most card' compares numbers, and card is 'c1'; name a number, or a card's field with numbers, such as card.number"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "code", "told"),
    [
        (("known", "bset"), 1, "known has no strategy 'bset'; did you mean 'best'?\n"),
        (("known", "--until", "1pp"), 2, "--until does not work here"),
        (("known", "--players", "5"), 1, "known does not support 5 players; it is for 2 to 2 players\n"),
    ],
    ids=str,
)
def test_what_there_is_not(room: Path, pnp: Pnp, asked: tuple[str, ...], code: int, told: str) -> None:
    write_strategies(room, "  best: {name: best, prefer: [lay most card.favour]}\n")
    ran = pnp("lab", "strategies", *asked, *HOW)
    assert ran.code == code
    assert told in ran.err


def test_a_game_without_strategies(room: Path, pnp: Pnp) -> None:
    CardsProject(room, "favour", LAID, {"ahead": 1, "laid": 1})
    ran = pnp("lab", "strategies", "known", *HOW)
    assert (ran.code, ran.said) == (1, ["known has no strategies; write some under `strategies`: pnp guide lab"])


SAID = {1: Message("pass"), 2: Message("play", {"number": 3}), 3: Message("play", {"number": 7})}


@pytest.mark.parametrize(
    ("prefer", "avoid", "left"),
    [
        (("pass",), (), [1]),
        (("play least number",), (), [2]),
        (("play most number", "pass"), (), [3]),
        (("play number is 7",), (), [3]),
        (("play number is 5", "pass"), (), [1]),
        ((), ("play",), [1]),
        ((), ("play most number",), [1, 2]),
        ((), ("play", "pass"), [1, 2, 3]),
        (("stop",), ("pass",), [2, 3]),
    ],
)
def test_moves_that_a_strategy_leaves(prefer: tuple[str, ...], avoid: tuple[str, ...], left: list[int]) -> None:
    assert list(Strategy("", prefer, avoid, "random").narrow_moves(SAID)) == left
