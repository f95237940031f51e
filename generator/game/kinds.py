"""A kind of component with its designs: sizes, forms, declared fields, ids, counts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from generator.base.errors import InvalidInput, Problem, did_you_mean, find_similar_name
from generator.base.geometry import CARD_SIZES, Size
from generator.game.data_fields import FieldSpec, id_from_text
from generator.game.fields import RESERVED, TYPES, FieldReader, report_missing_pictures
from generator.game.model import Design, Shape
from generator.game.piece_outlines import compute_regular_size, outline_from_shape, read_outline
from generator.game.schema import spec_from_data
from generator.game.source import Section, Sections, Source
from generator.game.value_faults import (
    describe_value,
    explain_name,
    find_missing_names,
    suggest_inches,
    suggest_number,
    suggest_size,
)

FOLDED = ("standee", "cube")
"""Forms that are cut along a net and folded."""

_HEXAGONS = {
    "hexagon": ("stands on a point", "width from side to side"),
    "flat-hexagon": ("lies on a side", "height from side to side"),
}
"""The orientation of each hexagon, and the meaning of a single number as its size."""

_UNEQUAL = 0.1
"""Tolerance for rounded sides, mm."""

FOOT_LEAST = 8.0
"""Minimum default length of a foot, mm: room for glue, as wide as a fingertip."""


def measure_foot(data: Any, size: Size) -> float:
    """Return the length (mm) of each foot of a standee, by default half its width, with a minimum. Others: return 0."""
    if data.form != "standee":
        return 0.0
    return data.foot if data.foot is not None else max(size.width / 2, FOOT_LEAST)


def check_form(
    name: str, data: Any, size: Size | None, designs: Sequence[Source], places: Section
) -> Iterator[Problem]:
    """Yield a problem for each setting in a kind's `data` against its form or without effect. `size`: the final one."""
    if data.foot is not None and data.form != "standee":
        yield Problem(places.place(name, "foot"), f"a {data.form} has no foot", "take `foot:` out, or `form: standee`")
    yield from _check_corners(name, data, places)
    if data.form not in FOLDED:
        yield from _check_shape(name, data, size, places)
        return
    if "shape" in data.written:
        what = f"a {data.form} has no shape of its own: it is cut along its net"
        yield Problem(places.place(name, "shape"), what, "take `shape:` out")
    if data.form == "cube":
        yield from _check_cube(name, data, size, designs, places)


def _check_corners(name: str, data: Any, places: Section) -> Iterator[Problem]:
    """Yield a problem for rounded corners of a piece without such corners. A radius of 0 is always allowed."""
    if "corner" not in data.written or not data.corner:
        return
    around = "its net" if data.form in FOLDED else "its outline" if data.outline else ""
    if not around and outline_from_shape(data.shape, Size(1, 1)):
        around = f"its {data.shape} outline"
    if around:
        what = f"`corner` has no effect: a {data.form} like this is cut along {around}"
        yield Problem(places.place(name, "corner"), what, "take `corner:` out")


def _check_shape(name: str, data: Any, size: Size | None, places: Section) -> Iterator[Problem]:
    """Yield a problem for unequal sides of a square or circle, and for hexagons that are not regular."""
    if size is None or data.outline:
        return
    told = f"{size.width:g} x {size.height:g} mm"
    place = places.place(name, "size")
    if data.shape == "square" and abs(size.width - size.height) > _UNEQUAL:
        what = f"a square has equal sides, but its size is {told}"
        yield Problem(place, what, "write one number, or remove `shape:`")
    if data.shape == "circle" and abs(size.width - size.height) > _UNEQUAL:
        what = f"a circle has equal width and height, but its size is {told}"
        yield Problem(place, what, "write one number, its diameter, or `shape: round` for an oval")
    if data.shape in _HEXAGONS:
        lies, measured = _HEXAGONS[data.shape]
        flats = size.width if data.shape == "hexagon" else size.height
        regular = compute_regular_size(data.shape, flats)
        if abs(size.width - regular.width) > _UNEQUAL or abs(size.height - regular.height) > _UNEQUAL:
            what = f"a {data.shape} of {told} is stretched: it {lies}, and a regular one"
            what += f" of this {measured.split()[0]} is {round(regular.width, 1):g} x {round(regular.height, 1):g} mm"
            hint = f"write `size: {flats:g}`, the {measured}, or draw a stretched one as `outline:`"
            other: Shape = "flat-hexagon" if data.shape == "hexagon" else "hexagon"
            flats = size.height if data.shape == "hexagon" else size.width
            turned = compute_regular_size(other, flats)
            if abs(size.width - turned.width) <= _UNEQUAL and abs(size.height - turned.height) <= _UNEQUAL:
                hint = f"write `shape: {other}`, which {_HEXAGONS[other][0]}"
            yield Problem(place, what, hint)


