"""Bad inputs of every kind, made by chance from a seed: each is told, none stops, floods or gets past the program."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from hostile_drawings import drawing
from hostile_inputs import BLOCKS, BUILD, ELEMENTS, FENCES, KINDS, SHEETS, VALIDATE, Case, Inputs
from hostile_room import Room
from hostile_runner import Runner
from intake_inputs import KINDS as INTAKE_KINDS
from intake_inputs import RESULTS, IntakeInputs, dumped

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="each command runs in a copy of the process")

SEED, CASES, PARTS = 13, 2_000, 16
SOURCES: dict[str, tuple[Callable[[Room], Any], int]] = {
    "inputs": (lambda room: Inputs(SEED, room.files, KINDS), CASES),
    "drawings": (lambda room: Inputs(SEED, room.files, ((drawing, 1),)), 700),
    "inputs from elsewhere": (lambda room: IntakeInputs(17, room.files), 1_300),
}


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    folder = tmp_path_factory.mktemp("hostile")
    with Runner(folder / "run") as runner:
        yield Room(folder / "room", runner)


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(
    "numbers",
    [
        pytest.param(range(0, CASES, PARTS), marks=pytest.mark.slow),
        *(pytest.param(range(part, CASES, PARTS), marks=pytest.mark.release) for part in range(1, PARTS)),
    ],
    ids=str,
)
def test_bad_inputs_end_in_problems(room: Room, source: str, numbers: range) -> None:
    """No traceback, no exit 70, nothing over 40 s or 1 GB, nothing written outside, no output lost, each with its line."""
    make, cases = SOURCES[source]
    inputs = make(room)
    found = [finding for number in numbers if number < cases for finding in room.tried(number, inputs.case(number))]
    assert not found, "\n\n".join(map(str, found))


@pytest.mark.slow  # makes all the inputs of the test above
def test_every_kind_is_among_them(room: Room) -> None:
    """The seed brings every kind of bad input at least ten times, and the same input for the same number."""
    inputs = Inputs(SEED, room.files)
    cases = [inputs.case(number) for number in range(CASES)]
    areas = [case.area for case in cases]
    rare = {area for area in areas if areas.count(area) < 10}
    assert not rare
    assert len(set(areas)) >= len(KINDS) - 2  # data files and sections are tried in two ways each
    assert inputs.case(77) == cases[77]
    assert min(map(len, (*BLOCKS, *ELEMENTS, *FENCES))) > 1, "a text was taken for a list of its letters"


@pytest.mark.slow
def test_faults_are_seen(room: Room) -> None:
    """What is held against commands is noticed: an exit code of its own, a changed output, a place that is missing."""
    inputs = Inputs(SEED, room.files)
    case = next(case for number in range(CASES) if (case := inputs.case(number)).lined)
    good = case.__class__("none", "good", {}, (BUILD, VALIDATE, SHEETS))
    assert room.codes(good) == [0, 0, 0]
    assert not room.tried(0, good)
    broken = case.__class__("none", "unplaced", {"data/lanterns/game.yaml": None}, (BUILD,), lined=True)
    (found,) = room.tried(0, broken)
    assert found.fault == "no problem names a line"


@pytest.mark.slow
def test_good_results_are_read(room: Room) -> None:
    case = Case("result", "good", {}, (("lab", "show", "x.json"),))
    for result in RESULTS[:2]:
        assert room.codes(replace(case, files={"x.json": dumped(result)})) == [0]


@pytest.mark.slow  # makes all the inputs
def test_every_kind_from_elsewhere_is_among_them(room: Room) -> None:
    inputs = SOURCES["inputs from elsewhere"][0](room)
    areas = [inputs.case(number).area for number in range(400)]
    assert len(set(areas)) == len(INTAKE_KINDS)
    assert min(map(areas.count, set(areas))) >= 15
    assert inputs.case(7) == inputs.case(7)
