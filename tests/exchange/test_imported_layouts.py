"""`pnp import` makes templates of the layouts of Squib, CardMaker and nanDECK, and tells what it could not convert."""

import io
import re
import zipfile
from pathlib import Path

import pytest
from conftest import Pnp
from hypothesis import given
from hypothesis import strategies as st
from import_cases import game_of, write

from generator.base.display_list import TextRun
from generator.base.errors import ProblemsFound
from generator.drawing.faces.game_drawing import Workshop
from generator.exchange.foreign_project import (
    ArchiveFiles,
    FoundProject,
    HeadedColumn,
    LaidItem,
    Program,
    find_bundled_font,
    read_colour,
)
from generator.exchange.import_project import import_project
from generator.exchange.nandeck import NANDECK
from generator.exchange.project_readers import CARDMAKER
from generator.exchange.squib import SQUIB
from generator.game.project import find_project

SAMPLES = Path(__file__).with_name("samples")

LEFT = {
    "squib-forest": [
        "deck.rb:10: the font 'Arial' is Source Sans 3 now; put its files into fonts/ and name them under `arial:` in look.yaml",
        "deck.rb:12: the font 'Georgia' is EB Garamond now; put its files into fonts/ and name them under `georgia:` in look.yaml",
        "deck.rb:16: `text`: `str: data['Name'].map { |n| n.upcase }` is computed; write it into the template",
        "deck.rb:17: `save_png`: how the deck is written: `pnp sheets`, `pnp images` and `pnp shop` do that",
    ],
    "squib-harbour": [
        "harbour.rb:8: `circle`: the gradient '(0,0)(0,100) #e9c46a@0.0 #f4a261@1.0' is its first colour now",
        "harbour.rb:10: `text`: its place is computed; a place with the name of a column shows that column",
        "harbour.rb:13: the font 'Sans' is Source Sans 3 now; put its files into fonts/ and name them under `sans:` in look.yaml",
        "harbour.rb:14: the font 'Serif' is EB Garamond now; put its files into fonts/ and name them under `serif:` in look.yaml",
        "harbour.rb:17: `save_sheet`: how the deck is written: `pnp sheets`, `pnp images` and `pnp shop` do that",
    ],
    "cardmaker-guild": [
        "guild.cmp:6: the font 'Times New Roman' is EB Garamond now; put its files into fonts/ and name them under "
        "`times-new-roman:` in look.yaml",
        "guild.cmp:10: the element 'Switch': '#(switch;@[faction];pirate;images/a.bmp)#' is computed; write it into the template",
        "guild.cmp:11: the element 'Rules': </fs>, <fs=20> in its text can't be converted: it is left out",
        "guild.cmp:11: the font 'Microsoft Sans Serif' is Source Sans 3 now; put its files into fonts/ and name them under "
        "`microsoft-sans-serif:` in look.yaml",
        "guild.cmp:12: the font 'Arial' is Source Sans 3 now; put its files into fonts/ and name them under `arial:` in look.yaml",
    ],
    "cardmaker-ships": [
        "ships.cmp:5: the font 'Verdana' is Source Sans 3 now; put its files into fonts/ and name them under `verdana:` in look.yaml",
        "ships.cmp:6: the font 'Georgia' is EB Garamond now; put its files into fonts/ and name them under `georgia:` in look.yaml",
        "ships.cmp:7: the font 'Impact' is Source Sans 3 now; put its files into fonts/ and name them under `impact:` in look.yaml",
    ],
    "nandeck-market": [
        "market.txt:5: `BORDER`: the frame of the card: cut marks are drawn by themselves",
        "market.txt:16: the font 'Georgia' is EB Garamond now; put its files into fonts/ and name them under `georgia:` in look.yaml",
        "market.txt:19: the font 'Arial' is Source Sans 3 now; put its files into fonts/ and name them under `arial:` in look.yaml",
        "market.txt:25: the font 'Times New Roman' is EB Garamond now; put its files into fonts/ and name them under "
        "`times-new-roman:` in look.yaml",
        "market.txt:26: its cards are rows of the table here, where copies are not counted",
        "market.txt:28: `ICON`: a nanDECK command; draw its result in the template",
    ],
    "nandeck-numbers": [
        "numbers.txt:5: the font 'Arial' is Source Sans 3 now; put its files into fonts/ and name them under `arial:` in look.yaml",
        "numbers.txt:8: the font 'Comic Sans MS' is Source Sans 3 now; put its files into fonts/ and name them under "
        "`comic-sans-ms:` in look.yaml",
    ],
}  # fmt: skip

