"""The command `layout`: writes a template as an SVG for drawing programs, with a real card beside it."""

import base64
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import click

from generator.base.display_list import PlacedSymbol
from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound, did_you_mean
from generator.base.geometry import IDENTITY, Rect, format_num
from generator.base.output_files import open_delivery
from generator.commands.options import PROJECT, open_project, say_files, say_notes
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.svg.tree import Element, find_link, parse_markup_tree, read_declarations
from generator.drawing.svg.values import LengthBasis, parse_length
from generator.drawing.svg_writer import escape_text
from generator.drawing.templates.game_templates import Templates
from generator.drawing.templates.template_sources import SourceMap, blank_tags, find_jinja_tags
from generator.game.load_game import load_game
from generator.game.model import Design, FaceName, Kind
from generator.game.project import Project
from generator.sheets.raster import encode_png, make_face_page, render_pages

NAME = "data-name"
"""Attribute for the name of an object; drawing programs keep it."""

_CHANGING = frozenset(["card", "lang", "second", "face", "words", "game"])
"""Variables whose value differs between the cards or languages that a template draws."""

_OPENING = re.compile(r"<([A-Za-z][\w:.-]*)([^<>]*)>")
_WORD = re.compile(r"\{%[-+]?\s*(\w+)")
_PLAIN_IF = re.compile(r"\{%[-+]?\s*if\s+(card\.\w+)\s*[-+]?%\}")
_SET = re.compile(r"\{%[-+]?\s*set\s+([\w\s,]+?)\s*(?:=(.*?))?[-+]?%\}", re.DOTALL)
_NAMED = re.compile(r"\{%[-+]?\s*(?:macro\s+(\w+)|import\b.*?\bas\s+(\w+)|from\b.*?\bimport\s+([\w\s,]+?))", re.DOTALL)
_BLOCKS = frozenset(["if", "for", "macro", "call", "filter", "with", "raw", "autoescape", "block"])
_BOUND = re.compile(r"""href=["'](icon:|[\w/.-]*)\{\{\s*(card\.\w+)\s*\}\}["']""")


@dataclass()
class LayoutSource:
    """A template's rewritten source, and a note (`line:column: what`) for each part that can't be edited."""

    text: str
    in_code: list[str] = field(default_factory=list)


class _Tag(NamedTuple):
    """A Jinja tag: its place in the source, its text, and the keyword of a statement (`output` for a value)."""

    start: int
    end: int
    text: str
    word: str


