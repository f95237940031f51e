"""What a template says of all that an element draws: filters and shadows, masks, opacity, how it is blended."""

import math
import re
from typing import TypeAlias

from generator.errors import Unfit, did_you_mean
from generator.model.drawing import ArtNote, Blend, Group, Item
from generator.model.geometry import IDENTITY, Matrix, scale_of
from generator.model.reach import reach
from generator.svg.effects.coats import clearer
from generator.svg.effects.greys import in_greys
from generator.svg.effects.lent import Loan, inside
from generator.svg.foreign.cuts import Cuts
from generator.svg.foreign.desk import Station
from generator.svg.foreign.filter_steps import UnknownStep, steps_of_function
from generator.svg.foreign.filters import filtered
from generator.svg.foreign.measures import Tint
from generator.svg.foreign.nodes import Node
from generator.svg.foreign.outlines import box_of
from generator.svg.foreign.style import local_name
from generator.svg.paint import CURRENT, INITIAL, Style, declarations, opacity, parted
from generator.svg.scene import Scene
from generator.svg.shapes import referred
from generator.svg.subset import EFFECTS
from generator.svg.tree import MOST_ELEMENTS, Element
from generator.svg.values import length, ratio
from generator.units import MM_PER_INCH, Rect

DPI = 300.0
"""Dots an inch of the pictures that shadows and other filters are."""

_MOST_PIXELS = 8_000_000
"""Of one such picture: more, and it is coarser."""

_PIXELS_WEIGH = 1_000
"""So many pixels of a step of a filter weigh as much as an element."""

_BLENDS: dict[str, Blend] = {"normal": "normal", "multiply": "multiply", "screen": "screen"}
_FUNCTION = re.compile(r"([a-z-]+)\(((?:[^()]|\([^()]*\))*)\)", re.IGNORECASE)
Items: TypeAlias = tuple[Item, ...]
_COMMAS = re.compile(r",(?![^(]*\))")


def with_effects(scene: Scene, element: Element, items: Items, style: Style, matrix: Matrix) -> Items:
    """The items filtered, masked, made clearer and blended, in this order, as the element says.

    They are in the element's own coordinates, which `matrix` takes to the face's.
    """
    given = {name: text for name, text in element.attributes.items() if name in EFFECTS}
    given |= {name: text for name, text in scene.value(element, "style", declarations, ()) if name in EFFECTS}
    own = Element(element.tag, given, element.at)
    covers: float = scene.value(own, "opacity", opacity, 1.0)
    blend: Blend = scene.value(own, "mix-blend-mode", _blend, "normal")
    steps = [name for name in ("filter", "shadow") if given.get(name, "none") != "none"]
    if len(steps) == 2:
        scene.complain(element, "an element has either a filter or a shadow", "put a <g> around it for the other")
    elif steps and items:
        items = _Filtering(scene, own, items, style, matrix).done(steps[0])
    if given.get("mask", "none") != "none" and items:
        items = _masked(scene, own, items)
    if blend != "normal" and items and covers > 0:
        return (Group(items, opacity=covers, blend=blend),)
    return clearer(items, covers)


def _blend(text: str) -> Blend:
    if text not in _BLENDS:
        raise Unfit(f"'{text}' is not available", did_you_mean(text, _BLENDS))
    return _BLENDS[text]


# Filters