DRAWN = {
    "squib-forest": (("cards", 'x="4.445" y="3.598" width="47.413" height="7.62" font-family="cinzel" font-weight="bold" font-size="11pt"'),
                     ("cards", 'x="5.292" y="54.998" width="52.917" height="20.567" font-family="georgia" font-size="8.5pt"'),
                     ("cards", '<line x1="7.408" y1="74.718" x2="56.092" y2="74.718" fill="none" stroke="#999" stroke-width="0.254"/>')),
    "squib-harbour": (("ports", '<rect x="-3" y="-3" width="61" height="15" fill="#1d4e6b"/>'),
                      ("ports", 'x="3" y="20" width="38" height="8" font-family="sans" font-weight="bold" font-size="9pt"'),
                      ("ports", 'text-align="right" valign="middle" line-height="1.2" text-role="label" fill="white">{{ card.toll }}'),
                      ("ports", '<image href="img/ship.png" x="5" y="15" width="45" height="20" fit="stretch"/>'),
                      ("ports", 'transform="rotate(180 52 70)">upside<'),
                      ("ports", "{% if card.id in kind.designs[0:1] | map(attribute='id') | list %}<textbox x=\"45\" y=\"80.423\"")),
    "cardmaker-guild": (("members", 'fill="#aa3333ff"/>'),
                        ("members", 'stroke="ink" stroke-width="0.339" paint-order="stroke">{{ card.rank }}</textbox>'),
                        ("members", "'images/faction_' ~ card.faction ~ '.png'"),
                        ("members", '<rect x="2.54" y="3.387" width="57.912" height="8.467" rx="1.693" fill="#e8d8b0ff"/>')),
    "cardmaker-ships": (("ships", 'font-size="13.44pt"'), ("ships", '{{ card.speed }} kn</textbox>'),
                        ("ships", 'transform="rotate(-10 74.93 56.515)">Fleet<')),
    "nandeck-market": (("goods", '<rect x="4" y="4" width="43" height="9" fill="#e2c48d" stroke="#7a4b2f" stroke-width="0.5"/>'),
                       ("goods", '<rect x="{{ -bleed }}" y="{{ -bleed }}"'),
                       ("goods", 'x="6.3" y="14.96" width="50.4" height="33.44" fit="contain"'),
                       ("goods", '>Made in Gullhaven</textbox>'),
                       ("goods", "&#10;Worth {{ card.price }} coins.</textbox>")),
    "nandeck-numbers": (("numbers", 'x="36.5" y="61.317" width="11" height="10.866"'), ("numbers", "fill=\"{{ card.colour or 'ink' }}\""),
                        ("numbers", '<rect x="12" y="12" width="26" height="51" fill="none" stroke="#888888" stroke-width="0.3"/>')),
}  # fmt: skip


@pytest.mark.parametrize("sample", LEFT)
def test_a_layout_becomes_the_template(room: Path, pnp: Pnp, sample: str) -> None:
    """Everything is at its place, the project builds at once, and each thing left is told once with its line."""
    pnp("import", str(SAMPLES / sample), "made", code=0)
    told = (room / "made/IMPORT.md").read_text("utf-8").split("# What did not\n\n")[1].splitlines()

    assert sorted(told, key=line_of) == [f"- {line}" for line in LEFT[sample]]
    for kind, drawn in DRAWN[sample]:
        assert drawn in (room / f"made/templates/made/{kind}.svg").read_text("utf-8"), drawn
    built = pnp("build", "--project", "made")
    assert (built.code, "failed:" in built.err) == (0, False), built.err


