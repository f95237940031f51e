"""`pnp export tts`: saved objects that Tabletop Simulator can load, read back by a reader of their own."""

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from conftest import Pnp
from online_games import DPI, PROJECT, SWEPT, counts, design_counts, face, workshop
from PIL import Image, ImageChops
from tests_support import TinyProject, quick
from tts_reader import Object, Save, faults, read, urls

from generator.commands.orders import carry_out
from generator.exchange.tabletop_simulator import CardSheet, Guids, ObjectLabel, TtsOrder, make_card, make_deck
from generator.game.project import find_project

SCALE_OF_A_MM = 2.2 / 63


@pytest.fixture(scope="module")
def saves(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Save]:
    """Each game's saved object in English, made once; without its rulebook."""
    out = tmp_path_factory.mktemp("tts")

    @cache
    def save(name: str) -> Save:
        carry_out(PROJECT, (name,), TtsOrder(("en",), out, dpi=DPI, rulebook=False), lambda _doing: None)
        return read(out / name / "tts" / f"{name}.en.json")

    return save


def tagged(save: Save, tag: str, name: str) -> list[Object]:
    """All objects of a kind of component that are of this kind of object."""
    return [each for each in save.everything() if each["Name"] == name and tag in each["Tags"]]


def same(one: Any, other: Any) -> bool:
    return one.size == other.size and ImageChops.difference(one, other).getbbox() is None


@pytest.mark.slow
@pytest.mark.parametrize("name", SWEPT)
def test_the_table_program_can_load_it(saves: Callable[[str], Save], name: str) -> None:
    """Decks, cards, sheets, pictures and names are what the format asks for, in every game."""
    save = saves(name)
    assert faults(save) == []
    assert not [url for url in urls(save.root) if not url.startswith("file:///")]


@pytest.mark.slow
@pytest.mark.parametrize("name", SWEPT)
def test_every_piece_of_the_box_is_there(saves: Callable[[str], Save], name: str) -> None:
    """Each kind has as many pieces as the data say, and each design as many copies."""
    copies = saves(name).copies()
    kinds: Counter[str] = Counter()
    for (kind, _), number in copies.items():
        kinds[kind] += number
    assert kinds == counts(name)
    for kind in kinds:
        assert sum(design_counts(name, kind)) == kinds[kind]
        if len({called for tag, called in copies if tag == kind}) == len(design_counts(name, kind)):
            assert sorted(n for (tag, _), n in copies.items() if tag == kind) == design_counts(name, kind)


@pytest.mark.slow
@pytest.mark.parametrize("name", SWEPT)
def test_set_up_finds_its_pieces(saves: Callable[[str], Save], name: str) -> None:
    """For every number of players there are the pieces that set-up takes from the box."""
    game = workshop(name).game
    kinds: Counter[str] = Counter()
    for (kind, _), number in saves(name).copies().items():
        kinds[kind] += number
    taken: Counter[str] = Counter()
    for item in game.setup:
        taken[item.kind] += item.take * (game.players.most if item.each_player else 1)
    assert taken
    assert not {kind: n for kind, n in taken.items() if n > kinds[kind]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("fortuna", "reel"),
        *(pytest.param(*pair, marks=pytest.mark.slow) for pair in (("journey18", "item"), ("wayfaring", "cursed"), ("xanadu", "request"))),
    ],
)  # fmt: skip
def test_a_slot_shows_its_card(saves: Callable[[str], Save], name: str, kind: str) -> None:
    """What the program cuts out of a sheet for a card is that card's face, pixel for pixel, and so is its back."""
    save = saves(name)
    cards = tagged(save, kind, "Card")
    designs = [d for d in workshop(name).game.kinds[kind].designs for _ in range(d.count)]
    decks = [each for each in save.objects if each["Name"] == "Deck" and kind in each["Tags"]]
    if len(decks) > 1:  # by backs
        designs.sort(key=lambda d: [d.fields["tier"] != "lower"])
    assert len(cards) == len(designs)
    for card, design in list(zip(cards, designs, strict=True))[::7]:
        assert same(save.slot(card), face(name, design.id))
        assert same(save.slot(card, "BackURL"), face(name, design.id, "back"))


