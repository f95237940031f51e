"""What a seat at a wayfaring table sees, how it is told of others' moves, and what is said of that nobody chose."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator.games.engine.contract import ALL_SEEN, Box, Observation, Said
from generator.games.engine.kernel import Record
from generator.games.engine.observing import shown
from generator.games.wayfaring import play_codes as c
from generator.games.wayfaring.play_words import zones
from generator.model.game import Design

_PHASES = {c.MAIN_1: "at_main_1", c.MOVE: "at_move", c.MOVED: "at_move", c.MAIN_2: "at_main_2"}
_ITEMS = {
    c.ITEM_RECRUIT: "answer_recruit",
    c.ITEM_CARD: "answer_card",
    c.ITEM_ABILITY: "answer_ability",
    c.ITEM_OWN: "answer_ability",
    c.ITEM_MOVE: "answer_move",
    c.ITEM_PLACED: "answer_placed",
}
_ENDINGS = {
    c.BY_MEMORIES: "won_by_memories",
    c.BY_RECALL: "won_by_memories",
    c.BY_LASTING: "won_by_lasting",
    c.BY_FAINTING_LAST: "won_by_fainting_last",
    c.BY_TURNS: "won_by_turns",
}


def observe(s: Record, box: Box, seat: int) -> Observation:
    """All but decks, other hands, and the face-down cards that the seat has not placed (nor may peek at, E12)."""
    known = _known_ahead(s, box, seat)

    def hidden(zone: str, piece: str) -> bool:
        if zone in ("deck", "characters"):
            return True
        return (zone.startswith("hand ") and zone != f"hand {seat + 1}") or (
            zone.startswith("ahead ") and piece not in known
        )

    laid = shown(zones(s, box)) if seat == ALL_SEEN else shown(zones(s, box), hidden)
    facts = {f"player {other + 1}": _standing(s, box, other) for other in range(s.players)}
    return Observation(laid, tuple(_status(s, box)), facts)


def _known_ahead(s: Record, box: Box, seat: int) -> set[str]:
    deck, peek = _number(box, "deck_cards"), _number(box, "owner_may_peek")
    places = [
        owner * deck + place
        for owner in range(s.players)
        for place in range(s.memories[owner], s.length[owner])
        if s.by[owner * deck + place] == seat or (peek and owner == seat)
    ]
    return {box.cards[s.path[place]] for place in places}


def _status(s: Record, box: Box) -> Iterator[Said]:
    """Whose turn it is and how far, what may still be done in it, and to what the choice is an answer."""
    whose = {"turn": int(s.turn), "seat": s.turn_seat + 1}
    yield Said(_PHASES.get(int(s.stage), "at_end"), whose)
    if s.wait == c.WAIT_MAIN:
        yield Said(
            "left_to_do",
            {
                "placings": max(0, _number(box, "per_turn_destination") - int(s.placed)),
                "recruits": max(0, _number(box, "per_turn_recruit") - int(s.recruited)),
            },
        )
    elif s.wait == c.WAIT_ANSWER and s.items:
        top = s.items - 1
        card = _design(box, int(s.item_card[top]))
        yield Said(_ITEMS[int(s.item_what[top])], {"seat": s.item_seat[top] + 1, "card": card})
    elif s.wait == c.WAIT_ANSWER:
        yield Said("answer_done", {"seat": s.turn_seat + 1})
    elif s.wait == c.WAIT_STEP and s.frames:
        yield Said("by_effect", {"card": _design(box, int(s.frame_card[s.frames - 1]))})


def _standing(s: Record, box: Box, seat: int) -> Said:
    """Memories and how many win, cards held and ahead, passes, terrains, abilities that are used up."""
    if s.out[seat]:
        return Said("standing_out", {"seat": seat + 1, "memories": int(s.out_memories[seat])})
    first, terrains = _number(box, "first_area"), _number(box, "terrains")
    used = [_design(box, first + at) for at in range(_number(box, "area_cards")) if s.area[seat] & s.used & 1 << at]
    names: Mapping[str, Any] = box.game.sections["words"]["terrains"]
    visited = [name for at, name in enumerate(names, 1) for _ in range(s.seen[seat * terrains + at])]
    values: dict[str, Any] = {
        "seat": seat + 1,
        "memories": int(s.memories[seat]),
        "need": _needed(s, box, seat),
        "held": int(s.held[seat]),
        "ahead": int(s.length[seat] - s.memories[seat]),
        "marks": int(s.marks[seat]),
        "passes": _number(box, "rule_passes"),
    }
    if visited:
        values["terrains"] = tuple(visited)
    if used:
        values["used"] = tuple(used)
    return Said("standing" + ("_terrains" if visited else "") + ("_used" if used else ""), values)


def _needed(s: Record, box: Box, seat: int) -> int:
    more: Any = box.numbers["need_more"]
    return _number(box, "rule_memories") + sum(int(add) for at, add in enumerate(more) if s.area[seat] >> at & 1)


def tell(s: Record, box: Box, move: int, seat: int, said: Said) -> Said | None:
    """What is laid face down is not named to who can't know it; nobody hears who could have intervened, or placed."""
    what = move & c.ARGUMENT
    kind = move - what
    if move == c.DECLINE or (move == c.SKIP and s.kind != c.GO):
        return None
    if kind == c.TROUBLE:
        if _number(box, "owner_may_peek") and what >> c.SEAT_SHIFT == seat:
            return said
        return Said("trouble_hidden", {"seat": (what >> c.SEAT_SHIFT) + 1})
    if kind in (c.PLACE, c.SET):
        return Said("place_hidden" if kind == c.PLACE else "set_hidden")
    return said


