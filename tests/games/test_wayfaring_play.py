"""The Wayfaring Book as it is played: whole games, every switch, what a seat can know, and the examples of its data."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from engine_laws import boxes_of, play, tables
from wayfaring_game import loaded
from wayfaring_oracle import Placed, Standing, holds, payable
from wayfaring_oracle import Table as Around
from wayfaring_oracle import usable as may_use

from generator.play.example_runs import find_move
from generator.rules.engine.contract import Box
from generator.rules.engine.kernel import INTERPRETED, seed_chance
from generator.rules.engine.table import Seed, Table, fresh_state
from generator.rules.wayfaring.data import facts_of
from generator.rules.wayfaring.pieces import can_pay, discard_card, is_usable, situation_holds, take_from_hand
from generator.rules.wayfaring.rules import RULES
from generator.rules.wayfaring.score import value_threats
from generator.rules.wayfaring.state import Ending, Out, Zone

GAME = cache(loaded)


def boxes(**options: Any) -> list[Box]:
    return boxes_of(RULES, GAME(), options)


def test_blind_mixes_by_chance() -> None:
    """What a seat can't see may be anything: other chances give other hands, decks and character decks."""
    table = Table(RULES, boxes()[0], Seed(1))
    facts = INTERPRETED.make_record(table.box.numbers)
    found = []
    for chance in (1, 2):
        seen = INTERPRETED.copy(table.state)
        seed_chance(seen.rng, chance, 5)
        RULES.blind(seen, facts, 0)
        found.append(seen)
    one, other = found
    assert (one.hand[0], one.held) == (other.hand[0], other.held)
    assert one.hand[1] != other.hand[1]
    assert one.deck != other.deck
    assert one.line != other.line


def test_blind_leaves_something_to_choose() -> None:
    """Whoever is choosing destinations to discard is known to have some, whatever else the hand may be."""
    given = {"hand 1": ["D01", "D02", "T01"], "hand 2": ["T02"], "display": ["P08"]}
    table = Table.arrange(RULES, boxes()[0], Seed(1), given)
    table.apply(find_move(table, "recruit P08"))
    facts, moves = INTERPRETED.make_record(table.box.numbers), [0] * RULES.most(table.box)
    assert table.seat == 0
    assert len(table.list_legal_moves()) == 2
    for chance in range(40):
        seen = INTERPRETED.copy(table.state)
        seed_chance(seen.rng, chance, 5)
        RULES.blind(seen, facts, 1)
        assert RULES.legal(seen, facts, moves) > 0


@pytest.mark.parametrize("games", [16, pytest.param(40, marks=pytest.mark.slow)])
def test_every_phrase_is_said(games: int) -> None:
    """Each phrase for a move is said in some game, and no other; warnings only where no card will be left."""
    said: set[str] = set()

    def watch(now: Table, legal: tuple[int, ...]) -> None:
        for move in legal:
            phrase = RULES.say(now.state, now.box, move).phrase
            said.add(phrase)
            if phrase.removesuffix("_last") in ("place", "trouble", "curse"):
                assert phrase.endswith("_last") == (now.state.held[now.seat] == 1)

    for table in tables(RULES, boxes(), games):
        play(table, Random(table.seed.game), watch)
    given = {"hand 1": ["D05", "D06"], "discards": ["D04"], "area 1": ["P18"]}
    table = Table.arrange(RULES, boxes()[0], Seed(1), given)
    watch(table, table.list_legal_moves())
    table.apply(find_move(table, "use P18"))
    watch(table, table.list_legal_moves())
    moves = list(GAME().moves)
    assert said == {*moves[: moves.index("place_hidden")]} - {"done_no_way"}, "the latter by another reading"


# The box


def test_an_empty_deck_is_a_hole() -> None:
    """The draft speaks of neither an empty deck nor discards: a reshuffle is a way out of ours, and counted."""
    given = {"phase": "draw", "hand 1": ["D01"], "hand 2": ["T01"]}
    empty = Table.arrange(RULES, boxes()[0], Seed(1), {**given, "rest": "discards"})
    full = Table.arrange(RULES, boxes()[0], Seed(1), {**given, "rest": "deck"})
    assert (RULES.holes[empty.state.hole - 1].reading, empty.state.reshuffled) == ("E28", 1)
    assert full.state.hole == 0


