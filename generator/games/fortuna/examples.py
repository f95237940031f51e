"""Situations of Fortuna as `data/fortuna/examples.yaml` gives them, and the questions that can be asked about them."""

from collections.abc import Mapping
from typing import Any

from generator.errors import did_you_mean
from generator.games.engine.codes import begin_of
from generator.games.engine.contract import Box
from generator.games.engine.kernel import INTERPRETED, Record
from generator.games.engine.situations import Pool, entries, only, seat_of, texts, whole
from generator.games.fortuna.effects import put_in_hand
from generator.games.fortuna.facts import facts_of
from generator.games.fortuna.figures import set_points, values
from generator.games.fortuna.legal import legal
from generator.games.fortuna.moves import FaceDownIcons, Move, Phase
from generator.games.fortuna.score import best_icon
from generator.games.fortuna.turns import next_turn
from generator.games.fortuna.words import card_name, chain, design_of

GIVEN = ("seat", "hands", "drawn", "draws", "main", "end", "piles", "sets", "trigger")

QUESTIONS = ("reach", "numbers", "pile", "hands", "worth", "round", "trigger")


def _pool(box: Box, given: Mapping[str, Any]) -> Pool:
    """All cards, by copy (`6L1`) and by design (`6L`)."""
    cards: dict[str, list[int]] = {}
    for card in range(len(box.cards)):
        name = card_name(box, card)
        cards[name] = [card]
        cards.setdefault(name[:-1], []).append(card)
    return Pool(cards, {name for name in texts(given) if name in cards})


def arrange(s: Record, box: Box, given: Mapping[str, Any]) -> None:
    """Lays out a situation at the start of a turn, which then draws; with `drawn: true`, after its draw.

    `seat` (from 1) has the turn. `hands`: cards by seat. `draws`: the next cards to draw; `main`: how many there are in
    the main deck. `end`: cards of the End pile, the top first, or their number. `piles`: cards by number, the top last,
    or how many. `sets`: by seat and number, a list of cards or {up, down}. `trigger: true`: pulled by the start player
    in this round. Cards that are not named fill the decks; those left over are out of play.
    """
    only(given, GIVEN)
    f = INTERPRETED.record(box.numbers)
    cards = _pool(box, given)
    seat, late = seat_of(given.get("seat", 1), box.players) + 1, bool(given.get("trigger", False))
    if late and seat == 1:
        raise ValueError("the start player has no turn after the end trigger, only later seats")
    _hands(s, f, box, cards, given.get("hands", {}))
    _sets(s, f, box, cards, given.get("sets", {}))
    counted = _named_piles(s, f, cards, given.get("piles", {}))
    draws, end = (
        cards.take(given.get("draws", []), "draws"),
        given.get("end", max(0, f.end_pile + 1 - (seat if late else 1))),
    )
    ends = end if isinstance(end, int) else cards.take(end, "end")
    for pile, number in counted:  # any card of the number will do that nothing else names
        printed = [card for card in cards.free if f.number[card] == pile]
        if number > len(printed):
            raise ValueError(f"only {len(printed)} cards with a {pile} are left: name the cards of this pile")
        _pile(s, pile, cards.any(number, printed, last=True))
    _decks(s, f, cards, draws, ends, given.get("main"), untouched=not late)
    s.turn = box.players + seat - 1
    if late:
        s.trigger = box.players + 1
        s.first_end = max(0, f.end_pile - s.end_n - (seat - 2) * f.draw)
    if not given.get("drawn", False):
        next_turn(s, f)
        return
    s.turn += 1
    s.seat, s.phase = seat - 1, Phase.ACTION
    if s.hand_n[seat - 1] == 0:
        raise ValueError(f"seat {seat} has drawn, and yet no card")


def ask(s: Record, box: Box, question: str, words: tuple[str, ...]) -> Any:
    """Answers what an example asks.

    `reach 6 2`: the numbers that a 6 may count as over 2 discards; `reach 6`: over those that lie there. `numbers`,
    `numbers 2`: those of which the seat could play a set. `pile 5`: its cards, the top first. `hands`: their sizes.
    `worth 1 5`: points for seat 1's set of 5. `round`: from 1 in the round of the situation. `trigger`: whether pulled.
    """
    if question not in QUESTIONS:
        raise LookupError(f"nobody can tell; {did_you_mean(question, QUESTIONS)}")
    try:
        numbers = [int(word) for word in words]
    except ValueError as error:
        raise LookupError(f"'{' '.join(words)}' should be numbers") from error
    wanted = {"reach": (1, 2), "numbers": (0, 1), "pile": (1,), "worth": (2,)}.get(question, (0,))
    if len(numbers) not in wanted:
        raise LookupError(f"it takes {' or '.join(map(str, wanted))} numbers")
    if question == "reach":
        discards = numbers[1] if len(numbers) > 1 else int(s.count[_index(numbers[0], len(s.count))])
        return list(values(numbers[0], discards, *facts_of(box.game)))
    if question == "numbers":
        return _playable(s, box, _seat(numbers[0], box) if numbers else int(s.seat))
    if question == "pile":
        return [card_name(box, card) for card in chain(s, s.top[_index(numbers[0], len(s.top))])]
    if question == "hands":
        return [int(s.hand_n[seat]) for seat in range(box.players)]
    if question == "worth":
        return _worth(s, box, _seat(numbers[0], box), _index(numbers[1], len(s.top)))
    return bool(s.trigger) if question == "trigger" else (int(s.turn) - 1) // box.players