def line_of(told: str) -> tuple[int, str]:
    found = re.search(r":(\d+):", told)
    return int(found[1]) if found else 0, told


def read(program: Program, files: dict[str, str], *, table: str = "name,art\nFox,a.png\n") -> FoundProject:
    """What is read of a project, before anything is written."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in {"deck.csv": table, **files}.items():
            archive.writestr(name, text)
    found = FoundProject(program.name)
    program.reads(ArchiveFiles(out.getvalue(), "source"), found)
    return found


def items(found: FoundProject) -> tuple[LaidItem, ...]:
    assert not found.problems
    assert found.decks[0].layout is not None
    return found.decks[0].layout.items


def squib(
    commands: str, layout: str = "", head: str = "width: '63mm', height: '88mm', layout: 'l.yml'"
) -> dict[str, str]:
    return {
        "deck.rb": f"data = Squib.csv file: 'deck.csv'\nSquib::Deck.new({head}) do\n{commands}\nend\n",
        "l.yml": layout,
    }


def nandeck(commands: str) -> dict[str, str]:
    return {"deck.txt": f"CARDSIZE=6, 9\nLINK=deck.csv\n{commands}\n"}


def cardmaker(elements: str, dpi: int = 300) -> dict[str, str]:
    head = f"<Project>\n<Layout Name='a' width='744' height='1039' dpi='{dpi}'><Reference RelativePath='deck.csv'/>"
    return {"deck.cmp": f"{head}\n{elements}\n</Layout></Project>"}


UNITS = {"": 25.4 / 300, "px": 25.4 / 300, "mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72, "c": 37.5 * 25.4 / 300}
NUMBERS = st.decimals(0, 60, places=2)


@given(NUMBERS, st.sampled_from(sorted(UNITS)), NUMBERS, st.sampled_from("+-"))
def test_places_of_squib_are_where_they_were(x: float, unit: str, by: float, sign: str) -> None:
    """In each unit, and after a change of what a place inherits."""
    layout = f"a:\n  x: {x}{unit}\nb:\n  extends: a\n  x: {sign}= {by}mm\n  y: {x}{unit}\n"
    found = items(read(SQUIB, squib(" rect layout: :a\n rect layout: 'b', width: 9, height: 9", layout)))
    old = float(x) * UNITS[unit]

    assert found[0].box.x == pytest.approx(old, abs=1e-3)
    assert found[1].box.x == pytest.approx(old + float(f"{sign}{by}"), abs=1e-3)
    assert found[1].box.y == pytest.approx(old, abs=1e-3)


@given(NUMBERS, NUMBERS, st.integers(-100, 100), st.integers(-100, 100))
def test_places_of_nandeck_are_where_they_were(x: float, y: float, across: int, down: int) -> None:
    """In centimetres and per cent, also leftwards and upwards."""
    (item,) = items(read(NANDECK, nandeck(f"RECTANGLE=1-{{(name)}},{x}%,{y},{across}%,{down}%,#FF0000")))

    assert item.box.x == pytest.approx(float(x) * 0.6 + min(across * 0.6, 0), abs=1e-6)
    assert item.box.y == pytest.approx(float(y) * 10 + min(down * 0.9, 0), abs=1e-6)
    assert (item.box.width, item.box.height) == pytest.approx((abs(across) * 0.6, abs(down) * 0.9))


@given(st.integers(-500, 2000), st.integers(1, 2000), st.sampled_from((72, 100, 300, 600)))
def test_places_of_cardmaker_are_where_they_were(x: int, width: int, dpi: int) -> None:
    """In pixels of the layout. Type is in points of a screen with 96 dots per inch."""
    element = f"<Element type='Text' x='{x}' width='{width}' variable='@[name]!' font='Georgia;12;1;0;1;0'/>"
    (item,) = items(read(CARDMAKER, cardmaker(element, dpi)))

    assert (item.box.x, item.box.width) == pytest.approx((x * 25.4 / dpi, width * 25.4 / dpi))
    assert (item.points, item.bold, item.italic) == (pytest.approx(12 * 96 / dpi), True, True)
    assert item.parts == (HeadedColumn("name"), "!")


def test_words_of_squib_measure_the_card() -> None:
    """`middle` and `deck` follow the side with its bleed; the bleed is cut off."""
    commands = " rect x: 'middle', y: 'deck - 1cm', width: 'deck / 3', height: :center\n cut_zone trim: '3mm'"
    (item,) = items(read(SQUIB, squib(commands)))

    assert (item.box.x, item.box.y) == pytest.approx((31.5 - 3, 88 - 10 - 3))
    assert (item.box.width, item.box.height) == pytest.approx((21, 44))


def test_a_place_inherits_from_several_and_from_earlier_files() -> None:
    """The later parent wins; a later file replaces places; merge keys and tags of Ruby are read."""
    commands = " text str: 'a', layout: :c\n text str: 'b', layout: :d"
    first = "a: &a\n  x: 1mm\n  font: Georgia Bold 9\nb:\n  x: 2mm\n  y: 3mm\nc:\n  extends: [a, b]\n  align: !ruby/symbol center\n"
    files = squib(commands, first, "width: '63mm', height: '88mm', layout: %w(l.yml m.yml)")
    one, two = items(read(SQUIB, {**files, "m.yml": "z: &z\n  y: 7mm\nd:\n  <<: *z\n  extends: c\n  x: '*= 2'\n"}))

    assert (one.box.x, one.box.y, one.align, one.family, one.bold, one.points) == (2, 3, "center", "Georgia", True, 9)
    assert (two.box.x, two.box.y, two.family) == (pytest.approx(4), 3, "Georgia")


PROBLEMS = {
    "squib": (
        squib(
            " text str: 'x', layout: :a",
            "a:\n  x: 12 parsec\n  y: += 4\nb:\n  extends: c\nc:\n  extends: b\nd:\n  extends: aa\n  width: /= 0\n"
            "e:\n  x: 5\nf:\n  extends: e\n  x: += wide\n",
        ),
        """\
