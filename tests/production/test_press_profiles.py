"""Colour profiles that users name: one that is not whole is refused before it gives colours or goes into a PDF."""

from pathlib import Path

import pytest
from conftest import ROOT

from generator.base.errors import ProblemsFound
from generator.production.press_colour import PressProfile

WHOLE = (ROOT / "profiles" / "FOGRA39L_coated.icc").read_bytes()


@pytest.mark.parametrize("missing", [1, 1_000, len(WHOLE) - 200])
def test_a_profile_that_was_cut_short_is_refused(missing: int, tmp_path: Path) -> None:
    """Its colours may come out right and the shop's program refuse it all the same: the bytes are counted."""
    path = tmp_path / "shop.icc"
    path.write_bytes(WHOLE[:-missing])
    with pytest.raises(ProblemsFound, match=f"cut short: {len(WHOLE) - missing} of {len(WHOLE)} bytes are there"):
        PressProfile(path)


def test_a_whole_profile_is_taken(tmp_path: Path) -> None:
    """Bytes after its end, which some programs write, do no harm."""
    path = tmp_path / "shop.icc"
    path.write_bytes(WHOLE + b"\0\0\0")
    assert PressProfile(path).name
