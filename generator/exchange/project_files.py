"""Files of an imported project: data in YAML, simple templates, and the report IMPORT.md."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from generator.base.errors import join_first_words, join_lines
from generator.base.geometry import format_num
from generator.exchange.foreign_project import FoundProject
from generator.exchange.foreign_tables import FoundField, FoundKind
from generator.exchange.layout_templates import escape_words, iter_composed_pictures, write_layout
from generator.game.rich_text import escape_markup
from generator.game.table_header import quote_heading

GROUNDS = ("#2f5d73", "#7a4b2f", "#4f6b3a", "#6a3f63", "#8a6d1f", "#3d4a86")
"""Background colours for the templates of imported kinds, used in turn."""

_CHIP = 8
"""Values of up to this many characters are placed side by side below the title."""

_MOST_CHIPS, _MOST_PICTURES = 4, 4

NO_GLYPH = "no_glyph"
"""Name of the icon that replaces characters which no font has."""

NO_GLYPH_ART = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">
<path d="M1 0.5h6v7h-6zM1 0.5l6 7M7 0.5l-6 7" fill="none" stroke="black" stroke-width="0.6"/>
</svg>
"""


@dataclass(frozen=True, slots=True)
class FirstFace:
    """How the template of an imported kind is written: its smallest type size (points), and fields that don't fit.

    `hidden` are the lines of a layout's template whose items can't be drawn. Without `laid_out`, no layout is used.
    """

    least: float = 6.5
    without: tuple[str, ...] = ()
    hidden: tuple[int, ...] = ()
    laid_out: bool = True


@dataclass(frozen=True, slots=True)
class ImportedGame:
    """A project to be written: the game's name and language, what was found, and the kinds.

    `unset` are the characters that no bundled font has.
    """

    game: str
    lang: str
    found: FoundProject
    kinds: Sequence[FoundKind]
    faces: dict[str, FirstFace] = field(default_factory=dict)
    unset: Sequence[str] = ()


def write_components(taken: ImportedGame) -> str:
    """Return the file components.yaml."""
    return "\n".join(_iter_components(taken)) + "\n"


def _iter_components(taken: ImportedGame) -> Iterator[str]:
    yield "# yaml-language-server: $schema=schema.json"
    yield f"# Brought in from {taken.found.program} by `pnp import`; the tables next to this file are unchanged."
    yield "# IMPORT.md in the project folder lists what could not be imported. docs/spreadsheets.md explains tables."
    yield ""
    yield "palette:"
    yield '  paper: "#fbf8f1"'
    yield '  shade: "#e8e1d1"'
    for number, kind in enumerate(taken.kinds):
        yield f'  {_ground_name(kind)}: "{GROUNDS[number % len(GROUNDS)]}"'
    files = {
        value if kind.deck.table.marked else escape_markup(value): path
        for kind in taken.kinds
        for one in kind.fields
        if one.type == "text"
        for value, path in one.shows.items()
    } | {value: path for kind in taken.kinds for value, path in iter_composed_pictures(kind, taken.found)}
    if files:
        yield ""
        yield "words:"
        yield "  files:                         # the picture that is meant by what stands in a cell"
        for value, path in files.items():
            yield f"    {_quote_text(value)}: {_quote_text(path)}"
    yield ""
    if taken.unset:
        yield "icons:                           # shows characters that no font has: add a font, then remove them here"
        yield f"  {NO_GLYPH}: {{name: No glyph, emoji: {_quote_text(list(taken.unset))}}}"
        yield ""
    yield "components:"
    for kind in taken.kinds:
        yield from _iter_kind(kind, taken.game)


