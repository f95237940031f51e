"""Whose a game is, and what others may do with it, is said in the language of each file."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from conftest import Ran
from rulebook_project import DATA, BookProject, plain
from shipped_games import SWEPT_EDITIONS, rulebook

Pnp = Callable[..., Ran]

CREDIT = {"ja": "だれかのもの。", "en": "Somebody’s."}
LICENCE = {"ja": "転載を禁じます。", "en": "All rights reserved."}
KANA, JAPANESE = re.compile("[\u3041-\u30ff]"), re.compile("[\u3001-\u9fff\uff01-\uff60]")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BookProject:
    """The project with both texts in both languages, in the current folder."""
    made = BookProject(tmp_path / "project")
    for section, old, texts in (("credit", "Somebody", CREDIT), ("licence", "all rights reserved", LICENCE)):
        made.change(DATA, f"{section}: {old}\n", f"{section}: {{ja: {texts['ja']}, en: {texts['en']}}}\n")
    monkeypatch.chdir(made.root)
    return made


@pytest.mark.parametrize(("lang", "other"), [("ja", "en"), ("en", "ja")])
def test_the_imprint_speaks_the_books_language(project: BookProject, lang: str, other: str) -> None:
    assert project.book(lang).imprint[1:] == (CREDIT[lang], LICENCE[lang])
    project.change(DATA, f"licence: {{ja: {LICENCE['ja']}, en: {LICENCE['en']}}}\n", 'licence: ""\n')
    assert project.book(lang).imprint[1:] == (CREDIT[lang],)
    assert CREDIT[other] not in "".join(project.book(lang).imprint)


def test_a_plain_text_is_the_line_of_every_book(tmp_path: Path) -> None:
    made = BookProject(tmp_path / "plain")
    made.change(DATA, "licence: all rights reserved", "licence: CC BY 4.0")
    assert [made.book(lang).imprint[1:] for lang in ("ja", "en")] == [("Somebody", "CC BY 4.0")] * 2


BESIDE = "{% if second is defined %}<desc>{{ second.game.credit }}</desc>{% endif %}</svg>"
MAKING = [
    ("build", "--trust-rules"),
    ("sheets", "--lang", "ja+en", "--copies", "1"),
    ("proof",),
    ("boxes",),
    ("shop", "--preset", "offset-jp"),
]


@pytest.mark.parametrize("command", MAKING, ids=lambda command: command[0])
def test_a_files_properties_speak_its_language(project: BookProject, pnp: Pnp, command: tuple[str, ...]) -> None:
    """Author and subject of every PDF are in the language of its pages; of two languages in the first."""
    project.change("templates/higher/card.svg", "</svg>", BESIDE)
    ran = pnp(*command)
    assert ran.code == 0, ran.err
    files = list((project.root / "output").rglob("*.pdf"))
    assert files
    for path in files:
        with pikepdf.open(path) as pdf:
            lang = str(pdf.Root.Lang)
            said = f"{pdf.docinfo.get('/Author', '')} {pdf.docinfo.get('/Subject', '')}"
        other = {"ja": "en", "en": "ja"}[lang]
        assert CREDIT[lang] in said, path
        assert CREDIT[other] not in said and LICENCE[other] not in said, path


def test_a_saved_table_speaks_its_language(project: BookProject, pnp: Pnp) -> None:
    assert pnp("export", "tts", "--trust-rules").code == 0
    for lang in ("ja", "en"):
        text = (project.root / f"output/higher/tts/higher.{lang}.json").read_text(encoding="utf-8")
        assert f"{CREDIT[lang]} {LICENCE[lang]}" in json.loads(text)["Note"]


def test_templates_see_the_text_of_their_language(project: BookProject) -> None:
    """`game.credit` and `game.licence` on a face or in a book are those of its language."""
    for lang in ("ja", "en"):
        project.body("{{ game.credit }} {{ game.licence }}\n", lang=lang)
        assert [plain(block) for block in project.book(lang).blocks] == [f"{CREDIT[lang]} {LICENCE[lang]}"]


@pytest.mark.parametrize(("name", "lang"), SWEPT_EDITIONS)
def test_a_book_ends_in_its_own_language(name: str, lang: str) -> None:
    *whose, draft = rulebook(name, lang).imprint
    assert len(whose) == 3
    assert JAPANESE.search(draft) if lang == "ja" else not JAPANESE.search(draft)
    for line in whose:
        assert KANA.search(line) if lang == "ja" else not JAPANESE.search(line), line
