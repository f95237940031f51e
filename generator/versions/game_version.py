"""Versions (states) of a game by name: a record, a git revision, another project, or the present project."""

import hashlib
import io
import os
import re
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from types import TracebackType

from generator import __version__
from generator.base.display_list import Drawing, Picture
from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound, did_you_mean, raise_problems
from generator.base.files import Resources, is_file, is_folder, write_in_folder
from generator.base.geometry import MM_PER_INCH, Rect, Size
from generator.base.languages import first_language, second_language
from generator.base.picture_files import read_checked_picture, save_picture
from generator.base.processes import find_program
from generator.books.check_list import find_design_names
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.pdf.page_images import render_page
from generator.game.load_game import load_game, make_bare_game
from generator.game.model import FaceName, Game, Kind
from generator.game.print_pages import Document, Page, Placement
from generator.game.project import GAME_FILE, Project, check_links, find_bundled_root
from generator.game.rich_text import Words
from generator.versions.records import (
    FOLDER,
    VersionDesign,
    find_gone_games,
    picture_path,
    read_record,
    record_names,
    record_path,
)

RECORDED = 120
"""Width of a picture in a record (pixels). Faces stay recognisable, and a large game takes a few megabytes."""

SHOWN = 360
"""Width of a temporary picture for a list (pixels)."""

_COLOURS = 128
"""Number of colours of a small picture. This saves two thirds of the bytes without a visible difference."""

_BATCH_SIZE = 64
"""Number of faces rendered together in one PDF; each such PDF embeds its fonts."""


def draw_small_pictures(workshop: Workshop, drawings: Iterable[Drawing], across: int) -> Iterator[bytes]:
    """Yield each face as a trimmed PNG `across` pixels wide. Equal faces give equal bytes."""
    waiting = iter(drawings)
    while batch := list(islice(waiting, _BATCH_SIZE)):
        out = io.BytesIO()
        trims = [Rect(0, 0, drawing.width, drawing.height) for drawing in batch]
        pages = [
            Page(Size(trim.width, trim.height), "front", 1, (Placement("", drawing, trim, trim),))
            for drawing, trim in zip(batch, trims, strict=True)
        ]
        workshop.write_document(Document("", "", tuple(pages)), out)
        pdf = out.getvalue()
        for number, drawing in enumerate(batch):
            image = render_page(pdf, number, across / drawing.width * MM_PER_INCH)
            yield save_picture(image.quantize(_COLOURS), compress_level=9)


def face_from_picture(path: Path, size: Size, lang: str, title: str) -> Drawing | None:
    """Return a face that shows a PNG file at the given size (mm), or None if the file is missing or damaged."""
    try:
        data, _ = read_checked_picture(path, path.name)
    except InvalidInput:
        return None
    shown = Picture(hashlib.sha256(data).hexdigest(), str(path), 0.0, 0.0, size.width, size.height)
    return Drawing(size.width, size.height, 0.0, (shown,), lang, title)


PREFIX = "git:"
"""Prefix of names that are git revisions, not records or games."""

FOLDERS = ("data", "templates", "fonts", "packs")
"""The folders from which the faces of a game are made."""

_NO_PROGRAMS = tuple(
    word
    for setting in ("core.fsmonitor=false", f"core.hooksPath={os.devnull}", "protocol.allow=never")
    for word in ("-c", setting)
)
"""Git options that turn off programs named in the settings of an untrusted repository."""

_ALONE = {
    "LC_ALL": "C",  # git's refusals are told apart by their words
    "GIT_ALLOW_PROTOCOL": "none",  # a partial clone fetches what it lacks, by any program that its settings name
    "GIT_NO_LAZY_FETCH": "1",  # the same again: older versions of git know only the one above
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",  # nothing in the repository is touched
    "NoDefaultCurrentDirectoryInExePath": "1",  # nor does git look for programs in the folder, as Windows would
}

_MOST_SECONDS = 120

_COMMIT = re.compile(r"[0-9a-f]{40,64}")

_FILE = "100"
"""Beginning of git's mode of ordinary files. Symbolic links (120000) and submodules are ignored."""


def find_revision(root: Path, text: str) -> tuple[str, str]:
    """Return the commit and the game (or an empty string) for `v1`, `HEAD~3` or `v1/night-market`.

    Raise ProblemsFound if git, the repository or the revision is missing.
    """
    _call_git(root, "rev-parse", "--git-dir")
    commit = _find_commit(root, text)
    if commit:
        return commit, ""
    before, _, game = text.rpartition("/")  # a branch may have a stroke in its name, so the whole was tried first
    commit = _find_commit(root, before)
    if commit:
        return commit, game
    what = f"{PREFIX}{text}: git knows no such revision"
    raise ProblemsFound([Problem(None, what, "name a commit, a tag or a branch; `git log --oneline` lists commits")])


