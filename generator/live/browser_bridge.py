"""The browser bridge: runs the program inside a browser. worker.js calls it; it also reads and writes zips."""

import contextlib
import importlib
import io
import json
import os
import random
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath

from generator.base.archives import convert_archive_errors, open_archive
from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.files import PICTURES, list_files, read_file, to_relative_path, write_in_folder
from generator.base.picture_files import check_picture_bytes
from generator.commands.command_line import main
from generator.commands.new import new_project
from generator.commands.settings import NO_CACHE
from generator.commands.starters import LAYOUTS, STARTERS
from generator.game.model import Game
from generator.game.project import find_project
from generator.game.yaml_edits import replace_yaml_value
from generator.live.cursor import CursorRequest, make_cursor_request
from generator.live.editor_project import GameNames, OpenProject, translate_description
from generator.live.file_watch import event_as_bytes
from generator.live.gallery import Gallery
from generator.live.routes import Routes
from generator.live.table_cells import TableText, describe_table

MOST_FILES = 5_000
"""Largest number of files in an archive."""

MOST_BYTES = 200 * 1024 * 1024
"""Largest size of all unpacked files of an archive together (bytes)."""

FOLDERS = ("data", "templates", "fonts", "presets", "profiles", "packs", "records")
"""Folders that a project's archive may contain. Files outside them are ignored."""

_LESS = "remove files that the project does not need"


def unpack_project(data: bytes, *, part: bool = False) -> Mapping[str, bytes]:
    """Return the files of a project's archive by path. Raise ProblemsFound if it is no project.

    Sizes stated in the archive are not trusted: unpacking stops at the limits. A `part` needs no data/, because the
    other files of its project exist already.
    """
    try:
        with convert_archive_errors(), open_archive(data) as archive:
            return _read_archive(archive, part)
    except InvalidInput as unfit:
        raise ProblemsFound([Problem(None, f"the archive can't be opened: {unfit}", unfit.hint)]) from unfit


def _read_archive(archive: zipfile.ZipFile, part: bool) -> dict[str, bytes]:
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    if len(entries) > MOST_FILES:
        raise InvalidInput(f"it has {len(entries):,} files, more than {MOST_FILES:,}", _LESS)
    found = [
        PurePosixPath(*parts[: parts.index("data")])
        for parts in (PurePosixPath(entry.filename).parts for entry in entries)
        if "data" in parts[:-1]
    ]
    home = min(found, key=lambda path: (len(path.parts), path.as_posix()), default=PurePosixPath())
    taken: dict[str, bytes] = {}
    left = MOST_BYTES
    for entry in entries:
        try:
            path = to_relative_path(entry.filename)
        except InvalidInput:
            continue
        if not path.is_relative_to(home):
            continue
        inner = path.relative_to(home)
        if len(inner.parts) < 2 or inner.parts[0] not in FOLDERS or any(part.startswith(".") for part in inner.parts):
            continue
        with archive.open(entry) as stream:
            taken[inner.as_posix()] = stream.read(left + 1)
        left -= len(taken[inner.as_posix()])
        if left < 0:
            raise InvalidInput(f"it unpacks to more than {MOST_BYTES // 1024**2} MiB", _LESS)
    if not part and not any(path.startswith("data/") for path in taken):
        raise InvalidInput("it contains no data/", "make a zip of the folder that holds data/<game>/")
    folders = {above.as_posix() for path in taken for above in PurePosixPath(path).parents}
    if both := sorted(folders & taken.keys()):
        raise InvalidInput(f"{both[0]} is both a file and a folder", "make a new zip of the project's folder")
    return taken


# One thread does everything. Nothing here knows about the browser: bytes and texts come in, bytes and texts go out.

_FONTS = (".ttf", ".otf")
_FONT_STARTS = (b"\0\1\0\0", b"OTTO", b"true")
_BELONGS = {
    **dict.fromkeys(PICTURES, "templates/{}/pictures"),
    **dict.fromkeys(_FONTS, "fonts"),
    **dict.fromkeys((".csv", ".tsv", ".xlsx", ".ods", ".yaml", ".yml", ".txt", ".json", ".py"), "data/{}"),
    **dict.fromkeys((".svg", ".md"), "templates/{}"),
}
"""Types of files that a reader may add, with the folder where each belongs."""

NOT_HERE = {
    "shop": "needs pikepdf, which does not run in browsers",
    "preflight": "needs pikepdf, which does not run in browsers",
    "lab": "needs numba and scipy, which do not run in browsers",
    "pull": "needs the internet, which this page does not use",
    "serve": "is this page",
    "site": "is how this page was made",
}
"""Commands that a browser can't run, with the reason."""


