"""Layouts of drawing programs: their text frames and named objects become elements and tags of templates."""

import re
from bisect import bisect_left
from xml.sax.saxutils import escape, quoteattr

from generator.base.geometry import IDENTITY, Rect, invert_matrix, map_point, map_rect, multiply, scan_numbers
from generator.drawing.svg.layout_objects import (
    BOXED,
    SourceSpan,
    describe_object,
    find_box,
    find_first_place,
    find_matrix,
    find_name,
    find_style,
    join_words,
    parse_objects,
    read_matrix,
    read_number,
)
from generator.drawing.svg.tree import GEOMETRY, Element
from generator.drawing.svg.vocabulary import NEVER_DRAWN, SHAPES
from generator.drawing.templates.template_sources import DRAWN, STATIC, find_jinja_tags

# The source is changed before Jinja reads it. Lines keep their numbers, so that problems keep their places. What a
# program saves is well-formed XML. A template that is not, because its tags contain markup, is no such file.

_FIGMA_COPY = re.compile(r"(.+)\.(\w+?(_\d+))")
_FIELD = re.compile(r"card(?:\.[A-Za-z_]\w*)+")
_CONDITION = re.compile(r"if:\s*(.+)", re.DOTALL)
_DOCTYPE = re.compile(r"<!DOCTYPE[^\[>]*(?:\[(.*?)\]\s*)?>", re.DOTALL)
_ENTITY = re.compile(r"<!ENTITY\s+([\w.-]+)\s+(?:\"([^\"&%<]{0,4000})\"|'([^'&%<]{0,4000})')\s*>")
_MOST_GROWN = 4_000_000

_TEXT_STYLE = (
    *("font-family", "font-size", "font-weight", "font-style", "fill", "fill-opacity", "letter-spacing", "stroke"),
    *("stroke-width", "font-feature-settings"),
)
"""Inherited properties of a text: its first words may have them from a group around it."""

_LINE, _ASCENT, _LETTER = 1.25, 0.8, 0.58
"""The usual line height, height of a line above its baseline, and width of a letter, as shares of the font size."""

_OFFICE_PADDING = 250.0
"""The usual distance of LibreOffice's texts from the sides of their frames; half of it above and below (1/100 mm)."""

_MARKED = SHAPES | {"g", "a", "use", "image", "text"}
_OWN = (
    *("text-role", "lang", "aloud", "data-role"),
    *("min-size", "valign", "hyphenate", "phrases", "text-indent", "text-wrap", "writing-mode"),
)
"""Attributes of our own that a text keeps; all but the first four belong to a text box."""

_FOLDER = re.compile(r"(?:[\w-]+/)+(?=[^/:]+$)")
"""The folder of a picture that an object shows. The pictures of other cards are in it, too."""

_GEOMETRY = GEOMETRY | {"points"}
_UNDRAWN = ("font", "foreignObject", "namedview", "pgf", "perspective", "path-effect")
"""Elements that programs write for themselves, or that are not SVG."""


def adapt_layout(source: str) -> str:
    """Return a template's source as Jinja and our reader understand it. A file that isn't well-formed is unchanged."""
    plain = _resolve_entities(source)
    data = plain.encode()
    found = parse_objects(data)
    if found is None or found[0].tag != "svg":
        return plain
    root, spans = found
    adapter = _Adapter(root, spans, data)
    adapter.adapt(root)
    adapter.mark_static()
    notes = quoteattr("\n".join(dict.fromkeys(adapter.notes)), {"\n": "&#10;", "{": "&#123;"})
    adapter.add_attribute(root, f"{DRAWN}={notes}")
    out, done = list[bytes](), 0
    for start, stop, text in sorted(adapter.edits, key=lambda edit: edit[:2]):
        out += [data[done:start], text, b"\n" * (data.count(b"\n", start, stop) - text.count(b"\n"))]
        done = stop
    return b"".join([*out, data[done:]]).decode()


