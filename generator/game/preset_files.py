"""Files of presets and printers: load, find and check them; write those of printers."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from generator.base.errors import Place, Problem, ProblemsFound, did_you_mean, gather_problems, raise_problems
from generator.base.files import Resources, is_folder, list_folder
from generator.base.geometry import CARD_SIZES, MM_PER_INCH, Margins, Size, format_num
from generator.game.data_fields import list_keyed_fields
from generator.game.data_reader import read_yaml
from generator.game.data_shapes import NUMBER, KeyedShape, KeyedValues, KeyEntry, read_shape
from generator.game.presets import (
    PRESETS,
    SCHEMAS,
    UNCLAIMED,
    CutterMark,
    PictureSize,
    Preset,
    PresetKind,
    Printer,
    Product,
    Sleeves,
    SleeveSize,
    add_bleed,
)
from generator.game.project import PRESET_FOLDER, PRESET_SUFFIX, list_preset_ids
from generator.game.source import Map, Source
from generator.game.value_faults import (
    check_blanks,
    describe_value,
    explain_finding,
    find_blanks,
    find_finding_path,
    read_source,
)

_SLACK = 1e-6


def build_paper(data: Any, source: Source, problems: list[Problem]) -> dict[str, Any]:
    """Return the field `margin` of plain paper. Add a problem if no paper is left within."""
    margin = Margins(*data.margin)
    if margin.covers(data.size):
        what = f"margins of {margin} mm cover the whole paper"
        problems.append(Problem(source.place("margin"), what, "write a smaller number"))
    return {"margin": margin}


def build_stock(data: Any, source: Source, problems: list[Problem]) -> dict[str, Any]:
    """Report cells of a perforated sheet that extend beyond the paper. Return {}."""
    for side, room, first, number, length, gap in (
        ("columns", data.paper.width, data.left, data.columns, data.cell.width, data.gap_x),
        ("rows", data.paper.height, data.top, data.rows, data.cell.height, data.gap_y),
    ):
        end = first + number * length + (number - 1) * gap
        if end > room + _SLACK:
            what = f"{number} {side} end at {end:g} mm, and the paper at {room:g} mm"
            problems.append(Problem(source.place(side), what, "correct the cells or where they begin"))
    return {}


def build_sleeves(data: Any, source: Source, problems: list[Problem]) -> dict[str, Any]:
    """Return the field `sleeves`, a table. Add problems for repeated ids, and cards that are unknown or don't fit."""
    table = tuple(SleeveSize(entry.id, entry.name, entry.inner, tuple(entry.cards)) for entry in data.sleeves)
    made = Sleeves("", "", "", "", least=data.least, most=data.most, sleeves=table)
    problems += _find_repeated_ids([sleeve.id for sleeve in table], "sleeves", source)
    for n, sleeve in enumerate(table):
        for m, name in enumerate(sleeve.cards):
            place = source.place("sleeves", n, "cards", m)
            if name not in CARD_SIZES:
                problems.append(Problem(place, f"unknown card size '{name}'", did_you_mean(name, CARD_SIZES)))
            elif sleeve not in made.find_fitting(CARD_SIZES[name].size):
                what = f"a {name} card does not fit into {sleeve.inner.width:g} x {sleeve.inner.height:g} mm"
                problems.append(Problem(place, what, "correct `inner`, or `least` and `most` play"))
    return {"sleeves": table}


def build_pictures(data: Any, source: Source, problems: list[Problem]) -> dict[str, Any]:
    """Return the field `pictures` of a shop page. Add problems for repeated ids, as these are file names."""
    sizes = [
        PictureSize(one.id, one.name, (one.pixels[0], one.pixels[1]), one.scene, one.titled) for one in data.pictures
    ]
    problems += _find_repeated_ids([one.id for one in sizes], "pictures", source)
    return {"pictures": tuple(sizes)}


def _find_repeated_ids(ids: list[str], what: str, source: Source) -> Iterator[Problem]:
    for n, name in enumerate(ids):
        if name in ids[:n]:
            yield Problem(source.place(what, n, "id"), f"the id '{name}' is given twice", "rename one of them")


