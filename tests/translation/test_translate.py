"""`pnp translate`: a game's texts out to translators and back, end to end, and everything that can be wrong with a file."""

import random
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Ran
from tests_support import TinyProject

from generator.game.translations import Catalogue, Translation, format_po, parse_po

GAME = "data/tiny/game.yaml"
BOOK = """\
# Aim {#aim}

Have more {star} than the others, **{{ rules.most }}** at most. See [there](#aim).

- The first thing.
- The second thing.

```figure
show: one
of: card/one
alt: A card.
caption: "The \\"best\\""
```
"""
GERMAN = {
    "Tiny": "Winzig", "Star": "Stern", "Card": "Karte", "One": "Eins", "Two": "Zwei", "Somebody": "Jemand",
    "Aim": "Ziel",
    "Have more {star} than the others, **{{ rules.most }}** at most. See [there](#aim).": "Hab mehr {star} als die anderen, höchstens **{{ rules.most }}**. Siehe [dort](#aim).",
    "The first thing.": "Das Erste.", "The second thing.": "Das Zweite.", "A card.": "Eine Karte.",
    'The "best"': 'Die „Beste" von allen',
}  # fmt: skip
Pnp = Callable[..., Ran]


@pytest.fixture
def book(tiny: TinyProject) -> TinyProject:
    """The tiny project, whose texts name no language, with a rulebook."""
    tiny.change(GAME, "setup:", "rules:\n  most: 7\nsetup:")
    tiny.write("templates/tiny/rulebook.en.md", BOOK)
    return tiny


def exported(project: TinyProject, pnp: Pnp, *more: str) -> Catalogue:
    assert pnp("translate", "export", "tiny", "--to", "de", *more).code == 0
    file = project.root / "output/tiny/translation.de.po"
    return parse_po(file.read_text(encoding="utf-8"), "a.po")


def german(catalogue: Catalogue) -> Catalogue:
    entries = [replace(one, text=GERMAN.get(one.source, one.text)) for one in catalogue.entries]
    return Catalogue(catalogue.header, tuple(entries))


def saved(project: TinyProject, text: str) -> Path:
    file = project.root / "done.po"
    file.write_bytes(text.encode())
    return file


@pytest.fixture
def words_of(tool: Callable[[str], str]) -> Callable[[Path], str]:
    """All words of a PDF, each line's one space apart."""

    def words(file: Path) -> str:
        run = [tool("pdftotext"), "-raw", str(file), "-"]
        return " ".join(subprocess.run(run, capture_output=True, check=True).stdout.decode().split())

    return words


def sources(catalogue: Catalogue) -> set[str]:
    return {one.source for one in catalogue.entries}


def test_all_texts_of_data_and_books_are_exported(book: TinyProject, pnp: Pnp) -> None:
    """Names, texts of cards, passages of the book; ids, numbers and keys of blocks are none. Each says where it stands."""
    found = exported(book, pnp)
    assert sources(found) == set(GERMAN) - {"Somebody"} or sources(found) == set(GERMAN)
    one = next(entry for entry in found.entries if entry.source == "One")
    assert one.key == "components.card.designs.one.title"
    assert one.references == ("data/tiny/game.yaml:22",) or one.references[0].startswith("data/tiny/game.yaml:")
    assert "picture: pictures/de/card-one.front.en.png" in one.notes
    assert (book.root / "output/tiny/pictures/de/card-one.front.en.png").read_bytes()[:4] == b"\x89PNG"


def test_a_translation_is_printed(book: TinyProject, pnp: Pnp, words_of: Callable[[Path], str]) -> None:
    """Exported, translated, imported: sheets and book in German, and those in English as they were."""
    assert pnp("build", "--lang", "en").code == 0
    before = ((book.root / "output/tiny/rulebook.en.pdf").read_bytes(), (book.root / "output/tiny/sheets.en.pdf").read_bytes())  # fmt: skip
    found = pnp("translate", "import", "tiny", str(saved(book, format_po(german(exported(book, pnp))))))
    assert found.code == 0, found.err
    assert pnp("build").code == 0
    assert not list((book.root / "output/tiny").glob("*.de.*df")), "nobody asked for German"
    assert before == ((book.root / "output/tiny/rulebook.en.pdf").read_bytes(), (book.root / "output/tiny/sheets.en.pdf").read_bytes())  # fmt: skip

    assert pnp("build", "--lang", "de").code == 0
    assert "Eins" in words_of(book.root / "output/tiny/sheets.de.pdf")
    said = words_of(book.root / "output/tiny/rulebook.de.pdf")
    assert "Hab mehr" in said
    assert 'Die „Beste" von allen' in said


