"""Draws the faces of one game from its templates, or takes unchanged ones from the cache."""

import hashlib
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from generator.base.cache import hash_value
from generator.base.colour import Rgb, rgb_from_hex
from generator.base.display_list import ArtNote, Drawing, Item, Paint, StampPlace, Symbol, TextFrame
from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.files import Resources
from generator.base.geometry import Rect, Size
from generator.base.languages import first_language, second_language
from generator.drawing.svg.art_files import ArtUse, draw_art
from generator.drawing.svg.common_parts import FaceSkeletons, SetFace
from generator.drawing.svg.draw_elements import draw_children, draw_root
from generator.drawing.svg.scene import Assets, Scene, Studio
from generator.drawing.svg.style import INITIAL, StyleBook
from generator.drawing.svg.tree import Element, parse_markup_tree
from generator.drawing.svg.values import parse_view_box
from generator.drawing.templates.renderer import Templates
from generator.drawing.templates.template_sources import Rendered
from generator.drawing.templates.template_values import GameViews, View
from generator.game.game_cache import PICTURE_SOURCES, GameCache, ReadLog
from generator.game.model import Design, FaceName, Game, Kind
from generator.game.piece_outlines import mirror_outline
from generator.game.rich_text import Words, make_emoji_replacer
from generator.text.fonts import Chain, FontBook

if TYPE_CHECKING:
    from PIL import Image


STALE_FACTOR = 4
"""The cache also keeps faces that are no longer in use, up to this many times the number of faces in use."""

MOST_CACHED = 20_000
"""Maximum number of faces that a run caches. More would need more memory than drawing them again."""

FaceKey = tuple[str, FaceName, str]
"""Design id, face, language or two languages (`ja+en`)."""


_FACES = tuple[dict[str, Any], Collection[Chain]]
"""Contents of the cache: drawings by digest, and keys of the fonts that they use."""


class CachedFace(NamedTuple):
    """A cached face: its drawing; `offered` is True if it shows two languages."""

    drawing: Drawing
    offered: bool


@dataclass(slots=True, eq=False, repr=False)
class _CachedDrawings:
    """Drawings from the cache by digest (the latest last), which of them this run used, and whether any is new."""

    drawings: dict[str, Drawing] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    grown: bool = False


