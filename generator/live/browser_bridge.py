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
from http import HTTPStatus
from pathlib import Path, PurePosixPath

from generator.base.archives import convert_archive_errors, open_archive, zip_files
from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.files import read_file, to_relative_path, write_in_folder
from generator.commands.command_line import main
from generator.commands.new import new_project
from generator.commands.settings import NO_CACHE
from generator.game.project import find_project
from generator.live.file_watch import event_as_bytes
from generator.live.gallery import Gallery
from generator.live.project_files import FOLDERS, ProjectFiles, list_below, read_question
from generator.live.room import HOST, Room, RoomOrder
from generator.live.routes import PageOrder, Routes, make_refusal, reply_or_explain

MOST_FILES = 5_000
"""Largest number of files in an archive."""

MOST_BYTES = 200 * 1024 * 1024
"""Largest size of all unpacked files of an archive together (bytes)."""

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
        parts = path.relative_to(home).parts if path.is_relative_to(home) else ()
        if len(parts) < 2 or parts[0] not in FOLDERS or any(part.startswith(".") for part in parts):
            continue
        with archive.open(entry) as stream:
            taken["/".join(parts)] = stream.read(left + 1)
        left -= len(taken["/".join(parts)])
        if left < 0:
            raise InvalidInput(f"it unpacks to more than {MOST_BYTES // 1024**2} MiB", _LESS)
    if not part and not any(path.startswith("data/") for path in taken):
        raise InvalidInput("it contains no data/", "make a zip of the folder that holds data/<game>/")
    folders = {above.as_posix() for path in taken for above in PurePosixPath(path).parents}
    if both := sorted(folders & taken.keys()):
        raise InvalidInput(f"{both[0]} is both a file and a folder", "make a new zip of the project's folder")
    return taken


# One thread does everything. Nothing here knows about the browser: bytes and texts come in, bytes and texts go out.

NOT_HERE = {
    **dict.fromkeys(("shop", "preflight"), "needs pikepdf, which does not run in browsers"),
    "lab": "needs numba and scipy, which do not run in browsers",
    "pull": "needs the internet, which this page does not use",
    "serve": "is this page",
    "site": "is how this page was made",
}
"""Commands that a browser can't run, with the reason."""


class Inside(ProjectFiles):
    """A project that is open in the browser. Raises ProblemsFound if its folder is no project, or contains no game."""

    def __init__(self, root: str, *, trusted: bool = False):
        os.environ |= {NO_CACHE: "1", "PYTHON_CPU_COUNT": "1"}
        os.chdir(root)
        super().__init__(Gallery(find_project(Path(root), Path(root)), (), trusted=trusted))
        self._routes, self._keys = Routes(self._gallery, files=self), {HOST: ""}
        self._room: Room | None = None
        self._listening = contextlib.ExitStack()
        self._news = self._listening.enter_context(self._gallery.feed.open_listener())

    def open_room(self, game: str, players: int, names: Iterable[str]) -> None:
        """Open a room (`names`: people's names for seats); answers are then of its table. Raise ProblemsFound."""
        self._room = Room(self._gallery, game, players, ",".join(names))
        self._room.has_threads = False
        self._routes, self._keys = Routes(self._gallery, room=self._room), {HOST: f"/{self._room.host_key}"}

    def seat_guest(self, seat: int) -> None:
        """Let a guest sit down, or return to the seat. The seat's key is kept here; `answer` uses it."""
        if self._room is not None and self._room.find_viewer(self._keys.get(seat, "")[1:]) != seat:
            self._keys[seat] = f"/{self._room.carry_out(self._room.invitation, RoomOrder('take', seat=seat))['key']}"

    def answer(self, target: str, order: str | None = None, seat: int = HOST) -> tuple[int, str, str, str, bytes]:
        """Return status, type, policy, cache header and body of the response to a path, or to a seat's `order`."""
        opened, key = self._routes.open_target(self._keys.get(seat, "") + target)
        accepted = None if order is None else self._routes.find_order(PageOrder("POST", opened, key, "", None))
        body = (order or "").encode("utf-8", "replace")
        if order is None:
            reply = self._routes.answer(opened, key=key)
        elif accepted is None or len(body) > accepted.most:
            reply = make_refusal(HTTPStatus.METHOD_NOT_ALLOWED)
        else:
            reply = reply_or_explain(lambda: accepted.carry_out(body))
        return reply.status.value, reply.type, reply.policy, reply.cache, reply.body

    def carry_out(self, what: str, order: str) -> str:
        """Do what the page asks for (`what`): change a template (`edit`) or store a `note`. `order`, result: JSON."""
        return reply_or_explain(lambda: self._routes.orders[what](order.encode())).body.decode()

    def ask(self, question: str) -> str:
        """Answer the page's question (a JSON list: name, values) in JSON; '' if it is invalid. Raise ProblemsFound."""
        read = read_question(json.loads(question))
        return json.dumps(self.answer_question(read)) if read else ""

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
        """Read new files if any `changed`; draw and let bots play for a moment. Return True if there is more to do."""
        more = self._room is not None and self._room.play_bots()
        return self._gallery.work(changed=changed, settled=True) or more

    def prepare(self) -> None:
        """Prepare everything that the first face of each game needs, so that it appears quickly."""
        self._gallery.prepare()

    def news(self) -> list[bytes]:
        """Return the events for pages since the last call."""
        return list(self._news.take())

    def command(self, line: str, say: Callable[[str], object]) -> int:
        """Run a command (a JSON list of its arguments). Pass output to `say` at once, and return the exit code."""
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
        return list_below(self._root, ("output",))

    def admit(self, path: str, data: bytes, game: str) -> str:
        """Return the path for a file that the reader adds to a game. Raise ProblemsFound, also if all is too large."""
        inner = super().admit(path, data, game)
        have = {one: (self._root / one).stat().st_size for one in list_below(self._root, FOLDERS) if one != inner}
        if len(have) >= MOST_FILES or sum(have.values()) + len(data) > MOST_BYTES:
            what = f"a project has at most {MOST_FILES:,} files with {MOST_BYTES // 1024**2} MiB"
            raise ProblemsFound([Problem(Place(path), what, _LESS)])
        return inner

    def archive(self, what: str) -> bytes:
        """Return a zip of the project (`what` is `project`) or of the last command's files (`made`)."""
        paths = self.list_output() if what == "made" else list_below(self._root, FOLDERS)
        return zip_files((path, read_file(self._root / path, "result")) for path in paths)

    def pack_files(self, files: Mapping[str, bytes]) -> bytes:
        """Return an uncompressed zip of these files: a link contains it and is compressed as a whole."""
        return zip_files(((path, bytes(data)) for path, data in sorted(files.items())), stored="")


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
        return {path: read_file(made / path, "own") for path in list_below(made, FOLDERS)}


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
