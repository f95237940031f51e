"""Elements moved in the live page: only the intended numbers of the template change, and the picture is that of a build."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from browser import Tab
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from serve_cases import Client, expect_soon, served
from tests_support import TinyProject, examples

from generator.base.errors import InvalidInput
from generator.game.project import find_project
from generator.live.gallery import Gallery
from generator.live.game_show import ShownFace
from generator.live.template_edits import EDITABLE, change_numbers, find_literals

CARD = "templates/tiny/card.svg"
BOXES = "/boxes/tiny/en/card%2Fone/front.json"

NUMBERS = st.decimals("0.001", 999, places=3).map("{:f}".format) | st.sampled_from(
    ["7", "+8", ".5", "5.00", "1e1", "10."]
)
BELOW = st.sampled_from(["0", "-3", "-.25"])
UNITS = st.sampled_from(["", "mm", "pt", "in", "px"])
OTHERS = st.sampled_from(
    [
        "fill='red'",
        'id="x"',
        'title="a > b"',
        "{% if a %}id='{{ b > 2 }}'{% endif %}",
        '{# x="9" #}',
        'data-x="3"',
        'rx="2"',
    ]
)


@examples(200)
@given(
    values=st.fixed_dictionaries(
        {}, optional={name: st.tuples(NUMBERS | BELOW if name in "xy" else NUMBERS, UNITS) for name in EDITABLE}
    ),
    others=st.lists(OTHERS, max_size=3, unique=True),
    order=st.randoms(use_true_random=False),
    new=st.floats(0.01, 999),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    mark=st.sampled_from(["", "\ufeff"]),
)
def test_only_the_numbers_of_one_tag_change(
    values: Any, others: Any, order: Any, new: float, end: str, mark: str
) -> None:
    """What is read is what is there; what is written is read again; everything else, and undo, is the same to a byte."""
    parts = [*(f'{name}="{text}{unit}"' for name, (text, unit) in values.items()), *others]
    order.shuffle(parts)
    before, after = f"{mark}{{% set x = 3 %}}{end}<g x='1'>", f">{{{{ x }}}}</text>{end}<text x='4'/>"
    source = f"{before}<text {end.join(parts)} {after}"
    place = (2, len("<g x='1'>") + 1)
    found = find_literals(source, *place)
    assert {name: (one.text, one.unit) for name, one in found.items()} == values
    changed, undo = change_numbers(source, *place, {name: (one.text, new) for name, one in found.items()})
    assert change_numbers(changed, *place, undo)[0] == source
    for name, one in sorted(find_literals(changed, *place).items(), key=lambda each: -each[1].begin):
        assert float(one.text) == pytest.approx(new, abs=0.0006 if one.unit == "in" else 0.0051)
        assert one.unit == values[name][1]
        changed = changed[: one.begin] + values[name][0] + changed[one.end :]
    assert changed == source, "nothing else changed"


@pytest.mark.parametrize(
    ("tag", "change", "why"),
    [
        ('x="{{ a }}"', ("5", 6.0), "not the plain number 5"), ('x="5{{ a }}"', ("5", 6.0), "not the plain number 5"),
        ('x="5%"', ("5", 6.0), "not the plain number 5"), ('y="5"', ("5", 6.0), "not the plain number 5"),
        ('{% if a %}x="5"{% else %}x="6"{% endif %}', ("5", 6.0), "not the plain number 5"),
        ('x="5"', ("4", 6.0), "not the plain number 4"), ('x="5"', ("5", float("nan")), "can't become nan"),
        ('x="5"', ("5", 1e5), "can't become 100000"), ('x="5"', ("5", '6" onload="'), "can't become 6"),
    ],
)  # fmt: skip
def test_what_is_no_plain_number_stays(tag: str, change: tuple[str, float | str], why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        change_numbers(f"<text {tag}/>", 1, 1, {"x": change})


@pytest.fixture
def client(tiny: TinyProject) -> Iterator[Client]:
    with served(tiny.root, editable=True) as found:
        yield found


def post(client: Client, order: Any, **headers: str) -> tuple[int, Any]:
    """The answer to an order as the page sends it, but for these headers; an empty one is left out."""
    own = f"127.0.0.1:{client.server.port}"
    usual = {"Origin": f"http://{own}", "Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
    named = usual | {name.replace("_", "-"): value for name, value in headers.items()}
    line = HTTPConnection(own, timeout=20)
    body = order if isinstance(order, bytes) else json.dumps(order).encode()
    line.request("POST", "/edit", body, {name: value for name, value in named.items() if value})
    answer = line.getresponse()
    text = answer.read()
    line.close()
    return answer.status, json.loads(text) if text.startswith(b"{") else text


def first_order(client: Client) -> dict[str, Any]:
    """An order to move the first text that can be moved."""
    told = client.json(BOXES)
    box = next(one for one in told["boxes"] if one["tag"] == "text" and "x" in one["values"])
    values = {"x": [box["values"]["x"]["text"], 7.25]}
    return {
        **{name: box[name] for name in ("file", "line", "column")},
        "digest": told["files"][CARD]["digest"],
        "values": values,
    }


def test_an_order_changes_its_number_alone_and_only_once(client: Client, tiny: TinyProject) -> None:
    before, order = (tiny.root / CARD).read_bytes(), first_order(client)
    status, answer = post(client, order)
    assert status == 200
    old = order["values"]["x"][0]
    assert (tiny.root / CARD).read_bytes() == before.replace(f'x="{old}"'.encode(), b'x="7.25"', 1)
    assert "has changed meanwhile" in post(client, order)[1]["problems"][0]
    assert f"{CARD}:{order['line']}:" in post(client, order)[1]["problems"][0]
    post(client, {**order, "digest": answer["digest"], "values": answer["undo"]})
    assert (tiny.root / CARD).read_bytes() == before


FOREIGN = [
    {"Origin": ""}, {"Origin": "null"}, {"Origin": "http://evil.example"}, {"Content_Type": "text/plain"},
    {"Content_Type": ""}, {"Sec_Fetch_Site": "cross-site"}, {"Host": "evil.example"}, {"Content_Length": "20000"},
]  # fmt: skip


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_no_other_page_can_order_a_change(client: Client, tiny: TinyProject, headers: dict[str, str]) -> None:
    before = (tiny.root / CARD).read_bytes()
    assert post(client, first_order(client), **headers)[0] == 403
    assert (tiny.root / CARD).read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [
        {"file": "../secret.svg"}, {"file": "/etc/passwd"}, {"file": "data/tiny/game.yaml"}, {"file": 3}, {"line": "1"},
        {"line": -1}, {"column": 99}, {"values": {"fill": ["red", "blue"]}}, {"values": {"x": 5}}, {"values": []},
        {"digest": None}, b"[" * 9000, b"{}", b"\xff",
    ],
    ids=str,
)  # fmt: skip
def test_no_strange_order_changes_anything(client: Client, tiny: TinyProject, change: Any) -> None:
    files = {path: path.read_bytes() for path in tiny.root.rglob("*") if path.is_file()}
    status, answer = post(client, change if isinstance(change, bytes) else {**first_order(client), **change})
    assert status == 400 or answer.keys() == {"problems"}
    assert {path: path.read_bytes() for path in tiny.root.rglob("*") if path.is_file()} == files


def test_without_the_option_nothing_is_listed_or_changed(client: Client, tiny: TinyProject) -> None:
    order = first_order(client)
    with served(tiny.root) as reader:
        assert post(reader, order)[0] == 405
        assert reader.get(BOXES)[0].status == 404
        assert reader.json("/game/tiny")["editable"] is False


SHIPPED = [
    ("xanadu", "skill/R1"),
    ("journey18", "item/lantern"),
    ("journey8", "bookmark/red-1"),
    ("wayfaring", "cursed/C01"),
]
REST = "document.querySelector('.arrange[aria-busy=false]') !== null"
ALL = "[...document.querySelectorAll('.arrange .box')]"
FACE = "document.querySelector('#detail .face')"


def drag(tab: Tab, x: float, y: float, by: tuple[float, float], held: int = 0) -> None:
    """Drag by so many pixels; `held` is 2 for Ctrl, with which nothing is drawn to a line."""
    for kind, share in (("mousePressed", 0.0), ("mouseMoved", 0.5), ("mouseMoved", 1.0), ("mouseReleased", 1.0)):
        at = {"x": x + share * by[0], "y": y + share * by[1], "modifiers": held}
        tab.call("Input.dispatchMouseEvent", type=kind, button="left", buttons=1, clickCount=1, **at)


def open_arrange(tab: Tab, url: str, design: str) -> None:
    """Open a design at close range, and begin to arrange its front."""
    tab.size(1500, 1100)
    tab.call("Emulation.setFocusEmulationEnabled", enabled=True)
    tab.open(url)
    tab.run(f"document.querySelector('[data-design=\"{design}\"] .look').click()")
    tab.wait("document.querySelector('#arrange').getClientRects().length > 0")
    tab.run("document.querySelector('#arrange').click()")
    tab.wait(f"{ALL}.length > 0 && {FACE}.classList.contains('drawn')")


def masked(text: str, box: Any, names: set[str]) -> tuple[str, list[float]]:
    """A template without the numbers of some attributes of an element, and these numbers."""
    start = sum(map(len, text.splitlines(keepends=True)[: box["line"] - 1])) + box["column"] - 1
    tag, numbers = text[start:], []
    for name in sorted(names, reverse=True):
        found = re.search(rf' {name}="([-0-9.]+)', tag)
        assert found is not None
        numbers.append(float(found[1]))
        tag = tag[: found.start(1)] + "#" + tag[found.end(1) :]
    return text[:start] + tag, numbers


class Arranged:
    """A face of a shipped game whose boxes are dragged one by one; `count` of the drags."""

    def __init__(self, tab: Tab, client: Client, root: Path, name: str, design: str):
        self.tab, self.client, self.root, self.name, self.count = tab, client, root, name, 0
        open_arrange(tab, client.server.url, design)
        lang = tab.run("document.getElementById('arrange-face').value.split(':')[0]")
        self.key = (design, "front", lang)
        self.route = f"/boxes/{name}/{lang}/{design.replace('/', '%2F')}/front.json"

    def drag_all(self) -> None:
        """Move every box as far as its numbers let it, and resize it where both sides are numbers."""
        for at, box in enumerate(self.client.json(self.route)["boxes"]):
            for names in ({"x", "y"} & box["values"].keys(), {"width", "height"}):
                if box["scale"] and names and names <= box["values"].keys():
                    self.drag_box(at, names)

    def drag_box(self, at: int, names: set[str]) -> None:
        told = self.client.json(self.route)
        box, before = told["boxes"][at], {path: path.read_text("utf-8") for path in self.root.rglob("*.svg")}
        one = f"{ALL}[{at}]"
        self.tab.wait(REST)
        self.tab.run(f"window.before = {one}; before.focus()")
        self.tab.wait(f"{one}.classList.contains('chosen')")
        left, top, right, bottom, wide = self.tab.run(
            f"(() => {{ const b = {one}.getBoundingClientRect();"
            f" return [b.left, b.top, b.right, b.bottom, {FACE}.getBoundingClientRect().width] }})()"
        )
        scale, mm = wide / told["width"], (-0.4, 0.3) if "width" in names else (-1.1, 0.9)
        x, y = (right, bottom) if "width" in names else ((left + right) / 2, (top + bottom) / 2)
        drag(self.tab, x, y, (mm[0] * scale, mm[1] * scale), held=2)
        path = self.root / box["file"]
        expect_soon(lambda: path.read_text("utf-8") != before[path], f"a change of {box}")
        old, numbers = masked(before.pop(path), box, names)
        new, changed = masked(path.read_text("utf-8"), box, names)
        assert new == old, "only the intended numbers change"
        assert before == {path: path.read_text("utf-8") for path in before}, "no other file changes"
        gone = [mm[name in "yheight"] / box["scale"][name in "yheight"] for name in sorted(names, reverse=True)]
        assert [now - then for now, then in zip(changed, numbers, strict=True)] == pytest.approx(gone, abs=0.051)
        version, picture = self.draw_afresh()
        self.tab.wait(f"{FACE}.dataset.version === '{version}' && window.before !== {one}", "the new picture")
        shown = f"fetch(`face/{self.name}/{self.key[2]}/{self.key[0].replace('/', '%2F')}/front.svg`)"
        assert self.tab.run(f"{shown}.then((answer) => answer.text())") == picture, "as a fresh build draws it"
        self.count += 1

    def draw_afresh(self) -> tuple[str, str]:
        """Version and picture of the face, of a project that is read for the first time."""
        gallery = Gallery(find_project(self.root, self.root), (self.name,))
        found = gallery.draw_picture(self.name, self.key, ShownFace.to_svg)
        assert found is not None
        return found


@pytest.fixture
def arranger(browser: Callable[[], Tab]) -> Iterator[Tab]:
    tab = browser()
    yield tab
    assert tab.complaints == []
    tab.call("Page.navigate", url="about:blank")


def test_twenty_drags(arranger: Tab, tmp_path: Path) -> None:
    """Each drag changes the numbers of its element as far as the mouse went, and the page shows what a build would."""
    drags = 0
    for name, design in SHIPPED:
        for folder in ("data", "templates"):
            shutil.copytree(ROOT / folder / name, tmp_path / folder / name)
        with served(tmp_path, name, editable=True) as client:
            arranged = Arranged(arranger, client, tmp_path, name, design)
            arranged.drag_all()
            assert arranged.count > 2
            drags += arranged.count
            arranger.call("Page.navigate", url="about:blank")
    assert drags >= 20, drags


def test_keys_lines_and_undo(arranger: Tab, client: Client, tiny: TinyProject) -> None:
    """Keys move, resize and grow; a drag ends on the middle; Escape gives up; Ctrl+Z takes back; an expression stays."""
    tiny.change(CARD, 'y="30" width="10"', 'y="{{ 30 }}" width="10"')
    path, before = tiny.root / CARD, (tiny.root / CARD).read_text("utf-8")

    def became(old: str, new: str) -> None:
        expect_soon(lambda: path.read_text("utf-8") == before.replace(old, new, 1), f"{new} instead of {old}")

    def undo() -> None:
        arranger.wait(REST)
        arranger.run("document.getElementById('arrange-undo').click()")
        expect_soon(lambda: path.read_text("utf-8") == before, "as before")
        arranger.wait(REST)

    open_arrange(arranger, client.server.url, "card/one")
    text = f"{ALL}.find((one) => one.box.tag === 'textbox')"
    for key, held, old, new in [
        ("ArrowRight", 8, 'x="5" y="15"', 'x="6" y="15"'), ("ArrowUp", 0, 'y="15"', 'y="14.9"'),
        ("ArrowDown", 1, 'height="10" font', 'height="10.1" font'), ("+", 0, '"8pt"', '"8.5pt"'),
    ]:  # fmt: skip
        arranger.run(f"{text}.focus()")
        arranger.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, modifiers=held)
        became(old, new)
        undo()
    rect = f"(() => {{ const b = {text}.getBoundingClientRect(); return [b.left + 20, b.top + 9, {FACE}.offsetWidth / 40] }})()"
    x, y, scale = arranger.run(rect)
    drag(arranger, x, y, (0.3 * scale, 14.8 * scale))  # near 30, where the icon begins
    became('y="15"', 'y="30"')
    undo()
    arranger.run(f"{ALL}.find((one) => one.box.tag === 'use').focus()")
    assert 'y="{{ 30 }}"' in arranger.run("document.getElementById('arrange-source').textContent")
    assert "x" in arranger.run("document.getElementById('arrange-said').textContent")
    arranger.press("ArrowDown")
    for gone in (
        "!document.querySelector('.arrange .chosen')",
        "!document.querySelector('.arrange')",
        "!document.getElementById('detail').open",
    ):
        arranger.press("Escape")
        arranger.wait(gone)
    assert path.read_text("utf-8") == before