def test_first_hands_without_destination() -> None:
    """Hands are drawn anew about as often as the limits of the data say (TC-34)."""
    table = boxes()[1]
    facts = INTERPRETED.make_record(table.numbers)
    drawn = 0
    for number in range(2000):
        state = fresh_state(RULES, table, Seed(34, number), INTERPRETED)
        RULES.set_up(state, facts)
        drawn += state.redraws > 0
    assert 273 * 0.2 - 25 < drawn < 273 * 0.2 + 25


# What effects ask for, against the same rules written without kernels


def standing(table: Table, seat: int) -> Standing:
    """A player as the pure rules see one."""
    s, f = table.state, table.box.numbers
    cards = [table.box.cards[s.path[seat * f["deck_cards"] + n]] for n in range(s.length[seat])]
    designs = [GAME().design(card.split("#")[0]) for card in cards]
    path = [
        Placed(card, n < s.memories[seat], design.kind, design.fields.get("terrain", ""))
        for n, (card, design) in enumerate(zip(cards, designs, strict=True))
    ]
    zones = table.list_zones()
    area = zones.get(f"area {seat + 1}", {})
    hand = zones.get(f"hand {seat + 1}", {})
    return Standing(
        path,
        len(hand),
        sum(card.startswith("destination") for card in hand),
        sum(card.startswith("character") for card in area),
        sum(card.startswith("cursed") for card in area),
        s.marks[seat],
        not any("C03" in card for card in area),
    )


def surroundings(table: Table, seat: int, design: str) -> Around:
    """The rest of the table as the pure rules see it."""
    zones, players = table.list_zones(), range(table.box.players)
    active = [n for n in players if not table.state.out[n]]
    discards = zones.get("discards", {})
    display = [GAME().design(card.split("#")[0]) for card in zones.get("display", {})]
    me = standing(table, seat)
    joinable = [
        who for who in display if who.fields["situation"] and all(holds(p, me) for p in who.fields["situation"])
    ]
    fresh = table.state.reshuffled < 1
    return Around(
        drawable=bool(zones.get("deck")) or (bool(discards) and fresh),
        other_hands=any(zones.get(f"hand {n + 1}") for n in active if n != seat),
        on_display=len(display),
        joinable=bool(joinable),
        character_deck=len(zones.get("characters", {})),
        discards=len(discards),
        other_discards=sum(not card.startswith(design) for card in discards),
        discarded_destinations=sum(card.startswith("destination") for card in discards),
        hidden=any(zones.get(f"ahead {n + 1}") for n in active),
        answers_intervention=table.state.items > 0 and table.state.item_what[table.state.items - 1] in (2, 3),
    )


def test_conditions_agree_with_the_pure_rules() -> None:
    plain, _ = facts_of(GAME())
    seen: Counter[tuple[str, bool]] = Counter()

    def watch(now: Table, _legal: tuple[int, ...]) -> None:
        if random.random() > 0.1:
            return
        s, f, seat = now.state, INTERPRETED.make_record(now.box.numbers), now.seat
        if s.out[seat]:
            return
        me = standing(now, seat)
        for entry in range(f.area_cards):
            card = GAME().design(now.box.cards[f.first_area + entry].split("#")[0])
            around = surroundings(now, seat, card.id)
            answers = {
                "use": (is_usable(s, f, seat, f.ability[entry], -1), may_use(card.fields["effects"], me, around)),
                "cost": (can_pay(s, f, seat, f.cost[entry]), payable(card.fields.get("cost") or (), me, plain)),
                "deed": (can_pay(s, f, seat, f.deed[entry]), payable(card.fields.get("deed") or (), me, plain)),
            }
            if situation := card.fields.get("situation"):
                found = all(holds(part, me) for part in situation)
                answers["situation"] = (situation_holds(s, f, seat, entry), found)
            for name, (kernel, pure) in answers.items():
                assert bool(kernel) == pure, (name, card.id, now.seed, now.moves)
                seen[name, pure] += 1
        for number, first in enumerate(f.first):
            card = GAME().design(now.box.cards[first].split("#")[0])
            if card.kind == "intervention":
                pure = may_use(card.fields["effects"], me, surroundings(now, seat, card.id))
                assert bool(is_usable(s, f, seat, f.effect[number], number)) == pure, (card.id, now.seed, now.moves)
                seen["card", pure] += 1

    random = Random(5)
    for table in tables(RULES, boxes(), 12):
        play(table, Random(table.seed.game), watch)
    assert all(seen[name, answer] for name in ("use", "cost", "deed", "situation", "card") for answer in (True, False))


