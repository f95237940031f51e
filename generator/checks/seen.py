"""What a face shows and where: its painted leaves with their role, the icon they belong to and their true box in mm."""

from collections.abc import Iterator

from generator.checks.context import Context
from generator.dataclass import dataclass
from generator.model import outline
from generator.model.drawing import Drawing, Group, Item, Picture, Placed, Role, Shape, TextRun, visit
from generator.model.geometry import IDENTITY, Matrix, scale_of, times
from generator.model.outline import Clip, clipped
from generator.svg.inked import glyph_boxes
from generator.units import Rect


@dataclass(frozen=True, slots=True)
class Seen:
    """A leaf as it lies on the face. `icon` is the id of the icon that it is a part of, empty elsewhere.

    `box` is the one around what a shape or picture paints as far as its clips' boxes leave it; None for nothing, and
    for text. One that is `mixed` with what lies below it shows in another colour than its own.
    """

    leaf: Shape | TextRun | Picture
    matrix: Matrix
    role: Role
    icon: str = ""
    clips: tuple[Clip, ...] = ()
    box: Rect | None = None
    mixed: bool = False


def leaves_of(drawing: Drawing, context: Context) -> tuple[Seen, ...]:
    """Every leaf of the face in drawing order, those of an item that other faces show too being the same objects."""
    known, found = context.leaves, list[Seen]()
    for item in drawing.items:
        if id(item) not in known:
            known[id(item)] = item, tuple(visible_leaves(drawing, (item,)))
        found += known[id(item)][1]
    return tuple(found)


def visible_leaves(drawing: Drawing, items: tuple[Item, ...] = ()) -> Iterator[Seen]:
    """Every leaf of the face in drawing order; of these items of it alone where some are given."""
    for item, around in visit(items or drawing.items, _FACE, _inside):
        if not isinstance(item, (Group, Placed)):
            # What a symbol draws has the role of the place where it is used, unless it says otherwise itself.
            role = around.role if around.icon or item.role == "art" else item.role
            box = clipped(_paint_box(item, around.matrix), around.clips)
            yield Seen(item, around.matrix, role, around.icon, around.clips, box, around.mixed)


_FACE = Seen(Picture("", "", 0, 0, 0, 0), IDENTITY, "art")
"""What is around the items of a face."""


def _inside(item: Group | Placed, around: Seen) -> Seen:
    """What is around the items of a group or a placed symbol."""
    matrix, clips = times(around.matrix, item.matrix), around.clips
    if isinstance(item, Group):
        if item.clip:
            clips = (*clips, (item.clip, matrix, item.clip_even_odd))
        return Seen(around.leaf, matrix, around.role, around.icon, clips, mixed=around.mixed or item.as_one)
    if item.clip:
        clips = (*clips, (outline.rectangle(Rect(*item.symbol.box)), matrix, False))
    icon = around.icon
    if not icon and item.role == "icon":
        icon = item.symbol.name.removeprefix("icon:")
    return Seen(around.leaf, matrix, "icon" if icon else item.role, icon, clips, mixed=around.mixed)


def visible_icons(drawing: Drawing) -> set[str]:
    """The ids of the icons that stand on the face."""
    placed = (item for item, _ in visit(drawing.items, True, lambda _item, around: around) if isinstance(item, Placed))
    return {one.symbol.name.removeprefix("icon:") for one in placed if one.symbol.name.startswith("icon:")}


def ink_box(one: Seen, context: Context) -> Rect | None:
    """The box around the visible paint of a leaf; None without one.

    A stroke adds half its width on every side (pointed joins may reach further); text counts by its glyphs' ink.
    """
    return clipped(_text_box(one.leaf, one.matrix, context), one.clips) if isinstance(one.leaf, TextRun) else one.box


def _paint_box(leaf: Shape | TextRun | Picture, matrix: Matrix) -> Rect | None:
    """The box around what a shape or picture paints before it is clipped; None for nothing and for text."""
    if isinstance(leaf, Shape):
        if leaf.fill is None and not leaf.stroke:
            return None
        box = outline.bounds(leaf.path, matrix)
        grow = leaf.width / 2 * scale_of(matrix) if leaf.stroke else 0.0
        return box.grown(grow) if box and grow else box
    return outline.bounds(frame(leaf), matrix) if isinstance(leaf, Picture) else None


def frame(picture: Picture) -> str:
    """The path around a picture."""
    return outline.rectangle(Rect(picture.x, picture.y, picture.width, picture.height))


def _text_box(run: TextRun, matrix: Matrix, context: Context) -> Rect | None:
    whole: Rect | None = None
    for box in glyph_boxes(run, matrix, context):
        whole = box if whole is None else whole.united(box)
    return whole
