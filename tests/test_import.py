"""`pnp import` makes a project that prints at once, tells what could not come over, and takes careless or hostile input."""

import csv
import io
import random
import zipfile
from pathlib import Path

import pytest
from conftest import Pnp
from import_cases import game_of, write
from PIL import Image

from generator.base.display_list import TextRun
from generator.base.errors import ProblemsFound
from generator.drawing.faces.game_drawing import Workshop
from generator.exchange.foreign_project import list_importers
from generator.exchange.import_project import import_project
from generator.game.project import find_project


def picture(colour: str = "red", form: str = "PNG") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (40, 30), colour).save(out, form)
    return out.getvalue()


SQUIB: dict[str, str | bytes] = {
    "deck.rb": """require 'squib'

data = Squib.csv file: 'data/animals.csv'
Squib::Deck.new(cards: data['name'].size, width: '2.75in', height: '3.75in', layout: 'layout.yml') do
  background color: :white
  png file: data['art'], layout: :art
  text str: data['name'], layout: :name
  text str: data['rule'], layout: :rule
  system('touch executed')
  save_pdf trim: '0.125in'
end

Squib::Deck.new(width: 600, height: 600, dpi: 300) do
  chits = csv file: 'data/chits.csv'
  text str: chits['Name']
end
""",
    "layout.yml": "name:\n  x: 10\n  y: 20\nrule:\n  extends: name\n",
    "data/animals.csv": "name,art,rule,qty,Cost (Gold)\n"
    'Fox,fox.png,"Take {one} * two",2,3\nOwl,owl.png,"Look at a card 💡न",1,\nHare,fox.png,Run,,4\n',
    "data/chits.csv": "Name,Value\nStone,1\nWood,2\n",
    "data/other.csv": "a,b\n1,2\n",
    "img/fox.png": picture(),
    "img/owl.png": picture("blue"),
    "fonts/own.ttf": b"no font",
}


def test_a_squib_deck_comes_over(room: Path, pnp: Pnp) -> None:
    write(room / "forest", SQUIB)
    pnp("import", "forest", "fox-deck", code=0)
    game = game_of(room / "fox-deck")
    animals, chits = game.kinds["animals"], game.kinds["chits"]

    assert not (room / "executed").exists() and not (room / "forest/executed").exists(), "nothing of it is run"
    assert (animals.size.width, animals.size.height) == (63.5, 88.9)
    assert (chits.size.width, chits.size.height) == (50.8, 50.8)
    assert [(design.id, design.count) for design in animals.designs] == [
        ("animals/fox", 2), ("animals/owl", 1), ("animals/hare", 1),
    ]  # fmt: skip
    assert {name: spec.type for name, spec in animals.fields.items()} == {
        "name": "text", "art": "picture", "rule": "text", "cost_gold": "integer",
    }  # fmt: skip
    assert animals.designs[0].fields["art"] == "img/fox.png"
    table = room / "fox-deck/data/fox-deck/animals.csv"
    assert table.read_bytes() == (room / "forest/data/animals.csv").read_bytes(), "tables stay as they are"
    assert pnp("build", "--project", "fox-deck").code == 0
    assert pnp("schema", "--check", "--project", "fox-deck").code == 0


def test_sheets_of_a_workbook_are_found_by_number(room: Path) -> None:
    """Squib counts sheets from 0; what stands in a comment is not read."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "Heroes"
    for row in (["name", "power"], ["Fox", 3]):
        book.active.append(row)
    for row in (["name", "cost"], ["Spark & Co", 1], ["Flood", 2]):
        (book["Spells"] if "Spells" in book.sheetnames else book.create_sheet("Spells")).append(row)
    out = io.BytesIO()
    book.save(out)
    script = """require 'squib'
data = Squib.xlsx file: 'book.xlsx', sheet: 1
# more = Squib.xlsx file: 'other.xlsx'
Squib::Deck.new(cards: 2, width: '50mm', height: '70mm') do
  text str: data['name']