def _iter_kind(kind: FoundKind, game: str) -> Iterator[str]:
    size, table = kind.deck.size, kind.deck.table
    yield f"  {kind.id}:"
    yield f"    name:  {_quote_text(kind.deck.name)}"
    yield f"    size:  [{format_num(size.width)}, {format_num(size.height)}]       # mm, as it is cut"
    if min(size.width, size.height) < 40:
        yield "    safe:  1.5"
        yield "    corner: 1"
    yield f"    front: {kind.id}               # templates/{game}/{kind.id}.svg"
    yield "    fields:" + ("" if kind.fields else " {}")
    for one in kind.fields:
        more = f", folder: {_quote_text(one.folder)}" if one.folder else ""
        more += ", optional: true" if one.optional else ""
        if one.type == "text" and not table.marked:
            more += ", plain: true"
        yield f"      {one.name}: {{type: {one.type}{more}}}" if more else f"      {one.name}: {one.type}"
    if kind.columns:
        inside = ", ".join(f"{quote_heading(heading)}: {name}" for heading, name in kind.columns.items())
        yield f"    columns: {{{inside}}}"
    if kind.ignore:
        yield f"    ignore: [{', '.join(map(quote_heading, kind.ignore))}]"
    if kind.id_from:
        yield f"    id_from: {_quote_text(kind.id_from)}"
    yield f"    designs: {_quote_text(kind.file + (f':{table.sheet}' if table.sheet else ''))}"


def write_template(kind: FoundKind, face: FirstFace, found: FoundProject) -> str:
    """Return a kind's SVG template: its layout, or its name, numbers, pictures, and texts, as `face` has them."""
    if kind.deck.layout is not None and face.laid_out:
        return write_layout(kind, kind.deck.layout, face.least, face.hidden, found)
    return "\n".join(_iter_template(kind, face)) + "\n"


def _iter_template(kind: FoundKind, face: FirstFace) -> Iterator[str]:
    size = kind.deck.size
    edge = 4.0 if min(size.width, size.height) >= 40 else 2.0
    wide, ground = round(size.width - 2 * edge, 2), _ground_name(kind)
    fields = [one for one in kind.fields if one.name not in face.without]
    title = next((one for one in fields if one.name == kind.title), None)
    shown = [one for one in fields if one.shows][:_MOST_PICTURES]
    rest = [one for one in fields if one is not title and one not in shown]
    chips = [one for one in rest if one.longest <= _CHIP and len(one.heading) <= 2 * _CHIP][:_MOST_CHIPS]
    texts = [one for one in rest if one not in chips]
    yield "{# A first face: every field of the table can be read on it. Change it into your own (docs/templates.md). #}"
    yield '<svg xmlns="http://www.w3.org/2000/svg">'
    box = 'x="{{ -bleed }}" y="{{ -bleed }}" width="{{ width + 2 * bleed }}"'
    yield f'<rect {box} height="{{{{ height + 2 * bleed }}}}" fill="paper" data-role="ground"/>'
    y = edge
    if title is not None:
        high, role = round(max(6.0, 0.11 * size.height), 2), "label" if face.least < 6.5 else "title"
        yield f'<rect {box} height="{{{{ bleed + {format_num(y + high)} }}}}" fill="{ground}" data-role="ground"/>'
        at = f'x="{format_num(edge)}" y="{format_num(y)}" width="{format_num(wide)}" height="{format_num(high - 1)}"'
        yield (
            f'<textbox {at} font-family="title" font-size="13pt" min-size="{format_num(min(6.5, face.least))}pt" '
            f'valign="middle" text-role="{role}" fill="paper">{_write_value(title)}</textbox>'
        )
        y = round(y + high + 1.5, 2)
    if chips:
        step = round(wide / len(chips), 2)
        for number, one in enumerate(chips):
            x = round(edge + number * step, 2)
            plate, inner = (format_num(round(step - less, 2)) for less in (1, 2.2))
            yield f'<rect x="{format_num(x)}" y="{format_num(y)}" width="{plate}" height="8.5" rx="1" fill="shade"/>'
            at = f'x="{format_num(x + 0.6)}" width="{inner}"'
            smallest = 'min-size="4pt" text-role="label" fill="ink"'
            yield (
                f'<textbox {at} y="{format_num(y + 0.5)}" height="2.6" font-family="body" font-size="5pt" '
                f"{smallest}>{escape_words(one.heading)}</textbox>"
            )
            yield (
                f'<textbox {at} y="{format_num(y + 3)}" height="5" font-family="body" font-weight="bold" '
                f'font-size="10pt" {smallest}>{_wrap_optional(one, _write_value(one))}</textbox>'
            )
        y = round(y + 10, 2)
    bottom = size.height - edge - 2.5
    if shown:
        high, step = round((bottom - y) * (0.5 if texts else 1.0), 2), round(wide / len(shown), 2)
        for number, one in enumerate(shown):
            left, width = format_num(round(edge + number * step, 2)), format_num(round(step - 0.5, 2))
            yield _write_picture(one, f'x="{left}" y="{format_num(y)}" width="{width}" height="{format_num(high)}"')
        y = round(y + high + 1.5, 2)
    if texts:
        left, top, width, height = map(format_num, (edge, y, wide, round(bottom - y, 2)))
        at = f'x="{left}" y="{top}" width="{width}" height="{height}"'
        values = ((one, f"**{escape_words(one.heading)}:** {_write_value(one)}&#10;") for one in texts)
        lines = "".join(_wrap_optional(one, value) for one, value in values)
        yield (
            f'<textbox {at} font-family="body" font-size="9pt" min-size="{format_num(face.least)}pt" '
            f'text-role="{"label" if face.least < 6.5 else "rule"}" fill="ink">{lines}</textbox>'
        )
    foot = format_num(round(size.height - edge + 1, 2))
    yield f'<stamp x="{format_num(edge)}" y="{foot}" font-size="4pt" text-anchor="start" fill="ink"/>'
    yield "</svg>"


