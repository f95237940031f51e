"""The program as a library: open, draw, check and play a game, and write its sheets.

The public names of this module stay the same in every version. All other names may change. A game with errors raises
`ProblemsFound`. Its `problems` are those that the command line reports.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.base.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.game.load_game import load_game
from generator.game.model import FaceName, Game
from generator.game.print_pages import Backs
from generator.game.project import Project, find_project

if TYPE_CHECKING:
    from generator.base.display_list import Drawing
    from generator.checks.check_report import Check
    from generator.drawing.faces.game_drawing import Workshop
    from generator.play.human_game import HumanGame


__all__ = ["DrawnFace", "OpenGame", "OpenTable", "Place", "Problem", "ProblemsFound", "open_game"]


def open_game(folder: str | Path, name: str = "") -> "OpenGame":
    """Open a game of the project in `folder`, which contains data/. `name` is optional if there is only one game.

    Raise ProblemsFound if the game has errors or does not exist, or if the name is missing and there are several games.
    """
    project = find_project(Path.cwd(), Path(folder))
    (first, *others) = project.choose_games((name,) if name else ())
    if others:
        hint = f"name one of {', '.join((first, *others))}"
        raise ProblemsFound([Problem(None, f"there are {len(others) + 1} games in {folder}", hint)])
    return OpenGame(project, load_game(project.find_folder(first), project.resources))


@dataclass(frozen=True, slots=True)
class DrawnFace:
    """One face of a design in one language."""

    _drawing: "Drawing"
    _workshop: "Workshop"

    @property
    def width(self) -> float:
        """Width of the piece after cutting, without the bleed (mm)."""
        return self._drawing.width

    @property
    def height(self) -> float:
        """Height of the piece after cutting, without the bleed (mm)."""
        return self._drawing.height

    @property
    def digest(self) -> str:
        """Hash of the face (64 hex digits). Faces that look the same have the same hash."""
        return self._workshop.digest_face(self._drawing)

    def words(self) -> str:
        """Return the text of the face, line by line."""
        from generator.drawing.svg_writer import read_drawing_text

        return read_drawing_text(self._drawing)

    def svg(self) -> str:
        """Return the face as a standalone SVG file. Letters are outlines, and pictures are embedded."""
        from generator.drawing.svg_writer import write_svg

        return write_svg(self._drawing, self._workshop.fonts, self._workshop.hex_of_paint)

    def png(self, dpi: float = 300.0, *, bleed: bool = False) -> bytes:
        """Return the face as a PNG file of `dpi` pixels per inch, with or without the bleed.

        Raise ProblemsFound if the picture would have too many pixels.
        """
        from generator.sheets.raster import encode_png, make_face_page, render_pages

        (image,) = render_pages(self._workshop, [make_face_page(self._drawing, bleed)], dpi)
        return encode_png(image, dpi)


class OpenTable:
    """A game being played; seats are numbered from 1."""

    def __init__(self, sitting: "HumanGame"):
        self._sitting = sitting

    @property
    def seat(self) -> int:
        """Number of the seat that must choose the next move, from 1."""
        return self._sitting.table.seat + 1

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self._sitting.table.is_over

    @property
    def scores(self) -> tuple[int, ...]:
        """Current points of each seat."""
        return self._sitting.table.compute_scores()

    def zones(self) -> Mapping[str, Mapping[str, int]]:
        """Return the number of pieces by zone and piece id (zone -> id -> number), including hidden zones."""
        return self._sitting.table.list_zones()

    def legal(self, lang: str) -> Mapping[int, str]:
        """Return the legal moves by number, each with its description in `lang`."""
        table = self._sitting.table
        return {move: table.describe_move(move, lang) for move in table.list_legal_moves()}

    def make(self, move: int, lang: str) -> str:
        """Make a move for the seat that must choose and return its description. Raise ValueError if it is not legal."""
        self._sitting.make_move(move, lang)
        return self._last(lang)

    def bots_play(self, lang: str) -> Iterator[str]:
        """Let the bots play until a person must choose or the game ends. Yield a description of each move in `lang`."""
        for _ in self._sitting.play_bots(lang):
            yield self._last(lang)

    def _last(self, lang: str) -> str:
        """Return the description of the last move."""
        from generator.rules.engine.table import move_text

        table = self._sitting.table
        return move_text(table.box.game, table.rules.say(table.previous_state, table.box, table.moves[-1]), lang)


class OpenGame:
    """A game as read when you opened it; later changes of the data files have no effect."""

    def __init__(self, project: Project, game: Game):
        from generator.drawing.faces.game_drawing import Workshop

        self._project, self._game = project, game
        self._workshop = Workshop(game, project.resources)

    @property
    def id(self) -> str:
        """Name of the game's folder."""
        return self._game.id

    @property
    def title(self) -> Mapping[str, str]:
        """Title by language."""
        return dict(self._game.title.items())

    @property
    def languages(self) -> tuple[str, ...]:
        """Languages of the game; the first one is the default."""
        return tuple(self._game.languages)

    @property
    def designs(self) -> Mapping[str, int]:
        """Ids of all designs, with the number of copies in the box."""
        return {design.id: design.count for design in self._game.designs()}

    def face(self, design: str, side: FaceName = "front", lang: str = "") -> DrawnFace:
        """Draw a face of a design, by default in the first language of the game.

        Raise KeyError for an unknown design or language, ValueError for a side that the design doesn't have, and
        ProblemsFound if the face can't be drawn.
        """
        if design not in self.designs:
            raise KeyError(f"no design '{design}'; {did_you_mean(design, self.designs)}")
        wanted, lang = self._game.design(design), lang or self._game.languages[0]
        if lang not in self._game.languages:
            raise KeyError(f"no language '{lang}'; {did_you_mean(lang, self._game.languages)}")
        if side not in self._game.kinds[wanted.kind].faces(wanted):
            raise ValueError(f"{design} has no {side}")
        before = len(self._workshop.problems)
        drawing = self._workshop.draw_face(wanted, side, lang)
        if drawing is None:
            raise ProblemsFound(self._workshop.problems[before:] or self._workshop.problems)
        return DrawnFace(drawing, self._workshop)

    def write_sheets(
        self,
        out: str | Path,
        *,
        languages: Iterable[str] = (),
        only: Iterable[str] = (),
        copies: int | None = None,
        paper: str = "A4",
        backs: Backs = "long",
    ) -> tuple[Path, ...]:
        """Write print sheets to OUT/<game>/, one PDF for each language, and return their paths.

        By default, all languages and designs are printed. `only` selects designs by patterns such as `reel/6-*`.
        `copies` replaces the count of each design. Raise ProblemsFound, or KeyError for an unknown paper.
        """
        from generator.base.geometry import paper_size
        from generator.commands.orders import carry_out
        from generator.commands.sheets import SheetsOrder
        from generator.sheets.settings import SheetSettings

        settings = SheetSettings(paper_size(paper), paper, backs=backs)
        order = SheetsOrder(tuple(languages), Path(out), tuple(only), sheets=settings, copies=copies)
        return carry_out(self._project, (self.id,), order, lambda _doing: None).files

    def checks(self) -> "tuple[Check, ...]":
        """Return the results of all checks that need no simulated games."""
        from generator.checks.validation_games import ValidationPlay
        from generator.commands.rulebook import check_books
        from generator.commands.validate import run_game_checks

        checks = run_game_checks(self._project, self._workshop, ValidationPlay(games=0, processes=1))
        return (*checks, *check_books(self._project, self._workshop, trusted=False))

    def play(
        self,
        players: int | None = None,
        *,
        people: Iterable[int] = (),
        bot: str = "greedy",
        seed: int = 1,
        options: Mapping[str, Any] | None = None,
    ) -> OpenTable:
        """Deal a game. People sit on the seats in `people`, numbered from 1. Bots sit on the others.

        By default, the smallest number of players takes part. `options` gives values to the game's switches, which
        choose how unclear rules are read. The same seed deals the same game. Raise ProblemsFound for a game without
        rules, or for contradictory options.
        """
        from generator.play.play_setup import Seating, load_game_and_rules, set_up_human_game
        from generator.rules.engine.table import Seed

        game, rules = load_game_and_rules(self._project, self.id, trusted=False)
        return OpenTable(
            set_up_human_game(game, rules, Seating(players, tuple(people), bot, Seed(seed), options or {}))
        )
