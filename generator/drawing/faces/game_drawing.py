"""Drawing for one game: cached faces, palette, fonts, documents, and texts as plain words."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeAlias

from generator.base.cache import CodeTable, Store, hash_value
from generator.base.colour import Inks, bytes_from_hex, measure_contrast, rgb_from_hex
from generator.base.display_list import Drawing, FaceHasher, Item, Paint, PlacedSymbol, StampPlace, Symbol, TextRun
from generator.base.errors import Place, Problem, gather_problems
from generator.base.files import Resources
from generator.base.languages import first_language, phrase
from generator.drawing.faces.draw_face import Artist, FaceCache, FaceKey, FaceNotes
from generator.drawing.faces.face_marks import HASH_SHOWN, add_stamps, draw_ring_symbol, find_foot_place, has_stamp
from generator.drawing.templates.game_templates import Templates
from generator.game.game_cache import MOST_CACHED, GameCache, PictureTable, ReadLog, has_shape
from generator.game.model import Colour, Design, Effect, FaceName, FontFamily, Game
from generator.game.print_pages import Document, Page
from generator.game.rich_text import (
    RING,
    Icon,
    LineBreak,
    MarkupError,
    Plain,
    Reference,
    Ruby,
    Words,
    make_emoji_replacer,
    parse_markup,
)
from generator.text.fonts import FontBook, FontChain
from generator.text.set_text import LabelAnchor, Labeller

if TYPE_CHECKING:
    from generator.drawing.pdf.pdf_pictures import StencilledPicture


AT_HAND = 200
"""Above this number of faces in memory, faces are dropped."""

LABEL_FAMILY = "program labels"
"""Font family of the program's own words, independent of the glyphs in a game's fonts."""

BOOK_FAMILY = "program books"
"""Font family of Japanese books, in which kana and punctuation are one em wide. Other languages don't use it."""

FONT_SUFFIXES = (".ttf", ".otf")

LABEL_FILES = ("SourceSans3_400Regular.ttf", "BIZUDPGothic_400Regular.ttf")

BOOK_FILES = ("ZenKakuGothicNew_400Regular.ttf", *LABEL_FILES)
BOLD_BOOK_FILES = ("ZenKakuGothicNew_700Bold.ttf", "SourceSans3_700Bold.ttf", "BIZUDPGothic_700Bold.ttf")

SILHOUETTE_MM, SILHOUETTE_DPI = 4.0, 600.0
"""Size (mm) and resolution (dpi) at which icons are compared: the smallest printed size."""


class PrintedFaces(NamedTuple):
    """Which faces to print: the edition, `fronts` only, and whether without stamps (`clean`)."""

    edition: str
    fronts: bool
    clean: bool