def _check_cube(
    name: str, data: Any, size: Size | None, designs: Sequence[Source], places: Section
) -> Iterator[Problem]:
    if size and size.width != size.height and isinstance(data.size, (list, str)):
        what = f"a cube has equal sides, but its size is {size.width:g} x {size.height:g} mm"
        yield Problem(places.place(name, "size"), what, "write one number: the edge in mm")
    six = "all six sides are drawn by `front`, which sees in `face` which one it is"
    if data.back:
        yield Problem(places.place(name, "back"), "a cube has no back of its own", six)
    if data.two_faced:
        yield Problem(places.place(name, "two_faced"), "a cube is not two-faced", six)
    for design in designs:
        if design.value.get("back"):
            yield Problem(design.place("back"), "a cube has no back of its own", six)


_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*\Z")
MOST_COPIES = 10_000
LARGEST = 2000
"""Maximum copies of a design, and maximum side in mm: a larger number is surely a slip."""

LEAST = 3.0
"""Minimum side, mm. Smaller pieces can't be cut, and filling a sheet with them would take forever."""


def read_kind_values(
    name: str, data: Any, designs: Sequence[Source], places: Sections, reader: FieldReader
) -> dict[str, Any]:
    """Return the fields of a kind that must be computed from its data, by name. Add faults to the reader's problems."""
    declared = specs_from_data(data.fields)
    specs = read_specs(("components", name, "fields"), declared, places, reader.problems, RESERVED)
    known = _read_size(name, data, places["components"], reader.problems)
    size = known or Size(1.0, 1.0)
    reader.problems += check_form(name, data, known, designs, places["components"])
    return {
        "size": size,
        "size_name": data.size if isinstance(data.size, str) else "",
        "designs": _read_designs(name, data, specs, designs, places["components"], reader),
        # The model has one name for both: a circle is round.
        "shape": "round" if data.shape == "circle" else data.shape,
        "outline": _read_kind_outline(name, data, known, places["components"], reader),
        "foot": measure_foot(data, size),
        "fields": declared,
        "place": places["components"].place(name, *(["stated"] if data.stated is not None else [])),
    }


def _read_size(name: str, data: Any, places: Section, problems: list[Problem]) -> Size | None:
    place, size = places.place(name, "size"), data.size
    sides = size if isinstance(size, list) and len(size) == 2 else [size]
    short = [side for side in sides if _is_length(side) and side < LEAST]
    if isinstance(size, str):
        if size in CARD_SIZES:
            return CARD_SIZES[size].size
        near = find_similar_name(size, frozenset(CARD_SIZES))
        hint = suggest_size(size) or (f"did you mean '{near}'?" if near else _SIZE_HINT)
        problems.append(Problem(place, f"unknown size '{size}'", hint))
    elif short:
        what = f"components.{name}.size has a side of {short[0]:g} mm"
        hint = f"the minimum for cutting is {LEAST:g} mm; write a larger number"
        if isinstance(size, list) and all(map(_is_length, size)) and min(size) >= 1:
            hint += f"; {suggest_inches(size)}"
        problems.append(Problem(place, what, hint))
    elif _is_length(size) and (data.shape != "rectangle" or data.form == "cube"):
        return compute_regular_size(data.shape, float(size))
    elif isinstance(size, list) and len(size) == 2 and all(map(_is_length, size)):
        return Size(float(size[0]), float(size[1]))
    else:
        shown = (
            f"[{', '.join(map(str, size))}]" if isinstance(size, list) and len(size) < _SIDES else describe_value(size)
        )
        what = f"components.{name}.size is {shown}, which is not a size"
        hint = suggest_size(size) or _SIZE_HINT
        problems.append(Problem(place, what, hint))
    return None


