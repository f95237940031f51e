"""Parts that all faces of a template share, drawn once.

A template's markup has two sorts of pieces: its own text, and the values that it outputs. Faces whose own text is equal
have the same elements. These are read once, and each value is a slot in an attribute or text of one of them. A
conditional that depends on the card, or a macro that returns elements, changes the template's own text and so needs a
skeleton of its own. Faces whose values differ only in words are set in one cast, which is drawn once.

The drawing functions are those of all other elements. Whenever the result may differ, no skeleton is used, and the face
is read as a whole.
"""

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property, partial
from itertools import count, groupby
from operator import attrgetter
from typing import NamedTuple, Protocol, TypeAlias

from generator.base.cache import RecentValues
from generator.base.display_list import Group, Item
from generator.base.errors import Place, ProblemsFound
from generator.base.geometry import IDENTITY, Matrix, multiply
from generator.drawing.svg.draw_elements import (
    Items,
    derive_style,
    draw_element,
    group_items,
    open_root,
    transform_items,
)
from generator.drawing.svg.scene import BuiltElement, Mark, Scene, check_childless, check_names
from generator.drawing.svg.style import Style
from generator.drawing.svg.texts import PlainSetter, make_plain_setter, read_text_box, set_words
from generator.drawing.svg.tree import MOST_ELEMENTS, Element, parse_markup_tree
from generator.drawing.svg.values import Box, LengthBasis
from generator.drawing.svg.vocabulary import has_effects
from generator.drawing.templates.template_sources import SLOT, Pieces, Values, resolve_values, split_slots
from generator.text.glyph_rows import TextBox

_MOST_SKELETONS = _MOST_KNOWN = 500
_FIRST = 0x100000
_MOST_SLOTS = 60_000
_SLOTS = re.compile("([\U00100000-\U0010ffff])")
"""Private characters that represent the slots while the markup is read (plane 16, the last one)."""

_SAID = ("title", "desc")
_PROBE: Items = (Group(()),)
_BUT_ITEMS = attrgetter(*Group._fields[1:])


class SlottedText(NamedTuple):
    """A text with slots: the text before and between them, and their numbers."""

    written: tuple[str, ...]
    slots: tuple[int, ...]

    def fill_slots(self, values: Values) -> str:
        """Return the text with the values in its slots; a slot's number is the index of its value."""
        if len(self.slots) == 1:
            before, after = self.written
            return f"{before}{values[self.slots[0]]}{after}"
        parts = [self.written[0]]
        for slot, after in zip(self.slots, self.written[1:], strict=True):
            parts += (values[slot], after)
        return "".join(parts)


def _parse_slots(text: str) -> SlottedText:
    parts = _SLOTS.split(text)
    return SlottedText(tuple(parts[::2]), tuple([ord(slot) - _FIRST for slot in parts[1::2]]))


def _find_slots(element: Element) -> tuple[int, ...]:
    found = _own_slots(element)
    for child in element.children:
        found += _find_slots(child)
    return found


def _own_slots(element: Element) -> tuple[int, ...]:
    return tuple([slot for text in (*element.attributes.values(), element.text) for slot in _parse_slots(text).slots])


def _fill_element(element: Element, values: Values, raw: Values, parent: Element | None = None) -> Element:
    """Return a copy with the values in its slots; its `source` gets the `raw` ones, with entities as in the markup."""
    attributes = {name: _parse_slots(text).fill_slots(values) for name, text in element.attributes.items()}
    done = Element(element.tag, attributes, element.at, parent)
    done.source = _parse_slots(element.source.decode()).fill_slots(raw).encode()
    for part in element.parts:
        if isinstance(part, str):
            done.parts.append(_parse_slots(part).fill_slots(values))
        else:
            done.add_child(_fill_element(part, values, raw, done))
    return done


_Shared: TypeAlias = tuple[dict[str, Element], tuple[bytes, ...], LengthBasis]
"""A scene's knowledge of a template: its ids, their definitions, and the base of lengths in %."""


class _FaceSetting:
    """A face being set: its slots' values, its marks (stamps, notes), the number of its elements, a scene if needed."""

    def __init__(self, values: Values, make_scene: Callable[[], Scene], shared: _Shared):
        self.values, self._make_scene, self._shared = values, make_scene, shared
        self.marks: list[Mark] = []
        self.weight = 0

    @cached_property
    def scene(self) -> Scene:
        """Return the scene for what is drawn anew. Its marks and weight are those of the last thing drawn in it."""
        scene = self._make_scene()
        scene.ids, scene.defined, scene.basis = self._shared
        return scene

    def draw(self, draw: Callable[[Scene], Items], clipped: bool) -> BuiltElement | None:
        """Draw something by itself; if `clipped`, text may leave the trim. Return None if there are problems."""
        scene = self.scene
        trim, scene.marks, scene.weight = scene.trim, [], 0
        if clipped:
            scene.trim = None
        items = draw(scene)
        scene.trim = trim
        return None if scene.problems else BuiltElement(items, tuple(scene.marks), scene.weight)

    def place(self, built: BuiltElement) -> Items:
        """Add a drawn element to the face, and return its items."""
        self.marks += built.marks
        self.weight += built.weight
        return built.items


