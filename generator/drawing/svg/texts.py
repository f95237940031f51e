"""Text on faces: lines, text boxes and stamps. Reports texts that don't fit or can't be shown."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from typing import Literal, NamedTuple, TypeAlias

from generator.base.display_list import ArtNote, Item, Paint, Symbol, TextFrame
from generator.base.errors import InvalidInput, Problem, did_you_mean, find_similar_name
from generator.base.geometry import Matrix, Rect, find_scale
from generator.base.languages import is_right_to_left, iter_missing_glyph_faults
from generator.drawing.svg.face_areas import describe_leaving, map_frame
from generator.drawing.svg.scene import BuiltElement, Scene, Studio
from generator.drawing.svg.style import PaintLink, Style, convert_spacing
from generator.drawing.svg.tree import Element
from generator.drawing.svg.values import AlphaColour, parse_number, read_choice, read_name
from generator.drawing.templates.template_values import find_text_place
from generator.game.rich_text import (
    DEFAULT_STYLE,
    LISTED,
    MARKS,
    Inline,
    LineBreak,
    MarkupError,
    Plain,
    Reference,
    RichText,
    Words,
    is_plain,
    parse_markup,
)
from generator.text.glyph_rows import ANCHORS, Align, Anchor, IconFinder, SetText, TextBox
from generator.text.set_text import has_uneven_lines, set_box, set_line

SMALLEST = {"rule": 6.5, "title": 6.5, "number": 6.5, "label": 4.0, "ruby": 3.5}
"""Size in points below which a text of each role is hard to read on a printed card."""

MOST_CHARACTERS = 50_000
"""Maximum characters of one text on a face."""

_TOO_SMALL = 1e-6
"""Points that type may be smaller: a rounding error."""

_ALIGN: dict[str, Align] = {**ANCHORS, "justify": "justify", "left": "start", "center": "middle", "right": "end"}
_VALIGN: dict[str, Literal["top", "middle", "bottom"]] = {"top": "top", "middle": "middle", "bottom": "bottom"}
_YES = {"yes": True, "no": False}
_WRAP = {"wrap": False, "phrase": True}
_FITTED = {"width", "height", "min-size", "textLength"}
_VERTICAL = {"horizontal-tb": False, "vertical-rl": True}

Bend: TypeAlias = Callable[[SetText, str], SetText]
"""Function that bends a line along a path."""


def draw_text(scene: Scene, element: Element, style: Style, matrix: Matrix) -> tuple[Item, ...]:
    """Draw a <text> (a line with its baseline at (x, y), or a column with its middle there) or a <textbox>."""
    box = read_text_box(scene, element, style, matrix)
    if box is None:
        _parse_rich(scene, element, _collapse_words(element.tag, element.text), scene.lang)  # reports its problems
        return ()
    return set_words(scene, element, element.text, box, style, matrix)


def read_text_box(scene: Scene, element: Element, style: Style, matrix: Matrix) -> TextBox | None:
    """Return where and how to set a text, or None. Elements with mistakes are not cached: each reports its own."""
    read, scale = _line_box if element.tag == "text" else _flow_box, find_scale(matrix)
    kept = scene.studio.settings
    around = (scene.lang, scene.current, scene.design is None, scene.basis)
    key = (read, style, scale, *around, *element.attributes.items())
    box = kept.get(key)
    if box is None:
        problems = len(scene.problems)
        box = read(scene, element, style, scale)
        if box is not None and len(scene.problems) == problems:
            kept.put(key, box)
    return box


def set_words(
    scene: Scene, element: Element, words: str, box: TextBox, style: Style, matrix: Matrix, bend: Bend | None = None
) -> tuple[Item, ...]:
    """Return the element's words as items: a line (bent by `bend`), or flowed, if need be down to `min-size`; or ()."""
    text = _collapse_words(element.tag, words)
    if element.tag == "text":
        rich = _parse_rich(scene, element, text, box.lang, box.family)
        if rich is None or not text:
            return ()
        done = set_line(rich, box.x, box.y, box, style.anchor, scene.studio.fonts, partial(_inline_icon, scene))
        if bend is not None:
            done = bend(done, text)
        _check_size(scene, element, "font-size", style.points, box.text_role, find_scale(matrix))
        if _check_characters(scene, element, done, text, box):
            _check_fit(scene, element, done, text, "long")
    else:
        if (flowed := _flow_words(scene, element, words, text, box)) is None:
            return ()
        done = flowed
        if _check_characters(scene, element, done, text, box):
            _check_fit(scene, element, done, text, "wide" if box.vertical else "tall")
    frame = map_frame(done.frame, matrix)
    _check_inside(scene, element, done, text, matrix, frame)
    if "aloud" in element.attributes:
        frame = frame._replace(aloud=scene.read_value(element, "aloud", read_choice(_YES), True))
    scene.marks.append(frame)
    if done.notes:
        scene.marks += map(ArtNote, done.notes)
    if style.is_clear or style.stroke is not None:
        from generator.drawing.svg.text_forms import draw_lettering

        return draw_lettering(scene, element, done.items, style)
    return done.items


