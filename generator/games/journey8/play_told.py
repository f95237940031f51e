"""What a seat at a table of draft 8 sees, and what is said of that nobody chose."""

from collections.abc import Iterator, Sequence

from generator.games.engine.contract import ALL_SEEN, Box, Observation, Said
from generator.games.engine.kernel import INTERPRETED, Record
from generator.games.engine.observing import shown
from generator.games.journey8 import play_codes as c
from generator.games.journey8.play_score import mode_now
from generator.games.journey8.play_texts import zones
from generator.model.game import Design

_PHASES = {
    c.TURN: "at_turn",
    c.EXTRA: "at_extra",
    c.DECLARE: "at_declare",
    c.DECLARE_LEFT: "at_declare",
    c.GIVE: "at_give",
    c.TAKE: "at_take",
    c.EVENT: "at_event",
    c.KEEP: "at_keep",
}
_MODES = {c.NORMAL: "mode_normal", c.REVERSE: "mode_reverse", c.IGNORED: "mode_ignored"}


def observe(s: Record, box: Box, seat: int) -> Observation:
    """All but the deck and, until hands are laid open, those of the others with the points that hang on them."""
    if seat == ALL_SEEN:
        return Observation(shown(zones(s, box)), tuple(_status(s)), {"story": _story(s, box)})

    def hidden(zone: str, _piece: str) -> bool:
        return zone == "deck" or (zone.startswith("hand ") and zone != f"hand {seat + 1}" and not s.scoring)

    unsure = frozenset() if s.scoring else frozenset(range(s.players)) - {seat}
    facts = {"story": _story(s, box)}
    return Observation(shown(zones(s, box), hidden), tuple(_status(s)), facts, unsure)


def _story(s: Record, box: Box) -> Said:
    """Which cards of the story are keys, and how hand numbers count as it lies."""
    keys = tuple(_design(box, int(s.story[at])) for at in range(s.laid) if s.keys[at])
    mode = mode_now(s, INTERPRETED.record(box.numbers))
    return Said(_MODES[mode] + ("_keys" if keys else ""), {"keys": keys, "number": len(keys)})


def _status(s: Record) -> Iterator[Said]:
    if not s.over and s.phase in _PHASES:
        rest = {"turn": s.turn + 1, "of": int(s.first), "cards": int(s.held[s.seat])}
        yield Said("at_scoring" if s.scoring else "whose_turn", {"seat": s.current + 1, **rest})
        yield Said(_PHASES[int(s.phase)], {"seat": s.seat + 1, **rest})


def follow(before: Record | None, after: Record, box: Box, _seat: int) -> Sequence[Said]:
    """Counters that changed hands or sides, keys, the beginning of the scoring, and the end."""
    return () if before is None else tuple(_followed(before, after, box))


def _followed(before: Record, after: Record, box: Box) -> Iterator[Said]:
    if after.keys_laid > before.keys_laid:
        yield Said("is_key", {"card": _design(box, int(after.story[after.laid - 1]))})
    for seat in range(after.players):
        counters = {"sone": int(after.sone[seat]), "coherence": int(after.coherence[seat])}
        if counters != {"sone": before.sone[seat], "coherence": before.coherence[seat]}:
            yield Said("counters", {"seat": seat + 1, **counters})
    if after.scoring and not before.scoring:
        yield Said("end_by_keys" if after.key_end else "end_by_deck", {"number": int(after.keys_laid)})
    if after.over:
        yield Said("decided")


def _design(box: Box, card: int) -> Design:
    return box.game.design(box.cards[card].split("#")[0])