class _Filtering:
    """A filter or shadow of one element."""

    def __init__(self, scene: Scene, own: Element, items: Items, style: Style, matrix: Matrix):
        self._scene, self._own, self._items, self._style = scene, own, items, style
        self._loan = Loan(scene, style.role or "art")
        self._loan.desk.current = (scene.current if style.color in ("", CURRENT) else style.color) or "ink"
        self._loan.desk.fineness = self._fineness
        self._scale, self._coarse = scale_of(matrix) or 1.0, DPI
        self._box, self._steps, self._black = reach(items), 2, True

    def done(self, name: str) -> Items:
        """The items as the element's filter or shadow changes them."""
        if self._box is None:
            return self._items
        text = self._own.attributes[name].strip()
        filters = self._shadows(text) if name == "shadow" else self._filters(text)
        if not filters:
            return self._items
        spot = self._loan.station()
        node = Node(self._own.tag, {}, self._own.at, None)
        items: list[Item] = [*self._items]
        for each in filters:
            self._steps = 2 + sum(1 for _ in each.children)
            if self._scene.weight > MOST_ELEMENTS:
                return self._items
            self._loan.desk.ids["filter"] = each
            node.declared = {"filter": "url(#filter)"}
            items = filtered(self._loan.desk, node, spot, items, lambda _node, _spot: self._user())
        if self._loan.notes.pictured:
            self._tell()
        if name == "shadow" and self._black and len(items) > len(self._items):
            # Black darkens what lies below and takes none of its inks away: on screens that comes to the same.
            items[0] = Group((items[0],), blend="multiply")
        return tuple(items)

    def _user(self) -> Rect | None:
        return box_of(self._items) or self._box

    def _fineness(self, box: Rect) -> float:
        """Pixels to a unit: as many as the print shows, fewer where that would be too many."""
        wanted = DPI / MM_PER_INCH * self._scale
        fine = min(wanted, math.sqrt(_MOST_PIXELS / (box.width * box.height)))
        self._coarse = min(self._coarse, DPI * fine / wanted)
        self._scene.weight += int(box.width * box.height * fine * fine * self._steps / _PIXELS_WEIGH)
        return fine

    def _tell(self) -> None:
        place = self._scene.place(self._own)
        said = f"{place.file}: shadows and filters are drawn as pictures of {DPI:g} dpi"
        if self._coarse < DPI - 1:
            said = f"{place}: the filter covers so much that its picture has {self._coarse:.0f} dpi"
        self._scene.marks.append(ArtNote(said))

    def _filters(self, text: str) -> list[Node]:
        """The filters that an attribute names, one after the other."""
        scene, own = self._scene, self._own
        if text.startswith("url("):
            target = referred(scene, own, text, frozenset(["filter"]), "filter")
            return [self._loan.node(target)] if target is not None else []
        text = self._loan.in_units(own, "filter", text)
        found = []
        for function in _FUNCTION.finditer(text):
            try:
                found.append(self._whole(steps_of_function(function[1].lower(), function[2], self._loan.station())))
            except UnknownStep as told:
                scene.complain(
                    own, f"filter: {told} is not known here", "write url(#id), blur(1mm) or drop-shadow(...)"
                )
                return []
        if not found or _FUNCTION.sub("", text).strip():
            scene.complain(
                own, f"filter: '{text[:40]}' is not a filter", "write url(#id), blur(1mm) or drop-shadow(...)"
            )
            return []
        return found

    def _whole(self, steps: list[Node]) -> Node:
        """A filter of these steps that covers all that they make."""
        box = self._box or Rect(0, 0, 0, 0)
        room = 0.0
        for step in steps:
            step.at = self._own.at
            soft = float(step.attributes.get("stdDeviation", "0"))
            room += 3 * soft + max(abs(float(step.attributes.get(name, "0"))) for name in ("dx", "dy"))
        box = box.grown(room + 0.1)
        sides = {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
        given = {"filterUnits": "userSpaceOnUse", **{name: repr(value) for name, value in sides.items()}}
        node = Node("filter", given, self._own.at, None)
        node.parts = [*steps]
        return node

    def _shadows(self, text: str) -> list[Node]:
        """Shadows as `x y blur colour`, several with commas between them: one filter that lays them all below."""
        try:
            shadows = [self._shadow(part.split()) for part in _COMMAS.split(text)]
        except ValueError as mistake:
            what = f"shadow: {mistake}"
            self._scene.complain(self._own, what, getattr(mistake, "hint", "") or _SHADOW)
            return []
        if len(shadows) > _MOST_SHADOWS:
            self._scene.complain(self._own, f"shadow: {len(shadows)} shadows; {_MOST_SHADOWS} are the most")
            return []
        if len(shadows) == 1:
            return [self._whole(shadows)]
        merge = Node("feMerge", {}, self._own.at, None)
        parts, names = [], []
        for at, step in enumerate(shadows):
            names.append(f"shadow{at}")
            soft = {name: step.attributes[name] for name in ("dx", "dy", "stdDeviation")}
            colour = {name: step.attributes[name] for name in ("flood-color", "flood-opacity")}
            parts += [
                Node("feGaussianBlur", {"in": "SourceAlpha", "stdDeviation": soft["stdDeviation"]}, self._own.at, None),
                Node("feOffset", {"dx": soft["dx"], "dy": soft["dy"], "result": "soft"}, self._own.at, None),
                Node("feFlood", {**colour}, self._own.at, None),
                Node("feComposite", {"operator": "in", "in2": "soft", "result": names[-1]}, self._own.at, None),
            ]
        for name in [*reversed(names), "SourceGraphic"]:
            merge.parts.append(Node("feMergeNode", {"in": name}, self._own.at, merge))
        for step in parts:
            step.declared = {"color-interpolation-filters": "sRGB"}
        room = self._whole(shadows)
        room.parts = [*parts, merge]
        return [room]

    def _shadow(self, words: list[str]) -> Node:
        """One shadow: how far to the right and down, how soft, in which colour, how dense."""
        covers = 1.0
        if words and words[-1].endswith("%"):
            covers = min(1.0, max(0.0, ratio(words.pop())))
        if len(words) != 4:
            raise Unfit(f"'{' '.join(words)[:40]}' is not x, y, blur and colour")
        across, down, soft = map(length, words[:3])
        if soft < 0:
            raise Unfit(f"the blur '{words[2]}' is negative")
        paints = self._scene.studio.paints
        paint = self._loan.desk.current if words[3] == CURRENT else paints.read_inherited(words[3])
        if paint is None or paint.startswith("url("):
            raise Unfit(f"'{words[3]}' is no colour for a shadow")
        colour, own = parted(paint)
        self._black = self._black and colour in _BLACK
        # Blurred by half of that much: as CSS counts, the edge of the shadow is as wide as the blur on either side.
        numbers = {"dx": across, "dy": down, "stdDeviation": soft / 2, "flood-opacity": covers * own}
        given = {"flood-color": colour, **{name: f"{value:.6g}" for name, value in numbers.items()}}
        return Node("feDropShadow", given, self._own.at, None)


_MOST_SHADOWS = 8
_BLACK = ("ink", "#000000")
_SHADOW = 'write x, y, blur and colour: shadow="1mm 1mm 2mm ink 50%"'


# Masks


class _Drawers:
    """Draws what stands in a mask by the template's rules, in greys."""

    def __init__(self, scene: Scene, loan: Loan, box: Rect | None):
        self._scene, self._loan, self._box = scene, loan, box

    def inside(self, node: Node, spot: Station) -> list[Item]:
        """What the elements within one draw."""
        scene, desk = self._scene, self._loan.desk
        items = scene.studio.draw(scene, self._loan.element(node), INITIAL, IDENTITY)
        greys = in_greys(items, lambda paint: desk.paint(Tint(paint)), scene.studio.fonts)
        return [Group(greys, spot.matrix)] if greys else []

    def drawn(self, node: Node, spot: Station) -> list[Item]:
        """What an element draws: here only what stands in a mask is asked for."""
        return self.inside(node, spot)

    def transform(self, node: Node, spot: Station) -> Matrix:
        """An element's transform: masks have none."""
        return self._loan.desk.transform(node, "transform", spot)

    def local_box(self, _node: Node, _spot: Station) -> Rect | None:
        """The box around what is masked."""
        return self._box


def _masked(scene: Scene, own: Element, items: Items) -> Items:
    """The items as far as a mask of the template shows them."""
    text = own.attributes["mask"]
    target = referred(scene, own, text, frozenset(["mask"]), "mask")
    if target is None:
        return items
    loan = Loan(scene, "art")
    mask = loan.node(target)
    cuts = Cuts(loan.desk, _Drawers(scene, loan, box_of(items)))
    with inside(scene, own, f"#{mask.attributes.get('id', '')}") as fine:
        if not fine:
            return items
        marks = len(scene.marks)
        shown = cuts.masked(Node(own.tag, {}, own.at, None), loan.station(), [*items], f"url(#{local_name(text)})")
        scene.marks[marks:] = [mark for mark in scene.marks[marks:] if isinstance(mark, ArtNote)]
    return tuple(shown)
