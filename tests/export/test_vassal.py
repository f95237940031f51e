"""`pnp export vassal`: modules of Vassal, taken apart as the program does it."""

import io
from collections import Counter
from collections.abc import Callable
from functools import cache

import pytest
from online_games import PROJECT, counts, design_counts, face, workshop
from PIL import Image, ImageChops
from tests_support import quick
from vassal_reader import Module, opened, tokens

from generator.commands.orders import carry_out
from generator.exchange.vassal import VassalOrder, define_piece, join_tokens, make_marks, make_mask, make_sides

DPI = 40
GAMES = quick(["fortuna", "xanadu"], "fortuna")


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Module]:
    """A game's module, made once."""
    out = tmp_path_factory.mktemp("vassal")

    @cache
    def game(name: str, lang: str = "en") -> Module:
        carry_out(PROJECT, (name,), VassalOrder((lang,), out, dpi=DPI), lambda _doing: None)
        return opened(out / name / "vassal" / f"{name}.{lang}.vmod")

    return game


@pytest.mark.parametrize("text", ["", "plain", "a/b;c\td", "\\back", "'quoted'", "\\", "it's", "x\\y", "/", ";;"])
@pytest.mark.parametrize("delimiter", ["\t", "/", ";", ","])
def test_a_sequence_is_read_back(text: str, delimiter: str) -> None:
    """Whatever a token holds, and within another sequence as well."""
    once = join_tokens(delimiter, "first", text, "last")
    twice = join_tokens(delimiter, once, "more")
    assert tokens(once, delimiter) == ["first", text, "last"]
    assert tokens(tokens(twice, delimiter)[0], delimiter) == ["first", text, "last"]


def test_a_piece_as_the_program_writes_it() -> None:
    """Three traits: a delimiter within is escaped once more at each level."""
    text = define_piece(
        "Wheat; 6/7", "a.png", 7, [make_mask("b.png", "Turn", "Card"), make_marks(Kind="k"), make_marks(Text="t")]
    )
    assert text == (
        "+/null/obs;70,130;b.png;Turn;I;Card;player:\tmark;Kind\\\tmark;Text\\\\\tpiece;;;a.png;Wheat\\; 6\\/7/"
        "null;\tk\\\tt\\\\\tnull;0;0;7;0"
    )


def test_sides_are_layers() -> None:
    """The tokens stand where Vassal looks for pictures, looping, version and strokes."""
    said = tokens(make_sides(["a.png", "b.png"], "Next", "Roll").type.removeprefix("emb2;"), ";")
    assert tokens(said[15], ",") == ["a.png", "b.png"] and tokens(said[16], ",") == ["", ""]
    assert said[3] == "Next" and said[11] == "1" and said[17] == "true"
    assert said[19:21] == ["82,130", "Roll"] and said[24:26] == ["1", "true"] and said[27] == "70,130"


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_all_that_is_named_is_there(module: Callable[..., Module], name: str) -> None:
    """Every picture is in the archive, and none that nothing shows; each slot has a number of its own."""
    game = module(name)
    pieces = game.pieces()
    shown = {f"images/{image}" for piece in pieces for image in piece.images}
    numbers = [piece.gpid for piece in pieces]
    assert all(piece.images for piece in pieces)
    assert shown == {path for path in game.files if path.startswith("images/")}
    assert len(set(numbers)) == len(numbers) > 20
    assert all(piece.states["piece"][3] == piece.gpid for piece in pieces)
    assert int(game.root.attrib["nextPieceSlotId"]) > max(map(int, numbers))


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_copy_lies_on_the_table(module: Callable[..., Module], name: str) -> None:
    """As many of each kind as the box has, and as many of each design: they are told apart by name, text and picture."""
    pieces = module(name).pieces()
    copies: dict[str, Counter[tuple[str, ...]]] = {}
    for piece in pieces:
        kind, text = piece.states["mark"]
        copies.setdefault(kind, Counter())[piece.name, text, *piece.images] += 1
    assert {kind: found.total() for kind, found in copies.items()} == counts(name)
    for kind, found in copies.items():
        assert sorted(found.values()) == design_counts(name, kind)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_cards_lie_face_down_where_they_have_a_back(module: Callable[..., Module], name: str) -> None:
    """A deck is hidden when its cards have masks; each card knows the way back; nothing else is masked."""
    game = module(name)
    stacks = game.stacks()
    decks = {one.attrib["name"]: one.attrib for one in game.components("module.map.DrawPile")}
    for called, pieces in stacks.items():
        masked = {"obs" in piece.traits for piece in pieces}
        assert len(masked) == 1
        if called not in decks:
            assert len(pieces) == 1 and pieces[0].slot == "PieceSlot"
            continue
        assert {piece.slot for piece in pieces} == {"CardSlot"} and len(pieces) > 1
        assert (decks[called]["faceDown"] == "Always") == masked.pop()
        assert (
            {piece.traits["return"][2] for piece in pieces}
            == {called}
            == {piece.traits["return"][7] for piece in pieces}
        )
    assert any(deck["faceDown"] == "Always" and "Menu" in deck["shuffle"] for deck in decks.values())


