"""Covers: a rulebook's first page, or its title above the columns of a leaflet or sheet."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from generator.base.display_list import Drawing, Group, Kind, Paint, PlacedSymbol, Shape, Symbol, Tag, Tags
from generator.base.errors import Place, Problem, ProblemsFound
from generator.base.geometry import Rect
from generator.base.outlines import rectangle_path
from generator.books.page.blocks import Book, Cover, Figure, Sign
from generator.books.page.finish_pages import Leaf
from generator.books.page.page_style import HAIR, Look, TypeStyle
from generator.books.page.strips import Role, Strip, Thing, make_rule, snap_to_grid
from generator.books.page.text_setter import TextSetter, TypeLine
from generator.books.page.text_strips import find_baseline, place_drawing, stack_lines, thing_from_line
from generator.game.piece_outlines import make_ellipse_path
from generator.game.rich_text import split_title

COVER = 1
"""The cover's number among the parts of the PDF's structure."""

_LARGEST, _LEAST, _STEP = 38.0, 16.0, 2.0
_ON_GROUND = 1.5
"""Scale of the title on a coloured cover without a picture."""

_MOST_LINES = 2
_SMALLER = 0.75
"""A title is broken between its two parts if its type stays at least this large compared with any other break."""

_THICK = 1.6
_FRAMES = (5.0, 5.8)
"""Distances of the two frame lines on a one-colour cover from the page's edge (mm)."""

_SIGN = 1.25
"""Size of the icons before the facts (em)."""

_GAP = 6.0
_ENLARGED = 1.8
"""Maximum scale of a cover's picture, which is drawn in vectors."""


def set_cover(setter: TextSetter, cover: Cover, room: Rect) -> list[Thing]:
    """Return the things on a cover within `room` (mm): title and subtitle, picture, facts at the foot, background."""
    look = setter.look
    ink, accent = cover.ink or "ink", cover.ink or look.accent
    things = _make_background(look, cover, accent)
    if cover.ground is None:
        things.append(make_rule(room.x, room.y, room.width, accent, _THICK))
    place = cover.origin.get_part_place
    larger = look.format.larger * (_ON_GROUND if cover.ground is not None and cover.picture is None else 1.0)
    title, style = _set_title(setter, cover.title, room.width, place(0), (accent, larger))
    y = room.y + _THICK + _GAP
    if cover.lettering is None:
        things += stack_lines(look, title, style, replace(room, y=y), "heading", _make_tags("H1", 1))
        y += style.pitch * len(title) + _GAP / 2
    else:
        things.append(_place_lettering(cover.lettering, cover.title, room.x, y, room.width))
        y = things[-1].box.bottom + _GAP / 2
    below = replace(look.lead, paint=ink, align="start")
    subtitle = setter.set_lines(cover.subtitle, below, room.width, place(1)) if cover.subtitle else []
    things += stack_lines(look, subtitle, below, replace(room, y=y), "paragraph", _make_tags("P", 2))
    y += below.pitch * len(subtitle) + _GAP

    foot, facts = _set_facts(setter, cover, room, replace(look.body, bold=True, align="start", paint=accent))
    least = y if cover.picture is None else y + 2.5 + _GAP
    if least > foot:
        longest = place(1) if len(subtitle) > len(title) else place(0)
        setter.report_too_tall("what the cover says", room.height + least - foot, longest)
    things += facts
    if facts and cover.ground is None:
        things.append(make_rule(room.x, foot - 2.5, room.width, accent, HAIR * 2))
    if cover.picture is not None:  # in the middle of its room, as large as fits
        drawing, high = cover.picture.drawing, foot - 2.5 - _GAP - y
        scale = max(0.01, min(room.width / drawing.width, high / drawing.height, _ENLARGED))
        x = room.x + (room.width - drawing.width * scale) / 2
        things.append(_place_picture(cover.picture, x, y + (high - drawing.height * scale) / 2, scale))
    return things


