"""The minutes of a stored result serve other packages while the game's data are those that were played."""

from pathlib import Path

import pytest
from conftest import ROOT, Pnp

from generator.game.project import find_project
from generator.lab.reports.result_report import find_duration


@pytest.mark.slow
def test_minutes_come_from_the_stored_result_of_the_present_data(pnp: Pnp, tmp_path: Path) -> None:
    project, folder = find_project(ROOT), tmp_path / "fortuna"
    assert find_duration(project, "fortuna", folder, trusted=False) is None, "there is no result"
    assert pnp("lab", "fortuna", "--games", "10", "--project", str(ROOT), "--out", str(tmp_path)).code == 0
    found = find_duration(project, "fortuna", folder, trusted=False)
    assert found is not None
    least, most, games = found
    assert 1 <= least < most < 200 and games == 20, "ten with three players, ten with four"
    file = folder / "lab-report.json"
    text = file.read_text(encoding="utf-8")
    begin = text.index('"data": "') + len('"data": "')
    file.write_text(text[:begin] + "0" * 16 + text[begin + 16 :], encoding="utf-8")
    assert find_duration(project, "fortuna", folder, trusted=False) is None, "the data have changed since"
