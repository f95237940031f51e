"""Files of JSON that others may have changed: whatever is wrong with one is told at its line."""

from pathlib import Path

import pytest

from generator.base.errors import ProblemsFound
from generator.game.data_reader import read_json

DEEP = "[" * 60 + "]" * 60


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "f:1:1: Expecting value"),
        (b"[" * 4, "f:1:5: Expecting value"),
        (b"\n" + b"[" * 100_000, "f:2:41: it has no end"),
        (f'{{"a": "[[",\n"x": {DEEP}}}'.encode(), "f:2:45: it has no end"),
        (b'{"a": 1,\n"b', "f:2:1: Unterminated string starting at"),
        (b'{"a": 1,\n\0', "f:2:1: Expecting property name enclosed in double quotes"),
        (b'{"a":\n"\xff"}', "f:2: it is not UTF-8"),
        (b'{"a": 5,\n "b": -Infinity}', "f:2:7: infinity and NaN are not numbers here"),
        (b'["NaN",\n1e999]', "f:2:1: infinity and NaN are not numbers here"),
        (b"[1,\n" + b"9" * 5000 + b"]", "f:2:1: infinity and NaN are not numbers here"),
        (b'["\\ud83d\\ude00 \\\\ud800",\n"\\ud800"]', "f:2:1: a text has an incomplete character"),
    ],
)  # fmt: skip
def test_what_is_no_json_is_told_at_its_line(tmp_path: Path, text: bytes, said: str) -> None:
    """Cut off, damaged, without end, or with values that are none: one problem with its place."""
    (tmp_path / "f").write_bytes(text)
    with pytest.raises(ProblemsFound) as found:
        read_json(tmp_path / "f", "f", "record", "mend it")
    assert [str(problem) for problem in found.value.problems] == [f"{said}; mend it"]
