"""Sums join in any order; a result's file says all that the result knows, and other files are told from it."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import ProblemsFound
from generator.lab.chunks import Cell
from generator.lab.experiment_runs import read_result_file
from generator.lab.measures import PairedSums, Sums
from generator.lab.results import MeasureAim, Question, Result, read_result

HISTOGRAMS = st.dictionaries(st.integers(-5, 5), st.integers(1, 9)).map(Counter)
SUMS = st.builds(
    Sums,
    st.integers(1, 9),
    st.dictionaries(st.sampled_from("ab"), HISTOGRAMS),
    st.builds(PairedSums, st.integers(0, 9), st.dictionaries(st.sampled_from("ab"), HISTOGRAMS)),
)
TABLE = Cell(2, ("random", "random"))


def joined(parts: Iterable[Sums]) -> Sums:
    """All of them together."""
    together = Sums()
    for part in parts:
        together.join(part)
    return together


@given(st.lists(SUMS, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_sums_join_in_any_order(parts: list[Sums], shuffler: object) -> None:
    """And as many as one likes before the others."""
    whole = joined(parts)
    other = parts[:]
    shuffler.shuffle(other)  # type: ignore[attr-defined]
    assert joined(other) == whole
    assert joined([joined(parts[:2]), joined(parts[2:])]) == whole
    assert whole.games == sum(part.games for part in parts)


ARM = {"readings": {}, "values": {}}
ABOUT = {"game": "g", "draft": "1", "data": "0f", "experiment": {"arms": {"b": ARM, "a": ARM}, "run": 1}}


def result() -> Result:
    """A result with all that one can have."""
    enquiry = Question(
        {"ja": "なぜ"},
        {"turns": "length"},
        {"turns": MeasureAim(1.0, 2.0), "won": MeasureAim(-0.1, 0.1, True)},
        {"turns": 0.5},
        0.9,
    )
    base = Sums(3, {"turns": Counter({4: 1, 5: 2}), "won": Counter({0: 1, 6: 2})})
    arm = Sums(
        3,
        {"turns": Counter({4: 3}), "won": Counter({0: 3})},
        PairedSums(1, {"turns": Counter({-1: 2, 0: 1}), "won": Counter({-6: 2, 0: 1})}),
    )
    cells = {(TABLE, "b"): base, (TABLE, "a"): arm}
    return Result(ABOUT, "k", ("b", "a"), {"turns": 1, "won": 6}, frozenset({"won"}), cells, 400, enquiry)


def test_a_file_says_all() -> None:
    """What is read is what was written, to the byte; arms stand in their order."""
    told = result().to_text()
    assert read_result(told, "x.json") == result()
    assert read_result(told, "x.json").to_text() == told
    assert told.index('"arm": "b"') < told.index('"arm": "a"')


@pytest.mark.parametrize(
    "text", ["", "[]", "null", "{}", '{"format": 1}', "\x00", "[" * 100_000, result().to_text()[:-9]], ids=str.__len__
)
def test_files_that_are_none(text: str) -> None:
    """Damaged ones, and those of others."""
    with pytest.raises(ProblemsFound) as found:
        read_result(text, "x.json")
    for problem in found.value.problems:
        assert str(problem.place).startswith("x.json")
        assert str(problem).endswith("; name a file that `pnp lab` wrote")


MISTAKES = {
    "a missing experiment": ('"experiment"', '"experimental"', "1:1: this file is not a result of the lab: 'experiment' is"),
    "missing data": ('"data"', '"date"', "1:1: this file is not a result of the lab: 'data' is missing"),
    "infinity": ('"looked": 400', '"looked": Infinity', "48:12: this file is not a result of the lab: infinity and NaN are not numbers here"),
    "a negative whole": ('"won": 6', '"won": -1', "54:10: this file is not a result of the lab: whole.won is -1, but must be"),
    "no players": ('"players": 2', '"players": 0', "57:25: this file is not a result of the lab: players in entry 1 of cells is 0"),
    "no games": ('"games": 3', '"games": 0', "57:67: this file is not a result of the lab: games in entry 1 of cells is 0, but must be"),
    "a text for a number": ('"run": 1', '"run": "1"', "43:10: this file is not a result of the lab: experiment.run must be"),
    "rubbish inside": ('"4": 1', '"4": [[{}]]', "57:98: this file is not a result of the lab: measures.turns.4 in entry 1 of cells must"),
    "a value that is no number": ('"4": 1', '"four": 1', "57:93: this file is not a result of the lab: measures.turns.four.name in entry 1 of cells"),
    "an unknown arm": ('{"arm": "b"', '{"arm": "c"', "57:9: this file is not a result of the lab: there is no arm 'c'"),
    "a measure without whole": ('"turns": 1,', '"turn": 1,', "57:92: this file is not a result of the lab: 'turns' has no whole"),
    "a measure without games": ('{"4": 1, "5": 2}', "{}", "57:92: this file is not a result of the lab: 'turns' has no games"),
    "certainty": ('"confidence": 0.9', '"confidence": 1', "19:17: this file is not a result of the lab: asked.confidence is 1"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_is_reported_at_its_line(name: str) -> None:
    """Missing keys, numbers that no result has, values of another type and parts that contradict each other."""
    before, after, said = MISTAKES[name]
    whole = result().to_text()
    assert before in whole
    with pytest.raises(ProblemsFound) as found:
        read_result(whole.replace(before, after, 1), "x.json")
    assert [str(one) for one in found.value.problems if str(one).startswith(f"x.json:{said}")], str(found.value)


def test_another_format() -> None:
    """A newer program's file is not taken for a damaged one."""
    with pytest.raises(ProblemsFound) as found:
        read_result(result().to_text().replace('"format": 1', '"format": 2'), "x.json")
    assert "this file is not a result of the lab: the format 2 is not known" in str(found.value)


def test_files_that_can_not_be_read(tmp_path: Path) -> None:
    """A folder, and nothing at all."""
    for path, what in (
        (tmp_path, "the file can't be read: it is a folder; name a file"),
        (
            tmp_path / "a.json",
            "the file can't be read: No such file or directory; check that it exists and that you may read it",
        ),
    ):
        with pytest.raises(ProblemsFound) as found:
            read_result_file(path)
        assert str(found.value) == f"{path}: {what}"