def _flow_words(scene: Scene, element: Element, words: str, text: str, box: TextBox) -> SetText | None:
    fonts, icon = scene.studio.fonts, partial(_inline_icon, scene)
    if scene.design is None or not LISTED.search(text):
        rich = _parse_rich(scene, element, text, box.lang, box.family)
        if rich is None or not has_uneven_lines(rich, box):
            return None if rich is None else set_box(rich, box, fonts, icon)
        from generator.text.text_blocks import (
            Block,
            set_blocks,  # its lines are not all alike
        )

        return set_blocks((Block(rich),), box, fonts, icon)
    from generator.drawing.svg.text_forms import set_listed  # few texts have a list

    read = partial(_parse_rich, scene, element, lang=box.lang, family=box.family, whole_text=text)
    return set_listed(scene, words, box, icon, read, partial(add_text_problem, scene, element, text))


class PlainSetter(NamedTuple):
    """Sets words without markup in a box whose checks are done: `trim` and `cut_along` are those of the face."""

    studio: Studio
    tag: str
    box: TextBox
    anchor: Anchor
    matrix: Matrix
    trim: Rect | None
    cut_along: str
    bleed: float
    icon: IconFinder

    def set_words(self, words: str) -> BuiltElement | None:
        """Return the words as set. None if there is anything to report, or they are not plain."""
        studio, tag, box, anchor, matrix, trim, cut_along, bleed, icon = self
        text, fonts = _collapse_words(tag, words), studio.fonts
        if not is_plain(text) or fonts.problems or len(text) > MOST_CHARACTERS or studio.icons_in(text) != text:
            return None
        if tag == "textbox":
            if box.indent or LISTED.match(text):  # it has one line
                return None
            done = set_box((Plain(text),), box, fonts, icon)
        else:
            known = studio.lines.get((text, box))  # a card's number often appears in two corners
            done = known or set_line((Plain(text),), box.x, box.y, box, anchor, fonts, icon)
            if known is None:
                studio.lines.put((text, box), done)
        if done.overflow > 0 or done.missing or done.unturned:
            return None
        frame = map_frame(done.frame, matrix)
        if trim is not None and describe_leaving(done, frame, matrix, trim, cut_along, bleed, fonts):
            return None
        return BuiltElement(done.items, (frame, *map(ArtNote, done.notes)) if done.notes else (frame,))


def make_plain_setter(scene: Scene, element: Element, box: TextBox, style: Style, matrix: Matrix) -> PlainSetter | None:
    """Return the setter of an element's plain words, or None if all of them need the checks of `set_words`."""
    scale, design = find_scale(matrix), scene.design
    small = element.tag == "text" and style.points * scale < SMALLEST[box.text_role] - _TOO_SMALL
    if design is None or small or "aloud" in element.attributes or style.is_clear or style.stroke is not None:
        return None
    bleed = scene.studio.game.kinds[design.kind].bleed
    return PlainSetter(
        scene.studio, element.tag, box, style.anchor, matrix, scene.trim, scene.outline, bleed, scene.icon
    )


def _collapse_words(tag: str, text: str) -> str:
    if tag == "text":
        return " ".join(text.split())
    lines = text.strip().splitlines()
    return lines[0] if len(lines) == 1 else "\n".join([line.strip() for line in lines])