_SIZE_HINT = "write [width, height] in mm, or a name that `pnp presets --sizes` lists"
_SIDES = 4
"""Wrong sizes with fewer entries than this are shown in full."""


def _read_kind_outline(name: str, data: Any, size: Size | None, places: Section, reader: FieldReader) -> str:
    place, problems = places.place(name, "outline"), reader.problems
    if data.form in FOLDED:
        if data.outline:
            what = f"a {data.form} has no outline of its own: it is cut along its net"
            problems.append(Problem(place, what, "remove `outline:`, or write another `form:`"))
        return ""
    if not data.outline:
        return outline_from_shape(data.shape, size) if size else ""
    if data.shape != "rectangle":
        what = f"`outline` and `shape: {data.shape}` contradict each other"
        problems.append(Problem(place, what, "keep one of them"))
    written = data.outline
    if written.lower().endswith(".svg"):
        try:
            written = reader.outline_file(written, size) if size else ""
        except InvalidInput as unfit:
            problems.append(Problem(place, str(unfit), unfit.hint))
            return ""
    path, faults = read_outline(written, size) if written else ("", [])
    problems.extend(Problem(place, *fault) for fault in faults)
    return path


def _is_length(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= LARGEST


def specs_from_data(fields: Mapping[str, Any]) -> dict[str, FieldSpec]:
    """Return the declarations of fields as `FieldSpec`, by the fields' names."""
    return {name: spec_from_data(data) for name, data in fields.items()}


def read_specs(
    path: tuple[str, ...],
    fields: Mapping[str, FieldSpec],
    places: Sections,
    problems: list[Problem],
    taken: Sequence[str] = ("op",),
) -> dict[str, FieldSpec]:
    """Return the valid declared fields at a path. Add the faults of others, also names in `taken`, to `problems`."""
    good = {}
    for field, spec in fields.items():
        wrong = next((key for key in ("type", "of") if getattr(spec, key) not in ("", *TYPES)), None)
        for key, idle in () if wrong else _find_idle_keys(spec):
            problems.append(Problem(places.place(*path, field, key), f"`{key}` has no effect: {idle}", "remove it"))
        if wrong:
            kind = getattr(spec, wrong)
            what = f"unknown type '{kind}' of the field '{field}'"
            problems.append(Problem(places.place(*path, field, wrong), what, did_you_mean(kind, TYPES)))
        elif field in taken:
            place = places.key_place(*path, field)
            problems.append(Problem(place, f"every design already has '{field}'", "choose another name for the field"))
        elif slip := _find_spec_fault(field, spec):
            *steps, what, hint = slip
            problems.append(Problem(places.place(*path, field, *steps), what, hint))
        else:
            good[field] = spec
    return good


def _find_idle_keys(spec: FieldSpec) -> Iterator[tuple[str, str]]:
    """Yield the settings of a declared field that its type does not use, and the reason."""
    entry = (spec.of or "text") if spec.type == "list" else spec.type
    if spec.of and spec.type != "list":
        yield "of", f"a field of the type {spec.type} has no entries"
    if spec.choices and entry != "choice":
        yield "choices", f"only the type choice has choices, but this field has the type {entry}"
    if spec.folder and entry != "picture":
        yield "folder", f"only pictures have a folder, but this field has the type {entry}"
    for key in ("min", "max", "better"):
        if getattr(spec, key) not in (None, "") and entry not in ("integer", "number"):
            yield key, f"only numbers have a {key}, but this field has the type {entry}"


def _find_spec_fault(field: str, spec: FieldSpec) -> tuple[str, ...]:
    """Return a field's contradiction: its key (left out if it is the whole field's), fault, remedy. Or return ()."""
    if spec.type == "list" and spec.of == "list":
        return "of", f"the field '{field}' is a list of lists", "put all values in one list"
    if "choice" in (spec.type, spec.of) and not spec.choices:
        return f"the field '{field}' has no choices", "add `choices: [...]`"
    if spec.min is not None and spec.max is not None and spec.min > spec.max:
        what = f"the field '{field}' has a max, {spec.max:g}, below its min, {spec.min:g}"
        return "max", what, "swap them"
    return ()


def _read_designs(
    name: str,
    data: Any,
    specs: Mapping[str, FieldSpec],
    sources: Sequence[Source],
    places: Section,
    reader: FieldReader,
) -> tuple[Design, ...]:
    """Return the designs of a kind. Report those without a picture once for the kind."""
    designs = tuple(_read_design(name, data, specs, source, reader) for source in sources)
    for field, spec in specs.items():
        if spec.type != "picture" or spec.optional:
            continue
        lacking = [
            design.id.partition("/")[2]
            for design in designs
            if design.fields[field] is None and _is_blank(design.source.value.get(field))
        ]
        if lacking:
            place = places.place(name, "fields", field)
            reader.problems.append(report_missing_pictures(spec, lacking, len(designs), place))
    return designs


def _is_blank(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _read_design(kind: str, data: Any, specs: Mapping[str, FieldSpec], source: Source, reader: FieldReader) -> Design:
    raw = source.value
    name, names = raw.get("id"), (*data.fields, *RESERVED)
    if not isinstance(name, (str, int)) or isinstance(name, bool) or not _ID.match(str(name)):
        if find_missing_names(["id"], raw, names):
            what = "a design has no id"
            reader.problems.append(Problem(source.place("id"), what, "add `id:` with letters, digits, - and _"))
        elif "id" in raw:
            hint = (
                f"write `id: {id_from_text(str(name))}`"
                if isinstance(name, str) and name.strip()
                else "use letters, digits, - and _"
            )
            what = f"the id {describe_value(name)} has other characters than letters, digits, - and _"
            reader.problems.append(Problem(source.place("id"), what, hint))
    for key in raw:
        if key not in names:
            fault = explain_name(key, raw[key], names, f" in {kind}/{name}")
            reader.problems.append(Problem(source.key_place(key), *fault))
    back = _read_template_name(raw, "back", data.back, source, reader.problems)
    if data.two_faced and not back and data.form != "cube":
        what = f"{kind}/{name} has one face, but both faces of a {kind} are used in play"
        reader.problems.append(Problem(source.place("back"), what, "add `back:` with the other face's template"))
    return Design(
        id=f"{kind}/{name}",
        kind=kind,
        count=_read_count(raw, source, reader.problems),
        front=_read_template_name(raw, "front", data.front, source, reader.problems),
        back=back,
        fields=MappingProxyType(_read_fields(f"{kind}/{name}", raw, specs, source, reader)),
        source=source,
    )


def _read_fields(
    design: str, raw: Mapping[str, Any], specs: Mapping[str, FieldSpec], source: Source, reader: FieldReader
) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for field, spec in specs.items():
        if spec.type == "picture" and _is_blank(raw.get(field)):
            values[field] = reader.find_picture(spec, design.partition("/")[2], source, ())
        elif field in raw and not (raw[field] is None and spec.optional):
            values[field] = reader.read(spec, raw[field], source, (field,))
        else:
            values[field] = None
            if not spec.optional and find_missing_names([field], raw, (*specs, *RESERVED)):
                what = f"'{field}' is missing in {design}"
                reader.problems.append(Problem(source.place(), what, f"add `{field}: ...`"))
    return values


def _read_count(raw: Mapping[str, Any], source: Source, problems: list[Problem]) -> int:
    count = raw.get("count", 1)
    if isinstance(count, bool) or not isinstance(count, int):
        what = f"count must be a whole number, not {describe_value(count)}"
        problems.append(Problem(source.place("count"), what, suggest_number(count, whole=True)))
        return 0
    if not 0 <= count <= MOST_COPIES:
        bound = "at least 0" if count < 0 else f"at most {MOST_COPIES}"
        problems.append(Problem(source.place("count"), f"count is {count}, but must be {bound}", "change the number"))
    return count


def _read_template_name(
    raw: Mapping[str, Any], face: str, default: str, source: Source, problems: list[Problem]
) -> str:
    name = raw.get(face, default)
    if not isinstance(name, str):
        what = f"{face} must be a template's name, not {describe_value(name)}"
        problems.append(Problem(source.place(face), what, "write it without .svg"))
        return default
    return name
