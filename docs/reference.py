"""Writes docs/reference.md and docs/sizes.md from the program's own tables: `make reference`."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from generator.base.geometry import CARD_SIZES, PAPER_SIZES, NamedSize
from generator.commands.schema import OF_EVERY_DESIGN
from generator.drawing.svg import vocabulary
from generator.drawing.svg.texts import SMALLEST
from generator.drawing.templates.functions import Budget
from generator.drawing.templates.sandbox import Sandbox
from generator.game import rich_text
from generator.game.data_shapes import REQUIRED, KeyedShape
from generator.game.fields import TYPES
from generator.game.schema import GAME, WORDS_SCHEMA

HERE = Path(__file__).parent

HEAD = """\
# Reference

Every key of the data, every element and attribute of templates and every mark of texts. `make reference` writes this
page from the program's own tables; a test holds it to them. An editor that knows YAML schemas tells the same while you
type.
"""

SIZES = """\
# Sizes

`size:` of a kind takes one of these names, `[width, height]` in mm, or one number for equal sides (a
square, a circle, a cube; of hexagons see [shapes](shapes.md)). `pnp presets --sizes` prints the list, `make reference`
writes this page from it.
"""

_TYPES: Mapping[str, str] = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "mapping",
    "null": "nothing",
}

_SMALLEST = ", ".join(f"`{role}` {points:g}" for role, points in SMALLEST.items() if role != "ruby")

ELEMENTS: Mapping[str, str] = {
    "svg": "the face, in mm from the corner where it is cut",
    "g": "several things together",
    "defs": "what is drawn only where a `<use>` shows it",
    "symbol": "a drawing of its own size, for `<use>`",
    "use": "shows an icon (`icon:wheat`), a drawing (`art/laurel.svg`) or what has an id (`#leaf`)",
    "rect": "a rectangle, with round corners by `rx`",
    "circle": "a circle",
    "ellipse": "an ellipse",
    "line": "a line",
    "polyline": "an open line through points",
    "polygon": "a closed line through points",
    "path": "any outline",
    "text": "one line of text",
    "textbox": "text that flows in a box and becomes smaller, down to `min-size`",
    "stamp": "where draft and hash are printed",
    "image": "a picture",
    "linearGradient": "a colour that turns into others along a line",
    "radialGradient": "a colour that turns into others from a middle",
    "stop": "a colour of a gradient",
    "clipPath": "an outline beyond which nothing shows",
    "title": "what a picture is called, for screen readers",
    "desc": "what a picture shows, for screen readers",
    "marker": "a sign on the ends and corners of lines",
    "mask": "lets things through where it is white",
    "style": "a style sheet: CSS selectors with properties of the elements above",
    "pattern": "a fill of repeated shapes",
    "filter": "an effect in steps: blur, shadow, colours",
    "textPath": "text along a path",
    "tspan": "a line of a text, as drawing programs write it",
    "metadata": "notes of drawing programs, which pnp ignores",
    "feGaussianBlur": "a filter step: blurs",
    "feOffset": "a filter step: moves its input",
    "feFlood": "a filter step: fills the filter's area with a colour",
    "feDropShadow": "a filter step: puts a blurred shadow behind its input",
    "feMerge": "a filter step: puts its inputs on top of each other, each in a `<feMergeNode>`",
    "feBlend": "a filter step: mixes two inputs, as in `multiply` or `screen`",
    "feComposite": "a filter step: keeps the part of an input that another one covers or leaves free",
    "feColorMatrix": "a filter step: changes colours, as to grey",
    "feComponentTransfer": "a filter step: changes each channel with a `<feFunc...>`",
    "feMorphology": "a filter step: makes its input thicker or thinner",
    "feTurbulence": "a filter step: makes clouds or grain",
    "feDisplacementMap": "a filter step: moves each pixel by the colours of another input",
    "feTile": "a filter step: repeats its input",
    "feMergeNode": "one input of a `<feMerge>`",
    "feFuncR": "how a `<feComponentTransfer>` changes red",
    "feFuncG": "how a `<feComponentTransfer>` changes green",
    "feFuncB": "how a `<feComponentTransfer>` changes blue",
    "feFuncA": "how a `<feComponentTransfer>` changes opacity",
}
"""What each element is for."""

ATTRIBUTES: Mapping[str, str] = {
    "data-role": "what a thing is, for the checks: `ground`, `art`, `frame`, `text` or `icon`",
    "data-space": "of a `<g>`: the space for pieces that it paints; `data-holds` how many, `data-pile` any number",
    "fit": "of a picture: `contain` (all of it), `cover` (the box is full) or `stretch`",
    "focus": "of a covering picture: the point that stays in view, `30% 20%` or `top left`",
    "hyphenate": "whether words may be parted: `yes` or `no`",
    "lang": "the language whose fonts and rules set the text",
    "line-height": "from line to line, in sizes of the type",
    "min-size": "the smallest type to which a textbox may shrink",
    "phrases": "whether lines break between phrases only, in Japanese and Chinese: `yes` or `no`",
    "text-align": "along the line: `start`, `middle`, `end` or `justify`",
    "text-role": f"what the text is, with its least size in points: {_SMALLEST}",
    "text-wrap": "`phrase`: for titles, broken between phrases",
    "valign": "across the lines: `top`, `middle` or `bottom`",
    "writing-mode": "`vertical-rl`: in columns from right to left",
}
"""Attributes that SVG has not, or reads otherwise."""

BAR = r"\|"
"""A bar in the cell of a table."""


def reference() -> str:
    """The text of docs/reference.md."""
    parts = [HEAD, *_data(), _designs(), _templates(), _marks()]
    return "\n".join(parts)


def sizes() -> str:
    """The text of docs/sizes.md."""
    cards = _table(("name", "mm", "who uses it"), map(_size, CARD_SIZES.values()))
    papers = _table(("name", "mm", "what it is"), map(_size, PAPER_SIZES.values()))
    return f"{SIZES}\n{cards}\n## Paper\n\n`--paper` takes one of these names, or `210x297mm`.\n\n{papers}"


def _size(named: NamedSize) -> tuple[str, str, str]:
    return f"`{named.name}`", f"{named.size.width:g} x {named.size.height:g}", named.note


def _data() -> Iterator[str]:
    """A table for each mapping with keys of its own, in the order in which they are met."""
    yield "## Data\n\nAny section can be in any file of `data/<game>/`. Those marked * are required.\n"
    defined: dict[str, Any] = {}
    whole = GAME.full_json_schema(defined)
    homes = dict(_homes(whole, defined, "", set()))
    yield _keys(GAME, whole, homes)
    for name, path in homes.items():
        told = defined[name]
        schema = next((one for one in told.get("anyOf", [told]) if "properties" in one), told)
        about = schema.get("description", "").rstrip(".")
        yield f"### {_title(path)}\n\n{about}.\n" if about else f"### {_title(path)}\n"
        yield _keys(_shape_at(name), schema, homes)


def _title(path: str) -> str:
    return f"`{path}`"


def _homes(told: Any, defined: Mapping[str, Any], path: str, known: set[str]) -> Iterator[tuple[str, str]]:
    """The name of each mapping and the first path at which it stands: `components.NAME.spaces[]`."""
    if isinstance(told, list):
        for part in told:
            yield from _homes(part, defined, path, known)
        return
    if not isinstance(told, dict):
        return
    name = told.get("$ref", "").rpartition("/")[2]
    if name and name not in known:
        known.add(name)
        yield name, path
        yield from _homes(defined[name], defined, path, known)
    for key, part in told.get("properties", {}).items():
        yield from _homes(part, defined, f"{path}.{key}".strip("."), known)
    for part in (told.get("additionalProperties"), *told.get("patternProperties", {}).values()):
        yield from _homes(part, defined, f"{path}.NAME", known)
    yield from _homes(told.get("items"), defined, f"{path}[]", known)
    yield from _homes(told.get("anyOf"), defined, path, known)


def _shape_at(name: str) -> KeyedShape:
    """The shape that is called so, anywhere below the whole."""
    waiting: list[Any] = [GAME]
    while waiting:
        shape = waiting.pop()
        if isinstance(shape, KeyedShape):
            if shape.name == name:
                return shape
            waiting += [entry.shape for entry in shape.entries.values()]
        elif isinstance(shape, dict):
            waiting += shape.values()
        else:
            waiting += [part for part in getattr(shape, "__dict__", {}).values() if hasattr(part, "json_schema")]
    raise KeyError(name)


def _keys(shape: KeyedShape, schema: Mapping[str, Any], homes: Mapping[str, str]) -> str:
    rows = []
    for key, told in schema["properties"].items():
        needed = shape.entries[key].default is REQUIRED
        rows.append((f"`{key}`" + (" *" if needed else ""), _takes(told, homes), described(told)))
    starred = "\n\\* required\n" if any(row[0].endswith("*") for row in rows) else ""
    return _table(("key", "takes", "what it is"), rows) + starred


def described(told: Mapping[str, Any]) -> str:
    """What is told of a key, from its schema."""
    found: str = told.get("description", "")
    return found


def _group(takes: str) -> str:
    """The same in brackets if it names several."""
    return f"({takes})" if " or " in takes else takes


def _takes(told: Any, homes: Mapping[str, str]) -> str:
    """What a value looks like, in words."""
    if not isinstance(told, dict) or not told:
        return "anything"
    if "$ref" in told:
        path = homes[told["$ref"].rpartition("/")[2]]
        return f"[{path}](#{''.join(c for c in path.lower() if c.isalnum() or c in '_-')})"
    if told.get("anyOf") == WORDS_SCHEMA["anyOf"]:
        return "text in each language"
    if "anyOf" in told:
        found = list(dict.fromkeys(_takes(part, homes) for part in told["anyOf"] if part.get("type") != "null"))
        return " or ".join(found)
    if "enum" in told:
        names = [f"`{name}`" for name in told["enum"] if name]
        return " ".join(names) if len(names) < 9 else "a [named size](sizes.md)"
    kind = told.get("type", "")
    if isinstance(kind, list):
        return " or ".join(_TYPES[one] for one in kind)
    if kind == "array":
        return f"list of {_group(_takes(told.get('items'), homes))}"
    if kind == "object":
        entries = told.get("additionalProperties") or next(iter(told.get("patternProperties", {}).values()), None)
        return f"names, each with {_group(_takes(entries, homes))}" if isinstance(entries, dict) else "mapping"
    limits = [f"{sign} {told[name]:g}" for name, sign in (("minimum", "≥"), ("maximum", "≤")) if name in told]
    return " ".join([_TYPES.get(kind, "anything"), *limits])


def _designs() -> str:
    always = [(f"`{key}`", _takes(told, {}), described(told)) for key, told in OF_EVERY_DESIGN.items()]
    types = ", ".join(f"`{name}`" for name in TYPES)
    told = f"### A design\n\nBeside these a design has the fields that its kind declares. Types of fields: {types}.\n\n"
    return told + _table(("key", "takes", "what it is"), always)


def _templates() -> str:
    tags: Mapping[str, frozenset[str]] = vocabulary.OF_TEMPLATES
    common = frozenset.intersection(*(tags[tag] for tag in ("g", *sorted(vocabulary.SHAPES))))
    rows = []
    for tag, names in tags.items():
        own = [f"`{name}`" for name in sorted(names - common)]
        everywhere = ["all of the above"] if common <= names else [f"`{name}`" for name in sorted(names & common)]
        rows.append((f"`<{tag}>`", ELEMENTS[tag], ", ".join([*own, *everywhere])))
    called = ", ".join(f"`{name}`" for name in sorted(Sandbox(Budget()).globals))
    return (
        "## Templates\n\nSVG, filled in by Jinja2; [templates](templates.md) says how. These attributes are understood "
        f"by nearly all elements:\n{', '.join(f'`{name}`' for name in sorted(common))}.\n\n"
        f"{_table(('element', 'what it is', 'attributes'), rows)}\n"
        "What attributes mean is SVG's affair but for these:\n\n"
        f"{_table(('attribute', 'what it says'), ((f'`{name}`', about) for name, about in ATTRIBUTES.items()))}\n"
        f"Functions: {called}.\n"
    )


def _marks() -> str:
    """The marks that docs/data.md shows, and those of the program's tables that it doesn't."""
    shown = (HERE / "data.md").read_text(encoding="utf-8").partition("## Texts")[2].partition("| written |")[2]
    table = f"| written |{shown}".partition("\n\n")[0].rstrip() + "\n"
    tables = {f"{{{name}:text}}": name for name in getattr(rich_text, "MARKS", ())}
    tables |= {written: name for name, written in getattr(rich_text, "VALUED", {}).items()}
    rest = [(f"`{written}`", name) for written, name in tables.items() if f"{{{name}" not in table]
    return f"## Marks in texts\n\n{table}" + "".join(f"| {mark} | {name} |\n" for mark, name in rest)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', BAR) for cell in cells)} |\n" for cells in lines)


def main() -> None:
    """Write the pages."""
    for name, text in (("reference.md", reference()), ("sizes.md", sizes())):
        (HERE / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
