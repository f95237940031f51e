"""Whether pictures have pixels enough for the size that they are printed at, and designs their pictures."""

import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from generator.checks.context import Context, pictures
from generator.checks.record import Check, first_entries
from generator.checks.seen import leaves_of
from generator.model.drawing import Picture
from generator.model.game import Game
from generator.svg.bitmaps import picture_file
from generator.units import MM_PER_INCH

FINE_ENOUGH = 200
"""Pixels an inch below which a printed picture looks coarse; print shops ask for 300."""


def pictures_are_sharp(game: Game, context: Context) -> Iterator[Check]:
    """One check for each kind that shows pictures: each has 200 pixels an inch at its printed size.

    A coarse one is undecided rather than wrong: it prints, and a designer may want it so.
    """
    size = cache(_pixels)
    for kind in game.kinds.values():
        shown: dict[tuple[str, str], float] = {}
        coarse: dict[tuple[str, str], str] = {}
        for face in pictures(game, kind, context):
            for one in leaves_of(face.drawing, context):
                box = one.box
                if not isinstance(one.leaf, Picture) or box is None:
                    continue
                across, down = size(one.leaf.source)
                a, b, c, d, *_ = one.matrix
                wide, high = one.leaf.width * math.hypot(a, b), one.leaf.height * math.hypot(c, d)
                dpi = min(across / wide, down / high) * MM_PER_INCH
                key = (face.design.id, one.leaf.source)
                if dpi < shown.get(key, math.inf):
                    shown[key] = dpi
                    told = f"{dpi:.0f} dpi at {box.width:.3g} x {box.height:.3g} mm"
                    coarse[key] = f"{face.design.id}: {_called(one.leaf.source)} has {told}"
        below = [key for key, dpi in shown.items() if dpi < FINE_ENOUGH]
        check = f"resolution.{kind.id}"
        if below:
            places = {design.id: design.place for design in kind.designs}
            sentence = f"{kind.id}: pictures have less than {FINE_ENOUGH} dpi as they are printed; use larger ones"
            figures = first_entries((coarse[key] for key in sorted(below, key=lambda key: shown[key])), most=12)
            yield Check(check, "picture", "undecided", sentence, figures, places[below[0][0]])
        elif shown:
            figures = f"{len({source for _, source in shown})} pictures, the coarsest {min(shown.values()):.0f} dpi"
            sentence = f"{kind.id}: pictures have at least {FINE_ENOUGH} dpi as they are printed"
            yield Check(check, "picture", "pass", sentence, figures, kind.place)


def pictures_are_there(game: Game, _context: Context) -> Iterator[Check]:
    """Designs that may do without a picture and have none, for each field of pictures."""
    for kind in game.kinds.values():
        for name, spec in kind.fields.items():
            lacking = [design for design in kind.designs if spec.type == "picture" and design.fields.get(name) is None]
            if lacking:
                sentence = f"{kind.id}: designs have no picture in {spec.folder or 'the templates'}"
                figures = f"{len(lacking)} of {len(kind.designs)}: " + first_entries(one.id for one in lacking)
                yield Check(f"{name}.{kind.id}", "picture", "undecided", sentence, figures, lacking[0].place)


def _pixels(source: str) -> tuple[int, int]:
    return picture_file(Path(source))[0].size


def _called(source: str) -> str:
    """A picture as a designer knows it: the last folder and the name."""
    return "a picture in a data address" if source.startswith("data:") else "/".join(Path(source).parts[-2:])