def _write_picture(one: FoundField, place: str) -> str:
    value = f"card.{one.name}"
    test, path = (value, value) if one.type == "picture" else (f"{value} in words.files", f"words.files[{value}]")
    return f'{{% if {test} %}}<image href="{{{{ {path} }}}}" {place} fit="contain"/>{{% endif %}}'


def _write_value(one: FoundField) -> str:
    return f"{{{{ card.{one.name} }}}}"


def _wrap_optional(one: FoundField, text: str) -> str:
    return f"{{% if card.{one.name} is not none %}}{text}{{% endif %}}" if one.optional else text


def write_import_report(taken: ImportedGame, lines: Sequence[str]) -> str:
    """Return IMPORT.md: the imported kinds and pictures, and `lines` about what was not, each with file and line."""
    found = taken.found
    said = [
        "# What came over", "",
        f"Read as: {found.program}. Nothing of it was run; the tables are copied as they were.", "",
        "| kind | table | size in mm | fields |", "|---|---|---|---|",
    ]  # fmt: skip
    for kind in taken.kinds:
        size = f"{format_num(kind.deck.size.width)} x {format_num(kind.deck.size.height)}"
        names = ", ".join(one.name for one in kind.fields)
        said.append(f"| `{kind.id}` | `{kind.deck.table.file}` | {size} | {names} |")
    said += ["", f"Pictures: {len(found.pictures)}, below `templates/{taken.game}/`.", "", "# What did not", ""]
    said += [f"- {line}" for line in lines] or ["Nothing was found that did not."]
    return join_lines(said)


def format_unset(signs: Iterable[str]) -> str:
    """Return up to twelve characters with their code points, and how many more there are."""
    return join_first_words([f"'{sign}' (U+{ord(sign):04X})" for sign in sorted(signs)], 12)


def _ground_name(kind: FoundKind) -> str:
    return f"{kind.id}_ground"


def _quote_text(text: str | list[str]) -> str:
    return json.dumps(text, ensure_ascii=False)
