"""The rules of Draft 8 as played, with words, views, examples and the bots' valuation."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from generator.rules.engine.contract import (
    ALL_SEEN,
    TIES,
    WINS,
    Box,
    Measure,
    Message,
    Observation,
    Questions,
    Supply,
    Zones,
    answer_question,
)
from generator.rules.engine.facts import (
    CardPool,
    find_code_name,
    find_known_name,
    find_range_start,
    read_list,
    read_number,
    read_seat,
    require_known_names,
)
from generator.rules.engine.kernel import Record, kernel, shuffle, sort, take_at
from generator.rules.engine.table import visible_zones
from generator.rules.journey8.data import COUNTERS, KEY, PLAIN, make_box
from generator.rules.journey8.state import (
    LAWS,
    PER_COLOUR,
    Mode,
    Move,
    Phase,
    find_merit,
    hand_sum,
    key_runs,
    lay_out,
    mode_now,
    mode_of,
    put_in_hand,
    rank_seats,
    score,
    sum_promised,
)
from generator.rules.journey8.turns import STORY, demand, find_broken_law, measure, most_moves

_WITH_CARD = (Move.PLAY, Move.EVENT, Move.KEEP)
_WITH_SEAT = (Move.GIVE, Move.TAKE)
_DECLARED = {Move.AS: "declare", Move.LEFT_AS: "declare_left"}

# Zones


def zones(s: Record, box: Box) -> Zones:
    """Return removed cards, deck, story (left to right), discards, hands, and each player's sone and coherence.

    If players have more counters than the box, the rest are substitutes, which are not listed.
    """
    rows = {
        "removed": s.removed[: s.aside],
        "deck": s.deck[s.top :],
        "story": s.story[: s.laid],
        "discards": s.discards[: s.thrown],
    }
    for seat in range(s.players):
        first = seat * len(box.cards)
        rows[f"hand {seat + 1}"] = s.hand[first : first + s.held[seat]]
    found = {name: {box.cards[card]: 1 for card in row} for name, row in rows.items()}
    return {**found, **_list_counters(s, box)}


def _list_counters(s: Record, box: Box) -> dict[str, dict[str, int]]:
    """Return the box's counters by zone (`sone 1`, `supply`) and design; those of players come before the supply."""
    ((counter, left),) = box.counted.items()
    found = {}
    for seat in range(s.players):
        for side, number in (("sone", int(s.sone[seat])), ("coherence", int(s.coherence[seat]))):
            found[f"{side} {seat + 1}"] = min(number, left)
            left -= min(number, left)
    found["supply"] = left
    return {zone: {counter: number} if number else {} for zone, number in found.items()}


# Moves


def write(s: Record, box: Box, move: int) -> str:
    """Return the notation: `pass`, `play red-6`, `as red 1`, `left as blue 7`, `give 2`, `event red-6` ..."""
    kind, what = _split_move(move)
    words = [find_code_name(Move, kind).replace("_", " ")]
    if kind in _WITH_CARD:
        words.append(box.name_card(what))
    elif kind in _WITH_SEAT:
        words.append(str(what + 1))
    elif kind in _DECLARED:
        values = declared_values(box, what)
        words += map(str, values[1:] if box.numbers["joker_colour_always_same"] else values)
    return " ".join(words)


def say(s: Record, box: Box, move: int) -> Message:
    """Return the move's phrase with the card, the declaration or the player."""
    kind, what = _split_move(move)
    if kind in _WITH_CARD:
        return Message(find_code_name(Move, kind), {"card": box.find_design(what)})
    if kind in _WITH_SEAT:
        return Message(find_code_name(Move, kind), {"player": what + 1})
    if kind in _DECLARED:
        colour, number = declared_values(box, what)
        if box.numbers["joker_colour_always_same"]:
            return Message(f"{_DECLARED[kind]}_number", {"number": number})
        return Message(_DECLARED[kind], {"colour": colour, "number": number})
    return Message("apply_none" if s.phase == Phase.EVENT else find_code_name(Move, kind))


def _split_move(move: int) -> tuple[int, int]:
    """Return the kind of a move and its argument."""
    kind = find_range_start(Move, move)
    return kind, move - kind


