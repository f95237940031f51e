"""Bad archives, projects of other programs, workbooks, translations and results: each is reported, within bounds."""

import os
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hostile_inputs import Case
from hostile_room import Finding, Room
from hostile_runner import Runner
from intake_inputs import KINDS, RESULTS, IntakeInputs, dumped
from tests_support import quick

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="each command runs in a copy of the process")

SEED, CASES, PARTS = 17, 1_300, 8
QUICK = 5


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    folder = tmp_path_factory.mktemp("intake")
    with Runner(folder / "run") as runner:
        yield Room(folder / "room", runner)


def findings(room: Room, numbers: range) -> list[Finding]:
    inputs = IntakeInputs(SEED, room.files)
    return [finding for number in numbers for finding in room.tried(number, inputs.case(number))]


def test_a_few_bad_inputs_from_elsewhere(room: Room) -> None:
    found = findings(room, range(QUICK))
    assert not found, "\n\n".join(map(str, found))


@pytest.mark.slow
@pytest.mark.parametrize("part", quick(range(PARTS), 0, rest="release"))
def test_thirteen_hundred_bad_inputs_from_elsewhere(room: Room, part: int) -> None:
    """No traceback, no exit 70, nothing over 20 s or 1 GB, nothing written outside the project."""
    found = findings(room, range(part, CASES, PARTS))
    assert not found, "\n\n".join(map(str, found))


def test_good_results_are_read(room: Room) -> None:
    """What the bad results are made of is shown: else they would fail for another reason."""
    case = Case("result", "good", {}, (("lab", "show", "x.json"),))
    for result in RESULTS[:2]:
        assert room.codes(replace(case, files={"x.json": dumped(result)})) == [0]


@pytest.mark.slow  # makes all the inputs
def test_every_kind_from_elsewhere_is_among_them(room: Room) -> None:
    inputs = IntakeInputs(SEED, room.files)
    areas = [inputs.case(number).area for number in range(400)]
    assert len(set(areas)) == len(KINDS)
    assert min(map(areas.count, set(areas))) >= 15
    assert inputs.case(7) == inputs.case(7)
