"""A game as the live page shows it: its last readable state, the picture of each face, and current problems."""

import hashlib
from bisect import bisect_right
from collections import Counter, OrderedDict, deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

from generator.base.display_list import Drawing, Group, Shape
from generator.base.errors import Place, Problem, ProblemsFound, sort_problems
from generator.base.files import Resources
from generator.base.geometry import Rect
from generator.drawing.faces.draw_face import FaceKey, FaceNote, digest_look
from generator.drawing.faces.face_marks import draw_guides, draw_rounded_box
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.svg_writer import read_drawing_text, write_svg
from generator.game.game_cache import ReadLog
from generator.game.load_game import load_game
from generator.game.model import CUBE_FACES, Design, FaceName, Game, Kind
from generator.game.print_pages import Placement
from generator.game.project import ParsedFiles, Project
from generator.live.file_watch import ALL_CHANGED, ChangeScope
from generator.sheets.page_marks import mirror_back_outline


class ProblemLocator:
    """Finds the designs that a problem affects, by its place in the data or in a template that draws them.

    For files that can't be read it uses the places of the last readable state.
    """

    def __init__(self, game: Game | None = None, resources: Resources | None = None):
        self._lines: dict[str, list[tuple[int, int, str]]] = {}
        self._drawn_by: dict[str, list[str]] = {}
        self._order: dict[str, int] = {}
        self._met: dict[Problem, list[str]] = {}
        self._unlearned = (game, resources) if game is not None and resources is not None else None

    def add_problems(self, problems: Iterable[Problem], design: str) -> None:
        """Record problems that appeared while drawing a design."""
        for problem in problems:
            self._met.setdefault(problem, []).append(design)

    def find_designs(self, problem: Problem) -> tuple[str, ...]:
        """Return the ids of the designs that a problem affects, in the order of the data; () if unknown."""
        if self._unlearned is not None:  # only if there is a problem: a large deck has many lines
            self._learn_places(*self._unlearned)
            self._unlearned = None
        found = list(self._met.get(problem, ()))
        if problem.place is not None:
            found += self._drawn_by.get(problem.place.file, ())
            lines = self._lines.get(problem.place.file, [])
            before = bisect_right(lines, problem.place.line, key=lambda entry: entry[0])
            if before and problem.place.line <= lines[before - 1][1]:
                found.append(lines[before - 1][2])
        return tuple(sorted(set(found), key=lambda design: self._order.get(design, 0)))

    def _learn_places(self, game: Game, resources: Resources) -> None:
        files: dict[str, str] = {}
        self._order = {design.id: number for number, design in enumerate(game.designs())}
        for design in game.designs():
            begin = design.place.line
            fields = design.source.value if isinstance(design.source.value, dict) else {}
            first, last = begin, max([begin, *(design.source.place(field).line for field in fields)]) + 1
            self._lines.setdefault(design.place.file, []).append((first, last, design.id))
            kind = game.kinds[design.kind]
            for template in sorted({name for face in CUBE_FACES if (name := kind.template(design, face))}):
                if template not in files:
                    names = (f"{folder}/{template}.svg" for folder in (game.id, "common"))
                    paths = filter(None, (resources.find("templates", name) for name in names))
                    files[template] = next(map(resources.display_path, paths), "")
                self._drawn_by.setdefault(files[template], []).append(design.id)
        self._lines = {file: _join_texts(sorted(lines)) for file, lines in self._lines.items()}