class Workshop:
    """Draws faces and writes documents of one game. `problems` lists what is wrong with the faces.

    With a `store`, results of earlier runs are reused, and results and faces can be saved. Without one, `reads` notes
    what is read for each face. `templates` and `fonts` come from an earlier workshop of the same game with these
    `reads`, if no such file has changed since.
    """

    def __init__(
        self,
        game: Game,
        resources: Resources,
        store: Store | None = None,
        reads: ReadLog | None = None,
        templates: Templates | None = None,
        fonts: FontBook | None = None,
    ):
        self.game, self.resources = game, resources
        reads = ReadLog() if store is not None else reads
        label = FontFamily(dict.fromkeys(game.languages, LABEL_FILES), {}, {})
        book = FontFamily({"ja": BOOK_FILES}, {"ja": BOLD_BOOK_FILES}, {})
        self.fonts = fonts or FontBook(
            {**game.fonts, LABEL_FAMILY: label, BOOK_FAMILY: book},
            partial(resources.find, "fonts"),
            lambda: [name for suffix in FONT_SUFFIXES for name in resources.list_names("fonts", suffix)],
            reads,
        )
        self.artist = Artist(game, resources, self.fonts, templates, reads)
        self.kept: GameCache | None = None
        self._codes: CodeTable | None = None
        if reads is not None and store is None:
            self.artist.noted = FaceNotes(game)
        elif reads is not None and store is not None:
            self.kept = GameCache(store, resources.roots[0].as_posix(), game, reads)
            self.artist.known = self.artist.noted = FaceCache(self.kept, game, self.fonts)
            self._codes = store.open_code(resources.roots[0].as_posix(), game.id)
            if self._codes is not None:
                self.artist.templates.use_code(self._codes)
        self.block_digests: dict[int, tuple[object, str]] = {}
        self._hasher = FaceHasher(self.hex_of_paint)
        self._digests: dict[int, tuple[Drawing, str]] = {}
        self._rings: dict[tuple[str, Paint], Symbol] = {}
        self._stamped: dict[tuple[int, FaceName], tuple[Drawing, Drawing]] = {}

    def save_faces(self) -> None:
        """Save faces, composed blocks, measures and compiled templates for later runs, if there is a store."""
        if self.artist.known is not None:
            self.artist.known.save()
        if self._codes is not None:
            self._codes.save()

    def open_table(
        self, what: str, is_valid: Callable[[Any], bool], *key: str, apart: bool = False
    ) -> PictureTable[Any] | None:
        """Return the game's cached pictures of sort `what` (see `FaceCache.open_table`), or None without a store."""
        return self.artist.known.open_table(what, is_valid, *key, apart=apart) if self.artist.known else None

    def measure_face(self, what: str, shape: Any, drawing: Drawing, measure: Callable[[], Any]) -> Any:
        """Return what `measure` finds on a face, or an earlier run's result named `what` if it is of the type `shape`.

        It may depend on the drawing, the palette and the shapes of the kinds.
        """
        digest = self.artist.known.drawings.find_digest(drawing) if self.artist.known is not None else ""
        table = self.open_table("measures", lambda _value: True, self._measures_key) if digest else None
        if table is None:
            return measure()
        found = table.get(key := f"{what} {digest}")
        if not has_shape(found, shape):
            found = measure()
            table.put(key, found)
        return found

    @cached_property
    def _measures_key(self) -> str:
        shapes = [(kind.id, kind.safe, kind.outline) for kind in self.game.kinds.values()]
        return hash_value(([(name, colour.srgb) for name, colour in self.game.palette.items()], shapes))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems found so far with templates, texts and fonts."""
        return (*self.artist.problems, *self.fonts.problems)

    @property
    def draw_face(self) -> Callable[[Design, FaceName, str], Drawing | None]:
        """Function that returns the face of a design in a language, or None (see `Artist.draw_face`)."""
        return self.artist.draw_face

    def collect_notes(self) -> tuple[str, ...]:
        """Return all notes on fonts and on the art of the faces drawn so far, each once."""
        return (*dict.fromkeys(self.fonts.notes), *self.artist.notes)

    def draw_all(self, designs: Iterable[Design], languages: Iterable[str]) -> Mapping[FaceKey, Drawing | None]:
        """Draw every face of the designs in each language. Return all faces drawn so far."""
        chosen = tuple(designs)
        for lang in languages:
            for design in chosen:
                for face in self.game.kinds[design.kind].faces(design):
                    self.draw_face(design, face, lang)
        return self.artist.faces

    def draw_printed(self, lang: str, design: Design, face: FaceName, *, clean: bool = False) -> Drawing | None:
        """Return a face with its stamp: draft and hash on a front, the hash on a back. Equal faces are one object.

        `clean` faces and pieces that never carry a stamp are returned without one. Return None if the face can't be
        drawn.
        """
        drawing, kind = self.draw_face(design, face, lang), self.game.kinds[design.kind]
        if drawing is None or clean or not has_stamp(kind):
            return drawing
        side = kind.template_side(face)
        known = self._stamped.get((id(drawing), side))
        if known is None:
            digest = self.digest_face(drawing)
            text = digest[:HASH_SHOWN]
            if side == "front":
                # Not on backs: cards of two drafts in one deck would be marked.
                text = f"{phrase('draft', first_language(lang), draft=self.game.draft)} · {text}"
            unasked = find_foot_place(drawing, kind) if side == "front" else None
            finished = add_stamps(drawing, text, unasked, self.set_stamp)
            self._digests[id(finished)] = (finished, digest)
            known = self._stamped[id(drawing), side] = (drawing, finished)
        return known[1]

    def draw_next_printed(self, wanted: PrintedFaces, design: Design, face: FaceName) -> Drawing | None:
        """Return a printed face or None, and drop earlier faces from memory if there are many.

        With only `fronts`, still check the back for problems.
        """
        self.forget_faces()
        if wanted.fronts and design.back:
            self.draw_face(design, "back", wanted.edition)
        return self.draw_printed(wanted.edition, design, face, clean=wanted.clean)

    def is_caching_faces(self, faces: int) -> bool:
        """Return True if faces are cached for later runs and this number of them is small enough for that."""
        return self.artist.known is not None and faces <= MOST_CACHED

    def forget_faces(self) -> None:
        """Drop the faces in memory if there are many. They are drawn again when needed."""
        if len(self.artist.faces) < AT_HAND:
            return
        for known in (self._digests, self._stamped):
            known.clear()
        self.artist.forget_faces()

    def has_both_languages(self, edition: str) -> bool:
        """Return True if a face drawn so far shows both languages of an edition like `ja+en`."""
        return edition in self.artist.offered

    def digest_face(self, drawing: Drawing) -> str:
        """Return the hash (sha256 in hex) of what a face shows without its stamp."""
        known = self._digests.get(id(drawing))
        if known is None:
            known = self._digests[id(drawing)] = (drawing, self._hasher.hash(drawing))
        return known[1]

    def set_stamp(self, text: str, place: StampPlace) -> tuple[Item, ...]:
        """Return the items of a stamp's text at its place."""
        where = (place.x, place.y, place.size, place.anchor, place.angle, place.paint)
        return self._main_labeller.set(text, *where, "stamp")

    @cached_property
    def _main_labeller(self) -> Labeller:
        return self.make_labeller(self.game.languages[0])

    def make_labeller(self, lang: str) -> Labeller:
        """Return a setter of labels that uses the program's fonts first, then the game's."""
        families = (LABEL_FAMILY, *self.game.fonts)
        languages = dict.fromkeys((lang, *self.game.languages))
        asked = ((family, one) for one in languages for family in families)
        return Labeller(FontChain(font for family, one in asked for font in self.fonts.get_chain(family, one)))

    def set_label(
        self, text: str, x: float, y: float, size: float, anchor: LabelAnchor, angle: float
    ) -> tuple[TextRun, ...]:
        """Set a line in the program's font; (x, y) is the baseline point (mm), `size` in points, `angle` in degrees."""
        return self._main_labeller.set(text, x, y, size, anchor, angle, "ink", "mark")

    def find_sign(self, name: str, paint: Paint) -> Symbol | None:
        """Return a symbol used in text: an icon, or a number in a ring (`ring:3`). Return None if it is neither."""
        if not name.startswith(RING):
            return self.artist.draw_icon(name, paint)
        key = name.removeprefix(RING), paint or "ink"
        if key not in self._rings:
            bold = Labeller(self.fonts.get_chain(LABEL_FAMILY, self.game.languages[0], bold=True))
            centred = partial(bold.set, anchor="middle", angle=0.0, paint="ink", role="mark")
            self._rings[key] = draw_ring_symbol(*key, centred)
        return self._rings[key]

    def hex_of_paint(self, paint: Paint) -> str:
        """Return a paint as `#rrggbb`."""
        return paint if paint.startswith("#") else self.game.palette[paint].srgb

    def rgb_of_paint(self, paint: Paint) -> tuple[float, float, float]:
        """Return a paint as red, green and blue (0 to 1)."""
        return rgb_from_hex(self.hex_of_paint(paint))

    def write_document(
        self,
        document: Document,
        out: BinaryIO,
        inks: Inks | None = None,
        made: "Mapping[str, StencilledPicture]" = MappingProxyType({}),
        coming: Iterable[Page] = (),
    ) -> None:
        """Write the document as PDF, in screen colours unless `inks` are given; `made` are pictures without a file.

        `coming` are further pages. Each is laid out when it is written, and not kept.
        """
        from generator.drawing.pdf.document import write_pdf

        write_pdf(document, self.fonts, self.rgb_of_paint, Path, out, inks, made, coming)

    def draw_silhouette(self, icon: str) -> Sequence[Sequence[int]] | None:
        """Return an icon, SILHOUETTE_MM large, as rows of pixels from the top (1 is ink), or None if it has no art."""
        from generator.drawing.pdf.page_images import render_drawing_png

        symbol = self.artist.draw_icon(icon, "ink")
        if symbol is None:
            return None
        x, y, width, height = symbol.box
        scale = SILHOUETTE_MM / max(width, height)
        placed = PlacedSymbol(symbol, (scale, 0.0, 0.0, scale, -x * scale, -y * scale))
        drawing = Drawing(SILHOUETTE_MM, SILHOUETTE_MM, 0.0, (placed,))
        image = render_drawing_png(drawing, SILHOUETTE_DPI, self.fonts, self.rgb_of_paint, Path).convert("L")
        dark, columns = image.point(lambda value: value < 128).tobytes(), image.width
        return [dark[start : start + columns] for start in range(0, len(dark), columns)]


