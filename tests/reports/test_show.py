"""`pnp lab show RESULT --pdf --html`: its files, and what is wrong with what was given."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from made_results import LARGE, made_result
from shipped_games import PROJECT

Pnp = Callable[..., Any]
HERE = ("--project", str(PROJECT.root), "--out", "out")


@pytest.fixture(autouse=True)
def result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A result in an empty folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "found.json"
    path.write_text(made_result({"E10 declared": ("E10", "declared", LARGE)}).to_text(), encoding="utf-8")
    return path


@pytest.mark.slow
def test_pages_and_a_web_page_in_each_language(pnp: Pnp, result: Path) -> None:
    """They are called as the result is, and lie in the game's folder."""
    ran = pnp("lab", "show", result.name, "--pdf", "--html", *HERE)
    assert ran.code == 0
    names = [f"found.{lang}.{kind}" for lang in ("ja", "en") for kind in ("pdf", "html")]
    assert ran.out.split() == [f"out/fortuna/{name}" for name in names]
    pages = pypdfium2.PdfDocument("out/fortuna/found.ja.pdf")
    assert "手番の数が4.00増える" in pages[0].get_textpage().get_text_bounded().replace(" ", "").replace("\r\n", "")
    assert "data have changed" in Path("out/fortuna/found.en.html").read_text(encoding="utf-8")


def test_one_language_and_one_kind(pnp: Pnp, result: Path) -> None:
    """Nothing else is written."""
    ran = pnp("lab", "show", result.name, "--html", "--lang", "en", *HERE)
    assert (ran.code, ran.out) == (0, "out/fortuna/found.en.html\n")


def test_without_either_it_is_told(pnp: Pnp, result: Path) -> None:
    """No file is written."""
    ran = pnp("lab", "show", result.name, *HERE)
    assert ran.code == 0 and "E10 declared" in ran.out
    assert not Path("out").exists()


def test_what_can_not_be_shown(pnp: Pnp, result: Path) -> None:
    """A language that the game lacks, a game that is not here, a file that is no result: one problem, no file."""
    ran = pnp("lab", "show", result.name, "--pdf", "--lang", "fr", *HERE)
    assert ran.code == 1 and "--lang fr: not a language of this game" in ran.err
    said = json.loads(result.read_text(encoding="utf-8")) | {"game": "fortune"}
    result.write_text(json.dumps(said), encoding="utf-8")
    ran = pnp("lab", "show", result.name, "--pdf", *HERE)
    assert ran.code == 1 and "'fortune'" in ran.err
    result.write_text('{"format": 2}', encoding="utf-8")
    ran = pnp("lab", "show", result.name, "--pdf", *HERE)
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert not Path("out").exists()
