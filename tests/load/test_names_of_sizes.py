"""The names of sizes: listed by a command, and offered by editors in a game's schema."""

import json
from threading import Thread

import pytest
from conftest import ROOT, Pnp
from tests_support import TinyProject

from generator.base.geometry import CARD_SIZES
from generator.commands.schema import read_game_schema, schema_from_game
from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.game.schema import WORDS_SCHEMA
from generator.live.gallery import Gallery


def test_the_names_of_sizes_are_listed(pnp: Pnp) -> None:
    ran = pnp("presets", "--sizes")
    lines = ran.out.splitlines()
    assert (ran.code, len(lines)) == (0, len(CARD_SIZES))
    assert "us-poker         63.5 x 88.9 mm     poker decks, American printers; jp-poker is the metric figure" in lines
    assert pnp("presets", "--sizes", "--kind", "shop").code == 2


def test_editors_know_the_names_and_what_keys_are_for(tiny: TinyProject, pnp: Pnp) -> None:
    """`size:` offers its names, and the keys that everybody writes first are described."""
    assert pnp("schema").code == 0
    schema = json.loads((tiny.root / "data/tiny/schema.json").read_text("utf-8"))
    kind = schema["$defs"]["KindData"]["properties"]
    assert {"enum": list(CARD_SIZES)} in kind["size"]["anyOf"]
    assert all(kind[key].get("description") for key in ("front", "back", "fields", "bleed", "safe", "corner", "form"))
    assert all(schema["properties"][key].get("description") for key in ("draft", "languages", "icons", "told_apart"))
    design = schema["properties"]["components"]["properties"]["card"]["properties"]["designs"]["items"]["properties"]
    assert all(design[key]["description"] for key in ("id", "count", "front", "back"))


def test_every_key_is_told_to_editors(tiny: TinyProject, pnp: Pnp) -> None:
    assert pnp("schema").code == 0
    schema = json.loads((tiny.root / "data/tiny/schema.json").read_text("utf-8"))
    parts = {"": schema} | schema["$defs"]
    keys = {
        f"{name}.{key}": told
        for name, part in parts.items()
        for form in (part, *part.get("anyOf", ()))
        for key, told in form.get("properties", {}).items()
    }

    assert len(keys) > 100
    assert [key for key, told in keys.items() if not told.get("description")] == []
    assert [key for key, told in keys.items() if told["description"] == WORDS_SCHEMA["description"]] == []
    assert "title" not in schema


@pytest.mark.slow
def test_the_schema_stays_true(tiny: TinyProject, pnp: Pnp) -> None:
    """`build` and `validate` write it anew when the data may say something else; each says so once."""
    for command in ("build", "validate"):
        (tiny.root / "data/tiny/schema.json").write_text("{}", "utf-8")
        first, again = pnp(command), pnp(command)
        assert "data/tiny/schema.json" in first.out + first.err
        assert "data/tiny/schema.json" not in again.out + again.err
        assert pnp("schema", "--check").code == 0


def test_a_project_without_a_schema_gets_none(tiny: TinyProject, pnp: Pnp) -> None:
    assert {pnp("build").code, pnp("validate").code} == {0}
    assert not (tiny.root / "data/tiny/schema.json").exists()


@pytest.mark.slow
def test_a_loaded_game_has_the_schema_of_its_files() -> None:
    """What `build` writes is what `pnp schema` writes, for each game that comes with the program."""
    project = find_project(ROOT)
    for name in ("fortuna", "journey8", "journey18", "wayfaring", "xanadu"):
        folder = project.find_folder(name)
        assert schema_from_game(load_game(folder, project.resources)) == read_game_schema(folder, project.resources)


@pytest.mark.slow
def test_the_live_page_keeps_the_schema(tiny: TinyProject) -> None:
    target = tiny.root / "data/tiny/schema.json"
    target.write_text("{}", "utf-8")
    said: list[str] = []
    gallery = Gallery(find_project(tiny.root), (), say=said.append)
    ended = Thread(target=gallery.run)
    ended.start()
    for _ in range(2000):
        if said:
            break
        ended.join(0.01)
    gallery.stop()
    ended.join()

    assert [line.rpartition("/")[2] for line in said] == ["schema.json: updated"]
    assert "properties" in json.loads(target.read_text("utf-8"))