NAME_FIELDS = ("game", "product", "lang", "kind", "design", "side", "number", "count")
"""The names allowed in { } in a pattern of file names."""

Build = Callable[[Any, Source, list[Problem]], Mapping[str, Any]]
"""A function that returns a preset's fields that differ from its data, and adds contradictions to the problems."""


def load_presets(resources: Resources) -> tuple[Preset, ...]:
    """Return every preset. Raise ProblemsFound with all faults of any of them."""
    presets: list[Preset] = []
    problems: list[Problem] = []
    for name in list_preset_ids(resources):
        with gather_problems(problems):
            presets.append(_load_preset(name, resources))
    raise_problems(problems)
    return tuple(presets)


def find_preset(resources: Resources, name: str, kind: PresetKind | None = None) -> Preset:
    """Return the preset of that id and, if given, of that kind. Raise ProblemsFound for none or a broken one."""
    if resources.leaves_root(PRESET_FOLDER, f"{name}{PRESET_SUFFIX}") or any(
        is_folder(root / PRESET_FOLDER / f"{name}{PRESET_SUFFIX}") for root in resources.roots
    ):
        raise ProblemsFound([_make_outside_problem(name)])
    if name not in list_preset_ids(resources):
        hint = did_you_mean(name, _iter_ids_of_kind(resources, kind))
        raise ProblemsFound([Problem(None, f"unknown preset '{name}'", hint)])
    preset = _load_preset(name, resources)
    if kind is not None and preset.kind != kind:
        what = f"the preset '{name}' is a {preset.kind}, not a {kind}"
        raise ProblemsFound([Problem(preset.place, what, did_you_mean("", _iter_ids_of_kind(resources, kind)))])
    return preset


def find_figure_place(resources: Resources, preset: Preset, *figure: str | int) -> Place | None:
    """Return the place of a figure, given by its keys, in a preset's file, for faults that show only in use."""
    path = resources.find(PRESET_FOLDER, f"{preset.id}{PRESET_SUFFIX}")
    if path is None:
        return preset.place
    shown = resources.display_path(path)
    return Source(shown, read_yaml(path, shown)).place(*figure)


def _iter_ids_of_kind(resources: Resources, kind: PresetKind | None) -> Iterator[str]:
    """Yield the ids of presets of a kind. Skip unreadable files, which are reported elsewhere."""
    for name in list_preset_ids(resources):
        try:
            if kind is None or _load_preset(name, resources).kind == kind:
                yield name
        except ProblemsFound:
            continue


def _make_outside_problem(name: str) -> Problem:
    what = f"the preset '{name}' is outside {PRESET_FOLDER}/ or not a file"
    return Problem(None, what, "copy the file to this folder")


def _load_preset(name: str, resources: Resources) -> Preset:
    path = resources.find(PRESET_FOLDER, f"{name}{PRESET_SUFFIX}")
    if path is None:
        raise ProblemsFound([_make_outside_problem(name)])
    shown = resources.display_path(path)
    root = read_yaml(path, shown)
    source = Source(shown, root)
    problems = list(_check_id_and_pattern(name, root, source))
    try:
        data = _validate_preset(root, source)
    except ProblemsFound as found:
        raise ProblemsFound([*found.problems, *problems]) from found
    figures = tuple(_iter_figures(data))
    made = {one.name: _freeze_value(getattr(data, one.name)) for one in list_keyed_fields(PRESETS[data.kind])}
    made |= {
        "id": data.id,
        "unverified": _find_unconfirmed_figures(data, figures, source, problems),
        "place": Place(shown),
    }
    for figure in data.sources:
        if figure not in figures:
            what = f"'{figure}' has a source, but this preset has no such figure"
            problems.append(Problem(source.key_place("sources", figure), what, did_you_mean(figure, figures)))
    preset = PRESETS[data.kind](**{**made, **_BUILDERS[data.kind](data, source, problems)})
    raise_problems(problems)
    return preset


def _freeze_value(value: Any) -> Any:
    return dict(value) if isinstance(value, dict) else tuple(value) if isinstance(value, list) else value


