"""Files of YAML become values with places, within limits; a language less is all that such a file loses."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from yaml import SafeDumper

from generator.base import files
from generator.base.errors import ProblemsFound
from generator.game.data_reader import Limits, parse_yaml, read_yaml
from generator.game.source import Map, Source
from generator.game.yaml_edits import remove_table_languages, remove_yaml_languages


def messages(text: str, **limits: int) -> list[str]:
    with pytest.raises(ProblemsFound) as found:
        parse_yaml(text, "f.yaml", Limits(**limits))
    return [str(problem) for problem in found.value.problems]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("NO", "NO"), ("yes", "yes"), ("on", "on"), ("12:30", "12:30"), ("010", "010"), ("1_000", "1_000"), ("0x1F", "0x1F"),
        ("2026-11-20", "2026-11-20"), ("=", "="), (".5", ".5"), (".inf", ".inf"), ("'7'", "7"), ('"true"', "true"),
        ("7", 7), ("-7", -7), ("+7", 7), ("0", 0), ("1.50", 1.5), ("-0.25", -0.25), ("1.0e-2", 0.01), ("1e-05", 0.00001), ("-2E+3", -2000.0), ("1e3", 1000.0),
        ("1e400", "1e400"), ("-1.5e999", "-1.5e999"), ("010e2", "010e2"), ("1e", "1e"), ("1e5a", "1e5a"),
        ("true", True), ("False", False), ("null", None), ("~", None), ("", None),
    ],
)  # fmt: skip
def test_scalars_are_yaml_1_2(text: str, value: object) -> None:
    """Only true, false, null, integers and decimals are special; words such as NO and 12:30 stay words."""
    read = parse_yaml(f"a: {text}", "f.yaml")["a"]
    assert read == value
    assert type(read) is type(value)


def test_a_name_that_looks_like_a_decimal_is_as_it_was_written() -> None:
    assert list(parse_yaml("1.50: a\n1e5: {2e3: b}\n", "f.yaml").items()) == [("1.50", "a"), ("1e5", {"2e3": "b"})]
    assert messages("1e5: a\n1e5: b") == [
        "f.yaml:2:1: '1e5' is given twice (first in line 1); remove or rename one of them"
    ]


def test_places_point_at_keys_and_values() -> None:
    """Every key and value knows its line and column, from 1, also inside flow collections."""
    source = Source("f.yaml", parse_yaml("a: 1\nb:\n  - {c: [x, 猫, z], d: 4}\n", "f.yaml"))
    assert str(source.place("b", 0, "c", 2)) == "f.yaml:3:16"
    assert str(source.key_place("b", 0, "d")) == "f.yaml:3:20"
    assert str(source.place("b", 0, "d")) == "f.yaml:3:23"
    assert str(source.place("b", 0, "missing")) == "f.yaml:3:5"


BAD = {
    "a: 1\n\tb: 2": "f.yaml:2:1: a tab is used to indent; use ordinary spaces (the lines above have none)",
    "a: 1\nb: 2\na: 3": "f.yaml:3:1: 'a' is given twice (first in line 1); remove or rename one of them",
    "a: [1, 2": "f.yaml:1:4: the `[` that opens here is never closed; write `]` where it ends",
    "a: {b: 1": "f.yaml:1:4: the `{` that opens here is never closed; write `}` where it ends",
    'a: "x': 'f.yaml:1:4: the quote that opens here is never closed; write a second `"` where the text ends',
    "a: b: c": 'f.yaml:1:5: there is a second colon in this entry, after `b`; put the text in quotes: "b: c"',
    "a:\n  b: 1\n c: 2": "f.yaml:3:2: wrong indentation: 1 space, but the lines above have 2; begin this line with 2 spaces",
    "": "f.yaml: the file is empty; write at least one section into it, or delete it",
    "# nothing\n": "f.yaml: the file is empty; write at least one section into it, or delete it",
    "- a\n- b": "f.yaml: the file has no sections; write it as `name: value` lines",
    "a: 1\n---\nb: 2": "f.yaml:2:1: a second document starts with `---`; keep one document in a file",
    "a: *b": "f.yaml:1:4: '*b' repeats a value marked '&b', but nothing above is marked so; write the value out; a text that begins with * needs quotes",
    "a: &a [*a]": "f.yaml:1:8: '*a' repeats a value marked '&a', but nothing above is marked so; write the value out; a text that begins with * needs quotes",
    "a: !!python/name:os.system x": (
        "f.yaml:1:4: the tag 'tag:yaml.org,2002:python/name:os.system' is not supported; remove it"
    ),
    "? [1]\n: 2": "f.yaml:1:3: a name is missing before the colon; write `name:`",
    "a: \x07": "f.yaml:1:4: an invisible character is here (U+0007); delete it",
    "a: " + "9" * 40: "f.yaml:1:4: the number has more than 15 digits; put it in quotes if it is a text",
    "a: " + "[" * 100_000: "f.yaml:1:43: values are nested more than 40 deep; close the brackets before",
}


@pytest.mark.parametrize("text", BAD, ids=lambda text: repr(text[:20]))
def test_bad_yaml_is_said_in_words(text: str) -> None:
    assert messages(text) == [BAD[text]]


def test_every_duplicate_is_reported_at_once() -> None:
    assert len(messages("a: 1\na: 2\nb: {c: 1, c: 2}\n")) == 2


def test_alias_bomb_is_counted_not_expanded() -> None:
    """432 bytes that stand for 9^9 values are refused without building them."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    assert messages("\n".join(lines)) == [
        "f.yaml:7:20: more than 2,000,000 values, aliases written out; split the file, or use fewer aliases"
    ]


