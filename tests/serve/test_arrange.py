"""Texts and pictures are moved in the page: only the numbers of their tags change."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from browser import Tab
from hypothesis import given
from hypothesis import strategies as st
from page_cases import DRAWN
from serve_cases import Client, served

from generator.base.errors import InvalidInput, Place
from generator.commands.new import new_project
from generator.game.project import find_project
from generator.live.gallery import Gallery
from generator.live.game_show import ShownFace
from generator.live.template_edits import add_to_number, change_numbers

STARTERS = ("fantasy", "economy", "stats", "cards")
SOURCE = """<svg>\r\n<!-- <text x="1"> --><g>\n<text x='{{ 4 }}' y = "2.5mm" font-size="9pt">{{ card.title }} x="7"</text>
<image href="a>b.png" x="-1" y=".5" width="30" height="{{ h }}"/></g></svg>"""
TEXT, IMAGE = Place("t.svg", 3, 1), Place("t.svg", 4, 1)


@given(st.integers(-99_999, 99_999).map(lambda value: value / 100))
def test_only_the_numbers_change(value: float) -> None:
    """Every other character stays; the number is read again as it was written."""
    text = add_to_number("0", value)
    for place, name, old in ((TEXT, "y", "2.5mm"), (IMAGE, "x", "-1"), (IMAGE, "y", ".5"), (IMAGE, "width", "30")):
        changed = change_numbers(SOURCE, place, {name: text})
        assert changed.replace(text, old, 1) == SOURCE or changed.count(text) > 1
        assert change_numbers(changed, place, {name: old}) == SOURCE
        assert abs(float(add_to_number(text, 0)) - value) < 0.006


@pytest.mark.parametrize(
    ("place", "values", "why"),
    [
        (TEXT, {"x": "5"}, "x is not a number in the template"),
        (TEXT, {"y": "1;2"}, "y is not a number in the template"),
        (IMAGE, {"font-size": "5"}, "font-size is not written in the template"),
        (Place("t.svg", 9, 1), {"x": "1"}, "the template has changed"),
        (Place("t.svg", 3, 2), {"x": "1"}, "the template has changed"),
    ],
)
def test_what_is_no_number_stays(place: Place, values: dict[str, str], why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        change_numbers(SOURCE, place, values)


def test_units_are_kept() -> None:
    assert [add_to_number(text, 2.54) for text in ("1", "1mm", "1cm", "1in", "72pt", "-2.5")] == [
        *("3.54", "3.54mm", "1.25cm", "1.1in", "79.2pt", "0.04")
    ]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Four starters as games of one project."""
    for starter in STARTERS:
        new_project(tmp_path, starter, starter, ("en",))
    home = tmp_path / STARTERS[0]
    for starter in STARTERS[1:]:
        for folder in ("data", "templates"):
            shutil.copytree(tmp_path / starter / folder / starter, home / folder / starter)
    return home


@pytest.fixture
def client(project: Path) -> Iterator[Client]:
    with served(project, editable=True) as found:
        yield found


def post(client: Client, target: str, order: Any, **headers: str) -> tuple[int, Any]:
    body = json.dumps(order).encode()
    own = {"Origin": client.server.url.rstrip("/"), "Content_Type": "application/json"} | headers
    answer, said = client.get(target, "POST", body=body, **own)
    return answer.status, json.loads(said) if said.startswith(b"{") else None


def test_a_change_is_refused_to_strangers_and_without_the_option(client: Client, project: Path) -> None:
    before = {path: path.read_bytes() for path in project.rglob("*.svg")}
    at = client.json("/movable/fantasy/en/card%2Fwatchtower/front.json")["movable"][-1]["at"]
    order = {"face": "en:front:card/watchtower", "at": at, "move": [1, 0]}
    assert post(client, "/move/fantasy", order, Origin="http://evil.example")[0] == 403
    assert post(client, "/move/fantasy", order, Content_Type="text/plain")[0] == 403
    assert post(client, "/move/fantasy", order, Sec_Fetch_Site="cross-site")[0] == 403
    assert post(client, "/move/fantasy", {**order, "at": "templates/fantasy/card.svg:1:1"})[0] == 404
    assert post(client, "/move/fantasy", {**order, "at": "../../x.svg:1:1"})[0] == 404
    assert post(client, "/move/fantasy", [1])[0] == 400
    with served(project, "fantasy") as closed:
        assert post(closed, "/move/fantasy", order)[0] == 405
        assert closed.get("/movable/fantasy/en/card%2Fwatchtower/front.json")[0].status == 404
    assert {path: path.read_bytes() for path in project.rglob("*.svg")} == before
    assert post(client, "/move/fantasy", order)[1]["new"] != {}


