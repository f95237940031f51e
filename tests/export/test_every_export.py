"""What holds for every export: the same game gives the same bytes, and a selection has a name of its own."""

from pathlib import Path

import pytest
from conftest import ROOT, Pnp


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize(("table", "files"), [("tts", 4), ("pcio", 1), ("vassal", 1), ("cgs", 1), ("images", 4)])
def test_same_game_same_bytes(pnp: Pnp, table: str, files: int) -> None:
    """No clock and no folder is in them; a saved object of Tabletop Simulator has the address of its files."""
    address = ("--url", "https://example.org") if table == "tts" else ()
    made = []
    for out in (Path("one"), Path("two")):
        assert pnp("export", table, *address, "--out", str(out)).code == 0
        made.append({path.relative_to(out): path.read_bytes() for path in out.rglob("*.*")})
    assert made[0] == made[1] and len(made[0]) == files


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("table", ["vassal", "cgs"])
def test_a_selection_has_its_own_name(pnp: Pnp, table: str) -> None:
    assert pnp("export", table, "--only", "card/*", "--out", "out").code == 0
    selected = list(Path("out").rglob("*.*"))
    assert selected and all(path.name.startswith("selection.") for path in selected)
    assert f"| `pnp export {table}` |" in (ROOT / "docs/online.md").read_text("utf-8"), "the page names the command"
