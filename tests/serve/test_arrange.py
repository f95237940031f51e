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
from generator.live.element_boxes import EDITABLE, change_numbers, find_literals
from generator.live.gallery import Gallery
from generator.live.game_show import ShownFace

NUMBERS = st.decimals("0.001", 999, places=3).map("{:f}".format) | st.sampled_from(["7", "+8", ".5", "5.00", "1e1"])
PLACES = NUMBERS | st.sampled_from(["0", "-3", "-.25", "10."])
UNITS = st.sampled_from(["", "mm", "pt", "in", "px", "pc"])
VALUES = {name: st.tuples(PLACES if name in "xy" else NUMBERS, UNITS) for name in EDITABLE}
OTHERS = ["fill='red'", 'title="a > b"', 'data-x="3"', 'rx="2"', "{% if a %}id='{{ b > 2 }}'{% endif %}", '{# x="9" #}']


@examples(200)
@given(
    values=st.fixed_dictionaries({}, optional=VALUES),
    others=st.lists(st.sampled_from(OTHERS), max_size=3, unique=True),
    order=st.randoms(use_true_random=False),
    new=st.floats(0.01, 999),
    above=st.sampled_from(["", "{% set x = 3 %}"]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    mark=st.sampled_from(["", "\ufeff"]),
)
def test_only_its_numbers_change(
    values: Any, others: Any, order: Any, new: float, above: str, end: str, mark: str
) -> None:
    """What is read is what is there; what is written is read again; everything else, and undo, is the same to a byte."""
    parts = [*(f'{name}="{text}{unit}"' for name, (text, unit) in values.items()), *others]
    order.shuffle(parts)
    first = f"{mark}{above}{end if above else ''}<g x='1'>"
    source = f"{first}<text {end.join(parts)} >{{{{ x }}}}</text>{end}<text x='4'/>"
    place = (2 if above else 1, len("<g x='1'>") + 1)
    found = find_literals(source, *place)
    assert {name: (one.text, one.unit) for name, one in found.items()} == values
    changed, undo = change_numbers(source, *place, {name: (one.text, new) for name, one in found.items()})
    assert change_numbers(changed, *place, undo)[0] == source
    for name, one in sorted(find_literals(changed, *place).items(), key=lambda each: -each[1].begin):
        assert float(one.text) == pytest.approx(new, abs=0.0006 if one.unit == "in" else 0.0051)
        assert one.unit == values[name][1]
        changed = changed[: one.begin] + values[name][0] + changed[one.end :]
    assert changed == source, "nothing else changed"


NO_NUMBERS = ['x="{{ a }}"', 'x="5{{ a }}"', 'x="5%"', 'y="5"', '{% if a %}x="6"{% else %}x="5"{% endif %}']
TRIED = [*((tag, 6.0) for tag in NO_NUMBERS), *(('x="5"', new) for new in (float("nan"), 1e5, 10**400, 'x"', "1e9"))]


@pytest.mark.parametrize(("tag", "new"), TRIED, ids=str)
def test_nothing_else_is_read_or_written(tag: str, new: float | str) -> None:
    with pytest.raises(InvalidInput, match="x can't become" if tag == 'x="5"' else "x is not the plain number 5"):
        change_numbers(f"<text {tag}/>", 1, 1, {"x": ("5", new)})


CARD = "templates/tiny/card.svg"
BOXES = "/boxes/tiny/en/card%2Fone/front.json"


@pytest.fixture
def client(tiny: TinyProject) -> Iterator[Client]:
    with served(tiny.root, editable=True) as found:
        yield found


def post(client: Client, order: Any, **headers: str) -> tuple[int, Any]:
    """The answer to an order as the page sends it, but for these headers; an empty one is left out."""
    own = f"127.0.0.1:{client.server.port}"
    usual = {"Origin": f"http://{own}", "Content_Type": "application/json", "Sec_Fetch_Site": "same-origin"}
    named = {name.replace("_", "-"): value for name, value in (usual | headers).items() if value}
    line = HTTPConnection(own, timeout=20)
    line.request(
        "POST", f"{client.home}/edit", order if isinstance(order, bytes) else json.dumps(order).encode(), named
    )
    with line.getresponse() as answer:
        return answer.status, json.load(answer) if answer.status == 200 else None


def first_order(client: Client) -> dict[str, Any]:
    """An order to move the text of the tiny card."""
    digest = client.json(BOXES)["files"][CARD]["digest"]
    return {"file": CARD, "line": 3, "column": 3, "digest": digest, "values": {"x": ["5", 7.25]}}


def test_an_order_changes_its_number_once(client: Client, tiny: TinyProject) -> None:
    before, order = (tiny.root / CARD).read_bytes(), first_order(client)
    status, answer = post(client, order)
    assert status == 200
    assert (tiny.root / CARD).read_bytes() == before.replace(b'<text x="5"', b'<text x="7.25"')
    assert post(client, order)[1]["problems"][0].startswith(f"{CARD}:3:3: the file has changed meanwhile;")
    post(client, {**order, "digest": answer["digest"], "values": answer["undo"]})
    assert (tiny.root / CARD).read_bytes() == before


FOREIGN = [
    {"Origin": ""}, {"Origin": "null"}, {"Origin": "http://evil.example"}, {"Content_Type": "text/plain"}, {"Content_Type": ""},
    {"Sec_Fetch_Site": "cross-site"}, {"Host": "evil.example"}, {"Content_Length": "20000"},
]  # fmt: skip
STRANGE = [
    {"file": "../secret.svg"}, {"file": "/etc/passwd"}, {"file": "data/tiny/game.yaml"}, {"file": 3}, {"line": "1"}, {"line": -1},
    {"column": 99}, {"values": {"fill": ["red", "blue"]}}, {"values": {"x": 5}}, {"values": {"x": [5, 6]}}, {"values": []},
    {"digest": None}, b"[" * 9000, b"{}", b"\xff",
]  # fmt: skip


REFUSED = [*(({}, one) for one in FOREIGN), *((one, {}) for one in STRANGE)]


@pytest.mark.parametrize(("change", "sent"), REFUSED, ids=str)
def test_no_other_order_changes_anything(client: Client, tiny: TinyProject, change: Any, sent: Any) -> None:
    files = {path: path.read_bytes() for path in tiny.root.rglob("*") if path.is_file()}
    order = change if isinstance(change, bytes) else {**first_order(client), **change}
    status, answer = post(client, order, **sent)
    assert status in (403, 413) if sent else status == 400 or answer.keys() == {"problems"}
    assert {path: path.read_bytes() for path in tiny.root.rglob("*") if path.is_file()} == files


def test_without_the_option_nothing_is_listed_or_changed(client: Client, tiny: TinyProject) -> None:
    order = first_order(client)
    with served(tiny.root) as reader:
        assert post(reader, order)[0] == 405
        assert reader.get(BOXES)[0].status == 404
        assert reader.json("/game/tiny")["editable"] is False


MORE = """<g transform="translate(2 1) scale(2)">{% for i in (1, 2) %}<text x="3" y="{{ 9 + i }}" font-size="3pt">a</text>
{% endfor %}</g><g transform="rotate(9)"><text x="20" y="9" style="font-size: 4pt">b</text></g>
<g transform="scale(-1 1)"><text x="-20" y="9" font-size="4pt">c</text></g></svg>"""


def test_boxes_tell_what_can_be_moved(client: Client, tiny: TinyProject) -> None:
    """Scale and repeats are told; what is turned has no scale; what a drawing program saved has no numbers."""
    tiny.change(CARD, "</svg>", MORE)
    told = {box["name"]: box for box in client.json(BOXES)["boxes"]}
    assert (told["a"]["scale"], told["a"]["times"], sorted(told["a"]["values"])) == ([2.0, 2.0], 2, ["font-size", "x"])
    assert (told["b"]["scale"], told["b"]["values"]["font-size"]["text"]) == (None, "4")
    assert (told["c"]["scale"], told["icon:star"]["x"]) == (None, 15)
    tiny.change(CARD, "<svg ", '<svg xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" ')
    drawn = client.json(BOXES)
    assert drawn["files"][CARD]["drawn"]
    assert [box["values"] for box in drawn["boxes"]] == [{} for _ in drawn["boxes"]]


SHIPPED = {"xanadu": "skill/R1", "journey18": "item/lantern", "journey8": "bookmark/red-1", "wayfaring": "cursed/C01"}
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


def mask(text: str, box: Any, names: list[str]) -> tuple[str, list[float]]:
    """A template without the numbers of some attributes of an element, and these numbers."""
    start = sum(map(len, text.splitlines(keepends=True)[: box["line"] - 1])) + box["column"] - 1
    found = [re.compile(rf' {name}="([-0-9.]+)').search(text, start) for name in names]
    spans = [one.span(1) for one in found if one]
    numbers = [float(text[begin:end]) for begin, end in spans]
    for begin, end in sorted(spans, reverse=True):
        text = f"{text[:begin]}#{text[end:]}"
    return text, numbers


def drag_box(tab: Tab, client: Client, root: Path, key: tuple[str, str, str], at: int, names: list[str]) -> None:
    """Move or resize a box; hold what changed in the files and on the page against what should."""
    (name, design, lang), one, files = (
        key,
        f"{ALL}[{at}]",
        {path: path.read_text("utf-8") for path in root.rglob("*.svg")},
    )
    address = f"{name}/{lang}/{design.replace('/', '%2F')}/front"
    told = client.json(f"/boxes/{address}.json")
    box = told["boxes"][at]
    tab.wait(REST)
    tab.run(f"window.before = {one}; before.focus()")
    left, top, right, bottom, wide = tab.run(
        f"(() => {{ const b = before.getBoundingClientRect(), f = {FACE}.getBoundingClientRect();"
        " return [b.left, b.top, b.right, b.bottom, f.width] })()"
    )
    scale, mm = wide / told["width"], (-0.4, 0.3) if "width" in names else (-1.1, 0.9)
    x, y = (right, bottom) if "width" in names else ((left + right) / 2, (top + bottom) / 2)
    drag(tab, x, y, (mm[0] * scale, mm[1] * scale), held=2)
    path = root / box["file"]
    seen = "[...document.querySelectorAll('#arrange-name, #arrange-said')].map((one) => one.textContent).join('; ')"
    expect_soon(lambda: path.read_text("utf-8") != files[path], lambda: f"a change of {box}; shown: {tab.run(seen)}")
    old, numbers = mask(files.pop(path), box, names)
    new, changed = mask(path.read_text("utf-8"), box, names)
    assert new == old, "only the intended numbers change"
    assert {other: other.read_text("utf-8") for other in files} == files, "no other file changes"
    gone = [mm[name in ("y", "height")] / box["scale"][name in ("y", "height")] for name in names]
    assert [now - then for now, then in zip(changed, numbers, strict=True)] == pytest.approx(gone, abs=0.051)
    fresh = Gallery(find_project(root, root), (name,)).draw_picture(name, (design, "front", lang), ShownFace.to_svg)
    assert fresh is not None
    tab.wait(f"{FACE}.dataset.version === '{fresh[0]}' && before !== {one}", "the new picture")
    shown = tab.run(f"fetch('face/{address}.svg').then((answer) => answer.text())")
    assert shown == fresh[1], "as a fresh build draws it"


@pytest.fixture
def arranger(browser: Callable[[], Tab]) -> Iterator[Tab]:
    tab = browser()
    yield tab
    assert tab.complaints == []
    tab.call("Page.navigate", url="about:blank")


def test_twenty_drags(arranger: Tab, tmp_path: Path) -> None:
    """Each drag changes the numbers of its element as far as the mouse went, and the page shows what a build would."""
    drags = []
    for name, design in SHIPPED.items():
        for folder in ("data", "templates"):
            shutil.copytree(ROOT / folder / name, tmp_path / folder / name)
        with served(tmp_path, name, editable=True) as client:
            open_arrange(arranger, client.server.url, design)
            lang = arranger.run("document.getElementById('arrange-face').value.split(':')[0]")
            boxes = client.json(f"/boxes/{name}/{lang}/{design.replace('/', '%2F')}/front.json")["boxes"]
            for at, box in enumerate(boxes):
                for names in (["x", "y"], ["width", "height"]):
                    plain = [side for side in names if side in box["values"]]
                    if box["scale"] and plain and (plain == names or "x" in names):
                        drag_box(arranger, client, tmp_path, (name, design, lang), at, plain)
                        drags.append(name)
            arranger.call("Page.navigate", url="about:blank")
    assert len(drags) >= 20
    assert {*drags} == {*SHIPPED}


def test_keys_lines_and_undo(arranger: Tab, client: Client, tiny: TinyProject) -> None:
    """Keys move, resize and grow; a drag ends on a line; undo takes back; an expression stays; Escape closes step by step."""
    tiny.change(CARD, 'y="30" width="10"', 'y="{{ 30 }}" width="10"')
    tiny.change(CARD, 'width="30" height', 'width="+30" height')
    path, before = tiny.root / CARD, (tiny.root / CARD).read_text("utf-8")

    def expect_and_undo(old: str, new: str) -> None:
        expect_soon(lambda: path.read_text("utf-8") == before.replace(old, new, 1), f"{new} instead of {old}")
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
        expect_and_undo(old, new)
    x, y, mm = arranger.run(
        f"(() => {{ const b = {text}.getBoundingClientRect(); return [b.x, b.y, {FACE}.offsetWidth / 40] }})()"
    )
    drag(arranger, x + 20, y + 9, (0.3 * mm, 14.8 * mm))  # near 30, where the icon begins
    expect_and_undo('y="15"', 'y="30"')
    line = f"{ALL}.find((one) => one.box.tag === 'text')"
    arranger.run(f"{line}.focus()")
    x, y, wide = arranger.run(
        f"(() => {{ const b = {line}.getBoundingClientRect(); return [b.right, b.bottom, b.width] }})()"
    )
    drag(arranger, x, y, (9, 0))
    expect_and_undo('"12pt"', f'"{round(12 * (1 + 9 / wide), 1):g}pt"')
    arranger.run(f"{ALL}.find((one) => one.box.tag === 'use').focus()")
    assert 'y="{{ 30 }}"' in arranger.run("document.getElementById('arrange-source').textContent")
    arranger.press("ArrowDown")
    for gone in (".arrange .chosen", ".arrange", "#detail[open]"):
        arranger.press("Escape")
        arranger.wait(f"!document.querySelector('{gone}')")
    assert path.read_text("utf-8") == before
