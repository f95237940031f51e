"""The files of a stranger's project, in a folder or an archive: named, bounded, never outside it."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from generator.archives import archive_faults, open_archive
from generator.errors import Place, Problem, ProblemsFound, Unfit
from generator.files import BOUNDS, Contents, lies_in, read_file, relative_path

MOST_FILES = 20_000
MOST_UNPACKED = 512 * 1024 * 1024
"""Bytes of an archive's files, or of all pictures together: what is more was made to do harm."""

_PASSED_OVER = ("_output", "output", "node_modules", "__pycache__", "__MACOSX")
"""Folders of what programs make, which is nobody's source."""


class StrangersFiles:
    """Files by their paths with slashes, as their owner knows them; `shown` is the whole in messages."""

    def __init__(self, shown: str, names: Iterable[str]):
        self.shown = shown
        self.names: list[str] = []
        self.refused: dict[str, Unfit] = {}
        """Files whose names can't be used, and why."""
        every = sorted(names)
        folders = {above.as_posix() for name in every for above in PurePosixPath(name).parents}
        for name in every:
            if name in folders:
                self.refused[name] = Unfit("a folder has the same name", "rename the file")
                continue
            try:
                self.names.append(relative_path(name).as_posix())
            except Unfit as unfit:
                self.refused[name] = unfit
        self._same = dict[str, list[str]]()
        for one in self.names:
            self._same.setdefault(one.casefold(), []).append(one)

    def ending(self, *suffixes: str) -> list[str]:
        """The files whose names end so, in any case."""
        return [name for name in self.names if name.lower().endswith(suffixes)]

    def read(self, name: str, contents: Contents) -> bytes:
        """The bytes of a file; Unfit where it can't be read or is too large."""
        raise NotImplementedError

    def text(self, name: str) -> str:
        """A file of words, by whatever encoding it has; Unfit where it can't be read."""
        data = self.read(name, "markup")
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return data.decode("utf-16", "replace")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return data.decode("cp1252", "replace")

    def found(self, name: str, beside: str = "") -> str:
        """The file that a script means, seen from its own place or from the project's; empty where there is none."""
        wanted = name.replace("\\", "/").removeprefix("./")
        home = PurePosixPath(beside).parent
        for path in (home / wanted, PurePosixPath(wanted)):
            plain = os.path.normpath(path.as_posix()).replace("\\", "/")
            if same := self._same.get(plain.casefold()):
                return plain if plain in same else same[0]
        return ""


class FolderFiles(StrangersFiles):
    """The files of a folder."""

    def __init__(self, folder: Path, shown: str):
        self._folder = folder
        super().__init__(shown, _below(folder, shown))

    def read(self, name: str, contents: Contents) -> bytes:
        """The bytes; Unfit for a link that leads out of the folder, too."""
        path = self._folder / name
        if not lies_in(path, self._folder):
            raise Unfit("the file is a link that leads out of the project", "copy the file into it")
        return read_file(path, contents)


class ArchiveFiles(StrangersFiles):
    """The files of a zip archive, whose size is held against a bound before anything is unpacked."""

    def __init__(self, data: bytes, shown: str):
        self._archive = open_archive(data)
        inside = [one for one in self._archive.infolist() if not one.is_dir()]
        if len(inside) > MOST_FILES or sum(one.file_size for one in inside) > MOST_UNPACKED:
            what = f"the archive has more than {MOST_FILES:,} files or {MOST_UNPACKED >> 20} MB"
            raise ProblemsFound([Problem(Place(shown), what, "unpack it, and import the folder without what is large")])
        self._inside = {one.filename: one for one in inside}
        super().__init__(shown, self._inside)

    def read(self, name: str, contents: Contents) -> bytes:
        """Return the bytes of a member; raise Unfit if they are damaged or more than such a file may have."""
        entry, (most, hint) = self._inside[name], BOUNDS[contents]
        if entry.file_size > most:
            raise Unfit(f"the file has {entry.file_size:,} bytes, more than {most:,}", hint)
        with archive_faults():
            return self._archive.read(entry)


def _below(folder: Path, shown: str) -> Iterator[str]:
    count = 0
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith(".") and one not in _PASSED_OVER)
        for name in names:
            count += 1
            if count > MOST_FILES:
                what = f"the folder has more than {MOST_FILES:,} files"
                raise ProblemsFound([Problem(Place(shown), what, "import the folder of the game alone")])
            if not name.startswith("."):
                yield (Path(path) / name).relative_to(folder).as_posix()
