"""Bad inputs of every kind, made by chance from a seed: each is told, none stops, floods or gets past the program."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from hostile_drawings import drawing
from hostile_inputs import BLOCKS, BUILD, ELEMENTS, FENCES, KINDS, SHEETS, VALIDATE, Inputs
from hostile_room import Finding, Room
from hostile_runner import Runner
from tests_support import quick

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="each command runs in a copy of the process")

SEED, CASES, PARTS = 13, 2_000, 8
DRAWINGS = 700
QUICK = 4


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    folder = tmp_path_factory.mktemp("hostile")
    with Runner(folder / "run") as runner:
        yield Room(folder / "room", runner)


def findings(room: Room, seed: int, numbers: range, kinds: Any = KINDS) -> list[Finding]:
    inputs = Inputs(seed, room.files, kinds)
    return [finding for number in numbers for finding in room.tried(number, inputs.case(number))]


def test_a_few_bad_inputs(room: Room) -> None:
    """No traceback, no hang, no flood, nothing lost: a sample of what the slow test tries."""
    found = findings(room, SEED, range(QUICK))
    assert not found, "\n\n".join(map(str, found))


def test_a_few_hostile_drawings(room: Room) -> None:
    """No traceback, no hang, no flood, nothing written outside: a sample of what the slow test tries."""
    found = findings(room, SEED, range(QUICK), ((drawing, 1),))
    assert not found, "\n\n".join(map(str, found))


@pytest.mark.slow
@pytest.mark.parametrize("part", quick(range(PARTS), 0, rest="release"))
def test_seven_hundred_hostile_drawings(room: Room, part: int) -> None:
    """Drawings and style sheets end in problems or notes: no traceback, nothing over 20 s or 1 GB, nothing outside."""
    found = findings(room, SEED, range(part, DRAWINGS, PARTS), ((drawing, 1),))
    assert not found, "\n\n".join(map(str, found))


@pytest.mark.slow
@pytest.mark.parametrize("part", quick(range(PARTS), 0, rest="release"))
def test_two_thousand_bad_inputs(room: Room, part: int) -> None:
    """No traceback, nothing over 20 s or 1 GB, no output lost, no problem without a line where the input has lines."""
    found = findings(room, SEED, range(part, CASES, PARTS))
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
