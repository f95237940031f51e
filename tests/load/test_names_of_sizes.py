"""The names of sizes: listed by a command, and offered by editors in a game's schema."""

import json
from collections.abc import Callable

from conftest import Ran
from tests_support import TinyProject

from generator.load.schema import WORDS_SCHEMA
from generator.model.sizes import CARD_SIZES

Pnp = Callable[..., Ran]


def test_the_names_of_sizes_are_listed(pnp: Pnp) -> None:
    """A line for each with its millimetres; other lists have other options."""
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
    """Each key of each section has a description of its own, and no title repeats itself over all of them."""
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
