"""The command `presets`: all presets as text or JSON."""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from generator.base.errors import join_lines
from generator.base.files import Resources
from generator.base.geometry import CARD_SIZES, Size, parse_mm
from generator.commands.command_line import say_text
from generator.commands.options import FORMAT, PROJECT
from generator.game.preset_files import load_presets
from generator.game.presets import CutterMark, PictureSize, Preset, Product, Sleeves, SleeveSize
from generator.game.project import find_resources

_COMMON = frozenset(field.name for field in fields(Preset))
_HEADS = {
    "shop": "Print shops", "stock": "Perforated stock", "sleeve": "Sleeves", "paper": "Papers",
    "pictures": "Pictures for shop pages", "costs": "Costs of printing",
    "cutter": "Cutting machines",
}  # fmt: skip
_INDENT = "    "


@click.command()
@click.option("--kind", type=click.Choice(list(_HEADS)), help="Kind of preset to list (default: all).")
@FORMAT
@click.option("--fits", metavar="SIZE", help="List only sleeves for this card size, such as 63x88 or us-poker.")
@click.option("--sizes", is_flag=True, help="List the names for `size:` with their measures in mm, and no presets.")
@PROJECT
@click.pass_obj
def presets(obj: Path | None, /, **options: Any) -> None:
    """List papers, perforated stock, sleeves and print shops.

    Each entry shows its measures, its sources and what is unconfirmed.
    """
    if options["sizes"]:
        if options["kind"] or options["fits"] is not None or options["form"] != "text":
            raise click.UsageError("--sizes lists the names of sizes, as text; leave --kind, --fits and --format out")
        say_text(list_sizes())
        return
    card = _parse_card_size(options["fits"]) if options["fits"] is not None else None
    if card and (options["kind"] not in (None, "sleeve") or options["form"] != "text"):
        raise click.UsageError("--fits lists sleeves, as text; leave --kind and --format out")
    resources = find_resources(Path.cwd(), options["project"] or obj)
    if card:
        say_text(list_fitting_sleeves(resources, card))
        return
    say_text(list_presets(resources, options["kind"], options["form"]))


def _parse_card_size(text: str) -> Size:
    """Parse a card size: a name, or width x height, in mm by default. Raise BadParameter for anything else."""
    if text in CARD_SIZES:
        return CARD_SIZES[text].size
    try:
        width, height = (parse_mm(side) for side in text.lower().replace("×", "x").split("x"))
    except ValueError as error:
        raise click.BadParameter(
            f"'{text}' is not a size; write 63x88, or a name such as us-poker", param_hint="--fits"
        ) from error
    if not (0 < width < math.inf and 0 < height < math.inf):
        raise click.BadParameter("width and height must be more than 0 mm", param_hint="--fits")
    return Size(width, height)


def list_presets(resources: Resources, kind: str | None, form: str) -> str:
    """Return the presets of a kind (all if None) as text or JSON. Raise ProblemsFound if any file is broken."""
    presets = [preset for preset in load_presets(resources) if kind is None or preset.kind == kind]
    if form == "json":
        data = {"format": 1, "presets": [_preset_data(preset) for preset in presets]}
        return json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    lines = []
    for kind_id, head in _HEADS.items():
        of_kind = [preset for preset in presets if preset.kind == kind_id]
        lines += [head] if of_kind else []
        lines += [line for preset in of_kind for line in _describe_preset(preset)]
    return join_lines(lines)


def list_sizes() -> str:
    """Return the named card sizes, one per line, with who uses each."""
    wide = max(map(len, CARD_SIZES))
    return "".join(
        f"{name:{wide}}  {f'{named.size.width:g} x {named.size.height:g} mm':<18} {named.note}\n"
        for name, named in CARD_SIZES.items()
    )


