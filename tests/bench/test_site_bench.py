"""The bench of a site writes its figures into the document."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "browser.md"


def test_figures_replace_those_of_the_last_run(bench: Callable[[str], ModuleType]) -> None:
    """Write tables between the document's two lines, and change nothing else."""
    site = bench("site")
    text = DOCUMENT.read_text(encoding="utf-8")
    once = site.written(text, "| a |\n")
    before, after = text.split(site.BEGIN)[0], text.split(site.END)[1]
    assert once == f"{before}{site.BEGIN}| a |\n{site.END}{after}"
    assert site.written(once, "| b |\n") == once.replace("| a |", "| b |")
    assert "together" in text.split(site.BEGIN)[1].split(site.END)[0], "a run has written into it"
    with pytest.raises(ValueError, match="the document has no lines"):
        site.written(text.replace(site.END, ""), "")