class _Part(Protocol):
    def set_part(self, face: _FaceSetting) -> Items | None:
        """Add the part to a face. Return None if there are problems."""


class _Fixed(NamedTuple):
    built: BuiltElement

    def set_part(self, face: _FaceSetting) -> Items:
        """Add the same items to each face."""
        return face.place(self.built)


class _Words(NamedTuple):
    """The words of a text whose setting is known: the box, its style and matrix, and the group around the result."""

    element: Element
    words: SlottedText
    box: TextBox
    style: Style
    matrix: Matrix
    frame: Group | None
    clipped: bool
    plain: PlainSetter | None
    known: RecentValues[str, BuiltElement]

    def set_part(self, face: _FaceSetting) -> Items | None:
        """Set the words in their box."""
        words = self.words.fill_slots(face.values)
        built = self.known.get(words)
        if built is None:  # what a card says others may say too
            plain = self.plain.set_words(words) if self.plain is not None else None
            built = plain or face.draw(partial(self._set_words, words=words), self.clipped)
            if built is None:
                return None
            if self.frame is not None:
                built = built._replace(items=_frame_items(self.frame, built.items))
            self.known.put(words, built)
        return face.place(built)

    def _set_words(self, scene: Scene, words: str) -> Items:
        scene.weight += 1
        return set_words(scene, self.element, words, self.box, self.style, self.matrix)


class _Group(NamedTuple):
    """A <g> that contains words: its parts, and the group to put around them, if any."""

    parts: tuple[_Part, ...]
    frame: Group | None

    def set_part(self, face: _FaceSetting) -> Items | None:
        """Draw the contents, transformed and clipped by the group."""
        face.weight += 1
        items = _set_all(self.parts, face)
        return None if items is None else _frame_items(self.frame, items)


def _set_all(parts: tuple[_Part, ...], face: _FaceSetting) -> Items | None:
    items: list[Item] = []
    for part in parts:
        added = part.set_part(face)
        if added is None:
            return None
        items += added
    return tuple(items)


def _read_frame(scene: Scene, element: Element, turn: Matrix) -> Group | None:
    """Return the group that an element with the transform `turn` puts around its items, or None if it needs none."""
    framed = group_items(scene, element, _PROBE, turn)[0]
    return framed if isinstance(framed, Group) and framed is not _PROBE[0] else None


def _frame_items(frame: Group | None, items: Items) -> Items:
    return items if frame is None or not items else (Group(items, *_BUT_ITEMS(frame)),)


def _make_parts(scene: Scene, elements: Sequence[Element], style: Style, matrix: Matrix) -> Iterator[_Part]:
    """Yield the parts for elements. Neighbours without words become one part."""
    for worded, some in groupby(elements, key=lambda element: element.tag not in _SAID and bool(_find_slots(element))):
        if worded:
            for element in some:
                yield from _make_part(scene, element, style, matrix)
            continue
        marks, weight = len(scene.marks), scene.weight
        items = tuple([item for element in some for item in draw_element(scene, element, style, matrix)])
        yield _Fixed(BuiltElement(items, tuple(scene.marks[marks:]), scene.weight - weight))


def _make_part(scene: Scene, element: Element, style: Style, matrix: Matrix) -> Iterator[_Part]:
    """Yield the part for a <g> with words, or for a <text> or <textbox>, then the marks that its reading added."""
    check_names(scene, element)
    turn, trim, marks = scene.read_transform(element), scene.trim, len(scene.marks)
    style, matrix = derive_style(scene, element, style), multiply(matrix, turn) if turn != IDENTITY else matrix
    if element.tag == "g":
        if "clip-path" in element.attributes and not scene.drawn:
            scene.trim = None
        parts = tuple(_make_parts(scene, element.children, style, matrix))
        scene.trim = trim
        yield _Group(parts, _read_frame(scene, element, turn))
        return
    check_childless(scene, element)
    box, frame = read_text_box(scene, element, style, matrix), _read_frame(scene, element, turn)
    if box is not None:  # else there are problems
        plain = make_plain_setter(scene, element, box, style, matrix)
        words, known = _parse_slots(element.text), RecentValues[str, BuiltElement](_MOST_KNOWN)
        yield _Words(element, words, box, style, matrix, frame, trim is None, plain, known)
    if scene.marks[marks:]:
        yield _Fixed(BuiltElement((), tuple(scene.marks[marks:]), 0))


def _find_words(element: Element) -> Iterator[int]:
    """Yield the slots of texts that lie in an element and its groups. Other slots change more than words."""
    for child in element.children:
        if has_effects(child.attributes):
            continue
        if child.tag == "g":
            yield from _find_words(child)
        elif child.tag in ("text", "textbox") and not child.children:
            yield from _parse_slots(child.text).slots