def follow(before: Record | None, after: Record, box: Box, _seat: int) -> Sequence[Said]:
    """Hands that were shown and drawn anew, passes that nobody chose, who faints, and why the game is over."""
    if before is None:
        return tuple(_redrawn(after, box))
    return (
        *_reshuffled(before, after),
        *_forced_pass(before, after, box),
        *_fainted(before, after, box),
        *_over(after),
    )


def _redrawn(s: Record, box: Box) -> Iterator[Said]:
    """The hands without a destination lie under the deck as they were put there, the first on top."""
    size, deck = _number(box, "rule_hand"), _number(box, "deck_cards")
    first = int(s.deck_count) - size * int(s.redraws)
    for hand in range(int(s.redraws)):
        start = s.deck_top + first + hand * size
        cards = tuple(_design(box, int(s.deck[(start + at) % deck])) for at in range(size))
        yield Said("redrawn", {"cards": cards})


def _forced_pass(before: Record, after: Record, box: Box) -> Iterator[Said]:
    """The Move phase went by without a choice: there was no card ahead."""
    seat = int(before.turn_seat)
    same_turn = after.turn == before.turn
    passed = after.stage > c.MOVE if same_turn else before.skip_main2 or after.out[seat] == c.BY_PASS
    if before.stage == c.MAIN_1 and before.wait != c.WAIT_STEP and (passed or after.out[seat] == c.BY_PASS):
        values = {"seat": seat + 1, "passes": _number(box, "rule_passes")}
        if not _number(box, "forced_pass_counts") or after.out[seat]:
            yield Said("forced_pass", values)
        else:
            yield Said("forced_pass_counts", {**values, "number": int(after.marks[seat])})


def _reshuffled(before: Record, after: Record) -> Iterator[Said]:
    """It is counted turn by turn."""
    if after.reshuffled > (before.reshuffled if after.turn == before.turn else 0):
        yield Said("reshuffled")


def _fainted(before: Record, after: Record, box: Box) -> Iterator[Said]:
    for seat in range(after.players):
        if after.rested[seat] > before.rested[seat] and not after.out[seat]:
            lost = {"hand": _number(box, "rest_hand"), "memories": _number(box, "rest_memories")}
            yield Said("rests", {"seat": seat + 1, **lost})
        if after.out[seat] and not before.out[seat]:
            yield Said("faints_empty" if after.out[seat] == c.BY_HAND else "faints_passing", {"seat": seat + 1})


def _over(s: Record) -> Iterator[Said]:
    if s.over:
        for seat in range(s.players):
            if s.winners >> seat & 1:
                memories = int(s.out_memories[seat] if s.out[seat] else s.memories[seat])
                yield Said(_ENDINGS[int(s.ending)], {"seat": seat + 1, "memories": memories})
        yield Said("ranking")


def _design(box: Box, card: int) -> Design:
    return box.game.design(box.cards[card].partition("#")[0])


def _number(box: Box, name: str) -> int:
    number: Any = box.numbers[name]
    return int(number)