def _make_background(look: Look, cover: Cover, accent: Paint) -> list[Thing]:
    """Return the background of the whole page: a colour inside fine frames, or a drawing that covers it; [] if none."""
    ground, page = cover.ground, Rect(0, 0, look.format.size.width, look.format.size.height)
    if ground is None:
        return []
    if not isinstance(ground, Drawing):
        shapes = [Shape(rectangle_path(page), ground, role="ground")]
        for inset in _FRAMES:
            frame = rectangle_path(page.grow(-inset))
            shapes.append(Shape(frame, stroke=accent, width=HAIR * 2, role="frame"))
        return [Thing("artifact", page, tuple(shapes))]
    scale = max(page.width / ground.width, page.height / ground.height)
    symbol = Symbol("cover:ground", ground.items, (0.0, 0.0, ground.width, ground.height))
    shift = (page.width - ground.width * scale) / 2, (page.height - ground.height * scale) / 2
    placed = PlacedSymbol(symbol, (scale, 0.0, 0.0, scale, *shift), clip=True, role="art")
    return [Thing("artifact", page, (placed,))]


def _set_facts(setter: TextSetter, cover: Cover, room: Rect, style: TypeStyle) -> tuple[float, list[Thing]]:
    """Return the y (mm) of the facts' top, and the facts: with icons in one line if they fit, else joined by dots."""
    look, place = setter.look, cover.origin.get_part_place(2)
    if not cover.facts:
        return room.bottom, []
    side, between = style.em * _SIGN, style.em * 2
    lines = [setter.set_lines(fact, style, room.width, place) for fact in cover.facts]
    wide = sum(side + style.em * 0.5 + line[0].width for line in lines if line) + between * (len(lines) - 1)
    if len(cover.signs) != len(lines) or wide > room.width or any(len(line) != 1 for line in lines):
        joined = setter.set_lines(" · ".join(cover.facts), style, room.width, place)
        foot = room.bottom - style.pitch * len(joined)
        return foot, stack_lines(look, joined, style, replace(room, y=foot), "paragraph", _make_tags("P", 4))
    foot, x, things = room.bottom - style.pitch, room.x, list[Thing]()
    drop = find_baseline(look, style, style.pitch)
    for at, ((line, *_), sign) in enumerate(zip(lines, cover.signs, strict=True)):
        box = Rect(x, foot + (style.pitch - side) / 2, side, side)
        drawn = Group(_SIGNS[sign](style.paint), (side, 0.0, 0.0, side, 0.0, 0.0))
        things.append(Thing("artifact", box, (drawn,)))
        x += side + style.em * 0.5
        box, tags = Rect(x, foot, line.width, style.pitch), _make_tags("P", 4 + at)
        things.append(thing_from_line(line, "paragraph", 0.0, drop, box, 0, tags))
        x += line.width + between
    return foot, things


_HEAD = make_ellipse_path(Rect(0.29, 0.02, 0.42, 0.42))
_SHOULDERS = "M 0.1 0.96 L 0.1 0.86 C 0.1 0.36 0.9 0.36 0.9 0.86 L 0.9 0.96 Z"
_CLOCK = make_ellipse_path(Rect(0.06, 0.06, 0.88, 0.88))
_HANDS = "M 0.5 0.24 L 0.5 0.52 L 0.68 0.62"
_CAKE = "M 0.08 0.94 L 0.08 0.52 L 0.92 0.52 L 0.92 0.94 Z"
_FLAME = "M 0.5 0.03 C 0.62 0.16 0.6 0.25 0.5 0.25 C 0.4 0.25 0.38 0.16 0.5 0.03 Z"

_SIGNS: Mapping[Sign, Callable[[Paint], tuple[Shape, ...]]] = {
    "players": lambda paint: (Shape(_HEAD, paint), Shape(_SHOULDERS, paint)),
    "minutes": lambda paint: (
        Shape(_CLOCK, stroke=paint, width=0.09),
        Shape(_HANDS, stroke=paint, width=0.09, cap="round", join="round"),
    ),
    "age": lambda paint: (
        Shape(_CAKE, paint),
        Shape("M 0.5 0.3 L 0.5 0.52", stroke=paint, width=0.1),
        Shape(_FLAME, paint),
    ),
}