def test_a_round_trip_loses_nothing(book: TinyProject, pnp: Pnp) -> None:
    """Out, in, out: what was translated, remarks and flags are there again; so are texts that the game has no more."""
    done = german(exported(book, pnp))
    entries = list(done.entries)
    entries[0] = replace(entries[0], remarks=("is this right?",), fuzzy=True)
    random.Random(1).shuffle(entries)
    text = format_po(Catalogue({**done.header, "X-Editor": "1"}, tuple(entries))).replace("\n", "\r\n")
    assert pnp("translate", "import", "tiny", str(saved(book, "\ufeff" + text))).code == 0
    again = exported(book, pnp)
    assert {(one.key, one.source, one.text, one.fuzzy, one.remarks) for one in again.entries} == {
        (one.key, one.source, one.text, one.fuzzy, one.remarks) for one in entries
    }
    assert again.header["X-Editor"] == "1"

    book.change(GAME, "title: Two", "title: Three")
    book.change("templates/tiny/rulebook.en.md", "- The second thing.\n", "")
    later = exported(book, pnp)
    changed = next(one for one in later.entries if one.source == "Three")
    assert (changed.text, changed.fuzzy, changed.previous) == ("Zwei", True, "Two")
    assert [one.text for one in later.entries if one.obsolete] == ["Das Zweite."]


def test_what_is_not_translated_is_told(book: TinyProject, pnp: Pnp) -> None:
    """A text without a translation stands in English, and the command says how many there are."""
    part = [replace(one, text="" if one.source == "One" else one.text) for one in german(exported(book, pnp)).entries]
    assert (
        pnp("translate", "import", "tiny", str(saved(book, format_po(Catalogue({"Language": "de"}, tuple(part)))))).code
        == 0
    )
    said = pnp("sheets", "--lang", "de")
    assert said.code == 0
    assert "texts have no translation into 'de' and appear in 'en'" in said.err