end
"""
    write(room / "books", {"deck.rb": script, "book.xlsx": out.getvalue()})
    made = import_project(room, Path("books"), "made")
    spells = game_of(room / "made").kinds["spells"]

    assert [design.id for design in spells.designs] == ["spells/spark-co", "spells/flood"]
    assert (spells.size.width, spells.size.height) == (50.0, 70.0)
    assert not [one for one in made.unread if "other.xlsx" in one]


def test_what_does_not_come_over_is_told_once(room: Path, pnp: Pnp) -> None:
    """With file and line, on the screen and in IMPORT.md: commands, layouts, fonts, tables without a deck, signs."""
    write(room / "forest", SQUIB)
    ran = pnp("import", "forest", "fox-deck")
    told = (room / "fox-deck/IMPORT.md").read_text("utf-8")

    for line in (
        "deck.rb:6: `png`: no available layout has the place 'art'",
        "deck.rb:7: the font 'Arial' is Source Sans 3 now; put its files into fonts/ and name them under `arial:` in "
        "look.yaml",
        "data/other.csv: a table that no script reads by its name",
        "fonts/own.ttf: a font; copy it to fonts/ and name it in look.yaml if its licence allows",
        "texts: no bundled font has 'न' (U+0928): cards show a crossed box in their place; add a font that has them to "
        "look.yaml, then remove them from `emoji:` in components.yaml",
    ):
        assert told.count(line) == ran.err.count(line) == 1, line


def test_a_nandeck_script_comes_over(room: Path, pnp: Pnp) -> None:
    """Lists of values become a table; linked tables stay, with the column of their copies and the size in its unit."""
    script = """; two decks
UNIT=MM
CARDSIZE=56, 87
[name]="Fox"|"Owl"|"Hare"
[sign]=A|B
[all]=1-{(name)}
FONT=Arial, 20, B, #000000
TEXT=1-{(name)}, [name], 0, 0, 100%, 20%, center
"""
    linked = 'CARDSIZE = 6, 9\nLINK = "spells.csv"\nLINKMULTI = How many\nTEXT = "1-3", [Spell], 0, 0, 6, 2\n'
    spells = "Spell;How many;Text\nFire;2;Burn\nIce;1;Freeze\n"
    write(room / "nan", {"deck.txt": script, "linked.txt": linked, "spells.csv": spells})
    ran = pnp("import", "nan", "two-decks", code=0)
    game = game_of(room / "two-decks")

    assert [(one.id, one.fields["sign"]) for one in game.kinds["deck"].designs] == [
        ("deck/fox", "A"), ("deck/owl", "B"), ("deck/hare", "A"),
    ]  # fmt: skip
    assert game.kinds["deck"].size.width == 56.0
    assert [(one.id, one.count) for one in game.kinds["spells"].designs] == [("spells/fire", 2), ("spells/ice", 1)]
    assert game.kinds["spells"].size.height == 90.0
    assert "deck.txt:8: the font 'Arial' is Source Sans 3 now" in ran.err
    assert pnp("build", "--project", "two-decks").code == 0


def test_a_cardmaker_project_comes_over(room: Path, pnp: Pnp) -> None:
    """Sizes from pixels and dots an inch, copies from the first column whatever it is called, pictures by their paths."""
    project = """<?xml version="1.0" encoding="utf-16"?>
<Project>
  <Layout Name="Heroes" width="900" height="600" dpi="300">
    <Element type="Text" name="Title" variable="@[Title]" />
    <Element type="Graphic" name="Art" variable="@[Image]" />
    <Reference RelativePath="heroes.csv" Default="true" />
    <Reference RelativePath="lost.csv" Default="false" />
  </Layout>
