"""Markup to elements: places survive loops and includes, and what is not well-formed is told with its line."""

import pytest

from generator.base.errors import Place, ProblemsFound
from generator.drawing.svg.tree import Element, parse_markup_tree
from generator.drawing.templates.template_sources import TagStamper


def place(stamp: str) -> Place:
    return Place("t.svg", *map(int, stamp.split(":")[-2:])) if stamp else Place("t.svg")


def tree(markup: str) -> Element:
    root, problems = parse_markup_tree(markup.encode(), place, "art")
    assert problems == []
    return root


def refusal(markup: str, *, stamped: bool = False) -> str:
    """What the reader is told about markup that cannot be read."""
    with pytest.raises(ProblemsFound) as caught:
        parse_markup_tree(markup.encode(), place, "template" if stamped else "art")
    return str(caught.value)


def test_elements_know_attributes_text_and_line() -> None:
    root = tree('<svg>\n<g id="a">\n<!--𠮷--><text x="1">a &lt; b\n<title>T</title>c</text></g></svg>')
    group = root.children[0]
    text = group.children[0]
    assert (root.tag, group.attributes, text.attributes) == ("svg", {"id": "a"}, {"x": "1"})
    assert text.text == "a < b\nc"
    assert text.child_text("title") == "T"
    assert [root.at, group.at, text.at] == ["1:1", "2:1", "3:9"]


def test_equal_elements_have_equal_sources() -> None:
    markup = "<svg><rect x='1'/> <rect x='1'/><g><rect x='1'/></g ><g a='é'><b/></g></svg>"
    root, _ = parse_markup_tree(markup.encode(), place, "template")
    first, second, group, other = root.children
    assert first.source == second.source == group.children[0].source == b"<rect x='1'/>"
    assert group.source != other.source
    assert other.source == "<g a='é'><b/>".encode()


def test_stamps_win_over_output_lines() -> None:
    root, _ = parse_markup_tree(b'<svg _at="0:4:1">\n<g _at="0:9:3"><rect/></g></svg>', place, "template")
    assert [root.at, root.children[0].at, root.children[0].children[0].at] == ["0:4:1", "0:9:3", "0:9:3"]
    assert "_at" not in root.attributes


@pytest.mark.parametrize(
    ("markup", "message"),
    [
        ("<svg>\n<g></svg>", "t.svg:2:6: the markup is not well-formed: <g> of line 2 is still open; write </g> before this"),
        ("<svg>\n<g>", "t.svg:2:4: the markup is not well-formed: <g> of line 2 is still open; write </g> before this"),
        ("<svg>\n\n<g a=1/></svg>", 't.svg:3:6: the markup is not well-formed: the value of a has no quotes; write a="..."'),
        ("<svg>\n&nbsp;</svg>", "t.svg:2:1: the markup is not well-formed: a name between & and ; is unknown; write the character itself"),
        ("", "t.svg: the file is empty; draw an <svg> in it"),
    ],
)  # fmt: skip
def test_malformed_markup_names_its_line(markup: str, message: str) -> None:
    assert refusal(markup) == message


def test_malformed_output_names_the_templates_line() -> None:
    markup = '<svg _at="0:1:1"><g _at="0:40:2"/><rect _at="0:41:3" x=1/><g _at="0:42:4"/></svg>'
    assert refusal("<!DOCTYPE svg>\n<svg/>", stamped=True) == "t.svg: a DOCTYPE is not allowed; leave it out"
    told = 't.svg:41:3: the markup is not well-formed: the value of x has no quotes; write x="..."'
    assert refusal(markup, stamped=True) == told


def test_depth_and_number_are_bounded() -> None:
    """A drawing nested too deep or of too many elements is refused, not recursed into."""
    assert (
        refusal("<g>" * 121 + "</g>" * 121)
        == "t.svg:1:361: the drawing is too large: nested more than 120 deep; simplify it"
    )
    assert refusal("<g>" * 61 + "</g>" * 61, stamped=True).endswith("nested more than 60 deep; simplify it")
    assert tree("<g>" * 120 + "</g>" * 120).tag == "g"
    assert (
        refusal(f"<g>{'<a/>' * 50_000}</g>")
        == "t.svg:1:200000: the drawing is too large: more than 50,000 elements; simplify it"
    )