class Inside:
    """A project that is open in the browser. Raises ProblemsFound if its folder is no project, or contains no game."""

    def __init__(self, root: str, *, trusted: bool = False):
        self._root = Path(root)
        os.environ |= {NO_CACHE: "1", "PYTHON_CPU_COUNT": "1"}
        os.chdir(self._root)
        self._gallery = Gallery(find_project(self._root, self._root), (), trusted=trusted)
        self._routes = Routes(self._gallery, editable=True)
        self._open = OpenProject(self._root, self._find_game)
        self._listening = contextlib.ExitStack()
        self._news = self._listening.enter_context(self._gallery.feed.open_listener())

    def answer(self, target: str) -> tuple[int, str, str, str, bytes]:
        """Return the live server's response to a path: status, type, security policy, cache header, body."""
        reply = self._routes.answer(target)
        return reply.status.value, reply.type, reply.policy, reply.cache, reply.body

    def edit(self, order: str) -> str:
        """Carry out the page's order to change a template, in JSON, and return the answer in JSON."""
        return self._routes.edit(order.encode()).body.decode()

    def resume(self) -> None:
        """Continue after this process's memory was restored elsewhere; the project's files were written there, too."""
        os.chdir(self._root)
        importlib.invalidate_caches()  # other files hold the modules here
        random.seed()
        self._gallery.reset_baseline()

    def hello(self) -> bytes:
        """Return the first event for a page that listens for changes."""
        return event_as_bytes("hello", {"games": self._gallery.list_games()})

    def work(self, changed: bool = True) -> bool:
        """Read new files if any `changed`, then draw for a moment. Return True if more is to be drawn."""
        return self._gallery.step(changed=changed)

    def prepare(self) -> None:
        """Prepare everything that the first face of each game needs, so that it appears quickly."""
        self._gallery.prepare()

    def news(self) -> list[bytes]:
        """Return the events for pages since the last call."""
        return list(self._news.take())

    def command(self, line: str, say: Callable[[str], object]) -> int:
        """Run a command, given as a JSON list of its arguments.

        Return its exit code. Pass every piece of output to `say` at once.
        """
        arguments = [str(one) for one in json.loads(line)]
        name = arguments[0] if arguments else ""
        if name in NOT_HERE and "--help" not in arguments:
            say(f"`pnp {name}` {NOT_HERE[name]}; install the program to use it\n")
            return 1
        shutil.rmtree(self._root / "output", ignore_errors=True)
        before, sys.argv = sys.argv, ["pnp", *arguments]
        stream = _OutputStream(say)
        try:
            with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
                main()
        except SystemExit as ended:
            return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        finally:
            sys.argv = before
        return 0

    def list_output(self) -> list[str]:
        """Return the paths of the last command's files, relative to the project."""
        return [path for path in _list_below(self._root, ("output",)) if not PurePosixPath(path).name.startswith(".")]

    def files(self) -> list[str]:
        """Return the paths of the project's files."""
        return _list_below(self._root, FOLDERS)

    def admit(self, path: str, data: bytes, game: str) -> str:
        """Return the path of a file that the reader adds. A bare name belongs into a folder of the game, by its type.

        Raise ProblemsFound for a name or a content that the project can't have.
        """
        try:
            return self._admit(path, data, game)
        except InvalidInput as unfit:
            raise ProblemsFound([Problem(Place(path), str(unfit), unfit.hint)]) from unfit

    def _admit(self, path: str, data: bytes, game: str) -> str:
        inner = to_relative_path(path)
        suffix = inner.suffix.lower()
        if suffix not in _BELONGS:
            what = f"files that end in {suffix}" if suffix else "files without an ending"
            raise InvalidInput(f"{what} are of no use here", f"add files that end in {', '.join(_BELONGS)}")
        if len(inner.parts) == 1:
            inner = PurePosixPath(_BELONGS[suffix].format(game or self._gallery.list_games()[0]["id"]), inner)
            if not data:
                raise InvalidInput("the file is empty, it has 0 bytes", "save it again in the program that made it")
        if inner.parts[0] not in FOLDERS or any(part.startswith((".", "__")) for part in inner.parts):
            raise InvalidInput("the project has no place for it", f"begin its path with {', '.join(FOLDERS)}, and /")
        if (self._root / inner).is_dir() or any((self._root / above).is_file() for above in inner.parents):
            raise InvalidInput("a part of its path is both a file and a folder", "choose another name")
        have = {one: (self._root / one).stat().st_size for one in self.files() if one != inner.as_posix()}
        if len(have) >= MOST_FILES or sum(have.values()) + len(data) > MOST_BYTES:
            raise InvalidInput(f"a project has at most {MOST_FILES:,} files with {MOST_BYTES // 1024**2} MiB", _LESS)
        if suffix in PICTURES and data:
            check_picture_bytes(data, inner.name)
        if suffix in _FONTS and not data.startswith(_FONT_STARTS):
            raise InvalidInput("it is not a font, despite its name", "save it as .ttf or .otf")
        return inner.as_posix()

    def use_table(self, path: str, kind: str) -> str:
        """Make a table the designs of a kind, in place of what they are. Return the path of the changed file.

        Raise ProblemsFound if the kind's designs are not found.
        """
        names = self._find_names("/".join([*path.split("/")[:2], "game.yaml"]), ())
        place = names.find_place("components", kind, "designs") if names else None
        try:
            file = self._root / (place.file if place else "")
            table = os.path.relpath(self._root / path, file.parent).replace(os.sep, "/")
            text = replace_yaml_value(read_file(file, "data").decode(), ("components", kind, "designs"), table)
        except (InvalidInput, LookupError) as error:
            what = f"the designs of '{kind}' were not found"
            raise ProblemsFound([Problem(Place(path), what, "correct the other problems first")]) from error
        changed = file.relative_to(self._root).as_posix()
        write_in_folder(self._root, changed, text.encode())
        return changed

    def table(self, path: str, languages: Iterable[str]) -> str:
        """Return a table's cells as JSON, see `describe_table`."""
        return describe_table(TableText(self._root / path, path), self._find_names(path, languages), self._root / path)

    def change_table(self, path: str, changes: str) -> bytes:
        """Return a table with the changes of `TableText.change`, given as JSON."""
        return TableText(self._root / path, path).change(json.loads(changes))

    def offers(self, path: str, text: str, offset: int, languages: Iterable[str]) -> str:
        """Return the completions at an offset of a file's text, as JSON.

        Each name has a type and a description, and replaces the text from `start` to `end`.
        """
        asked = self._find_cursor(path, text, offset, languages)
        found = asked.find_offers() if asked else None
        names = [
            {"name": one.name, "sort": one.sort, "about": translate_description(one.about, self._open.languages)}
            for one in (found.names if found else ())
        ]
        return json.dumps({"names": names, "start": found.start if found else 0, "end": found.end if found else 0})

    def hint(self, path: str, text: str, offset: int, languages: Iterable[str]) -> str:
        """Return the hint at an offset as JSON: `said` in Markdown, `face` as `lang:side:design`."""
        asked = self._find_cursor(path, text, offset, languages)
        shown = asked.find_hint() if asked else None
        design, side, lang = (shown.face if shown else None) or ("", "", "")
        return json.dumps({"said": shown.text if shown else "", "face": f"{lang}:{side}:{design}" if design else ""})

    def _find_names(self, path: str, languages: Iterable[str]) -> GameNames | None:
        cursor = self._find_cursor(path, "", 0, languages)
        return cursor.names if cursor else None

    def _find_cursor(self, path: str, text: str, offset: int, languages: Iterable[str]) -> CursorRequest | None:
        self._open.languages = tuple(one.split("-")[0] for one in languages)
        file = self._open.find_file(self._root / path)
        return make_cursor_request(self._open, file, text, offset) if file else None

    def _find_game(self, name: str) -> Game | None:
        lent = self._gallery.lend_game(name)
        return lent.workshop.game if lent else None

    def starters(self) -> str:
        """Return the starters for new projects as JSON: names, and the contents of each layout."""
        return json.dumps({name: LAYOUTS.get(name, "") for name in STARTERS})

    def archive(self, what: str) -> bytes:
        """Return a zip of the project (`what` is `project`) or of the last command's files (`made`)."""
        paths = self.list_output() if what == "made" else _list_below(self._root, FOLDERS)
        return _zip_files({path: read_file(self._root / path, "result") for path in paths}, zipfile.ZIP_DEFLATED)

    def pack_files(self, files: Mapping[str, bytes]) -> bytes:
        """Return an uncompressed zip of these files: a link contains it and is compressed as a whole."""
        return _zip_files({path: bytes(data) for path, data in sorted(files.items())}, zipfile.ZIP_STORED)


