"""`pnp layout export`: writes a template as an SVG for drawing programs, with a real card beside it."""

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from generator.base.display_list import PlacedSymbol
from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound, did_you_mean
from generator.base.geometry import IDENTITY, Rect, format_num
from generator.base.output_files import open_delivery
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.svg.tree import Element, find_link, parse_markup_tree, read_declarations
from generator.drawing.svg.values import LengthBasis, parse_length
from generator.drawing.svg_writer import escape_text
from generator.exchange.layout_source import NAME, SourceRewriter
from generator.game.load_game import load_game
from generator.game.model import Design, FaceName, Kind
from generator.game.project import Project
from generator.sheets.raster import encode_png, make_face_page, render_pages

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
        """Return the SVG of the template, and the notes. Raise ProblemsFound if the card can't be drawn."""
        artist, kind = self._workshop.artist, self._kind
        face = self._workshop.draw_face(design, side, self._lang)
        found = artist.templates.find_source(f"{stem}.svg")
        if face is None or found is None:
            blank = Problem(kind.place, f"{design.id} has no template for its {side}")
            raise ProblemsFound(self._workshop.problems or [blank])
        source, file = found
        variables = artist.views.make_variables(design, side, self._lang)
        changed = SourceRewriter(source, artist.templates, frozenset(variables), f"drawn as on {design.id}").rewrite()
        markup = artist.templates.render_changed(f"{stem}.svg", changed.text, variables).strip()
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
        """Return an SVG text that flows in a rectangle, and store that rectangle."""
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
        """Return an icon that all cards share as a drawing in the file."""
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