def _resolve_entities(source: str) -> str:
    """Return the source with plain entities resolved, as Illustrator writes them. Other DOCTYPEs are refused later."""
    found = _DOCTYPE.search(source)
    if found is None:
        return source
    entities = {name: one or other for name, one, other in _ENTITY.findall(found[1] or "")}
    if _ENTITY.sub("", found[1] or "").strip():
        return source
    if sum(source.count(f"&{name};") * len(text) for name, text in entities.items()) > _MOST_GROWN:
        return source
    rest = source[: found.start()] + "\n" * found[0].count("\n") + source[found.end() :]
    return re.sub(r"&([\w.-]+);", lambda each: entities.get(each[1], each[0]), rest)


def name_object(source: str, line: int) -> str:
    """Return `in the object 'name' in the layer 'name'` for a line of a drawn layout; empty if there is no object."""
    data = _resolve_entities(source).encode()
    found = parse_objects(data)
    if found is None:
        return ""
    begin = sum(len(each) for each in data.splitlines(keepends=True)[: line - 1])
    end = begin + len(data[begin:].partition(b"\n")[0])
    best: tuple[int, Element] | None = None
    for each, span in found[1].items():
        if span.start <= end and span.end > begin and each.parent is not None:
            bound = re.match(r"card\.|if:", find_name(each))
            worth = 2 if bound else int(each.tag in ("text", "flowRoot"))
            best = (worth, each) if best is None or worth >= best[0] else best
    return f"in the object {describe_object(best[1])}" if best is not None else ""