def begin_project(
    name: str, starter: str, drawing: bytes | None = None, languages: Iterable[str] = ()
) -> dict[str, bytes]:
    """Return the files of a new project from a starter, by path; `drawing` is the SVG for the starter of this name.

    Without languages the project has all of them. Raise ProblemsFound for an unusable name or drawing.
    """
    with tempfile.TemporaryDirectory() as room:
        file = write_in_folder(Path(room), "drawing.svg", drawing) if drawing is not None else None
        new_project(Path(room), name, starter, tuple(languages), drawing=file)
        made = Path(room) / name
        return {path: read_file(made / path, "own") for path in _list_below(made, FOLDERS)}


class _OutputStream(io.TextIOBase):
    """A text stream that passes on each text immediately."""

    def __init__(self, say: Callable[[str], object]):
        self._say = say

    def write(self, text: str) -> int:
        """Pass on a text. Raise TypeError for bytes, by which click recognises a text stream."""
        if not isinstance(text, str):
            raise TypeError(f"a text is written here, not {type(text).__name__}")
        self._say(text)
        return len(text)


def _zip_files(files: Mapping[str, bytes], compression: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = compression
            archive.writestr(entry, data)
    return out.getvalue()


def _list_below(root: Path, folders: tuple[str, ...]) -> list[str]:
    paths = [path for folder in folders for path in list_files(root / folder) if "__pycache__" not in path.parts]
    return sorted(path.relative_to(root).as_posix() for path in paths)
