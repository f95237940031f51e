"""The command `proof`: each design as colour-blind people see it and with trim guides; pages that compare colours."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, TypeAlias

import click

from generator.base.colour import LEAST_DIFFERENCE, measure_contrast, measure_differences
from generator.base.display_list import Drawing, Group, Item, Paint, PlacedSymbol, Shape, Symbol, walk_leaves
from generator.base.errors import raise_problems
from generator.base.geometry import MM_PER_PT, Rect, Size
from generator.base.languages import count_phrase, phrase
from generator.base.outlines import rectangle_path
from generator.books.page.blocks import Artwork, Row
from generator.books.page.list_pages import PartSetter
from generator.books.page.page_style import GREY, RULE, WARNING, Look, make_list_format
from generator.books.page.text_setter import TextSetter
from generator.commands.options import GAMES, LANG, ONLY, OUT, PROJECT, open_project, run_order
from generator.commands.orders import GameOutput, Job, Order
from generator.drawing.faces.face_marks import BLEED, FRAME, HASH_SHOWN, SAFE, TRIM, draw_guides, draw_rounded_box
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Design
from generator.game.print_pages import Document, Page, Piece, Placement
from generator.production.colour_blindness import COLOUR_VISIONS, VisionSimulator
from generator.sheets.page_marks import find_face_outline, is_cut_straight
from generator.sheets.pieces import PieceMaker, pick_designs
from generator.text.set_text import Labeller

FOLD = "#009a44"
"""Colour of fold lines in the proof's guides. No other guide is green."""

GAP = 2.0
TITLE, CAPTION = 4.2, 3.2
"""Height of the title above a row of pictures, and of the captions below them (mm)."""

TALLEST = 42.0
WIDE, WIDE_TALLEST = 110.0, 36.0
"""Width (mm) from which a piece has its pictures in two rows, and their height: three such strips fill a page."""

_FOLD_LINE = 0.5 * MM_PER_PT
_HAIR = 0.09
"""Thinnest line that a printer can print (mm; a quarter of a point)."""
_TITLE_PT, _CAPTION_PT = 6.5, 4.5


@click.command()
@GAMES
@LANG
@OUT
@ONLY
@PROJECT
@click.pass_obj
def proof(obj: Path | None, /, **options: Any) -> None:
    """Preview colour blindness, greyscale, trim and safe area.

    pnp shows every design in three kinds of colour blindness, in grey, and with its trim and safe zone.
    """
    run_order(open_project(obj, options), options, ProofOrder)


@dataclass(frozen=True, slots=True)
class ProofSubject:
    """A face in a proof: `name` (ids), `note` (number of copies or designs, and hash), its piece, and the drawing."""

    name: str
    note: str
    piece: Piece
    drawing: Drawing

    @property
    def trim(self) -> Rect:
        """Return the trim box in face coordinates."""
        return Rect(0, 0, self.drawing.width, self.drawing.height)