def _line_box(scene: Scene, element: Element, style: Style, scale: float) -> TextBox | None:
    """Return a box at a line's anchor, with its maximum length if given, or None for a font family unknown here."""
    x, y = scene.read_length(element, "x", 0.0), scene.read_length(element, "y", 0.0)
    role = scene.read_value(element, "text-role", _parse_role, "label")
    box = _read_box(scene, element, style, role)
    if box is None or not element.attributes.keys() & _FITTED:
        return replace(box, x=x, y=y) if box else None
    along, across = ("height", "width") if box.vertical else ("width", "height")
    if across in element.attributes:
        scene.add_problem(element, f"{across} does nothing on this <text>", f"write {along}, which it shrinks into")
    least = _read_least_size(scene, element, style, role, scale)
    whole, long = (scene.read_length(element, name, 0.0) for name in ("textLength", along))
    for name, value in (("textLength", whole), (along, long)):
        if name in element.attributes and value <= 0:
            scene.add_problem(element, f"{name} must be above 0")
    if whole and long:
        scene.add_problem(element, f"textLength and {along} both say how long the text is", "keep one")
    if "min-size" in element.attributes and not long:
        what = f"min-size does nothing on a <text> without {along}"
        scene.add_problem(element, what, f"write {along}, or take it out")
    return replace(box, x=x, y=y, width=long, min_size=least if long else style.points, drawn_out=max(whole, 0.0))


def _flow_box(scene: Scene, element: Element, style: Style, scale: float) -> TextBox | None:
    role = scene.read_value(element, "text-role", _parse_role, "rule")
    box = _read_box(scene, element, style, role)
    if box is None:
        return None
    least = _read_least_size(scene, element, style, role, scale)
    corner = {name: scene.read_length(element, name, 0.0) for name in ("x", "y", "width", "height")}
    for name in ("width", "height"):
        if corner[name] <= 0:
            whose = "the frame of a text" if scene.drawn else "the textbox"
            scene.add_problem(element, f"{whose} needs a {name} above 0")
            return None
    align: Align = scene.read_value(element, "text-align", read_choice(_ALIGN), "start")
    if element.attributes.get("text-align") in ("left", "right") and is_right_to_left(box.lang):
        align = "end" if align == "start" else "start"
    indent: float = scene.read_length(element, "text-indent", 0.0)
    if indent < 0:
        scene.add_problem(element, "text-indent: it is below 0", "give the textbox another x")
    return replace(
        box,
        **corner,
        min_size=least,
        leading=scene.read_value(element, "line-height", _parse_line_height, None),
        align=align,
        valign=scene.read_value(element, "valign", read_choice(_VALIGN), "top"),
        hyphenate=scene.read_value(element, "hyphenate", read_choice(_YES), True),
        indent=max(0.0, indent),
        phrases=scene.read_value(
            element, "phrases", read_choice(_YES), scene.read_value(element, "text-wrap", read_choice(_WRAP), False)
        ),
    )


def _read_least_size(scene: Scene, element: Element, style: Style, role: str, scale: float) -> float:
    least: float = scene.read_points(element, "min-size", min(style.points, SMALLEST[role] / (scale or 1)))
    _check_size(scene, element, "min-size" if "min-size" in element.attributes else "font-size", least, role, scale)
    if least > style.points:
        scene.add_problem(element, f"min-size is {least:g} pt, but the font-size is only {style.points:g} pt")
    return min(least, style.points)


