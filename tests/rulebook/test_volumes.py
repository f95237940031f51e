"""A game's books: notes for its designer, and whose they are."""

import json
import re
from pathlib import Path

import pikepdf
import pytest
from conftest import Pnp
from rulebook_project import DATA, BookProject, plain
from shipped_games import GAMES, PROJECT, SWEPT_EDITIONS, rulebook, workshop
from tests_support import quick

from generator.base.errors import ProblemsFound
from generator.books.rulebook.book_templates import NOTES, QUICK_START, RULEBOOK, VOLUMES, find_volume_languages
from generator.books.rulebook.read_book import count_blocks, read_book
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.rules.registry import load_rules

NOTES_JA, NOTES_EN = "templates/higher/notes.ja.md", "templates/higher/notes.en.md"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BookProject:
    """The project with notes in both languages, in the current folder."""
    made = BookProject(tmp_path / "project")
    made.write(NOTES_JA, "# 覚え書き {#notes}\n\n```state\n```\n")
    made.write(NOTES_EN, "# Notes {#notes}\n\nOpen.\n")
    for lang in ("ja", "en"):
        made.write(f"templates/higher/{QUICK_START.get_template_name(lang)}", "```part #rules\n```\n")
    monkeypatch.chdir(made.root)
    return made


def test_notes_name_themselves_below_the_games_title(project: BookProject) -> None:
    """In place of the overview; draft and date in place of players and age. Other files are told apart by both."""
    project.change(DATA, "licence:", "overview: {ja: 概要, en: All about tricks.}\nlicence:")
    book = project.book("en", NOTES)
    assert (book.cover.title, book.cover.subtitle) == ("Higher", "Notes for the designer")
    assert book.cover.facts == ("Draft 3", "2026-01-31")
    assert book.title == "Higher: Notes for the designer"
    assert project.book("ja", NOTES).cover.subtitle == "デザイナーのための覚え書き"
    assert project.book("en").title == "Higher"


def test_notes_need_not_mark_the_terms(project: BookProject) -> None:
    project.write("templates/higher/rulebook.en.md", "# Play {#play}\n\nNothing is marked.\n")
    assert [plain(block) for block in project.book("en", NOTES).blocks] == ["Notes", "Open."]
    assert any("never marks the term" in problem for problem in project.problems())


def test_mistakes_are_told_of_the_book_that_has_them(project: BookProject) -> None:
    project.write(NOTES_EN, "# Notes {#notes}\n\nThere are 12.\n")
    assert project.problems() == []
    with pytest.raises(ProblemsFound) as caught:
        project.book("en", NOTES)
    assert [str(problem).split(": ")[0] for problem in caught.value.problems] == [f"{NOTES_EN}:3:11"]


@pytest.mark.parametrize("volume", VOLUMES, ids=lambda volume: volume.name)
def test_a_book_is_in_all_languages_or_none(project: BookProject, volume: object) -> None:
    assert isinstance(volume, type(NOTES))
    ja, en = (project.root / "templates/higher" / volume.get_template_name(lang) for lang in ("ja", "en"))
    assert find_volume_languages(project.workshop()[1], volume) == ("ja", "en")
    en.unlink()
    with pytest.raises(ProblemsFound) as caught:
        find_volume_languages(project.workshop()[1], volume)
    (problem,) = caught.value.problems
    assert f"higher/{volume.name}.en.md: the {volume.called} is missing" in str(problem)
    ja.unlink()
    assert find_volume_languages(project.workshop()[1], volume) == ()


@pytest.mark.parametrize("name", PROJECT.games)
def test_shipped_games_tell_who_would_notice(name: str) -> None:
    readings = workshop(name).game.readings.values()
    assert [reading.id for reading in readings if reading.notices is None] == []
    assert [reading.id for reading in readings if len(reading.choices) > 1 and not reading.means] == []


@pytest.mark.slow
@pytest.mark.parametrize("game", quick(GAMES, "fortuna", "journey8"))
def test_each_chapter_shows_as_much_in_every_language(game: str) -> None:
    """Headings, examples, tables and figures of rulebook and quick start; no reader gets less than another."""
    shop = workshop(game)
    played = RulebookPlay(shop.game, lambda: load_rules(shop.game))
    for volume in (RULEBOOK, QUICK_START):
        books = (read_book(shop, lang, played, volume) for lang in shop.game.languages)
        shown = [{place: n for place, n in count_blocks(book).items() if place != "blocks"} for book in books]
        assert shown[0] and all(one == shown[0] for one in shown[1:]), volume.name


