"""Reading of records: what was written comes back, whatever it is; any other bytes are a problem."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import ProblemsFound
from generator.base.geometry import Size
from generator.game.model import CUBE_FACES, Kind
from generator.game.rich_text import Words
from generator.versions.records import FORMS, Record, VersionDesign, read_record, record_text

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
WORDS = st.dictionaries(TEXTS, TEXTS, max_size=2)
TITLES = st.fixed_dictionaries(dict.fromkeys(("en", "ja", "zh-Hant"), TEXTS))
LENGTHS = st.floats(0.1, 999, allow_nan=False)
HASHES = st.text("0123456789abcdef", min_size=64, max_size=64)
KINDS = st.builds(
    Kind,
    st.just("k"),
    st.builds(Words, TITLES),
    st.builds(Size, LENGTHS, LENGTHS),
    st.just(()),
    form=st.sampled_from(FORMS),
    corner=LENGTHS,
    outline=TEXTS,
    foot=LENGTHS,
)
IDS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,7}", fullmatch=True)
LANGUAGES = st.lists(
    st.sampled_from(["ja", "en", "zh-Hant", "ja+en", "en+zh-Hant"]), unique=True, min_size=1, max_size=3
)
FACES = st.dictionaries(st.tuples(st.sampled_from(CUBE_FACES), TEXTS), HASHES, max_size=4)


@given(KINDS, TITLES, WORDS, FACES, st.integers(0, 10**6), IDS, TEXTS, LANGUAGES)
def test_a_record_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory,
    kind: Kind,
    title: dict[str, str],
    name: dict[str, str],
    faces: dict[Any, str],
    count: int,
    own: str,
    text: str,
    languages: list[str],
) -> None:
    """Whatever names and faces a game has: writing and reading loses nothing."""
    design = VersionDesign(f"k/{own}", "k", count, name, faces)
    record = Record("g", count, text, title, tuple(languages), {"k": kind}, {design.id: design})
    path = tmp_path_factory.mktemp("records") / "r.json"
    path.write_text(record_text(record), encoding="utf-8")

    assert read_record(path, "g") == record


@pytest.mark.parametrize("digits", [0, 32, 63, 65, 128])
def test_a_hash_has_its_length(tmp_path: Path, digits: int) -> None:
    """A hash that was cut short, or has too many digits, is damage: no face would ever agree with it."""
    record = Record(
        "g", 1, "", {"en": "G"}, ("en",), {"k": Kind("k", Words({"en": "K"}), Size(1, 1), ())},
        {"k/a": VersionDesign("k/a", "k", 1, {}, {("front", "en"): "a" * digits})},
    )  # fmt: skip
    path = tmp_path / "r.json"
    path.write_text(record_text(record), encoding="utf-8")
    with pytest.raises(ProblemsFound, match=r"faces\.front\.en is '.*', which is not valid"):
        read_record(path, "g")


@given(st.binary(max_size=40))
def test_no_bytes_are_a_traceback(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    """Any file in a record's place is a record or a problem."""
    path = tmp_path_factory.mktemp("records") / "r.json"
    path.write_bytes(data)
    with pytest.raises(ProblemsFound):
        read_record(path, "g")