_LEAST_CONTRAST, _LEAST_SATURATION = 4.5, 0.6


def find_accent(palette: Mapping[str, Colour]) -> Paint:
    """Return the game's first strong colour readable on white, else its first readable colour, else ink."""
    readable = [name for name, colour in palette.items() if measure_contrast(colour.srgb, "#ffffff") >= _LEAST_CONTRAST]
    strong = [name for name in readable if _compute_saturation(palette[name].srgb) >= _LEAST_SATURATION]
    return next(iter([*strong, *(name for name in readable if name != "ink")]), "ink")


def _compute_saturation(srgb: str) -> float:
    parts = bytes_from_hex(srgb)
    return (max(parts) - min(parts)) / max(*parts, 1)


DesignNamer: TypeAlias = Callable[[Design, str], str]
"""Takes a design and a language; returns the design's name without markup."""


def collect_design_texts(
    artist: Artist,
    game: Game,
    design: Design,
    lang: str,
    called: DesignNamer,
    problems: list[Problem],
    without: Container[str] = (),
) -> dict[str, str]:
    """Return a design's texts by field, filled in, but no empty ones and none in `without`; `called` names designs."""
    texts = {}
    for field, value in design.fields.items():
        if field in without or not isinstance(value, Words):
            continue
        with gather_problems(problems):
            said = artist.read_field(design, lang, "card", field)
            if isinstance(said, str) and said.strip():
                texts[field] = strip_markup(game, said, lang, called, design.source.place(field, lang), problems)
    return texts


