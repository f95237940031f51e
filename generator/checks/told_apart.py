"""Whether players can tell icons apart that the rules tell apart: by colour in every sight, or else by shape."""

from collections.abc import Iterator
from itertools import combinations

from generator.checks.context import Context, Mask, srgb
from generator.checks.record import Check, Status
from generator.errors import did_you_mean
from generator.model.colour import LEAST_DIFFERENCE, apart
from generator.model.game import Game, IconEntry

MOST_OVERLAP = 0.70
"""Silhouettes that share more than this are taken for one shape."""


def icons_told_apart(game: Game, context: Context) -> Iterator[Check]:
    """One check for each pair of a `told_apart` list: the colours differ in every sight, or else the shapes do."""
    known: set[frozenset[str]] = set()
    for group in game.told_apart:
        for one, other in combinations(group, 2):
            pair = frozenset((one, other))
            if len(pair) == 2 and pair not in known:
                known.add(pair)
                yield _pair(game, context, one, other)


def _pair(game: Game, context: Context, one: str, other: str) -> Check:
    check, what = f"told-apart.{one}.{other}", f"{one} and {other}"
    unknown = next((name for name in (one, other) if name not in game.icons), "")
    if unknown:
        sentence = f"told_apart names '{unknown}', which is no icon"
        return Check(
            check, "colour", "fail", sentence, did_you_mean(unknown, game.icons), game.places.place("told_apart")
        )
    first, second = game.icons[one], game.icons[other]
    colours = [srgb(game, icon.colour) for icon in (first, second)]
    if colours[0] is None or colours[1] is None:
        return Check(check, "colour", "undecided", f"{what} differ", "a colour is not in the palette", first.place)
    differences = apart(colours[0], colours[1])
    sight = min(differences, key=lambda name: differences[name])
    figures = f"colours {differences[sight]:.1f} apart in {sight}"
    share = _share(context, first, second)
    status, sentence = _verdict(what, differences[sight], share)
    figures += "" if share is None else f", shapes overlap by {share:.0%}"
    return Check(check, "colour", status, sentence, figures, first.place)


def _verdict(what: str, difference: float, share: float | None) -> tuple[Status, str]:
    if difference >= LEAST_DIFFERENCE:
        return "pass", f"{what} differ in colour in every sight"
    if share is None:
        return "undecided", f"{what} need different shapes, as their colours are alike to some eyes"
    if share <= MOST_OVERLAP:
        return "pass", f"{what} differ in shape where their colours are alike"
    return "fail", f"{what} are alike in colour to some eyes and in shape"


def _share(context: Context, one: IconEntry, other: IconEntry) -> float | None:
    masks = (context.silhouette(one.id), context.silhouette(other.id))
    return None if masks[0] is None or masks[1] is None else overlap(masks[0], masks[1])


def overlap(one: Mask, other: Mask) -> float:
    """How alike two silhouettes are, 0 to 1: the area that both cover, divided by the area that either covers.

    They are compared twice, as drawn in their squares and with their centroids on each other; the greater likeness
    counts, since a card may be held a little aside. Empty masks are alike only to each other. (The share of the smaller
    one alone would call any thin figure the twin of a solid one around it.)
    """
    first, second = _rows(one), _rows(other)
    if not first or not second:
        return 1.0 if not first and not second else 0.0
    (x1, y1), (x2, y2) = _centroid(first), _centroid(second)
    return max(_likeness(first, second, 0, 0), _likeness(first, second, round(x1 - x2), round(y1 - y2)))


def _rows(mask: Mask) -> dict[int, int]:
    """Each inked row as one integer, whose bit x is pixel x."""
    rows = {y: sum(1 << x for x, pixel in enumerate(row) if pixel) for y, row in enumerate(mask)}
    return {y: row for y, row in rows.items() if row}


def _centroid(rows: dict[int, int]) -> tuple[float, float]:
    area = sum(row.bit_count() for row in rows.values())
    x = sum(bit for row in rows.values() for bit in range(row.bit_length()) if row >> bit & 1)
    y = sum(y * row.bit_count() for y, row in rows.items())
    return x / area, y / area


def _likeness(one: dict[int, int], other: dict[int, int], dx: int, dy: int) -> float:
    """The common area over the joint area, with `other` moved by whole pixels."""
    # Both are moved right far enough that no pixel falls off the left edge of its integer.
    base = max(0, -dx)
    first = {y: row << base for y, row in one.items()}
    second = {y + dy: row << (base + dx) for y, row in other.items()}
    lines = sorted({*first, *second})
    common = sum((first.get(y, 0) & second.get(y, 0)).bit_count() for y in lines)
    joint = sum((first.get(y, 0) | second.get(y, 0)).bit_count() for y in lines)
    return common / joint