def drag(tab: Tab, at: str, dx: float, dy: float, *, corner: bool = False) -> None:
    """Drag a box, or its corner, by so many mm; Alt is held, so that nothing snaps."""
    part = " i" if corner else ""
    x, y, by = tab.run(
        f"""(() => {{ const box = document.querySelector(`.movable[data-at="{at}"]{part}`).getBoundingClientRect();
        const face = document.querySelector(".arranged").getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2, face.width / 63]; }})()"""
    )
    spots = [(x, y), (x + dx * by / 2, y + dy * by / 2), (x + dx * by, y + dy * by)]
    for kind, (px, py) in zip(
        ("mousePressed", "mouseMoved", "mouseMoved", "mouseReleased"), [*spots, spots[-1]], strict=True
    ):
        tab.call("Input.dispatchMouseEvent", type=kind, x=px, y=py, button="left", buttons=1, clickCount=1, modifiers=1)


def changed_parts(before: str, after: str) -> list[tuple[str, str]]:
    """The numbers in which two texts differ; nothing else may."""
    old, new = (re.split(r"(-?[0-9.]+)", text) for text in (before, after))
    assert len(old) == len(new)
    return [(one, other) for one, other in zip(old, new, strict=True) if one != other]


@pytest.mark.slow
def test_twenty_drags(browser: Callable[[], Tab], client: Client, project: Path) -> None:
    """Each changes the numbers of its tag alone, as far as it was dragged, and the picture is that of a fresh build."""
    tab, drags = browser(), 0
    tab.size(1400, 1000)
    for game in STARTERS:
        tab.open(f"{client.server.url}#{game}/components")
        tab.wait(f"document.getElementById('components').dataset.game === '{game}' && {DRAWN} > 0")
        design = tab.run("document.querySelector('.design').dataset.design")
        tab.run("document.querySelector('.design .look').click()")
        if game == STARTERS[0] or tab.run("document.getElementById('arrange').getAttribute('aria-pressed') !== 'true'"):
            tab.run("document.getElementById('arrange').click()")
        tab.wait("document.querySelectorAll('.movable').length > 2")
        address = f"/movable/{game}/en/{quote(design, safe='')}/front.json"
        for number, item in enumerate(client.json(address)["movable"]):
            at = item["at"]
            file = project / at.split(":")[0]
            for corner in (False, True):
                names = ["width", "height"] if corner else ["x", "y"]
                if not {*names} <= {*item["can"]}:
                    continue
                before = file.read_text("utf-8")
                step = (1.5 - number / 8, 0.75 + number / 10)
                tab.wait(f'document.querySelector(`.movable[data-at="{at}"]`) !== null')
                drag(tab, at, *step, corner=corner)
                tab.wait(f"document.getElementById('arrange-news').textContent.startsWith('{at}: {names[0]}=')")
                parts = changed_parts(before, file.read_text("utf-8"))
                assert [float(new) - float(old) for old, new in parts] == pytest.approx(step, abs=0.12)
                tab.run("document.getElementById('arrange-news').textContent = ''")
                drags += 1
        tab.wait("document.querySelector('#detail .face.drawn') !== null")
        fresh = Gallery(find_project(project, project), (game,))
        picture = fresh.draw_picture(game, (design, "front", "en"), ShownFace.to_svg)
        assert picture is not None
        version = picture[0]
        tab.wait(
            f"document.querySelector('#detail .face').dataset.version === '{version}'", "the picture of a fresh build"
        )
    assert drags >= 20
    assert [said for said in tab.complaints if "404" not in said] == []


@pytest.mark.slow
def test_keys_move_snap_and_undo(browser: Callable[[], Tab], client: Client, project: Path) -> None:
    tab, file = browser(), project / "templates/fantasy/card.svg"
    source = file.read_text("utf-8")
    tab.size(1400, 1000)
    tab.open(f"{client.server.url}#fantasy/components")
    tab.wait(f"{DRAWN} > 0")
    tab.run("document.querySelector('.design .look').click()")
    tab.run("document.getElementById('arrange').click()")
    at = tab.wait(
        "[...document.querySelectorAll('.movable')].find((one) => one.ariaLabel.startsWith('textbox'))?.dataset.at"
    )
    tab.run(f'document.querySelector(`.movable[data-at="{at}"]`).focus()')
    for _ in range(3):
        tab.press("ArrowRight")
    tab.press("+", text="+")
    tab.wait(f"document.getElementById('arrange-news').textContent.startsWith('{at}: ')")
    assert changed_parts(source, file.read_text("utf-8")) == [("8", "8.3"), ("8.5", "9")]
    tab.wait(f"document.activeElement?.dataset?.at === '{at}'")
    tab.call("Input.dispatchKeyEvent", type="keyDown", key="z", code="KeyZ", modifiers=2, windowsVirtualKeyCode=90)
    tab.wait("document.getElementById('arrange-news').textContent.includes('\"8\"')")
    assert file.read_text("utf-8") == source
