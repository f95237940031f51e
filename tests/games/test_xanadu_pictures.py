"""What Xanadu's templates draw by the data: a ware for each request, and lids for each growth track that can be chosen."""

import re
from dataclasses import replace
from itertools import product
from xml.etree import ElementTree

import pytest
from jinja2 import Environment, FileSystemLoader
from tests_support import quick
from xanadu_game import PROJECT

from generator.base.display_list import Drawing, Shape
from generator.base.path_data import to_canonical_path
from generator.checks.visible_items import FaceLayers, iter_visible_leaves
from generator.drawing.faces.game_drawing import Workshop
from generator.drawing.svg.face_areas import find_printed_spaces
from generator.game.model import Game
from generator.game.project import find_project


def test_every_request_has_a_picture_of_its_own(game: Game) -> None:
    """No request shows its type's icon for want of a ware, no two show the same, and no ware is drawn for nobody."""
    wares = (PROJECT / "templates" / "xanadu" / "wares.svg").read_text(encoding="utf-8")
    drawn = re.findall(r'^"(\w+)": "(.*)"', wares, re.MULTILINE)
    assert sorted(name for name, _ in drawn) == sorted(
        design.id.split("/")[1] for design in game.kinds["request"].designs
    )
    assert len({picture for _, picture in drawn}) == len(drawn)


@pytest.mark.parametrize(
    ("layout", "lang"), quick(product(("eleven", "twelve"), ("ja", "en", "ja+en")), ("eleven", "ja"))
)
def test_company_boards_have_the_lids_of_each_growth_track(game: Game, layout: str, lang: str) -> None:
    """Whichever growth track is chosen (E19), every company board is drawn, with as many lids as its rows have."""
    readings = {
        name: replace(reading, value=layout) if reading.switch == "growth_layout" else reading
        for name, reading in game.readings.items()
    }
    workshop = Workshop(replace(game, readings=readings), find_project(PROJECT).resources)
    rows = game.sections["rules"]["growth"]["layouts"][layout]
    for design in game.kinds["company_board"].designs:
        board = workshop.draw_face(design, "front", lang)
        assert board is not None and not workshop.problems
        lids = {space.id: space.holds for space in find_printed_spaces(board) if space.piece == "dispatch"}
        assert lids == {f"lids-{row}": count for row, count in rows.items()}


def test_necks_reach_from_chin_to_collar() -> None:
    """Below a beardless guest's chin there is skin, in light or in shade, down to the collar's point."""
    templates = Environment(loader=FileSystemLoader(PROJECT / "templates" / "xanadu"), autoescape=True)
    page = '<svg>{% import "scenes.svg" as scenes %}{{ scenes.guest(who, "clay", 0, 110, 60) }}</svg>'
    for who in ("porter", "farmer", "fishwife", "granny", "lady", "dancer", "monk"):
        shapes = ElementTree.fromstring(templates.from_string(page).render(who=who)).iter("path")  # noqa: S314 - our own
        items = [
            Shape(path=to_canonical_path(one.get("d", "")), fill=one.get("fill"), even_odd=True)
            for one in shapes
            if one.get("fill")
        ]
        face = Drawing(60, 110, 0, tuple(items))
        layers = FaceLayers(face, tuple(iter_visible_leaves(face)))
        assert {layers.paint_at(30.0, y / 2) for y in range(110, 140)} <= {"wood_pale", "wood_light"}, who