def _check_id_and_pattern(name: str, root: Map, source: Source) -> Iterator[Problem]:
    """Yield faults of a preset's `id` and `file`, which can be found even if the rest of the file is invalid."""
    own, wanted = root.get("id"), name.rpartition("/")[2]
    if isinstance(own, str) and own != wanted:
        yield Problem(source.place("id"), f"the id '{own}' differs from the file name", f"write `id: {wanted}`")
    pattern = root.get("file")
    if root.get("kind") == "shop" and isinstance(pattern, str):
        yield from (Problem(source.place("file"), *fault) for fault in _check_pattern(pattern))


def _validate_preset(root: Map, source: Source) -> Any:
    kind = root.get("kind")
    if not isinstance(kind, str) or kind not in SCHEMAS:
        what = "'kind' is missing" if kind is None else f"unknown kind of preset {describe_value(kind)}"
        raise ProblemsFound([Problem(source.place("kind"), what, did_you_mean(str(kind or ""), SCHEMAS))])
    shape = SCHEMAS[kind]
    data, found = read_shape(shape, root)
    problems = []
    for one in found:
        path, _ = find_finding_path(one)
        place = source.key_place(*path) if one.kind == "unknown" else source.place(*path)
        if one.kind == "error":
            hint = getattr(one.limit, "hint", "") or "write a length as 3, 3.175 or 0.125in"
            problems.append(Problem(place, str(one.limit), hint))
        else:
            problems.append(Problem(place, *explain_finding(one, shape)))
    raise_problems(problems)
    return data


def _iter_figures(data: KeyedValues) -> Iterator[str]:
    """Yield the names of the fields set in the file that state facts, with one name for each id of a list."""
    for name in vars(data):
        if name not in data.written or name in UNCLAIMED:
            continue
        value = getattr(data, name)
        ids = [getattr(entry, "id", None) for entry in value] if isinstance(value, list) else []
        if ids and all(ids):
            yield from (f"{name}.{each}" for each in ids)
        else:
            yield name


def _find_unconfirmed_figures(
    data: Any, figures: tuple[str, ...], source: Source, problems: list[Problem]
) -> tuple[str, ...]:
    if isinstance(data.verified, bool):
        return () if data.verified else figures
    for number, name in enumerate(data.verified):
        if name not in figures and not any(figure.startswith(f"{name}.") for figure in figures):
            what = f"'{name}' is marked as verified, but this preset has no such figure"
            problems.append(Problem(source.place("verified", number), what, did_you_mean(name, figures)))
    sure = set(data.verified)
    return tuple(figure for figure in figures if figure not in sure and figure.partition(".")[0] not in sure)


def _build_shop(data: Any, source: Source, problems: list[Problem]) -> dict[str, Any]:
    """Return the field `products` of a print shop. Add problems for equal file names and too little printable area."""
    lacking = "" if any(_check_pattern(data.file)) else _find_missing_name(data)
    if lacking:
        what = f"the pattern '{data.file}' gives two files the same name"
        problems.append(Problem(source.place("file"), what, f"put {{{lacking}}} into it"))
    problems += _find_repeated_ids([product.id for product in data.products], "products", source)
    products = [_build_product(product, data, n, source, problems) for n, product in enumerate(data.products)]
    return {"products": tuple(products)}


def _build_product(product: Any, shop: Any, number: int, source: Source, problems: list[Problem]) -> Product:
    trim, pixels = product.trim, (product.pixels[0], product.pixels[1]) if product.pixels else None
    full = product.full or add_bleed(trim, shop.bleed)
    if pixels:
        scale = MM_PER_INCH / shop.dpi
        drawn = Size(round(pixels[0] * scale, 4), round(pixels[1] * scale, 4))
        if product.full and max(abs(drawn.width - full.width), abs(drawn.height - full.height)) > scale:
            what = f"{pixels[0]} x {pixels[1]} pixels at {shop.dpi:g} dpi are not the full size"
            hint = "correct one of `full`, `pixels` and `dpi`"
            problems.append(Problem(source.place("products", number, "pixels"), what, hint))
        full = drawn
    if full.width < trim.width or full.height < trim.height:
        what = f"the full size of {product.id} is smaller than what is cut out of it"
        problems.append(Problem(source.place("products", number), what, "swap `trim` and `full`"))
    safe, narrow = shop.safe if product.safe is None else product.safe, min(trim.width, trim.height)
    if 2 * safe >= narrow:
        place = source.place("safe") if product.safe is None else source.place("products", number, "safe")
        what = f"a safe zone of {safe:g} mm leaves no room on {product.id}, which is {narrow:g} mm wide"
        problems.append(Problem(place, what, "write a smaller `safe`"))
    if 2 * product.corner > narrow:
        what = f"corners of {product.corner:g} mm are rounder than {product.id}, {narrow:g} mm wide, can have"
        problems.append(Problem(source.place("products", number, "corner"), what, "write a smaller `corner`"))
    return Product(product.id, product.name, trim, full, safe, product.corner, pixels)


