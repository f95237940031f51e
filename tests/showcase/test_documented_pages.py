"""The command lines of three pages run, one after another in a fresh project, and write what the page says they write."""

import re
import shlex
import shutil
from collections import Counter
from pathlib import Path

import pytest
from conftest import ROOT, Pnp
from PIL import Image
from test_documented_commands import command_lines

from generator.base.processes import find_program

MINE = "my-game"

NEEDS = {"--braille": "lou_translate"}
"""Options that ask for a program which is not everywhere; without it their lines are left out."""

NOT_RUN: dict[str, str] = {
    f"pnp pack {MINE} --sell-sheet": "it needs the keys that the page shows; test_showcase.py runs it",
    f"pnp lab {MINE}": "the game has no rules yet",
}
"""Command lines of the pages that are no complete commands, with the reason."""

LANGS = ("ja", "en")
BOOKS = ("rulebook", "quickstart")
IN_FORTUNA = "output/fortuna"
IN_MINE = f"output/{MINE}"
PICTURES = (
    *(f"itch-page-{name}" for name in ("cover", "hand", "table")),
    *(f"bgg-page-{name}" for name in ("box", "fan", "table")),
    *(f"the-game-crafter-page-{name}" for name in ("logo", "ad", "backdrop", "action-1", "action-2")),
)

WRITES = {
    "pnp build fortuna --lang de": [
        f"{IN_FORTUNA}/{name}.de.{kind}"
        for name, kind in (("sheets", "pdf"), ("rulebook", "pdf"), ("rulebook", "html"), ("components", "pdf"))
    ],
    "pnp sheets fortuna --lang de+en --only reel/*": [f"{IN_FORTUNA}/selection.de+en.pdf"],
    "pnp translate export fortuna --to de": [
        f"{IN_FORTUNA}/translation.de.po", f"{IN_FORTUNA}/pictures/de/aid-summary.back.en.png",
    ],
    "pnp translate import fortuna output/fortuna/translation.de.po": [
        "data/fortuna/translations/de.po", *(f"templates/fortuna/{book}.de.md" for book in (*BOOKS, "notes")),
    ],
    "pnp translate pseudo fortuna": [f"{IN_FORTUNA}/pseudo/rulebook.qps.pdf"],
    "pnp translate export fortuna --to fr": [f"{IN_FORTUNA}/translation.fr.po"],
    "pnp translate import fortuna output/fortuna/translation.fr.po": ["data/fortuna/translations/fr.po"],
    "PNP_WORDS=my-words pnp build fortuna --lang fr": [f"{IN_FORTUNA}/sheets.fr.pdf", f"{IN_FORTUNA}/rulebook.fr.pdf"],
    f"pnp read-aloud {MINE}": [f"{IN_MINE}/read-aloud.{lang}.{kind}" for lang in LANGS for kind in ("txt", "html")],
    f"pnp sheets {MINE} --large-print": [f"{IN_MINE}/sheets-large-print.{lang}.pdf" for lang in LANGS],
    f"pnp rulebook {MINE} --large-print": [f"{IN_MINE}/rulebook-large-print.{lang}.pdf" for lang in LANGS],
    f"pnp sheets {MINE} --high-contrast": [f"{IN_MINE}/sheets-high-contrast.{lang}.pdf" for lang in LANGS],
    f"pnp rulebook {MINE} --high-contrast --large-print": [
        f"{IN_MINE}/rulebook-high-contrast-large-print.{lang}.pdf" for lang in LANGS
    ],
    f"pnp read-aloud {MINE} --braille": [f"{IN_MINE}/read-aloud.en.brf"],
    f"pnp rulebook {MINE} --braille": [f"{IN_MINE}/{book}.en.brf" for book in BOOKS],
    f"pnp showcase {MINE}": [f"{IN_MINE}/showcase/{name}.{lang}.png" for name in PICTURES for lang in LANGS],
    f"pnp pack {MINE}": [f"{IN_MINE}/{MINE}-print-and-play-1.zip"],
}  # fmt: skip
"""What the pages promise of each line, as files of the project; lines of sentences that print or only look write nothing."""

ANYWHERE = {"pnp build": ["sheets.ja.pdf", "sheets.en.pdf", "validation.txt"]}
"""The same of lines that several pages have, in the project's one folder of what is made."""