def test_loose_text_is_told() -> None:
    _, problems = parse_markup_tree(b"<svg _at='0:1:1'>\n<g _at='0:2:1'>\n  hello\n world</g></svg>", place, "template")
    assert [str(problem) for problem in problems] == [
        "t.svg:2:1: text 'hello world' is directly inside <g>; put it in a <text> or <textbox>"
    ]


def stamped(*pieces: str, ends: bool = False, source: str = "") -> str:
    """The pieces of one template with stamps, each beginning on line 1; they are its whole source if none is given."""
    stamper = TagStamper(3, source or "".join(pieces))
    return "".join(stamper.stamp_tags(piece, 1, ends) for piece in pieces)


def test_start_tags_are_stamped() -> None:
    """Start tags get file, line and column behind their name; end tags, spaces and signs none."""
    assert stamped('<g>\n<a:b-c x="<"/></g> 1 < 2') == '<g _at="3:1:1">\n<a:b-c _at="3:2:1" x="<"/></g> 1 < 2'


def test_comments_and_cdata_are_left_alone() -> None:
    untouched = "<!-- <g> -->"
    assert stamped(untouched) == untouched
    assert stamped("<t><![CDATA[<g>", "<h>", "]]><i>") == '<t _at="3:1:1"><![CDATA[<g><h>]]><i _at="3:1:22">'
    assert stamped("<!-- <![CDATA[ --><g>") == '<!-- <![CDATA[ --><g _at="3:1:19">'


def test_a_name_cut_off_is_stamped_only_when_complete() -> None:
    """`<re{{ x }}` is no finished name; `<g{% if %} ...` is one."""
    assert stamped("<re") == "<re"
    assert stamped("<g", ends=True) == '<g _at="3:1:1"'


def test_columns_are_those_of_the_source() -> None:
    """The same tag in a comment, an expression or a block of Jinja before it does not mislead; pieces come in order."""
    source = "{# <g> #}{{ '<g>' }}猫<g>{% if '<g>' %}<g>"
    assert stamped("猫<g>", "<g>", source=source) == '猫<g _at="3:1:22"><g _at="3:1:39">'


def test_a_piece_that_is_not_in_the_source_keeps_its_line() -> None:
    assert stamped("\n<g>", source="<h>") == '\n<g _at="3:2:0">'


def test_a_doctype_has_a_place() -> None:
    """It takes no attribute, so a comment before it carries its place, and the complaint is placed there."""
    markup = stamped(" \n <!DOCTYPE svg><svg/>")
    assert markup == ' \n <!-- _at="3:2:2"--><!DOCTYPE svg><svg _at="3:2:16"/>'
    assert refusal(markup, stamped=True) == "t.svg:2:2: a DOCTYPE is not allowed; leave it out"
    assert (
        refusal("hello", stamped=True)
        == "t.svg: the markup is not well-formed: it does not begin with an element; begin it with <svg>"
    )


@pytest.mark.parametrize("forged", ["a:b", "99:1:1", "7", ":"])
def test_a_forged_stamp_counts_as_none(forged: str) -> None:
    def locate(stamp: str) -> Place:
        known = stamp.split(":")
        return Place("card.svg", int(known[1]), int(known[2])) if known[0] == "0" else Place("card.svg")

    markup = f'<svg _at="0:1:1"><g _at="0:2:3"><rect _at="{forged}"/><rect _at="0:4:5"/></g></svg>'
    root, problems = parse_markup_tree(markup.encode(), locate, "template")
    assert not problems
    assert [rect.at for rect in root.children[0].children] == ["0:2:3", "0:4:5"]
