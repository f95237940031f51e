"""Whether boards have the spaces that the rules need, and pieces fit on them."""

from collections.abc import Iterator

from generator.checks.context import Context, Face, pictures
from generator.checks.record import Check, first_entries
from generator.errors import did_you_mean
from generator.model.game import Game, Kind
from generator.svg.pieces_on_spaces import TOLERANCE, Polygon, box, footprint, places, room, size
from generator.svg.printed_spaces import PrintedSpace, printed_spaces


def spaces_fit(game: Game, context: Context) -> Iterator[Check]:
    """One check for each kind that prints spaces: each names a kind of the game, and its pieces find room there.

    A space that holds several pieces has a place of its own for each, as large as the piece, or else is one
    compartment, painted alone in its group, in which they lie in rows. A pile needs room for one.
    """
    for kind in game.kinds.values():
        wrong: list[tuple[Face, str]] = []
        looked = piles = taken = 0
        for face in pictures(game, kind, context):
            for space in printed_spaces(face.drawing):
                looked += 1
                piles += space.holds is None
                taken += space.holds or 0
                fault = space.fault or _unknown_space(game, space) or _misfit(game.kinds[space.piece], space)
                if fault:
                    wrong.append((face, f"the space '{space.id}' {fault}"))
        if not looked:
            continue
        check = f"spaces-fit.{kind.id}"
        if wrong:
            figures = first_entries(f"{face} ({_template(kind, face)}): {fault}" for face, fault in wrong)
            sentence = f"{kind.id}: pieces don't fit on their spaces"
            yield Check(check, "space", "fail", sentence, figures, wrong[0][0].design.place)
        else:
            figures = f"{looked} spaces with {taken} places and {piles} piles"
            yield Check(check, "space", "pass", f"{kind.id}: pieces fit on their spaces", figures, kind.place)


def _template(kind: Kind, face: Face) -> str:
    return f"{kind.template(face.design, face.face)}.svg"


def _unknown_space(game: Game, space: PrintedSpace) -> str:
    if space.piece in game.kinds:
        return ""
    return f"is for '{space.piece}', which is no component; {did_you_mean(space.piece, game.kinds)}"


def _misfit(kind: Kind, space: PrintedSpace) -> str:
    """Why the pieces of a kind find no room on a space; empty where they do."""
    piece, wanted = footprint(kind), space.holds or 1
    lost = f"; {space.cut_off} more are cut off" if space.cut_off else ""
    what = f"is for {'a pile of' if space.holds is None else wanted} {kind.id} of {size(piece)}"
    if len(space.outlines) == 1:
        found = room(piece, space.outlines[0], wanted)
        return "" if found >= wanted else f"{what}, but its outline of {size(space.outlines[0])} takes {found}{lost}"
    found = places(piece, space.outlines)
    if found >= wanted if space.holds is None else found == wanted:
        return ""
    unfit = [around for around in space.outlines if not places(piece, [around])]
    if found < wanted and unfit:
        lost = f"; {size(unfit[0])} {_why(piece, unfit[0])}{lost}"
    return f"{what}, but has {found} places for them{lost}"


def _why(piece: Polygon, around: Polygon) -> str:
    """What is wrong with an outline that a piece doesn't fit in."""
    own, wide = box(piece), box(around)
    longer = max(own.width, own.height) > max(wide.width, wide.height) + TOLERANCE
    broader = min(own.width, own.height) > min(wide.width, wide.height) + TOLERANCE
    return "is too small" if longer or broader else "has another shape"
