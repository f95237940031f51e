"""Preset files to frozen presets: the project's own first, then those that come with the program."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from generator.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.files import is_folder
from generator.load.blanks import blank_slips, blanks
from generator.load.home_presets import paper, pictures, sleeves, stock
from generator.load.preset_schema import PRESETS, SCHEMAS, UNCLAIMED
from generator.load.wording import describe_value, explain, places_path
from generator.load.yaml_source import read_yaml
from generator.model.data_fields import fields_with_keys
from generator.model.preset import FOLDER, SUFFIX, Preset, PresetKind, Product, add_bleed, preset_ids
from generator.model.resources import Resources
from generator.model.source import Map, Source
from generator.shapes.compound import Said, read
from generator.units import MM_PER_INCH, Size

NAME_FIELDS = ("game", "product", "lang", "kind", "design", "side", "number", "count")
"""What a pattern of file names may name in { }."""

Build = Callable[[Any, Source, list[Problem]], Mapping[str, Any]]
"""From checked data to the fields of the preset that differ from them; what contradicts goes to the problems."""


def load_presets(resources: Resources) -> tuple[Preset, ...]:
    """Every preset; ProblemsFound with all that is wrong with any of them."""
    presets: list[Preset] = []
    problems: list[Problem] = []
    for name in preset_ids(resources):
        try:
            presets.append(_load(name, resources))
        except ProblemsFound as found:
            problems += found.problems
    if problems:
        raise ProblemsFound(problems)
    return tuple(presets)


def find_preset(resources: Resources, name: str, kind: PresetKind | None = None) -> Preset:
    """The preset of that id, of that kind where one is asked for; ProblemsFound for none or a broken one."""
    if resources.leaves_root(FOLDER, f"{name}{SUFFIX}") or any(
        is_folder(root / FOLDER / f"{name}{SUFFIX}") for root in resources.roots
    ):
        raise ProblemsFound([_not_in_folder(name)])
    if name not in preset_ids(resources):
        raise ProblemsFound([Problem(None, f"unknown preset '{name}'", did_you_mean(name, _of_kind(resources, kind)))])
    preset = _load(name, resources)
    if kind is not None and preset.kind != kind:
        what = f"the preset '{name}' is a {preset.kind}, not a {kind}"
        raise ProblemsFound([Problem(preset.place, what, did_you_mean("", _of_kind(resources, kind)))])
    return preset


def figure_place(resources: Resources, preset: Preset, *figure: str | int) -> Place | None:
    """Where a preset's file states a figure, for what proves wrong only when it is used."""
    path = resources.find(FOLDER, f"{preset.id}{SUFFIX}")
    if path is None:
        return preset.place
    shown = resources.shown(path)
    return Source(shown, read_yaml(path, shown)).place(*figure)


def _of_kind(resources: Resources, kind: PresetKind | None) -> Iterator[str]:
    """The ids of presets of a kind; files that can't be read are somebody else's worry."""
    for name in preset_ids(resources):
        try:
            if kind is None or _load(name, resources).kind == kind:
                yield name
        except ProblemsFound:
            continue


def _not_in_folder(name: str) -> Problem:
    what = f"the preset '{name}' lies outside {FOLDER}/, or is no file"
    return Problem(None, what, "copy the file into the folder")


def _load(name: str, resources: Resources) -> Preset:
    path = resources.find(FOLDER, f"{name}{SUFFIX}")
    if path is None:
        raise ProblemsFound([_not_in_folder(name)])
    shown = resources.shown(path)
    root = read_yaml(path, shown)
    source = Source(shown, root)
    problems = list(_told_at_sight(name, root, source))
    try:
        data = _validate(root, source)
    except ProblemsFound as found:
        raise ProblemsFound([*found.problems, *problems]) from found
    figures = tuple(_figures(data))
    made = {one.name: _frozen(getattr(data, one.name)) for one in fields_with_keys(PRESETS[data.kind])}
    made |= {"id": data.id, "unverified": _unconfirmed_figures(data, figures, source, problems), "place": Place(shown)}
    for figure in data.sources:
        if figure not in figures:
            what = f"'{figure}' has a source, but is no figure of this preset"
            problems.append(Problem(source.key_place("sources", figure), what, did_you_mean(figure, figures)))
    preset = PRESETS[data.kind](**{**made, **_BUILDERS[data.kind](data, source, problems)})
    if problems:
        raise ProblemsFound(problems)
    return preset


def _frozen(value: Any) -> Any:
    """A value of checked data as the model has it."""
    return (
        MappingProxyType(dict(value)) if isinstance(value, dict) else tuple(value) if isinstance(value, list) else value
    )