class SetFace(NamedTuple):
    """A drawn face: its items and marks, its title and description."""

    items: Items
    marks: list[Mark]
    title: str
    description: str


class _Cast(NamedTuple):
    """A face drawn but for its words. `matrix` is that of its items."""

    parts: tuple[_Part, ...]
    matrix: Matrix
    shared: _Shared


class FaceSkeleton:
    """The elements of a template whose faces differ only in slots. Faces that differ only in `words` share one cast."""

    def __init__(self, root: Element, outer: Box, words: frozenset[int], slots: Sequence[int]):
        self._root, self._outer, self._words = root, outer, words
        self._said = [_parse_slots(root.child_text(tag)) for tag in _SAID]
        told = words.union(*(said.slots for said in self._said))
        self._others = tuple([slot for slot in slots if slot not in told])
        self._casts: RecentValues[tuple[str, ...], _Cast] = RecentValues(_MOST_KNOWN)

    def set_face(self, make_scene: Callable[[], Scene], raw: Values) -> SetFace | None:
        """Draw a face; `raw` are its slots' values in markup. Return None if something unusual requires parsing."""
        values = resolve_values(raw)
        if values is None:
            return None
        others = tuple([values[slot] for slot in self._others])
        cast = self._casts.get(others)
        if cast is None:
            cast = self._make_cast(make_scene(), values, raw) if "\n" not in "".join(others) else None
            if cast is None:
                return None
            self._casts.put(others, cast)
        face = _FaceSetting(values, make_scene, cast.shared)
        items = _set_all(cast.parts, face)
        if items is None or face.weight > MOST_ELEMENTS:
            return None
        title, description = [" ".join(said.fill_slots(values).split()) for said in self._said]
        return SetFace(transform_items(items, cast.matrix), face.marks, title, description)

    def _make_cast(self, scene: Scene, values: Values, raw: Values) -> _Cast | None:
        """Return the cast of faces with these values outside of words (`raw`: in markup), or None if unusual."""
        slots = {slot: chr(_FIRST + slot) for slot in self._words}
        filled, written = ([slots.get(slot, one) for slot, one in enumerate(some)] for some in (values, raw))
        root = _fill_element(self._root, filled, written)
        opened = open_root(scene, root, self._outer)
        if opened is None or any(_SLOTS.search(each.decode()) for each in scene.defined):
            return None
        if any(has_effects(each.attributes) for each in root.iter_elements() if _find_slots(each)):
            return None
        shared = scene.ids, scene.defined, scene.basis
        parts = tuple(_make_parts(scene, root.children, *opened))
        return None if scene.problems else _Cast(parts, opened[1], shared)


def make_skeleton(
    scene: Callable[[], Scene], written: Pieces, outer: Box, locate: Callable[[str], Place]
) -> FaceSkeleton | None:
    """Return the elements of faces that fill the slots in `written`, drawn in `outer`; None if each must be read."""
    slots = [*range(written.count(SLOT))]
    if len(slots) > _MOST_SLOTS or any(map(_is_unclear, written, ("", *written))):
        return None
    names = map(chr, count(_FIRST))
    markup = "".join([piece or next(names) for piece in written]).strip()
    try:
        root, loose = parse_markup_tree(markup.encode(), locate, "template")
    except ProblemsFound:
        return None
    # Each slot once, in a text or an attribute, none where the whole face would change with it.
    if loose or _own_slots(root) or sorted(_find_slots(root)) != slots:
        return None
    first = scene()
    if open_root(first, root, outer) is None or first.styled or first.problems:
        return None
    lent = {slot for each in first.defined for slot in _parse_slots(each.decode()).slots}  # what others refer to
    return FaceSkeleton(root, outer, frozenset(_find_words(root)) - lent, slots)


def _is_unclear(piece: str, before: str) -> bool:
    """Return True if a value in or before a piece may change how the XML is parsed, such as `]]>`."""
    return bool("<![CDATA[" in piece or _SLOTS.search(piece) or (before == SLOT and piece[:1] in (">", "]")))


class FaceSkeletons:
    """The shared elements of a game's faces, built for the second face with the same markup but for values in slots."""

    def __init__(self) -> None:
        self._known: RecentValues[tuple[Hashable, Pieces], tuple[FaceSkeleton | None]] = RecentValues(_MOST_SKELETONS)
        self._met: RecentValues[tuple[Hashable, Pieces], bool] = RecentValues(_MOST_SKELETONS)

    def set_face(
        self,
        like: Hashable,
        pieces: Sequence[str],
        scene: Callable[[], Scene],
        outer: Box,
        locate: Callable[[str], Place],
    ) -> SetFace | None:
        """Draw a face from shared elements; None if it has none (yet). Faces depend only on `like` and their markup."""
        written, values = split_slots(pieces)
        key = like, written
        known = self._known.get(key)
        if known is None:
            if not self._met.get(key):
                self._met.put(key, value=True)
                return None
            known = (make_skeleton(scene, written, outer, locate),)
            self._known.put(key, known)
        return known[0].set_face(scene, values) if known[0] is not None else None
