"""Situations and questions of wayfaring's examples, in the words of data/wayfaring/examples.yaml."""

from collections.abc import Mapping
from typing import Any

from generator.games.engine.contract import Box
from generator.games.engine.kernel import INTERPRETED, Record
from generator.games.engine.situations import Pool, one_of, only, read_list, seat_of, whole
from generator.games.wayfaring.moves import Stage, Zone
from generator.games.wayfaring.pieces import discard, into_area, lay_down, to_hand, turn_up
from generator.games.wayfaring.turns import advance, begin, hand_out, lay_out

_PHASES = {
    "draw": Stage.DRAW,
    "main_1": Stage.MAIN_1,
    "move": Stage.MOVE,
    "main_2": Stage.MAIN_2,
    "end": Stage.END_CURSES,
}
_ONCE = ("deal", "turn", "seat", "phase", "deck", "rest", "discards", "characters", "display", "used")
_OF_PLAYERS = ("hand", "path", "area", "marks")


def arrange(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    """The situation that an example gives, run on to the first choice; ValueError for one that can't be."""
    only(given, [*_ONCE, *(f"{name} {seat + 1}" for name in _OF_PLAYERS for seat in range(box.players))])
    if given.get("deal") and set(given) - {"deal", "deck", "characters"}:
        raise ValueError("only deck and characters can be given along with a deal")
    f = INTERPRETED.record(box.numbers)
    pool = Pool(_cards_by_name(box))
    deck, characters = (pool.take(given.get(name, ()), name) for name in ("deck", "characters"))
    if any(card >= f.deck_cards for card in deck) or any(card < f.deck_cards for card in characters):
        raise ValueError("characters have a deck of their own")
    if given.get("deal"):
        lay_out(s, f)
        s.deck[:] = deck + _rest(f, pool, deck_cards=True)
        s.line[:] = characters + _rest(f, pool, deck_cards=False)
        hand_out(s, f)
        begin(s, f)
        return
    for seat in range(box.players):
        _place_seat(s, f, pool, seat, given)
    for card in pool.take(given.get("discards", ()), "discards"):
        discard(s, f, card)
    for card in pool.take(given.get("display", ()), "display"):
        if not f.characters >> max(card - f.first_area, 0) & 1:
            raise ValueError("display: only characters are there")
        s.at[card] = Zone.DISPLAY
        s.display |= 1 << (card - f.first_area)
        s.shown += 1
    for seat in range(box.players):
        if f"hand {seat + 1}" not in given:
            to_hand(s, f, seat, _spare(f, pool))
    _place_decks(s, f, pool, deck, characters, one_of(given.get("rest", "deck"), ("deck", "discards"), "rest"))
    _begin(s, box, f, given)
    advance(s, f)


def _cards_by_name(box: Box) -> dict[str, list[int]]:
    """The copies of each design, by its name."""
    named: dict[str, list[int]] = {}
    for card, copy in enumerate(box.cards):
        named.setdefault(_short(copy), []).append(card)
    return named


def _rest(f: Record, pool: Pool, *, deck_cards: bool) -> list[int]:
    """All that are left, of the deck or of the characters, in the order of the data."""
    return [card for card in pool.free if (card < f.deck_cards) == deck_cards]


def _spare(f: Record, pool: Pool) -> int:
    """A card that makes no difference in the hand of somebody whose turn it isn't: the last trouble."""
    troubles = [card for card in pool.free if card < f.deck_cards and f.trouble_designs >> f.design[card] & 1]
    return pool.any(1, troubles, last=True)[0]


def _short(copy: str) -> str:
    return copy.split("/")[1].partition("#")[0]


def _place_seat(s: Record, f: Record, pool: Pool, seat: int, given: Mapping[str, Any]) -> None:
    """Hand, path, area and pass markers of one player."""
    hand, path, area, marks = (f"{name} {seat + 1}" for name in _OF_PLAYERS)
    for card in pool.take(given.get(hand, ()), hand):
        if card >= f.deck_cards:
            raise ValueError("characters are never in a hand")
        to_hand(s, f, seat, card)
    up = True
    for text in map(str, read_list(given.get(path, ()), path)):
        if text[-1] not in "+-" or (text[-1] == "+" and not up):
            raise ValueError(f"{path}: each card ends in + (face up) or -, and those with + come first")
        up = text[-1] == "+"
        _place_on_path(s, f, seat, pool.one(text[:-1]), up=up)
    for card in pool.take(given.get(area, ()), area):
        if card < f.first_area:
            raise ValueError(f"{area}: only characters and cursed items lie there")
        into_area(s, f, seat, card - f.first_area)
    s.marks[seat] = whole(given.get(marks, 0), marks, 0, f.rule_passes)


def _place_on_path(s: Record, f: Record, seat: int, card: int, *, up: bool) -> None:
    """Destinations are the owner's, troubles those of the next player."""
    design = f.design[card] if card < f.deck_cards else 0
    own = f.destination_designs >> design & 1
    if not own and not f.trouble_designs >> design & 1:
        raise ValueError(f"path {seat + 1}: only destinations and troubles lie there")
    lay_down(s, f, seat, card, seat if own else (seat + 1) % s.players)
    if up:
        turn_up(s, f, seat)


def _place_decks(s: Record, f: Record, pool: Pool, deck: list[int], characters: list[int], rest: str) -> None:
    """Both decks: the cards given on top, and all that were not named below them, or on the discards."""
    left = _rest(f, pool, deck_cards=True)
    line = characters + _rest(f, pool, deck_cards=False)
    cards = deck + (left if rest == "deck" else [])
    s.deck[: len(cards)], s.line[: len(line)] = cards, line
    s.deck_count, s.line_count = len(cards), len(line)
    for card in cards:
        s.at[card] = Zone.DECK
    for card in line:
        s.at[card] = Zone.CHARACTERS
    if rest == "discards":
        for card in left:
            discard(s, f, card)


def _begin(s: Record, box: Box, f: Record, given: Mapping[str, Any]) -> None:
    """Whose turn it is, and how far it has come."""
    s.turn_seat = s.seat = seat_of(given.get("seat", 1), s.players)
    s.turn = whole(given.get("turn", 2), "turn", 1)
    s.stage = _PHASES[one_of(given.get("phase", "main_1"), _PHASES, "phase")]
    s.drawn = f.rule_draw if s.turn > 1 and s.stage > Stage.DRAW else 0
    named = _cards_by_name(box)
    for name in read_list(given.get("used", ()), "used"):
        for card in named[one_of(name, named, "card")]:
            s.used |= 1 << (card - f.first_area) if card >= f.first_area else 0


# Questions


def ask(s: Record, box: Box, question: str, words: tuple[str, ...]) -> Any:
    """Answers a question of an example; LookupError for one that isn't known.

    `path 2`, `used`, `marks 2`, `memories 2`, `visited 2`, `out`, `winners`, `phase`, `turn`, `recruited`, `redraws`,
    `reshuffles`, `top 2`, `bottom 2` (that many cards of the deck), `advanced` (on display).
    """
    simple = {"turn": s.turn, "recruited": s.recruited, "redraws": s.redraws, "reshuffles": s.reshuffled}
    if question in simple:
        return int(simple[question])
    if question in ("out", "winners"):
        mask = s.winners if question == "winners" else sum(1 << seat for seat in range(s.players) if s.out[seat])
        return [seat + 1 for seat in range(s.players) if mask >> seat & 1]
    if question == "phase":
        return next(name for name, stage in reversed(_PHASES.items()) if s.stage >= stage)
    if question in ("used", "advanced"):
        f = INTERPRETED.record(box.numbers)
        bits = s.used if question == "used" else s.display & f.advanced
        return [_short(box.cards[f.first_area + n]) for n in range(f.area_cards) if int(bits) >> n & 1]
    return _ask_number(s, box, question, words)


def _ask_number(s: Record, box: Box, question: str, words: tuple[str, ...]) -> Any:
    """Questions about a player, or about so many cards of the deck."""
    number = int(words[0]) if len(words) == 1 and words[0].isdigit() else 0
    f = INTERPRETED.record(box.numbers)
    if question in ("top", "bottom") and 0 < number <= s.deck_count:
        start = s.deck_top + (0 if question == "top" else s.deck_count - number)
        return [_short(box.cards[s.deck[(start + place) % f.deck_cards]]) for place in range(number)]
    if not 1 <= number <= box.players:
        raise LookupError(f"'{' '.join((question, *words))}' is no question of this game")
    seat = number - 1
    if question == "path":
        cards = [int(s.path[seat * f.deck_cards + place]) for place in range(s.length[seat])]
        return [f"{_short(box.cards[card])}{'+' if n < s.memories[seat] else '-'}" for n, card in enumerate(cards)]
    if question in ("marks", "memories"):
        return int(getattr(s, question)[seat])
    if question == "visited":
        return int(s.seen[seat * f.terrains])
    raise LookupError(f"'{question}' is no question of this game")