class SourceRewriter:
    """Rewrites one template: texts keep their placeholders, and code that no drawing can hold is left out.

    `known` are the variables that every template has. `fixed` is a phrase for notes: how such parts are drawn instead.
    """

    def __init__(self, source: str, templates: Templates, known: frozenset[str], fixed: str):
        self._source, self._templates, self._known, self._fixed = source, templates, known, fixed
        self._places = SourceMap(source)
        self._blank = blank_tags(source, find_jinja_tags(source))
        self._tags = [
            _Tag(start, end, text, found[1] if (found := _WORD.match(text)) else "output")
            for start, end in find_jinja_tags(source)
            if not (text := source[start:end]).startswith("{#")
        ]
        self._changing, self._of_card = set(_CHANGING), {"card"}
        self._own: set[str] = set()
        self._edits: list[tuple[int, int, str]] = []
        self._result = LayoutSource("")

    def rewrite(self) -> LayoutSource:
        """Return the rewritten source."""
        inside: list[tuple[int, int, bool]] = []  # opening XML tags, and (with True) the words in each text
        for found in _OPENING.finditer(self._blank):
            inside.append((found.start(), found.end(), False))
            if found[1] in ("text", "textbox") and not found[2].endswith("/"):
                inside.append((found.end(), self._blank.find(f"</{found[1]}", found.end()), True))
        index = 0
        while index < len(self._tags):
            tag = self._tags[index]
            within = next(((start, end, name) for start, end, name in inside if start <= tag.start < end), None)
            if within is not None:
                last = index
                while last + 1 < len(self._tags) and self._tags[last + 1].start < within[1]:
                    last += 1
                used = self._tags[index : last + 1]
                if within[2]:
                    self._read_words(within[0], within[1], used)
                else:
                    self._read_attributes(within[0], within[1], used)
                index = last + 1
            else:
                index = self._read_tag(index)
        parts, done = [], 0
        for start, end, text in sorted(self._edits):
            parts += [self._source[done:start], text]
            done = max(done, end)
        self._result.text = "".join([*parts, self._source[done:]])
        return self._result

    def _read_tag(self, index: int) -> int:
        """Process a Jinja tag between elements. Return the index of the next tag to process."""
        tag = self._tags[index]
        if tag.word.startswith("end") or tag.word in ("else", "elif"):
            return index + 1
        end, branches = self._find_block(index)
        if tag.word in ("output", "include"):
            if tag.word == "include" or self._uses(tag.text, self._changing):
                self._leave_out(tag.start, tag.end, tag)
            return index + 1
        if tag.word in ("macro", "import", "from", "set"):
            self._note_names(tag, self._tags[end].end)
            return end + 1
        plain = _PLAIN_IF.fullmatch(tag.text)
        inside = self._tags[index:end]
        if "<" not in self._blank[tag.end : self._tags[end].start] and all(each.word != "output" for each in inside):
            sets = (self._changing, self._of_card)
            asked = {id(names) for names in sets if any(self._asks_for(each, names) for each in branches)}
            for each in inside:
                if each.word == "set":
                    self._note_names(each, each.end, asked)
            return end + 1
        if end == index or not any(self._asks_for(each, self._changing) for each in branches):
            if tag.word == "for":
                self._own |= set(re.findall(r"\w+", tag.text.partition(" in ")[0]))
            return index + 1
        if plain and len(branches) == 1:
            self._edits += [
                (tag.start, tag.end, f'<g {NAME}="if:{plain[1]}">'),
                (self._tags[end].start, self._tags[end].end, "</g>"),
            ]
            return index + 1
        if tag.word == "if" and not any(self._asks_for(each, self._of_card) for each in branches):
            self._tell(tag.start, " ".join(tag.text.split()), self._fixed)
            return index + 1
        self._leave_out(tag.start, self._tags[end].end, tag)
        return end + 1

    def _find_block(self, index: int) -> tuple[int, list[_Tag]]:
        """Return the index of the tag that closes the block which the tag at `index` opens, and the block's branches.

        A tag that opens no block, or whose block is never closed, ends itself.
        """
        depth, branches = 0, [self._tags[index]]
        for at, tag in enumerate(self._tags[index:], index):
            short = _SET.fullmatch(tag.text) if tag.word == "set" else None
            if tag.word in _BLOCKS or (short is not None and short[2] is None):
                depth += 1
            elif tag.word.startswith("end"):
                depth -= 1
            elif depth == 1 and tag.word in ("elif", "else"):
                branches.append(tag)
            if depth == 0:
                return at, branches
        return index, branches[:1]

    def _note_names(self, tag: _Tag, end: int, asked: Container[int] = ()) -> None:
        """Record the names that a statement, up to `end`, defines, and if they depend on the card or the language.

        `asked` are the ids of the sets (`_changing`, `_of_card`) to which the names belong in any case.
        """
        found = _SET.fullmatch(tag.text) or _NAMED.match(tag.text)
        if found is None:
            return
        given = found.groups()[: 1 if tag.word == "set" else 3]
        names = {name.strip() for group in given if group for name in group.split(",")}
        self._own |= names
        for group in (self._changing, self._of_card):
            used = tag.word in ("macro", "set") and self._uses(self._source[tag.start : end], group)
            group.difference_update(names)
            group.update(names if used or id(group) in asked else ())

    def _uses(self, code: str, names: set[str]) -> bool:
        return not names.isdisjoint(self._templates.jinja.list_names_in(code))

    def _asks_for(self, tag: _Tag, names: set[str]) -> bool:
        """Return True if the condition of a block's tag (`if`, `elif`, `for` ...) uses one of these names."""
        if tag.word == "else":
            return False
        code, word = (tag.text.replace("elif", "if", 1), "if") if tag.word == "elif" else (tag.text, tag.word)
        return self._uses(f"{code}{{% end{word} %}}", names)

    def _read_words(self, start: int, end: int, tags: list[_Tag]) -> None:
        """Keep placeholders (`tags`) of a text at these offsets if any template has their variables, else report it."""
        words = self._source[start:end]
        if not self._uses(words, self._changing):
            return
        used = self._templates.jinja.list_names_in(words)
        if used <= self._known - self._own:
            for tag in tags:  # drawing programs write " as &quot;
                if "'" not in tag.text:
                    words = words.replace(tag.text, tag.text.replace('"', "'"))
            self._edits.append((start, end, f"{{% raw %}}{words.strip()}{{% endraw %}}"))
        else:
            frozen = not self._uses(words, self._of_card)
            if not frozen:  # one card's text on all cards would be wrong
                self._edits.append((start, end, ""))
            self._tell(start, f"the text {' '.join(words.split())}", self._fixed if frozen else "")

    def _read_attributes(self, start: int, end: int, tags: list[_Tag]) -> None:
        """Name the element at these offsets after its picture or icon. Report its `tags` that depend on the card."""
        element = self._source[start:end]
        bound = _BOUND.search(element)
        if bound is not None:
            at = start + len(_OPENING.match(self._blank, start)[1]) + 1  # type: ignore[index]
            self._edits.append((at, at, f' {NAME}="{bound[2]}"'))
        name = self._blank[start + 1 : end].split(None, 1)[0].rstrip("/>")
        attributes: dict[str, _Tag] = {}
        for tag in tags:
            inside = bound is not None and start + bound.start() <= tag.start < start + bound.end()
            if inside or tag.word.startswith(("end", "el")):
                continue
            if self._asks_for(tag, self._changing) if tag.word in _BLOCKS else self._uses(tag.text, self._changing):
                before = re.search(r"([\w:-]+)\s*=\s*[\"'][^\"']*$", self._blank[start : tag.start])
                attributes.setdefault(before[1] if before else tag.text, tag)
        if attributes:
            first = next(iter(attributes.values()))
            code = f": {first.text}" if len(attributes) == 1 else ""
            self._tell(first.start, f"{', '.join(attributes)} of <{name}>{code}", self._fixed)

    def _leave_out(self, start: int, end: int, tag: _Tag) -> None:
        inside = [each for each in self._tags if start <= each.start < end and each.word not in ("output", "include")]
        kept = "".join([each.text for each in inside]) if any(each.word == "set" for each in inside) else ""
        self._edits.append((start, end, kept))  # later code may use the names that it sets
        self._tell(start, " ".join(tag.text.split()))

    def _tell(self, offset: int, what: str, drawn: str = "") -> None:
        shown = what if len(what) <= 80 else f"{what[:77]}..."
        end = f" ({drawn})" if drawn else ""
        self._result.in_code.append(f"{self._places.find_position(offset)}: stays in code: {shown}{end}")


