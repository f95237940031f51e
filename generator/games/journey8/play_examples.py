"""Situations of draft 8 as `examples.yaml` describes them, and the questions that may be asked about them."""

from collections.abc import Mapping, Sequence
from typing import Any

from generator.errors import did_you_mean
from generator.games.engine.contract import Box
from generator.games.engine.kernel import INTERPRETED, Record
from generator.games.journey8.facts import KEY, PLAIN
from generator.games.journey8.play_codes import MODE_NAMES, TURN
from generator.games.journey8.play_events import begin_scoring, key_runs, mode_of
from generator.games.journey8.play_pieces import put_in_hand
from generator.games.journey8.play_score import mode_now
from generator.games.journey8.play_texts import short
from generator.games.journey8.play_turn import begin_turn, set_up

MOMENTS = ("deal", "draw", "choice", "scoring")
GIVEN = ("at", "story", "keys", "hands", "deck", "sone", "coherence", "start", "seat")

# Situations


def arrange(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    """Puts cards and counters where the example has them; ValueError says what is unknown or can't be.

    `at` is the moment: `deal` (nothing else is given), `draw` (the turn of `seat` begins), `choice` (it has drawn; so
    unless said otherwise) or `scoring` (hands are laid open). `story`, `hands` and `deck` name cards, top of the deck
    first; without `deck` all other cards are the deck, with it they are laid aside. `keys` are places of the story
    from 1. `sone` and `coherence` are numbers for each player.
    """
    facts = INTERPRETED.record(box.numbers)
    for name in given:
        if name not in GIVEN:
            raise ValueError(f"'{name}' is unknown; {did_you_mean(name, GIVEN)}")
    moment = given.get("at", "choice")
    if moment not in MOMENTS:
        raise ValueError(f"at is '{moment}'; {did_you_mean(str(moment), MOMENTS)}")
    if moment == "deal":
        if len(given) > 1:
            raise ValueError("'at: deal' is a game as it is dealt; nothing else can be given")
        set_up(s, facts)
        return
    _lay_cards(s, box, facts, given)
    _lay_counters(s, facts, given)
    s.start, s.current = _seat(s, given, "start"), _seat(s, given, "seat")
    s.seat, s.phase = s.current, TURN
    s.first = 1 + -(-(facts.cards - s.top) // facts.draw)
    if moment == "draw":
        s.first -= 1
        begin_turn(s, facts)
    elif moment == "scoring":
        s.first = 0
        begin_scoring(s, facts)


def _lay_cards(s: Record, box: Box, facts: Record, given: Mapping[str, Any]) -> None:
    """Story, hands, and the deck, whose last card lies at the end of its row."""
    left = list(range(len(box.cards)))
    for card in _named(box, left, given, "story"):
        s.story[s.laid] = card
        s.laid += 1
    for place in _list(given, "keys"):
        if not isinstance(place, int) or not 1 <= place <= s.laid:
            raise ValueError(f"keys are places of the story, 1 to {s.laid}; there is {place}")
        s.keys[place - 1] = 1
    s.keys_laid = sum(s.keys)
    hands = _list(given, "hands")
    if len(hands) > s.players:
        raise ValueError(f"there are {len(hands)} hands for {s.players} players")
    for seat, hand in enumerate(hands):
        for card in _named(box, left, {"hands": hand}, "hands"):
            put_in_hand(s, facts, seat, card)
    deck = _named(box, left, given, "deck") if "deck" in given else left[:]
    s.top = facts.cards - len(deck)
    for at, card in enumerate(deck):
        s.deck[s.top + at] = card
    for card in [card for card in left if card not in deck]:
        s.removed[s.aside] = card
        s.aside += 1


def _lay_counters(s: Record, facts: Record, given: Mapping[str, Any]) -> None:
    """Each player's counters; without any given, those of the start."""
    sone = _list(given, "sone") or [facts.sone] * s.players
    coherence = _list(given, "coherence") or [0] * s.players
    for name, row, numbers in (("sone", s.sone, sone), ("coherence", s.coherence, coherence)):
        if len(numbers) != s.players or not all(isinstance(number, int) and number >= 0 for number in numbers):
            raise ValueError(f"{name} must be a number for each of {s.players} players")
        for seat, number in enumerate(numbers):
            row[seat] = number
    s.given_out = sum(sone) + sum(coherence)
    s.supply = facts.counters - s.given_out
    if s.supply < 0 and facts.finite:
        raise ValueError(f"players have {s.given_out} counters, and there are {facts.counters}")


def _named(box: Box, left: list[int], given: Mapping[str, Any], where: str) -> list[int]:
    """The cards that are named there, taken from those that are left."""
    found = []
    for name in _list(given, where):
        known = [short(box, card) for card in range(len(box.cards))]
        if name not in known:
            raise ValueError(f"{where}: there is no card '{name}'; {did_you_mean(str(name), known)}")
        card = next((card for card in left if known[card] == name), None)
        if card is None:
            raise ValueError(f"{where}: {name} lies elsewhere already")
        left.remove(card)
        found.append(card)
    return found


def _list(given: Mapping[str, Any], name: str) -> list[Any]:
    value = given.get(name, ())
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise ValueError(f"{name} must be a list")  # noqa: TRY004 - the contract of `arrange`
    return list(value)


def _seat(s: Record, given: Mapping[str, Any], name: str) -> int:
    seat = given.get(name, 1)
    if not isinstance(seat, int) or not 1 <= seat <= s.players:
        raise ValueError(f"{name} must be a player, 1 to {s.players}")
    return seat - 1


# Questions


def ask(s: Record, box: Box, question: str, words: tuple[str, ...]) -> Any:
    """`sone`, `coherence`, `counters` in play, how often they ran `short`, `rises`, `keys` (places), `turn` ...

    `mode` and `runs` may name a row instead of the story: `mode □□■■□`. `turns` is how many the deck is good for.
    """
    facts = INTERPRETED.record(box.numbers)
    seats = range(s.players)
    row = [int(key) for key in s.keys[: s.laid]]
    if words and question in ("mode", "runs"):
        row = _row(words[0])
    elif words:
        raise LookupError(f"nothing is known about '{question} {' '.join(words)}'")
    if question == "mode":
        return MODE_NAMES[mode_of(facts, row, len(row)) if words else mode_now(s, facts)]
    answers = {
        "sone": [int(s.sone[seat]) for seat in seats],
        "coherence": [int(s.coherence[seat]) for seat in seats],
        "counters": int(sum(s.sone) + sum(s.coherence)),
        "short": int(s.short[0]),
        "rises": int(s.rises),
        "keys": [place for place, key in enumerate(row, 1) if key],
        "runs": key_runs(facts, row, len(row)),
        "turn": int(s.turn),
        "turns": int(s.first),
    }
    if question not in answers:
        raise LookupError(f"unknown question; {did_you_mean(question, [*answers, 'mode'])}")
    return answers[question]


def _row(signs: str) -> list[int]:
    """A row of cards as the draft prints it, 1 for each key."""
    if set(signs) - {KEY, PLAIN}:
        raise LookupError(f"a row is written with {KEY} and {PLAIN}")
    return [int(sign == KEY) for sign in signs]