def list_fitting_sleeves(resources: Resources, card: Size) -> str:
    """Return the sleeves that fit a card of this size, the tightest first, with the play in each."""
    lines = []
    for table in (preset for preset in load_presets(resources) if isinstance(preset, Sleeves)):
        lines += [f"{_figure_text(card)}: no sleeve of {table.id} fits"] if not table.find_fitting(card) else []
        for sleeve in table.find_fitting(card):
            across, down = sleeve.inner.width - card.width, sleeve.inner.height - card.height
            inside = f"{_figure_text(sleeve.inner)} inside, {across:.3g} and {down:.3g} mm of play"
            lines.append(f"{table.id}/{sleeve.id}: {sleeve.name}, {inside}")
        if table.unverified:
            lines.append(f"{_INDENT}unverified: {table.note or table.source}")
    return join_lines(lines)


def _describe_preset(preset: Preset) -> Iterator[str]:
    yield f"  {preset.id}: {preset.name}"
    figures = {name: value for name, value in _preset_figures(preset).items() if _figure_text(value)}
    plain = [f"{name} {_figure_text(value)}" for name, value in figures.items() if not _has_own_lines(value)]
    if plain:
        yield f"{_INDENT}{', '.join(plain)}"
    for value in figures.values():
        if _has_own_lines(value):
            yield from (f"{_INDENT}- {_figure_text(entry)}" for entry in value)
    yield f"{_INDENT}source: {preset.source} ({preset.date})"
    yield from (f"{_INDENT}source of {name}: {source}" for name, source in preset.sources.items())
    if preset.unverified:
        yield f"{_INDENT}unverified: {', '.join(preset.unverified)}"
    if preset.note:
        yield f"{_INDENT}note: {preset.note}"


def _preset_figures(preset: Preset) -> dict[str, Any]:
    """Return the fields that only this type of preset has, by name."""
    return {field.name: getattr(preset, field.name) for field in fields(preset) if field.name not in _COMMON}


def _has_own_lines(value: Any) -> bool:
    """Return True for a list of records, such as a shop's products: each record is printed on its own line."""
    return isinstance(value, tuple) and bool(value) and not isinstance(value[0], (str, int, float))


def _figure_text(value: Any) -> str:
    """Return a value as text, or an empty string if there is nothing to show."""
    if isinstance(value, bool):
        return "yes" if value else ""
    if value is None or value in ("", ()):
        return ""
    if isinstance(value, Size):
        return f"{value.width:g} x {value.height:g} mm"
    if isinstance(value, Product):
        pixels = f", {value.pixels[0]} x {value.pixels[1]} pixels" if value.pixels else ""
        return f"{value.id}: {_figure_text(value.trim)}, with bleed {_figure_text(value.full)}{pixels} ({value.name})"
    if isinstance(value, PictureSize):
        title = " with the title" if value.titled else ""
        return f"{value.id}: {value.pixels[0]} x {value.pixels[1]} pixels, {value.scene}{title} ({value.name})"
    if isinstance(value, SleeveSize):
        return f"{value.id}: {_figure_text(value.inner)} inside, for {', '.join(value.cards)} ({value.name})"
    if isinstance(value, CutterMark):
        return f"{value.corner}: {', '.join(f'{x:g} {y:g}' for x, y in value.points)}"
    if isinstance(value, tuple):
        return " ".join(map(_figure_text, value))
    return f"{value:g}" if isinstance(value, (int, float)) else str(value)


def _preset_data(preset: Preset) -> Mapping[str, Any]:
    common = {
        "id": preset.id, "kind": preset.kind, "name": preset.name, "source": preset.source, "date": preset.date,
        "unverified": list(preset.unverified), "sources": dict(preset.sources), "note": preset.note,
    }  # fmt: skip
    return common | {"figures": {name: _to_json(value) for name, value in _preset_figures(preset).items()}}


def _to_json(value: Any) -> Any:
    """Return a value as JSON stores it. A size becomes [width, height] in mm."""
    if isinstance(value, Size):
        return [value.width, value.height]
    if isinstance(value, (tuple, list)):
        return [_to_json(entry) for entry in value]
    if hasattr(value, "__dataclass_fields__"):
        return {field.name: _to_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _to_json(entry) for key, entry in value.items()}
    return value
