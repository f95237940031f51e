"""Variable fonts taken at a weight."""

from collections.abc import Mapping
from typing import Any

import uharfbuzz as hb

from generator.errors import Unfit
from generator.model.game import FontFamily

_WEIGHT = "wght"


def instance(data: bytes, weight: int) -> bytes:
    """A static font: the variable one at a weight, or at the nearest that it has, its other axes as they stand."""
    face = hb.Face(hb.Blob(data))
    if "glyf" not in face.table_tags:
        raise Unfit("it is a variable font with PostScript outlines; use the TrueType one, or a file for each weight")
    wanted = hb.SubsetInput()
    wanted.keep_everything()
    wanted.pin_all_axes_to_default(face)
    if axis := _axis(face):
        wanted.pin_axis_location(face, _WEIGHT, min(max(float(weight), axis.min_value), axis.max_value))
    return bytes(hb.subset(face, wanted).blob.data)


def span_of(data: bytes) -> tuple[int, int]:
    """The lightest and the heaviest weight of a variable font; 400 alone where its weight is no axis."""
    axis = _axis(hb.Face(hb.Blob(data)))
    return (round(axis.min_value), round(axis.max_value)) if axis else (400, 400)


def has_weight(entry: FontFamily, lang: str, weight: int, varying: Mapping[str, tuple[int, int]]) -> bool:
    """Whether a family has a weight: as files of its own, or in a variable one; `varying` says from where to where."""
    spans = [varying[file] for file in entry.regular.get(lang, ()) if file in varying]
    return weight in entry.weights.get(lang, {}) or any(least <= weight <= most for least, most in spans)


def _axis(face: Any) -> Any:
    return next((axis for axis in face.axis_infos if axis.tag == _WEIGHT), None)