class _Adapter:
    """Gathers the edits of one file: the bytes that change, and the text instead. `notes` are for the designer."""

    def __init__(self, root: Element, spans: dict[Element, SourceSpan], data: bytes):
        self.edits: list[tuple[int, int, bytes]] = []
        self.notes: list[str] = []
        self._root, self._spans, self._data = root, spans, data
        self._ids = {each.attributes["id"]: each for each in root.iter_elements() if "id" in each.attributes}
        self._replaced = set[Element]()
        self._clips = 0

    def adapt(self, each: Element) -> None:
        """Gather the edits of an element and those in it."""
        name = find_name(each)
        begin, _, end = self._spans[each]
        hidden = each.properties.get("display") == "none"
        if each.tag in _UNDRAWN or name.lower() == "reference" or (hidden and each.parent is not None):
            self._replace(each, "")
            if each.tag == "foreignObject":
                self._note(each, "it is left out, since it is not SVG")
            return
        if each.tag == "switch":  # Illustrator's; what other programs would choose instead is left out
            self.edits += [(begin, begin + 7, b"<g"), (end - 9, end, b"</g>")]
        if condition := _CONDITION.fullmatch(name):
            if re.search("[{%]%|%}|{{|}}", condition[1]):
                self._note(each, "!its name may have one expression after `if:`, and no tag")
            else:
                test = f"{{% if {_resolve_copy(condition[1])} %}}".encode()
                self.edits += [(begin, begin, test), (end, end, b"{% endif %}")]
        bound = _resolve_copy(name) if _FIELD.fullmatch(name) else ""
        texts = [one for one in each.iter_elements() if one.tag in ("text", "flowRoot")]
        if bound and len(texts) == 1 and (each is texts[0] or _is_text_group(each)):
            self._adapt_text(texts[0], bound)
        elif bound and texts:
            self._note(each, f"!it has {len(texts)} texts or more than a text; name the text itself, or the picture")
        elif bound:
            self._replace_by_field(each, bound)
        elif each.tag in ("text", "flowRoot"):
            self._adapt_text(each, "")
        else:
            for child in each.children:
                self.adapt(child)

    def mark_static(self) -> None:
        """Mark the largest elements that are the same on every card (no tag or edit in them), after `adapt`."""
        starts = sorted(start for start, _, _ in self.edits)

        def is_static(one: Element) -> bool:
            begin, _, end = self._spans[one]
            edited = bisect_left(starts, end) > bisect_left(starts, begin)
            return not edited and not any(tag in self._data[begin:end] for tag in (b"{{", b"{%"))

        waiting = [self._root]
        while waiting:
            one = waiting.pop()
            shown = (
                self._ids.get(use.attributes.get("xlink:href", use.attributes.get("href", ""))[1:])
                for use in one.iter_elements()
                if use.tag == "use"
            )
            if one.tag in _MARKED and is_static(one) and all(target is None or is_static(target) for target in shown):
                self.add_attribute(one, f'{STATIC}=""')
            elif one.tag not in NEVER_DRAWN and one not in self._replaced:
                waiting += one.children

    def add_attribute(self, each: Element, text: str) -> None:
        """Add to the edits one that puts an attribute (`name="value"`) at the end of an element's tag."""
        inner = self._spans[each].inner
        end = inner - (2 if self._data[inner - 2 : inner] == b"/>" else 1)
        self.edits.append((end, end, f" {text}".encode()))

    def _replace(self, each: Element, text: str) -> None:
        self._replaced.add(each)
        self.edits.append((self._spans[each].start, self._spans[each].end, text.encode()))

    def _note(self, each: Element, what: str) -> None:
        """Add a note on an object, with its line. If `what` begins with `!`, it is a problem."""
        line = self._data.count(b"\n", 0, self._spans[each].start) + 1
        self.notes.append(f"{line}:{'!' * what.startswith('!')}{describe_object(each)}: {what.removeprefix('!')}")

    # Texts

    def _adapt_text(self, text: Element, bound: str) -> None:
        words = f"{{{{ {bound} }}}}" if bound else join_words(text)
        path = next((one for one in text.iter_elements() if one.tag == "textPath"), None)
        if path is not None and bound:
            begin, end = self._spans[path].inner, self._spans[path].end - len("</textPath>")
            self.edits.append((begin, end, words.encode()))
            return
        lines = [part for part in text.iter_elements() if part.tag == "tspan" and {"x", "y"} & part.attributes.keys()]
        split = [line for line in lines if join_words(line).count("{{") != join_words(line).count("}}")]
        filled = _has_tags(words)
        frame = self._find_frame(text) if filled or text.tag == "flowRoot" else None
        several = len({line.attributes.get("y") for line in lines} - {None}) > 1
        wrapped = bound or split or any(join_words(line).endswith(" ") for line in lines)
        if split and frame is None:
            joined = " ".join(words.split())[:60]
            self._note(text, f"a placeholder is split over several lines; pnp joins them: {joined}")
        if frame is None and several and filled and wrapped:
            frame = self._find_panel(text)
        if frame is not None:
            self._replace(text, self._make_textbox(text, frame, words))
        elif bound or split:
            more = {name: text.attributes.get(name) or find_first_place(text, name) for name in ("x", "y")}
            more["text-anchor"] = find_style(text, "text-anchor", "start")
            self._replace(text, self._write_text("text", text, more, " ".join(words.split())))
        elif filled:  # its tags have no entities, and all else keeps its position
            for each in text.iter_elements():
                if re.search("[&<>]", each.text) and not each.children and _has_tags(each.text):
                    span = self._spans[each]
                    self.edits.append((span.inner, span.end - len(f"</{each.tag}>"), _escape_words(each.text).encode()))

    def _find_frame(self, text: Element) -> Rect | None:
        """Return the frame of a flowed text in its own coordinates, or None for a text without one."""
        size = read_number(find_style(text, "font-size", "0"))
        inside = re.search(r"url\(\s*[\"']?#([^)\"']+)", text.properties.get("shape-inside", ""))
        shape: Element | None = None
        if inside is not None:
            shape = self._ids.get(inside[1])
        elif text.tag == "flowRoot":
            shape = next((one for one in text.iter_elements() if one.tag in BOXED), None)
        elif (group := _find_text_shape(text)) is not None:
            shapes = (one for one in group.iter_elements() if one.attributes.get("class") == "BoundingBox")
            box = find_box(next(shapes, text))
            if box is None:
                return None
            across = max(0.0, min(_OFFICE_PADDING, read_number(find_first_place(text, "x")) - box.x))
            return Rect(box.x + across, box.y + across / 2, box.width - 2 * across, box.height - across)
        elif width := read_number(text.properties.get("inline-size", "0")):
            return self._make_inline_frame(text, width, size)
        else:
            return None
        box = find_box(shape) if shape is not None else None
        if box is None or shape is None:
            return Rect(0.0, 0.0, 0.0, 0.0)
        padding = read_number(text.properties.get("shape-padding", "0"))
        return map_rect(read_matrix(shape), box).grow(-padding)  # what is around shape and text does not count

    def _make_inline_frame(self, text: Element, width: float, size: float) -> Rect:
        """Return the frame of a text with type of `size` wrapped at `width`. It reaches down to the document's edge."""
        x, y = (read_number(text.attributes.get(name) or find_first_place(text, name)) for name in ("x", "y"))
        shift = {"middle": width / 2, "end": width}.get(text.properties.get("text-anchor", ""), 0.0)
        inverse = invert_matrix(find_matrix(text))
        bottom = self._find_document().bottom
        below = map_point(inverse, (0.0, bottom))[1] if inverse else bottom
        return Rect(x - shift, y - size * _ASCENT, width, max(below - y + size * _ASCENT, size * _LINE))

    def _find_panel(self, text: Element) -> Rect:
        """Return the area for a text of several lines without a frame: the smallest shape below it.

        The text keeps its distance from the left side on the other side, too.
        """
        x, y = (read_number(text.attributes.get(name) or find_first_place(text, name)) for name in ("x", "y"))
        back = invert_matrix(find_matrix(text)) or IDENTITY
        panels = [self._find_document()]
        for each in self._root.iter_elements():
            if each is text:
                break
            if each.tag in BOXED and (box := find_box(each)) is not None:
                panels.append(map_rect(multiply(back, find_matrix(each)), box))
        around = [panel for panel in panels if panel.contains(Rect(x, y, 0, 0))]
        panel = min(around or panels, key=lambda each: each.width * each.height)
        top = y - read_number(find_style(text, "font-size", "0")) * _ASCENT
        gap = max(0.0, min(x - panel.x, top - panel.y, panel.width / 4))
        return Rect(x, top, panel.right - gap - x, panel.bottom - gap - top)

    def _find_document(self) -> Rect:
        view = [number for number, _ in scan_numbers(self._root.attributes.get("viewBox", ""))[0]]
        sides = (read_number(self._root.attributes.get(name, "0")) for name in ("width", "height"))
        return Rect(*view) if len(view) == 4 else Rect(0.0, 0.0, *sides)

    def _make_textbox(self, text: Element, frame: Rect, words: str) -> str:
        anchored = {"middle": "center", "end": "end"}.get(find_style(text, "text-anchor", ""), "start")
        if _find_text_shape(text) is not None:
            anchored = _guess_alignment(text, frame)
        size = read_number(find_style(text, "font-size", "0"))
        more = {
            **{name: f"{value:.4f}" for name, value in zip("xy", (frame.x, frame.y), strict=True)},
            "width": f"{max(frame.width, 0.0):.4f}", "height": f"{max(frame.height, 0.0):.4f}",
            "text-align": find_style(text, "text-align", anchored),
            "line-height": f"{_read_line_height(find_style(text, 'line-height', ''), size):g}",
        }  # fmt: skip
        return self._write_text("textbox", text, more, words.strip())

    def _write_text(self, tag: str, text: Element, more: dict[str, str], words: str) -> str:
        kept = ("id", "transform", "clip-path", "class", *(_OWN if tag == "textbox" else _OWN[:4]))
        attributes = {name: text.attributes[name] for name in kept if name in text.attributes}
        if inner := next((one.attributes["class"] for one in text.children if "class" in one.attributes), ""):
            attributes["class"] = f"{attributes.get('class', '')} {inner}"
        style = {name: value for name in _TEXT_STYLE if (value := find_style(text, name, ""))}
        if opacity := text.properties.get("opacity"):
            style["opacity"] = opacity
        attributes |= more | {"style": ";".join(f"{name}:{value}" for name, value in style.items())}
        head = " ".join(f"{name}={quoteattr(' '.join(value.split()))}" for name, value in attributes.items())
        return f"<{tag} {head}>{_escape_words(words)}</{tag}>"

    # Pictures and icons

    def _replace_by_field(self, each: Element, field: str) -> None:
        """Replace an object by the picture or the icon that a field names, in the object's box."""
        box = find_box(each)
        if box is None:
            self._note(each, "!it has no size in which a picture could be drawn")
            return
        place = f'x="{box.x:.4f}" y="{box.y:.4f}" width="{box.width:.4f}" height="{box.height:.4f}"'
        folder = _FOLDER.match(each.attributes.get("xlink:href", each.attributes.get("href", "")))
        file = f"('' if '/' in {field} else '{folder[0]}') ~ {field}" if folder else field
        picture, defined = f'<image href="{{{{ {file} }}}}" {place} fit="cover"/>', ""
        if each.tag in ("circle", "ellipse", "path", "polygon") or {"rx", "ry"} & each.attributes.keys():
            self._clips += 1
            name = f"{DRAWN}-{self._clips}"
            kept = " ".join(f"{key}={quoteattr(text)}" for key, text in each.attributes.items() if key in _GEOMETRY)
            defined = f'<clipPath id="{name}"><{each.tag} {kept}/></clipPath>'
            picture = f'<g clip-path="url(#{name})">{picture}</g>'
        icon = f'<use href="icon:{{{{ {field} }}}}" {place}/>'
        own = ((name, each.attributes[name]) for name in ("transform", "clip-path") if name in each.attributes)
        outer = "".join(f" {name}={quoteattr(text)}" for name, text in own)
        chosen = f"{{% if {field} in icons %}}{icon}{{% elif {field} %}}{picture}{{% endif %}}"
        self._replace(each, f"<g{outer}>{defined}{chosen}</g>")