@dataclass(slots=True)
class StripSetter:
    """Draws strips: all pictures of one face. `captions` name the plain picture, each colour vision, and the guides."""

    width: float
    letters: Labeller
    sights: Sequence[VisionSimulator]
    captions: Sequence[str]

    def set_strip(self, subject: ProofSubject) -> Artwork:
        """Draw all pictures of a subject, at most at its true size."""
        number = len(self.captions)
        bleed = subject.drawing.bleed
        whole = subject.trim.grow(bleed)
        wide = whole.width > WIDE
        columns, tallest = (-(-number // 2), WIDE_TALLEST) if wide else (number, TALLEST)
        cell = (self.width - GAP * (columns - 1)) / columns
        scale = min(1.0, cell / whole.width, tallest / whole.height)
        half = (self.width - 2 * GAP) / 2
        if (whole.width * scale + GAP) * columns <= half + GAP:
            cell = (half - GAP * (columns - 1)) / columns
        width = cell * columns + GAP * (columns - 1)
        high = whole.height * scale + CAPTION
        rows = -(-number // columns)
        room = self.letters.measure_width(subject.note, _TITLE_PT)
        name = self.letters.shorten_text(subject.name, _TITLE_PT, width - room - 2)
        items: list[Item] = [
            Shape(rectangle_path(Rect(0, 0, width, 0.1)), fill=RULE, role="frame"),
            *self.letters.set_level_line(name, 0.0, 3.0, _TITLE_PT),
            *self.letters.set_level_line(subject.note, width, 3.0, _TITLE_PT, "end", GREY),
        ]
        for at, shown in enumerate(self._draw_pictures(subject, scale)):
            row, column = divmod(at, columns)
            x, y = column * (cell + GAP), TITLE + row * (high + GAP / 2)
            middle = x + cell / 2
            matrix = (scale, 0.0, 0.0, scale, middle - whole.width * scale / 2 + bleed * scale, y + bleed * scale)
            items.append(Group(shown, matrix))
            foot = y + high - CAPTION + 2.2
            said = self.letters.shorten_text(self.captions[at], _CAPTION_PT, cell)
            items += self.letters.set_level_line(said, middle, foot, _CAPTION_PT, "middle", GREY)
        return Artwork(Size(width, TITLE + rows * high + (rows - 1) * GAP / 2), tuple(items))

    def _draw_pictures(self, subject: ProofSubject, scale: float) -> Iterator[tuple[Item, ...]]:
        """Yield the trimmed face, that face in each colour vision, and the face with bleed and guides."""
        drawing, corner = subject.drawing, subject.piece.corner if subject.piece.lie != "packed" else 0.0
        edge = find_face_outline(subject.piece, drawing) or draw_rounded_box(subject.trim, corner)
        line = Shape(edge, stroke=RULE, width=0.1 / scale, role="frame")
        for seen in (drawing, *(sight.convert_drawing(drawing) for sight in self.sights)):
            yield Group((_place_drawing(seen),), clip=edge), line
        yield _place_drawing(drawing), *_draw_guides(subject, scale)


def _place_drawing(drawing: Drawing) -> PlacedSymbol:
    bleed = drawing.bleed
    box = (-bleed, -bleed, drawing.width + 2 * bleed, drawing.height + 2 * bleed)
    return PlacedSymbol(
        Symbol(f"face:{drawing.title}", drawing.items, box), (1.0, 0.0, 0.0, 1.0, 0.0, 0.0), clip=True, role="art"
    )


def _draw_guides(subject: ProofSubject, scale: float) -> Iterator[Item]:
    drawing, piece = subject.drawing, subject.piece
    placement = Placement(subject.name, drawing, subject.trim, subject.trim.grow(drawing.bleed))
    corner = 0.0 if piece.lie == "packed" and is_cut_straight(piece.front.to_drawing()) else piece.corner
    for item in draw_guides(placement, piece.safe, corner, find_face_outline(piece, drawing)):
        yield _thin_guide(item, scale)
    folds = [leaf for leaf, _ in walk_leaves(drawing.items) if isinstance(leaf, Shape) and leaf.role == "fold"]
    for path in dict.fromkeys(fold.path for fold in folds):
        yield Shape(path, stroke=FOLD, width=_FOLD_LINE / scale, role="guide")


def _thin_guide(item: Item, scale: float) -> Item:
    """Return a guide line so that it is as wide as on a sheet after scaling, and never too thin to print."""
    if isinstance(item, Group):
        return item._replace(items=tuple([_thin_guide(inner, scale) for inner in item.items]))
    if isinstance(item, Shape):
        return item._replace(width=max(item.width, _HAIR) / scale, dash=tuple([length / scale for length in item.dash]))
    return item


PAPER = Size(210, 297)
STRIP_AREA = Rect(10, 17, 190, 264)
"""Area for strips and tables on A4 (mm); head and foot are outside."""


def build_proof(workshop: Workshop, designs: Sequence[Design], lang: str, folder: Path) -> Document:
    """Build the proof of the designs in one language; write the bitmaps of other colour visions to `folder`.

    The pages refer to those files, so write the document while the folder exists. Raise ProblemsFound with every face
    that can't be drawn.
    """
    game = workshop.game
    letters = workshop.make_labeller(lang)
    sights = [VisionSimulator(eye, workshop.hex_of_paint, folder) for eye in COLOUR_VISIONS]
    names = [phrase(f"sight_{eye.name}", lang) for eye in COLOUR_VISIONS]
    captions = [phrase("sight_normal", lang), *names, phrase("proof_guides", lang)]
    setter = StripSetter(STRIP_AREA.width, letters, sights, captions)
    strips = [setter.set_strip(subject) for subject in iter_subjects(workshop, designs, lang)]
    raise_problems(workshop.problems)
    colours = ColourSetter(workshop, lang, letters, sights, captions[:-1])
    look = Look(make_list_format("A4", PAPER, 0.0), lang, "ink")
    setting = PartSetter(TextSetter(workshop, look, "{}"), STRIP_AREA.height)
    leaves = [
        leaf
        for part in (strips, colours.iter_strips(STRIP_AREA.width))
        for leaf in setting.fill_pages(_pair_strips(part), STRIP_AREA)
    ]
    title = f"{game.title[lang]} – {phrase('proof', lang)}"
    draft = phrase("draft", lang, draft=game.draft)
    pages = []
    for number, things in enumerate(leaves, start=1):
        foot = phrase("page", lang, page=number, of=len(leaves))
        around = (
            *letters.set_level_line(f"{title} · {draft}", STRIP_AREA.x, 12.0, 8.0),
            *letters.set_level_line(foot, STRIP_AREA.right, 12.0, 6.5, "end", GREY),
            *_draw_legend(letters, lang),
        )
        placed = [Group(thing.items, (1.0, 0.0, 0.0, 1.0, thing.box.x, thing.box.y)) for thing in things]
        pages.append(Page(PAPER, "front", number, (), (*around, *placed)))
    return Document(title, lang, tuple(pages), subject=game.subject(lang), date=game.date)


def iter_subjects(workshop: Workshop, designs: Iterable[Design], lang: str) -> Iterator[ProofSubject]:
    """Yield the front of each design (or its foldable net), then all different backs of that kind, kind after kind."""
    game = workshop.game
    by_kind: dict[str, list[Design]] = {}
    for design in designs:
        by_kind.setdefault(design.kind, []).append(design)
    for kind_id, chosen in by_kind.items():
        kind = game.kinds[kind_id]
        making = PieceMaker(kind)
        backs: dict[str, tuple[Piece, list[str]]] = {}
        for design in chosen:
            drawn = {face: workshop.draw_printed(lang, design, face) for face in kind.faces(design)}
            faces = {face: drawing for face, drawing in drawn.items() if drawing is not None}
            if len(faces) < len(drawn):
                continue
            piece = making.make_piece(design.id, faces)
            digest = workshop.digest_face(faces["front"])[:HASH_SHOWN]
            yield ProofSubject(design.id, f"×{design.count}  {digest}", piece, piece.front.to_drawing())
            if piece.back is not None:
                backs.setdefault(workshop.digest_face(faces["back"]), (piece, []))[1].append(design.id)
        for digest, (piece, ids) in backs.items():
            if piece.back is not None:
                name = ids[0] if len(ids) == 1 else f"{ids[0]} …" if len(backs) > 1 else kind_id
                of = count_phrase("designs", lang, len(ids))
                called, note = f"{name} · {phrase('back', lang)}", f"{of}  {digest[:HASH_SHOWN]}"
                yield ProofSubject(called, note, piece, piece.back.to_drawing())


def _pair_strips(strips: Iterable[Artwork]) -> Iterator[Row]:
    """Yield rows: two neighbouring strips together if both fit, otherwise one strip."""
    left: Artwork | None = None
    for strip in strips:
        if left is not None and left.size.width + strip.size.width <= STRIP_AREA.width - GAP:
            yield Row(((0.0, left), (STRIP_AREA.width - strip.size.width, strip)), GAP)
            left = None
            continue
        if left is not None:
            yield Row(((0.0, left),), GAP)
        left = strip
    if left is not None:
        yield Row(((0.0, left),), GAP)


def _draw_legend(letters: Labeller, lang: str) -> Iterator[Item]:
    x, y = STRIP_AREA.x, PAPER.height - 9.0
    guides = (("trim", TRIM), ("safe", SAFE), ("bleed", BLEED), ("frame", FRAME), ("fold", FOLD))
    for name, paint in guides:
        yield Shape(rectangle_path(Rect(x, y - 1.0, 5.0, 0.5)), fill=paint, role="frame")
        said = phrase(f"guide_{name}", lang)
        yield from letters.set_level_line(said, x + 6.0, y, 5.5, "start", GREY)
        x += 6.0 + letters.measure_width(said, 5.5) + 5.0


@dataclass(frozen=True, slots=True)
class ProofOrder(Order):
    """The designs to proof: those that `only` matches, or all."""

    one_language: ClassVar[str] = "proofs"

    @property
    def file(self) -> str:
        """Return the files' name without suffix; a proof of a selection must not replace that of all designs."""
        return "proof-selection" if self.only else "proof"

    def make(self, job: Job) -> GameOutput:
        """Make the proofs of one game. Raise ProblemsFound with everything wrong."""
        game = job.workshop.game
        designs = pick_designs(game, self.only)
        if not self.only:
            designs = tuple(design for design in designs if not game.kinds[design.kind].left_out)
        for lang in self.pick_languages(game) if designs else ():
            job.progress(f"{game.id}: {self.file}.{lang}.pdf")
            with TemporaryDirectory() as folder:
                pages = build_proof(job.workshop, designs, lang, Path(folder))
                target = self.out / game.id / f"{self.file}.{lang}.pdf"
                job.files.write(target, partial(job.workshop.write_document, pages))
        return GameOutput()


READABLE, LARGE = 4.5, 3.0
"""Smallest contrast of text, and of large numbers and icons, by WCAG 2."""

ALIKE_DIFFERENCE = 5.0
"""CIEDE2000 difference below which paints can only be told apart if they touch."""

_NORMAL, _GREY = "normal sight", "grey"
_LINE, _HEAD = 5.6, 9.0
_NAME, _HEX = 33.0, 15.0
_ICON, _SMALL = 10.0, 4.0
_MOST_PAIRS = 40

_Named: TypeAlias = tuple[str, str]
"""A paint's name and its value as `#rrggbb`."""


@dataclass(slots=True)
class ColourSetter:
    """Sets the colour pages. `captions` name normal sight and each kind of colour vision."""

    workshop: Workshop
    lang: str
    letters: Labeller
    sights: Sequence[VisionSimulator]
    captions: Sequence[str]

    def iter_strips(self, width: float) -> Iterator[Artwork]:
        """Yield strips for icons, the palette, and pairs of similar colours, each `width` mm wide."""
        for group in self.workshop.game.told_apart:
            yield self._draw_icons(group, width)
        yield self._draw_heading(phrase("proof_palette", self.lang), width, phrase("proof_grades", self.lang))
        yield self._draw_palette_head(width)
        for name, colour in self.workshop.game.palette.items():
            yield self._draw_paint(name, colour.srgb, width)
        yield from self._draw_pairs(width)

    def _draw_heading(self, title: str, width: float, note: str = "") -> Artwork:
        items: list[Item] = [
            Shape(rectangle_path(Rect(0, 2.0, width, 0.3)), fill="ink", role="frame"),
            *self.letters.set_level_line(title, 0.0, 7.0, 9.0),
            *self.letters.set_level_line(note, width, 7.0, 6.0, "end", GREY),
        ]
        return Artwork(Size(width, _HEAD), tuple(items))

    def _draw_icons(self, group: Sequence[str], width: float) -> Artwork:
        """Draw the icons in a `told_apart` list in each colour vision, in two sizes, and name the most similar pair."""
        game = self.workshop.game
        known = [game.icons[name] for name in group if name in game.icons]
        title = phrase("proof_told_apart", self.lang, names=", ".join(icon.name[self.lang] for icon in known))
        items: list[Item] = list(self._draw_heading(self.letters.shorten_text(title, 9.0, width), width).items)
        y = _HEAD + 1.0
        pitch = min(_ICON + _SMALL + 4.0, (width - 40.0) / max(1, len(known)))
        for caption, sight in zip(self.captions, (None, *self.sights), strict=True):
            items += self.letters.set_level_line(caption, 0.0, y + _ICON / 2 + 0.8, 6.0, "start", GREY)
            for at, icon in enumerate(known):
                symbol = self.workshop.artist.draw_icon(icon.id, "")
                if symbol is not None:
                    x = 40.0 + at * pitch
                    small = _fit_symbol(symbol, x + _ICON + 1, y + _ICON - _SMALL, _SMALL)
                    drawn = (_fit_symbol(symbol, x, y, _ICON), small)
                    items.append(Group(sight.convert_items(drawn) if sight else drawn))
            y += _ICON + 2.0
        for line in self._find_nearest([(icon.name[self.lang], icon.colour) for icon in known]):
            items += self.letters.set_level_line(self.letters.shorten_text(line, 6.0, width), 0.0, y + 2.0, 6.0)
            y += 3.4
        return Artwork(Size(width, y + 3.0), tuple(items))

    def _find_nearest(self, named: Sequence[tuple[str, Paint]]) -> Iterator[str]:
        """Yield for each colour vision a sentence that names the two most similar colours and their difference."""
        pairs = [
            (one, other, measure_differences(self.workshop.hex_of_paint(paint), self.workshop.hex_of_paint(second)))
            for (one, paint), (other, second) in combinations(named, 2)
        ]
        if not pairs:
            return
        for caption, name in zip(self.captions, (_NORMAL, *(sight.eye.name for sight in self.sights)), strict=True):
            one, other, figures = min(pairs, key=lambda pair: pair[2][name])
            value = f"{figures[name]:.1f}"
            yield phrase("proof_nearest", self.lang, sight=caption, one=one, other=other, value=value)

    def _place_columns(self, width: float) -> list[float]:
        """Return the left edges (mm) of the swatch columns, then the right edges of the two contrast columns."""
        start, swatches = _NAME + _HEX, len(self.captions)
        room = (width - start - 34.0) / swatches
        return [*(start + room * at for at in range(swatches)), start + room * swatches + 15.0, width]

    def _draw_palette_head(self, width: float) -> Artwork:
        columns = self._place_columns(width)
        pitch = columns[1] - columns[0]
        items: list[Item] = []
        for x, caption in zip(columns, self.captions, strict=False):
            said = self.letters.shorten_text(caption, 5.0, pitch - 1.0)
            items += self.letters.set_level_line(said, x, 3.0, 5.0, "start", GREY)
        for x, name in zip(columns[-2:], ("proof_on_white", "proof_on_ink"), strict=True):
            items += self.letters.set_level_line(phrase(name, self.lang), x, 3.0, 5.0, "end", GREY)
        return Artwork(Size(width, 2.0), tuple(items))

    def _draw_paint(self, name: str, srgb: str, width: float) -> Artwork:
        """Draw a paint's row: name, value, a swatch in each colour vision, contrast with white paper and with ink."""
        columns = self._place_columns(width)
        pitch = columns[1] - columns[0]
        items: list[Item] = [
            *self.letters.set_level_line(self.letters.shorten_text(name, 6.5, _NAME - 1), 0.0, 3.4, 6.5),
            *self.letters.set_level_line(srgb, _NAME, 3.4, 6.0, "start", GREY),
        ]
        for x, seen in zip(columns, (srgb, *(sight.eye.convert_hex(srgb) for sight in self.sights)), strict=False):
            items.append(_draw_swatch(Rect(x, 0.2, pitch - 1.0, _LINE - 1.6), seen))
        for x, ground in zip(columns[-2:], ("#ffffff", self.workshop.hex_of_paint("ink")), strict=True):
            figure = measure_contrast(srgb, ground)
            grade = "●" if figure >= READABLE else "○" if figure >= LARGE else "–"
            paint = "ink" if figure >= READABLE else GREY
            items += self.letters.set_level_line(f"{figure:.1f} {grade}", x, 3.4, 6.5, "end", paint)
        return Artwork(Size(width, _LINE - 2.0), tuple(items))

    def _draw_pairs(self, width: float) -> Iterator[Artwork]:
        """Yield tables of paints that differ in normal vision but look alike in another, the most similar first.

        Far more pairs look alike in a grey print than to colour-blind people, so it has its own table.
        """
        eyes = [sight.eye.name for sight in self.sights]
        for title, names in (
            ("proof_pairs", [name for name in eyes if name != _GREY]),
            ("proof_grey_pairs", [name for name in eyes if name == _GREY]),
        ):
            if names:
                palette = [(name, colour.srgb) for name, colour in self.workshop.game.palette.items()]
                found = []
                for one, other in combinations(palette, 2):
                    figures = measure_differences(one[1], other[1])
                    if figures[_NORMAL] >= LEAST_DIFFERENCE and min(figures[name] for name in names) < ALIKE_DIFFERENCE:
                        found.append((one, other, figures))
                found.sort(key=lambda pair: (round(min(pair[2][name] for name in names), 6), pair[0], pair[1]))
                yield from self._draw_pair_table(title, found, width)

    def _draw_pair_table(
        self, title: str, pairs: Sequence[tuple[_Named, _Named, Mapping[str, float]]], width: float
    ) -> Iterator[Artwork]:
        note = count_phrase(
            "proof_pairs_found", self.lang, len(pairs), least=f"{LEAST_DIFFERENCE:g}", together=f"{ALIKE_DIFFERENCE:g}"
        )
        yield self._draw_heading(phrase(title, self.lang), width, note)
        if pairs:
            items: list[Item] = []
            for x, caption in zip(self._place_figures(width), self.captions, strict=True):
                said = self.letters.shorten_text(caption, 5.0, 19.0)
                items += self.letters.set_level_line(said, x + 19.0, 3.0, 5.0, "end", GREY)
            yield Artwork(Size(width, 2.0), tuple(items))
        for one, other, figures in pairs[:_MOST_PAIRS]:
            yield self._draw_pair(one, other, figures, width)
        if len(pairs) > _MOST_PAIRS:
            said = phrase("proof_more_pairs", self.lang, n=len(pairs) - _MOST_PAIRS)
            yield Artwork(Size(width, _LINE), self.letters.set_level_line(said, 0.0, 3.4, 6.5, "start", GREY))

    def _place_figures(self, width: float) -> list[float]:
        number = len(self.captions)
        return [width - 20.0 * (number - at) for at in range(number)]

    def _draw_pair(self, first: _Named, second: _Named, figures: Mapping[str, float], width: float) -> Artwork:
        room = width - 20.0 * len(self.captions)
        names = self.letters.shorten_text(f"{first[0]} / {second[0]}", 6.5, room - 1)
        items: list[Item] = [*self.letters.set_level_line(names, 0.0, 3.4, 6.5)]
        sees = [None, *(sight.eye for sight in self.sights)]
        for x, eye in zip(self._place_figures(width), sees, strict=True):
            for at, (_, srgb) in enumerate((first, second)):
                seen = eye.convert_hex(srgb) if eye else srgb
                items.append(_draw_swatch(Rect(x + 5.0 * at, 0.2, 5.0, _LINE - 1.6), seen))
            value = figures[eye.name if eye else _NORMAL]
            paint = WARNING if value < ALIKE_DIFFERENCE else "ink"
            items += self.letters.set_level_line(f"{value:.1f}", x + 19.0, 3.4, 6.5, "end", paint)
        return Artwork(Size(width, _LINE - 2.0), tuple(items))


def _draw_swatch(box: Rect, srgb: str) -> Shape:
    return Shape(draw_rounded_box(box, 0.0), fill=srgb, stroke=RULE, width=0.1, role="frame")


def _fit_symbol(symbol: Symbol, x: float, y: float, size: float) -> PlacedSymbol:
    left, top, width, height = symbol.box
    scale = size / max(width, height)
    return PlacedSymbol(symbol, (scale, 0.0, 0.0, scale, x - left * scale, y - top * scale))