def read_revision(root: Path, commit: str, folder: Path) -> None:
    """Write data, templates and fonts of the commit into an empty folder. Raise ProblemsFound if they are missing."""
    listed = _call_git(root, "ls-tree", "-r", "-z", commit, "--", *FOLDERS).decode("utf-8", "surrogateescape")
    entries = [entry.partition("\t") for entry in listed.split("\0") if entry]
    wanted = [(about.split()[2], name) for about, _, name in entries if about.startswith(_FILE)]
    if not wanted:
        what = f"the project has no data at the revision {commit[:12]}"
        raise ProblemsFound([Problem(None, what, "name a later one")])
    blobs = _call_git(root, "cat-file", "--batch", said="".join(f"{blob}\n" for blob, _ in wanted).encode())
    at = 0
    for blob, name in wanted:
        start = blobs.index(b"\n", at) + 1
        said = blobs[at : start - 1].split()
        if said[-1] == b"missing":
            what = f"git has lost the file {name} of the revision {commit[:12]} ({blob})"
            raise ProblemsFound([Problem(None, what, "`git fsck` says more")])
        size = int(said[2])
        write_in_folder(folder, name, blobs[start : start + size])
        at = start + size + 1


def _find_commit(root: Path, text: str) -> str:
    """Return the full hash of a commit, or an empty string if there is none or the text would be an option."""
    if not text or text.startswith("-") or "\0" in text:
        return ""
    said = _run_git(root, "rev-parse", "--verify", "--quiet", f"{text}^{{commit}}").stdout.decode().strip()
    return said if _COMMIT.fullmatch(said) else ""  # of a range git says where it begins and ends


def _call_git(root: Path, *words: str, said: bytes = b"") -> bytes:
    """Return git's output for an input `said`. Raise ProblemsFound with its message if it fails."""
    done = _run_git(root, *words, said=said)
    if done.returncode == 0:
        return done.stdout
    told = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit code {done.returncode}"]
    if "not a git repository" in told[0]:
        what, hint = "the project is not in a git repository", "compare with a record: `pnp record NAME` makes one"
    else:
        what, hint = f"git can't read the project's history: {told[0]}", "mend it, or compare with a record"
    raise ProblemsFound([Problem(None, what, hint)])


