"""Situations of draft 8 as `examples.yaml` describes them, and the questions that may be asked about them."""

from collections.abc import Mapping
from typing import Any

from generator.errors import did_you_mean
from generator.games.engine.codes import name_of
from generator.games.engine.contract import Box
from generator.games.engine.kernel import INTERPRETED, Record
from generator.games.engine.situations import Pool, one_of, only, read_list, seat_of, whole
from generator.games.journey8.events import begin_scoring
from generator.games.journey8.facts import KEY, PLAIN
from generator.games.journey8.moves import Mode, Phase
from generator.games.journey8.pieces import lay_out, put_in_hand
from generator.games.journey8.score import key_runs, mode_now, mode_of
from generator.games.journey8.turns import begin_turn, set_up
from generator.games.journey8.words import short

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
    f = INTERPRETED.record(box.numbers)
    only(given, GIVEN)
    moment = one_of(given.get("at", "choice"), MOMENTS, "moment")
    if moment == "deal":
        if len(given) > 1:
            raise ValueError("'at: deal' is a game as it is dealt; nothing else can be given")
        set_up(s, f)
        return
    _lay_cards(s, box, f, given)
    _lay_counters(s, f, given)
    s.start, s.current = seat_of(given.get("start", 1), s.players), seat_of(given.get("seat", 1), s.players)
    s.seat, s.phase = s.current, Phase.TURN
    s.first = 1 + -(-(f.cards - s.top) // f.draw)
    if moment == "draw":
        s.first -= 1
        begin_turn(s, f)
    elif moment == "scoring":
        s.first = 0
        begin_scoring(s, f)


def _lay_cards(s: Record, box: Box, f: Record, given: Mapping[str, Any]) -> None:
    """Story, hands, and the deck, whose last card lies at the end of its row."""
    named: dict[str, list[int]] = {}
    for card in range(len(box.cards)):
        named.setdefault(short(box, card), []).append(card)
    pool = Pool(named)
    for card in pool.take(given.get("story", ()), "story"):
        lay_out(s, card)
    for place in read_list(given.get("keys", ()), "keys"):
        s.keys[whole(place, "the place of a key", 1, s.laid) - 1] = 1
    s.keys_laid = sum(s.keys)
    hands = read_list(given.get("hands", ()), "hands")
    if len(hands) > s.players:
        raise ValueError(f"there are {len(hands)} hands for {s.players} players")
    for seat, hand in enumerate(hands):
        for card in pool.take(hand, "hands"):
            put_in_hand(s, f, seat, card)
    deck = pool.take(given["deck"], "deck") if "deck" in given else pool.any(len(pool.free))
    s.top = f.cards - len(deck)
    s.deck[s.top :] = deck
    s.aside = len(pool.free)
    s.removed[: s.aside] = pool.free


def _lay_counters(s: Record, f: Record, given: Mapping[str, Any]) -> None:
    """Each player's counters; without any given, those of the start."""
    for name, row, start in (("sone", s.sone, f.sone), ("coherence", s.coherence, 0)):
        numbers = read_list(given.get(name, ()), name) or [start] * s.players
        if len(numbers) != s.players:
            raise ValueError(f"{name} must be a number for each of {s.players} players")
        for seat, number in enumerate(numbers):
            row[seat] = whole(number, name, 0)
    s.given_out = sum(s.sone[: s.players]) + sum(s.coherence[: s.players])
    s.supply = f.counters - s.given_out
    if s.supply < 0 and f.finite:
        raise ValueError(f"players have {s.given_out} counters, and there are {f.counters}")


# Questions


def ask(s: Record, box: Box, question: str, words: tuple[str, ...]) -> Any:
    """`sone`, `coherence`, `counters` in play, how often they ran `short`, `rises`, `keys` (places), `turn` ...

    `mode` and `runs` may name a row instead of the story: `mode □□■■□`. `turns` is how many the deck is good for.
    """
    f = INTERPRETED.record(box.numbers)
    seats = range(s.players)
    row = [int(key) for key in s.keys[: s.laid]]
    if words and question in ("mode", "runs"):
        row = _row(words[0])
    elif words:
        raise LookupError(f"nothing is known about '{question} {' '.join(words)}'")
    if question == "mode":
        return name_of(Mode, mode_of(f, row, len(row)) if words else mode_now(s, f))
    answers = {
        "sone": [int(s.sone[seat]) for seat in seats],
        "coherence": [int(s.coherence[seat]) for seat in seats],
        "counters": int(sum(s.sone) + sum(s.coherence)),
        "short": int(s.short[0]),
        "rises": int(s.rises),
        "keys": [place for place, key in enumerate(row, 1) if key],
        "runs": key_runs(f, row, len(row)),
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