# What the laws see


def lose_last_card(s: Any, f: Any) -> None:
    discard_card(s, f, take_from_hand(s, f, 0, f.design[s.at.index(Zone.HAND)]))


def put(**values: int) -> Callable[[Any, Any], None]:
    """A change that gives fields of a state other values."""

    def change(s: Any, f: Any) -> None:
        for name, value in values.items():
            setattr(s, name, value)

    return change


PLANTED: dict[str, Callable[[Any, Any], None]] = {
    "TC-20": lambda s, f: s.at.__setitem__(s.deck[s.deck_top], 2),
    "TC-21": lambda s, f: s.path.__setitem__(slice(0, 2), [s.path[1], s.path[0]]),
    "TC-22": lambda s, f: s.by.__setitem__(0, 1),
    "TC-23": put(placed=2),
    "TC-24": put(faulty_deal=1),
    "TC-25": put(drawn=0),
    "TC-26": lambda s, f: s.marks.__setitem__(1, 3),
    "TC-28": put(reshuffled=2),
    "TC-29": put(over=1),
    "TC-30": put(over=1, winners=1, ending=1),
    "TC-31": lambda s, f: s.out.__setitem__(1, 2),
    "TC-32": put(items=1, stage=2),
    "TC-35": lose_last_card,
    "TC-36": lambda s, f: s.most_memories.__setitem__(0, 2),
}


@pytest.mark.parametrize("law", RULES.laws)
def test_broken_laws_are_seen(law: str) -> None:
    given = {"hand 1": ["I01"], "path 1": ["D01+", "D02-"]}
    table = Table.arrange(RULES, boxes()[0], Seed(1), given)
    facts = INTERPRETED.make_record(table.box.numbers)
    assert RULES.broken(table.state, facts) == 0
    PLANTED[law](table.state, facts)
    assert RULES.laws[RULES.broken(table.state, facts) - 1] == law


@pytest.mark.parametrize("winner", [0, 1])
def test_of_those_who_faint_together_only_the_most_memories_win(winner: int) -> None:
    table = Table.arrange(RULES, boxes()[0], Seed(1), {"hand 1": [], "hand 2": []})
    s = table.state
    put(over=1, winners=1 << winner, ending=Ending.FAINTING_LAST)(s, None)
    for seat in (0, 1):
        s.out[seat], s.out_turn[seat], s.out_memories[seat] = Out.EMPTY_HAND, s.turn, seat
    broken = RULES.broken(s, INTERPRETED.make_record(table.box.numbers))
    assert (broken and RULES.laws[broken - 1]) == (0 if winner else "TC-30")


@pytest.mark.parametrize(
    ("trouble", "held", "worth"), [("T01", 2, 200), ("T01", 3, 100), ("T01", 4, 0), ("T03", 3, 200), ("T05", 1, 0)]
)
def test_a_trouble_threatens_whoever_has_few_cards(trouble: str, held: int, worth: int) -> None:
    """Bots value what may make another faint; not what they lie under themselves, and less among more players."""
    for players in (2, 3):
        table = Table(RULES, RULES.box(loaded(), players, {}), Seed(1, 0))
        s, f = table.state, table.box.make_facts()
        s.path[f.deck_cards] = table.box.cards.index(f"trouble/{trouble}#1")
        s.length[1], s.by[f.deck_cards], s.held[1] = 1, 0, held
        assert value_threats(s, f, 0) == worth // (players - 1)
        assert value_threats(s, f, 1) == 0
