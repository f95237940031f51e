"""Templates of imported layouts: each item on a line of its own, with the fields of the kind in place of columns."""

import json
import re
from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from generator.base.errors import InvalidInput, did_you_mean
from generator.base.geometry import MM_PER_PT, Rect, format_num
from generator.base.picture_files import check_picture_bytes
from generator.exchange.foreign_project import FoundLayout, FoundProject, HeadedColumn, LaidItem, find_bundled_font
from generator.exchange.foreign_tables import FoundField, FoundKind, find_picture
from generator.game.data_fields import id_from_text
from generator.game.rich_text import escape_markup
from generator.game.table_header import fold_heading

_OWN_FAMILIES = ("body", "title", "book", "book-titles")
_SMALLEST_TYPE = 4.0
"""Smallest size of type (points) that a label may have."""

_LEADING = 1.4
"""Height of a line, with room for its accents, in sizes of the type."""

_ABOVE = 0.2
"""Room that other programs leave above the capitals of the first line, in sizes of the type."""

_BLEED, _NEAR = 3.0, 0.05
"""The usual bleed, and the distance from the edge of the card that counts as none (mm)."""

_MOST_PARTS = 4
"""Largest number of words and columns in the path of a picture."""

FIRST_LINE = 3
"""The line of a template with the first item. Each item is one line."""


def write_fonts(foreign: FoundProject, lang: str) -> str:
    """Return the families of all layouts for look.yaml, and note where the files of the original fonts go."""
    families = dict[str, str]()
    for layout in filter(None, (deck.layout for deck in foreign.decks)):
        for item in layout.items:
            family = _name_family(item.family)
            if item.tag not in ("text", "place") or family in families:
                continue
            called, cuts = find_bundled_font(item.family, lang)
            head = f"  {family}:  # instead of {json.dumps(item.family)}\n    {lang}:\n"
            families[family] = head + "".join(f"      {cut}\n" for cut in cuts)
            if fold_heading(called) != fold_heading(item.family):
                what = f"the font '{item.family}' is {called} now; put its files into fonts/ and name them under"
                foreign.leave_out(layout.file, item.line, f"{what} `{family}:` in look.yaml")
    return "".join(families.values())


def _name_family(name: str) -> str:
    plain = id_from_text(name[:60]) or "font"
    return f"font-{plain}" if plain in _OWN_FAMILIES or not plain[0].isalpha() else plain


def write_layout(
    kind: FoundKind, layout: FoundLayout, least: float, hidden: tuple[int, ...], foreign: FoundProject
) -> str:
    """Return the template of a kind with a layout. Leave out the items on the lines `hidden`. Note what is missing.

    Texts may shrink to `least` points.
    """
    writer, file = _LayoutWriter(kind, layout, least, foreign), layout.file.replace("#", "")
    lines = [
        f"{{# The layout of {file}: x, y, width and height are in mm (docs/templates.md). #}}",
        '<svg xmlns="http://www.w3.org/2000/svg">',
    ]
    for item in layout.items:
        drawn = "" if len(lines) + 1 in hidden else writer.write_item(item)
        lines.append(drawn or f"{{# nothing: line {item.line} of {file} #}}")
    return "\n".join([*lines, "</svg>", ""])


def iter_composed_pictures(kind: FoundKind, foreign: FoundProject) -> Iterator[tuple[str, str]]:
    """Yield the pictures that a path with columns (`art/@[id].png`) can mean: that path in lower case, full path."""
    for item in kind.deck.layout.items if kind.deck.layout else ():
        if item.tag == "picture" and 1 < len(item.parts) <= _MOST_PARTS:
            pattern = "".join(
                "[^/]{1,60}" if isinstance(one, HeadedColumn) else re.escape(_fold(one)) for one in item.parts
            )
            found = ((re.search(f"(?:^|/)({pattern})$", path.casefold()), path) for path in foreign.pictures)
            yield from ((match[1], path) for match, path in found if match)


def _fold(path: str) -> str:
    return path.replace("\\", "/").casefold()


