"""Start pictures: a few cards of each game and each starter, for the start page of a site."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from generator.base.geometry import MM_PER_INCH
from generator.commands.new import open_starter, pick_first_designs
from generator.commands.starters import LANGUAGES
from generator.drawing.faces.game_drawing import Workshop
from generator.game.model import Design, Game
from generator.game.packs import STARTERS
from generator.game.project import Project
from generator.sheets.raster import draw_fronts, encode_webp

_FAN = 3
"""Number of pieces in the picture of a game or starter."""

_BOX = (300, 240)
"""Largest size of a piece (px): it is shown at half of it, so that it is sharp on fine screens."""


class StartPage(NamedTuple):
    """What the start page shows: games and starters as entries for the page, and the files of their pictures."""

    games: list[dict[str, Any]]
    starters: list[dict[str, Any]]
    files: Mapping[str, bytes]


def make_start_page(project: Project, games: Iterable[Game]) -> StartPage:
    """Draw the start page's pictures. Raise ProblemsFound if a piece can't be drawn."""
    files: dict[str, bytes] = {}
    shown, starters = [], []
    for game in games:
        kind = max(game.kinds.values(), key=lambda kind: (kind.form == "card", len(kind.designs)))
        step = max(1, len(kind.designs) // _FAN)
        pictures = _draw_fan(Workshop(game, project.resources), kind.designs[::step][:_FAN], f"game-{game.id}", files)
        players = [game.players.fewest, game.players.most]
        shown.append({"id": game.id, "title": dict(game.title.items()), "players": players, "pictures": pictures})
    for name in STARTERS:
        with open_starter(name) as workshop:
            pictures = _draw_fan(workshop, pick_first_designs(workshop.game)[:_FAN], f"starter-{name}", files)
        starters.append({"id": name, "pictures": pictures})
    return StartPage(shown, starters, files)


def _draw_fan(workshop: Workshop, designs: Sequence[Design], name: str, files: dict[str, bytes]) -> Any:
    """Add a picture of each design to the files. Return their paths by language."""
    paths: dict[str, list[str]] = {}
    for lang in [lang for lang in workshop.game.languages if lang in LANGUAGES] or workshop.game.languages[:1]:
        dpi = lambda face: MM_PER_INCH * min(_BOX[0] / face.width, _BOX[1] / face.height)  # noqa: E731
        for _, image in draw_fronts(workshop, designs, lang, dpi):
            path = f"start/{name}-{len(paths.setdefault(lang, []))}.{lang}.webp"
            files[path] = encode_webp(image)
            paths[lang].append(path)
    return paths
