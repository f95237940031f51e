"""`pnp layout export`: what a drawing program gets of a template, and the cards that its file makes."""

import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import ROOT, Pnp, Tool
from tests_support import TinyProject

from generator.base.geometry import MM_PER_INCH
from generator.drawing.faces.game_drawing import Workshop
from generator.game.load_game import load_game
from generator.game.project import find_project

LABEL = "{http://www.inkscape.org/namespaces/inkscape}label"
SVG = "{http://www.w3.org/2000/svg}"
TEMPLATE = """{% set middle = width / 2 %}{% set third = card.value * 3 %}
<svg xmlns="http://www.w3.org/2000/svg">
<rect width="{{ width }}" height="1cm" fill="red"/>
<text x="{{ middle }}" y="9" font-size="7.2pt">{{ card.title | replace("a", "b") }} &amp; {{ kind.id }}</text>
<textbox x="5" y="20" width="30" height="20" text-align="middle" font-size="9pt">{{ card.title }}</textbox>
<text x="5" y="55" font-size="9pt">{{ third }}</text>
{% if card.mark %}<circle cx="5" cy="5" r="{{ card.value }}"/>{% endif %}
{% for x in (1, 2) %}<line x1="{{ x }}" x2="9"/>{% endfor %}
{% for k in range(card.value) %}<ellipse rx="1" ry="2"/>{% endfor %}
<use href="icon:{{ card.mark }}" x="1" y="2" width="5" height="6" color="red"/>
{% if lang == "ja" %}<polygon points="0 0 1 1 1 0"/>{% else %}<polyline points="0 0 1 1"/>{% endif %}
<use href="icon:star" x="20" y="2" width="5" height="5"/>
</svg>"""


def test_texts_stay_open_and_what_needs_code_is_listed(tiny: TinyProject, pnp: Pnp) -> None:
    tiny.write("templates/tiny/card.svg", TEMPLATE)
    done = pnp("layout", "export", "tiny/card")
    assert (done.code, done.out) == (0, "templates/tiny/card.layout.svg\n")
    assert done.said == [
        f"note: templates/tiny/card.svg:{line}"
        for line in (
            "6:36: stays in code: the text {{ third }}",
            "7:44: stays in code: r of <circle>: {{ card.value }} (drawn as on card/one)",
            "9:1: stays in code: {% for k in range(card.value) %}",
            '11:1: stays in code: {% if lang == "ja" %} (drawn as on card/one)',
        )
    ]
    text = (tiny.root / "templates/tiny/card.layout.svg").read_text("utf-8")
    root = ElementTree.fromstring(text)  # noqa: S314 - this program wrote it
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("40mm", "60mm", "0 0 40 60")
    card, reference = root.findall(f"{SVG}g")
    assert reference.get(LABEL) == reference.get("id") == "reference"
    assert reference.get("{http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd}insensitive") == "true"
    drawn = [each.tag.removeprefix(SVG) for each in card.iter()][1:]
    assert drawn == ["rect", "text", "text", "tspan", "g", "circle", "line", "line", "rect", "polyline", "image"]
    ground, title, frame, _, hidden, *_ = list(card.iter())[1:]
    assert ground.attrib == {"width": "40", "height": "10", "fill": "#c02020"}
    assert (title.get("x"), title.get("font-size")) == ("20", "2.54")
    assert title.text == "{{ card.title | replace('a', 'b') }} & {{ kind.id }}"
    assert (hidden.get(LABEL), hidden.get("data-name")) == ("if:card.mark", "if:card.mark")
    assert card.findall(f"{SVG}rect")[1].get(LABEL) == "card.mark"
    (box,) = root.findall(f"{SVG}defs/{SVG}rect")
    assert box.attrib == {"id": "frame-1", "x": "5", "y": "20", "width": "30", "height": "20"}
    style = frame.get("style", "")
    assert "shape-inside:url(#frame-1)" in style and "text-align:center" in style and "font-size:3.175px" in style
    again = pnp("layout", "export", "templates/tiny/card.svg")
    assert (again.code, again.said[0]) == (
        1,
        "templates/tiny/card.layout.svg: the file exists; move it away, or name another file with --out",
    )
    assert pnp("layout", "export", "tiny/card", "--out", "copy.svg").code == 0
    assert (tiny.root / "copy.svg").read_text("utf-8") == text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("stats", "lighthouse"),
        ("tarot", "trump"),
        ("standee", "hero"),
        ("domino", "tile"),
        ("xanadu", "dispatch"),
        ("journey18", "pawn"),
        ("economy", "building"),
        ("fantasy", "card"),
    ],
)
def test_inkscape_saves_a_template(
    room: Path, monkeypatch: pytest.MonkeyPatch, pnp: Pnp, tool: Tool, source: str, kind: str
) -> None:
    """Saved as plain SVG, and as its own with the texts moved, it draws the sample card as before."""
    inkscape = tool("inkscape")
    if (ROOT / "packs" / source).exists():
        assert pnp("new", "made", "--from", source).code == 0
        folder, game = room / "made", "made"
    else:
        folder, game = room, source
        for part in ("data", "templates"):
            shutil.copytree(ROOT / part / game, room / part / game)
    monkeypatch.chdir(folder)
    project = find_project(folder)
    workshop = Workshop(load_game(project.find_folder(game), project.resources), project.resources)
    design = workshop.game.kinds[kind].designs[0]
    lang = workshop.game.languages[0]
    variables = workshop.artist.views.make_variables(design, "front", lang)
    before = workshop.draw_face(design, "front", lang)
    template = folder / "templates" / game / f"{design.front}.svg"
    assert pnp("layout", "export", f"{game}/{kind}").code == 0
    layout = template.with_suffix(".layout.svg")
    moved = f"--actions=select-by-selector:text;transform-translate:10,0;export-filename:{template};export-do"
    for by, actions in ((0.0, f"--export-plain-svg --export-filename={template}".split()), (10.0, [moved])):
        subprocess.run([inkscape, *actions, str(layout)], check=True, capture_output=True, timeout=60)
        again = Workshop(workshop.game, find_project(folder).resources)
        after = again.draw_face(design, "front", lang)
        assert after is not None and before is not None, again.problems
        words = {f"{{{{ {name} }}}}" for name in re.findall(r"\{\{ (.*?) \}\}", template.read_text("utf-8"))}
        filled = {again.artist.templates.expand_text(text, variables, None) for text in words}
        kept = [frame for frame in before.frames if frame.text in filled]
        assert [frame.text for frame in after.frames] == [frame.text for frame in kept]
        assert [frame.x for frame in after.frames] == pytest.approx(
            [frame.x + by * MM_PER_INCH / 96 for frame in kept], abs=0.01
        )
        assert all(
            frame.size == pytest.approx(old.size, abs=0.01) for frame, old in zip(after.frames, kept, strict=True)
        )