@pytest.mark.slow  # draws a whole game
def test_pictures_are_the_faces_and_backs(module: Callable[..., Module]) -> None:
    """A card shows its own front and back, by its name; all are to one scale and end at the round corners."""
    game, work = module("fortuna"), workshop("fortuna")
    kind = next(kind for kind in work.game.kinds.values() if kind.form == "card" and kind.designs[0].count)
    cards = [piece for piece in game.pieces() if piece.states["mark"][0] == kind.id]
    designs = [design for design in kind.designs for _ in range(design.count)]
    wanted = Counter(_shown(face("fortuna", design.id, "front", dpi=DPI)) for design in designs)
    found = Counter(_shown(_picture(game, piece.traits["piece"][2])) for piece in cards)

    assert len(cards) == len(designs)
    assert len(found) == len(wanted) and sorted(found.values()) == sorted(wanted.values())
    for piece in cards:
        front, back = (_picture(game, image) for image in piece.images)
        assert front.size == back.size and front.mode == "RGBA" and front.getpixel((0, 0))[3] == 0
        assert abs(front.width - kind.size.width * DPI / 25.4) < 1.5
        drawn = face("fortuna", designs[0].id, "back", dpi=DPI)
        assert max(_middle(ImageChops.difference(back.convert("RGB"), drawn.convert("RGB"))).getextrema()[0]) < 40


def _picture(game: Module, name: str) -> Image.Image:
    return Image.open(io.BytesIO(game.files[f"images/{name}"]))


def _middle(image: Image.Image) -> Image.Image:
    edge = image.width // 8
    return image.crop((edge, edge, image.width - edge, image.height - edge))


def _shown(image: Image.Image) -> bytes:
    return _middle(image.convert("RGB")).tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", [*GAMES, pytest.param("journey18", marks=pytest.mark.slow)])
def test_pieces_turn_only_where_there_is_something_to_see(module: Callable[..., Module], name: str) -> None:
    """Layers show at least two pictures; a cube has six and is rolled."""
    pieces = [piece for piece in module(name).pieces() if "emb2" in piece.traits]
    cubes = [piece for piece in pieces if piece.traits["emb2"][20]]
    assert all(len(set(piece.images)) > 1 for piece in pieces)
    assert all(len(piece.images) == 6 and piece.traits["emb2"][20] == "Roll" for piece in cubes)
    assert bool(cubes) == (name == "journey18")


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_the_module_says_is_in_its_language(module: Callable[..., Module], name: str, lang: str) -> None:
    """Its title for the list, too; a seat and a private hand for each player that the game can have."""
    game, data = module(name, lang), workshop(name).game
    seats = [entry.text for roster in game.components("module.PlayerRoster") for entry in roster]
    hands = list(game.components("module.PlayerHand"))
    assert game.root.attrib["name"] == game.listed["name"] == data.title[lang]
    assert game.root.attrib["version"] == game.listed["version"] == str(data.draft)
    assert len(set(seats)) == len(seats) == data.players.most
    assert [hand.attrib["side"] for hand in hands] == seats
    assert {hand.attrib["visible"] for hand in hands} == {"false"}
    assert ("Player 1" if lang == "en" else "プレイヤー1") in seats
    flips = {piece.traits["obs"][2] for piece in game.pieces() if "obs" in piece.traits}
    assert flips == {"Turn over" if lang == "en" else "裏返す"}


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_nothing_lies_beyond_the_table(module: Callable[..., Module], name: str) -> None:
    """Or on something else; the board comes before what lies on it; single boards lie still."""
    game = module(name)
    (table,) = game.components("module.Map")
    board = next(table.iter("VASSAL.build.module.map.boardPicker.Board"))
    wide, high = int(board.attrib["width"]), int(board.attrib["height"])
    boxes = []
    for stack in [*game.components("module.map.DrawPile"), *game.components("module.map.SetupStack")]:
        assert stack.attrib["owningBoard"] == board.attrib["name"]
        x, y = int(stack.attrib["x"]), int(stack.attrib["y"])
        w, h = int(stack[0].attrib["width"]) / 2, int(stack[0].attrib["height"]) / 2
        boxes.append((x - w, y - h, x + w, y + h))

    assert table[0].tag.endswith("BoardPicker")
    assert all(left > 0 and top > 0 and right < wide and bottom < high for left, top, right, bottom in boxes)
    for at, one in enumerate(boxes):
        for other in boxes[:at]:
            assert one[2] < other[0] or other[2] < one[0] or one[3] < other[1] or other[3] < one[1]
    assert sum("immob" in piece.traits for piece in game.pieces()) == {"xanadu": 4, "fortuna": 1}[name]