def _join_texts(lines: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Extend each (first line, last line, design), in order, to the line before the next design if of equal kind."""
    joined = [
        (first, following[0] - 1 if _get_kind(following) == _get_kind((first, last, name)) else last, name)
        for (first, last, name), following in pairwise(lines)
    ]
    return [*joined, *lines[-1:]]


def _get_kind(entry: tuple[int, int, str]) -> str:
    return entry[2].split("/")[0]


GUIDE_WIDTH = 0.25
"""Width of guide lines (mm): those for printing are thinner than a pixel of a screen."""

DesignProblems: TypeAlias = tuple[tuple[Problem, tuple[str, ...]], ...]
"""Problems, each with the ids of the designs that it affects."""

_DIGITS = 16

_MOST_PICTURES = 600
"""Maximum number of pictures in memory. Others are drawn again when a page requests them."""


@dataclass(frozen=True, slots=True)
class ShownFace:
    """The last successful drawing of a face. Faces with equal `version` look equal, including guides."""

    version: str
    drawing: Drawing
    kind: Kind
    face: FaceName
    workshop: Workshop

    def cut_drawing(self) -> Drawing:
        """Return the face clipped to its rounded corners, or to a token's outline."""
        drawing, cut = self.drawing, _cut_path(self.kind, self.face)
        return drawing._replace(items=(Group(drawing.items, clip=cut),)) if cut else drawing

    def to_svg(self) -> str:
        """Return the cut face as SVG."""
        return write_svg(self.cut_drawing(), self.workshop.fonts, self.workshop.hex_of_paint)

    def guides_to_svg(self) -> str:
        """Return an SVG with only trim, safe zone and text boxes, for use above the face."""
        kind, drawing = self.kind, self.drawing
        trim = Rect(0, 0, drawing.width, drawing.height)
        placed = Placement("", drawing, trim, trim.grow(max(drawing.bleed, 1.0)))  # hides the edge of the bleed
        lines = draw_guides(placed, kind.safe, _get_corner(kind), _find_outline(kind, self.face))
        items = tuple([line._replace(width=GUIDE_WIDTH) if isinstance(line, Shape) else line for line in lines])
        over = Drawing(drawing.width, drawing.height, 0.0, items, drawing.lang, "guides")
        return write_svg(over, self.workshop.fonts, self.workshop.hex_of_paint)

    def read_words(self) -> str:
        """Return the words on the face, line by line."""
        return read_drawing_text(self.drawing)


class Show:
    """A game that can change at any time. Only one thread at a time may use it (see `WorkshopLock`).

    `game` is the last state without errors in its files, or None. `generation` increases with each reading.
    """

    def __init__(self, project: Project, name: str):
        self.name = name
        self.game: Game | None = None
        self.workshop: Workshop | None = None
        self.generation = 0
        self._project = project
        self._parsed = ParsedFiles()
        self._unread: tuple[Problem, ...] = ()
        self._old_templates = self._old_fonts = True
        self._reads = ReadLog()
        self._notes: dict[FaceKey, tuple[FaceNote, str]] = {}
        self._look = self._colours = ""
        self._pictures: OrderedDict[FaceKey, ShownFace] = OrderedDict()
        self._versions: dict[FaceKey, str] = {}
        self._well: dict[FaceKey, bool] = {}
        self._ahead: deque[FaceKey] = deque()
        self._changed: tuple[FaceKey, ...] = ()
        self._failing: set[FaceKey] = set()
        self._changes: list[FaceKey] = []
        self._blame = ProblemLocator()

    def read(self, scope: ChangeScope = ALL_CHANGED) -> None:
        """Read what may have changed. If the data have problems, keep the last readable state."""
        self.generation += 1
        self._old_templates |= scope.templates
        self._old_fonts |= scope.fonts
        game = self.game
        if game is None or self._unread or scope.data or (scope.templates and _uses_pictures(game)):
            try:
                game = load_game(self._project.find_folder(self.name), self._project.resources, self._parsed)
            except ProblemsFound as found:
                self._unread = found.problems
                return
            except OSError as error:  # a file is being replaced
                place = Place(self._project.resources.display_path(self._project.find_folder(self.name)))
                self._unread = (Problem(place, f"can't be read: {error.strerror or error}", "save it again"),)
                return
        before, self.game, self._unread = self.game, game, ()
        self.workshop = self._new_workshop(game)
        self._colours = f"{[(name, colour.srgb) for name, colour in game.palette.items()]} {game.draft}"
        self._old_templates = self._old_fonts = False
        self._blame = ProblemLocator(game, self._project.resources)
        keys = [key for lang in game.languages for design in game.designs() for key in _list_keys(game, design, lang)]
        if before and before is not game:
            known = {design.id: _get_data(design) for design in before.designs()}
            unlike = {one.id for one in game.designs() if one.id not in known or known[one.id] != _get_data(one)}
            self._changed = tuple(key for key in keys if key[0] in unlike)
        else:
            self._changed = ()
        self._ahead = deque([*self._changed, *keys])
        self._well = {}
        there = set(keys)
        self._pictures = OrderedDict((key, picture) for key, picture in self._pictures.items() if key in there)
        self._versions = {key: version for key, version in self._versions.items() if key in there}
        self._failing &= there

    def prepare(self) -> None:
        """Compile each template in a temporary workshop, which caches the code, without drawing a face."""
        game, met = self.game, set[str]()
        if game is None:
            return
        artist = Workshop(game, self._project.resources).artist
        for name, face, lang in self.iter_faces():
            design = game.design(name)
            template = game.kinds[design.kind].template(design, face)
            if template and template not in met:
                met.add(template)
                artist.run_template(design, face, lang)

    def _new_workshop(self, game: Game) -> Workshop:
        """Return a workshop for the game that reuses unchanged templates and fonts of the last workshop.

        Opening fonts and reading templates takes longer than drawing a face. Fonts with problems are opened again,
        because they may not be needed any more. Without such changes, faces that read nothing new are reused, too.
        """
        last, resources = self.workshop, self._project.resources
        self._look, before = digest_look(game), self._look
        fonts = last.fonts if last and self._look == before and not (self._old_fonts or last.fonts.problems) else None
        templates = last.artist.templates if last and not self._old_templates else None
        if templates is None:
            self._reads = ReadLog()
        if templates is None or fonts is None:
            self._notes.clear()
        self._reads.forget_values()
        return Workshop(game, resources, reads=self._reads, templates=templates, fonts=fonts)

    @property
    def is_stale(self) -> bool:
        """Return True if the files can't be read now, so that the page shows older data."""
        return bool(self._unread)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return the problems of the files if they can't be read, else those found while drawing."""
        if self._unread or self.workshop is None:
            return self._unread
        return sort_problems(self.workshop.problems)

    @property
    def design_problems(self) -> DesignProblems:
        """Return each problem with the affected designs that can't be drawn (all affected, if data are unreadable)."""
        failing = {design for design, _, _ in self._failing}
        return tuple(
            (problem, tuple([one for one in self._blame.find_designs(problem) if self._unread or one in failing]))
            for problem in self.problems
        )

    def has_face(self, key: FaceKey) -> bool:
        """Return True if the game has this face."""
        design, face, lang = key
        if self.game is None or lang not in self.game.languages:
            return False
        found = self._find_design(design)
        return found is not None and face in self.game.kinds[found.kind].faces(found)

    def get_picture(self, key: FaceKey) -> ShownFace | None:
        """Return the current face; if it can't be drawn, the last good one if it is still in memory, else None."""
        picture = self.peek_picture(key)
        if picture is not None:
            self._pictures[key] = picture
            self._pictures.move_to_end(key)
            self._drop_pictures()
        return picture

    def peek_picture(self, key: FaceKey) -> ShownFace | None:
        """Like `get_picture`, but keep pictures in memory that pages requested, rather than this one."""
        if key not in self._well:
            self._reuse_face(key)
        if key not in self._well or (self._well[key] and key not in self._pictures):
            return self._draw_face(key)
        return self._pictures.get(key)

    def _reuse_face(self, key: FaceKey) -> None:
        """Take over a face of the last reading if nothing has changed that was read to draw it."""
        design, workshop = self._find_design(key[0]), self.workshop
        noted = workshop.artist.noted if workshop is not None else None
        if key not in self._notes or design is None or noted is None or workshop is None:
            return
        note, around = self._notes[key]
        kind = workshop.game.kinds[design.kind]
        if around == self._describe_surroundings(kind, key[1]) and noted.is_unchanged(design, key, note, self._reads):
            self._well[key] = True
            if key in self._pictures:
                self._pictures[key] = replace(self._pictures[key], kind=kind, workshop=workshop)

    def _describe_surroundings(self, kind: Kind, face: FaceName) -> str:
        """Return as text what a picture depends on besides the face: colours, draft, its kind's guides and cut."""
        return f"{self._colours} {kind.safe!r} {_cut_path(kind, face)}"

    def is_up_to_date(self, key: FaceKey) -> bool:
        """Return True if the picture of a requested face shows the current files."""
        return self._well.get(key, False)

    def get_version(self, key: FaceKey) -> str:
        """Return the version of a face's picture without drawing it, or '' if there is none."""
        return "" if key in self._failing and key not in self._pictures else self._versions.get(key, "")

    def next_ahead(self) -> FaceKey | None:
        """Return the next face that no page has requested yet, or None when all are drawn."""
        while self._ahead:
            key = self._ahead.popleft()
            if key not in self._well:
                return key
        return None

    @property
    def changed_faces(self) -> tuple[FaceKey, ...]:
        """Return the faces of designs that changed at the last reading: the author probably looks at these."""
        return self._changed

    def take_changes(self) -> list[FaceKey]:
        """Return the faces that look different, began to fail or stopped failing, since the last call."""
        changes, self._changes = self._changes, []
        return changes

    def iter_faces(self) -> Iterable[FaceKey]:
        """Yield every face in every language."""
        game = self.game
        if game is not None:
            for lang in game.languages:
                for design in game.designs():
                    yield from _list_keys(game, design, lang)

    def _find_design(self, name: str) -> Design | None:
        if self.game is None:
            return None
        try:
            return self.game.design(name)
        except KeyError:
            return None

    def _draw_face(self, key: FaceKey) -> ShownFace | None:
        game, workshop, design = self.game, self.workshop, self._find_design(key[0])
        if game is None or workshop is None or design is None:
            return None
        workshop.forget_faces()
        known = Counter(workshop.problems)
        _, face, lang = key
        drawing = workshop.draw_printed(lang, design, face)
        self._well[key] = drawing is not None
        if drawing is None:
            self._notes.pop(key, None)
            self._blame.add_problems(Counter(workshop.problems) - known, design.id)
            if key not in self._failing:
                self._failing.add(key)
                self._changes.append(key)
            return self._pictures.get(key)
        kind = game.kinds[design.kind]
        around = self._describe_surroundings(kind, face)
        note = workshop.artist.noted.take_note(design, key, self._reads) if workshop.artist.noted is not None else None
        if note is not None and not workshop.fonts.problems:  # else it was at hand
            self._notes[key] = note, around
        said = (workshop.digest_face(drawing), around, drawing.frames, drawing.title)
        version = hashlib.sha256(repr(said).encode()).hexdigest()[:_DIGITS]
        if self._versions.get(key) != version or key in self._failing:
            self._failing.discard(key)
            self._changes.append(key)
        self._versions[key] = version
        picture = ShownFace(version, drawing, kind, face, workshop)
        asked = key in self._pictures
        self._pictures[key] = picture
        self._pictures.move_to_end(key, last=asked)
        self._drop_pictures()
        return picture

    def _drop_pictures(self) -> None:
        while len(self._pictures) > _MOST_PICTURES:
            self._pictures.popitem(last=False)


def _list_keys(game: Game, design: Design, lang: str) -> list[FaceKey]:
    return [(design.id, face, lang) for face in game.kinds[design.kind].faces(design)]


def _get_data(design: Design) -> object:
    return dict(design.fields), design.front, design.back


def _get_corner(kind: Kind) -> float:
    return kind.corner if kind.form == "card" else 0.0


def _find_outline(kind: Kind, face: FaceName) -> str:
    """Return the outline of a piece as seen from this face, or '' for a rectangle."""
    mirrored = kind.outline and kind.template_side(face) == "back"
    return mirror_back_outline(kind.outline, kind.size.width) if mirrored else kind.outline


def _cut_path(kind: Kind, face: FaceName) -> str:
    """Return the path that clips a face, or '' if all of it is visible."""
    outline, corner = _find_outline(kind, face), _get_corner(kind)
    return outline or (draw_rounded_box(Rect(0, 0, kind.size.width, kind.size.height), corner) if corner else "")


def _uses_pictures(game: Game) -> bool:
    """Return True if the data depend on picture files next to the templates."""
    return any(spec.type == "picture" for kind in game.kinds.values() for spec in kind.fields.values()) or any(
        str(game.places["components"].value[kind.id].get("outline", "")).lower().endswith(".svg")
        for kind in game.kinds.values()
    )