def _check_pattern(pattern: str) -> Iterator[tuple[str, str]]:
    """Yield the fault and remedy of each `{name}` in a shop's pattern of file names that pnp can't fill in."""
    return check_blanks("the pattern", pattern, NAME_FIELDS)


def _find_missing_name(data: Any) -> str:
    """Return the name (`side`) that a shop's pattern of file names lacks to make them unique, or an empty string."""
    named = find_blanks(data.file)
    if data.upload == "pdf" and data.files == "product":
        return "" if "product" in named else "product"
    if "side" not in named:
        return "side"
    return "" if named & {"number", "design"} else "design"


_BUILDERS: Mapping[PresetKind, Build] = {
    "shop": _build_shop,
    "stock": build_stock,
    "sleeve": build_sleeves,
    "paper": build_paper,
    "pictures": build_pictures,
    "costs": lambda _data, _source, _problems: {},
    "cutter": lambda data, _source, _problems: {
        "marks": tuple([CutterMark(mark.corner, tuple(map(tuple, mark.points))) for mark in data.marks])
    },
}
"""Builders for the fields of each kind that differ from its file."""


PRINTER_FOLDER, PRINTER_SUFFIX = "printers", ".yaml"
NAME = re.compile(r"\w[\w-]{0,39}")
"""The form of a printer's name, which is a file name on every system."""


_FIGURES = {"back_x": 0.0, "back_y": 0.0, "scale_x": 1.0, "scale_y": 1.0}
_PRINTER = KeyedShape("Printer", "", [KeyEntry(name, NUMBER, default) for name, default in _FIGURES.items()])


def list_printers(settings: Path) -> tuple[str, ...]:
    """Return the names of all printers stored in the user's folder of settings, in order."""
    return tuple(sorted(path.stem for path in list_folder(settings / PRINTER_FOLDER) if path.suffix == PRINTER_SUFFIX))


def read_printer(settings: Path, name: str) -> Printer:
    """Return a printer of the user's settings. Raise ProblemsFound if its file is damaged, KeyError if unknown."""
    path = settings / PRINTER_FOLDER / f"{name}{PRINTER_SUFFIX}"
    if name not in list_printers(settings):
        raise KeyError(name)
    shown = str(path)
    data = read_source(_PRINTER, Source(shown, read_yaml(path, shown)))
    try:
        return Printer(name, data.back_x, data.back_y, data.scale_x, data.scale_y)
    except ValueError as error:
        again = f"store it again with pnp calibrate --set {name} ..."
        raise ProblemsFound([Problem(Place(shown), str(error), again)]) from error


def find_printer_file(settings: Path, name: str) -> Path:
    """Return the path of a printer's file. Raise ValueError for an invalid name."""
    if not NAME.fullmatch(name):
        raise ValueError(f"'{name}' is not a valid printer name; use letters, digits, - and _")
    return settings / PRINTER_FOLDER / f"{name}{PRINTER_SUFFIX}"


def format_printer(printer: Printer) -> str:
    """Return the contents of a printer's file."""
    figures = {name: format_num(round(getattr(printer, name), 6)) for name in _FIGURES}
    head = "# Made by `pnp calibrate`: mm to the right and down, and 1.002 for 100.2 %; of back pages alone.\n"
    return head + "".join(f"{name}: {value}\n" for name, value in figures.items())