def test_aliases_are_limited_and_work_within_the_limit() -> None:
    assert parse_yaml("a: &x 7\nb: [*x, *x]", "f.yaml")["b"] == [7, 7]
    assert messages("a: &x 7\nb: [*x, *x, *x]", aliases=2) == ["f.yaml:2:13: more than 2 aliases; write the values out"]


def test_values_are_counted_once() -> None:
    assert parse_yaml("a: [1, 2, 3]", "f.yaml", Limits(values=6))["a"] == [1, 2, 3]
    assert messages("a: [1, 2, 3]", values=5)[0].endswith(
        "more than 5 values, aliases written out; split the file, or use fewer aliases"
    )


def test_a_file_over_the_limit_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "big.yaml"
    path.write_text("a: " + "x" * 100)
    monkeypatch.setitem(files.BOUNDS, "data", (50, files.BOUNDS["data"][1]))
    with pytest.raises(ProblemsFound) as found:
        read_yaml(path, "big.yaml")
    assert str(found.value) == "big.yaml: the file has 103 bytes, more than 50; split it into several files"


def test_bytes_that_are_not_utf8_have_a_place(tmp_path: Path) -> None:
    path = tmp_path / "sjis.yaml"
    path.write_bytes(b"a: 1\nb: " + "猫".encode("shift_jis"))
    with pytest.raises(ProblemsFound) as found:
        read_yaml(path, "sjis.yaml")
    assert (
        str(found.value)
        == "sjis.yaml:2:4: the file is not saved as UTF-8: byte 0x94 here; save it as UTF-8 in your editor"
    )


def test_a_byte_order_mark_is_welcome(tmp_path: Path) -> None:
    path = tmp_path / "bom.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n")
    assert read_yaml(path, "bom.yaml") == {"a": 1, "b": 2}


def test_an_unreadable_file_is_a_problem(tmp_path: Path) -> None:
    with pytest.raises(ProblemsFound) as found:
        read_yaml(tmp_path / "gone.yaml", "gone.yaml")
    assert str(found.value) == (
        "gone.yaml: the file can't be read: No such file or directory; check that it exists and that you may read it"
    )


