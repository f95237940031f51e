"""Situations and questions of wayfaring's examples, in the words of data/wayfaring/examples.yaml."""

from collections.abc import Iterable, Mapping
from typing import Any

from generator.errors import did_you_mean
from generator.games.engine.contract import Box
from generator.games.engine.kernel import INTERPRETED, Record
from generator.games.wayfaring.cards import CHARACTERS
from generator.games.wayfaring.play_codes import CHARACTERS as CHARACTER_DECK
from generator.games.wayfaring.play_codes import DECK, DISPLAY, DRAW, END_CURSES, MAIN_1, MAIN_2, MOVE
from generator.games.wayfaring.play_deal import begin, hand_out, lay_out
from generator.games.wayfaring.play_flow import advance
from generator.games.wayfaring.play_zones import discard, into_area, lay_down, to_hand, turn_up

_PHASES = {"draw": DRAW, "main_1": MAIN_1, "move": MOVE, "main_2": MAIN_2, "end": END_CURSES}
_ONCE = ("deal", "turn", "seat", "phase", "deck", "rest", "discards", "characters", "display", "used")
_OF_PLAYERS = ("hand", "path", "area", "marks")


def arrange(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    """The situation that an example gives, run on to the first choice; ValueError for one that can't be."""
    _known(box, given)
    f = INTERPRETED.record(box.numbers)
    pool = _Pool(box)
    deck, characters = (pool.take(given.get(name, ())) for name in ("deck", "characters"))
    if given.get("deal"):
        lay_out(s, f)
        _stack(s.deck, deck + pool.rest(deck_cards=True))
        _stack(s.line, characters + pool.rest(deck_cards=False))
        hand_out(s, f)
        begin(s, f)
        return
    for seat in range(box.players):
        _place_seat(s, f, pool, seat, given)
    for card in pool.take(given.get("discards", ())):
        discard(s, f, card)
    for card in pool.take(given.get("display", ())):
        if not f.characters >> max(card - f.first_area, 0) & 1:
            raise ValueError("display: only characters are there")
        s.at[card] = DISPLAY
        s.display |= 1 << (card - f.first_area)
        s.shown += 1
    for seat in range(box.players):
        if f"hand {seat + 1}" not in given:
            to_hand(s, f, seat, pool.spare())
    _place_decks(s, f, pool, deck, characters, str(given.get("rest", "deck")))
    _begin(s, f, pool, given)
    advance(s, f)


def _known(box: Box, given: Mapping[str, Any]) -> None:
    names = {*_ONCE, *(f"{name} {seat + 1}" for name in _OF_PLAYERS for seat in range(box.players))}
    for name in given:
        if name not in names:
            raise ValueError(f"'{name}' is not known; {did_you_mean(name, names)}")
    if given.get("deal") and set(given) - {"deal", "deck", "characters"}:
        raise ValueError("only deck and characters can be given along with a deal")


class _Pool:
    """The copies that have not been put anywhere yet."""

    def __init__(self, box: Box):
        self.box = box
        self._left: dict[str, list[int]] = {}
        for card, copy in enumerate(box.cards):
            self._left.setdefault(_short(copy), []).append(card)

    def take(self, names: Iterable[Any]) -> list[int]:
        """The lowest free copies of these designs."""
        return [self.one(str(name)) for name in names]

    def one(self, name: str) -> int:
        """The lowest free copy of a design; ValueError if there is none."""
        if name not in self._left:
            raise ValueError(f"there is no card '{name}'; {did_you_mean(name, self._left)}")
        if not self._left[name]:
            raise ValueError(f"all copies of {name} lie elsewhere already")
        return self._left[name].pop(0)

    def spare(self) -> int:
        """A card that makes no difference in the hand of somebody whose turn it isn't: a trouble."""
        names = [name for name, cards in self._left.items() if cards and self._kind(cards[0]) == "trouble"]
        return self._left[names[-1]].pop()

    def rest(self, *, deck_cards: bool) -> list[int]:
        """All that are left, of the deck or of the characters, in the order of the data."""
        cards = sorted(card for copies in self._left.values() for card in copies)
        return [card for card in cards if (self._kind(card) != CHARACTERS) == deck_cards]

    def entries(self, names: Iterable[Any]) -> list[str]:
        """Names that are those of cards; ValueError for others."""
        for name in names:
            if str(name) not in self._left:
                raise ValueError(f"there is no card '{name}'; {did_you_mean(str(name), self._left)}")
        return [str(name) for name in names]

    def _kind(self, card: int) -> str:
        return self.box.cards[card].split("/")[0]


def _short(copy: str) -> str:
    return copy.split("/")[1].partition("#")[0]


def _stack(row: Any, cards: list[int]) -> None:
    for place, card in enumerate(cards):
        row[place] = card


def _place_seat(s: Record, f: Record, pool: _Pool, seat: int, given: Mapping[str, Any]) -> None:
    """Hand, path, area and pass markers of one player."""
    name = f" {seat + 1}"
    for card in pool.take(given.get("hand" + name, ())):
        _of_deck(f, card)
        to_hand(s, f, seat, card)
    up = True
    for text in map(str, given.get("path" + name, ())):
        if text[-1] not in "+-" or (text[-1] == "+" and not up):
            raise ValueError(f"path{name}: each card ends in + (face up) or -, and those with + come first")
        up = text[-1] == "+"
        _place_on_path(s, f, seat, pool.one(text[:-1]), up=up)
    for card in pool.take(given.get("area" + name, ())):
        if card < f.first_area:
            raise ValueError(f"area{name}: only characters and cursed items lie there")
        into_area(s, f, seat, card - f.first_area)
    marks = given.get("marks" + name, 0)
    if not isinstance(marks, int) or not 0 <= marks <= f.rule_passes:
        raise ValueError(f"marks{name}: from 0 to {f.rule_passes}")
    s.marks[seat] = marks


def _of_deck(f: Record, card: int) -> None:
    if card >= f.deck_cards:
        raise ValueError("characters are never in a hand")


def _place_on_path(s: Record, f: Record, seat: int, card: int, *, up: bool) -> None:
    """Destinations are the owner's, troubles those of the next player."""
    design = f.design[card] if card < f.deck_cards else 0
    if not (f.destination_designs | f.trouble_designs) >> design & 1:
        raise ValueError(f"path {seat + 1}: only destinations and troubles lie there")
    own = f.destination_designs >> design & 1
    lay_down(s, f, seat, card, seat if own else (seat + 1) % s.players)
    if up:
        turn_up(s, f, seat)


def _place_decks(s: Record, f: Record, pool: _Pool, deck: list[int], characters: list[int], rest: str) -> None:
    """Both decks: the cards given on top, and all that were not named below them, or on the discards."""
    if rest not in ("deck", "discards"):
        raise ValueError(f"rest: '{rest}' is neither deck nor discards")
    left = pool.rest(deck_cards=True)
    line = characters + pool.rest(deck_cards=False)
    cards = deck + (left if rest == "deck" else [])
    _stack(s.deck, cards)
    _stack(s.line, line)
    s.deck_count, s.line_count = len(cards), len(line)
    for card in cards:
        s.at[card] = DECK
    for card in line:
        s.at[card] = CHARACTER_DECK
    if rest == "discards":
        for card in left:
            discard(s, f, card)


def _begin(s: Record, f: Record, pool: _Pool, given: Mapping[str, Any]) -> None:
    """Whose turn it is, and how far it has come."""
    phase, seat, turn = str(given.get("phase", "main_1")), given.get("seat", 1), given.get("turn", 2)
    if phase not in _PHASES:
        raise ValueError(f"phase: '{phase}' is not known; {did_you_mean(phase, _PHASES)}")
    if not isinstance(seat, int) or not 1 <= seat <= s.players:
        raise ValueError(f"seat: from 1 to {s.players}")
    if not isinstance(turn, int) or turn < 1:
        raise ValueError("turn: a number from 1")
    s.turn_seat = s.seat = seat - 1
    s.turn, s.stage = turn, _PHASES[phase]
    s.drawn = f.rule_draw if turn > 1 and s.stage > DRAW else 0
    for name in pool.entries(given.get("used", ())):
        for entry in range(f.area_cards):
            if _short(pool.box.cards[f.first_area + entry]) == name:
                s.used |= 1 << entry


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
