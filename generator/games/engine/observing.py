"""What a seat sees of a table: helpers for rules that say it, and how it is found for rules that only mix."""

from collections.abc import Callable, Sequence

from generator.games.engine.contract import Lying, Observation, Zones

SAMPLES = 16
"""In so many ways what is hidden is mixed: a zone that is the same each time is no secret."""


def _nothing(_zone: str, _piece: str) -> bool:
    return False


def visible_zones(zones: Zones, hidden: Callable[[str, str], bool] = _nothing) -> dict[str, tuple[Lying, ...]]:
    """The zones that hold something in the order in which it lies there; hidden pieces side by side are one heap."""
    seen: dict[str, tuple[Lying, ...]] = {}
    for zone, pieces in zones.items():
        heaps: list[Lying] = []
        for piece, number in pieces.items():
            if not hidden(zone, piece):
                heaps.append(Lying(piece, number))
            elif heaps and not heaps[-1].piece:
                heaps[-1] = Lying("", heaps[-1].number + number)
            else:
                heaps.append(Lying("", number))
        if heaps:
            seen[zone] = tuple(heaps)
    return seen


def common_observation(zones: Sequence[Zones], points: Sequence[Sequence[int]]) -> Observation:
    """What is the same in all these ways of how a table could be; of other zones only the number of pieces."""
    first = zones[0]
    secret = {
        zone
        for zone, pieces in first.items()
        if any(list(other.get(zone, {}).items()) != list(pieces.items()) for other in zones[1:])
    }
    unsure = frozenset(seat for seat, possible in enumerate(zip(*points, strict=True)) if len(set(possible)) > 1)
    return Observation(visible_zones(first, lambda zone, _piece: zone in secret), unsure=unsure)