def _set_title(
    setter: TextSetter, words: str, width: float, place: Place | None, look: tuple[Paint, float]
) -> tuple[list[TypeLine], TypeStyle]:
    """Return the title's one or two lines and their style, as large as fits; `look`: paint and largest size.

    A title of two parts (`Name: more`) breaks between them, unless that makes it much smaller.
    """
    paint, largest = look
    least = TypeStyle(_LEAST * largest, 1.25, True, title=True, phrases=True, paint=paint)
    room = (width, least, largest)
    whole = _find_largest_fit(setter, [words], _MOST_LINES, room, place) or least
    lines = setter.compose_text(words, whole, place, setter.find_foreign_language(words)).break_lines(width)
    parts = split_title(words)
    if len(lines) == 1 or len(parts) < _MOST_LINES:
        return lines, whole
    parted = _find_largest_fit(setter, parts, 1, room, place)
    if parted is None or parted.size < whole.size * _SMALLER:
        return lines, whole
    made = [setter.compose_text(part, parted, place, setter.find_foreign_language(part)) for part in parts]
    return [line for one in made for line in one.break_lines(width)], parted


def _find_largest_fit(
    setter: TextSetter, parts: list[str], most: int, room: tuple[float, TypeStyle, float], place: Place | None
) -> TypeStyle | None:
    width, style, largest = room
    for step in range(int((_LARGEST - _LEAST) / _STEP)):
        tried = replace(style, size=(_LARGEST - step * _STEP) * largest)
        made = [setter.compose_text(part, tried, place, setter.find_foreign_language(part)) for part in parts]
        if all(one.narrowest <= width and len(one.break_lines(width)) <= most for one in made):
            return tried
    return None


def _place_picture(figure: Figure, x: float, y: float, scale: float, name: str = "cover") -> Thing:
    tags = _make_tags("Figure", 3, figure.alt) if figure.alt else ()
    thing = place_drawing(figure.drawing, x, y, scale, f"figure:{name}", "figure")
    return thing._replace(alt=figure.alt, tags=tags)


def _place_lettering(lettering: Drawing, title: str, x: float, y: float, width: float) -> Thing:
    drawn = _place_picture(Figure(lettering, title), x, y, width / lettering.width, "title")
    return drawn._replace(tags=(*_make_tags("H1", 1), *drawn.tags[1:]))


def _make_tags(kind: Kind, number: int, alt: str = "") -> Tags:
    return (Tag("Sect", COVER), Tag(kind, number, alt=alt))


_SIZES = (30.0, 26.0, 22.0, 19.0, 16.0)
"""Sizes of a masthead's title (points): the largest with which it fits on one line, else the smallest."""

_ON_SHEETS = 14.0
"""Size of the subtitle of a sheet, which is read from across the table (points)."""

_MASTHEAD_RULE, _MASTHEAD_GAP = 1.6, 3.0
_LETTERING = 48.0
"""Width of the title's drawing in a masthead (mm)."""

_WIDEST = 0.4
"""Maximum width of the picture as a share of the page's width."""