_HEAD = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
 xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
 xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
 width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">
<sodipodi:namedview inkscape:document-units="mm"/>
"""
_REFERENCE = """<g id="reference" inkscape:groupmode="layer" inkscape:label="reference" sodipodi:insensitive="true">
<image x="{x}" y="0" width="{width}" height="{height}" xlink:href="{data}"/>
</g>
"""
_BESIDE = 10.0
"""Distance between the drawing and the real card (mm)."""

_CARD_DPI, _ICON_PIXELS = 200.0, 400

_PAINTS = frozenset(["fill", "stroke", "color", "stop-color", "flood-color"])
_LENGTHS = frozenset(
    [
        *("x", "y", "width", "height", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "stroke-width"),
        *("font-size", "min-size", "letter-spacing"),
    ]
)
_TEXT_STYLE = ("font-family", "font-size", "font-weight", "font-style", "line-height", "text-align", "fill")
_ANCHORS = {"middle": "middle", "center": "middle", "end": "end", "right": "end"}
_NO_UNIT = re.compile(r"-?[\d.]+%?")


@dataclass(frozen=True, slots=True)
class ExportedLayout:
    """The path of the written file, and a note for each part of the template that no drawing program can edit."""

    files: tuple[Path, ...]
    notes: tuple[str, ...]


def export_layout(project: Project, template: str, design_id: str, lang: str, out: Path | None) -> ExportedLayout:
    """Write the template of `GAME/KIND`, or a template given by its path, for a drawing program.

    `design_id` and `lang` choose the card that it shows; empty ones stand for the first. Raise ProblemsFound if there
    is no such template, if the card can't be drawn, or if the default file exists.
    """
    path = Path(template)
    in_folder = path.suffix == ".svg"
    name = path.parent.name if in_folder else template.partition("/")[0]
    (game_name,) = project.choose_games((name,))
    workshop = Workshop(load_game(project.find_folder(game_name), project.resources), project.resources)
    game = workshop.game
    if lang and lang not in game.languages:
        what = f"--lang {lang}: the game has no such language"
        raise ProblemsFound([Problem(game.places.place("languages"), what, did_you_mean(lang, game.languages))])
    wanted = path.stem if in_folder else template.partition("/")[2]
    faces = [
        (kind, design, side)
        for kind in game.kinds.values()
        for design in kind.designs
        for side in kind.faces(design)
        if (kind.template(design, side) == wanted if in_folder else kind.id == wanted and side == kind.faces(design)[0])
    ]
    if not faces:
        known = {each.template(one, "front") for each in game.kinds.values() for one in each.designs}
        what = f"no card uses the template '{wanted}'" if in_folder else f"{game.id} has no kind '{wanted}'"
        raise ProblemsFound([Problem(None, what, did_you_mean(wanted, known if in_folder else game.kinds))])
    chosen = [face for face in faces if not design_id or design_id in (face[1].id, face[1].id.partition("/")[2])]
    if not chosen:
        hint = did_you_mean(design_id, [design.id for _, design, _ in faces])
        raise ProblemsFound([Problem(None, f"--design: there is no '{design_id}' among these cards", hint)])
    kind, design, side = chosen[0]
    stem = kind.template(design, side)
    target = out or project.root / "templates" / game.id / f"{stem}.layout.svg"
    if out is None and target.exists():
        place = Place(project.resources.display_path(target))
        raise ProblemsFound([Problem(place, "the file exists", "move it away, or name another file with --out")])
    drawing = _Layout(workshop, kind, lang or game.languages[0])
    data, notes = drawing.draw(design, side, stem)
    with open_delivery() as files:
        files.put(target, data.encode())
        return ExportedLayout(tuple(files.hand_over()), notes)


class _Layout:
    """Converts one template to an SVG with objects that a drawing program can edit."""

    def __init__(self, workshop: Workshop, kind: Kind, lang: str):
        self._workshop, self._kind, self._lang = workshop, kind, lang
        self._basis = LengthBasis(1.0, kind.size.width, kind.size.height, "mm")
        self._frames: list[str] = []

    def draw(self, design: Design, side: FaceName, stem: str) -> tuple[str, tuple[str, ...]]:
        """Return the SVG of the template `stem`.svg as for this card, and what stays in code. Raise ProblemsFound."""
        artist, kind = self._workshop.artist, self._kind
        face = self._workshop.draw_face(design, side, self._lang)
        found = artist.templates.find_source(f"{stem}.svg")
        if face is None or found is None:
            blank = Problem(kind.place, f"{design.id} has no template for its {side}")
            raise ProblemsFound(self._workshop.problems or [blank])
        source, file = found
        variables = artist.views.make_variables(design, side, self._lang)
        changed = SourceRewriter(source, artist.templates, frozenset(variables), f"drawn as on {design.id}").rewrite()
        markup = artist.templates.jinja.render_changed(f"{stem}.svg", changed.text, variables).strip()
        root, _ = parse_markup_tree(markup.encode(), lambda _stamp: Place(file), "template")
        drawn = "".join([self._write(child) for child in root.children])
        size = {"width": format_num(kind.size.width), "height": format_num(kind.size.height)}
        (image,) = render_pages(self._workshop, [make_face_page(face, False)], _CARD_DPI, self._lang)
        beside = format_num(kind.size.width + kind.bleed + _BESIDE)
        card = _REFERENCE.format(**size, x=beside, data=_embed(encode_png(image, _CARD_DPI)))
        layer = '<g id="card" inkscape:groupmode="layer" inkscape:label="card">\n'
        frames = f"<defs>\n{''.join(self._frames)}</defs>\n" if self._frames else ""
        text = f"{_HEAD.format(**size)}{frames}{layer}{drawn}</g>\n{card}</svg>\n"
        return text, tuple([f"{file}:{line}" for line in changed.in_code])

    def _write(self, element: Element) -> str:
        """Return the markup of an element with everything inside it."""
        given = dict(self._translate(element))
        link = find_link(element)
        if element.tag in ("text", "textbox") and not element.join_words().strip():
            return ""
        bound = given.get(NAME, "")
        match element.tag:
            case "textbox":
                return self._write_frame(element, given)
            case "use" if bound:
                given = {name: text for name, text in given.items() if not name.endswith("href")}
                return _tag("rect", {"fill": given.pop("color", "#808080"), "fill-opacity": "0.5", **given})
            case "use" if link.startswith("icon:"):
                return self._write_icon(link.removeprefix("icon:"), given)
            case "use" if not link.startswith("#"):
                return _tag("image", given)
        inside = "".join([escape_text(part) if isinstance(part, str) else self._write(part) for part in element.parts])
        if element.tag == "text":
            given["xml:space"] = "preserve"
            inside = inside.strip()
        return _tag(element.tag, given, inside)

    def _translate(self, element: Element) -> Iterator[tuple[str, str]]:
        """Yield an element's attributes with colours and lengths (mm) that every drawing program understands."""
        for name, text in element.attributes.items():
            if name == NAME:
                yield "inkscape:label", text
            elif name == "href":
                yield "xlink:href", text
                continue
            elif name == "style":
                parts = [f"{each.name}:{self._read_value(each.name, each.value)}" for each in read_declarations(text)]
                yield name, ";".join(parts)
                continue
            yield name, self._read_value(name, text)

    def _read_value(self, name: str, text: str) -> str:
        if name in _PAINTS and (text in self._workshop.game.palette or text == "ink"):
            return self._workshop.hex_of_paint(text)
        if name in _LENGTHS and not _NO_UNIT.fullmatch(text) and not text.endswith("em"):
            try:
                return format_num(round(parse_length(text, self._basis), 4))
            except InvalidInput:
                return text
        return text

    def _write_frame(self, element: Element, given: dict[str, str]) -> str:
        """Return an SVG text with the `given` attributes that flows in a rectangle; add the rectangle to `_frames`."""
        number = len(self._frames) + 1
        box = {name: given.pop(name, "0") for name in ("x", "y", "width", "height")}
        self._frames.append(_tag("rect", {"id": f"frame-{number}", **box}))
        align = given.get("text-align", "start")
        styles = {name: given.pop(name) for name in _TEXT_STYLE if name in given}
        if "font-size" in styles:
            styles["font-size"] += "px"
        styles["text-align"] = {"middle": "center", "left": "start", "right": "end"}.get(align, align)
        styles["text-anchor"] = _ANCHORS.get(align, "start")
        own = [given.pop("style", ""), *(f"{name}:{text}" for name, text in styles.items())]
        style = ";".join(filter(None, [*own, "white-space:pre", f"shape-inside:url(#frame-{number})"]))
        words = escape_text(element.join_words().strip())
        return _tag("text", {"xml:space": "preserve", "style": style, **given}, f"<tspan>{words}</tspan>")

    def _write_icon(self, icon: str, given: dict[str, str]) -> str:
        """Return an icon's <image> tag with `given`, or '' without art."""
        symbol = self._workshop.artist.draw_icon(icon, given.pop("color", "ink"))
        if symbol is None:
            return ""
        box = Rect(*symbol.box)
        scale = _ICON_PIXELS / max(box.width, box.height)
        image = self._workshop.artist.render_items((PlacedSymbol(symbol, IDENTITY),), box, scale)
        return _tag("image", given | {"xlink:href": _embed(encode_png(image, 300.0))})


