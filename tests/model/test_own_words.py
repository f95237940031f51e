"""The program's own words: every language says the same, with the same names to fill in."""

from pathlib import Path
from string import Formatter
from typing import Any

import pytest
import yaml

import generator
from generator.base import languages
from generator.base.languages import _find_plain_phrase, count_phrase, phrase

FOLDER = Path(generator.__file__).parent / "words"
LANGUAGES = sorted(path.stem for path in FOLDER.glob("*.yaml"))


def said(lang: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((FOLDER / f"{lang}.yaml").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_read_without_yaml_is_the_same(lang: str) -> None:
    wanted = said(lang)
    found = {name: _find_plain_phrase(name, lang) for name in wanted}
    assert {name: text for name, text in found.items() if text} == {name: wanted[name] for name in found if found[name]}
    assert sum(map(bool, found.values())) > 150


@pytest.mark.parametrize(
    "line", ["no", "Null", "12", "a: b", "a # b", '"a\\n"', '"a" # b', "'a'", "{a}", "- a", "", "a:"]
)
def test_what_yaml_may_read_otherwise_is_left_to_it(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        languages, "_read_language_file", lambda _lang: f"# words\none: {line}\ntwo: goes on\n  here\nthree: a text\n"
    )
    assert _find_plain_phrase("one", "en") == ""
    assert (_find_plain_phrase("two", "en"), _find_plain_phrase("three", "en"), _find_plain_phrase("four", "en")) == ("", "a text", "")  # fmt: skip


def names(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_language_says_all_that_english_says(lang: str) -> None:
    assert {"en", "ja"} <= set(LANGUAGES)
    wanted, found = said("en"), said(lang)
    assert found.keys() == wanted.keys()
    for name, forms in found.items():
        other = wanted[name]["other"] if isinstance(wanted[name], dict) else wanted[name]
        every = forms if isinstance(forms, dict) else {"other": forms}
        assert every.keys() <= {"one", "other"} and "other" in every, name
        assert names(every["other"]) == names(other), name
        assert names(every.get("one", "")) <= names(other) | {"n"}, name


def test_one_thing_has_its_own_words() -> None:
    """English tells one from several, Japanese doesn't; a language without a file speaks English."""
    assert count_phrase("proof_pairs_found", "en", 1, least="10", together="5").startswith("1 pair:")
    assert count_phrase("proof_pairs_found", "en", 2, least="10", together="5").startswith("2 pairs:")
    assert count_phrase("proof_pairs_found", "ja", 1, least="10", together="5").startswith("1組")
    assert phrase("front", "xx") == "front"
    with pytest.raises(KeyError):
        phrase("nothing of the kind", "ja")