def set_masthead(setter: TextSetter, cover: Cover, room: Rect) -> list[Thing]:
    """Return a masthead's things in `room` (mm): title, subtitle, facts, picture at the right. Report one too tall."""
    look, place = setter.look, cover.origin.get_part_place
    picture = None
    if cover.picture is not None:  # at the right, as large as the room below the rule allows
        drawing, top = cover.picture.drawing, room.y + _MASTHEAD_RULE + _MASTHEAD_GAP / 2
        scale = min((room.bottom - top) / drawing.height, room.width * _WIDEST / drawing.width)
        down = top + (room.bottom - top - drawing.height * scale) / 2
        picture = _place_picture(cover.picture, room.right - drawing.width * scale, down, scale)
    width = room.width if picture is None else picture.box.x - _MASTHEAD_GAP - room.x
    things = [make_rule(room.x, room.y, room.width, look.accent, _MASTHEAD_RULE)]
    y = room.y + _MASTHEAD_RULE + _MASTHEAD_GAP
    styles = [TypeStyle(size, 1.2, True, title=True, phrases=True, paint=look.accent) for size in _SIZES]
    fitting = (one for one in styles if setter.compose_text(cover.title, one, place(0)).natural <= width)
    style = next(fitting, styles[-1])
    sheet = look.format.opening == "sheet"
    paint, size = (look.accent, _ON_SHEETS) if sheet else ("ink", 12.0)
    below = replace(look.lead, bold=True, paint=paint, align="start", size=size)
    facts = replace(look.note, align="start")
    said: tuple[tuple[str, TypeStyle, Role, Tags, Place | None], ...] = (
        (cover.title, style, "heading", _make_tags("H1", 1), place(0)),
        (cover.subtitle, below, "paragraph", _make_tags("P", 2), place(1)),
        (" · ".join(cover.facts), facts, "paragraph", _make_tags("P", 4), place(2)),
    )
    if cover.lettering is not None:
        things.append(_place_lettering(cover.lettering, cover.title, room.x, y, min(width, _LETTERING)))
        y, said = things[-1].box.bottom + _MASTHEAD_GAP / 4, said[1:]
    for words, manner, role, tags, origin in said:
        lines = setter.set_lines(words, manner, width, origin) if words else []
        things += stack_lines(look, lines, manner, Rect(room.x, y, width, 0), role, tags)
        y += manner.pitch * len(lines) + (_MASTHEAD_GAP / 4 if lines else 0.0)
    if y > room.bottom:
        setter.report_too_tall("the title", y - room.y, place(0))
    return [*things, picture] if picture is not None else things


_SHEET_TITLE = 31.0
"""Height of the title of a sheet (mm)."""

_TITLE_SHARE = 0.4
"""Share of a leaflet's first column for its title and picture."""

_MASTHEAD_SHARE = 0.3
"""Maximum share of the first column's height for a masthead."""


class SheetOverflow(ProblemsFound):
    """Error: a book is too long for its sheet. `share` is its length in relation to the sheet's columns."""

    def __init__(self, problem: Problem, share: float):
        super().__init__([problem])
        self.share = share


def set_title_strip(setter: TextSetter, cover: Cover, height: float) -> Strip:
    """Return title and picture as a strip at the head of a column (`height` mm) or, on a sheet, across all columns."""
    if setter.look.format.opening == "sheet":
        room = Rect(0, 0, setter.look.find_text_room(1).width, _SHEET_TITLE)
        title = Strip(room.height, tuple(set_masthead(setter, _drop_background(cover, cover.lettering), room)))
        return Strip(0.0, flows=True, wide=title)
    if setter.look.format.opening == "masthead":
        room = Rect(0, 0, setter.look.column, height * _MASTHEAD_SHARE)
        things = set_masthead(setter, _drop_background(cover), room)
        bottom = snap_to_grid(max(thing.box.bottom for thing in things), setter.look.unit)
        return Strip(bottom, tuple(things), opens=True)
    room = Rect(0, 0, setter.look.column, height * _TITLE_SHARE)
    return Strip(room.height, tuple(set_cover(setter, _drop_background(cover), room)), opens=True)


def check_sheet(book: Book, leaves: Sequence[Leaf], look: Look, height: float) -> None:
    """Take the numbers off a sheet's pages, with columns `height` mm high. Raise SheetOverflow for too many."""
    columns, sides = look.format.columns, look.format.sides
    if len(leaves) > sides:
        more = columns * sum(leaf.bottom for leaf in leaves[sides:])
        much = f"about {more:.0f} mm of a column too long for both sides of one {look.format.name}"
        hint = "write less, or take less of the rulebook (`take:`, `most:`)"
        problem = Problem(book.origin.place, f"{book.name} ({look.lang}): {much}", hint)
        raise SheetOverflow(problem, 1 + more / (sides * columns * height))
    for leaf in leaves:
        leaf.plain = True


def _drop_background(cover: Cover, lettering: Drawing | None = None) -> Cover:
    """Return a cover for white paper: without ground and ink, the ground's drawing as its picture, with `lettering`."""
    return replace(cover, picture=cover.any_picture, ground=None, ink="", lettering=lettering)
