"""A book as EPUB: a container that e-readers open, XHTML that is well-formed, every link and file where it is said."""

import io
import re
import shutil
import subprocess
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from shipped_games import SWEPT_EDITIONS, rulebook, rulebook_pages
from shipped_games import workshop as shipped
from small_book import book, text, workshop

from generator.books.epub import make_epub
from generator.books.page.blocks import BlockGroup, Book, Cover, Heading, Index, Link, Paragraph, Term, VerticalText
from generator.books.page.book_pages import typeset_book
from generator.books.web_page import make_web_page
from generator.game.rich_text import Icon

LANGUAGES = ("ja", "en")
OPF = "{http://www.idpf.org/2007/opf}"
DC = "{http://purl.org/dc/elements/1.1/}"
XHTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"


def made(of: Book) -> bytes:
    """The EPUB of a book, with the pages that it has on paper."""
    out, shop = io.BytesIO(), workshop()
    shop.write_document(typeset_book(of, shop), out)
    return make_epub(of, workshop(), out.getvalue())


def files(content: bytes) -> Mapping[str, bytes]:
    """The files of an EPUB by name, in their order."""
    archive = zipfile.ZipFile(io.BytesIO(content))
    return {entry.filename: archive.read(entry) for entry in archive.infolist()}


def small(*blocks: object, lang: str = "en") -> Book:
    return Book("harbour", lang, Cover("Harbour", "", ()), blocks, ())


def tree(content: bytes) -> ElementTree.Element:
    return ElementTree.fromstring(content.decode("utf-8").replace("<!DOCTYPE html>\n", ""))  # noqa: S314 - our own


@pytest.fixture(scope="module", params=LANGUAGES)
def whole(request: pytest.FixtureRequest) -> tuple[str, bytes]:
    """The EPUB of a book with every block, and its language."""
    return request.param, made(book(request.param))