@pytest.mark.slow
def test_backs_of_their_own_are_a_sheet(saves: Callable[[str], Save]) -> None:
    """Where every card has another back, the deck has a sheet of backs with the same slots."""
    save = saves("journey18")
    cards = tagged(save, "story", "Card")
    designs = workshop("journey18").game.kinds["story"].designs
    assert [card["CustomDeck"][str(card["CardID"] // 100)]["UniqueBack"] for card in cards] == [True] * 5
    for card, design in zip(cards, designs, strict=True):
        assert same(save.slot(card, "BackURL"), face("journey18", design.id, "back"))


@pytest.mark.slow  # draws all of a large game
def test_cards_that_look_alike_from_behind_make_a_deck(saves: Callable[[str], Save]) -> None:
    """Two backs in one kind are two decks: nobody shuffles them together by mistake."""
    decks = [each for each in saves("xanadu").objects if each["Name"] == "Deck" and "request" in each["Tags"]]
    backs = {sheet["BackURL"] for each in decks for sheet in each["CustomDeck"].values()}
    assert [each["Nickname"] for each in decks] == ["Request card 1", "Request card 2"]
    assert len(backs) == 2 and sum(len(each["DeckIDs"]) for each in decks) == 60


def test_a_blank_back_is_white(tiny: TinyProject, tmp_path: Path) -> None:
    """A card whose other side stays blank shows nothing there, not its front."""
    order = TtsOrder(("en",), tmp_path / "out", dpi=DPI, rulebook=False)
    carry_out(find_project(tiny.root), ("tiny",), order, lambda _doing: None)
    save = read(tmp_path / "out" / "tiny" / "tts" / "tiny.en.json")
    card = next(each for each in save.everything() if each["Name"] == "Card")
    assert save.slot(card, "BackURL").getextrema() == ((255, 255),) * 3


@pytest.mark.slow
def test_the_hidden_slot_shows_the_back(saves: Callable[[str], Save]) -> None:
    """The last slot of a sheet is what others see of a card in a hand: its back, never a face."""
    save = saves("fortuna")
    card = tagged(save, "reel", "Card")[0]
    sheet = next(iter(card["CustomDeck"].values()))
    last = {**card, "CardID": card["CardID"] // 100 * 100 + sheet["NumWidth"] * sheet["NumHeight"] - 1}
    assert same(save.slot(last), face("fortuna", "reel/1-wheat", "back"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kind", "what", "shape"),
    quick(
        [
            ("xanadu", "vp", "Custom_Tile", 2),
            ("xanadu", "dispatch", "Custom_Tile", 1),
            ("xanadu", "resource", "Custom_Tile", 0),
            ("xanadu", "company_board", "Custom_Tile", 0),
            ("fortuna", "score_sheet", "Custom_Tile", 0),
            ("xanadu", "worker", "Figurine_Custom", None),
            ("journey18", "letter", "Custom_Model", None),
        ],
        "fortuna",
    ),
)
def test_pieces_become_what_they_are(
    saves: Callable[[str], Save], name: str, kind: str, what: str, shape: int | None
) -> None:
    """Round and hexagonal tokens are cut so, boards lie flat, pawns stand, cubes are bodies; several come in a bag."""
    save = saves(name)
    pieces = tagged(save, kind, what)
    bags = tagged(save, kind, "Bag")
    assert len(pieces) == counts(name)[kind]
    assert shape is None or {piece["CustomImage"]["CustomTile"]["Type"] for piece in pieces} == {shape}
    assert sum(len(bag["ContainedObjects"]) for bag in bags) in (0, len(pieces))
    assert all(f"×{len(bag['ContainedObjects'])}" in bag["Nickname"] for bag in bags)


@pytest.mark.slow  # draws all of a large game
def test_pieces_have_their_true_size(saves: Callable[[str], Save]) -> None:
    """Everything is to one scale: a playing card is 1, and a board's shorter side is 2 units at 1."""
    xanadu = saves("xanadu")
    card, aid = (tagged(xanadu, kind, "Card")[0]["Transform"] for kind in ("skill", "player_aid"))
    board = tagged(xanadu, "company_board", "Custom_Tile")[0]["Transform"]
    assert (card["scaleX"], card["scaleZ"]) == (1.0, 1.0)
    assert aid["scaleX"] == pytest.approx(126 / 88, abs=1e-3)
    assert board["scaleX"] * 2.0 == pytest.approx(180 * SCALE_OF_A_MM, rel=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("name", SWEPT)
def test_nothing_lies_on_anything(saves: Callable[[str], Save], name: str) -> None:
    """Decks, boards and loose pieces lie apart on the table, a unit between their edges."""
    kinds = workshop(name).game.kinds
    boxes = []
    for each in saves(name).objects:
        size = kinds[each["Tags"][0]].size
        wide, high = (3.0, 3.0) if each["Name"] == "Bag" else (size.width * 0.035, size.height * 0.035)
        boxes.append((each["Transform"]["posX"], each["Transform"]["posZ"], wide, high))
    assert len(boxes) > 3
    for n, (x, z, wide, high) in enumerate(boxes):
        for other_x, other_z, other_wide, other_high in boxes[:n]:
            across, along = abs(x - other_x) - (wide + other_wide) / 2, abs(z - other_z) - (high + other_high) / 2
            assert max(across, along) > 0.99


@pytest.mark.slow
def test_a_cube_shows_six_upright_faces(saves: Callable[[str], Save]) -> None:
    """The mesh is a cube of the true size; each side, seen from outside, has its own face of the picture upright."""
    save = saves("journey18")
    mesh = tagged(save, "letter", "Custom_Model")[0]["CustomMesh"]
    lines = [line.split() for line in save.file(mesh["MeshURL"]).read_text().splitlines()]
    points = [tuple(map(float, line[1:])) for line in lines if line[0] == "v"]
    corners = [tuple(map(float, line[1:])) for line in lines if line[0] == "vt"]
    triangles = [[tuple(map(int, word.split("/"))) for word in line[1:]] for line in lines if line[0] == "f"]
    edge = 15 * SCALE_OF_A_MM

    assert max(abs(axis) for point in points for axis in point) == pytest.approx(edge / 2, rel=0.01)
    assert len({abs(axis) for point in points for axis in point}) == 1
    assert len(set(points)) == 8 and len(triangles) == 12
    for triangle in triangles:
        (a, b, c), (ua, ub, uc) = ([points[v - 1] for v, _, _ in triangle], [corners[t - 1] for _, t, _ in triangle])
        first, second = ([q - p for p, q in zip(a, point, strict=True)] for point in (b, c))
        normal = [first[i - 2] * second[i - 1] - first[i - 1] * second[i - 2] for i in range(3)]
        assert sum(n * p for n, p in zip(normal, a, strict=True)) > 0, "it is wound to be seen from outside"
        turn = (ub[0] - ua[0]) * (uc[1] - ua[1]) - (ub[1] - ua[1]) * (uc[0] - ua[0])
        assert turn > 0, "the picture is not mirrored"
        if normal[1] == 0:
            assert all((p[1] > a[1]) == (u[1] > ua[1]) for p, u in ((b, ub), (c, uc))), "its head is up"
    picture = save.picture(mesh["DiffuseURL"])
    side = picture.width // 3
    for at, name in enumerate(("front", "back", "left", "right", "top", "bottom")):
        cell = (at % 3 * side, at // 3 * side)
        shown = picture.crop((*cell, cell[0] + side, cell[1] + side))
        alone = face("journey18", "letter/letter", name, dpi=300 * 25.4 / 15)  # type: ignore[arg-type]
        assert same(shown, alone)
        middle = ((at % 3 + 0.5) / 3, 1 - (at // 3 + 0.5) / 2)
        four = corners[at * 4 : at * 4 + 4]
        assert tuple(sum(axis) / 4 for axis in zip(*four, strict=True)) == pytest.approx(middle, abs=1e-5)


@pytest.mark.slow  # typesets a whole rulebook
def test_the_rulebook_is_on_the_table(tmp_path: Path, shipped: Pnp) -> None:
    """A PDF object names the rulebook's file, in the game's language."""
    ran = shipped("export", "tts", "fortuna", "--lang", "ja", "--dpi", "36")
    save = read(tmp_path / "fortuna/tts/fortuna.ja.json")
    (book,) = [each for each in save.objects if each["Name"] == "Custom_PDF"]
    assert ran.code == 0 and "--url" in ran.err
    with pypdfium2.PdfDocument(save.file(book["CustomPDF"]["PDFUrl"])) as pdf:
        assert len(pdf) > 3
    assert book["Nickname"] and faults(save) == []
    assert tagged(save, "reel", "Card")[0]["Nickname"] == "1の稲妻"


@pytest.mark.slow
def test_the_program_shows_it_among_others(saves: Callable[[str], Save]) -> None:
    """A small square picture of the first face has the saved object's name."""
    with Image.open(saves("fortuna").folder / "fortuna.en.png") as image:
        shown = image.crop((36, 0, 219, 256))
    assert image.size == (256, 256) and image.getpixel((5, 128)) == (255, 255, 255)
    assert same(shown, face("fortuna", "reel/1-lightning", dpi=256 * 25.4 / 88))


def test_thirty_thousand_objects_have_their_own_names() -> None:
    """Six digits are few: an object whose name is taken gets another, and always the same one."""
    first, second = Guids("game"), Guids("game")
    names = [first.make_guid(f"piece {n}") for n in range(30_000)]
    assert len(set(names)) == 30_000
    assert names == [second.make_guid(f"piece {n}") for n in range(30_000)]
    assert Guids("other").make_guid("piece 0") != names[0]


@pytest.mark.slow  # draws all of a large game
def test_equal_pictures_are_one_file(saves: Callable[[str], Save]) -> None:
    """A token that looks alike from both sides loads one picture, and no two files hold the same."""
    save = saves("xanadu")
    token = tagged(save, "dispatch", "Custom_Tile")[0]["CustomImage"]
    files = [path.read_bytes() for path in save.folder.glob("xanadu-*.png")]
    assert token["ImageURL"] == token["ImageSecondaryURL"]
    assert len(set(files)) == len(files) > 20


def test_on_the_web_the_files_have_its_address(tiny: TinyProject, pnp: Pnp) -> None:
    """With --url every file is named there, and nothing in the save tells of this machine."""
    ran = pnp("export", "tts", "--url", "https://example.org/a%20b/", "--out", "out")
    text = (tiny.root / "out/tiny/tts/tiny.en.json").read_text()
    assert ran.code == 0 and not ran.err
    assert {url.rsplit("/", 1)[0] for url in urls(json.loads(text))} == {"https://example.org/a%20b"}
    assert "file:" not in text and str(tiny.root) not in text


def test_a_name_changes_with_its_picture_alone(tiny: TinyProject, pnp: Pnp) -> None:
    """A comment leaves every file's name, a colour gives the sheet another: no table shows an old picture."""

    def names(out: str) -> set[str]:
        pnp("export", "tts", "--out", out)
        return {path.name for path in (tiny.root / out / "tiny/tts").iterdir()}

    before = names("a")
    tiny.change("templates/tiny/card.svg", "<rect", "<!-- ground --><rect")
    commented = names("b")
    tiny.change("templates/tiny/card.svg", "#f0e8d8", "#d8e8f0")
    changed = names("c")

    assert commented == before
    assert len(changed - before) == 1 and (changed - before).pop().startswith("tiny-card-cards-")


def test_one_card_is_no_deck(tiny: TinyProject, pnp: Pnp) -> None:
    """A kind with a single card is that card, lying face up; the program refuses decks of one."""
    tiny.change("data/tiny/game.yaml", "      - {id: two, count: 3, title: Two, value: 2}\n", "")
    tiny.change("data/tiny/game.yaml", "count: 2", "count: 1")
    tiny.change("data/tiny/game.yaml", "stated: 5", "stated: 1")
    ran = pnp("export", "tts", "--out", "out")
    save = read(tiny.root / "out/tiny/tts/tiny.en.json")
    assert ran.code == 0 and faults(save) == []
    assert [(each["Name"], each["Transform"]["rotZ"]) for each in save.objects] == [("Card", 0.0)]


def test_many_cards_share_several_sheets(tiny: TinyProject, pnp: Pnp) -> None:
    """A deck of 150 designs has them on sheets of at most 69, and every card finds its own face."""
    designs = "".join(f"      - {{id: d{n}, title: T{n}, value: {n % 10}}}\n" for n in range(148))
    tiny.change("data/tiny/game.yaml", "setup:", f"{designs}setup:")
    tiny.change("data/tiny/game.yaml", "    stated: 5\n", "")
    ran = pnp("export", "tts", "--out", "out", "--dpi", "60")
    save = read(tiny.root / "out/tiny/tts/tiny.en.json")
    (deck,) = save.objects
    assert ran.code == 0 and faults(save) == []
    assert len(deck["CustomDeck"]) == 3 and len(deck["DeckIDs"]) == 153
    shown = {card["Nickname"]: save.slot(card).tobytes() for card in deck["ContainedObjects"]}
    assert len(shown) == len(set(shown.values())) == 150


def test_an_odd_outline_is_a_token_with_two_states(tiny: TinyProject, pnp: Pnp) -> None:
    """A piece that no tile is cut like has its own outline, and its back as a second state, mirrored."""
    tiny.add_chips("outline: 'M 0 0 H 20 V 10 H 10 V 20 H 0 Z', back: chip, designs: [{id: a, count: 2}]")
    ran = pnp("export", "tts", "--out", "out")
    save = read(tiny.root / "out/tiny/tts/tiny.en.json")
    one, two = tagged(save, "chip", "Custom_Token")
    alphas = [save.picture(each["CustomImage"]["ImageURL"]).getchannel("A") for each in (one, one["States"]["2"])]
    corners = [(image.width // 4, image.width * 3 // 4) for image in alphas]

    assert ran.code == 0 and faults(save) == []
    assert one["GUID"] != two["GUID"] == two["States"]["2"]["GUID"]
    assert [
        [image.getpixel((x, image.height * 3 // 4)) for x in at] for image, at in zip(alphas, corners, strict=True)
    ] == [[255, 0], [0, 255]]  # fmt: skip


def test_descriptions_are_plain(tiny: TinyProject, pnp: Pnp) -> None:
    """What a card says can be searched for: no markup, icons and components by name."""
    tiny.change(
        "data/tiny/game.yaml", "      title: words\n", "      title: words\n      text: {type: words, optional: true}\n"
    )
    tiny.change("data/tiny/game.yaml", "title: Two,", "title: '**Two**', text: 'Take a {star} from *{@card/one}*.',")
    pnp("export", "tts", "--out", "out")
    cards = tagged(read(tiny.root / "out/tiny/tts/tiny.en.json"), "card", "Card")
    assert {(card["Nickname"], card["Description"]) for card in cards} == {("One", ""), ("Two", "Take a Star from One.")}  # fmt: skip


def test_problems_leave_the_last_export(tiny: TinyProject, pnp: Pnp) -> None:
    """A broken template is said with its place, and the files stay as they were."""
    pnp("export", "tts", "--out", "out")
    before = (tiny.root / "out/tiny/tts/tiny.en.json").read_bytes()
    tiny.change("templates/tiny/card.svg", "{{ card.value }}", "{{ card.worth }}")
    ran = pnp("export", "tts", "--out", "out")
    assert ran.code == 1 and ran.err.startswith("templates/tiny/card.svg:3")
    assert (tiny.root / "out/tiny/tts/tiny.en.json").read_bytes() == before
    assert not list((tiny.root / "out/tiny/tts").glob(".*"))


def test_a_selection_is_a_file_of_its_own(tmp_path: Path, shipped: Pnp) -> None:
    """--only exports what it picks beside the whole; a kind that the game leaves out comes once."""
    ran = shipped(
        "export", "tts", "journey18", "--only", "spare_pawn", "--only", "item/camera", "--lang", "en", "--dpi", "40"
    )
    save = read(tmp_path / "journey18/tts/selection.en.json")
    assert ran.code == 0 and faults(save) == []
    assert sum(save.copies().values()) == 2


def test_two_cards_are_a_deck() -> None:
    """A pile needs two cards, and two suffice."""
    sheet = CardSheet(1, "face.png", "back.png", 2, 1, own_backs=False)
    cards = [make_card(str(slot), ObjectLabel("kite"), sheet, slot, 1.0) for slot in range(2)]
    assert make_deck("d", ObjectLabel("deck"), cards, 1.0)["DeckIDs"] == [100, 101]
    with pytest.raises(ValueError, match="two cards"):
        make_deck("d", ObjectLabel("deck"), cards[:1], 1.0)
