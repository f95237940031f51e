"""What a rulebook shows as set up: each game's deal, before anybody has drawn for a turn."""

import engine_laws as laws
import pytest
from shipped_games import workshop

from generator.rules.engine.contract import Box
from generator.rules.engine.table import Seed, Table
from generator.rules.registry import load_rules

DEALT = ("fortuna", "journey18", "journey8", "wayfaring")
"""The games whose set-up plays on to the first choice. Xanadu's ends with one, that of a company."""

GAMES = {name: workshop(name).game for name in DEALT}


def boxes(name: str) -> list[Box]:
    return laws.boxes_of(load_rules(GAMES[name]), GAMES[name])


@pytest.mark.parametrize("name", DEALT)
def test_every_piece_has_its_place_before_play_begins(name: str) -> None:
    laws.check_deal(load_rules(GAMES[name]), boxes(name), 20)


@pytest.mark.parametrize("name", DEALT)
def test_hands_are_as_dealt(name: str) -> None:
    """Everyone holds the rule's hand, and nobody has drawn for a turn yet."""
    rules, hand = load_rules(GAMES[name]), GAMES[name].sections["rules"]["hand"]
    for box in boxes(name):
        dealt = Table.deal(rules, box, Seed(7)).list_zones()
        hands = [sum(pieces.values()) for zone, pieces in dealt.items() if zone.split()[0] == "hand"]
        assert hands == [hand] * box.players


@pytest.mark.parametrize("name", DEALT)
def test_the_game_goes_on_from_the_deal(name: str) -> None:
    """With equal seeds the first player begins with the cards that were dealt, and in three games has drawn others."""
    rules = load_rules(GAMES[name])
    for box in boxes(name):
        zone = "hand" if box.players == 1 else "hand 1"
        for game in range(10):
            dealt, begun = (open_(rules, box, Seed(7, game)).list_zones()[zone] for open_ in (Table.deal, Table))
            assert dict(dealt).items() <= dict(begun).items()
            assert (len(begun) > len(dealt)) == (name != "wayfaring")  # there the draw itself is a choice