def _read_box(scene: Scene, element: Element, style: Style, role: str) -> TextBox | None:
    families = scene.studio.game.fonts
    family = next((name for name in style.families if name in families), "") or next(
        iter(style.families or families), ""
    )
    if family not in families and scene.drawn and families:
        missing, (family, meant) = family, scene.studio.fonts.match_family(style.families)
        if not meant:
            hint = f"declare it with its files under fonts:, or copy them to fonts/; pnp uses '{family}'"
            scene.add_note(element, f"the font '{missing}' is not in the project: {hint}")
    if family not in families:
        further = (
            ""
            if find_similar_name(family, frozenset(families))
            else "; further ones are declared with their files under fonts:"
        )
        scene.add_problem(element, f"unknown font family '{family}'", did_you_mean(family, families) + further)
        return None
    lang = scene.read_value(element, "lang", read_name("language", scene.studio.game.languages), scene.lang)
    if style.weight not in (400, 700):
        from generator.drawing.svg.text_forms import check_weight  # few texts have one

        if slip := check_weight(scene, family, lang, style.weight):
            scene.add_problem(element, *slip)
            return None
    fill = AlphaColour(scene.current) if style.fill == "current" else style.fill
    if isinstance(fill, PaintLink):
        scene.add_problem(element, "text cannot be filled with a gradient", "use a colour")
        return None
    return TextBox(
        x=0.0,
        y=0.0,
        width=0.0,
        height=0.0,
        family=family,
        size=style.points,
        min_size=style.points,
        leading=None,
        align="start",
        valign="top",
        paint=fill.paint if isinstance(fill, AlphaColour) else "ink",
        bold=style.weight == 700,
        weight=0 if style.weight in (400, 700) else style.weight,
        features=style.features,
        italic=style.italic,
        lang=lang,
        text_role=role,
        spacing=convert_spacing(style),
        vertical=scene.read_value(element, "writing-mode", read_choice(_VERTICAL), False),
    )


def _parse_rich(
    scene: Scene, element: Element, text: str, lang: str, family: str = "", whole_text: str = ""
) -> RichText | None:
    if len(text) > MOST_CHARACTERS:
        what = f"one <{element.tag}> contains {len(text):,} characters"
        scene.add_problem(element, what, f"no piece has room for more than {MOST_CHARACTERS:,}")
        return None
    if scene.design is None:
        return (Plain(text),)
    complain, known = partial(add_text_problem, scene, element, whole_text or text), scene.studio.styles.names
    text = scene.studio.icons_in(text)
    if is_plain(text):
        return (Plain(text),)
    try:
        rich = parse_markup(text, known)
    except MarkupError as mistake:
        near = text[mistake.offset :][:12]
        complain(f"the text of {scene.subject} has wrong markup near '{near}': {mistake.what}")
        return None
    for colour in dict.fromkeys(getattr(inline, "colour", "") for inline in rich):
        if colour and colour not in known:
            hint = did_you_mean(colour, [*known, *MARKS])
            complain(f"the text of {scene.subject} names the unknown colour '{colour}'", hint)
            return None
    if any(not isinstance(inline, LineBreak) and inline.manner != DEFAULT_STYLE for inline in rich):
        from generator.drawing.svg.text_forms import check_manners  # few texts have one

        slips = check_manners(scene, rich, lang, family)
        if slips:
            complain(*slips[0])
            return None
    return tuple(
        [_name_component(scene, inline, lang, complain) if isinstance(inline, Reference) else inline for inline in rich]
    )


def _name_component(scene: Scene, reference: Reference, lang: str, complain: Callable[[str, str], None]) -> Inline:
    game = scene.studio.game
    kind = game.kinds.get(reference.component.partition("/")[0])
    name: Words | str = ""
    if kind is not None and reference.component == kind.id:
        name = kind.name
    elif kind is not None:
        design = scene.studio.get_designs().get(reference.component)
        name = design.fields.get("name", kind.name) if design is not None else ""
    if not name:
        what = f"the text of {scene.subject} names the unknown component '{reference.component}'"
        complain(what, did_you_mean(reference.component, scene.studio.component_names()))
    shown = name[lang] if isinstance(name, Words) else name
    return Plain(shown, reference.bold, reference.emphasis, reference.colour, reference.manner)


def _inline_icon(scene: Scene, name: str, paint: Paint) -> Symbol | None:
    """Return an icon in text, or None: in its own colour beside black words, else in the colour of the words."""
    symbol = scene.icon(name, "" if paint == "ink" else paint)
    if symbol is not None:
        scene.marks += map(ArtNote, symbol.notes)
    return symbol