def test_the_same_book_gives_the_same_bytes(whole):
    lang, content = whole
    assert made(book(lang)) == content
    assert {entry.date_time for entry in zipfile.ZipFile(io.BytesIO(content)).infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_reader_knows_the_container(whole):
    entries = zipfile.ZipFile(io.BytesIO(whole[1])).infolist()
    assert entries[0].filename == "mimetype" and entries[0].compress_type == zipfile.ZIP_STORED
    assert whole[1][30:58] == b"mimetypeapplication/epub+zip"
    (root,) = [one for one in tree(files(whole[1])["META-INF/container.xml"]).iter() if "full-path" in one.attrib]
    assert root.attrib["full-path"] == "EPUB/package.opf"


def test_the_list_names_every_file(whole):
    found = files(whole[1])
    package = tree(found["EPUB/package.opf"])
    items = {one.attrib["id"]: one.attrib for one in package.iter(f"{OPF}item")}
    inside = {f"EPUB/{one['href']}" for one in items.values()} | {"EPUB/package.opf"}
    assert inside == {name for name in found if name.startswith("EPUB/")}
    order = [one.attrib["idref"] for one in package.iter(f"{OPF}itemref")]
    assert order[:2] == ["title", "nav"] and len(order) == len(set(order)) and set(order) <= set(items)
    for one in items.values():
        drawn = b"<svg" in found[f"EPUB/{one['href']}"]
        assert (one.get("properties") == "svg") == drawn, one
    assert [one["href"] for one in items.values() if one.get("properties") == "cover-image"] == ["cover.png"]
    assert found["EPUB/cover.png"].startswith(b"\x89PNG")


def test_the_book_says_what_it_is(whole):
    """Title, language, line below the title, date, and the same name for the same book, whatever is in it."""
    lang, content = whole
    package = tree(files(content)["EPUB/package.opf"])
    said = {one.tag.removeprefix(DC): one.text for one in package.iter() if one.tag.startswith(DC)}
    cover = book(lang).cover
    assert (said["title"], said["language"], said["description"]) == (cover.title, lang, cover.subtitle)
    assert said["date"] == "2026-01-31"
    metas = {one.attrib["property"]: one.text for one in package.iter(f"{OPF}meta")}
    assert metas["dcterms:modified"] == "2026-01-31T00:00:00Z"

    def name(of: Book) -> str:
        found = re.search(r"urn:uuid:[0-9a-f-]{36}", files(made(of))["EPUB/package.opf"].decode())
        assert found is not None
        return found[0]

    one = small(Heading(1, text("One"), "one"), lang=lang)
    assert said["identifier"] == name(one)
    assert len({name(one), name(replace(one, name="notes")), name(replace(one, game="other"))}) == 3


def test_every_link_arrives(whole):
    """From file to file or inside one, in text, contents and drawings; no id is given twice in a file."""
    found = {name.removeprefix("EPUB/"): tree(data) for name, data in files(whole[1]).items() if name.endswith("xhtml")}
    ids = {file: [one.attrib["id"] for one in root.iter() if "id" in one.attrib] for file, root in found.items()}
    assert all(len(names) == len(set(names)) for names in ids.values())
    links = 0
    for file, root in found.items():
        for one in root.iter():
            target = one.attrib.get("href", "")
            if one.tag in (f"{XHTML}a", f"{SVG}use"):
                to, _, anchor = target.partition("#")
                assert anchor.replace("%25", "%") in ids[to or file], (file, target)
                links += bool(to)
            for value in one.attrib.values():
                assert set(re.findall(r"url\(#([^)]+)\)", value)) <= set(ids[file])
    assert links > 10


def test_contents_lead_to_chapters_and_sections(whole):
    nav = tree(files(whole[1])["EPUB/nav.xhtml"])
    listed = ["".join(one.itertext()) for one in nav.iter(f"{XHTML}a")]
    titles = []
    for name, data in files(whole[1]).items():
        if "chapter" in name:
            titles += ["".join(one.itertext()) for one in tree(data).iter() if one.tag in (f"{XHTML}h2", f"{XHTML}h3")]
    assert listed == titles and len(listed) > 3


def test_every_picture_has_words(whole):
    for name, data in files(whole[1]).items():
        if name.endswith("xhtml"):
            for one in tree(data).iter():
                if one.tag == f"{SVG}svg" and one.attrib.get("class") != "store":
                    assert one.attrib["role"] == "img" and one.attrib["aria-label"].strip()
                if one.tag == f"{XHTML}img":
                    assert one.attrib["alt"] == book(whole[0]).cover.title


def test_chapters_are_files_and_the_index_comes_last():
    uses = (Heading(1, text("Two"), "two"), Paragraph((Term("deck", "deck"), Link("see", "one"))))
    index = Index(text("Index"), ((text("The deck"), "deck"),))
    found = files(made(small(Paragraph(text("Before.")), Heading(1, text("One"), "one"), index, *uses)))
    chapters = {name: data.decode() for name, data in found.items() if "chapter" in name}
    assert list(chapters) == [f"EPUB/chapter-0{at}.xhtml" for at in (1, 2, 3, 4)]
    assert "Before." in chapters["EPUB/chapter-01.xhtml"]
    assert 'href="chapter-04.xhtml#two"' in chapters["EPUB/chapter-03.xhtml"]
    assert 'href="chapter-02.xhtml#one"' in chapters["EPUB/chapter-04.xhtml"]
    assert 'href="chapter-03.xhtml#index:deck"' in chapters["EPUB/chapter-04.xhtml"]


def test_a_chapter_inside_a_group_is_a_file_and_an_entry():
    """A chapter on facing pages is a chapter of the EPUB like every other."""
    spread = BlockGroup((Heading(1, text("Two"), "two"), Paragraph(text("Within."))), manner="spread")
    found = files(made(small(Heading(1, text("One"), "one"), Paragraph(text("Before.")), spread)))
    assert "Within." in found["EPUB/chapter-02.xhtml"].decode()
    assert [(one.attrib["href"], one.text) for one in tree(found["EPUB/nav.xhtml"]).iter(f"{XHTML}a")] == [
        ("chapter-01.xhtml#one", "One"),
        ("chapter-02.xhtml#two", "Two"),
    ]


def test_a_prologue_stands_upright_in_japanese():
    found = files(made(small(VerticalText((text("第12章"),), text("序")), lang="ja")))
    assert b'<section class="upright"' in found["EPUB/chapter-01.xhtml"]
    assert b"writing-mode: vertical-rl" in found["EPUB/style.css"]


@pytest.mark.slow
def test_epubcheck_finds_nothing(whole, tmp_path: Path):
    java, checker = shutil.which("java"), Path("/usr/share/java/epubcheck.jar")
    if java is None or not checker.is_file():
        pytest.skip("needs Debian's epubcheck")
    file = tmp_path / "book.epub"
    file.write_bytes(whole[1])
    ran = subprocess.run([java, "-jar", str(checker), str(file)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0 and "0 fatals / 0 errors / 0 warnings" in ran.stdout, ran.stdout + ran.stderr


def idle_uses(page: str) -> set[str]:
    """The shapes that a file refers to and does not have."""
    there = set(re.findall(r' id="([^"]+)"', page))
    return set(re.findall(r'(?:<use [^>]*href="#|url\(#)([^")]+)', page)) - there


@pytest.mark.slow
@pytest.mark.parametrize(("name", "lang"), SWEPT_EDITIONS)
def test_pictures_of_the_games_books_have_their_shapes(name: str, lang: str):
    shop, out = shipped(name), io.BytesIO()
    shop.write_document(rulebook_pages(name, lang), out)
    found = files(make_epub(rulebook(name, lang), shop, out.getvalue()))
    pages = {name: content.decode() for name, content in found.items() if name.endswith("html")}
    pages["web page"] = make_web_page(rulebook(name, lang), shop)
    assert {name: idle for name, page in pages.items() if (idle := idle_uses(page))} == {}


def test_every_file_has_the_shapes_that_it_uses():
    star = (Icon("star"),)
    one = (Heading(1, (*text("One"), *star), "one"), Paragraph((Term("deck", "deck"), *star)))
    two = (Heading(1, text("Two"), "two"), Paragraph((Term("deck", "deck"),)))
    found = files(made(small(*one, *two, Index(text("Index"), ((text("The deck"), "deck"),)))))
    for name, content in found.items():
        if name.endswith(".xhtml"):
            assert not idle_uses(content.decode()), name
    assert all(b"<use " in found[f"EPUB/{name}.xhtml"] for name in ("nav", "chapter-01", "chapter-03"))
