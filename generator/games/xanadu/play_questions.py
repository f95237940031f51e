"""Questions that examples of draft 18 may ask about a situation, answered in plain numbers and lists."""

from collections.abc import Callable, Mapping
from typing import Any

from generator.errors import did_you_mean
from generator.games.engine.contract import Box
from generator.games.engine.kernel import INTERPRETED, Record
from generator.games.xanadu import play_codes as c
from generator.games.xanadu.facts import ACTIONS, LIDS
from generator.games.xanadu.goods import change, cheapest, payable
from generator.games.xanadu.map_facts import map_of
from generator.games.xanadu.play_box import facts_record, place_names, request_cards
from generator.games.xanadu.play_score import final_skills, rank_sum, ranked, score_majority
from generator.games.xanadu.play_situations import place_number
from generator.games.xanadu.play_stock import restock_of
from generator.games.xanadu.play_zones import GOODS
from generator.games.xanadu.rows import starts
from generator.games.xanadu.town import distances, edges

Words = tuple[str, ...]


def ask(s: Record, box: Box, question: str, words: Words) -> Any:
    """Answers a question of `QUESTIONS`; LookupError for any other, and for words that it can't take."""
    if question not in QUESTIONS:
        raise LookupError(f"there is no question '{question}'; {did_you_mean(question, QUESTIONS)}")
    try:
        return QUESTIONS[question](s, box, words)
    except (ValueError, IndexError) as error:
        raise LookupError(f"{question} {' '.join(words)}: {error}") from error


def _stock(s: Record, box: Box, words: Words) -> Any:
    pieces = {name: int(s.stock[grade]) for grade, name in enumerate(GOODS)} | {"dispatch": int(s.crew)}
    return pieces[words[0]] if words else pieces


def _goods(s: Record, box: Box, words: Words) -> Any:
    places = place_names(box) if len(words) < 2 else [words[1]]
    at = {name: (_seat(s, words) * c.PLACES + place_number(box, name)) * c.GRADES for name in places}
    goods = {name: [int(s.goods[n + grade]) for grade in range(c.GRADES)] for name, n in at.items()}
    return goods[words[1]] if len(words) > 1 else {name: there for name, there in goods.items() if any(there)}


def _lids(s: Record, box: Box, words: Words) -> Any:
    return {name: int(s.lids[_seat(s, words) * c.LID_ROWS + row]) for row, name in enumerate(LIDS)}


def _row(s: Record, box: Box, words: Words) -> Any:
    row = ACTIONS.index(words[0])
    pieces = [int(s.rows[row * c.SPACES + n]) for n in range(s.row_n[row])]
    return ["dispatch" if piece == c.HIRED else piece + 1 for piece in pieces]


def _gauge(s: Record, box: Box, words: Words) -> Any:
    place = place_number(box, words[0])
    return [int((s.gauge[place] >> (3 * n)) & 7) for n in range(s.boxes[place])]


def _ranking(s: Record, box: Box, words: Words) -> Any:
    place = place_number(box, words[0])
    seats = [int(ranked(s, place, rank)) for rank in range(s.players)]
    return [seat + 1 for seat in seats if seat >= 0]


def _up(s: Record, box: Box, words: Words) -> Any:
    seat, names = _seat(s, words), request_cards(box)
    number: Any = box.numbers["daily_n"]
    shown = [names[s.daily[seat * 3 + n]].split("/")[1].split("#")[0] for n in range(number) if s.up[seat] >> n & 1]
    return [*shown, *(["daily"] if s.up[seat] >> number & 1 else [])]


def _restock(s: Record, box: Box, words: Words) -> Any:
    f, seat = facts_record(box), _seat(s, words)
    extra = [n for n in range(f.skills) if s.placed[seat] & f.round_end_mask & (1 << n)]
    return int(restock_of(s, f, seat)) + sum(f.op_n[n][0] for n in extra if f.op[n][0] == c.OP_GAIN)


def _majority(final: int) -> Callable[[Record, Box, Words], Any]:
    def answer(s: Record, box: Box, words: Words) -> Any:
        copy = INTERPRETED.copy(s) if hasattr(type(s), "__slots__") else s.copy()
        before = [int(vp) for vp in s.vp]
        score_majority(copy, facts_record(box), final)
        return [int(copy.vp[seat]) - before[seat] for seat in range(s.players)]

    return answer


def _firsts(s: Record, box: Box, words: Words) -> Any:
    firsts = [int(ranked(s, place, 0)) for place in range(c.PLACES)]
    return [firsts.count(seat) for seat in range(s.players)]


def _distance(s: Record, box: Box, words: Words) -> Any:
    town = map_of(box.game)
    return distances(town.port, edges(town.town, box.game.switches["adjacency"]))[words[0]]


def _change(s: Record, box: Box, words: Words) -> Any:
    values = [design.fields["value"] for design in box.game.kinds["vp"].designs]
    return dict(change(int(words[0]), values))


def _each(name: str, add: int = 0) -> Callable[[Record, Box, Words], Any]:
    return lambda s, *_: [int(getattr(s, name)[seat]) + add for seat in range(s.players)]


def _one(name: str) -> Callable[[Record, Box, Words], Any]:
    return lambda s, _, words: int(getattr(s, name)[_seat(s, words)])


def _seat(s: Record, words: Words) -> int:
    if not words or not words[0].isdigit() or not 1 <= int(words[0]) <= s.players:
        raise ValueError(f"say which seat, 1 to {s.players}")
    return int(words[0]) - 1


def _of(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(","))


SUPPLY = ("normal", "fine", "superb", "dispatch", "share", "worker")
"""Supplies that may run short, in the order of the rules."""

QUESTIONS: Mapping[str, Callable[[Record, Box, Words], Any]] = {
    "stock": _stock,  # or `stock fine`
    "goods": _goods,  # `goods 1`, `goods 1 p3`
    "workers": _each("hands"),
    "reserve": _each("reserve"),
    "dispatch": _each("free"),
    "shares": _each("shares"),
    "lids": _lids,
    "row": _row,
    "gauge": _gauge,
    "ranking": _ranking,
    "ranks": lambda s, box, _: [int(rank_sum(s, facts_record(box), seat)) for seat in range(s.players)],
    "up": _up,  # what lies face up in a Daily row
    "limit": _one("limit"),
    "carry": _one("carry"),
    "restock": _restock,
    "actions": lambda s, *_: int(s.left),
    "round": lambda s, *_: int(s.round),
    "start": lambda s, *_: int(s.start) + 1,
    "starts": lambda s, box, _: list(starts(int(s.players), int(facts_record(box).rounds))),  # in a game
    "turns": _each("turns"),
    "deck": lambda s, *_: [int(number) for number in s.deck_n],
    "short": lambda s, _, words: int(s.short[SUPPLY.index(words[0])]),
    "interim": _majority(0),
    "majority": _majority(1),
    "final": lambda s, box, _: [int(final_skills(s, facts_record(box), seat)) for seat in range(s.players)],
    "firsts": _firsts,
    "distance": _distance,
    "edges": lambda _s, box, _: len(edges(map_of(box.game).town, box.game.switches["adjacency"])),
    "payable": lambda _s, _box, words: payable(_of(words[0]), _of(words[1])),
    "cheapest": lambda _s, _box, words: list(cheapest(_of(words[0]), _of(words[1]))),
    "change": _change,
}
"""What can be asked, and how it is answered."""