l.yml:2:6: `x` is '12 parsec', which is not a number or length; write it as 75, 6mm or 0.25in
l.yml:3:6: `y` is '+= 4', but there is no such number above it; write the number itself
l.yml:7:12: 'b', 'c' extend each other in a circle; take one `extends` out
l.yml:9:12: 'd' extends 'aa', which does not exist; did you mean 'a'?
l.yml:10:10: `width` is '/= 0', but there is no such number above it; write the number itself
l.yml:15:6: `x` is '+= wide', but that is no number or length; write the number itself""",
    ),
    "squib's YAML": (
        squib(" text str: 'x', layout: :a", "a:\n  x: 1\n x: 2\n"),
        "l.yml:3:2: wrong indentation: 1 space, but the lines above have 2; begin this line with 2 spaces",
    ),
    "nandeck": (
        nandeck(
            'TEXT=1,"Fox,0,0,6,1\n FONT=Arial,big\nTEXT=1,[name],<title>\nTEXT=1,[name],a,0\n'
            "RECTANGLE=1,0,0,6\nTEXTFONT=1,x,0,0,1,1,,,,,Arial,0"
        ),
        """\
deck.txt:3:1: a quotation mark is never closed; write one at the end of the text
deck.txt:4:2: `FONT`: the size 'big' is no number of points; write a number such as 12
deck.txt:5:1: the frame <title> is not there; write <title>=x, y, width, height above
deck.txt:6:1: `TEXT` has no height; write x, y, width and height, or a frame
deck.txt:6:1: `TEXT` has no width; write x, y, width and height, or a frame
deck.txt:6:1: `TEXT`: the x 'a' is no number; write a number, or one with %
deck.txt:7:1: `RECTANGLE` has no height; write x, y, width and height, or a frame
deck.txt:8:1: `TEXTFONT`: the size '0' is no number of points; write a number such as 12""",
    ),
    "cardmaker": (
        cardmaker("<Element name='Title' type='Text' x='1.5' y='top'/>\n  <Element type='Shape' width='' variable='#rect;0;-;-#'/>"),
        """\
