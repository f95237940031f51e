"""Path data: every command of the grammar comes out canonical, and slips are told with their place."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests_support import examples

from generator.base.errors import InvalidInput
from generator.base.path_data import curves_from_arc, to_canonical_path

coordinate = st.integers(-4000, 4000).map(lambda value: value / 16)
radius = st.integers(-100, 4000).map(lambda value: value if abs(value) > 20 else 0)  # thin ones reach too far
letters = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2}


@st.composite
def commands(draw: st.DrawFn) -> str:
    """Path data of random commands, relative and absolute, with repeats."""
    parts = [f"M{draw(coordinate)} {draw(coordinate)}"]
    for _ in range(draw(st.integers(0, 8))):
        letter = draw(st.sampled_from([*"MLHVCSQTAZ"]))
        shown = letter.lower() if draw(st.booleans()) else letter
        if letter == "Z":
            parts.append(shown)
        elif letter == "A":
            radii = f"{draw(radius)},{draw(radius)} {draw(coordinate)}"
            flags = f"{draw(st.sampled_from('01'))}{draw(st.sampled_from('01'))}"
            parts.append(f"{shown}{radii} {flags}{draw(coordinate)} {draw(coordinate)}")
        else:
            count = letters[letter] * draw(st.integers(1, 2))
            parts.append(shown + " ".join(str(draw(coordinate)) for _ in range(count)))
    return draw(st.sampled_from(["", " ", "\n"])).join(parts)


@examples(80)
@given(commands())
def test_canonical_is_a_fixed_point(data: str) -> None:
    """A canonical path read again is itself, so equal outlines stay equal strings."""
    once = to_canonical_path(data)
    assert once.startswith("M ")
    assert to_canonical_path(once) == once
    assert set(once) <= set("MLCZ -.0123456789")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("M1 2L3 4z", "M 1 2 L 3 4 Z"),
        ("m1,2 3,4 -1-1", "M 1 2 L 4 6 L 3 5"),
        ("M0 0 10 0 10 10", "M 0 0 L 10 0 L 10 10"),
        ("M1 1h2v3H0V0", "M 1 1 L 3 1 L 3 4 L 0 4 L 0 0"),
        ("M0 0c1 1 2 2 3 3", "M 0 0 C 1 1 2 2 3 3"),
        ("M0 0C0 1 2 3 4 3S8 5 8 6", "M 0 0 C 0 1 2 3 4 3 C 6 3 8 5 8 6"),
        ("M1 1S2 2 3 3", "M 1 1 C 1 1 2 2 3 3"),
        ("M0 0Q3 0 3 3", "M 0 0 C 2 0 3 1 3 3"),
        ("M0 0Q3 0 3 3T6 6", "M 0 0 C 2 0 3 1 3 3 C 3 5 4 6 6 6"),
        ("M0 0Q3 0 3 3S6 3 6 6", "M 0 0 C 2 0 3 1 3 3 C 3 3 6 3 6 6"),
        ("M0 0T3 3", "M 0 0 C 0 0 1 1 3 3"),
        ("M1.5.5-1e1 2E-1", "M 1.5 0.5 L -10 0.2"),
        ("M0 0L1 0 1 1ZL5 5", "M 0 0 L 1 0 L 1 1 Z M 0 0 L 5 5"),
        ("M2 3L3 3zzm1 1l1 0", "M 2 3 L 3 3 Z M 3 4 L 4 4"),
        ("M0 0A0 5 0 0 1 3 3", "M 0 0 L 3 3"),
        ("M1 1A5 5 0 0 1 1 1", "M 1 1"),
        ("M0.0004-0.0004L1 1", "M 0 0 L 1 1"),
        ("", ""),
        ("  \n", ""),
    ],
)
def test_each_command(data: str, expected: str) -> None:
    """Relative, implicit, shorthand and degenerate commands are drawn as SVG says."""
    assert to_canonical_path(data) == expected


def test_quarter_arc_is_one_cubic() -> None:
    assert to_canonical_path("M10 0A10 10 0 0110 20") == to_canonical_path("M 10 0 A 10 10 0 0 1 10 20")
    assert to_canonical_path("M10 0A10 10 0 0 1 20 10") == "M 10 0 C 15.523 0 20 4.477 20 10"


@examples(60)
@given(
    coordinate, coordinate, st.floats(0.1, 300), st.floats(0.1, 300), st.floats(-180, 180), st.booleans(), st.booleans()
)
def test_arcs_end_where_they_should(
    x: float, y: float, rx: float, ry: float, angle: float, large: bool, sweep: bool
) -> None:
    """An arc ends exactly at its end, in pieces of at most 90 degrees, on an ellipse of the given proportions."""
    if (x, y) == (0, 0):
        return
    curves = curves_from_arc((0.0, 0.0), (rx, ry), angle, large, sweep, (x, y))
    assert curves[-1][4:] == (x, y)
    assert 1 <= len(curves) <= 4
    # In the ellipse's axes, scaled to a circle, all knots lie on one circle through start and end.
    cosine, sine = math.cos(math.radians(-angle)), math.sin(math.radians(-angle))
    knots = [(0.0, 0.0), *[curve[4:] for curve in curves]]
    flat = [((cosine * px - sine * py) / rx, (sine * px + cosine * py) / ry) for px, py in knots]
    middles = [
        ((cosine * px - sine * py) / rx, (sine * px + cosine * py) / ry) for px, py in map(_middle, knots, curves)
    ]
    chord = math.dist(flat[0], flat[-1])
    radius = max(1.0, chord / 2)
    assert all(math.dist(flat[0], spot) <= 2 * radius * 1.001 for spot in [*flat, *middles])
    swept = 2 * math.asin(min(1.0, chord / 2 / radius))
    turn = 2 * math.pi - swept if large and chord < 2 else swept
    assert math.ceil(turn / (math.pi / 2) - 1e-3) <= len(curves) <= math.ceil(turn / (math.pi / 2) + 1e-3)


def _middle(start: tuple[float, ...], curve: tuple[float, ...]) -> tuple[float, float]:
    x1, y1, x2, y2, x3, y3 = curve
    return ((start[0] + 3 * x1 + 3 * x2 + x3) / 8, (start[1] + 3 * y1 + 3 * y2 + y3) / 8)


def test_sweep_turns_clockwise_on_paper() -> None:
    """Sweep 1 goes clockwise as seen on the page (y down), sweep 0 the other way."""
    assert "C 2.761 -5 5 -2.761 5 0" in to_canonical_path("M-5 0A5 5 0 0 1 5 0")
    assert "C 2.761 5 5 2.761 5 0" in to_canonical_path("M-5 0A5 5 0 0 0 5 0")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("L 0 0", "path data: the first command must be M or m"),
        ("M 0 0 L 5 x", "path data: at character 11 a number is expected, not 'x'"),
        ("M 0", "path data: at character 4 a number is expected, but the data ends"),
        ("M 0 0 A 1 1 0 2 0 5 5", "path data: at character 15 the flag 0 or 1 is expected, not '2 0 5 5'"),
        ("M 0 0 L 1 1,", "path data: at character 13 a number is expected, but the data ends"),
        ("M 0 0 Z 3", "path data: at character 9 a command is expected, not '3'"),
        ("M 0 0 B 3", "path data: at character 7 a command is expected, not 'B 3'"),
        ("M 1e9 0", "path data: '1e9' is too large"),
        ("M 90000 0 l 90000 0", "path data: the outline is too large"),
    ],
)
def test_malformed_data_say_where(data: str, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        to_canonical_path(data)
    assert str(caught.value) == message