def _tag(name: str, attributes: dict[str, str], inside: str = "") -> str:
    given = "".join([f' {key}="{escape_text(text)}"' for key, text in attributes.items()])
    return f"<{name}{given}>{inside}</{name}>\n" if inside else f"<{name}{given}/>\n"


def _embed(png: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}"


@click.group()
def layout() -> None:
    """Edit templates in a drawing program."""


@layout.command()
@click.argument("template", metavar="GAME/KIND")
@click.option("--design", "design", default="", metavar="ID", help="Card to show (default: the first of its kind).")
@click.option("--lang", default="", metavar="LANG", help="Language of that card (default: the game's first).")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help="File to write (default: KIND.layout.svg beside the template, where its pictures are found).",
)
@PROJECT
@click.pass_obj
def export(obj: Path | None, /, **options: Any) -> None:
    """Write a template as an SVG for Inkscape.

    GAME/KIND is a kind of component, or the path of a template. Texts keep their {{ ... }}; frames, pictures and icons
    have names. A real card is beside the drawing. pnp lists what only code can draw. Save the edited file as
    templates/GAME/KIND.svg.
    """
    project = open_project(obj, {**options, "languages": ()})
    done = export_layout(project, options["template"], options["design"], options["lang"], options["out"])
    say_files(done.files)
    say_notes(done.notes)
