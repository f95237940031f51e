"""What the player of journey18 sees, what is hidden, and what is said of that nobody chose."""

from collections.abc import Iterator, Sequence

from generator.games.engine.contract import ALL_SEEN, Box, Observation, Said
from generator.games.engine.kernel import Record, kernel, shuffle, sort
from generator.games.engine.observing import visible_zones
from generator.games.journey18.box import numbers_of
from generator.games.journey18.moves import Result, Step
from generator.games.journey18.words import design_of, zones


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    """Mixes the deck, but for the cards at both ends that the player has seen there."""
    start = s.known_bottom
    end = s.ndeck - s.known_top
    if end - start > 1:
        sort(s.deck, start, end)
        shuffle(s.rng, s.deck, start, end)


_STEPS = {
    Step.START: "at_start",
    Step.CARD: "at_card",
    Step.LOOP: "at_loop",
    Step.BLACK: "at_black",
    Step.EFFECT: "at_effect",
    Step.SOLVE: "at_solve",
    Step.END: "at_end",
}


def observe(s: Record, box: Box, seat: int) -> Observation:
    """All but the deck, of which the ends may be known."""
    known = {int(card) for card in (*s.deck[: s.known_bottom], *s.deck[max(0, s.ndeck - s.known_top) : s.ndeck])}
    open_to_see = {box.cards[card] for card in known}

    def is_hidden(zone: str, piece: str) -> bool:
        return zone == "deck" and piece not in open_to_see

    laid = visible_zones(zones(s, box)) if seat == ALL_SEEN else visible_zones(zones(s, box), is_hidden)
    return Observation(laid, tuple(_status(s, box)), {"columns": _columns(s, box)})


def _columns(s: Record, box: Box) -> Said:
    """How many events there are and how many there is room for, day by day."""
    room = numbers_of(box)["room"]
    there = tuple(f"{day + 1}: {s.ncolumn[day]}/{room[s.place[day]]}" for day in range(numbers_of(box)["days"]))
    return Said("columns", {"days": there})


def _status(s: Record, box: Box) -> Iterator[Said]:
    if s.over or s.step not in _STEPS:
        return
    values = {
        "turn": int(s.turn),
        "loops": int(s.loops),
        "white": s.white + 1,
        "black": tuple(int(day) + 1 for day in s.black),
        "letters": int(s.letters),
    }
    yield Said("standing", values)
    if s.step == Step.EFFECT:
        yield Said("at_effect", {"card": design_of(box, int(s.source)), "left": int(s.left)})
    else:
        yield Said(_STEPS[int(s.step)], {"rest": int(s.rest)})


def follow(before: Record | None, after: Record, _box: Box, _seat: int) -> Sequence[Said]:
    """Loops, and how the trip ended."""
    return () if before is None else tuple(_consequences(before, after))


def _consequences(before: Record, after: Record) -> Iterator[Said]:
    if after.loops > before.loops:
        yield Said("looped", {"loops": int(after.loops)})
    if after.over:
        yield Said("arrived" if after.result == Result.WON else "no_card_left")
