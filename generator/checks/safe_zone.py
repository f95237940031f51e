"""Whether text and icons stay clear of the cut: their ink, not their boxes, held against the safe zone."""

from collections.abc import Iterator

from generator.checks.context import Context, Face, pictures
from generator.checks.record import Check, Status, first_entries
from generator.checks.seen import Seen, ink_box, leaves_of
from generator.model import outline
from generator.model.contour import mirror_outline
from generator.model.drawing import TextRun
from generator.model.game import Game, Kind
from generator.units import Rect

_NO_WORDS = "skipped: these are pictures without text or icons"
_SLACK = 0.01
"""What rounding may cost, mm."""


def safe_zones(game: Game, context: Context) -> Iterator[Check]:
    """One check for each kind: no text and no icon leaves the safe zone. Ground, art and frames may.

    The figures name the farthest out first; the place is that of its design.
    """
    for kind in game.kinds.values():
        looked = 0
        out: list[tuple[float, Face, str]] = []
        for face in pictures(game, kind, context):
            worst: dict[str, tuple[float, str]] = {}
            for one in leaves_of(face.drawing, context):
                if one.role not in ("text", "icon"):
                    continue
                box = ink_box(one, context)
                if box is not None:
                    looked += 1
                    by, side = max(_leaves(kind.safe_box, box), _near_outline(kind, face, one, box))
                    name = _name(one)
                    if by > _SLACK and by > worst.get(name, (0.0, ""))[0]:
                        worst[name] = (by, f"{name} {by:.2f} mm out at the {side}")
            out.extend((by, face, told) for by, told in worst.values())
        out.sort(key=lambda entry: -entry[0])
        check, within = f"safe-zone.{kind.id}", f"{kind.safe:g} mm"
        if out:
            sentence = f"{kind.id}: text or icons come nearer to the cut than {within}"
            figures = first_entries(f"{face}: {told}" for _, face, told in out)
            yield Check(check, "safe zone", "fail", sentence, figures, out[0][1].design.place)
        else:
            sentence = f"{kind.id}: text and icons stay {within} from the cut"
            figures = f"{looked} runs of text and parts of icons" if looked else _NO_WORDS
            status: Status = "pass" if looked else "undecided"
            yield Check(check, "safe zone", status, sentence, figures, kind.place)


def _leaves(safe: Rect, box: Rect) -> tuple[float, str]:
    """By how many mm a box leaves the safe zone, and where most."""
    sides = (
        (safe.x - box.x, "left"),
        (safe.y - box.y, "top"),
        (box.right - safe.right, "right"),
        (box.bottom - safe.bottom, "bottom"),
    )
    return max(sides, key=lambda side: side[0])


def _near_outline(kind: Kind, face: Face, one: Seen, box: Rect) -> tuple[float, str]:
    """By how many mm text is too near to a piece's own outline, or beyond it, by the middles of its box's sides.

    An icon is seldom a box, and may well reach into a corner of the outline.
    """
    path = kind.outline
    if not path or not isinstance(one.leaf, TextRun):
        return (0.0, "")
    if kind.drawn_as(face.face) == "back":
        path = mirror_outline(path, kind.size.width)
    loops, x, y = outline.flatten(path), box.x + box.width / 2, box.y + box.height / 2
    spots = (((box.x, y), "left"), ((x, box.y), "top"), ((box.right, y), "right"), ((x, box.bottom), "bottom"))
    return max(
        (kind.safe - outline.distance(loops, *spot) * (1 if outline.inside(loops, *spot) else -1), side)
        for spot, side in spots
    )


def _name(one: Seen) -> str:
    if one.icon:
        return f"the icon {one.icon}"
    if isinstance(one.leaf, TextRun):
        text = one.leaf.text.strip()
        return f"'{text[:12]}{'…' if len(text) > 12 else ''}'"
    return "an icon"
