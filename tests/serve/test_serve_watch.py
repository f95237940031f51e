"""What a change of files is taken for: which games are read again, and when a save counts as done."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from serve_cases import save

from generator.live import file_watch
from generator.live.file_watch import (
    MOST_SETTLING_WAITS,
    SETTLING,
    ChangeScope,
    compare_moments,
    has_changed,
    scan_files,
    wait_for_rest,
)

STAMP = (1, 1, 1)


def moments(path: str) -> list[ChangeScope]:
    nothing, there, changed = {}, {path: STAMP}, {path: (2, 1, 1)}
    return [compare_moments(nothing, there), compare_moments(there, changed), compare_moments(changed, nothing)]


@pytest.mark.parametrize(
    ("path", "games", "everything", "templates"),
    [
        ("data/higher/cards.yaml", {"higher"}, False, False),
        ("data/higher/deep/down/deck.csv", {"higher"}, False, False),
        ("data/_coming/game.yaml", {"coming"}, False, False),
        ("templates/higher/card.svg", {"higher"}, False, True),
        ("templates/higher/icons/star.svg", {"higher"}, False, True),
        ("templates/common/coins.svg", set(), True, True),
        ("fonts/Own.ttf", set(), True, False),
        ("fonts/family/Own.ttf", set(), True, False),
        ("data/stray.yaml", set(), True, False),
    ],
)
def test_a_file_concerns_its_game(path: str, games: set[str], everything: bool, templates: bool) -> None:
    for found in moments(path):
        assert (found.games, found.everything, found.templates) == (games, everything, templates)
        assert found
        assert found.concerns_game("higher") is (everything or "higher" in games)


def test_nothing_changed_concerns_nobody() -> None:
    found = compare_moments({"data/a/b.yaml": STAMP}, {"data/a/b.yaml": STAMP})
    assert not found
    assert not found.concerns_game("a")


@given(
    st.dictionaries(
        st.sampled_from([f"data/{g}/{f}" for g in "abc" for f in "xyz"]), st.tuples(*[st.integers(0, 2)] * 3)
    ),
    st.dictionaries(
        st.sampled_from([f"data/{g}/{f}" for g in "abc" for f in "xyz"]), st.tuples(*[st.integers(0, 2)] * 3)
    ),
)
def test_exactly_the_games_that_differ_are_touched(before: dict, after: dict) -> None:
    differ = {path.split("/")[1] for path in {*before, *after} if before.get(path) != after.get(path)}
    assert compare_moments(before, after).games == differ
    assert compare_moments(after, before).games == differ


def test_a_glance_sees_that_a_file_was_saved_again_or_is_gone(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / "data" / name).mkdir(parents=True)
        (tmp_path / "data" / name / "game.yaml").write_text("one", encoding="utf-8")
    before, path = scan_files(tmp_path), "data/a/game.yaml"
    assert not has_changed(tmp_path, before, [path])

    (tmp_path / "data" / "b" / "game.yaml").write_text("other", encoding="utf-8")
    assert not has_changed(tmp_path, before, [path])

    (tmp_path / path).write_text("other", encoding="utf-8")
    assert has_changed(tmp_path, before, [path])
    assert not has_changed(tmp_path, scan_files(tmp_path), [path])

    (tmp_path / path).unlink()
    assert has_changed(tmp_path, before, [path])


def test_only_a_projects_folders_are_looked_at(tmp_path: Path) -> None:
    """Data, templates and fonts, however deep; not what is built, hidden, or an editor's own."""
    seen = ["data/a/game.yaml", "data/a/deep/deck.csv", "templates/a/card.svg", "fonts/Own.ttf"]
    unseen = ["output/a/sheets.pdf", "README.md", "data/a/.game.yaml.swp", "data/a/.hidden/x.yaml", "data/a/game.yaml~",
              "data/a/4913.tmp", "data/a/__pycache__/rules.pyc"]  # fmt: skip
    for name in [*seen, *unseen]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x", encoding="utf-8")
    assert sorted(scan_files(tmp_path)) == sorted(seen)


def test_a_missing_folder_is_no_problem(tmp_path: Path) -> None:
    assert scan_files(tmp_path / "gone") == {}


def test_a_save_is_seen_whatever_the_clock_says(tmp_path: Path) -> None:
    """A file put in the old one's place is seen though size and time are equal, as after `git checkout` or `mv`."""
    file = tmp_path / "data" / "a" / "game.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("one", encoding="utf-8")
    stat, before = file.stat(), scan_files(tmp_path)
    save(file, "two")
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert compare_moments(before, scan_files(tmp_path)).games == {"a"}


def test_links_out_of_the_project_do_not_lead_in_circles(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "a"
    folder.mkdir(parents=True)
    (folder / "game.yaml").write_text("x", encoding="utf-8")
    (folder / "loop").symlink_to(tmp_path, target_is_directory=True)
    assert list(scan_files(tmp_path)) == ["data/a/game.yaml"]


def test_a_file_that_is_being_written_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `wait_for_rest` tells is the state after the last of several quick writes: it looks until nothing changes."""
    file = tmp_path / "data" / "a" / "game.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("", encoding="utf-8")
    lengths, naps = iter(range(1, 8)), list[float]()

    def nap(seconds: float) -> None:
        naps.append(seconds)
        length = next(lengths, None)
        if length:
            file.write_text("x" * length, encoding="utf-8")

    monkeypatch.setattr(file_watch, "time", SimpleNamespace(sleep=nap))
    found = wait_for_rest(tmp_path)

    assert found["data/a/game.yaml"][1] == 7
    assert naps == [SETTLING] * 8, "seven writes, and a look that finds nothing new"


def test_a_file_that_grows_on_and_on_is_read_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "data" / "a" / "game.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("", encoding="utf-8")

    def nap(_seconds: float) -> None:
        file.write_text(file.read_text(encoding="utf-8") + "x", encoding="utf-8")

    monkeypatch.setattr(file_watch, "time", SimpleNamespace(sleep=nap))
    assert wait_for_rest(tmp_path)["data/a/game.yaml"][1] == MOST_SETTLING_WAITS