deck.cmp:3:1: `x` of the element 'Title' is '1.5', which is no whole number; write a number of pixels
deck.cmp:3:1: `y` of the element 'Title' is 'top', which is no whole number; write a number of pixels
deck.cmp:4:3: `width` of the element 'Shape' is '', which is no whole number; write a number of pixels""",
    ),
    "cardmaker's XML": (
        {"deck.cmp": "<Project>\n<Layout></Project>"},
        "deck.cmp:2:11: the project is not well-formed XML: mismatched tag; save it again",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PROBLEMS)
def test_bad_layouts_are_told_at_once(room: Path, pnp: Pnp, name: str) -> None:
    """Each problem with line, column and what to do; nothing is written."""
    files, said = PROBLEMS[name]
    write(room / "bad", {**files, "deck.csv": "name,art\nFox,a.png\n"})
    ran = pnp("import", "bad", "made")

    told = ran.err.splitlines()
    assert (ran.code, [one for one in told if ":" in one]) == (1, said.splitlines())
    assert not (room / "made").exists()


def test_a_long_chain_of_places_is_told() -> None:
    places = "".join(f"p{n}:\n  extends: p{n + 1}\n" for n in range(42))
    found = read(SQUIB, squib(" text str: 'x', layout: :p0", places + "p42:\n  x: 1\n"))
    assert list(map(str, found.problems)) == [
        "l.yml:82:12: 'p40' is the end of a chain of more than 40 places; extend one of the first ones"
    ]


LOOPS = {
    "commands": (SQUIB, squib(" text str: (((\n" * 60_000)),
    "quotes": (SQUIB, squib(" text str: '" + "\\'" * 500_000)),
    "a family tree": (SQUIB, squib("", "".join(f"{a}{n}:\n  extends: [a{n + 1}, b{n + 1}]\n" for n in range(38) for a in "ab") + "a38:\n  x: 1\nb38:\n  x: 1\n")),
    "decks": (SQUIB, squib("end\nSquib::Deck.new(layout: 'l.yml') do\n" * 500, "".join(f"p{n}:\n  x: 1\n" for n in range(3000)))),
    "labels": (NANDECK, nandeck("[a]=" + "[a][a]" * 3000 + "\n" + ("TEXT=1," + "[a]" * 3000 + ",1,1,2,2\n") * 2000)),
    "ranges": (NANDECK, nandeck("TEXT=[x],a,1,1,2,2\n" * 60_000)),
    "commas": (NANDECK, nandeck("TEXT=1,a,1,1,2,2" + "," * 1_000_000)),
    "columns": (CARDMAKER, cardmaker("<Element type='FormattedText' variable='" + "@[x" * 500_000 + "&lt;a=" * 300_000 + "'/>")),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOPS)
def test_layouts_without_end_are_read_in_no_time(name: str) -> None:
    """A layout has at most 200 items. More are told once, and what is computed is told at most for so many."""
    program, files = LOOPS[name]
    assert len(read(program, files).unread) < 210


SECRET = {
    "squib": (squib(" png file: '../secret.png', x: 0\n png file: '/etc/secret.png', x: 0", ""), "deck.rb:3: the picture '../secret.png'"),
    "nandeck": (nandeck('IMAGE=1,"..\\secret.png",0,0,1,1'), "deck.txt:3: the picture '..\\secret.png'"),
    "cardmaker": (cardmaker("<Element type='Graphic' variable='../secret.png'/>"), "deck.cmp:3: the picture '../secret.png'"),
    "with a column": (cardmaker("<Element type='Graphic' variable='../@[name].png'/>"), "deck.cmp:3: no picture matches"),
}  # fmt: skip


@pytest.mark.parametrize("name", SECRET)
def test_pictures_outside_stay_outside(room: Path, name: str) -> None:
    files, told = SECRET[name]
    write(room, {"secret.png": b"\x89PNG"})
    write(room / "bad", {**files, "deck.csv": "name,art\nsecret,x\n"})
    made = import_project(room, Path("bad"), "made")

    assert [one for one in map(str, made.unread) if one.startswith(told)]
    assert "secret" not in (room / "made/templates/made/deck.svg").read_text("utf-8")
    assert not [path for path in made.files if path.name == "secret.png"]


def test_entities_in_a_project_are_refused() -> None:
    bomb = "<!DOCTYPE a [<!ENTITY b 'c'>]><Project><Layout Name='&b;'/></Project>"
    with pytest.raises(ProblemsFound) as stopped:
        read(CARDMAKER, {"deck.cmp": bomb})
    assert str(stopped.value) == "deck.cmp: the project declares a document type; take the line out"


def test_texts_of_a_layout_are_no_code(room: Path, pnp: Pnp) -> None:
    """Words of a layout are shown as they are; those of fonts and colours reach no other place."""
    odd = "{{ 1/0 }} {% x %} *a* </textbox> & {icon}"
    font = 'x:\\n  evil: {en: 1}\\" /> 12'
    write(room / "odd", {**squib(f" text str: '{odd}', x: 0, width: '60mm', font: \"{font}\"\n text str: data['name']"),
                         "deck.csv": "name,art\n{{ 1/0 }},</textbox>\n"})  # fmt: skip
    assert pnp("import", "odd", "made").code == 0
    game = game_of(room / "made")
    face = next(
        iter(
            Workshop(game, find_project(room / "made").resources).draw_all(game.kinds["deck"].designs, ("en",)).values()
        )
    )
    assert face is not None
    shown = "".join("".join(item.clusters) for item in face.items if isinstance(item, TextRun)).replace(" ", "")

    assert odd.replace(" ", "") in shown
    assert list(game.fonts) == ["body", "title", "x-evil-en-1", "arial"]


def test_what_does_not_fit_is_left_out_and_told(room: Path, pnp: Pnp) -> None:
    """Texts shrink to 4 pt; what does not fit then is left out, with its line in the source. All else stays."""
    commands = "TEXT=1,[name],0,0,6,1\nTEXT=1,[rule],1,1,0.4,0.5\nTEXT=1,[name],1,5,4,1,left"
    write(room / "src", {**nandeck(commands), "deck.csv": f"name,rule\nFox,{'Endless words ' * 9}\n"})
    ran = pnp("import", "src", "made")
    template = (room / "made/templates/made/deck.svg").read_text("utf-8").splitlines()

    assert re.search(
        r"^deck\.txt:4: left out of the template: text of deck/fox .*does not fit its box", ran.err, re.MULTILINE
    )
    assert template[3] == "{# nothing: line 4 of deck.txt #}"
    assert 'min-size="4pt"' in template[2] and "card.name" in template[4]
    assert pnp("build", "--project", "made").code == 0


def test_line_breaks_in_cells_are_no_missing_signs(room: Path, pnp: Pnp) -> None:
    write(room / "src", {"cards.csv": 'name,text\nFox,"a\nb"\n'})
    assert "no bundled font" not in pnp("import", "src", "made").err


COLOURS = {
    "#FF8800": "#ff8800", "0xFF8800FF": "#ff8800ff", "#f80": "#f80", ":dark_red": "ink", "black": "ink", "0x00000000": "none",
    "dark_red": "darkred", "#ffff88880000": "#ff8800", "#FF0000#00FF00@90": "#ff0000", "EMPTY": "none", "": "none", "mauvish": "ink",
}  # fmt: skip


@pytest.mark.parametrize("text", COLOURS)
def test_colours_keep_their_look(text: str) -> None:
    told = list[str]()
    assert read_colour(text, told.append) == COLOURS[text]
    assert bool(told) == (text in ("#FF0000#00FF00@90", "mauvish", ":dark_red"))


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("Trajan Pro", "Cinzel"),
        ("Times New Roman", "EB Garamond"),
        ("Microsoft Sans Serif", "Source Sans 3"),
        ("", "Source Sans 3"),
    ],
)
def test_fonts_have_a_bundled_companion(name: str, called: str) -> None:
    found, cuts = find_bundled_font(name, "ja")
    files = " ".join(cuts)
    assert found == called
    assert "BIZUD" in files and "NotoEmoji" in files