def declared_values(box: Box, declared: int) -> tuple[str, int]:
    """Return the colour and the number of a joker's declaration, which is stored as one number."""
    colours = tuple(box.game.sections["rules"]["colours"])
    return colours[declared // PER_COLOUR], box.get_row("numbers")[declared % PER_COLOUR]


POINT = 100
"""The unit of the valuation: the worth of one point of the total."""

STAYS, COMES, SELDOM = 75, 40, 25
"""The chance that large numbers win, in hundredths: if they do now, if one more key would do it, otherwise."""

PROMISE = 80
"""The result of effects in hand, in hundredths of their best result."""

TURNED = 12
"""The worth of a sone that may yet be turned, for each turn to come up to FORESEEN."""

FORESEEN = 3
"""The number of turns considered in advance."""

OPEN = 18
"""The worth of a large number at the story's end, for each sone that the next player could turn beside it."""

UNKNOWN = 30
"""The cost of a card in another's hand while large numbers lose, and its additional worth if they win."""

OPTION = 10
"""The worth of a card to choose from, for each turn to come up to FORESEEN."""


@kernel
def value(s: Record, f: Record, seat: int) -> int:
    """Value a state for a seat by its expected lead over all others at the end, in POINTs."""
    if s.over or s.scoring or f.aimed:
        return POINT * ahead_now(s, f, seat)
    large, turns = chance_of_large(s, f), turns_left(s, f)
    total = 0
    for other in range(s.players):
        worth = POINT * (s.coherence[other] - s.sone[other])
        worth += TURNED * min(turns, FORESEEN) * min(s.sone[other], 4)
        if other == seat:
            gain = 2 * large - 100 if not f.hand_value_ignored else 0
            worth += gain * hand_sum(s, f, other) * POINT // 100 + PROMISE * sum_promised(s, f, other) * POINT // 100
            worth += OPTION * min(turns, FORESEEN) * min(s.held[other], 4)
            total += worth * (s.players - 1)
        else:
            worth += s.held[other] * (4 * large - 50 - UNKNOWN)
            if other == s.seat:
                worth += OPEN * min(s.sone[other], last_number(s, f))
            total -= worth
    return total


@kernel
def ahead_now(s: Record, f: Record, seat: int) -> int:
    """Return the sum of the seat's leads over the others if nothing changed any more."""
    mode, own, total = mode_now(s, f), 0, 0
    for other in range(s.players):
        ahead, hand = s.coherence[other] - s.sone[other], 0
        if other == seat or s.scoring:
            hand = hand_sum(s, f, other)
            ahead += sum_promised(s, f, other)
        found = find_merit(f, mode, hand, ahead)
        total += found
        if other == seat:
            own = found
    return int(own * s.players - total)


@kernel
def chance_of_large(s: Record, f: Record) -> int:
    """Return the chance that large numbers win in the end, in hundredths."""
    if not f.reverse_on:
        return 0
    now = mode_now(s, f) == Mode.REVERSE
    if turns_left(s, f) == 0:
        return 100 if now else 0
    if now:
        return STAYS
    return COMES if s.laid > 0 and s.keys[s.laid - 1] else SELDOM


@kernel
def turns_left(s: Record, f: Record) -> int:
    """Return roughly how many turns each player still has."""
    return (f.cards - s.top) // (f.draw * s.players)


@kernel
def last_number(s: Record, f: Record) -> int:
    """Return the number at the story's end; a joker has the number that suits the next player."""
    if s.laid == 0:
        return 0
    card = s.story[s.laid - 1]
    return 6 if f.joker[card] else int(f.number[card]) - 1


_PHASES = {
    Phase.TURN: "at_turn",
    Phase.EXTRA: "at_extra",
    Phase.DECLARE: "at_declare",
    Phase.DECLARE_LEFT: "at_declare",
    Phase.GIVE: "at_give",
    Phase.TAKE: "at_take",
    Phase.EVENT: "at_event",
    Phase.KEEP: "at_keep",
}
_MODES = {Mode.NORMAL: "mode_normal", Mode.REVERSE: "mode_reverse", Mode.IGNORED: "mode_ignored"}


def observe(s: Record, box: Box, seat: int) -> Observation:
    """Return everything except the deck and, until hands are open, others' hands and the points that depend on them."""
    laid = visible_zones(zones(s, box), seat, closed=("deck",), own=() if s.scoring else ("hand",))
    unsure = frozenset() if s.scoring or seat == ALL_SEEN else frozenset(range(s.players)) - {seat}
    return Observation(laid, tuple(_describe_status(s)), {"story": _describe_story(s, box)}, unsure)


def _describe_story(s: Record, box: Box) -> Message:
    """Return which cards of the story are keys, and how hand numbers count now."""
    keys = tuple(box.find_design(int(s.story[at])) for at in range(s.laid) if s.keys[at])
    mode = mode_now(s, box.make_facts())
    return Message(_MODES[mode] + ("_keys" if keys else ""), {"keys": keys, "number": len(keys)})


def _describe_status(s: Record) -> Iterator[Message]:
    if not s.over and s.phase in _PHASES:
        rest = {"turn": s.turn + 1, "of": int(s.first), "cards": int(s.held[s.seat])}
        yield Message("at_scoring" if s.scoring else "whose_turn", {"seat": s.current + 1, **rest})
        yield Message(_PHASES[int(s.phase)], {"seat": s.seat + 1, **rest})


def follow(before: Record | None, after: Record, box: Box, _seat: int) -> Iterator[Message]:
    """Report moved or turned counters, keys, the beginning of the scoring, and the end."""
    if before is None:
        return
    if after.keys_laid > before.keys_laid:
        yield Message("is_key", {"card": box.find_design(int(after.story[after.laid - 1]))})
    for seat in range(after.players):
        counters = {"sone": int(after.sone[seat]), "coherence": int(after.coherence[seat])}
        if counters != {"sone": before.sone[seat], "coherence": before.coherence[seat]}:
            yield Message("counters", {"seat": seat + 1, **counters})
    if after.scoring and not before.scoring:
        yield Message("end_by_keys" if after.key_end else "end_by_deck", {"number": int(after.keys_laid)})
    if after.over:
        yield Message("decided")


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    """Shuffle the deck and, until they are open, the hands of the others."""
    top = s.top
    if s.scoring == 0:
        for other in range(s.players):
            if other != seat:
                base = other * f.cards
                for at in range(base, base + s.held[other]):
                    top -= 1
                    s.deck[top] = s.hand[at]
    sort(s.deck, top, f.cards)
    shuffle(s.rng, s.deck, top, f.cards)
    if s.scoring == 0:
        for other in range(s.players):
            if other != seat:
                number = s.held[other]
                s.held[other] = 0
                for _ in range(number):
                    put_in_hand(s, f, other, take_at(s.deck, top))
                    top += 1


MOMENTS = ("deal", "draw", "choice", "scoring")
GIVEN = ("at", "story", "keys", "hands", "deck", "sone", "coherence", "start", "seat")

# Situations


def arrange(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    """Arrange cards and counters as in the example. Raise ValueError for anything unknown or impossible.

    `at` is the moment: `deal` (nothing else is given), `draw` (the turn of `seat` begins), `choice` (it has drawn; the
    default) or `scoring` (hands are open). `story`, `hands` and `deck` name cards from the top of the deck; without
    `deck`, all other cards are the deck, with it they are laid aside. `keys` are places of the story from 1. `sone` and
    `coherence` are numbers for each player.
    """
    f = box.make_facts()
    require_known_names(given, GIVEN)
    moment = find_known_name(given.get("at", "choice"), MOMENTS, "moment")
    if moment == "deal":
        if len(given) > 1:
            raise ValueError("'at: deal' is a game as it is dealt; nothing else can be given")
        STORY.set_up(s, f)
        return
    _lay_cards(s, box, f, given)
    _lay_counters(s, f, given)
    s.start, s.current = read_seat(given.get("start", 1), s.players), read_seat(given.get("seat", 1), s.players)
    s.seat, s.phase = s.current, Phase.TURN
    s.first = 1 + -(-(f.cards - s.top) // f.draw)
    if moment == "draw":
        s.first -= 1
        STORY.begin(s, f)
    elif moment == "scoring":
        s.first = 0
        s.scoring = 1
        STORY.begin(s, f)


def _lay_cards(s: Record, box: Box, f: Record, given: Mapping[str, Any]) -> None:
    """Lay out the story, the hands, and the deck, whose last card is at the end of its row."""
    pool = CardPool(box.list_cards_by_name())
    for card in pool.take(given.get("story", ()), "story"):
        lay_out(s, card)
    for place in read_list(given.get("keys", ()), "keys"):
        s.keys[read_number(place, "the place of a key", 1, s.laid) - 1] = 1
    s.keys_laid = sum(s.keys)
    hands = read_list(given.get("hands", ()), "hands")
    if len(hands) > s.players:
        raise ValueError(f"there are {len(hands)} hands for {s.players} players")
    for seat, hand in enumerate(hands):
        for card in pool.take(hand, "hands"):
            put_in_hand(s, f, seat, card)
    deck = pool.take(given["deck"], "deck") if "deck" in given else pool.take_any(len(pool.free))
    s.top = f.cards - len(deck)
    s.deck[s.top :] = deck
    s.aside = len(pool.free)
    s.removed[: s.aside] = pool.free


def _lay_counters(s: Record, f: Record, given: Mapping[str, Any]) -> None:
    """Give each player's counters, by default those of the start."""
    for name, row, start in (("sone", s.sone, f.sone), ("coherence", s.coherence, 0)):
        numbers = read_list(given.get(name, ()), name) or [start] * s.players
        if len(numbers) != s.players:
            raise ValueError(f"{name} must be a number for each of {s.players} players")
        for seat, number in enumerate(numbers):
            row[seat] = read_number(number, name, 0)
    s.given_out = sum(s.sone[: s.players]) + sum(s.coherence[: s.players])
    s.supply = f.counters - s.given_out
    if s.supply < 0 and f.supply_finite:
        raise ValueError(f"players have {s.given_out} counters, and there are {f.counters}")


# Questions


def _read_row(s: Record, row: str) -> list[int]:
    """Return 1 for each key and 0 for each other card of a row, written with the signs KEY and PLAIN; '': the story."""
    if set(row) - {KEY, PLAIN}:
        raise ValueError(f"a row is written with {KEY} and {PLAIN}")
    return [int(sign == KEY) for sign in row] if row else [int(key) for key in s.keys[: s.laid]]


def _name_mode(s: Record, box: Box, row: str = "") -> str:
    f, keys = box.make_facts(), _read_row(s, row)
    return find_code_name(Mode, mode_of(f, keys, len(keys)) if row else mode_now(s, f))


def _count_runs(s: Record, box: Box, row: str = "") -> int:
    keys = _read_row(s, row)
    return int(key_runs(box.make_facts(), keys, len(keys)))


QUESTIONS: Questions = {
    "sone": lambda s, _box: [int(s.sone[seat]) for seat in range(s.players)],
    "coherence": lambda s, _box: [int(s.coherence[seat]) for seat in range(s.players)],
    "counters": lambda s, _box: int(sum(s.sone) + sum(s.coherence)),
    "short": lambda s, _box: int(s.short[0]),
    "rises": lambda s, _box: int(s.rises),
    "keys": lambda s, _box: [place for place, key in enumerate(_read_row(s, ""), 1) if key],
    "mode": _name_mode,
    "runs": _count_runs,
    "turn": lambda s, _box: int(s.turn),
    "turns": lambda s, _box: int(s.first),
}
"""What examples may ask: counters of each player and in play, how often they ran short, places of keys ...

`mode` and `runs` may name a row instead of the story: `mode □□■■□`. `turns` is the number of turns that the deck
allows.
"""


RULES = STORY.make_rules(
    box=make_box,
    roomy=True,
    score=score,
    place=rank_seats,
    value=value,
    blind=blind,
    demand=demand,
    most=most_moves,
    zones=zones,
    write=write,
    say=say,
    arrange=arrange,
    ask=partial(answer_question, QUESTIONS),
    broken=find_broken_law,
    observe=observe,
    follow=follow,
    laws=LAWS,
    supplies=(Supply("counters", COUNTERS, "E12", "C8-COUNTER-BOUND"),),
    measures=(
        Measure("S8-REVERSE", "ended in Reverse"),
        Measure("S8-SUDDEN", "ended with the last key"),
        Measure("S8-HAND", "cards in all hands at the end"),
        Measure("S8-EVENT-VALUE", "hundredths of a point that an effect brought its holder"),
        Measure("S8-EVENT-VALUE", "and was worth"),
    ),
    measure=measure,
    answers={"S8-COUNTERS": "counters", "S8-SEAT": WINS, "S8-TIES": TIES},
)
