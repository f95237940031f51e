"""Draws the faces of one game from its templates, or takes unchanged ones from the cache."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
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
from generator.drawing.svg.style import StyleBook
from generator.drawing.svg.tree import Element, parse_markup_tree
from generator.drawing.templates.game_templates import Templates
from generator.drawing.templates.template_sources import Rendered
from generator.drawing.templates.template_values import GameViews, View
from generator.game.game_cache import MOST_CACHED, GameCache, PictureTable, ReadLog, Reads, Source, States, has_shape
from generator.game.model import Design, FaceName, Game, Kind
from generator.game.piece_outlines import mirror_outline
from generator.game.rich_text import Words, make_emoji_replacer
from generator.text.fonts import FontBook

if TYPE_CHECKING:
    from PIL import Image


FaceKey = tuple[str, FaceName, str]
"""Design id, face, language or two languages (`ja+en`)."""


class Sketch(NamedTuple):
    """What is known of a face that was rendered from a template: a hash of its markup, and what was read for it.

    `named`: the markup may refer to components. `edition`: the languages that the face shows. `reads` are the numbers
    under which a log of reads lists what was read.
    """

    template: str
    markup: str
    named: bool
    edition: str
    reads: tuple[int, ...]


_SKETCHES = tuple[list[Any], dict[Any, Any]]
"""All reads, each once, with the states of what was read, and the sketches of the faces. Each is checked on use."""

_STEPS = (str, int, float, type(None))
"""Types of the names in a path of the data."""


class FaceNote(NamedTuple):
    """A face as it was drawn: its sketch, the digest of all that decides it, and the states of what was read for it."""

    sketch: Sketch
    digest: str
    states: States


class FaceNotes:
    """What was read to render the faces of one game, so that a later state of it can tell which ones have changed."""

    def __init__(self, game: Game):
        self._game = game
        self._new: dict[FaceKey, tuple[Sketch, Reads]] = {}

    @cached_property
    def _names_digest(self) -> str:
        kinds = [(kind.id, dict(kind.name.items())) for kind in self._game.kinds.values()]
        return hash_value([*kinds, *((design.id, design.fields.get("name")) for design in self._game.designs())])

    def note_face(self, key: FaceKey, shown: str, design: Design, markup: str, reads: Reads) -> str:
        """Record what was read to render a face's markup. Return its digest.

        `shown` are the languages that the face shows: the first one of an edition if its template ignores the second.
        """
        hashed = hashlib.blake2b(markup.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        named = "@" in markup or "&#" in markup  # it may refer to components: {@reel/6-wheat}
        template = self._game.kinds[design.kind].template(design, key[1])
        self._new[key] = Sketch(template, hashed, named, shown, ()), reads
        return self._digest_face(design, key[1], self._new[key][0])

    def take_note(self, design: Design, key: FaceKey, log: ReadLog) -> FaceNote | None:
        """Return the note of a newly rendered face, with states from `log`, and forget it; None if there is none."""
        if key not in self._new:
            return None
        sketch, reads = self._new.pop(key)
        return FaceNote(sketch, self._digest_face(design, key[1], sketch), {one: log.find_state(one) for one in reads})

    def is_unchanged(self, design: Design, key: FaceKey, note: FaceNote, log: ReadLog) -> bool:
        """Return True if a face with an earlier note would be drawn alike, as all that it depends on is as noted."""
        sketch = note.sketch
        return (
            sketch.template == self._game.kinds[design.kind].template(design, key[1])
            and all(log.find_state(source) == state for source, state in note.states.items())
            and self._digest_face(design, key[1], sketch) == note.digest
        )

    def _digest_face(self, design: Design, face: FaceName, sketch: Sketch) -> str:
        kind, lang = self._game.kinds[design.kind], first_language(sketch.edition)
        names = find_face_name(kind, design, face, lang), self._names_digest if sketch.named else ""
        size = f"{kind.size.width!r} {kind.size.height!r} {kind.bleed!r} {kind.safe!r}"
        shape = f"{kind.id} {size} {kind.template_side(face)} {kind.outline}"
        parts = (shape, sketch.edition, *names, sketch.markup)
        return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class FaceCache(FaceNotes):
    """Cache of the faces of one game that were drawn without problems; `save` writes it for later runs.

    A face is found by its markup, kind and language. Palette, icons, fonts and art belong to the key, and so do the
    component names if the text refers to components. The markup is known without its template while everything that
    was read to render it is unchanged.
    """

    def __init__(self, kept: GameCache, game: Game, fonts: FontBook):
        super().__init__(game)
        self._kept, self._fonts = kept, fonts
        self._checked: dict[int, bool] = {}
        self._tables: dict[tuple[str, ...], PictureTable[Any]] = {}

    def open_table(
        self, what: str, is_valid: Callable[[Any], bool], *key: str, apart: bool = False
    ) -> PictureTable[Any]:
        """Return this game's only table of cached pictures of the sort `what`, apart for each `key`.

        `is_valid` recognizes a picture read from the cache. `apart`: each one is read only when it is used.
        """
        table = self._tables.get((what, *key))
        if table is None:
            table = PictureTable(self._kept, what, is_valid, self._fonts, digest_look(self._game), *key, apart=apart)
            self._tables[what, *key] = table
        return table

    @cached_property
    def drawings(self) -> PictureTable[Drawing]:
        """The drawings of faces by digest."""
        return self.open_table("faces", lambda picture: isinstance(picture, Drawing))

    @cached_property
    def _sketches(self) -> tuple[list[tuple[Source, str]], dict[FaceKey, Sketch]]:
        reads, sketches = self._kept.get("sketches", _SKETCHES) or ([], {})
        sound = {key: Sketch(*one) for key, one in sketches.items() if has_shape(one, Sketch)}
        return reads, {key: one for key, one in sound.items() if all(0 <= at < len(reads) for at in one.reads)}

    def find_face(self, design: Design, face: FaceName, edition: str) -> tuple[Drawing, str] | None:
        """Return the cached face of a design and the languages that it shows, or None.

        None means that it is not cached, or that something has changed that was read to render it.
        """
        reads, sketches = self._sketches
        sketch = sketches.get((design.id, face, edition))
        if sketch is None or sketch.template != self._game.kinds[design.kind].template(design, face):
            return None
        if not all(self._is_unchanged(number) for number in sketch.reads):
            return None
        self._kept.reads.note_reads(reads[number][0] for number in sketch.reads)
        drawing = self.drawings.get(self._digest_face(design, face, sketch))
        return (drawing, sketch.edition) if drawing is not None else None

    def save(self) -> None:
        """Write new pictures for later runs."""
        for table in self._tables.values():
            table.save()
        if not self._new or self._fonts.problems or len(self._new) > MOST_CACHED:
            return
        states: dict[tuple[Source, str], int] = {}
        kept: dict[FaceKey, Sketch] = {}
        old, sketches = self._sketches
        known = {design.id for design in self._game.designs()}
        for key, sketch in sketches.items():
            if key not in self._new and key[0] in known:
                numbers = tuple([states.setdefault(old[number], len(states)) for number in sketch.reads])
                kept[key] = sketch._replace(reads=numbers)
        for key, (sketch, reads) in self._new.items():
            sources = [(source, self._kept.reads.find_state(source)) for source in _clean_sources(reads)]
            kept[key] = sketch._replace(reads=tuple([states.setdefault(one, len(states)) for one in sources]))
        self._kept.put("sketches", (list(states), {key: tuple(sketch) for key, sketch in kept.items()}), rests_on=())
        self._new.clear()

    def _is_unchanged(self, number: int) -> bool:
        known = self._checked.get(number)
        if known is None:
            read = self._sketches[0][number]
            known = self._checked[number] = _is_read(read) and self._kept.reads.are_unchanged(dict([read]))
        return known


def _is_read(value: Any) -> bool:
    """Return True if a cached value has the form of a read: a source (a value, names or a template) and its state."""
    match value:
        case (("value" | "names", tuple() as path), str()):
            return len(path) > 1 and all(isinstance(step, _STEPS) for step in path)
        case (("template", str()), str()):
            return True
    return False


def _clean_sources(reads: Iterable[Source]) -> list[Source]:
    """Return sources of data that was read, with names as plain str; leave out names that no data can have."""
    found: list[Source] = []
    for kind, name in reads:
        steps = (name,) if isinstance(name, str) else name
        if all(isinstance(step, _STEPS) for step in steps):
            plain = tuple([str.__str__(step) if isinstance(step, str) else step for step in steps])
            found.append((kind, plain[0] if isinstance(name, str) else plain))
    return found


def digest_look(game: Game) -> str:
    """Return a digest of the data that drawings depend on besides markup: languages, paint names, icons, fonts."""
    icons = [(icon.id, icon.colour, icon.art, icon.emoji) for icon in game.icons.values()]
    fonts = [
        (name, *map(dict, (family.regular, family.bold, family.italic, family.weights)))
        for name, family in game.fonts.items()
    ]
    return hash_value((game.languages, sorted(game.palette), icons, fonts))


def find_face_name(kind: Kind, design: Design, face: FaceName, lang: str) -> str:
    """Return the name of a face in a language: its design's on a front, its kind's on a back."""
    own = design.fields.get("name", kind.name) if kind.template_side(face) == "front" else kind.name
    return own[lang] if isinstance(own, Words) else str(own)


class Artist:
    """Draws one game's faces. Equal markup gives the same `Drawing` object; `problems` lists each problem once.

    `faces` has the faces drawn so far, `notes` each note on their art. `offered` lists the editions in two languages,
    like `ja+en`, that at least one face uses. Other texts of the same game can use `templates` and `views`. Templates
    read earlier for the same game can be passed in if no template has changed: reading them takes longer than drawing a
    face. `reads` notes the files that are read, `noted` what was read for each face. `known` is the face cache.
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
        self.noted: FaceNotes | None = None
        self.templates = templates or Templates(game.id, resources, reads)
        self._reads = reads or ReadLog()
        self.views = GameViews(
            game, self.templates.expand_text, self.templates.functions, self.templates.note_card_use, reads
        )
        if reads is not None:
            self.templates.note_variables(self.views.note_variable)
        assets = Assets(game.id, resources, reads)
        emoji = make_emoji_replacer((icon.id, icon.emoji) for icon in game.icons.values())
        styles = StyleBook(frozenset(game.palette) | {"ink"})
        self._studio = Studio(game, fonts, assets, styles, self.render_items, draw_children, icons_in=emoji)
        self._formes = FaceSkeletons()
        self._known: set[Problem] = set()
        self._shared: dict[tuple[str, str, FaceName, str], tuple[Rendered, Reads]] = {}
        self._drawings: dict[tuple[str, str, str, tuple[str, ...]], Drawing | None] = {}

    def draw_face(self, design: Design, face: FaceName, lang: str) -> Drawing | None:
        """Return one face, drawn on first use. Return None if it has no template or has problems (see `problems`).

        `lang` may be two languages, like `ja+en`; a template that ignores the second is drawn in the first.
        """
        Words.heard.update(lang.split("+"))
        key = (design.id, face, lang)
        if key in self.faces:
            return self.faces[key]
        self.faces[key] = None
        template = self._game.kinds[design.kind].template(design, face)
        if not template:
            return None
        sketch = self.known and self.known.find_face(design, face, lang)
        if sketch:
            if second_language(sketch[1]):
                self.offered.add(lang)
            return self._keep_face(key, sketch[0])
        same_for = (template, design.kind, face, lang)
        try:
            rendered, reads = self._shared.get(same_for, (None, {}))
            if rendered is None:
                variables = self.views.make_variables(design, face, lang)
                noted: AbstractContextManager[Reads] = self._reads.record() if self.noted else nullcontext({})
                with noted as reads:
                    rendered = self.templates.render_face(
                        f"{template}.svg", variables, partial(self._find_template_place, design, face)
                    )
                variables.clear()  # break the cycle between card and variables
                if not rendered.by_card:
                    self._shared[same_for] = rendered, reads
            if second_language(lang):
                if not rendered.bilingual:
                    if self.noted is not None:
                        self.noted.note_face(key, first_language(lang), design, rendered.markup, reads)
                    return self._keep_face(key, self.draw_face(design, face, first_language(lang)))
                self.offered.add(lang)
            drawing = self._draw_rendered(key, design, rendered, reads)
        except ProblemsFound as found:
            self._add_problems(found.problems)
            return None
        return self._keep_face(key, drawing)

    def _keep_face(self, key: FaceKey, drawing: Drawing | None) -> Drawing | None:
        """Store a drawn face, or None for one that can't be drawn, and the notes on its art; return it."""
        self.faces[key] = drawing
        if drawing is not None:
            self.notes |= dict.fromkeys(drawing.notes)
        return drawing

    def run_template(self, design: Design, face: FaceName, lang: str) -> None:
        """Fill in a face's template without drawing it, so that its code is compiled and cached. Ignore problems."""
        template = self._game.kinds[design.kind].template(design, face)
        with suppress(ProblemsFound):
            self.templates.render_face(f"{template}.svg", self.views.make_variables(design, face, lang), lambda: None)

    def draw_background(self, name: str, size: Size, lang: str, *, on_paper: bool = False) -> Drawing | None:
        """Draw a template that belongs to no piece, in the size of a page. Return None if it has problems.

        The template sees the game's variables with `width`, `height` (mm), `bleed` 0 and `on_paper`, but no card.
        """
        measures = {"width": size.width, "height": size.height, "bleed": 0.0, "safe": 0.0, "on_paper": on_paper}
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
        items = draw_root(scene, root, outer)
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
        if self.known is not None:
            self.known = self.noted = None

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
        return self.templates.jinja.compute_value(expression, names)

    def _draw_rendered(self, face_key: FaceKey, design: Design, rendered: Rendered, reads: Reads) -> Drawing | None:
        _, face, edition = face_key
        kind, lang = self._game.kinds[design.kind], first_language(edition)
        name = find_face_name(kind, design, face, lang)
        key = (kind.id, edition, name, rendered.pieces)
        digest = ""
        if self.noted is not None:
            digest = self.noted.note_face(face_key, edition, design, rendered.markup, reads)
        if key in self._drawings:
            return self._drawings[key]
        self._drawings[key] = drawing = self.known.drawings.get(digest) if self.known is not None else None
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
            self.known.drawings.put(digest, drawing)
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
        """Return a face drawn from its markup, with the parts shared by its template's cards; None for problems."""
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
        items = draw_root(scene, root, outer)
        if scene.problems:
            self._add_problems(scene.problems)
            return None
        return SetFace(items, scene.marks, root.child_text("title"), root.child_text("desc"))

    def _find_template_place(self, design: Design, face: FaceName) -> Place | None:
        """Return where the data name a face's template, at the design or at the kind, or None if that is unknown."""
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
