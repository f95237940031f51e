"""Draft 8 played agrees with its arithmetic: plays, declarations, modes, totals and effects, for any cards and counters."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from journey8_game import GAME, arranged, do
from journey8_oracle import Card, Counters, Final, effect_applied, mode_by_count, step, total, winners
from journey8_oracle import key_runs as runs_of
from tests_support import examples

from generator.game.model import Effect
from generator.rules.engine.facts import find_code_name
from generator.rules.engine.kernel import INTERPRETED
from generator.rules.engine.table import Table
from generator.rules.journey8.data import effects_of, facts_of, key_count_modes
from generator.rules.journey8.rules import RULES
from generator.rules.journey8.state import Mode, key_runs, mode_of

FACTS, SWITCHES = facts_of(GAME)
COLOURS = ("red", "blue", "yellow")


@st.composite
def meetings(draw: st.DrawFn) -> tuple[int, list[str], list[Card], list[int]]:
    """Players, names and faces of a card and its left neighbour (jokers as they are declared), and everybody's sone."""
    names, faces = [], []
    for joker in ("storyteller-1", "storyteller-2"):
        face = Card(draw(st.sampled_from(COLOURS)), draw(st.integers(1, 7)), draw(st.booleans()))
        names.append(joker if face.joker else f"{face.colour}-{face.number}")
        faces.append(face)
    players = draw(st.integers(2, 4))
    return players, names, faces, draw(st.lists(st.integers(0, 9), min_size=players, max_size=players))


@pytest.mark.slow
@examples(300)
@given(meetings(), st.sampled_from(["declared", "always_same"]))
def test_a_play_does_what_the_arithmetic_says(meeting: Any, colours: Any) -> None:
    """Sone given, gained and turned, and keys, agree with `step` for all cards, declarations and numbers of sone."""
    players, names, (new, left), sone = meeting
    if names[0] == names[1]:
        return
    hands = [[names[0]]] + [[] for _ in range(players - 1)]
    table = arranged(players, {"joker_colour": colours}, story=[names[1]], hands=hands, sone=sone)
    do(table, f"play {names[0]}")
    new, left = declared(table, new, left, colours)
    while any(table.write_move(move).startswith("give") for move in table.list_legal_moves()):
        table.apply(table.list_legal_moves()[-1])
    wanted = step(new, left, sone[0], players - 1, FACTS, replace(SWITCHES, joker_colour=colours))
    assert table.state.sone[0] == sone[0] - wanted.given + wanted.gained - wanted.turned
    assert table.state.coherence[0] == wanted.turned
    assert table.state.keys_laid == wanted.key
    got = [table.state.sone[seat] - sone[seat] for seat in range(1, players)]
    assert sum(got) == wanted.given
    assert set(got) <= {0, 1}


def declared(table: Table, new: Card, left: Card, colours: str) -> tuple[Card, Card]:
    """The faces after declarations: the wanted ones, or those that come to the same."""
    told = [new, left]
    for at, word in enumerate(("as", "left as")):
        if table.list_legal_moves() and table.write_move(table.list_legal_moves()[-1]).startswith(word):
            wanted = {f"{word} {told[at].number}", f"{word} {told[at].colour} {told[at].number}"}
            offered = {table.write_move(move): move for move in table.list_legal_moves()}
            text = next((text for text in offered if text in wanted), min(offered))
            table.apply(offered[text])
            *_, number = text.split()
            colour = text.split()[-2] if colours == "declared" else told[at].colour
            told[at] = Card(colour, int(number), True)
    return told[0], told[1]


@pytest.mark.parametrize(
    ("options", "story", "played", "outcomes"),
    [
        ({}, "red-4", "storyteller-1", 14),
        ({}, "storyteller-1", "red-4", 14),
        ({}, "storyteller-1", "storyteller-2", 26),
        ({"joker_colour": "always_same"}, "red-4", "storyteller-1", 7),
        ({"joker_colour": "always_same"}, "storyteller-1", "storyteller-2", 13),
        ({"joker_memory": "keep_declared"}, "red-4", "storyteller-1", 21),
        ({"joker_memory": "keep_declared"}, "storyteller-1", "storyteller-2", 21 * 14),
    ],
)
def test_declarations_are_offered_once_each(options: Mapping[str, Any], story: str, played: str, outcomes: int) -> None:
    """One joker can be 14 different things, two jokers 26 (dossier, M2); what differs afterwards is all offered."""
    table = do(arranged(2, options, story=[story], hands=[[played], []]), f"play {played}")
    ways = 0
    for move in table.list_legal_moves():
        twin = table.clone()
        twin.apply(move)
        second = [twin.write_move(other) for other in twin.list_legal_moves()]
        ways += len(second) if any(text.startswith("left") for text in second) else 1
    assert ways == outcomes