def _resolve_copy(field: str) -> str:
    """Return a Jinja expression for a field that may be a copy's: Figma adds `_2` to a name, but a field may end so."""
    copied = _FIGMA_COPY.fullmatch(field) if _FIELD.fullmatch(field) else None
    return f"({field} if '{copied[2]}' in {copied[1]} else {field[: copied.start(3)]})" if copied else field


def _is_text_group(each: Element) -> bool:
    drawn = {one.tag for one in each.iter_elements()} - {"g", "tspan", "text", "flowRoot", "flowRegion", "flowPara"}
    return each.tag == "g" and (drawn <= {"rect", "title", "desc"})


def _find_text_shape(text: Element) -> Element | None:
    """Return the group that LibreOffice writes for a text with a frame."""
    if "SVGTextShape" not in text.attributes.get("class", ""):
        return None
    above = text.parent
    while above is not None and "TextShape" not in above.attributes.get("class", ""):
        above = above.parent
    return above


def _guess_alignment(text: Element, frame: Rect) -> str:
    """Return the likely alignment (`start`, `center`, `end`) of a LibreOffice text, from where its first line is."""
    first = next(one for one in text.iter_elements() if "TextPosition" in one.attributes.get("class", "TextPosition"))
    long = len(join_words(first)) * read_number(find_style(text, "font-size", "0")) * _LETTER
    free, begins = max(frame.width - long, 0.0), read_number(find_first_place(text, "x")) - frame.x
    starts = {"start": 0.0, "center": free / 2, "end": free}
    return min(starts, key=lambda side: abs(starts[side] - begins))


def _read_line_height(text: str, size: float) -> float:
    numbers, _ = scan_numbers(text)
    if not numbers or not numbers[0][0]:
        return _LINE
    value, unit = numbers[0]
    share = value / 100 if unit == "%" else value / size if unit not in ("", "em") and size else value
    return min(max(round(share, 4), 0.8), 4.0)


def _has_tags(words: str) -> bool:
    return next(find_jinja_tags(words), None) is not None


def _escape_words(words: str) -> str:
    """Return a text as markup, but its Jinja tags as Jinja needs them."""
    out, done = list[str](), 0
    for start, end in find_jinja_tags(words):
        out += [escape(words[done:start]), words[start:end].replace("\n", " ")]
        done = end
    return "".join([*out, escape(words[done:])])
