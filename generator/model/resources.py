"""Where files are found: in the project first, then in what the package bundles; never outside these roots."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from generator.files import entries_of, files_below, is_folder, lies_in, stands_there

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".gif", ".tif", ".tiff", ".avif")
"""How the names of picture files end."""


def loose_name(name: str) -> str:
    """A file's name without ending, case, spaces, - and _: people write it in one way and save it in another."""
    stem = next((name[: -len(end)] for end in PICTURES if name.lower().endswith(end)), name)
    return stem.casefold().translate(_LOOSE)


_LOOSE = str.maketrans("", "", " -_\u3000")

Told = Callable[[str], None]
"""Hears what is being done that takes long; an empty text when that is over."""


def untold(_doing: str) -> None:
    """Nobody is told."""


class Resources:
    """Looks files up in several roots, the user's own first. `roots` are folders with data/, templates/, fonts/.

    `told` hears of large files that are being read; in another process nobody does, as lines of several would mix.
    `also` are languages whose translations are wanted, beside the languages that a game names.
    """

    def __init__(
        self,
        roots: tuple[Path, ...],
        shown_from: Path | None = None,
        told: Told = untold,
        also: tuple[str, ...] = (),
    ):
        self.told, self.also = told, also
        self.roots = tuple(root.resolve() for root in roots)
        self._shown_from = (shown_from or Path.cwd()).resolve()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "told": untold}

    def find(self, folder: str, name: str) -> Path | None:
        """The first `root/folder/name` that is there and, links followed, lies inside its root's folder.

        It need be no file: whoever reads it says so.
        """
        for root in self.roots:
            path = root / folder / name
            if stands_there(path) and lies_in(path, root / folder):
                return path
        return None

    def leaves_root(self, folder: str, name: str) -> bool:
        """Whether such a file exists but lies outside (`..`, an absolute path or a link): to be refused aloud."""
        return any(
            stands_there(path := root / folder / name) and not lies_in(path, root / folder) for root in self.roots
        )

    def names(self, folder: str, suffix: str) -> list[str]:
        """Every file name with that suffix below a folder of any root, for "did you mean"."""
        found = {
            path.relative_to(root / folder).as_posix()
            for root in self.roots
            for path in files_below(root / folder)
            if path.name.endswith(suffix)
        }
        return sorted(found)

    def pictures(self, game: str, folder: str) -> dict[str, list[str]]:
        """The picture files in a folder of a game's templates, or else of the common ones, by their loose names."""
        found: dict[str, list[str]] = {}
        for home in (f"templates/{game}", "templates/common"):
            for root in self.roots:
                there = root / home / folder
                names = (
                    [path.name for path in entries_of(there)]
                    if lies_in(there, root / home) and is_folder(there)
                    else []
                )
                for name in names:
                    if name.lower().endswith(PICTURES) and loose_name(name) not in found:
                        found[loose_name(name)] = [one for one in names if loose_name(one) == loose_name(name)]
        return found

    def shown(self, path: Path) -> str:
        """The path as the user would type it: relative to where they stand when it lies below."""
        full = path.absolute()
        if full.is_relative_to(self._shown_from):
            return full.relative_to(self._shown_from).as_posix()
        return full.as_posix()