class _LayoutWriter:
    """Writes the items of one layout."""

    def __init__(self, kind: FoundKind, layout: FoundLayout, least: float, foreign: FoundProject):
        self._kind, self._layout, self._least, self._foreign = kind, layout, least, foreign
        self._fields = {fold_heading(one.heading): one for one in kind.fields}
        self._counts = {fold_heading(heading) for heading, name in kind.columns.items() if name == "count"}
        self._card = Rect(0, 0, kind.deck.size.width, kind.deck.size.height)
        self._composed = dict(iter_composed_pictures(kind, foreign))

    def write_item(self, item: LaidItem) -> str:
        """Return the item's line, or an empty text if it shows nothing."""
        box, plain = item.box, item.stroke == "none" and not item.turn
        field = self._find_own(item.parts[0]) if len(item.parts) == 1 else None
        if item.tag == "ground" or (item.tag == "rect" and plain and box.contains(self._card, _NEAR)):
            bled = 'x="{{ -bleed }}" y="{{ -bleed }}" width="{{ width + 2 * bleed }}" height="{{ height + 2 * bleed }}"'
            drawn = f'<rect {bled} fill="{self._write_colour(item, item.fill)}" data-role="ground"/>'
        elif item.tag == "picture" or (item.tag == "place" and field is not None and field.shows):
            drawn = self._write_picture(item)
        elif item.tag in ("text", "place"):
            drawn = self._write_text(item) if item.tag == "text" or field is not None else ""
        elif item.tag == "line":
            ends = _write_numbers(x1=box.x, y1=box.y, x2=box.right, y2=box.bottom)
            drawn = f"<line {ends} {self._write_paint(item)}/>"
        elif item.tag == "ellipse":
            x, y = box.width / 2, box.height / 2
            drawn = f"<ellipse {_write_numbers(cx=box.x + x, cy=box.y + y, rx=x, ry=y)} {self._write_paint(item)}/>"
        else:
            corner = f" {_write_numbers(rx=min(item.radius, box.width / 2, box.height / 2))}" if item.radius > 0 else ""
            drawn = f"<rect {_write_box(self._extend(box) if plain else box)}{corner} {self._write_paint(item)}/>"
        if not drawn or not item.cards or any(a <= 1 and b >= self._kind.rows for a, b in item.cards):
            return drawn
        if self._kind.deck.counts:
            self._note(item, "its cards are rows of the table here, where copies are not counted")
        ids = "card.id in kind.designs[{}:{}] | map(attribute='id') | list"
        test = " or ".join(ids.format(max(a - 1, 0), min(b, self._kind.rows)) for a, b in item.cards)
        return f"{{% if {test} %}}{drawn}{{% endif %}}"

    def _note(self, item: LaidItem, what: str) -> None:
        self._foreign.leave_out(self._layout.file, item.line, what)

    def _extend(self, box: Rect) -> Rect:
        """Return a box whose sides on the edge of the card are moved to the bleed."""
        left, top = (-_BLEED if abs(side) < _NEAR else side for side in (box.x, box.y))
        right = box.right + _BLEED if abs(box.right - self._card.right) < _NEAR else box.right
        bottom = box.bottom + _BLEED if abs(box.bottom - self._card.bottom) < _NEAR else box.bottom
        return Rect(left, top, right - left, bottom - top)

    def _find_own(self, part: object) -> FoundField | None:
        return self._fields.get(fold_heading(part.heading)) if isinstance(part, HeadedColumn) else None

    def _name_column(self, item: LaidItem, column: HeadedColumn) -> str:
        """Return the template's name of a column; empty if no card has a value there, or if there is no such column."""
        if field := self._find_own(column):
            return f"card.{field.name}"
        folded = fold_heading(column.heading)
        if folded in self._counts:
            return "card.count"
        if folded not in map(fold_heading, self._kind.ignore):
            hint = did_you_mean(column.heading, [one.heading for one in self._kind.fields])
            self._note(item, f"the table '{self._kind.deck.table.file}' has no column '{column.heading}'; {hint}")
        return ""

    def _write_colour(self, item: LaidItem, colour: str) -> str:
        name = self._name_column(item, HeadedColumn(colour[1:-1])) if colour.startswith("[") else ""
        return f"{{{{ {name} or 'ink' }}}}" if name else "ink" if colour.startswith("[") else colour

    def _write_words(self, item: LaidItem) -> Iterator[str]:
        for part in item.parts:
            if isinstance(part, str):
                for n, piece in enumerate(
                    re.split("(" + ("|".join(re.escape(old) for old, _ in item.swaps) or "(?!)") + ")", part)
                ):
                    yield dict(item.swaps).get(piece, "").replace("\n", "&#10;") if n % 2 else escape_words(piece)
            elif name := self._name_column(item, part):
                field, marked = self._find_own(part), self._kind.deck.table.marked
                swaps = [(old if marked else escape_markup(old), new) for old, new in item.swaps]
                swapped = "".join(f" | replace({_quote(old)}, {_quote(new)})" for old, new in swaps)
                text = f"{{{{ {name}{swapped if field and field.type == 'text' else ''} }}}}"
                yield f"{{% if {name} is not none %}}{text}{{% endif %}}" if field and field.optional else text

    def _write_paint(self, item: LaidItem) -> str:
        fill, stroke = (self._write_colour(item, colour) for colour in (item.fill, item.stroke))
        more = f' stroke="{stroke}" stroke-width="{_format(item.stroke_width)}"' if stroke != "none" else ""
        return f'fill="{fill}"{more}{_write_common(item)}'

    def _write_text(self, item: LaidItem) -> str:
        words = "".join(self._write_words(item))
        if not words.strip():
            return ""
        points = max(item.points, _SMALLEST_TYPE)
        if item.points < _SMALLEST_TYPE:
            self._note(item, f"the type of {item.points:.3g} pt is {points:g} pt now, which people can read")
        more = {
            "font-weight": "bold" * item.bold, "font-style": "italic" * item.italic,
            "font-size": f"{_format(points)}pt", "min-size": f"{_format(min(self._least, points))}pt",
            "text-align": item.align.removeprefix("left"), "valign": item.valign.removeprefix("top"),
            "line-height": "1.2", "text-role": "label", "fill": self._write_colour(item, item.fill),
        }  # fmt: skip
        if item.stroke != "none":
            more |= {
                "stroke": self._write_colour(item, item.stroke),
                "stroke-width": _format(item.stroke_width),
                "paint-order": "stroke",
            }
        said = " ".join(f'{name}="{value}"' for name, value in more.items() if value)
        # In other programs letters may be taller than a line.
        box, needed = item.box, points * MM_PER_PT * _LEADING
        down = points * MM_PER_PT * _ABOVE if item.valign == "top" else 0.0
        up = max(needed - box.height, 0.0) * {"middle": 0.5, "bottom": 1.0}.get(item.valign, 0.0)
        place = _write_box(Rect(box.x, box.y - up + down, box.width, max(needed, box.height - down)))
        family = f'font-family="{_name_family(item.family)}"'
        return f"<textbox {place} {family} {said}{_write_common(item)}>{words}</textbox>"

    def _write_picture(self, item: LaidItem) -> str:
        names = [part if isinstance(part, str) else self._name_column(item, part) for part in item.parts]
        test, path, field, first = "", "", self._find_own(item.parts[0]), item.parts[0]
        if not all(names):
            return ""
        if all(isinstance(part, str) for part in item.parts):
            wanted = "".join(names).strip()
            sample = find_picture(wanted, self._layout.file, self._foreign.index_pictures(), bare=False)
            what = f"the picture '{wanted[:80]}' is not there, or is no PNG, JPEG, WebP, GIF, TIFF or SVG"
        elif len(item.parts) == 1:
            sample = next(iter(field.shows.values()), "") if field else ""
            test = path = names[0]
            if field and field.type != "picture":
                test, path = f"{path} in words.files", f"words.files[{path}]"
            what = f"the column '{getattr(first, 'heading', '')}' names no existing, readable picture"
        else:
            pairs = zip(item.parts, names, strict=True)
            path = " ~ ".join(_quote(_fold(name)) if isinstance(part, str) else name for part, name in pairs)
            test, path = f"(({path}) | lower) in words.files", f"words.files[({path}) | lower]"
            sample = next(iter(self._composed.values()), "")
            what = "no picture matches this path with columns"
        if not sample:
            self._note(item, what)
            return ""
        box = self._find_native_box(item, sample)
        role = ' data-role="art"' if box.contains(self._card, _NEAR) else ""
        href = f'"{{{{ {path} }}}}"' if path else quoteattr(sample)
        image = f'<image href={href} {_write_box(box)} fit="{item.fit}"{role}{_write_common(item)}/>'
        return f"{{% if {test} %}}{image}{{% endif %}}" if test else image

    def _find_native_box(self, item: LaidItem, sample: str) -> Rect:
        """Return an item's box (mm). Missing sides follow from the picture `sample`, or else end at the card's edge."""
        box = item.box
        if box.width and box.height:
            return box
        width, height = max(self._card.width - box.x, 1.0), max(self._card.height - box.y, 1.0)
        try:
            pixels = check_picture_bytes(self._foreign.pictures[sample], sample)
            width, height = pixels.width * item.native, pixels.height * item.native
        except InvalidInput:
            pass  # a drawing, or a damaged picture, which is reported when it is drawn
        scale = box.width / width if box.width else box.height / height if box.height else 1.0
        return Rect(box.x, box.y, width * scale, height * scale)


def _format(value: float) -> str:
    return format_num(round(value, 3) + 0.0)


def _write_numbers(**values: float) -> str:
    return " ".join(f'{name}="{_format(value)}"' for name, value in values.items())


def _write_box(box: Rect) -> str:
    return _write_numbers(x=box.x, y=box.y, width=box.width, height=box.height)


def _write_common(item: LaidItem) -> str:
    turn = " ".join(map(_format, (item.turn, *item.pivot)))
    opacity = f' opacity="{_format(item.opacity)}"' if item.opacity < 1 else ""
    return (f' transform="rotate({turn})"' if item.turn else "") + opacity


def _quote(text: str) -> str:
    """Return a text as a Jinja string in single quotes, which may also stand in an attribute in double quotes."""
    safe = json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', "\\x22").replace("'", "\\x27")
    return f"'{safe.replace('<', chr(92) + 'x3c')}'"


def escape_words(text: str) -> str:
    """Return a text for a template that shows it literally."""
    escaped = escape_markup(text).replace("&", "&amp;").replace("<", "&lt;").replace("\n", "&#10;")
    return escaped.replace("{", "&#123;").replace("}", "&#125;")
