"""A file without a language is the same file less that language: nothing else of it is lost."""

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from yaml import SafeDumper

from generator.game.yaml_edits import remove_table_languages, remove_yaml_languages

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