def test_validation_tells_chapters_that_show_less_in_a_language(project: BookProject, pnp: Pnp) -> None:
    name = "book.notes.languages"
    project.write(NOTES_JA, "# 覚え書き {#notes}\n\n空き。\n")

    def result() -> dict[str, str]:
        checks = json.loads(pnp("validate", "--trust-rules", "--games", "0", "--format", "json").out)["games"][0][
            "checks"
        ]
        return next(check for check in checks if check["id"] == name)

    assert result()["status"] == "pass"
    project.write(NOTES_EN, "# Notes {#notes}\n\n| a | b |\n|---|---|\n| c | d |\n")
    assert result()["status"] == "undecided"
    assert result()["figures"] == "#notes tables: 0 in ja, 1 in en"


CREDIT = {"ja": "だれかのもの。", "en": "Somebody’s."}
LICENCE = {"ja": "転載を禁じます。", "en": "All rights reserved."}
KANA, JAPANESE = re.compile("[\u3041-\u30ff]"), re.compile("[\u3001-\u9fff\uff01-\uff60]")


@pytest.fixture
def project_credit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BookProject:
    """The project with both texts in both languages, in the current folder."""
    made = BookProject(tmp_path / "project_credit")
    for section, old, texts in (("credit", "Somebody", CREDIT), ("licence", "all rights reserved", LICENCE)):
        made.change(DATA, f"{section}: {old}\n", f"{section}: {{ja: {texts['ja']}, en: {texts['en']}}}\n")
    monkeypatch.chdir(made.root)
    return made


@pytest.mark.parametrize(("lang", "other"), [("ja", "en"), ("en", "ja")])
def test_the_imprint_speaks_the_books_language(project_credit: BookProject, lang: str, other: str) -> None:
    assert project_credit.book(lang).imprint[1:] == (CREDIT[lang], LICENCE[lang])
    project_credit.change(DATA, f"licence: {{ja: {LICENCE['ja']}, en: {LICENCE['en']}}}\n", 'licence: ""\n')
    assert project_credit.book(lang).imprint[1:] == (CREDIT[lang],)
    assert CREDIT[other] not in "".join(project_credit.book(lang).imprint)


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
def test_a_files_properties_speak_its_language(project_credit: BookProject, pnp: Pnp, command: tuple[str, ...]) -> None:
    project_credit.change("templates/higher/card.svg", "</svg>", BESIDE)
    ran = pnp(*command)
    assert ran.code == 0, ran.err
    files = list((project_credit.root / "output").rglob("*.pdf"))
    assert files
    for path in files:
        with pikepdf.open(path) as pdf:
            lang = str(pdf.Root.Lang)
            said = f"{pdf.docinfo.get('/Author', '')} {pdf.docinfo.get('/Subject', '')}"
        other = {"ja": "en", "en": "ja"}[lang]
        assert CREDIT[lang] in said, path
        assert CREDIT[other] not in said and LICENCE[other] not in said, path


def test_a_saved_table_speaks_its_language(project_credit: BookProject, pnp: Pnp) -> None:
    assert pnp("export", "tts", "--trust-rules").code == 0
    for lang in ("ja", "en"):
        text = (project_credit.root / f"output/higher/tts/higher.{lang}.json").read_text(encoding="utf-8")
        assert f"{CREDIT[lang]} {LICENCE[lang]}" in json.loads(text)["Note"]


def test_templates_see_the_text_of_their_language(project_credit: BookProject) -> None:
    """`game.credit` and `game.licence` on a face or in a book are those of its language."""
    for lang in ("ja", "en"):
        project_credit.body("{{ game.credit }} {{ game.licence }}\n", lang=lang)
        assert [plain(block) for block in project_credit.book(lang).blocks] == [f"{CREDIT[lang]} {LICENCE[lang]}"]


@pytest.mark.parametrize(("name", "lang"), SWEPT_EDITIONS)
def test_a_book_ends_in_its_own_language(name: str, lang: str) -> None:
    *whose, draft = rulebook(name, lang).imprint
    assert len(whose) == 3
    assert JAPANESE.search(draft) if lang == "ja" else not JAPANESE.search(draft)
    for line in whose:
        assert KANA.search(line) if lang == "ja" else not JAPANESE.search(line), line
