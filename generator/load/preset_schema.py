"""What a preset file may say, as shapes: the fields that all presets have, and those of each kind."""

from typing import Any, get_args

from generator.errors import Unfit, did_you_mean
from generator.load.schema import DAY, a_day, shape_of
from generator.model.preset import (
    Length,
    Paper,
    PictureSize,
    Preset,
    PresetId,
    PresetKind,
    Product,
    Shop,
    ShopPictures,
    Sleeves,
    SleeveSize,
    Stock,
)
from generator.model.sizes import CARD_SIZES, PAPER_SIZES
from generator.shapes.compound import KeyEntry, ListShape, MapShape
from generator.shapes.shape import ANY, NUMBER, TEXT, ChoiceShape, DataShape, MadeShape, MaybeShape, PlainShape
from generator.units import Size, length

_ID = PlainShape("text", {"pattern": r"^[a-z0-9][a-z0-9_-]*$"})
_LONGEST = 2000.0
"""Millimetres beyond which a figure is surely a slip."""


def _as_length(value: Any) -> Any:
    """`3`, `3.175` and `0.125in` are lengths; anything else is left to the checks of a number."""
    return length(value) if isinstance(value, str) else value


_MILLIMETRES = MadeShape(NUMBER.limited({"ge": 0, "le": _LONGEST}), before=_as_length)


def _as_size(value: Any) -> Any:
    """A size's name, or width and height as lengths."""
    if isinstance(value, str):
        named = CARD_SIZES.get(value) or PAPER_SIZES.get(value)
        if named is None:
            raise Unfit(f"unknown size '{value}'", did_you_mean(value, [*CARD_SIZES, *PAPER_SIZES]))
        return named.size
    if not isinstance(value, list) or len(value) != 2:
        raise Unfit("a size is a name, or [width, height]", "write jp-poker, or [63, 88]")
    sides = [_as_length(side) for side in value]
    if not all(map(_is_side, sides)):
        raise Unfit(f"the sides of a size are lengths up to {_LONGEST:g} mm", "write [63, 88], or [2.5in, 3.5in]")
    return Size(round(float(sides[0]), 4), round(float(sides[1]), 4))


def _is_side(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= _LONGEST


def _as_verified(value: Any) -> Any:
    """Whether figures are confirmed, in one of its three ways."""
    if isinstance(value, bool) or (isinstance(value, list) and all(isinstance(name, str) for name in value)):
        return value
    raise Unfit("verified is neither true, false nor a list of figures", "write [bleed, products.poker], or false")


_COMMON = (
    KeyEntry("id", "id", _ID),
    KeyEntry("kind", "kind", ChoiceShape(get_args(PresetKind))),
    KeyEntry("name", "name", TEXT),
    KeyEntry("source", "source", TEXT.limited({"min_length": 1}), about="where the figures come from"),
    KeyEntry("date", "date", MadeShape(TEXT.limited({"pattern": DAY}), after=a_day), about="when they were looked up"),
    KeyEntry("verified", "verified", MadeShape(ANY, before=_as_verified)),
    KeyEntry("sources", "sources", MapShape(TEXT, TEXT), {}, "figures whose source is another"),
    KeyEntry("note", "note", TEXT, ""),
)
"""What every preset says: `verified` is true, false, or a list of the figures that are."""

_WRITTEN: dict[Any, DataShape] = {
    PresetId: _ID,
    Length: _MILLIMETRES,
    Size: MadeShape(ANY, before=_as_size),
    tuple[int, int]: ListShape(PlainShape("whole number", {"ge": 16, "le": 8000})),
    tuple[int, int] | None: MaybeShape(ListShape(PlainShape("whole number", {"ge": 1, "le": 20000}))),
}
"""What preset files write for a type of the model, where it is not the same."""

_WRITTEN |= {part: shape_of(part, part.__name__, _WRITTEN) for part in (Product, SleeveSize, PictureSize)}

PRESETS: dict[PresetKind, type[Preset]] = {
    "shop": Shop,
    "stock": Stock,
    "sleeve": Sleeves,
    "paper": Paper,
    "pictures": ShopPictures,
}
"""What each kind of file becomes."""

SCHEMAS = {kind: shape_of(made, made.__name__, _WRITTEN, first=_COMMON) for kind, made in PRESETS.items()}
"""The shape of each kind's files."""

UNCLAIMED = frozenset(
    {*(entry.name for entry in _COMMON), "file", "forms", "profile", "registry", "spots", "tolerance"}
)
"""Fields that are no figures of the source: names, and what is our own choice."""
