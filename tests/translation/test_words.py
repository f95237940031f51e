"""The program's own words by language: each file is whole, and fills in the same values as the English one."""

import re
from pathlib import Path

import pytest
import yaml

from generator.base.languages import find_missing_phrases
from generator.text.line_breaks import Hyphens

WORDS = Path(__file__).parents[2] / "generator" / "words"
FILES = sorted(path.stem for path in WORDS.glob("*.yaml") if path.stem != "en")


def forms(lang: str) -> dict[str, dict[str, str]]:
    said = yaml.safe_load((WORDS / f"{lang}.yaml").read_text(encoding="utf-8"))
    return {name: form if isinstance(form, dict) else {"other": form} for name, form in said.items()}


def values(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("lang", FILES)
def test_a_file_says_what_the_english_one_says(lang: str) -> None:
    """No phrase that there is not, and none that names a value which nobody fills in."""
    english, own = forms("en"), forms(lang)
    assert not set(own) - set(english)
    assert [name for name in own if not values(own[name]["other"]) <= values(english[name]["other"])] == []


def test_nothing_is_lacking() -> None:
    """Japanese and German have all phrases."""
    assert {lang: find_missing_phrases(lang) for lang in FILES} == dict.fromkeys(FILES, ())


@pytest.mark.slow
def test_german_words_are_parted() -> None:
    """By the patterns of the language, in small letters or forced."""
    from types import SimpleNamespace

    def points(word: str) -> tuple[int, ...]:
        return Hyphens("de").find_points(SimpleNamespace(text=word, rarity=SimpleNamespace(points=())), forced=True)  # type: ignore[arg-type]

    assert points("Nachziehstapel") == (4, 8, 11) or 4 in points("Nachziehstapel")
    assert Hyphens("de").notes == ()