def _hands(s: Record, f: Record, box: Box, cards: Pool, given: Any) -> None:
    for seat, names in entries(given, "hands"):
        at, hand = seat_of(seat, box.players), cards.take(names, f"the hand of seat {seat}")
        if len(hand) > f.width:
            raise ValueError(f"seat {seat} holds {len(hand)} cards, and nobody ever holds more than {f.width}")
        for card in hand:
            put_in_hand(s, f, at, card)


def _sets(s: Record, f: Record, box: Box, cards: Pool, given: Any) -> None:
    for seat, own in entries(given, "sets"):
        at = seat_of(seat, box.players)
        for number, laid in entries(own, f"sets of seat {seat}"):
            sides = laid if isinstance(laid, Mapping) else {"up": laid}
            if "up" not in sides:
                raise ValueError(f"a set of {number} needs cards face up")
            up, down = cards.take(sides["up"], "a set"), cards.take(sides.get("down", []), "a set")
            value = whole(number, "a set's number", 0, f.numbers - 1)
            size = len(up) + len(down)
            if size != value and not (value == 0 and f.zero_set_min <= size <= f.zero_set_max):
                raise ValueError(f"a set of {value} can't have {size} cards")
            place = at * f.numbers + value
            s.up[place], s.down[place] = _chained(s, up), _chained(s, down)
            s.owned[at] |= 1 << value
            s.sets[at] += 1
            s.laid += size
            showing = sum(f.unit[card] for card in (up + down if f.face_down_icons == FaceDownIcons.COUNT else up))
            s.points[at] += size * best_icon(f, showing)


def _named_piles(s: Record, f: Record, cards: Pool, given: Any) -> list[tuple[int, int]]:
    """The piles whose cards are named; answers the others with their numbers of cards."""
    counted = []
    for number, laid in entries(given, "piles"):
        pile = whole(number, "a pile", 0, f.numbers - 1)
        if not f.piles[pile]:
            raise ValueError(f"there is no pile for the number {pile}")
        if isinstance(laid, int):
            counted.append((pile, laid))
        else:
            _pile(s, pile, cards.take(laid, "a pile"))
    return counted


def _pile(s: Record, pile: int, there: list[int]) -> None:
    s.top[pile], s.count[pile] = _chained(s, there), len(there)
    s.discards += len(there)


def _decks(
    s: Record, f: Record, cards: Pool, draws: list[int], end: int | list[int], main_n: Any, *, untouched: bool
) -> None:
    """The End pile and the main deck; cards that are not named fill them up, the End pile with the last ones."""
    ends = cards.any(whole(end, "end", 0, f.end_pile), last=True)[::-1] if isinstance(end, int) else end
    rest = len(draws) + len(cards.free) if untouched and len(ends) >= f.end_pile else 0
    number = whole(rest if main_n is None else main_n, "main", 0, f.cards)
    if number < len(draws):
        raise ValueError(f"{len(draws)} cards are to be drawn from a main deck of {number}")
    main = draws + cards.any(number - len(draws))
    for row, name, deck in ((s.main, "main_n", main), (s.end, "end_n", ends)):
        if len(deck) > len(row):
            raise ValueError(f"{len(deck)} cards are more than the pile has")
        setattr(s, name, len(deck))
        for at, card in enumerate(reversed(deck)):
            row[at] = card


def _playable(s: Record, box: Box, seat: int) -> list[int]:
    """The numbers of sets that the seat could play if it were its choice."""
    moves = [0] * (2 * len(box.cards))
    f = INTERPRETED.record(box.numbers)
    now = (s.seat, s.phase)
    s.seat, s.phase = seat, Phase.ACTION
    number = legal(s, f, moves)
    s.seat, s.phase = now
    sets = (move for move in moves[:number] if begin_of(Move, move) in (Move.PLAY, Move.ALL_IN))
    return sorted({move - begin_of(Move, move) for move in sets})


def _worth(s: Record, box: Box, seat: int, number: int) -> int:
    """A set's points by the rules' arithmetic."""
    facts, switches = facts_of(box.game)
    place = seat * len(s.top) + number
    up, down = list(chain(s, s.up[place])), list(chain(s, s.down[place]))
    showing = up + down if switches.face_down_icons == "count" else up
    return set_points(len(up + down), [design_of(box, card).fields["icon"] for card in showing], facts.wild)


def _chained(s: Record, cards: list[int]) -> int:
    """Lays cards on each other, the last one on top, and answers the top as the state has it."""
    top = 0
    for card in cards:
        s.under[card] = top
        top = card + 1
    return top


def _index(number: int, length: int) -> int:
    if not 0 <= number < length:
        raise LookupError(f"there is no number {number}")
    return number


def _seat(number: int, box: Box) -> int:
    if not 1 <= number <= box.players:
        raise LookupError(f"there is no seat {number}")
    return number - 1
