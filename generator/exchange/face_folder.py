"""Exports pictures of all faces with a list of them, for Tabletopia, Screentop and similar programs."""

import contextlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import click
from PIL import Image

from generator.base.display_list import Drawing
from generator.base.errors import InvalidInput
from generator.base.files import number_duplicates, read_file, to_safe_name
from generator.base.languages import first_language
from generator.commands.command_line import say
from generator.commands.options import open_project, order_from_options, path_from_here, progress, say_done
from generator.commands.orders import GameOutput, Job, Progress, carry_out
from generator.exchange.table_articles import (
    ONLINE,
    Album,
    ArticleLot,
    OnlineOrder,
    dpi_option,
    iter_online_editions,
    largest_dpi,
)
from generator.game.model import FaceName, Game
from generator.game.project import Project
from generator.sheets.raster import encode_png

BACK: FaceName = "back"
"""Name of the side for a back that all cards of a kind share; it is part of the picture's name."""

ManifestEntry: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FolderPicture:
    """A file of the folder by its path in it, `reel/6-wheat.png`, and its pixels."""

    path: str
    data: bytes
    pixels: tuple[int, int]


def render_kind(lot: ArticleLot, album: Album, dpi: int) -> tuple[list[FolderPicture], ManifestEntry]:
    """Return a kind's pictures (at most `dpi`), and its entry in the list: names, copies and files of its pieces."""
    digests = {article.digests.get("back", "") for article in lot.articles}
    shared = lot.articles[0].back if len(digests) == 1 and lot.kind.form != "cube" else None
    fine = largest_dpi(lot.kind.size, dpi)
    paths = _choose_paths(lot, shared is not None)
    common = paths.get(("", BACK), "")
    wanted: list[tuple[str, FaceName, Drawing]] = [
        (paths[article.id, side], side, drawing)
        for article in lot.articles
        for side, drawing in article.faces.items()
        if (article.id, side) in paths
    ]
    if shared is not None:
        wanted.append((common, BACK, shared))
    images = album.render_faces([drawing for _, _, drawing in wanted], fine)
    made = []
    for (path, side, _), image in zip(wanted, images, strict=True):
        left = album.cut_out(image, lot.kind, side, fine) if lot.kind.outline else image  # as when cut
        made.append(FolderPicture(path, encode_png(left, fine), left.size))
    if shared is None and common:
        pixels = made[0].pixels
        made.append(FolderPicture(common, encode_png(Image.new("RGB", pixels, "white"), fine), pixels))
    return made, _make_entry(lot, paths, made[0].pixels)


def build_manifest(game: Game, edition: str, lang: str, entries: Sequence[ManifestEntry]) -> bytes:
    """Return a folder's list of pictures as JSON: the game, with its title in `lang`, then its kinds (`entries`)."""
    said = {"game": game.id, "title": game.title[lang], "draft": game.draft, "language": edition, "kinds": entries}
    return (json.dumps(said, ensure_ascii=False, indent=2) + "\n").encode("utf-8")


def read_named_files(listed: bytes) -> frozenset[str]:
    """Return the paths of pictures in an earlier list; nothing if the list can't be read.

    Only PNG files in a folder of a kind count.
    """
    try:
        kinds = json.loads(listed)["kinds"]
        named = [file for kind in kinds for piece in kind["pieces"] for file in piece["files"].values()]
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return frozenset()
    return frozenset(file for file in named if isinstance(file, str) and _PICTURE.fullmatch(file))


_PICTURE = re.compile(r"[^\W_][\w.-]*/[^\W_][\w.-]*\.png")


_Paths: TypeAlias = Mapping[tuple[str, FaceName], str]
"""Maps (id, side) to the path of the picture. An empty id means the back of the whole kind."""