</Project>
"""
    heroes = "Times,Title,Image\n3,Fox,pics\\fox.png\n,Owl,pics\\gone.png\n"
    write(room / "cm", {"heroes.cmp": project, "heroes.csv": heroes, "pics/fox.png": picture()})
    ran = pnp("import", "cm", "heroes", code=0)
    game = game_of(room / "heroes")

    assert (game.kinds["heroes"].size.width, game.kinds["heroes"].size.height) == (76.2, 50.8)
    assert [(one.id, one.count) for one in game.kinds["heroes"].designs] == [("heroes/fox", 3), ("heroes/owl", 1)]
    assert "heroes.cmp:4: the type of 3.84 pt is 4 pt now, which people can read" in ran.err
    assert "heroes.cmp:7: the layout 'Heroes' refers to the table 'lost.csv', which does not exist" in ran.err
    assert "heroes.csv: column 'Image': 1 pictures are not there: 'pics\\gone.png'" in ran.err
    assert game.sections["words"]["files"] == {"pics\\\\fox.png": "pics/fox.png"}, "an escaped \\"
    assert pnp("build", "--project", "heroes").code == 0


SET = Path(__file__).with_name("magic_set.txt").read_text("utf-8")


def test_a_magic_set_comes_over(room: Path, pnp: Pnp) -> None:
    """From the archive or unpacked: each card with its fields, bold and italic, its picture, whatever that is called."""
    with zipfile.ZipFile(room / "wood.mse-set", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("set", "\ufeff" + SET)
        archive.writestr("image1", picture(form="JPEG"))
    write(room / "unpacked", {"set": SET, "image1": picture(form="JPEG")})

    for source, name in (("wood.mse-set", "wood"), ("unpacked", "wood-2")):
        ran = pnp("import", source, name, code=0)
        kind = game_of(room / name).kinds["northern_wood"]
        assert [one.id for one in kind.designs] == ["northern_wood/fox", "northern_wood/owl"]
        assert kind.designs[0].fields["image"] == "pictures/image1.jpg"
        assert kind.designs[0].fields["rule_text"] == "Quick, take \\*one\\*.\n*Nobody saw her.*"
        assert kind.designs[1].fields["rule_text"] == "Look. (2)"
        assert "set:1: `<nospellcheck>` in texts" in ran.err
        assert "set:3: `stylesheet`" in ran.err
        assert pnp("build", "--project", name).code == 0


def test_a_folder_of_tables_comes_over(room: Path, pnp: Pnp) -> None:
    write(
        room / "Own Deck",
        {
            "cards.csv": "name,quantity,Front,Art File,items\nFox,2,yes,fox,1\nOwl,1,no,owl,2\n",
            "札.csv": "名前;点\n凧;1\n独楽;2\n".encode("cp932"),
            "broken.csv": "a,b\n1,2,3\n",
            "pics/fox.png": picture(),
            "pics/owl.png": picture(),
        },
    )
    ran = pnp("import", "Own Deck", code=0)
    game = game_of(room / "own-deck")

    assert list(game.languages) == ["ja"]
    assert [(one.id, one.count) for one in game.kinds["cards"].designs] == [("cards/fox", 2), ("cards/owl", 1)]
    assert list(game.kinds["cards"].fields) == ["name", "front_text", "art_file", "items_text"]
    assert game.kinds["cards"].designs[1].fields["art_file"] == "pics/owl.png"
    assert len(game.kinds) == 2
    assert "broken.csv:2: the table could not be imported: row 2: the row has 3 cells, but the header has 2" in ran.err
    assert pnp("build", "--project", "own-deck").code == 0


@pytest.mark.slow
def test_every_text_finds_room(room: Path, pnp: Pnp) -> None:
    long, endless = "A fox runs through the wood. " * 40, "And on and on. " * 900
    write(room / "long", {"cards.csv": f"name,text,story\nFox,{long},x\nOwl,short,{endless}\n"})
    ran = pnp("import", "long", "long-deck", code=0)
    assert "cards.csv:1: the column 'story' is too long for the card" in ran.err
    assert game_of(room / "long-deck").kinds["cards"].designs[1].fields["story"] == endless
    assert pnp("sheets", "--project", "long-deck").code == 0


def test_import_keeps_every_character(room: Path, pnp: Pnp) -> None:
    """Emoji and other scripts come with a bundled font; what no font has shows as an icon, in texts and headings."""
    text = "Pay 💰 {one} * two ♠ 字 👩\u200d👧 ❤️ שלום न {{ x }} {% y %} \\"
    write(room / "odd", {"cards.csv": f'name,💰,rule,true,,\nFox न,3,"{text}",1,no name,\n'})
    ran = pnp("import", "odd", "odd-deck", code=0)
    game = game_of(room / "odd-deck")
    faces = Workshop(game, find_project(room / "odd-deck").resources).draw_all(game.kinds["cards"].designs, ("en",))
    shown = "".join(
        "".join(item.clusters) for face in faces.values() if face for item in face.items if isinstance(item, TextRun)
    )

    assert game.icons["no_glyph"].emoji == ("न",)
    assert not set("💰{*♠字👩❤ש%\\") - set(shown)
    assert "cards.csv:1: a column has no name" in ran.err
    assert pnp("build", "--strict", "--project", "odd-deck").code == 0


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=pytest.mark.slow if seed > 1 else ()) for seed in range(60)])
def test_imported_decks_build(room: Path, pnp: Pnp, seed: int) -> None:
    """Whatever stands in a table: markup, braces, escapes, other scripts, endless words, names of other things."""
    chance = random.Random(seed)
    columns = chance.sample(ODD_HEADINGS, chance.randint(1, 8))
    rows = [
        ["".join(chance.choices(ODD_TEXTS, k=chance.choice((0, 1, 1, 2, 4)))) for _ in columns]
        for _ in range(chance.randint(1, 9))
    ]
    out = io.StringIO(newline="")
    csv.writer(out).writerows([["name", *columns], *(["Fox", *row] for row in rows)])
    write(room / "odd", {"deck.csv": out.getvalue(), "p.png": picture(), "bad.png": picture()[:40], "null.svg": "<svg"})

    assert pnp("import", "odd", "odd-deck").code == 0
    ran = pnp("build", "--project", "odd-deck")
    assert (ran.code, "failed" in ran.err) == (0, False), ran.err


ODD_HEADINGS = (
    *("title", "qty", "items", "self", "loop", "class", "if", "art", "絵", "💰", "Cost (Gold)", "a:b", "'q'", "{{h}}"),
    *("{x}", "**h**", "#", "&", "<h>", "true", "null", "yes", "1.5", "size", "values", "__class__", "-", "count"),
)
ODD_TEXTS = (
    *("Fox ", "{{ x }}", "{% if %}", "{#", "**b**", "{icon}", "\\", "<b>", "&amp;", "&", "]]>", "<!--", "💰", "字", "नम"),
    *("\u202e", "\u200b", "\t", "'", '"', "# x", ": ", "- ", "@", "1984", "1e999", "x" * 300, "word " * 80, "a\nb"),
    *("\x0b", "{", "}", "p.png", "bad.png", "null.svg", "../x.png", "C:\\x.png", "ﷺ", "e\u0301", "\ufeff", "\ue000"),
)  # fmt: skip


def test_what_is_no_project_is_told(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line each: nothing there, no such thing, bombs, links and paths that lead out, entities."""
    monkeypatch.setattr("generator.exchange.foreign_project.MOST_UNPACKED", 8 << 20)
    with zipfile.ZipFile(room / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("cards.csv", b"0" * (1 << 20))
        for number in range(8):
            archive.writestr(f"{number}.png", b"0" * (1 << 20))
    (room / "no.zip").write_bytes(b"PK no archive")
    write(room / "empty", {"readme.md": "nothing"})
    write(room / "laughs", {"x.cmp": '<!DOCTYPE a [<!ENTITY b "c">]><Project>&b;</Project>'})
    write(room / "out", {"deck.rb": "Squib::Deck.new do\n csv file: '../secret.csv'\nend\n", "a.txt": ""})
    write(room, {"secret.csv": "name,x\nSecret,1\n"})
    wanted = {
        "bomb.zip": "the archive has more than 20,000 files or 8 MB",
        "no.zip": "the file is not a readable zip archive (File is not a zip file)",
        "empty": "there are no tables and no files of a supported program",
        "gone": "the folder or file does not exist",
        "laughs": "the project declares a document type",
        "out": "there are no cards in it: deck.rb:2: there is no table '../secret.csv'",
        "secret.csv": "a project is a folder, a .zip or an .mse-set",
    }

    for source, what in wanted.items():
        with pytest.raises(ProblemsFound) as stopped:
            import_project(room, Path(source), "made")
        assert [problem.what for problem in stopped.value.problems] == [what]
        assert not (room / "made").exists()


def test_links_out_of_the_folder_stay_out(room: Path) -> None:
    write(room, {"secret.csv": "name,x\nSecret,1\n", "secret.png": picture()})
    write(room / "linked", {"own.csv": "name,y\nFox,1\n"})
    (room / "linked/cards.csv").symlink_to(room / "secret.csv")
    (room / "linked/art.png").symlink_to(room / "secret.png")
    made = import_project(room, Path("linked"), "made")
    assert sorted(one.partition(":")[0] for one in made.unread) == ["art.png", "cards.csv"]
    assert not [path for path in made.files if path.name in ("cards.csv", "art.png")]


def test_the_option_knows_every_program(pnp: Pnp) -> None:
    """`--as` offers exactly the programs that are read."""
    from generator.exchange.import_project import import_

    offered = next(one for one in import_.params if one.name == "program")
    assert [*offered.type.choices] == [*list_importers()]  # type: ignore[attr-defined]
    assert pnp("import", "x", "--as", "indesign").code == 2


ODD_NUMBERS = {
    "a Squib width": ({"deck.rb": "Squib::Deck.new(width: 1.2.3) do\n csv file: 'deck.csv'\nend\n"}, "deck.rb:1: the size", 63.0),
    "a Squib trim": ({"deck.rb": "Squib::Deck.new do\n csv file: 'deck.csv'\n save_pdf trim: '1..2mm'\nend\n"}, "deck.rb:1: the size", 63.0),
    "a Squib config": (
        {"deck.rb": "Squib::Deck.new do\n csv file: 'deck.csv'\nend\n", "config.yml": "# x\ndpi: ...\n"},
        "config.yml:2: `dpi` is not a number above zero: 300 is used", 63.5,
    ),
    "a nanDECK size": ({"deck.txt": "CARDSIZE=6.3.3,8\nLINK=deck.csv\n"}, "deck.txt:1: the size of the cards", 60.0),
    "an endless nanDECK size": ({"deck.txt": "LINK=deck.csv\nCARDSIZE=1e999,nan\n"}, "deck.txt:2: the size of the cards", 60.0),
    "Arabic digits": ({"deck.txt": "CARDSIZE=\u0661\u0662,8\nLINK=deck.csv\n"}, "deck.txt:1: the size of the cards", 60.0),
    "a CardMaker width": (
        {"a.cmp": "<Project><Layout Name='a' width='1_000' height='inf'><Reference RelativePath='deck.csv'/></Layout></Project>"},
        "a.cmp:1: the size of the cards is not one that cards can have, so they are 63 x 88 mm now; write `size:` in", 63.0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ODD_NUMBERS)
def test_numbers_that_are_none_are_reported(room: Path, name: str) -> None:
    files, said, width = ODD_NUMBERS[name]
    write(room / "odd", {**files, "deck.csv": "title,x\nFox,1\n"})
    made = import_project(room, Path("odd"), "made")
    assert [one for one in made.unread if one.startswith(said)], made.unread
    assert game_of(room / "made").kinds["deck"].size.width == width


LOOPS = {
    "tables on one line": ("deck.rb", "Squib::Deck.new do\n" + "csv " * 200_000 + "\n csv file: 'deck.csv'\nend\n"),
    "commands": ("deck.rb", "Squib::Deck.new do\n csv file: 'deck.csv'\n" + "rect x: 1\n" * 50_000 + "end\n"),
    "empty lines": ("deck.rb", "Squib::Deck.new do\n csv file: 'deck.csv'\n" + "\n" * 200_000 + "end\n"),
    "links": ("deck.txt", "CARDSIZE=6,9\n" + "LINK=deck.csv\n" * 20_000),
    "spaces": ("deck.txt", "CARDSIZE=6,9\nLINK=deck.csv\n[a]=" + " " * 200_000 + "x\n"),
    "elements": (
        "a.cmp",
        "<Project><Layout Name='a' width='900' height='600'><Reference RelativePath='deck.csv'/>"
        + "<Element name='a'/>\n" * 50_000 + "</Layout></Project>",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LOOPS)
def test_what_is_repeated_without_end_is_read_once(room: Path, name: str) -> None:
    file, text = LOOPS[name]
    write(room / "long", {file: text, "deck.csv": "title,x\nFox,1\n"})
    made = import_project(room, Path("long"), "made")
    assert list(game_of(room / "made").kinds) == ["deck"]
    assert len(made.unread) == len(set(made.unread))


@pytest.mark.slow
def test_bounds_of_an_import_name_the_limit(room: Path) -> None:
    wide = ",".join(f"h{number}" for number in range(60)) + "\n" + ",".join("x" * 60) + "\n"
    rows = "name,x\n" + "".join(f"Card {number},1\n" for number in range(20_001))
    write(room / "many", {f"t{number:03}.csv": "name,x\nFox,1\n" for number in range(202)})
    write(room / "large", {"a.csv": wide, "b.csv": rows, "c.csv": ",".join("h" * 800) + "\n" + "x\n"})
    many, large = import_project(room, Path("many"), "made"), import_project(room, Path("large"), "large-deck")
    assert [one.partition(":")[0] for one in many.unread] == ["t200.csv", "t201.csv"]
    assert "takes at most 200 tables and 64 MiB of them; import the rest as another project" in many.unread[0]
    said = "\n".join(large.unread)
    assert "a.csv:1: 20 columns are read, but not on the template yet: it shows 40 at first" in said
    assert "b.csv: the table could not be imported: an import takes at most 20,000 cards and 400,000 cells" in said
    assert (
        "c.csv:1: the table could not be imported: the row has 800 cells, and a table has at most 702 columns" in said
    )


def damaged(files: dict[str, bytes], at: int, value: bytes, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive whose list says something else of each file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    raw = bytearray(out.getvalue())
    for start in range(len(raw) - 46):
        if raw[start : start + 4] == b"PK\1\2":
            raw[start + at : start + at + len(value)] = value
    return bytes(raw)


ARCHIVES = {
    "a version of 9.9": damaged({"a.csv": b"a,b\n1,2\n"}, 6, b"\x63\0"),
    "a password": damaged({"a.csv": b"a,b\n1,2\n"}, 8, b"\1\0"),
    "an unknown method": damaged({"a.csv": b"a,b\n1,2\n"}, 10, b"\x5d\0"),
    "no lzma": damaged({"a.csv": b"a,b\n1,2\n"}, 10, b"\x0e\0"),
    "another sum": damaged({"a.csv": b"a,b\n1,2\n"}, 16, b"\0\0\0\0"),
    "elsewhere": damaged({"a.csv": b"a,b\n1,2\n"}, 42, b"\xff\xff\xff\x7f"),
    "a set that is damaged": damaged({"set": b"mse version: 1\n"}, 42, b"\1\0\0\0"),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_damaged_archives_are_reported(room: Path, name: str) -> None:
    (room / "x.zip").write_bytes(ARCHIVES[name])
    with pytest.raises(ProblemsFound, match="the file is not a readable zip archive"):
        import_project(room, Path("x.zip"), "made")