def _told_at_sight(name: str, root: Map, source: Source) -> Iterator[Problem]:
    """What is wrong whatever shape the rest of the file has: it is told together with that."""
    own, wanted = root.get("id"), name.rpartition("/")[2]
    if isinstance(own, str) and own != wanted:
        yield Problem(source.place("id"), f"the id '{own}' is not the file's name", f"write `id: {wanted}`")
    pattern = root.get("file")
    if root.get("kind") == "shop" and isinstance(pattern, str):
        for what, hint in _pattern_slips(pattern):
            yield Problem(source.place("file"), what, hint)


def _validate(root: Map, source: Source) -> Any:
    """The file in its kind's types; ProblemsFound with every finding about its shape."""
    kind = root.get("kind")
    if not isinstance(kind, str) or kind not in SCHEMAS:
        what = "'kind' is missing" if kind is None else f"unknown kind of preset {describe_value(kind)}"
        raise ProblemsFound([Problem(source.place("kind"), what, did_you_mean(str(kind or ""), SCHEMAS))])
    shape = SCHEMAS[kind]
    data, found = read(shape, root)
    problems = []
    for one in found:
        path, _ = places_path(one)
        place = source.key_place(*path) if one.kind == "unknown" else source.place(*path)
        if one.kind == "error":
            hint = getattr(one.limit, "hint", "") or "write a length as 3, 3.175 or 0.125in"
            problems.append(Problem(place, str(one.limit), hint))
        else:
            problems.append(Problem(place, *explain(one, shape)))
    if problems:
        raise ProblemsFound(problems)
    return data


def _figures(data: Said) -> Iterator[str]:
    """What the file claims of the world: every field that it sets, lists of things with ids one by one."""
    for name in vars(data):
        if name not in data.written or name in UNCLAIMED:
            continue
        value = getattr(data, name)
        ids = [getattr(entry, "id", None) for entry in value] if isinstance(value, list) else []
        if ids and all(ids):
            yield from (f"{name}.{each}" for each in ids)
        else:
            yield name


def _unconfirmed_figures(
    data: Any, figures: tuple[str, ...], source: Source, problems: list[Problem]
) -> tuple[str, ...]:
    """The figures that nobody has confirmed."""
    if isinstance(data.verified, bool):
        return () if data.verified else figures
    for number, name in enumerate(data.verified):
        if name not in figures and not any(figure.startswith(f"{name}.") for figure in figures):
            what = f"'{name}' is said to be verified, but is no figure of this preset"
            problems.append(Problem(source.place("verified", number), what, did_you_mean(name, figures)))
    sure = set(data.verified)
    return tuple(figure for figure in figures if figure not in sure and figure.partition(".")[0] not in sure)


def _shop(data: Any, source: Source, problems: list[Problem]) -> dict[str, Any]:
    """A print shop's files need names of their own, and its products room for what is printed."""
    lacking = "" if any(_pattern_slips(data.file)) else _lacking(data)
    if lacking:
        what = f"by the pattern '{data.file}' two files would have one name"
        problems.append(Problem(source.place("file"), what, f"put {{{lacking}}} into it"))
    ids = [product.id for product in data.products]
    for number, name in enumerate(ids):
        if name in ids[:number]:
            what = f"the id '{name}' is given twice"
            problems.append(Problem(source.place("products", number, "id"), what, "rename one of them"))
    return {"products": tuple(_product(product, data, n, source, problems) for n, product in enumerate(data.products))}


def _product(product: Any, shop: Any, number: int, source: Source, problems: list[Problem]) -> Product:
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
        what = f"{safe:g} mm kept free of text at each cut leave nothing of {product.id}, {narrow:g} mm wide"
        problems.append(Problem(place, what, "write a smaller `safe`"))
    if 2 * product.corner > narrow:
        what = f"corners of {product.corner:g} mm are rounder than {product.id}, {narrow:g} mm wide, can have"
        problems.append(Problem(source.place("products", number, "corner"), what, "write a smaller `corner`"))
    return Product(product.id, product.name, trim, full, safe, product.corner, pixels)


def _pattern_slips(pattern: str) -> Iterator[tuple[str, str]]:
    """(what, hint) of each name in a pattern that nobody can fill in."""
    return blank_slips("the pattern", pattern, NAME_FIELDS)


def _lacking(data: Any) -> str:
    """What a pattern must name besides, so that files differ; empty for nothing."""
    named = blanks(data.file)
    if data.upload == "pdf" and data.files == "product":
        return "" if "product" in named else "product"
    if "side" not in named:
        return "side"
    return "" if named & {"number", "design"} else "design"


_BUILDERS: Mapping[PresetKind, Build] = {
    "shop": _shop,
    "stock": stock,
    "sleeve": sleeves,
    "paper": paper,
    "pictures": pictures,
}
"""What each kind has that is not as its file writes it."""
