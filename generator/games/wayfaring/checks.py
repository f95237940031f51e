"""The named checks of wayfaring that take more than a line of arithmetic; each works its figures out from the data."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import comb

from generator.games.engine.check import Outcome, check
from generator.games.engine.facts import kind_of
from generator.games.wayfaring.cards import CARDS, CHARACTERS, DECK, DESTINATION, TROUBLE, count, parts_of, printed
from generator.games.wayfaring.facts import Ratio, facts_of, limits_of
from generator.model.game import Game


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


@check
def every_card_distinct(game: Game) -> Outcome:
    """The cards of deck and characters are as many as the limits say, each copy with a name of its own."""
    names = [copy for kind in CARDS for design in kind_of(game, kind).designs for copy in design.copies()]
    twice = sorted(name for name, times in Counter(names).items() if times > 1)
    stated = limits_of(game).cards
    figures = f"{_against(len(names), stated)} cards" + (f"; twice: {', '.join(twice)}" if twice else "")
    return Outcome(len(names) == stated and not twice, figures)


@check
def terrains_and_kinds(game: Game) -> Outcome:
    """Destinations of each terrain, characters of each kind and those of no kind are as many as the rules say."""
    facts, _ = facts_of(game)
    terrains = Counter(card.fields["terrain"] for card in printed(game, DESTINATION))
    people = list(printed(game, CHARACTERS))
    kinds = Counter(kind for card in people for kind in card.fields["kinds"])
    kindless = sum(not card.fields["kinds"] for card in people)
    doubled = [card.id for card in people if len(set(card.fields["kinds"])) < len(card.fields["kinds"])]
    rows = [
        _table(terrains, facts.terrains),
        _table(kinds, facts.kinds),
        f"no kind {_against(kindless, facts.kindless)}",
    ]
    rows += [f"a kind twice: {', '.join(doubled)}"] if doubled else []
    agree = (terrains, kinds, kindless) == (Counter(facts.terrains), Counter(facts.kinds), facts.kindless)
    return Outcome(agree and not doubled, "; ".join(rows))


@check
def set_up_deals(game: Game) -> Outcome:
    """Set-up takes every card from the box; hands, deck, display and character deck are those of the limits."""
    facts, _ = facts_of(game)
    limits = limits_of(game)
    deck, characters = sum(count(game, kind) for kind in DECK), count(game, CHARACTERS)
    taken = {
        kind: sum(item.take for item in game.setup if item.kind == kind and not item.each_player) for kind in CARDS
    }
    short = [
        f"set-up takes {n} of {count(game, kind)} {kind} cards" for kind, n in taken.items() if n != count(game, kind)
    ]
    if short:
        return Outcome(False, "; ".join(short))

    def row(players: int) -> tuple[bool, str]:
        hands, stated = players * facts.hand, limits.table[players]
        found = (hands, deck - hands, characters - facts.display)
        told = f"{_against(hands, stated.hands)} + {_against(deck - hands, stated.deck)} = {deck}"
        told += f", {facts.display} + {_against(characters - facts.display, stated.characters)} = {characters}"
        return found == (stated.hands, stated.deck, stated.characters), told

    return _each(game, row)


@check
def destinations_sure(game: Game) -> Outcome:
    """However the other hands look, a destination is left for each player; the limits know for how many players."""
    facts, _ = facts_of(game)
    limits, there = limits_of(game), count(game, DESTINATION)
    most = most_players_sure(there, facts.hand)

    def row(players: int) -> tuple[bool, str]:
        sure, stated = sure_from(players, facts.hand), limits.table[players].sure
        return sure == stated and sure <= there, f"{_against(sure, stated)} of {there}"

    found = _each(game, row)
    figures = f"{found.figures}; up to {_against(most, limits.most_players_sure)} players"
    return Outcome(found.ok and most == limits.most_players_sure, figures)


@check
def redraws_bounded(game: Game) -> Outcome:
    """No set-up has more redraws than the limits say, and all of them end before a card that was put back."""
    facts, _ = facts_of(game)
    limits, deck = limits_of(game), sum(count(game, kind) for kind in DECK)
    most = most_redraws(deck, count(game, DESTINATION), facts.hand)

    def row(players: int) -> tuple[bool, str]:
        left = deck - players * facts.hand
        return most * facts.hand <= left, f"{most * facts.hand} of {left} cards"

    found = _each(game, row)
    return Outcome(
        found.ok and most == limits.most_redraws, f"{_against(most, limits.most_redraws)} redraws; {found.figures}"
    )


@check
def redraw_chance(game: Game) -> Outcome:
    """The chance of a hand without a destination, and of any such first hand at each table, are those of the limits."""
    facts, _ = facts_of(game)
    limits, deck = limits_of(game), sum(count(game, kind) for kind in DECK)
    chance = without(deck, count(game, DESTINATION), facts.hand)

    def row(players: int) -> tuple[bool, str]:
        some, stated = round(at_least_once(chance, players) * 10_000), limits.table[players].redraws
        return some == stated, f"{_against(some, stated)} in 10000"

    found, agrees = _each(game, row), chance == _fraction(limits.redraw)
    stated = f"{limits.redraw.of}/{limits.redraw.in_}"
    figures = f"{stated} = {float(chance):.6f}" if agrees else f"{float(chance):.6f} (the data say {stated})"
    return Outcome(found.ok and agrees, f"{figures}; {found.figures}")


def redraw_at_a_table(game: Game, players: int) -> float:
    """The chance that some first hand of a table lacks a destination."""
    facts, _ = facts_of(game)
    deck = sum(count(game, kind) for kind in DECK)
    return float(at_least_once(without(deck, count(game, DESTINATION), facts.hand), players))


@check
def display_possible(game: Game) -> Outcome:
    """Ordinary characters fill the display; expectation, chance and number of those set aside are as the limits say."""
    facts, _ = facts_of(game)
    limits = limits_of(game)
    advanced = sum(card.fields["advanced"] for card in printed(game, CHARACTERS))
    ordinary = count(game, CHARACTERS) - advanced
    if ordinary < facts.display:
        return Outcome(False, f"{ordinary} ordinary characters for a display of {facts.display}")
    expected = expected_before(advanced, facts.display, ordinary)
    none = none_before(advanced, facts.display, ordinary)
    agree = (expected, none, advanced) == (
        _fraction(limits.aside_expected), _fraction(limits.aside_none), limits.aside_most,
    )  # fmt: skip
    figures = (
        f"{ordinary} for a display of {facts.display}; set aside "
        f"{_against(float(expected), float(_fraction(limits.aside_expected)))} on average, "
        f"none with {_against(round(float(none), 4), round(float(_fraction(limits.aside_none)), 4))}, "
        f"at most {_against(advanced, limits.aside_most)}"
    )
    return Outcome(agree, figures)


@check
def victory_feasible(game: Game) -> Outcome:
    """Destinations and troubles suffice for a victory with all others one memory short, curses and all."""
    facts, _ = facts_of(game)
    limits = limits_of(game)
    cards = count(game, DESTINATION) + count(game, TROUBLE)
    more = sum(
        curse.values["n"] * copies_of
        for card, part, curse, copies_of in parts_of(game)
        if part == "curse" and curse.op == "need_more"
    )

    def row(players: int) -> tuple[bool, str]:
        stated = limits.table[players]
        used = path_cards_used(players, facts.memories)
        masked = path_cards_used(players, facts.memories, more)
        ok = (used, masked) == (stated.path, stated.masked) and masked <= cards
        return ok, f"{_against(used, stated.path)} or {_against(masked, stated.masked)}"

    found = _each(game, row)
    figures = f"of {_against(cards, limits.path_cards)} path cards: {found.figures}"
    return Outcome(found.ok and cards == limits.path_cards, figures)


def _each(game: Game, row: Callable[[int], tuple[bool, str]]) -> Outcome:
    """What holds for every number of players."""
    found = {players: row(players) for players in game.players}
    figures = "; ".join(f"{players} players: {told}" for players, (_, told) in found.items())
    return Outcome(bool(found) and all(ok for ok, _ in found.values()), figures)


def _against(found: object, stated: object) -> str:
    """What was computed, and what the data state where they differ."""
    return str(found) if found == stated else f"{found} (the data say {stated})"


def _table(found: Mapping[str, int], stated: Mapping[str, int]) -> str:
    names: Iterable[str] = dict.fromkeys([*stated, *found])
    return ", ".join(f"{name} {_against(found.get(name, 0), stated.get(name, 0))}" for name in names)


def _fraction(ratio: Ratio) -> Fraction:
    return Fraction(ratio.of, ratio.in_)
