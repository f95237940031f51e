"""The artist: draws the faces of one game from its templates and gathers every problem that the user can mend."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.cache.reads import Reads
from generator.errors import Place, Problem, ProblemsFound, Unfit
from generator.faces.known_faces import KnownFaces, Sketch
from generator.model.colour import rgb_of
from generator.model.contour import mirror_outline
from generator.model.drawing import ArtNote, Drawing, Item, Paint, StampPlace, Symbol, TextFrame
from generator.model.edition import first_language, second_language
from generator.model.game import Design, FaceName, Game, Kind
from generator.model.ink import Rgb
from generator.model.markup import icons_for
from generator.model.resources import Resources
from generator.model.text import Words
from generator.svg.assets import Assets
from generator.svg.build import art_symbol, child_items, root_items
from generator.svg.paint import INITIAL, Paints, StyleBook
from generator.svg.scene import Scene, Studio
from generator.svg.standing import Formes, SetFace
from generator.svg.tree import parse_markup_tree
from generator.svg.values import view_box
from generator.templates.pieces import Rendered
from generator.templates.templating import Templates
from generator.templates.view import GameViews, View
from generator.text.fonts import FontBook
from generator.units import Rect, Size

if TYPE_CHECKING:
    from PIL import Image


class Artist:
    """Draws the faces of one game. Equal markup gives the same `Drawing`; `problems` grows, each problem once.

    `offered` are the editions in two languages, like `ja+en`, that at least one face had a use for. `templates` and
    `views` are what faces are made of, for other texts of the same game. Templates that were read before for the same
    game may be used again as long as no template has changed: reading them takes longer than drawing a face.
    `reads` notes the files that are read; `known` has the faces of earlier runs, and takes those of this one.
    """

    def __init__(
        self,
        game: Game,
        resources: Resources,
        fonts: FontBook,
        templates: Templates | None = None,
        reads: Reads | None = None,
    ) -> None:
        self.problems: list[Problem] = []
        self.offered: set[str] = set()
        self._game = game
        self.known: KnownFaces | None = None
        self.templates = templates or Templates(game.id, resources, reads)
        self.views = GameViews(game, self.templates.expand, self.templates.functions, self.templates.notice_card)
        paints = Paints(game.palette)
        assets = Assets(game.id, resources, reads)
        emoji = icons_for((icon.id, icon.emoji) for icon in game.icons.values())
        self._studio = Studio(game, fonts, assets, paints, StyleBook(paints), self.render, child_items, icons_in=emoji)
        self._formes = Formes()
        self._known: set[Problem] = set()
        self._shared: dict[tuple[str, str, FaceName, str], Rendered] = {}
        self._drawings: dict[tuple[str, str, str, tuple[str, ...]], Drawing | None] = {}

    def draw(self, design: Design, face: FaceName, lang: str) -> Drawing | None:
        """One face; None when it has no template, or when it had problems (which are then in `problems`).

        `lang` may be two languages, `ja+en`; a template that has no use for the second is drawn in the first.
        """
        template = self._game.kinds[design.kind].template(design, face)
        if not template:
            return None
        sketch = self.known and self.known.sketch(design, face, lang)
        if sketch:
            return self._as_sketched(sketch, lang)
        same_for = (template, design.kind, face, lang)
        try:
            rendered = self._shared.get(same_for)
            if rendered is None:
                variables = self.views.of(design, face, lang)
                rendered = self.templates.render(f"{template}.svg", variables, partial(self._asked_at, design, face))
                variables.clear()  # the card in them refers to them: together they would stay until looked for
                if not rendered.by_card:
                    self._shared[same_for] = rendered
            if second_language(lang):
                if not rendered.bilingual:
                    return self.draw(design, face, first_language(lang))
                self.offered.add(lang)
            drawing = self._drawn(design, face, lang, rendered)
        except ProblemsFound as found:
            self._add(found.problems)
            return None
        if self.known is not None and drawing is not None:
            self.known.sketched(design, face, lang, drawing, offered=bool(second_language(lang)))
        return drawing

    def rehearse(self, design: Design, face: FaceName, lang: str) -> None:
        """Run a face's template and draw nothing; what is wrong with it is told when it is drawn."""
        template = self._game.kinds[design.kind].template(design, face)
        with suppress(ProblemsFound):
            self.templates.render(f"{template}.svg", self.views.of(design, face, lang), lambda: None)

    def ground(self, name: str, size: Size, lang: str) -> Drawing | None:
        """A template that belongs to no piece, as large as a page; None when it had problems.

        It knows the game's variables with `width`, `height` and `bleed`, but no card.
        """
        measures = {"width": size.width, "height": size.height, "bleed": 0.0, "safe": 0.0}
        try:
            rendered = self.templates.render(name, {**self.views.of_game(lang), **measures}, lambda: None)
            locate = partial(self.templates.locate, rendered)
            root, loose = parse_markup_tree(rendered.markup, locate, stamped=True)
        except ProblemsFound as found:
            self._add(found.problems)
            return None
        scene = Scene(self._studio, lang, locate, self.icon, subject=f"{name} ({lang})")
        scene.problems += loose
        outer = (0.0, 0.0, size.width, size.height)
        items = root_items(scene, root, INITIAL, scene.value(root, "viewBox", view_box, None), outer)
        if scene.problems:
            self._add(scene.problems)
            return None
        return Drawing(size.width, size.height, 0.0, items, lang)

    def render(self, items: tuple[Item, ...], box: Rect, scale: float) -> "Image.Image":
        """Items as pixels, for what a drawing's filters do with them."""
        from generator.writers.png import items_png

        def rgb(paint: Paint) -> Rgb:
            named = self._game.palette.get(paint)
            return rgb_of(named.srgb if named is not None else paint if paint.startswith("#") else "#000000")

        return items_png(items, box, scale, self._studio.fonts, rgb, Path)

    def _as_sketched(self, sketch: Sketch, edition: str) -> Drawing:
        if sketch.offered:
            self.offered.add(edition)
        return sketch.drawing

    def let_go(self) -> None:
        """Forget the faces that were drawn, here and for later runs."""
        self._drawings.clear()
        self.known = None

    def icon(self, name: str, paint: Paint) -> Symbol | None:
        """The art of an icon in one colour, its own when `paint` is empty; None when there is no such icon."""
        scene = Scene(self._studio, "", Place, self.icon)
        try:
            drawn = art_symbol(self._studio, f"icon:{name}", paint, "icon", scene)
        except Unfit as mistake:
            entry = self._game.icons.get(name)
            if entry is not None:
                self._studio.broken_icons[name] = (Problem(entry.place, str(mistake), mistake.hint),)
            return None
        if drawn.problems:
            self._studio.broken_icons[name] = tuple(drawn.problems)
        return drawn.symbol

    def says(self, design: Design, lang: str, *path: Any) -> Any:
        """What templates of a design read along a path (`card`, `title`), texts filled in; None where it has none.

        ProblemsFound when a text names what does not exist.
        """
        value: Any = self.views.of(design, "front", lang)
        for step in path:
            if isinstance(value, View) and step not in value:
                return None
            value = value[step]
        return value

    def compute(self, expression: str, names: Mapping[str, Any]) -> Any:
        """The value of an expression of the data, in the templates' sandbox; ValueError that says what is wrong."""
        return self.templates.compute(expression, names)

    def _drawn(self, design: Design, face: FaceName, edition: str, rendered: Rendered) -> Drawing | None:
        kind, lang = self._game.kinds[design.kind], first_language(edition)
        name = _name(design, kind, lang) if kind.drawn_as(face) == "front" else kind.name[lang]
        key = (kind.id, edition, name, rendered.pieces)
        if key in self._drawings:
            return self._drawings[key]
        digest = self.known.key(kind, edition, name, rendered.markup) if self.known is not None else ""
        self._drawings[key] = drawing = self.known.drawing(digest) if self.known is not None else None
        if drawing is not None:
            return drawing
        done = self._set(design, face, edition, rendered)
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

    def _set(self, design: Design, face: FaceName, edition: str, rendered: Rendered) -> SetFace | None:
        """The face of this markup, in its forme where it has one; None when it had problems."""
        kind, lang = self._game.kinds[design.kind], first_language(edition)
        side, outer = kind.drawn_as(face), (0.0, 0.0, kind.size.width, kind.size.height)
        locate = partial(self.templates.locate, rendered)

        def fresh() -> Scene:
            scene = Scene(self._studio, lang, locate, self.icon, design)
            scene.trim = Rect(*outer)
            scene.outline = kind.outline if side == "front" else mirror_outline(kind.outline, kind.size.width)
            scene.subject = f"{design.id if rendered.by_card else kind.id} ({edition})"
            return scene

        done = self._formes.set((kind.id, side, lang), rendered.pieces, fresh, outer, locate)
        if done is not None:
            return done
        root, loose = parse_markup_tree(rendered.markup, locate, stamped=True)
        scene = fresh()
        scene.problems += loose
        items = root_items(scene, root, INITIAL, scene.value(root, "viewBox", view_box, None), outer)
        if scene.problems:
            self._add(scene.problems)
            return None
        return SetFace(items, scene.marks, root.child_text("title"), root.child_text("desc"))

    def _asked_at(self, design: Design, face: FaceName) -> Place | None:
        """Where the name of the template stands: with the design where it has its own, else with the kind."""
        kind = self._game.kinds[design.kind]
        key = kind.drawn_as(face)
        if key in (design.source.value or ()):
            return design.source.place(key)
        return self._game.places.place("components", design.kind, key) or kind.place or design.place

    def _add(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            if problem not in self._known:
                self._known.add(problem)
                self.problems.append(problem)


def _name(design: Design, kind: Kind, lang: str) -> str:
    """What a reader calls the design: its own name where it has one, else its kind's."""
    own = design.fields.get("name", kind.name)
    return own[lang] if isinstance(own, Words) else str(own)