def collect_effect_texts(
    artist: Artist, game: Game, design: Design, lang: str, called: DesignNamer, problems: list[Problem]
) -> dict[str, str]:
    """Return the texts of effects by field, a line each; `called` names designs in them, faults go to `problems`."""
    texts = {}
    for field, value in design.fields.items():
        if isinstance(value, tuple) and value and all(isinstance(one, Effect) for one in value):
            place = design.source.place(field)
            with gather_problems(problems):
                said = [str(one["text"]) for one in artist.read_field(design, lang, "card", field)]
                texts[field] = "\n".join(strip_markup(game, text, lang, called, place, problems) for text in said)
    return texts


def strip_markup(
    game: Game, text: str, lang: str, name_of: DesignNamer, place: Place | None, problems: list[Problem]
) -> str:
    """Return the text without markup; `name_of` names designs. If it is wrong, return '' and add to `problems`."""
    try:
        rich = parse_markup(make_emoji_replacer((icon.id, icon.emoji) for icon in game.icons.values())(text))
    except MarkupError as mistake:
        problems.append(Problem(place, f"wrong markup: {mistake.what}", "mend it"))
        return ""
    parts: list[str] = []
    for inline in rich:
        match inline:
            case Plain():
                parts.append(inline.text)
            case Ruby():
                parts.extend(inline.base)
            case Icon():
                parts.append(game.icons[inline.name].name[lang] if inline.name in game.icons else inline.name)
            case Reference():
                known = next((design for design in game.designs() if design.id == inline.component), None)
                parts.append(name_of(known, lang) if known is not None else inline.component)
            case LineBreak():
                parts.append("\n")
    return "".join(parts).strip()