def _check_characters(scene: Scene, element: Element, set_text: SetText, text: str, box: TextBox) -> bool:
    """Report characters that can't be shown. Return True if the text uses the fonts that it asks for."""
    if not (scene.studio.fonts.problems or set_text.missing or set_text.unturned or set_text.unknown_icons):
        return True
    as_asked = not scene.studio.fonts.problems or _has_its_fonts(scene, box)
    for what, hint in iter_missing_glyph_faults(set_text.missing, f"family '{box.family}'") if as_asked else ():
        add_text_problem(scene, element, text, f"{what} (text of {scene.subject})", hint)
    for character in set_text.unturned if as_asked else ():
        what = f"'{character}' (U+{ord(character):04X}) has no vertical form in family '{box.family}'"
        add_text_problem(scene, element, text, f"{what} (text of {scene.subject})", "use a font with vertical glyphs")
    icons = scene.studio.game.icons
    for name in dict.fromkeys(set_text.unknown_icons):
        if name in icons:
            scene.problems += scene.studio.broken_icons.get(name, ())
        else:
            what = f"the text of {scene.subject} shows the unknown icon '{name}'"
            none = "declare it under icons:, or write \\{ for a brace as such"
            add_text_problem(scene, element, text, what, did_you_mean(name, icons) if icons else none)
    return as_asked


def _has_its_fonts(scene: Scene, box: TextBox) -> bool:
    """Return True if all fonts of a text's family could be opened. Otherwise that is the problem to report."""
    entry, book = scene.studio.game.fonts[box.family], scene.studio.fonts
    cuts = ((entry.regular, False, False), (entry.bold, True, False), (entry.italic, False, True))
    listed = {PurePath(file).name for cut, _, _ in cuts for file in cut.get(box.lang, ())}
    opened = {font.path.name for _, bold, italic in cuts for font in book.get_chain(box.family, box.lang, bold, italic)}
    return bool(listed) and listed <= opened


def _check_fit(scene: Scene, element: Element, set_text: SetText, text: str, reason: str) -> None:
    if set_text.overflow > 0:
        by = f"{set_text.overflow:.1f}" if set_text.overflow >= 0.1 else "less than 0.1"
        room = "box" if element.tag == "textbox" else "length"
        what = f"text of {scene.subject} does not fit its {room}: {by} mm too {reason} at {set_text.frame.size:g} pt"
        hint = f"shorten it or enlarge the {element.tag} at {scene.place_of(element)}"
        add_text_problem(scene, element, text, what, hint)


def _check_inside(
    scene: Scene, element: Element, set_text: SetText, text: str, matrix: Matrix, frame: TextFrame
) -> None:
    """Report text beyond the trim. Skip texts with other mistakes: after a correction, their place differs."""
    trim, design = scene.trim, scene.design
    if trim is None or design is None or set_text.overflow or set_text.missing or set_text.unturned:
        return
    kind = scene.studio.game.kinds[design.kind]
    by = describe_leaving(set_text, frame, matrix, trim, scene.outline, kind.bleed, scene.studio.fonts)
    if by:
        what = f"text of {scene.subject} leaves the {kind.form}: {by}"
        hint = f"shorten it, or correct the {element.tag} at {scene.place_of(element)}"
        add_text_problem(scene, element, text, what, hint)


def add_text_problem(scene: Scene, element: Element, text: str, what: str, hint: str = "") -> None:
    """Add the problem `what` with a text to the scene's, at the text's place in the data or else in the template."""
    place = find_text_place(scene.studio.game, scene.design, text) if scene.design is not None else None
    scene.problems.append(Problem(place or scene.place_of(element), what, hint))


def _check_size(scene: Scene, element: Element, name: str, size: float, role: str, scale: float) -> None:
    if scene.design is None:
        return
    printed, least = size * scale, SMALLEST[role]
    if printed < least - _TOO_SMALL:
        what = f"{name} is {printed:.3g} pt, below the {least:g} pt that readers need for a {role}"
        hint = "enlarge it" if role == "label" else "enlarge it, or give it its right text-role"
        scene.add_problem(element, what, hint)


_parse_role = read_name("text-role", [role for role in SMALLEST if role != "ruby"])


def _parse_line_height(text: str) -> float:
    value = parse_number(text)
    if not 0.8 <= value <= 4:
        raise InvalidInput(f"{text} is not between 0.8 and 4 times the font size")
    return value