def page(name: str) -> str:
    return (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")


def run_all(name: str, folder: str, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Runs a page's lines in the current folder, with what was made removed before each; how often each was run."""
    ran: Counter[str] = Counter()
    for line in command_lines(page(name)):
        words = shlex.split(line)
        program = next((NEEDS[word] for word in words if word in NEEDS), "")
        if line in NOT_RUN or (program and find_program(program) is None):
            continue
        ran[line] += 1
        promised = WRITES[line] if line in WRITES else [f"{folder}/{file}" for file in ANYWHERE[line]]
        for file in promised:
            Path(file).unlink(missing_ok=True) if file.startswith("output/") else None
        before = {file: Path(file).stat().st_mtime_ns for file in promised if Path(file).exists()}
        with monkeypatch.context() as patched:
            while "=" in words[0]:
                patched.setenv(*words.pop(0).split("=", 1))
            done = pnp(*words[1:])
        assert done.code == 0, (line, done.err)
        assert [file for file in promised if not Path(file).is_file()] == [], line
        assert all(Path(file).stat().st_mtime_ns > then for file, then in before.items()), line
    return ran


def begun(folder: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of cards that `pnp new` has begun; the current folder is its own."""
    monkeypatch.chdir(folder)
    assert pnp("new", MINE).code == 0
    monkeypatch.chdir(folder / MINE)
    return folder / MINE


def test_each_line_is_promised_something_or_not_run() -> None:
    lines = {line for name in ("translation", "everybody", "showcase") for line in command_lines(page(name))}
    assert lines == WRITES.keys() | ANYWHERE.keys() | NOT_RUN.keys()


@pytest.mark.slow
@pytest.mark.usefixtures("keeping")
def test_a_game_is_translated_as_the_page_says(tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("data", "templates"):
        shutil.copytree(ROOT / folder / "fortuna", tmp_path / folder / "fortuna")
    (tmp_path / "my-words").mkdir()
    words = (ROOT / "generator/words/en.yaml").read_text(encoding="utf-8")
    (tmp_path / "my-words/fr.yaml").write_text(words, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    ran = run_all("translation", IN_FORTUNA, pnp, monkeypatch)

    assert sum(ran.values()) == 9
    assert "phrases" not in pnp("build", "fortuna", "--lang", "de").err
    refused = pnp("sheets", "fortuna", "--lang", "de+en")
    assert (refused.code, len(refused.said)) == (1, 3), "the page names two pieces that have no room for both"
    assert "score_sheet/sheet" in refused.err and "aid/start-player" in refused.err


@pytest.mark.slow
@pytest.mark.usefixtures("keeping")
def test_everybody_is_served_as_the_page_says(tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(tmp_path, pnp, monkeypatch)

    ran = run_all("everybody", IN_MINE, pnp, monkeypatch)

    assert sum(ran.values()) >= 6
    (url,) = re.findall(r"`--url (\S+)`", page("everybody"))
    assert pnp("read-aloud", MINE, "--url", url).code == 0
    assert (Path(IN_MINE) / "read-aloud-labels.en.pdf").is_file()
    both = ("--large-print", "--high-contrast")
    assert pnp("sheets", MINE, *both).code == 0
    assert (Path(IN_MINE) / "sheets-high-contrast-large-print.en.pdf").is_file()
    for refused in (("--prototype",), ("--numbers",)):
        assert pnp("sheets", MINE, "--large-print", *refused).code != 0
    assert pnp("sheets", MINE, "--high-contrast", "--low-ink").code != 0


@pytest.mark.slow
@pytest.mark.usefixtures("keeping")
def test_a_game_is_shown_as_the_page_says(tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """docs/showcase.md, with a game of one's own; then its own page and its own ground, copied from the page's blocks."""
    root = begun(tmp_path, pnp, monkeypatch)

    ran = run_all("showcase", IN_MINE, pnp, monkeypatch)

    assert sum(ran.values()) == 2
    cover = Path(IN_MINE) / "showcase/itch-page-cover.en.png"
    plain = cover.read_bytes()
    blocks = dict(re.findall(r"^```\w+ (\S+)\n(.*?)^```$", page("showcase"), re.MULTILINE | re.DOTALL))
    (root / "presets").mkdir()
    (root / "presets/my-page.yaml").write_text(blocks.pop("my-page.yaml"), encoding="utf-8")
    (root / f"templates/{MINE}/showcase.svg").write_text(blocks.pop("showcase.svg"), encoding="utf-8")
    assert not blocks
    assert pnp("showcase", MINE, "--preset", "my-page", "--lang", "en", "--pdf").code == 0
    with Image.open(Path(IN_MINE) / "showcase/my-page-head.en.png") as picture:
        assert picture.size == (1200, 400)
    assert (Path(IN_MINE) / "showcase/my-page-head.en.pdf").is_file()
    assert "my-page" in pnp("presets", "--kind", "pictures").out
    assert pnp("showcase", MINE, "--lang", "en").code == 0
    assert cover.read_bytes() != plain
