"""Rule mutation finds every number and comparison of an engine, and changes exactly that place."""

import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"
sys.path.append(str(BENCH))

import mutate_rules  # noqa: E402 - the bench is no package

SOURCE = '''"""Numbers in texts, such as 7, stay."""

日 = 3  # 4


def rule(a: int, b: int) -> bool:
    """Nor 8 here."""
    return a[0] < b <= 12 and (a) == (b) and not a is None
'''


def test_every_place_is_found_and_changed(tmp_path: Path) -> None:
    """In the file's order, by bytes, so that Japanese before it on a line does no harm."""
    path = tmp_path / "play.py"
    path.write_text(SOURCE, encoding="utf-8")
    found = list(mutate_rules.changes(path, "play.py"))
    assert [str(change) for change in found] == [
        "play.py:3: 3 -> 4", "play.py:8: 0 -> 1", "play.py:8: < -> <=", "play.py:8: <= -> <", "play.py:8: 12 -> 13",
        "play.py:8: and -> or", "play.py:8: == -> !=", "play.py:8: and -> or",
    ]  # fmt: skip
    whole = SOURCE.encode()
    assert [whole[change.start : change.end].decode() for change in found] == [change.old for change in found]


@pytest.mark.slow  # runs tests in processes of their own, one until its time is up
def test_a_change_that_a_test_passes_survives(tmp_path: Path) -> None:
    (tmp_path / "play.py").write_text(
        "TURNS = 3\nCOLOUR = 5\n\n\ndef count():\n    n = 0\n    while n != 6:\n        n += 2\n    return n\n"
    )
    (tmp_path / "test_it.py").write_text(
        "import play\n\n\ndef test_it():\n    assert play.TURNS == 3\n    assert play.count() == 6\n"
    )
    before = (tmp_path / "play.py").read_bytes()
    found = {str(change): change for change in mutate_rules.changes(tmp_path / "play.py", "play.py")}

    def survives(name: str) -> bool:
        return mutate_rules.survives(tmp_path, found[name], "test_it.py", 600)  # as long as a busy machine may take

    assert not survives("play.py:1: 3 -> 4")
    assert survives("play.py:2: 5 -> 6")
    assert not mutate_rules.survives(tmp_path, found["play.py:7: 6 -> 7"], "test_it.py", 3)
    assert (tmp_path / "play.py").read_bytes() == before