class FaceCache:
    """Cache of the faces of one game that were drawn without problems; `save` writes it for later runs.

    The key of a face is its markup, kind and language. Palette, icons, fonts and art are part of the key, and so are
    the component names if the text refers to components. While data and templates are unchanged, the design's id is
    enough.
    """

    def __init__(self, kept: GameCache, game: Game, fonts: FontBook):
        self._kept, self._game, self._fonts = kept, game, fonts
        self._keys: dict[int, str] = {}  # by id of the album's drawings, which exist as long
        self._sketches: dict[FaceKey, tuple[str, bool]] = {}
        self._new_sketches = False

    @cached_property
    def _look_digest(self) -> str:
        return digest_look(self._game)

    @cached_property
    def _names_digest(self) -> str:
        return hash_value(_collect_names(self._game))

    @cached_property
    def _album(self) -> _CachedDrawings:
        """Read the drawings of earlier runs on first use, and open the fonts that they use."""
        known = self._kept.get("faces", _FACES, self._look_digest)
        if known is None:
            return _CachedDrawings()
        drawings, chains = known
        if not all(isinstance(drawing, Drawing) for drawing in drawings.values()):  # written by something else
            return _CachedDrawings()
        for chain in chains:
            self._fonts.get_chain(*chain)
        self._keys = {id(drawing): key for key, drawing in drawings.items()}
        self._sketches = self._kept.get("sketches", dict[FaceKey, tuple[str, bool]], self._kept.game) or {}
        return _CachedDrawings(drawings)

    def digest_markup(self, kind: Kind, edition: str, name: str, markup: str) -> str:
        """Return the digest of a face drawn from this markup."""
        named = (
            self._names_digest if "@" in markup or "&#" in markup else ""
        )  # it may refer to components: {@reel/6-wheat}
        size = f"{kind.size.width!r} {kind.size.height!r} {kind.bleed!r}"
        parts = "\0".join((kind.id, size, edition, name, named, markup))
        return hashlib.blake2b(parts.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def find_drawing(self, key: str) -> Drawing | None:
        """Return the face with this digest, or None if it is not in the cache."""
        found = self._album.drawings.get(key)
        if found is not None:
            self._album.used.add(key)
        return found

    def add(self, key: str, drawing: Drawing) -> None:
        """Add a face that was drawn without problems."""
        self._album.drawings[key] = drawing
        self._keys[id(drawing)] = key
        self._album.used.add(key)
        self._album.grown = True

    def find_face(self, design: Design, face: FaceName, edition: str) -> CachedFace | None:
        """Return the cached face of a design if the game is unchanged, else None."""
        album = self._album  # also reads the sketches
        key, offered = self._sketches.get((design.id, face, edition), ("", False))
        drawing = self.find_drawing(key) if key in album.drawings else None
        return CachedFace(drawing, offered) if drawing is not None else None

    def note_face(self, design: Design, face: FaceName, edition: str, drawing: Drawing, *, offered: bool) -> None:
        """Record which drawing is the face of a design, so that `find_face` finds it."""
        self._sketches[design.id, face, edition] = self._keys[id(drawing)], offered
        self._new_sketches = True

    def save(self) -> None:
        """Write new faces for later runs. Write nothing if a font has problems, since any text may then be wrong."""
        if self._fonts.problems or "_album" not in self.__dict__ or len(self._album.used) > MOST_CACHED:
            return
        album = self._album
        if album.grown:
            late = {key: drawing for key, drawing in album.drawings.items() if key in album.used}
            early = [pair for pair in album.drawings.items() if pair[0] not in album.used]
            room = max(0, (STALE_FACTOR - 1) * len(late))
            kept = {**dict(early[max(0, len(early) - room) :]), **late}
            self._kept.put("faces", (kept, self._fonts.chains), self._look_digest, rests_on=PICTURE_SOURCES)
            album.grown = False
        if self._new_sketches:
            self._kept.put("sketches", self._sketches, self._kept.game)
            self._new_sketches = False


def digest_look(game: Game) -> str:
    """Return a digest of the data that drawings depend on besides markup: languages, paint names, icons, fonts."""
    icons = [(icon.id, icon.colour, icon.art, icon.emoji) for icon in game.icons.values()]
    fonts = [
        (name, *map(dict, (family.regular, family.bold, family.italic, family.weights)))
        for name, family in game.fonts.items()
    ]
    return hash_value((game.languages, sorted(game.palette), icons, fonts))


def _collect_names(game: Game) -> list[object]:
    kinds = [(kind.id, dict(kind.name.items())) for kind in game.kinds.values()]
    return [*kinds, *((design.id, design.fields.get("name")) for design in game.designs())]


class Artist:
    """Draws one game's faces. Equal markup gives the same `Drawing` object; `problems` lists each problem once.

    `faces` has the faces drawn so far, `notes` each note on their art. `offered` lists the editions in two languages,
    like `ja+en`, that at least one face uses. Other texts of the same game can use `templates` and `views`. Templates
    read earlier for the same game can be passed in if no template has changed: reading them takes longer than drawing a
    face. `reads` notes the files that are read. `known` is the face cache.
    """

    def __init__(
        self,
        game: Game,
        resources: Resources,
        fonts: FontBook,
        templates: Templates | None = None,
        reads: ReadLog | None = None,
    ) -> None:
        self.problems: list[Problem] = []
        self.offered: set[str] = set()
        self.faces: dict[FaceKey, Drawing | None] = {}
        self.notes: dict[str, None] = {}
        self._game = game
        self.known: FaceCache | None = None
        self.templates = templates or Templates(game.id, resources, reads)
        self.views = GameViews(game, self.templates.expand_text, self.templates.functions, self.templates.note_card_use)
        assets = Assets(game.id, resources, reads)
        emoji = make_emoji_replacer((icon.id, icon.emoji) for icon in game.icons.values())
        styles = StyleBook(frozenset(game.palette) | {"ink"})
        self._studio = Studio(game, fonts, assets, styles, self.render_items, draw_children, icons_in=emoji)
        self._formes = FaceSkeletons()
        self._known: set[Problem] = set()
        self._shared: dict[tuple[str, str, FaceName, str], Rendered] = {}
        self._drawings: dict[tuple[str, str, str, tuple[str, ...]], Drawing | None] = {}

    def draw_face(self, design: Design, face: FaceName, lang: str) -> Drawing | None:
        """Return one face, drawn on first use. Return None if it has no template or has problems (see `problems`).

        `lang` may be two languages, like `ja+en`; a template that ignores the second is drawn in the first.
        """
        key = (design.id, face, lang)
        if key in self.faces:
            return self.faces[key]
        self.faces[key] = None
        template = self._game.kinds[design.kind].template(design, face)
        if not template:
            return None
        sketch = self.known and self.known.find_face(design, face, lang)
        if sketch:
            if sketch.offered:
                self.offered.add(lang)
            return self._keep_face(key, sketch.drawing)
        same_for = (template, design.kind, face, lang)
        try:
            rendered = self._shared.get(same_for)
            if rendered is None:
                variables = self.views.make_variables(design, face, lang)
                rendered = self.templates.render_face(
                    f"{template}.svg", variables, partial(self._find_template_place, design, face)
                )
                variables.clear()  # break the cycle between card and variables
                if not rendered.by_card:
                    self._shared[same_for] = rendered
            if second_language(lang):
                if not rendered.bilingual:
                    return self._keep_face(key, self.draw_face(design, face, first_language(lang)))
                self.offered.add(lang)
            drawing = self._draw_rendered(design, face, lang, rendered)
        except ProblemsFound as found:
            self._add_problems(found.problems)
            return None
        if self.known is not None and drawing is not None:
            self.known.note_face(design, face, lang, drawing, offered=bool(second_language(lang)))
        return self._keep_face(key, drawing)

    def _keep_face(self, key: FaceKey, drawing: Drawing | None) -> Drawing | None:
        """Store a drawn face and the notes on its art, and return it."""
        self.faces[key] = drawing
        if drawing is not None:
            self.notes |= dict.fromkeys(drawing.notes)
        return drawing

    def run_template(self, design: Design, face: FaceName, lang: str) -> None:
        """Fill in a face's template without drawing it, so that its code is compiled and cached. Ignore problems."""
        template = self._game.kinds[design.kind].template(design, face)
        with suppress(ProblemsFound):
            self.templates.render_face(f"{template}.svg", self.views.make_variables(design, face, lang), lambda: None)

    def draw_background(self, name: str, size: Size, lang: str) -> Drawing | None:
        """Draw a template that belongs to no piece, in the size of a page. Return None if it has problems.

        The template sees the game's variables with `width`, `height` and `bleed`, but no card.
        """
        measures = {"width": size.width, "height": size.height, "bleed": 0.0, "safe": 0.0}
        try:
            rendered = self.templates.render_face(
                name, {**self.views.make_game_variables(lang), **measures}, lambda: None
            )
            locate = partial(self.templates.locate_stamp, rendered)
            root, loose = parse_markup_tree(rendered.markup.strip().encode(), locate, "template")
        except ProblemsFound as found:
            self._add_problems(found.problems)
            return None
        scene = Scene(self._studio, lang, locate, self.draw_icon, subject=f"{name} ({lang})")
        scene.problems += loose
        outer = (0.0, 0.0, size.width, size.height)
        items = draw_root(scene, root, INITIAL, scene.read_value(root, "viewBox", parse_view_box, None), outer)
        if scene.problems:
            self._add_problems(scene.problems)
            return None
        return Drawing(size.width, size.height, 0.0, items, lang)

    def render_items(self, items: tuple[Item, ...], box: Rect, scale: float) -> "Image.Image":
        """Return a picture of items in a box, at `scale` pixels per unit; drawings use it for their filters."""
        from generator.drawing.pdf.page_images import render_items_png

        def rgb(paint: Paint) -> Rgb:
            named = self._game.palette.get(paint)
            return rgb_from_hex(named.srgb if named is not None else paint if paint.startswith("#") else "#000000")

        return render_items_png(items, box, scale, self._studio.fonts, rgb, Path)

    def forget_faces(self) -> None:
        """Drop all drawn faces, and stop caching them for later runs."""
        self.faces.clear()
        self._drawings.clear()
        self.known = None

    def draw_icon(self, name: str, paint: Paint) -> Symbol | None:
        """Return an icon in one colour, or in its own if `paint` is empty. Return None if there is no such icon."""
        try:
            drawn = draw_art(self._studio, f"icon:{name}", ArtUse(paint, "icon", ""))
        except InvalidInput as mistake:
            entry = self._game.icons.get(name)
            if entry is not None:
                self._studio.broken_icons[name] = (Problem(entry.place, str(mistake), mistake.hint),)
            return None
        if drawn.problems:
            self._studio.broken_icons[name] = tuple(drawn.problems)
        return drawn.symbol

    def read_field(self, design: Design, lang: str, *path: Any) -> Any:
        """Return a design's value at a path (`card`, `title`), as its templates see it, or None if there is none.

        Texts are filled in. Raise ProblemsFound if a text refers to a missing name.
        """
        value: Any = self.views.make_variables(design, "front", lang)
        for step in path:
            if isinstance(value, View) and step not in value:
                return None
            value = value[step]
        return value

    def compute_value(self, expression: str, names: Mapping[str, Any]) -> Any:
        """Return the value of an expression of the data, computed in the templates' sandbox.

        Raise ValueError with a message if that fails.
        """
        return self.templates.compute_value(expression, names)

    def _draw_rendered(self, design: Design, face: FaceName, edition: str, rendered: Rendered) -> Drawing | None:
        kind, lang = self._game.kinds[design.kind], first_language(edition)
        own = design.fields.get("name", kind.name) if kind.template_side(face) == "front" else kind.name
        name = own[lang] if isinstance(own, Words) else str(own)
        key = (kind.id, edition, name, rendered.pieces)
        if key in self._drawings:
            return self._drawings[key]
        digest = self.known.digest_markup(kind, edition, name, rendered.markup) if self.known is not None else ""
        self._drawings[key] = drawing = self.known.find_drawing(digest) if self.known is not None else None
        if drawing is not None:
            return drawing
        done = self._set_markup(design, face, edition, rendered)
        if done is None:
            return None
        drawing = self._drawings[key] = Drawing(
            kind.size.width,
            kind.size.height,
            kind.bleed,
            done.items,
            lang,
            done.title or name,
            done.description,
            tuple([mark for mark in done.marks if isinstance(mark, StampPlace)]),
            tuple([mark for mark in done.marks if isinstance(mark, TextFrame)]),
            tuple(dict.fromkeys([mark.said for mark in done.marks if isinstance(mark, ArtNote)])),
        )
        if self.known is not None:
            self.known.add(digest, drawing)
        return drawing

    def open_face(self, design: Design, face: FaceName, edition: str) -> tuple[Scene, Element]:
        """Return a scene of its own for a face, and its elements before they are drawn. Raise ProblemsFound."""
        variables = self.views.make_variables(design, face, edition)
        template = f"{self._game.kinds[design.kind].template(design, face)}.svg"
        rendered = self.templates.render_face(template, variables, partial(self._find_template_place, design, face))
        scene = self._make_scene(design, face, edition, rendered)
        return scene, parse_markup_tree(rendered.markup.strip().encode(), scene.locate, "template")[0]

    def _make_scene(self, design: Design, face: FaceName, edition: str, rendered: Rendered) -> Scene:
        kind, locate = self._game.kinds[design.kind], partial(self.templates.locate_stamp, rendered)
        scene = Scene(self._studio, first_language(edition), locate, self.draw_icon, design)
        scene.trim = Rect(0.0, 0.0, kind.size.width, kind.size.height)
        front = kind.template_side(face) == "front"
        scene.outline = kind.outline if front else mirror_outline(kind.outline, kind.size.width)
        scene.subject = f"{design.id if rendered.by_card else kind.id} ({edition})"
        return scene

    def _set_markup(self, design: Design, face: FaceName, edition: str, rendered: Rendered) -> SetFace | None:
        """Draw a face from its markup, with the parts that all cards of its template share. None if it has problems."""
        kind, lang = self._game.kinds[design.kind], first_language(edition)
        side, outer = kind.template_side(face), (0.0, 0.0, kind.size.width, kind.size.height)
        locate = partial(self.templates.locate_stamp, rendered)
        fresh = partial(self._make_scene, design, face, edition, rendered)
        done = self._formes.set_face((kind.id, side, lang), rendered.pieces, fresh, outer, locate)
        if done is not None:
            return done
        root, loose = parse_markup_tree(rendered.markup.strip().encode(), locate, "template")
        scene = fresh()
        scene.problems += loose
        items = draw_root(scene, root, INITIAL, scene.read_value(root, "viewBox", parse_view_box, None), outer)
        if scene.problems:
            self._add_problems(scene.problems)
            return None
        return SetFace(items, scene.marks, root.child_text("title"), root.child_text("desc"))

    def _find_template_place(self, design: Design, face: FaceName) -> Place | None:
        """Return where a face's template is named in the data: at the design, or at the kind.

        Return None if unknown.
        """
        kind = self._game.kinds[design.kind]
        key = kind.template_side(face)
        if key in (design.source.value or ()):
            return design.source.place(key)
        return self._game.places.place("components", design.kind, key) or kind.place or design.place

    def _add_problems(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            if problem not in self._known:
                self._known.add(problem)
                self.problems.append(problem)
