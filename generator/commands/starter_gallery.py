"""Starter gallery: one page with pictures of each starter's pieces."""

import base64
import html
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from generator.base.errors import InvalidInput, Place, Problem, ProblemsFound
from generator.base.files import read_file, write_in_folder
from generator.commands.new import LANGUAGES, LAYOUTS, STARTERS, new_project
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.raster import cut_away, encode_png, make_cut_page, make_face_page, render_pages
from generator.drawing.svg_writer import write_policy
from generator.game.load_game import load_game
from generator.game.project import find_project

PAGE = "gallery.html"
_MARK = "<!-- made by pnp new --from gallery -->"
_DPI = 100.0
_SHOWN = 4
"""Number of pieces shown for a starter: the first of each kind, then others."""

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
body { color: #222; background: #f4f1ea; }
section { margin: 2rem 0; padding: 1rem 1.25rem; background: #fff; border-radius: 0.6rem; }
h2 { margin: 0 0 0.2rem; }
p { margin: 0 0 0.8rem; }
div { display: flex; flex-wrap: wrap; gap: 0.8rem; align-items: center; }
img { max-height: 20rem; max-width: 100%; }
code { background: #eee; padding: 0.1em 0.35em; }
"""

_GAMES: Mapping[str, str] = {
    "cards": "a whole small card game about kites, with rules that the program plays",
    "board": "a whole small game with a board, tokens and boats",
    "csv": "the card game with its cards in a spreadsheet",
    "blank": "one card, its template and nothing else",
}


class StarterGallery(NamedTuple):
    """Path of the page, and a description of each starter."""

    page: Path
    lines: Mapping[str, str]


def write_gallery(folder: Path, langs: tuple[str, ...] = ()) -> StarterGallery:
    """Write the page into a folder, in the first of the languages (English if none is given).

    Raise ProblemsFound if another file has its name or it can't be written.
    """
    page, lang = folder / PAGE, langs[0] if langs else "en"
    lines = {name: {**_GAMES, **LAYOUTS}[name] for name in (*LAYOUTS, *(one for one in STARTERS if one not in LAYOUTS))}
    try:
        if page.is_symlink() or (page.exists() and not _is_ours(page)):
            what = "this exists already, but is not a gallery from pnp"
            raise ProblemsFound([Problem(Place(PAGE), what, "move it, or change to another folder")])
        text = "\n".join(_iter_page(lines, lang)) + "\n"
        write_in_folder(folder, PAGE, text.encode())
    except OSError as error:
        what = f"the gallery can't be written: {error.strerror or error}"
        raise ProblemsFound([Problem(Place(PAGE), what, "choose a folder that you may write to")]) from error
    return StarterGallery(page, lines)


def _is_ours(page: Path) -> bool:
    try:
        return _MARK.encode() in read_file(page, "own")[:200]
    except InvalidInput:
        return False


def _iter_page(lines: Mapping[str, str], lang: str) -> Iterator[str]:
    yield f'<!doctype html>\n{_MARK}\n<html lang="en"><meta charset="utf-8">{write_policy()}'
    yield "<title>pnp new: what to begin from</title>"
    yield f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
    yield "<h1>What to begin from</h1>"
    for name, line in lines.items():
        yield f"<section><h2>{name}</h2><p>{html.escape(line)}: <code>pnp new my-game --from {name}</code></p><div>"
        for label, picture in _draw_pictures(name, lang):
            data = base64.b64encode(picture).decode("ascii")
            yield f'<img alt="{html.escape(label, quote=True)}" src="data:image/png;base64,{data}">'
        yield "</div></section>"
    yield "</html>"


def _draw_pictures(starter: str, lang: str) -> Iterator[tuple[str, bytes]]:
    """Yield the name of each of a starter's first pieces and its front as a PNG, transparent outside the piece."""
    with tempfile.TemporaryDirectory() as room:
        new_project(Path(room), "shown", starter, (lang,) if lang in LANGUAGES else ())
        root = Path(room) / "shown"
        game = load_game(root / "data/shown", find_project(root).resources)
        workshop = Workshop(game, find_project(root).resources)
        firsts = [kind.designs[0] for kind in game.kinds.values()]
        shown = [*firsts, *(one for one in game.designs() if one not in firsts)][:_SHOWN]
        workshop.draw_all(shown, [lang])
        faces = [(game.kinds[one.kind], workshop.draw_face(one, "front", lang)) for one in shown]
        drawn = [(kind, face) for kind, face in faces if face is not None]
        pages = [make_face_page(face, bleed=False) for _, face in drawn]
        cuts = [
            make_cut_page(face.width, face.height, kind.corner if kind.form == "card" else 0.0, kind.outline)
            for kind, face in drawn
        ]
        whole, masks = (render_pages(workshop, some, _DPI, lang) for some in (pages, cuts))
        for (kind, _), image, mask in zip(drawn, whole, masks, strict=True):
            yield kind.name[lang], encode_png(cut_away(image, mask), _DPI)
