"""docs/reference.md and docs/sizes.md: what the program makes of its own tables, with words for all that is in them."""

from typing import Any

import pytest
from conftest import ROOT
from tests_support import load_script

from generator.base.geometry import CARD_SIZES, PAPER_SIZES
from generator.drawing.svg.vocabulary import OF_TEMPLATES
from generator.game import rich_text


@pytest.fixture(scope="module")
def made() -> Any:
    """The script that writes the pages."""
    return load_script(ROOT / "docs/reference.py")


@pytest.mark.parametrize("name", ["reference", "sizes"])
def test_the_page_is_what_the_program_says(made: Any, name: str) -> None:
    """Whoever adds a key, an element, a mark or a size runs `make reference` and commits what it writes."""
    assert (ROOT / f"docs/{name}.md").read_text(encoding="utf-8") == getattr(made, name)()


def test_every_key_says_what_it_is(made: Any) -> None:
    rows = [line for line in made.reference().partition("## Templates")[0].splitlines() if line.startswith("| `")]
    assert len(rows) > 100
    assert [row for row in rows if row.endswith("|  |")] == []


def test_every_element_says_what_it_is_for(made: Any) -> None:
    rows = [line for line in made.reference().splitlines() if line.startswith("| `<")]
    assert len(rows) > 30
    assert [row for row in rows if "|  |" in row] == []


def test_all_that_the_tables_hold_is_there(made: Any) -> None:
    page, sizes = made.reference(), made.sizes()
    assert all(f"| `<{tag}>` |" in page for tag in OF_TEMPLATES)
    assert all(f"`{name}`" in page for names in OF_TEMPLATES.values() for name in names)
    assert page.count("{wheat}") == 1
    assert all(f"{{{name}" in page for table in ("MARKS", "VALUED") for name in getattr(rich_text, table, ()))
    assert all(f"| `{name}` |" in sizes for name in (*CARD_SIZES, *PAPER_SIZES))