def _run_git(root: Path, *words: str, said: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    git = find_program("git")
    if git is None:
        hint = "install git, or compare with a record: `pnp record NAME` makes one"
        raise ProblemsFound([Problem(None, "git is not installed, or not found", hint)])
    try:
        return subprocess.run(  # noqa: S603 - git with words of ours; a revision never begins with a dash
            [git, "--no-pager", *_NO_PROGRAMS, *words],
            cwd=root,
            input=said,
            capture_output=True,
            check=False,
            timeout=_MOST_SECONDS,
            env={**os.environ, **_ALONE},
        )
    except subprocess.TimeoutExpired:
        what = f"git did not answer within {_MOST_SECONDS} s"
        raise ProblemsFound([Problem(None, what, "`git fsck` says more; or compare with a record")]) from None
    except (OSError, ValueError) as error:  # ValueError: a character that no argument can hold
        raise ProblemsFound([Problem(None, f"git can't be run: {error}", "compare with a record")]) from None


# Every version except a record has a `Game`, and a `Workshop` that draws with its own data, templates and fonts.

Room = tempfile.TemporaryDirectory[str] | None
"""A temporary folder that is deleted when the version is closed, or None."""


class GameNotInState(ProblemsFound):
    """The named state exists, but the requested game is not part of it."""


@dataclass(frozen=True, slots=True)
class Version:
    """One state of a game. `label` is the user's name for it, or empty for the present project.

    `languages` are those of its faces (`ja+en` for both on one card). `kinds` and `designs` go by id in the order of
    the data. A design that is not printed has a count of 0. `game` and `workshop` are None for a record, whose faces
    were drawn by version `program`. Call `close` (or use `with`), because it may hold files.
    """

    label: str
    id: str
    title: Mapping[str, str]
    draft: str
    languages: tuple[str, ...]
    kinds: Mapping[str, Kind]
    designs: Mapping[str, VersionDesign]
    game: Game | None
    workshop: Workshop | None
    pictures: Path
    room: Room = None
    program: str = __version__

    def draw_face(self, design: str, face: FaceName, lang: str, used_by: Workshop | None = None) -> Drawing | None:
        """Return a face for a document that `used_by` writes. Its own workshop gives the original drawing.

        Otherwise return a small picture, or None if the design has no such face or the picture is missing.
        """
        about = self.designs[design]
        digest = about.faces.get((face, lang))
        if digest is None:
            return None
        path = self.pictures / f"{digest}.png"
        if self.game is not None and self.workshop is not None:
            drawing = self.workshop.draw_face(self.game.design(design), face, lang)
            if drawing is None or self.workshop is used_by:
                return drawing
            if not path.exists():
                write_in_folder(self.pictures, path.name, next(draw_small_pictures(self.workshop, [drawing], SHOWN)))
        return face_from_picture(path, self.kinds[about.kind].size, lang, self.design_name(design, lang))

    def design_name(self, design: str, lang: str) -> str:
        """Return a design's name in a language, or its id."""
        return self.designs[design].name.get(lang) or design

    def close(self) -> None:
        """Remove the temporary files."""
        if self.room is not None:
            self.room.cleanup()

    def __enter__(self) -> "Version":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def open_version(project: Project, text: str = "", game: str = "", languages: tuple[str, ...] = ()) -> Version:
    """Return the state that `text` names: a record, `git:REV[/game]`, a game or a project folder.

    An empty text is the present state. `game` names the game if `text` does not, and is needed only in projects with
    several games. Faces are drawn in `languages` (all if empty, `ja+en` for both on one card); a record has its own.
    Raise ProblemsFound if there is no such state, or with all its problems.
    """
    if not text:
        return _draw_version(project, _find_game(project, game, text), "", languages)
    if text.startswith(PREFIX):
        return _open_revision(project, text.removeprefix(PREFIX), game, languages)
    with_it = [name for name in ([game] if game else project.games) if text in record_names(project.root, name)]
    if len(with_it) == 1:
        return open_record(project.root, with_it[0], text)
    if (Path(text).name == text and text not in (".", "..")) and is_file(project.find_folder(text) / GAME_FILE):
        return _draw_version(project, text, text, languages)
    if is_folder(Path(text) / "data"):
        other = check_links(Project(Path(text), Resources((Path(text), find_bundled_root())), project.links))
        if game and not is_file(other.find_folder(game) / GAME_FILE):
            what = f"there is no game '{game}' in {text}"
            raise GameNotInState([Problem(None, what, did_you_mean(game, other.games))])
        return _draw_version(other, _find_game(other, game, text), text, languages)
    raise ProblemsFound([_unknown_version(project, text, game, with_it)])


def open_record(root: Path, game: str, name: str) -> Version:
    """Return the state in a record. Raise ProblemsFound if it is damaged."""
    record = read_record(record_path(root, game, name), game)
    pictures = picture_path(root, game, name, "any").parent
    facts = (name, game, record.title, record.draft, record.languages, record.kinds, record.designs)
    return Version(*facts, None, None, pictures, program=record.program)


def require_version(project: Project, text: str) -> None:
    """Raise ProblemsFound if the text is not a record of any game, a revision, a game or a folder."""
    known = not text or text.startswith(PREFIX) or is_folder(Path(text) / "data") or text in project.games
    if not known and not any(text in record_names(project.root, game) for game in project.games):
        raise ProblemsFound([_unknown_version(project, text, "", [])])


def game_of_revision(project: Project, text: str) -> str:
    """Return the game in `git:REV/game`, or an empty string. Raise ProblemsFound for an unknown revision."""
    return find_revision(project.root, text.removeprefix(PREFIX))[1] if text.startswith(PREFIX) else ""


def _draw_version(project: Project, game: str, label: str, languages: tuple[str, ...], room: Room = None) -> Version:
    """Return the present state of a project's game with all its faces drawn; closing it deletes the folder `room`."""
    loaded = load_game(project.find_folder(game), project.resources)
    workshop = Workshop(loaded, project.resources, store=project.store)
    version = draw_workshop_version(workshop, label, languages, room)
    workshop.save_faces()
    return version


def draw_workshop_version(
    workshop: Workshop, label: str = "", languages: tuple[str, ...] = (), room: Room = None
) -> Version:
    """Return the state of a loaded game, with faces in the languages (all if empty). Raise ProblemsFound for faults.

    `room` is the folder of its files if they are to be deleted on `close`.
    """
    game = workshop.game
    problems: list[Problem] = []
    asked = [lang for lang in languages if set(lang.split("+")) <= set(game.languages)] if languages else game.languages
    workshop.draw_all(game.designs(), asked)
    names = find_design_names(workshop, problems)
    raise_problems([*problems, *workshop.problems])
    offered = tuple(lang for lang in asked if not second_language(lang) or workshop.has_both_languages(lang))
    designs = {
        design.id: VersionDesign(
            design.id,
            design.kind,
            design.count,
            names[design.id],
            {
                (face, lang): workshop.digest_face(drawing)
                for face in game.kinds[design.kind].faces(design)
                for lang in offered
                if (drawing := workshop.draw_face(design, face, lang)) is not None
            },
        )
        for design in game.designs()
    }
    room = room or tempfile.TemporaryDirectory(prefix="pnp-")
    pictures = Path(room.name, "pictures")
    pictures.mkdir()
    title = dict(game.title.items())
    what = (label, game.id, title, game.draft, offered, game.kinds, designs)
    return Version(*what, game, workshop, pictures, room)


def _open_revision(project: Project, text: str, game: str, languages: tuple[str, ...]) -> Version:
    """Return the state of a game at a git revision, drawn from a temporary copy."""
    commit, named = find_revision(project.root, text)
    room = tempfile.TemporaryDirectory(prefix="pnp-")
    try:
        root = Path(room.name)
        read_revision(project.root, commit, root)
        (root / "data").mkdir(exist_ok=True)
        rev = text.removesuffix(f"/{named}") if named else text
        old = Project(root, Resources((root, find_bundled_root()), shown_from=root.resolve()))
        wanted = _find_game_at(old, named or game, f"{PREFIX}{rev}")
        with _prefix_places(rev):
            return _draw_version(old, wanted, f"{PREFIX}{rev}", languages, room)
    except BaseException:
        room.cleanup()
        raise


def _find_game_at(old: Project, game: str, text: str) -> str:
    wanted = game or _find_game(old, "", text)
    if not is_file(old.find_folder(wanted) / GAME_FILE):
        raise GameNotInState([Problem(None, f"there is no game '{wanted}' at {text}", did_you_mean(wanted, old.games))])
    return wanted


@contextmanager
def _prefix_places(rev: str) -> Iterator[None]:
    """Prefix the places of problems raised in the block with the revision, as in `REV:data/...`."""
    try:
        yield
    except ProblemsFound as found:
        raise ProblemsFound(
            replace(problem, place=replace(problem.place, file=f"{rev}:{problem.place.file}"))
            if problem.place
            else problem
            for problem in found.problems
        ) from found


def _find_game(project: Project, game: str, text: str) -> str:
    """Return `game`, or the project's only one. Raise ProblemsFound if unknown or (beginning with `text`) not clear."""
    if game:
        return project.choose_games((game,))[0]
    if len(project.games) == 1:
        return project.games[0]
    project.choose_games(())
    what = f"{text}: there are several games: {', '.join(project.games)}" if text else "there are several games"
    raise ProblemsFound([Problem(None, what, "name one of them with --game")])


def _unknown_version(project: Project, text: str, game: str, with_it: list[str]) -> Problem:
    """Return a problem: there is no such state, or several games (`with_it`) have a record of this name."""
    if with_it:
        what = f"'{text}' is a record of several games: {', '.join(with_it)}"
        return Problem(None, what, "name the game with --game")
    if game and game not in find_gone_games(project):
        project.choose_games((game,))
    gone = [one for one in find_gone_games(project) if text in record_names(project.root, one)]
    if gone and not game:
        what = f"'{text}' is a record of {' and '.join(gone)}, which is no game of this project"
        where = Place(project.resources.display_path(project.root / FOLDER / gone[0]))
        return Problem(where, what, "if the game has another name now, give it to this folder")
    games = [game] if game else project.games
    names = [name for one in games for name in record_names(project.root, one)]
    of = f" of {game}" if game else ""
    what = f"'{text}' is no record{of}, no game, no project's folder and no revision (git:REV)"
    where = Place(project.resources.display_path(project.root / FOLDER))
    return Problem(where, what, did_you_mean(text, names) if names else "make a record with `pnp record NAME`")


def make_record_workshop(resources: Resources, recorded: Version) -> Workshop:
    """Return a workshop for a record, which has only its title and languages, and the bundled fonts."""
    languages = dict.fromkeys([*recorded.title, *map(first_language, recorded.languages)])
    title = Words({lang: recorded.title.get(lang, recorded.id) for lang in languages})
    return Workshop(make_bare_game(title, recorded.id, recorded.draft), resources)