def _choose_paths(lot: ArticleLot, shared: bool) -> _Paths:
    """Return pictures' paths by piece and side. One back serves all if `shared`; a white one if no card has a back."""
    stems: dict[tuple[str, FaceName], str] = {}
    if shared or (lot.kind.form == "card" and not any(article.back for article in lot.articles)):
        stems["", BACK] = BACK
    for article in lot.articles:
        name = to_safe_name(article.id.split("/", 1)[1])
        for side in article.faces:
            if not (shared and side == BACK):
                stems[article.id, side] = name if side == "front" else f"{name}.{side}"
    folder = to_safe_name(lot.kind.id)
    return {key: f"{folder}/{name}.png" for key, name in zip(stems, number_duplicates(stems.values()), strict=True)}


def _make_entry(lot: ArticleLot, paths: _Paths, pixels: tuple[int, int]) -> ManifestEntry:
    kind = lot.kind
    pieces = []
    for one in lot.articles:
        files = {side: paths[one.id, side] for side in one.faces if (one.id, side) in paths}
        if BACK not in files and ("", BACK) in paths:
            files[BACK] = paths["", BACK]
        pieces.append({"id": one.id, "name": one.name, "text": one.says, "count": one.count, "files": files})
    return {
        "kind": kind.id, "name": lot.name, "form": kind.form, "shape": kind.shape,
        "size_mm": [round(kind.size.width, 3), round(kind.size.height, 3)], "pixels": list(pixels),
        "count": sum(article.count for article in lot.articles), "pieces": pieces,
    }  # fmt: skip


@click.command()
@ONLINE
@dpi_option(300, "Resolution of a face in pixels per inch.")
@click.pass_obj
def images(obj: Path | None, /, **options: Any) -> None:
    """Export a picture of every face, with a list of them.

    Tabletopia, Screentop and similar sites accept the pictures.
    """
    project = open_project(obj, options)
    made = export_images(project, options["games"], order_from_options(FolderOrder, options), progress())
    say_done(made)
    for path in made.removed:
        say(f"{path_from_here(path)}: removed, because the game no longer has it")


@dataclass(frozen=True, slots=True)
class FolderOrder(OnlineOrder):
    """Exports a game as folders of face pictures, each with a list."""

    def make(self, job: Job) -> GameOutput:
        """Make one game's folders, one for each edition. The result's `more` are pictures in earlier lists."""
        workshop, game = job.workshop, job.workshop.game
        editions: list[str] = []
        earlier: set[Path] = set()
        for edition, found in iter_online_editions(job, self):
            lang, folder = first_language(edition), self.out / game.id / "online" / edition
            album = Album(workshop, lang, game.id, str)
            entries: list[ManifestEntry] = []
            for lot in found:
                job.progress(f"{game.id}: pictures ({edition}), {lot.kind.id}")
                made, entry = render_kind(lot, album, self.dpi)
                for picture in made:
                    job.files.put(folder / picture.path, picture.data)
                entries.append(entry)
            name = "selection.json" if self.only else "manifest.json"
            if not self.only:
                with contextlib.suppress(InvalidInput):  # the list may not exist
                    earlier.update(folder / one for one in read_named_files(read_file(folder / name, "list")))
            job.files.put(folder / name, build_manifest(game, edition, lang, entries))
            editions.append(edition)
        return GameOutput(tuple(editions), more=frozenset(earlier))


class ExportedImages(NamedTuple):
    """The files written, pictures of an earlier export that were deleted as outdated, and notes."""

    files: tuple[Path, ...]
    removed: tuple[Path, ...]
    notes: tuple[str, ...] = ()


def export_images(project: Project, names: tuple[str, ...], order: FolderOrder, progress: Progress) -> ExportedImages:
    """Write the games' pictures and lists, delete outdated ones, return both. Raise ProblemsFound before any change."""
    done = carry_out(project, names, order, progress)
    earlier = frozenset[Path]().union(*(made.more for made in done.made))
    gone = tuple(path for path in sorted(earlier.difference(done.files)) if path.is_file())
    for path in gone:
        path.unlink()
    return ExportedImages(done.files, gone, done.notes)