@given(st.text(max_size=60))
def test_any_text_gives_values_or_problems(text: str) -> None:
    try:
        read = parse_yaml(text, "f.yaml")
    except ProblemsFound as found:
        assert found.problems
    else:
        assert isinstance(read, Map)


BOTH = ("ja", "en")
WORDS = st.text("abc 凧風:#,{}[]'\"\\-", max_size=12)
TEXTS = st.fixed_dictionaries({"ja": WORDS, "en": WORDS})
NAMES = st.sampled_from(["name", "says", "title", "count"])
DATA = st.recursive(
    st.one_of(TEXTS, WORDS, st.integers(), st.booleans()),
    lambda part: st.one_of(
        st.lists(st.one_of(WORDS, st.fixed_dictionaries({"id": WORDS, "says": part})), max_size=3),
        st.dictionaries(NAMES, part, min_size=1, max_size=3),
        st.fixed_dictionaries({"term": part, "kana": WORDS}),
        st.fixed_dictionaries({"ja": part, "en": part}),
    ),
    max_leaves=12,
)


def left(value: Any, lang: str) -> Any:
    """What the data say in one language, worked out from the data and not from the file."""
    if isinstance(value, list):
        return [left(part, lang) for part in value]
    if not isinstance(value, dict):
        return value
    if set(value) == set(BOTH):
        text = value[lang]
        return {lang: left(text, lang)} if isinstance(text, dict | list) else text
    return {key: left(part, lang) for key, part in value.items() if key != "kana" or lang == "ja"}


class Braced(yaml.SafeDumper):
    """Writes each text in braces on one line, and all else in lines of its own, as the starters do."""


def _mapping(dumper: yaml.SafeDumper, value: dict[str, Any]) -> yaml.Node:
    text = set(value) == set(BOTH) and not any(isinstance(part, dict | list) for part in value.values())
    return dumper.represent_mapping("tag:yaml.org,2002:map", value, flow_style=text)


Braced.add_representer(dict, _mapping)


@given(
    data=st.dictionaries(NAMES, DATA, min_size=1), lang=st.sampled_from(BOTH), how=st.sampled_from([Braced, SafeDumper])
)
def test_the_data_lose_the_other_language_and_nothing_else(data: dict[str, Any], lang: str, how: Any) -> None:
    text = yaml.dump(data, Dumper=how, allow_unicode=True, sort_keys=False, default_flow_style=False, width=10_000)
    assert yaml.safe_load(remove_yaml_languages(text, BOTH, (lang,))) == left(data, lang)


def test_comments_and_layout_stay() -> None:
    text = (
        "# The deck\n"
        "kite:\n"
        "  name:   {ja: 凧, en: Kite}   # on the list\n"
        "  kana: たこ\n"
        "\n"
        "  # What it does\n"
        "  says:\n"
        '    ja: "凧。"\n'
        '    en: "A kite."\n'
        "\n"
        "  # The letters\n"
        "  fonts:\n"
        "    ja: {regular: [a.ttf]}\n"
        "    en: {regular: [b.ttf]}\n"
    )

    assert remove_yaml_languages(text, BOTH, ("en",)) == (
        "# The deck\n"
        "kite:\n"
        "  name:   Kite   # on the list\n"
        "\n"
        "  # What it does\n"
        '  says: "A kite."\n'
        "\n"
        "  # The letters\n"
        "  fonts:\n"
        "    en: {regular: [b.ttf]}\n"
    )
    assert remove_yaml_languages(text, BOTH, BOTH) == text


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_table_loses_the_columns(ending: str) -> None:
    """A cell with a comma or a line break stays whole, and so do the mark at the beginning and the rows' ends."""
    rows = ["\ufeffid,title.ja,title.en,note", 'a,凧,"Kite, red","two\nlines"', ""]
    made = remove_table_languages(ending.join(rows), BOTH, ("en",))
    assert made == ending.join(["\ufeffid,title.en,note", 'a,"Kite, red","two\nlines"', ""])