WRONG = {
    "nothing": (
        "translate('One', key='components.card.designs.four.title')",
        "this game has no text 'components.card.",
    ),
    "mark": ("translate('Have', text='Hab mehr als die anderen.')", "has lost {star}"),
    "value": ("translate('Have', text='Hab mehr {star}, siehe [dort](#aim).')", "has lost {{ rules.most }}"),
    "icon": ("translate('One', text='Eins {moon}')", "contains {moon}, but the source text does not"),
    "markup": ("translate('One', text='Eins {{ nothing.at.all }}')", "done.po:"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_translation_is_told_at_its_place(wrong: str, book: TinyProject, pnp: Pnp) -> None:
    """At line and column of the file that was given; nothing is written."""
    done = german(exported(book, pnp))

    def translate(begins: str, **other: str) -> Catalogue:
        entries = [replace(one, **other) if one.source.startswith(begins) else one for one in done.entries]  # type: ignore[arg-type]
        return Catalogue(done.header, tuple(entries))

    change, message = WRONG[wrong]
    file = saved(book, format_po(eval(change, {"translate": translate})))  # noqa: S307 - of the table above
    said = pnp("translate", "import", "tiny", str(file))
    lines = file.read_text(encoding="utf-8").split("\n")

    assert said.code == 1
    assert message in said.err
    place = said.err.split("done.po:")[1].split(":")
    assert lines[int(place[0]) - 1].startswith("msgstr")
    assert not (book.root / "data/tiny/translations").exists()
    assert not (book.root / "templates/tiny/rulebook.de.md").exists()


def test_wrong_languages_are_told(book: TinyProject, pnp: Pnp) -> None:
    """Into a language that the data have, into none, into another than the file's, from one that the game has not."""
    done = german(exported(book, pnp))
    assert "already contains texts in" in pnp("translate", "export", "tiny", "--to", "en").err
    assert "is not a language code" in pnp("translate", "export", "tiny", "--to", "German").err
    for header, more, told in (
        ({}, (), "done.po:1:1: the file does not name its language"),
        ({"Language": "fr"}, ("--to", "de"), "done.po:1:1: the file is in 'fr', not in 'de'"),
        ({"Language": "de", "X-Source-Language": "ja"}, (), "the data of this game has no texts in 'ja'"),
    ):
        said = pnp("translate", "import", "tiny", str(saved(book, format_po(Catalogue(header, done.entries)))), *more)
        assert (said.code, told in said.err) == (1, True), said.err


@pytest.mark.parametrize("name", ["de.xlf", "de.XLIFF"])
def test_import_names_a_converter_for_xliff(name: str, tiny: TinyProject, pnp: Pnp) -> None:
    """An XLIFF file is refused in one message; it is not parsed as PO."""
    tiny.write(name, "<xliff/>")
    ran = pnp("translate", "import", "tiny", str(tiny.root / name))
    assert (ran.code, ran.err.splitlines()[0]) == (
        1,
        f"{name}: this is an XLIFF file, and only PO files can be imported; "
        "convert it to PO, for example with xliff2po of the Translate Toolkit",
    )


def test_a_book_that_somebody_wrote_stays(book: TinyProject, pnp: Pnp) -> None:
    """A rulebook in the language that no translation has made is not replaced."""
    book.write("templates/tiny/rulebook.de.md", "# Ziel {#aim}\n")
    said = pnp("translate", "import", "tiny", str(saved(book, format_po(german(exported(book, pnp))))))
    assert said.code == 1
    assert "templates/tiny/rulebook.de.md: this book was written by hand" in said.err
    assert not (book.root / "data/tiny/translations").exists()


def test_what_does_not_fit_is_told_before_it_is_printed(book: TinyProject, pnp: Pnp) -> None:
    """By how much, at the translation's line; the file is taken in all the same."""
    book.change("templates/tiny/card.svg", 'height="10" font', 'height="4" min-size="8pt" font')
    done = german(exported(book, pnp))
    long = [
        replace(one, text="Eine sehr lange Karte, die kein Ende nimmt") if one.source == "One" else one
        for one in done.entries
    ]
    said = pnp("translate", "import", "tiny", str(saved(book, format_po(Catalogue(done.header, tuple(long))))))
    assert said.code == 0
    assert "does not fit" in said.err
    assert "done.po:" in said.err
    assert (book.root / "data/tiny/translations/de.po").is_file()


def test_entries_lost_on_the_way_stay(book: TinyProject, pnp: Pnp) -> None:
    """A file with a part of the texts changes these alone."""
    done = german(exported(book, pnp))
    assert pnp("translate", "import", "tiny", str(saved(book, format_po(done)))).code == 0
    one: tuple[Translation, ...] = tuple(replace(each, text="EINS") for each in done.entries if each.source == "One")
    assert pnp("translate", "import", "tiny", str(saved(book, format_po(Catalogue(done.header, one))))).code == 0
    kept = parse_po((book.root / "data/tiny/translations/de.po").read_text(encoding="utf-8"), "a.po")
    assert {each.text for each in kept.entries} >= {"EINS", "Zwei", "Das Erste."}


def test_a_book_that_its_original_has_outrun_is_told(book: TinyProject, pnp: Pnp) -> None:
    """A passage that has changed, and a book that an import would make anew."""
    assert pnp("translate", "import", "tiny", str(saved(book, format_po(german(exported(book, pnp)))))).code == 0
    assert "note: " not in pnp("rulebook", "--lang", "de").err
    book.change("templates/tiny/rulebook.en.md", "- The second thing.", "- The very second thing.")
    said = pnp("rulebook", "--lang", "de")
    assert said.code == 0
    assert "de.po: 1 of 6 passages of the books are not translated into 'de', or have changed since" in said.err
    assert "templates/tiny/rulebook.de.md: this book differs from templates/tiny/rulebook.en.md" in said.err


def test_a_language_brings_its_own_words(book: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in a folder of one's own is enough; what it lacks is said in English, and told."""
    from generator.base import cache, languages

    def forget() -> None:
        for known in (
            languages._find_forms,
            languages._read_language_file,
            languages._load_phrases,
            languages._find_language_files,
            languages.find_missing_phrases,
        ):
            known.cache_clear()
        cache.hash_program.cache_clear()

    entries = german(exported(book, pnp)).entries
    assert (
        pnp("translate", "import", "tiny", "--to", "fr", str(saved(book, format_po(Catalogue({}, entries))))).code == 0
    )
    assert "words of pnp" in pnp("sheets", "--lang", "fr").err
    book.write("own/fr.yaml", "front: recto\nback: verso\n")
    monkeypatch.setenv("PNP_WORDS", str(book.root / "own"))
    forget()
    try:
        assert languages.phrase("front", "fr-CA") == "recto"
        assert "front" not in languages.find_missing_phrases("fr")
        assert "draft" in languages.find_missing_phrases("fr")
    finally:
        monkeypatch.delenv("PNP_WORDS")
        forget()
