"""Plain YAML, read line by line, has the values and places that the parser of all of YAML gives, or is left to that."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from generator.load.yaml.events import read_events
from generator.load.yaml.lines import LIMITS, Limits, read_lines
from generator.model.source import Map, Seq

ROOT = Path(__file__).parent.parent.parent
FILES = sorted(
    path for folder in ("data", "starters", "presets", "profiles") for path in (ROOT / folder).rglob("*.y*ml")
)

PIECES = st.sampled_from(
    [
        *("\n", "\n", "\n", "\n  ", "\n    ", "\n- ", "\n  - ", "\n    - ", "\n\n", "\r\n", " ", "  ", "\t", "\u3000"),
        *("a: ", "b: ", "c:", "a: ", "札: ", "x-y.z: ", "true: ", "null: ", "1: ", "? ", "- ", "-", "--- ", "...", "%"),
        *("[", "]", "{", "}", ", ", ",", "{a: 1, b: x}", "[1, [2, c], {d: e}]", "[]", "{ }", "[1, 2,]", "{a}", "{a: }"),
        *(
            "7",
            "-7",
            "+7",
            "007",
            "1.5",
            "1e400",
            "1234567890123456",
            "true",
            "null",
            "~",
            "NO",
            "12:30",
            "a b",
            "猫 が",
        ),
        *("'", '"', "'it'", '"so"', "''", "'it''s'", '"a\\n"', "#", " # why", "#c", "a#b", "a:b", "a: b", "|", ">-"),
        *(
            "&a ",
            "*a",
            "!t ",
            "@",
            "`",
            "=",
            "<<: ",
            "\x85",
            "\u2028",
            "\ufeff",
            "\x07",
            "\ud800",
            "\U0001f408",
            "-5",
            "- 5",
        ),
    ]
)
TEXTS = st.lists(PIECES, max_size=14).map("".join)

WORDS = st.sampled_from(
    ["x", "7", "-1.5", "true", "'q'", '""', "a b", "a:b", "猫、犬", "[1, x]", "{p: 1}", "a #c", "'7' ", "~"]
)


@st.composite
def rows(draw: st.DrawFn) -> str:
    """A list of mappings that are mostly alike."""
    names = draw(st.lists(st.sampled_from("abcde"), min_size=1, max_size=3, unique=True))
    usual = [draw(WORDS) for _ in names]
    lines = ["deck:"]
    for _ in range(draw(st.integers(9, 14))):
        odd = draw(st.integers(0, 5)) == 0
        values = [draw(WORDS) for _ in names] if odd else usual
        written = [f"{name}: {value}" for name, value in zip(names, values, strict=True)]
        lines += [f"  {'- ' if n == 0 else '  '}{line}" for n, line in enumerate(written)]
        if odd:
            lines.append(draw(st.sampled_from(["", "    z: 1", "  # why", "    a: 2", " - b: 1", "   c: 3"])))
    return "\n".join([*lines, draw(st.sampled_from(["", "after: 1", "  - a: 1", "  - x"]))])


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same, of the same types, all their parts in the same places."""
    if type(one) is not type(other):
        return False
    if isinstance(one, Map):
        placed = all(
            one.keys_at[key] == other.keys_at[key] and one.values_at[key] == other.values_at[key] for key in one
        )
        return list(one) == list(other) and placed and all(same(one[key], other[key]) for key in one)
    if isinstance(one, Seq):
        return len(one) == len(other) and one.values_at == other.values_at and all(map(same, one, other))
    return bool(one == other)


def agrees(text: str, limits: Limits = LIMITS) -> bool:
    """Whether the text was read as plain; then both ways of reading it must come to the same."""
    read = read_lines(text, limits)
    assert read is None or same(read, read_events(text, "f.yaml", limits))
    return read is not None


@settings(max_examples=1000)
@given(TEXTS)
@example("a:\n- 1\n- b: 2\n  c:\n  - x\nd: 3")
@example("a: 1\n  b: 2")
@example("a:\nb: 1")
@example("- a")
@example("a:\n  - x\n - y")
@example("a: [\n  1,\n  2]\nb: 3")
@example("a: [\n1]")
@example("a: {b: 1, b: 2}")
@example("a: '1' 2")
@example('a: {"b":1}')
def test_any_text_is_read_alike(text: str) -> None:
    """Whatever stands in a text: what is taken for plain is what the parser makes of it, and without a fault."""
    agrees(text)


@settings(max_examples=300)
@given(rows())
def test_rows_are_read_alike(text: str) -> None:
    """Rows with the same names are read several lines at a time, those among them that differ are not missed."""
    agrees(text)


@settings(max_examples=300)
@given(st.sampled_from(FILES), st.data())
def test_mistakes_in_real_files_are_not_missed(path: Path, data: st.DataObject) -> None:
    """A piece of a file, with something put in, taken out or turned around."""
    text = path.read_text(encoding="utf-8")
    start = data.draw(st.integers(0, len(text)))
    piece = text[start : start + 600].partition("\n")[2]
    at = data.draw(st.integers(0, len(piece)))
    gone = data.draw(st.integers(0, 3))

    agrees(piece[:at] + data.draw(PIECES) + piece[at + gone :])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_files_of_the_games_are_read_alike(path: Path) -> None:
    """All data of the repository, plain or not."""
    agrees(path.read_text(encoding="utf-8"))


def test_most_files_are_plain() -> None:
    """Else nothing would be won, and the tests above would hold nothing against anything."""
    plain = [path for path in FILES if agrees(path.read_text(encoding="utf-8"))]

    assert len(plain) > len(FILES) / 2
    assert agrees("a:\n" + "  - id: c1\n    text: 猫\n" * 20)


def test_limits_hold_for_plain_files() -> None:
    """What is nested too deep or has too many values is left to the parser, which says so."""
    assert agrees("a: {b: [1]}", Limits(depth=3))
    assert not agrees("a: {b: [1]}", Limits(depth=2))
    assert not agrees("a:\n  b:\n    - 1", Limits(depth=2))
    assert agrees("a: [1, 2, 3]", Limits(values=6))
    assert not agrees("a: [1, 2, 3]", Limits(values=5))
    deck = "a:\n" + "- id: 1\n  b: 2\n" * 20  # two of the root, the list, five a row

    assert agrees(deck, Limits(values=103))
    assert not agrees(deck, Limits(values=102))
