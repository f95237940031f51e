"""Tagged PDFs: what groups and placements say becomes elements, all else artifacts; metadata says so."""

import io
import re

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdf_samples import block, document, face, pdf, placed, sheet, symbol, words
from tagged import Link, Reader

from generator.base.display_list import FOOTER, HEADER, LAYOUT, REPEATED, Group, Item, PlacedSymbol, Tag
from generator.base.geometry import Rect
from generator.game.print_pages import PageLink

ASIDE = (1.0, 0.0, 0.0, 1.0, 1.0, 1.0)


def said(text: str, *tags: Tag, more: tuple[Item, ...] = (), moved: bool = True) -> Group:
    return Group((words(text), *more), ASIDE if moved else (1.0, 0.0, 0.0, 1.0, 0.0, 0.0), tags=tags)


def read(*pages: tuple[Item, ...], **more: object) -> Reader:
    made = document(*(sheet(items=items, width=100, height=50) for items in pages), tagged=True, **more)
    return Reader(io.BytesIO(pdf(made)))


def test_groups_inside_groups_go_further_down() -> None:
    inner = said("link", Tag("Link", 7))
    icon = Group((PlacedSymbol(symbol(block(0, 0, 1, 1)), ASIDE),), tags=(Tag("Span", actual=" star "),))
    found = read((said("before ", Tag("P", 1), more=(inner, icon, words(" after"))),)).document
    assert found.shape == ("Document", ("P", "Link", "Span"))
    assert found.text == "before link star  after"


def test_an_element_goes_on_over_pages() -> None:
    reader = read((said("one ", Tag("Sect", 1), Tag("P", 2)),), (said("two", Tag("Sect", 1), Tag("P", 2)),))
    assert reader.document.shape == ("Document", ("Sect", "P"))
    assert reader.document.text == "one two"
    assert [len(found) for found, _ in reader.pages] == [1, 1]


def test_numbers_are_the_order_and_none_is_a_new_element() -> None:
    drawn = [said(str(number), Tag("P", number)) for number in (3, 1, 2)]
    unnumbered = [said(text, Tag("P", 4), Tag("Span")) for text in "ab"]
    document = read((*drawn, *unnumbered)).document
    assert [each.text for each in document.all("P")] == ["1", "2", "3", "ab"]
    assert [each.text for each in document.all("Span")] == ["a", "b"]


def test_artifacts_are_not_in_the_structure() -> None:
    inside = Group((said("hidden", Tag("P", 9)),), tags=LAYOUT)
    things = [Group((words(kind[0].kind),), tags=kind) for kind in (REPEATED, HEADER, FOOTER)]
    reader = read((words("loose"), said("told", Tag("P", 1)), inside, *things))
    page = reader.pdf.pages[0]
    subtypes = re.findall(rb"/Artifact<<([^>]*)>>BDC", page.Contents.read_bytes())
    assert reader.document.text == "told"
    assert reader.pages[0][1] == 0
    assert subtypes[0] == b"/Type/Layout" and subtypes[-3:] == [b"/Type/Pagination", b"/Type/Pagination/Subtype/Header", b"/Type/Pagination/Subtype/Footer"]  # fmt: skip
    assert [mark.words for mark in reader.pages[0][0] if mark.number < 0][:2] == ["loose", "hidden"]


def test_an_element_without_content_is_one_all_the_same() -> None:
    cells = [Group((), tags=(Tag("Table", 1), Tag("TR", 1), Tag("TD", 2)))]
    cells += [said(str(at), Tag("Table", 1), Tag("TR", 1), Tag("TD", at)) for at in (1, 3)]
    assert [each.text for each in read(tuple(cells)).document.all("TD")] == ["1", "", "3"]


def test_elements_say_what_their_tags_say() -> None:
    """Words, language, scope, a list's marks and a figure's box are written, with brackets and signs of any script."""
    tags = (
        Tag("Figure", 1, alt="a (small) \\ card", box=Rect(10, 10, 20, 30)),
        Tag("Span", 2, actual="星"),
        Tag("TH", 3, lang="ja", scope="Column"),
        Tag("L", 4, listing="Decimal"),
    )
    reader = read(tuple(said("x", tag) for tag in tags))
    figure, span, head, listing = reader.document.kids

    assert str(figure.entry.Alt) == "a (small) \\ card"
    assert [float(side) for side in figure.attribute("/BBox")] == pytest.approx(
        [side * 72 / 25.4 for side in (10, 10, 30, 40)], abs=0.01
    )
    assert span.text == "星"
    assert (str(head.entry.Lang), str(head.attribute("/Scope"))) == ("ja", "/Column")
    assert str(listing.attribute("/ListNumbering")) == "/Decimal"


