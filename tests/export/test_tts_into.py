"""`pnp export tts --into`: an existing save takes over pieces and keeps positions and scripts."""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Pnp
from tests_support import TinyProject
from tts_reader import faults, read

OUT = Path("output/tiny/tts/tiny.en.json")
TABLE = Path("table.json")


def export(pnp: Pnp, *more: str) -> Any:
    ran = pnp("export", "tts", "--dpi", "40", "--no-rulebook", *more, code=0)
    return json.loads(OUT.read_text(encoding="utf-8")), ran.said


def cards_of(save: Any) -> list[str]:
    return sorted(card["Nickname"] for state in save["ObjectStates"] for card in state.get("ContainedObjects", [state]))


@pytest.fixture
def table(tiny: TinyProject, pnp: Pnp) -> Any:
    """A designer's save: the deck is moved and has a script, one card lies on the table, another game lies beside it."""
    save, _ = export(pnp)
    (deck,) = save["ObjectStates"]
    deck["Transform"]["posX"] = 17.5
    deck["LuaScript"] = "function onLoad() end"
    card = deck["ContainedObjects"].pop()
    card["Transform"] |= {"posX": -3.0, "rotZ": 0.0}
    other = {"Name": "Custom_Tile", "Nickname": "Board", "GUID": "abcdef", "Tags": ["other"], "CustomDeck": {"7": {}}}
    table = {**save, "LuaScript": "-- global", "SaveName": "Thursday", "ObjectStates": [deck, card, other]}
    TABLE.write_text(json.dumps(table), encoding="utf-8")
    return table


def test_positions_and_scripts_stay_and_pictures_change(table: Any, tiny: TinyProject, pnp: Pnp) -> None:
    tiny.change("data/tiny/game.yaml", "title: Two, value: 2", "title: Two, value: 7")
    save, said = export(pnp, "--into", "table.json")
    deck, card, other = save["ObjectStates"]

    assert (save["SaveName"], save["LuaScript"]) == ("Thursday", "-- global")
    assert (deck["Transform"]["posX"], deck["LuaScript"]) == (17.5, "function onLoad() end")
    assert card["Transform"] == table["ObjectStates"][1]["Transform"] and other == table["ObjectStates"][2]
    before = {sheet["FaceURL"] for sheet in table["ObjectStates"][0]["CustomDeck"].values()}
    assert before.isdisjoint(sheet["FaceURL"] for sheet in deck["CustomDeck"].values())
    assert deck["CustomDeck"].keys() == card["CustomDeck"].keys() == {"8"}, "other games keep their numbers"
    assert deck["DeckIDs"] == [one["CardID"] for one in deck["ContainedObjects"]] and len(deck["DeckIDs"]) == 4
    assert not any("added" in line or "left" in line for line in said)
    assert json.loads(TABLE.read_text(encoding="utf-8")) == table, "the save itself is not changed"


def test_new_copies_and_designs_join_their_deck_and_removed_ones_are_named(
    table: Any, tiny: TinyProject, pnp: Pnp
) -> None:
    tiny.change("data/tiny/game.yaml", "{id: one, count: 2, title: One", "{id: new, count: 1, title: New")
    tiny.change("data/tiny/game.yaml", "count: 3, title: Two", "count: 4, title: Two")
    save, said = export(pnp, "--into", "table.json")

    assert cards_of(save) == ["Board", "New", "One", "One", "Two", "Two", "Two", "Two"]
    assert [one["Name"] for one in save["ObjectStates"]] == ["Deck", "Card", "Custom_Tile"]
    assert said[:2] == ["tiny: 2 added: New, Two", "tiny: 2 unknown to the game, left unchanged: One"]


def test_a_new_kind_lies_on_the_table(table: Any, tiny: TinyProject, pnp: Pnp) -> None:
    tiny.add_chips("designs: [{id: a, count: 3}]")
    save, said = export(pnp, "--into", "table.json")
    assert [one["Name"] for one in save["ObjectStates"]] == ["Deck", "Card", "Custom_Tile", "Bag"]
    assert said[0].startswith("tiny: 3 added: ")


def test_an_unchanged_save_stays_loadable(tiny: TinyProject, pnp: Pnp) -> None:
    export(pnp)
    TABLE.write_bytes(OUT.read_bytes())
    export(pnp, "--into", "table.json")
    assert faults(read(OUT)) == [] and json.loads(OUT.read_bytes()) == json.loads(TABLE.read_bytes())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"ObjectStates": [{"Tags": ["other"]}, 7, {"Tags": 3}]}', "table.json: no object has a tag of tiny: card; "),
        ("[]", "table.json: this is not a save of Tabletop Simulator; "),
        ("{", "table.json: this is not a save of Tabletop Simulator: it can't be read as JSON; "),
        ("[" * 100_000, "table.json: this is not a save of Tabletop Simulator"),
    ],
)
def test_a_wrong_save_is_named(tiny: TinyProject, pnp: Pnp, text: str, said: str) -> None:
    TABLE.write_text(text, encoding="utf-8")
    ran = pnp("export", "tts", "--into", "table.json", code=1)
    assert ran.said[0].startswith(said) and not OUT.exists()
