"""The program inside a browser: the page's questions answered, its files changed, commands run; called by worker.js.

One thread does it all. Nothing here knows of the browser: bytes and texts come in, bytes and texts go out.
"""

import contextlib
import io
import json
import os
import shutil
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from generator.cli.group import run
from generator.cli.stored import NO_CACHE
from generator.files import read_file
from generator.load.project import Project, find_project
from generator.serve.feed import event_as_bytes
from generator.serve.gallery import Gallery
from generator.serve.routes import Routes
from generator.site.archive import FOLDERS

_TEXTS = (".yaml", ".yml", ".svg", ".md", ".csv", ".tsv", ".json", ".py", ".txt")

NOT_HERE = {
    "shop": "needs pikepdf, which there is not for a browser's Python",
    "preflight": "needs pikepdf, which there is not for a browser's Python",
    "lab": "needs numba and scipy; here it would take hours",
    "pull": "asks other computers, which this page never does",
    "serve": "is this page",
    "site": "is how this page was made",
}
"""Commands that can't be had in a browser, and why."""


class Inside:
    """A project in the browser's memory, at work. ProblemsFound where its folder is no project, or holds no game."""

    def __init__(self, root: str, *, trusted: bool = False):
        self._root = Path(root)
        os.environ |= {NO_CACHE: "1", "PYTHON_CPU_COUNT": "1"}
        os.chdir(self._root)
        self._gallery = Gallery(_project(self._root), (), trusted=trusted)
        self._routes = Routes(self._gallery)
        self._listening = contextlib.ExitStack()
        self._news = self._listening.enter_context(self._gallery.feed.listening())

    def answer(self, target: str) -> tuple[int, str, str, str, bytes]:
        """What the live page's server would say: status, type, what the answer may do, how long it keeps, content."""
        reply = self._routes.answer(target)
        return reply.status.value, reply.type, reply.policy, reply.cache, reply.body

    def hello(self) -> bytes:
        """The first event of a stream of news."""
        return event_as_bytes("hello", {"games": self._gallery.games()})

    def work(self) -> bool:
        """Read what has changed and draw for a moment; whether there is more to draw."""
        return self._gallery.work()

    def news(self) -> list[bytes]:
        """The events since this was asked last."""
        return list(self._news.take())

    def command(self, line: str, say: Callable[[str], object]) -> int:
        """Run a command with its arguments, as a JSON list; its exit code. `say` hears every piece of text at once."""
        arguments = [str(one) for one in json.loads(line)]
        name = arguments[0] if arguments else ""
        if name in NOT_HERE and "--help" not in arguments:
            say(f"`pnp {name}` {NOT_HERE[name]}; install the program for it\n")
            return 1
        shutil.rmtree(self._root / "output", ignore_errors=True)
        before, sys.argv = sys.argv, ["pnp", *arguments]
        stream = _Said(say)
        try:
            with contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
                run()
        except SystemExit as ended:
            return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        finally:
            sys.argv = before
        return 0

    def made(self) -> list[str]:
        """What the last command has made, by paths below the project."""
        return [path for path in _below(self._root, ("output",)) if not PurePosixPath(path).name.startswith(".")]

    def files(self) -> list[str]:
        """The texts of the project that can be edited, by their paths."""
        return [path for path in _below(self._root, FOLDERS) if path.endswith(_TEXTS)]

    def archive(self, what: str) -> bytes:
        """A zip of the `project`, or of what was `made`."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in self.made() if what == "made" else _below(self._root, FOLDERS):
                entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, read_file(self._root / path, "result"))
        return out.getvalue()


class _Said(io.TextIOBase):
    """A stream that hands on each text as it comes."""

    def __init__(self, say: Callable[[str], object]):
        self._say = say

    def write(self, text: str) -> int:
        """Hand it on; TypeError for bytes, by which click tells the kinds of streams apart."""
        if not isinstance(text, str):
            raise TypeError(f"a text is written here, not {type(text).__name__}")
        self._say(text)
        return len(text)


def _project(root: Path) -> Project:
    return find_project(root, root)


def _below(root: Path, folders: tuple[str, ...]) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in _walk(root, folders))


def _walk(root: Path, folders: tuple[str, ...]) -> Iterator[Path]:
    for folder in folders:
        yield from (path for path in (root / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
