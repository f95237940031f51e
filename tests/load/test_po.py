"""PO files: what translators' programs make of them is read, all that is wrong is told where it stands."""

import json
import random
from pathlib import Path

import polib
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_support import examples

from generator.base.errors import ProblemsFound
from generator.game import translations
from generator.game.translations import Catalogue, Translation, format_po, parse_po

WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc"), include_characters='\n\t"\\'), max_size=60)
KEYS = st.from_regex(r"[a-z]{1,6}(\.[a-z0-9-]{1,6}){0,3}|book#[a-z]{0,5}", fullmatch=True)
ENTRIES = st.lists(
    st.builds(
        Translation,
        KEYS,
        WORDS.filter(str.strip),
        WORDS,
        st.booleans(),
        previous=st.just("") | WORDS.filter(str.strip),
        notes=st.lists(st.from_regex(r"[a-z]{2}: [a-zäöü {}]{1,20}[a-z]", fullmatch=True), max_size=2).map(tuple),
        references=st.lists(st.from_regex(r"data/[a-z]{1,5}\.yaml:[1-9]", fullmatch=True), max_size=2).map(tuple),
    ),
    max_size=8,
    unique_by=lambda one: (one.key, one.source),
)


def plain(catalogue: Catalogue) -> list[tuple[object, ...]]:
    """What an editor must not change, whatever the order."""
    told = [(one.key, one.source, one.text, one.fuzzy, one.obsolete) for one in catalogue.entries]
    return sorted(told, key=json.dumps)


def with_habits(text: str, habits: random.Random) -> str:
    """A file as an editor saves it: texts wrapped anywhere, entries in another order, CRLF, a head of its own."""
    head, *entries = text.rstrip("\n").split("\n\n")
    habits.shuffle(entries)
    lines = []
    for line in "\n\n".join([head.replace("Language: de", "X-Poedit: 3\\nLanguage: de"), *entries]).split("\n"):
        before, quote, rest = line.partition('"')
        if quote and len(rest) > 3 and habits.random() < 0.5:
            at = habits.randrange(1, len(rest) - 1)
            while rest[:at].endswith("\\") and at > 1:
                at -= 1
            if not rest[:at].endswith("\\"):
                goes_on = before[:3] if before.startswith(("#~|", "#~ ")) else before[:3] if before[:2] == "#|" else ""
                lines += [f'{before}"{rest[:at]}"', f'{goes_on}"{rest[at:]}']
                continue
        lines.append(line)
    return "\r\n".join([*lines, ""])


@given(ENTRIES, st.randoms(use_true_random=False))
@examples(60)
def test_what_editors_do_loses_nothing(entries: list[Translation], habits: random.Random) -> None:
    """Reordered, wrapped elsewhere, with CRLF and other fields in the head: the same translations."""
    catalogue = Catalogue({"Language": "de"}, tuple(entries))
    assert plain(parse_po(format_po(catalogue), "a.po")) == plain(catalogue)
    assert plain(parse_po(with_habits(format_po(catalogue), habits), "a.po")) == plain(catalogue)


LINES = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp"), include_characters='\n\t"\\'), max_size=60)


@given(
    st.lists(st.tuples(KEYS, LINES.filter(str.strip), LINES, st.booleans()), max_size=6, unique_by=lambda one: one[:2])
)
@examples(40)
def test_another_library_reads_and_writes_the_same(told: list[tuple[str, str, str, bool]]) -> None:
    """What we write, polib reads; what polib writes of that, wrapped at 78, we read: no text differs."""
    catalogue = Catalogue({"Language": "de"}, tuple(Translation(*one) for one in told))
    theirs = polib.pofile(format_po(catalogue))
    assert [(one.msgctxt, one.msgid, one.msgstr, one.fuzzy) for one in theirs] == told
    assert plain(parse_po(str(theirs), "a.po")) == plain(catalogue)


def test_a_file_with_a_mark_of_byte_order_is_read(tmp_path: Path) -> None:
    from generator.game.translations import read_po

    file = tmp_path / "de.po"
    file.write_bytes(b"\xef\xbb\xbf" + format_po(Catalogue({"Language": "de"}, (Translation("a", "b", "c"),))).encode())
    assert read_po(file, "de.po").language == "de"


BROKEN = {
    'msgctxt "a"\nmsgid "b"\nmsgstr "c': "de.po:3:8: this text is not closed by a quote, or goes on after it",
    'msgctxt "a"\nmsgid "b"\nmsgstr "c" d': "de.po:3:8: this text is not closed by a quote, or goes on after it",
    'msgctxt "a"\nmsgid "b"\nmsgstr "c\\q"': "de.po:3:10: \\q means nothing",
    'msgctxt "a"\nmsgid "b"\n': "de.po:1:1: a text without msgstr",
    'msgctxt "a"\nmsgstr "b"\n': "de.po:1:1: a text without msgid",
    "nonsense\n": "de.po:1:1: this line does not belong in a PO file",
    "": "de.po:1:1: there is no text in this file",
    'msgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\n': "de.po:2:14: a text with plural forms",
    'msgid "a"\nmsgstr "b"\n\nmsgid "a"\nmsgstr "c"\n': "de.po:4:1: '' appears twice (first in line 1)",
}


def test_long_files_are_read_in_time_and_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts of many lines keep all of them; of too many characters, texts or faults the first is the last."""
    lines = '"0123456789"\n' * 9_000
    (entry,) = parse_po(f'msgid "a"\nmsgstr ""\n{lines}', "de.po").entries
    assert entry.text == "0123456789" * 9_000
    for text, said in (
        (f'msgid "a"\nmsgstr ""\n{lines * 2}', "de.po:10002:1: the texts of this entry have more than 100,000 characters;"),
        (f'msgid "a"\nmsgstr "{"a" * 100_000}"', "de.po:2:8: the texts of this entry have more than 100,000 characters;"),
        ("x\n" * 5_000, "de.po:1:1: this line does not belong in a PO file"),
    ):  # fmt: skip
        with pytest.raises(ProblemsFound) as found:
            parse_po(text, "de.po")
        assert str(found.value).startswith(said)
        assert len(found.value.problems) <= 1_000
    monkeypatch.setattr(translations, "MOST_ENTRIES", 2)
    with pytest.raises(ProblemsFound, match="the file has more than 2 texts; export the file again"):
        parse_po("\n\n".join(f'msgid "{sign}"\nmsgstr "b"' for sign in "abc").replace("\n\n", "\n"), "de.po")


@pytest.mark.parametrize("text", BROKEN)
def test_what_is_wrong_is_told_where_it_stands(text: str) -> None:
    with pytest.raises(ProblemsFound) as found:
        parse_po(text, "de.po")
    assert str(found.value).startswith(BROKEN[text])


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(ProblemsFound) as found:
        parse_po('msgid "a"\nmsgstr "\\q"\n\nmsgid "b"\n\nwhat\n\nmsgid "c"\nmsgstr "d', "de.po")
    assert [problem.place.line for problem in found.value.problems if problem.place] == [2, 6, 8, 9]
