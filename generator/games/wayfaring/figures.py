"""What follows from the numbers of wayfaring without playing: chances of first hands, cards that suffice."""

from fractions import Fraction
from math import comb

from generator.games.engine.contract import Box
from generator.games.wayfaring.facts import DECK, DESTINATION, count, facts_of


def without(deck: int, wanted: int, hand: int) -> Fraction:
    """The chance that none of the `wanted` cards of a deck is in a hand drawn from it."""
    return Fraction(comb(deck - wanted, hand), comb(deck, hand))


def at_least_once(chance: Fraction, times: int) -> Fraction:
    """The chance that something happens at all in so many tries, taken as independent."""
    return 1 - (1 - chance) ** times


def most_redraws(deck: int, wanted: int, hand: int) -> int:
    """The most hands of one set-up that can lack the wanted cards: each of them takes a whole hand of others."""
    return (deck - wanted) // hand


def sure_from(players: int, hand: int) -> int:
    """How many wanted cards must exist so that one is left even if all other hands hold nothing else."""
    return hand * (players - 1) + 1


def most_players_sure(wanted: int, hand: int) -> int:
    """The largest number of players for whom that many wanted cards are sure to suffice."""
    return (wanted - 1) // hand + 1 if wanted else 0


def expected_before(skipped: int, taken: int, wanted: int) -> Fraction:
    """How many of the `skipped` come up, on average, before `taken` of the `wanted` have."""
    return Fraction(taken * skipped, wanted + 1)


def none_before(skipped: int, taken: int, wanted: int) -> Fraction:
    """The chance that none of the `skipped` comes up before `taken` of the `wanted` have."""
    return Fraction(comb(wanted, taken), comb(wanted + skipped, taken))


def path_cards_used(players: int, memories: int, more: int = 0) -> int:
    """The path cards face up when somebody wins at last: all others one memory short of what they need.

    `more` is what curses add to the needs of all players together.
    """
    return players * (memories - 1) + 1 + more


def redraw_chance_at(table: Box) -> float:
    """The chance that some first hand of a table lacks a destination."""
    game = table.game
    facts, _ = facts_of(game)
    deck = sum(count(game, kind) for kind in DECK)
    return float(at_least_once(without(deck, count(game, DESTINATION), facts.hand), table.players))