def test_links_belong_to_their_elements() -> None:
    tags = (Tag("P", 1), Tag("Link", 1))
    page = sheet(items=(said("go", *tags),), width=100, height=50)
    page = type(page)(
        page.size, page.side, page.sheet, (), page.items, (PageLink(Rect(0, 0, 9, 9), 0, 0, tags, "go (on)"),)
    )
    reader = Reader(io.BytesIO(pdf(document(page, tagged=True))))
    (link,) = reader.document.all("Link")
    (annotation,) = (kid.annotation for kid in link.kids if isinstance(kid, Link))
    assert str(annotation.Contents) == "go (on)"
    assert int(annotation.StructParent) == 1 == int(reader.pdf.Root.StructTreeRoot.ParentTreeNextKey) - 1
    assert reader.pdf.Root.StructTreeRoot.ParentTree.Nums[3].objgen == link.entry.objgen


def test_a_placed_face_is_one_figure() -> None:
    drawing = face(block(-1, -1, 12, 12), words("inside"), width=10, height=10, bleed=1, title="Lightning")
    made = document(
        sheet(placed(drawing, 5, 5), placed(drawing, 20, 5, 90), items=(block(0, 0, 1, 1),), width=50, height=50),
        tagged=True,
    )
    reader = Reader(io.BytesIO(pdf(made)))
    assert reader.document.shape == ("Document", "Figure", "Figure")
    assert [str(each.entry.Alt) for each in reader.document.all("Figure")] == ["Lightning · x#1"] * 2
    box = [float(side) for side in reader.document.kids[1].attribute("/BBox")]
    assert box == pytest.approx([side * 72 / 25.4 for side in (20, 35, 30, 45)], abs=0.01)
    assert [mark.number for mark in reader.pages[0][0]] == [0, 1, -1]


def test_an_untagged_document_has_no_marks() -> None:
    items = (said("one", Tag("P", 1)),)
    plain = pdf(document(sheet(items=items)))
    assert plain == pdf(document(sheet(items=(Group(items[0].items, ASIDE),))))
    assert b"StructTreeRoot" not in plain and b"StructParents" not in plain


def test_titles_with_signs_of_markup_are_right_in_the_metadata() -> None:
    file = read((said("x", Tag("P", 1)),), title="A & <B> 見本", author="O'Neill & Co.").pdf
    data = file.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False)
    assert data["dc:title"] == "A & <B> 見本" == str(file.docinfo.Title)
    assert data["dc:creator"] == ["O'Neill & Co."]


TREES = st.recursive(
    st.sampled_from(["a", "b", "c"]),
    lambda inner: st.tuples(
        st.sampled_from(["P", "Span", "Link", "Layout", ""]), st.booleans(), st.lists(inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.lists(TREES, max_size=5))
def test_marks_are_balanced_however_groups_nest(trees: list[object]) -> None:
    told: list[str] = []

    def item(tree: object, tells: bool) -> Item:
        if isinstance(tree, str):
            told.append(tree if tells else "")
            return words(tree)
        kind, moved, kids = tree  # type: ignore[misc]
        inner = tells and kind != "Layout"
        made = tuple(item(kid, inner) for kid in kids)
        return Group(made, ASIDE if moved else (1, 0, 0, 1, 0, 0), tags=(Tag(kind),) if kind else ())

    reader = read((Group(tuple(item(tree, True) for tree in trees), tags=(Tag("Sect", 1),)),))

    assert reader.document.text == "".join(told)
    assert reader.pages[0][1] == 0


def test_nothing_is_claimed_that_is_not_there() -> None:
    assert pikepdf.open(io.BytesIO(pdf(document(sheet(items=(words("x"),)))))).Root.get("/MarkInfo") is None
    assert read((words("x"),)).pdf.Root.MarkInfo.Marked