@examples(150)
@given(st.lists(st.booleans(), max_size=12), st.sampled_from(["groups", "adjacent_pairs"]))
def test_modes_are_those_of_the_arithmetic(row: list[bool], run_count: Any) -> None:
    """Runs of keys, and V-KEYCOUNT's table, agree with `rules` for any row."""
    keys = [int(key) for key in row]
    runs = INTERPRETED.make_record(RULES.box(GAME, 2, {"run_count": run_count}).numbers)
    assert key_runs(runs, keys, len(keys)) == runs_of(row, FACTS, replace(SWITCHES, run_count=run_count))
    counted = INTERPRETED.make_record(RULES.box(GAME, 2, {"mode_by": "key_count"}).numbers)
    assert find_code_name(Mode, mode_of(counted, keys, len(keys))) == mode_by_count(sum(keys), key_count_modes(GAME))


@examples(150)
@given(
    st.permutations([f"{colour}-{number}" for colour in COLOURS for number in range(1, 8)]),
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), min_size=3, max_size=3),
    st.booleans(),
)
def test_totals_and_winners_are_those_of_the_arithmetic(cards: list[str], held: Any, reverse: bool) -> None:
    """Hand sum, sone and coherence come to the same totals and the same winners as in `rules`, in either mode."""
    hands = [[cards.pop() for _ in range(number)] for number, _, _ in held]
    situation = {
        "story": [cards.pop(), cards.pop(), cards.pop()],
        "keys": [2, 3] if reverse else [],
        "hands": hands,
        "sone": [sone for _, sone, _ in held],
        "coherence": [coherence for _, _, coherence in held],
    }
    table = arranged(3, {"events": "none"}, at="scoring", **situation)
    sums = [sum(int(name[-1]) for name in hand) for hand in hands]
    finals = [Final(number, sone, coherence) for number, (_, sone, coherence) in zip(sums, held, strict=True)]
    mode: Any = "reverse" if reverse else "normal"
    assert table.is_over
    assert list(table.compute_scores()) == [total(final, mode) for final in finals]
    places = table.compute_places()
    assert tuple(seat for seat in range(3) if places[seat] == 1) == winners(finals, mode)


@examples(200)
@given(
    st.sampled_from(sorted(effects_of(GAME))),
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=4),
)
def test_effects_are_those_of_the_arithmetic(design: str, counters: list[tuple[int, int]]) -> None:
    """Each card's effect, with the players chosen that are offered last, leaves everybody what `effects` says."""
    players = len(counters)
    sone, coherence = ([part[side] for part in counters] for side in (0, 1))
    hands = [[design.split("/")[1]]] + [[] for _ in range(players - 1)]
    table = arranged(players, at="scoring", hands=hands, sone=sone, coherence=coherence)
    chosen: list[int] = []
    while not table.is_over:
        move = table.list_legal_moves()[-1]
        chosen.append(int(table.write_move(move).split()[1]) - 1)
        table.apply(move)
    wanted = tuple(Counters(*part) for part in counters)
    for effect in effects_of(GAME)[design]:
        picked = (chosen or others(wanted, effect)) if effect.op in ("give", "take_one") else []
        wanted = effect_applied(effect, 0, wanted, picked + picked[-1:] * 9)
    found = zip(table.state.sone[:players], table.state.coherence[:players], strict=True)
    assert tuple(Counters(*part) for part in found) == wanted


def others(table: tuple[Counters, ...], effect: Effect) -> list[int]:
    """Whom a player must choose where there is no choice."""
    seats = range(1, len(table))
    return [seat for seat in seats if effect.op == "give" or table[seat].sone]
