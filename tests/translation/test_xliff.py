"""XLIFF: what is written is read again, and what is wrong is told where it stands."""

import xml.etree.ElementTree as ET
from collections.abc import Callable

import pytest
from conftest import Ran
from hypothesis import given
from hypothesis import strategies as st
from tests_support import TinyProject, examples

from generator.errors import ProblemsFound
from generator.load.po import Catalogue, Translation
from generator.translation.xliff import parse_xliff, xliff_text

Pnp = Callable[..., Ran]
SAID = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Cn"), include_characters="\n\t<>&\"'"), max_size=40
)
KEYS = st.from_regex(r"[a-z]{1,5}(\.[a-z<&\"]{1,5}){0,2}", fullmatch=True)


@given(st.lists(st.tuples(KEYS, SAID, SAID, st.booleans()), min_size=1, max_size=6, unique_by=lambda one: one[:2]))
@examples(60)
def test_what_is_written_is_read(told: list[tuple[str, str, str, bool]]) -> None:
    """Keys, sources, translations, marks; another reader takes it for XML."""
    entries = tuple(Translation(*one) for one in told)
    text = xliff_text(Catalogue({"Project-Id-Version": "a"}, entries), "en", "de")
    found = parse_xliff(text.replace("\n<", "\r\n<").encode(), "a.xlf")

    assert ET.fromstring(text).tag.endswith("xliff")  # noqa: S314 - our own
    assert found.language == "de"
    assert [(one.key, one.source, one.text) for one in found.entries] == [one[:3] for one in told]
    assert [one.fuzzy for one in found.entries] == [bool(text and fuzzy) for _, _, text, fuzzy in told]


HEAD = '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file source-language="en" target-language="de"><body>\n'
WRONG = {
    "<xliff": "a.xlf:1:1: this is no XML",
    HEAD + "<trans-unit": "a.xlf:2:1: this is no XML",
    HEAD + "</body></file></xliff>": "a.xlf:1:1: there is no text in this file",
    '<xliff version="2.0"/>': "a.xlf:1:1: XLIFF 2.0 is not read",
    HEAD
    + '<trans-unit resname="a"><target>b</target></trans-unit></body></file></xliff>': "a.xlf:2:25: a text without <source>",
    '<?xml version="1.0" encoding="shift_jis"?><x/>': "a.xlf:1:1: this is no XML: its encoding 'shift_jis' is not supported; save the file as UTF-8",
    '<?xml version="1.0" encoding="nope"?><x/>': "a.xlf:1:1: this is no XML: its encoding 'nope' is not supported; save the file as UTF-8",
    HEAD
    + f'<trans-unit resname="a"><source>{"a&amp;" * 60_000}</source></trans-unit></body></file></xliff>': "a.xlf:2:",
    '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>': "a.xlf:1:",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_told_where_it_stands(text: str) -> None:
    """File, line and column; a file with entities of its own is not read on."""
    with pytest.raises(ProblemsFound) as found:
        parse_xliff(text.encode(), "a.xlf")

    assert str(found.value).startswith(WRONG[text])


def test_a_translation_comes_back_as_xliff(tiny: TinyProject, pnp: Pnp) -> None:
    """Out, filled in by an editor that adds its own elements, in again."""
    assert pnp("translate", "export", "tiny", "--to", "de", "--format", "xliff", "--dpi", "0").code == 0
    file = tiny.root / "output/tiny/translation.de.xlf"
    text = file.read_text(encoding="utf-8")
    before = '<source>One</source>\n<target state="new"></target>'
    assert before in text
    other = "<alt-trans><source>One</source><target>Ein</target></alt-trans>"
    file.write_text(
        text.replace(before, f'<source>One</source>\n<target>E<x id="1"/>ins</target>{other}'), encoding="utf-8"
    )
    said = pnp("translate", "import", "tiny", str(file))

    assert said.code == 0, said.err
    assert 'msgid "One"\nmsgstr "Eins"' in (tiny.root / "data/tiny/translations/de.po").read_text(encoding="utf-8")
