"""Fits a line to its measure: the blanks of punctuation change first, then the room beside Latin, then all gaps."""

from bisect import bisect_left

from generator.text.galley import Galley, Gap

_MOST_SPREAD = 500.0  # 1/1000 em between characters: a line looser than this stays ragged


def natural(galley: Galley, start: int, end: int) -> list[float]:
    """The room after each sort of a line as it comes, 1/1000 em; none after the last."""
    return [*galley.rooms[start + 1 : end], 0.0]


def fit(galley: Galley, start: int, end: int, slack: float) -> list[float]:
    """The room after each sort of a line with `slack` (1/1000 em) spread over it, or taken out of it where negative.

    A line that would come out too loose, or has no gap that may open, is left as it comes.
    """
    first = bisect_left(galley.places, start + 1)
    last = bisect_left(galley.places, end, first)
    places, gaps = galley.places[first:last], galley.gaps[first:last]
    if slack < 0:
        return _tightened(natural(galley, start, end), start, places, gaps, -slack)
    room_to_open = room_to_widen = 0.0
    count = end - start - 1
    for _, _, _, opened, widened, spread in gaps:
        room_to_open += opened
        room_to_widen += widened
        if not spread:
            count -= 1
    opening = min(1.0, slack / room_to_open) if room_to_open else 0.0
    slack -= opening * room_to_open
    widening = min(1.0, slack / room_to_widen) if room_to_widen else 0.0
    slack -= widening * room_to_widen
    if slack > 0.001 and (count <= 0 or slack > count * _MOST_SPREAD):
        return natural(galley, start, end)
    even = slack / count if slack > 0.001 else 0.0
    rooms = [even] * (end - start)
    rooms[-1] = 0.0
    start += 1
    for place, (width, _, _, opened, widened, spread) in zip(places, gaps, strict=True):
        rooms[place - start] = width + opened * opening + widened * widening + (even if spread else 0.0)
    return rooms


def _tightened(rooms: list[float], start: int, places: list[int], gaps: list[Gap], excess: float) -> list[float]:
    room_to_close = sum(gap.close for gap in gaps)
    room_to_tighten = sum(gap.tighten for gap in gaps)
    closing = min(1.0, excess / room_to_close) if room_to_close else 0.0
    excess -= closing * room_to_close
    tightening = min(1.0, excess / room_to_tighten) if room_to_tighten else 0.0
    for place, gap in zip(places, gaps, strict=True):
        rooms[place - 1 - start] -= gap.close * closing + gap.tighten * tightening
    return rooms
