"""What a seat at a table of draft 8 sees, what is said of that nobody chose, and what of a state it can't see."""

from collections.abc import Iterator, Sequence

from generator.games.engine.contract import ALL_SEEN, Box, Observation, Said
from generator.games.engine.kernel import INTERPRETED, Record, kernel, shuffle, sort
from generator.games.engine.observing import visible_zones
from generator.games.journey8.moves import Mode, Phase
from generator.games.journey8.pieces import put_in_hand
from generator.games.journey8.score import mode_now
from generator.games.journey8.words import design_of, zones

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
    """All but the deck and, until hands are laid open, those of the others with the points that hang on them."""
    if seat == ALL_SEEN:
        return Observation(visible_zones(zones(s, box)), tuple(_status(s)), {"story": _story(s, box)})

    def is_hidden(zone: str, _piece: str) -> bool:
        return zone == "deck" or (zone.startswith("hand ") and zone != f"hand {seat + 1}" and not s.scoring)

    unsure = frozenset() if s.scoring else frozenset(range(s.players)) - {seat}
    facts = {"story": _story(s, box)}
    return Observation(visible_zones(zones(s, box), is_hidden), tuple(_status(s)), facts, unsure)


def _story(s: Record, box: Box) -> Said:
    """Which cards of the story are keys, and how hand numbers count as it lies."""
    keys = tuple(design_of(box, int(s.story[at])) for at in range(s.laid) if s.keys[at])
    mode = mode_now(s, INTERPRETED.record(box.numbers))
    return Said(_MODES[mode] + ("_keys" if keys else ""), {"keys": keys, "number": len(keys)})


def _status(s: Record) -> Iterator[Said]:
    if not s.over and s.phase in _PHASES:
        rest = {"turn": s.turn + 1, "of": int(s.first), "cards": int(s.held[s.seat])}
        yield Said("at_scoring" if s.scoring else "whose_turn", {"seat": s.current + 1, **rest})
        yield Said(_PHASES[int(s.phase)], {"seat": s.seat + 1, **rest})


def follow(before: Record | None, after: Record, box: Box, _seat: int) -> Sequence[Said]:
    """Counters that changed hands or sides, keys, the beginning of the scoring, and the end."""
    return () if before is None else tuple(_consequences(before, after, box))


def _consequences(before: Record, after: Record, box: Box) -> Iterator[Said]:
    if after.keys_laid > before.keys_laid:
        yield Said("is_key", {"card": design_of(box, int(after.story[after.laid - 1]))})
    for seat in range(after.players):
        counters = {"sone": int(after.sone[seat]), "coherence": int(after.coherence[seat])}
        if counters != {"sone": before.sone[seat], "coherence": before.coherence[seat]}:
            yield Said("counters", {"seat": seat + 1, **counters})
    if after.scoring and not before.scoring:
        yield Said("end_by_keys" if after.key_end else "end_by_deck", {"number": int(after.keys_laid)})
    if after.over:
        yield Said("decided")


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    """Mixes the deck and, until they are laid open, the hands of the others."""
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
                    put_in_hand(s, f, other, s.deck[top])
                    s.deck[top] = 0
                    top += 1
