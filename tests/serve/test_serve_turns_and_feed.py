"""What a change of files is taken for, turns at the workshop, and news for every page that listens."""

import gc
import os
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from serve_cases import PATIENCE, expect_soon, save

from generator.base.errors import Place, Problem
from generator.game.load_game import load_game
from generator.game.project import find_project
from generator.live import file_watch
from generator.live.file_watch import (
    BEAT,
    MOST_SETTLING_WAITS,
    MOST_WAITING_EVENTS,
    SETTLING,
    ChangeScope,
    Feed,
    compare_moments,
    has_changed,
    scan_files,
    wait_for_rest,
)
from generator.live.gallery import ANSWERING, Gallery, WorkshopLock
from generator.live.game_show import ProblemLocator, Show

DATA, TEMPLATES, FONTS = (
    ChangeScope(frozenset(), everything=True, **{what: True}) for what in ("data", "templates", "fonts")
)


def test_one_works_at_a_time() -> None:
    turns, inside, most, done = WorkshopLock(), 0, 0, []

    def work(number: int) -> None:
        nonlocal inside, most
        with turns.take_now() if number % 2 else turns.take_when_idle():
            inside += 1
            most = max(most, inside)
            threading.Event().wait(0.002)
            inside -= 1
            done.append(number)

    threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)

    assert most == 1
    assert sorted(done) == list(range(20))


def test_what_is_asked_for_goes_before_what_is_done_ahead() -> None:
    """Of those that wait while a turn is taken, work ahead comes last, though it waited first."""
    turns, order = WorkshopLock(), []

    def wait(kind: str) -> threading.Thread:
        def work() -> None:
            with turns.take_when_idle() if kind == "ahead" else turns.take_now():
                order.append(kind)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        return thread

    with turns.take_now():
        first = wait("ahead")
        threading.Event().wait(0.05)
        second = wait("asked")
        expect_soon(lambda: turns._waiting == 1)
    first.join(PATIENCE)
    second.join(PATIENCE)

    assert order == ["asked", "ahead"]


@pytest.mark.parametrize("kind", ["take_now", "take_when_idle"])
def test_a_turn_ends_with_a_mistake_too(kind: str) -> None:
    turns = WorkshopLock()
    with pytest.raises(RuntimeError), getattr(turns, kind)():
        raise RuntimeError
    with turns.take_now():
        pass


def taken(stream: Iterator[bytes], number: int) -> list[bytes]:
    return [next(stream) for _ in range(number)]


def test_every_listener_hears_everything_in_order() -> None:
    """Two pages that are open get the same events, one that opens later what comes then."""
    feed = Feed()
    with feed.open_listener() as one, feed.open_listener() as two:
        feed.send_event("game", {"id": "a"})
        with feed.open_listener() as late:
            feed.send_event("game", {"id": "b\nc", "name": "小麦"})
            latest = taken(late.iter_events(PATIENCE), 1)
        first, second = taken(one.iter_events(PATIENCE), 2)
        assert taken(two.iter_events(PATIENCE), 2) == [first, second]
        assert latest == [second]
    assert first == b'event: game\ndata: {"id": "a"}\n\n'
    assert second == 'event: game\ndata: {"id": "b\\nc", "name": "小麦"}\n\n'.encode()


def test_a_listener_without_news_hears_a_sign_of_life() -> None:
    with Feed().open_listener() as listener:
        assert next(listener.iter_events(0.01)) == BEAT
    assert BEAT.startswith(b":"), "a comment, which browsers pass over"


def test_a_listener_that_falls_behind_is_let_go() -> None:
    """One that does not read costs neither memory nor the others' news; its stream ends, and it may come again."""
    feed = Feed()
    with feed.open_listener() as slow, feed.open_listener() as quick:
        heard = quick.iter_events(PATIENCE)
        for number in range(MOST_WAITING_EVENTS + 1):
            feed.send_event("game", {"n": number})
            next(heard)
        assert list(slow.iter_events(PATIENCE)) == []
        feed.send_event("game", {"n": "more"})
        assert b"more" in next(heard)


def test_all_streams_end_when_the_server_does() -> None:
    feed = Feed()
    with feed.open_listener() as listener:
        feed.close()
        assert list(listener.iter_events(PATIENCE)) == []
    with feed.open_listener() as late:
        assert list(late.iter_events(PATIENCE)) == []


def test_a_mistake_in_the_background_is_not_hidden(tiny, monkeypatch) -> None:
    gallery = Gallery(find_project(tiny.root, tiny.root), ())

    def broken(_root: object) -> None:
        raise RuntimeError("ours")

    monkeypatch.setattr("generator.live.gallery.scan_files", broken)
    with pytest.raises(RuntimeError, match="ours"):
        gallery.run()
    assert isinstance(gallery.failure, RuntimeError)


def test_pages_fetch_what_changed_before_other_faces_are_drawn(tiny, monkeypatch) -> None:
    gallery, done = Gallery(find_project(tiny.root, tiny.root), ()), []
    monkeypatch.setattr("generator.live.gallery.wait_for_rest", scan_files)
    monkeypatch.setattr(gallery, "_draw_ahead", lambda: done.append("ahead"))
    monkeypatch.setattr(gallery._stop, "wait", done.append)
    monkeypatch.setattr("generator.live.gallery.gc.collect", lambda: None)  # of all that other tests keep
    for number, settled in enumerate((False, True)):
        tiny.change("data/tiny/game.yaml", f"title: {'Tiny' * (number + 1)}", f"title: {'Tiny' * (number + 2)}")
        gallery.work(settled=settled)
        gallery.work(settled=settled)
    assert done == [ANSWERING, "ahead", "ahead", "ahead", "ahead"]


def test_old_objects_are_freed_in_small_steps(tiny, monkeypatch) -> None:
    """While all is drawn for the first time, what is new is looked through at each look; later once all is drawn."""
    gallery, done, left = (
        Gallery(find_project(tiny.root, tiny.root), ()),
        [],
        iter((True, True, False, False, True, False)),
    )
    gallery._used = False
    said = {name: partial(done.append, name) for name in ("collect", "freeze")}
    monkeypatch.setattr("generator.live.gallery.gc", SimpleNamespace(isenabled=lambda: False, **said))
    monkeypatch.setattr(gallery, "_draw_ahead", lambda: next(left))
    steps = []
    for _ in range(6):
        gallery._prefetch()
        steps.append(" ".join(done))
        done.clear()
    assert steps == ["collect freeze", "collect freeze", "collect freeze collect", "", "", "collect"]


def test_what_was_drawn_before_goes(tiny, request: pytest.FixtureRequest) -> None:
    """After many edits the drawings of old states are not kept: the same number of workshops is there as before."""
    from generator.drawing.faces.game_drawing import Workshop

    gc.freeze()  # what other tests keep need not be looked through
    request.addfinalizer(gc.unfreeze)
    for folder in ("data", "templates"):  # servers of other tests end late: their workshops are not to be counted
        (tiny.root / folder / "tiny").rename(tiny.root / folder / "lone")
    gallery = Gallery(find_project(tiny.root, tiny.root), ())
    (show,) = gallery._shows.values()

    def alive() -> int:
        for key in show.iter_faces():
            show.get_picture(key)
        gc.collect()
        return sum(type(each) is Workshop and each.game.id == "lone" for each in gc.get_objects())

    before = alive()
    for number in range(5):
        tiny.change(
            "data/lone/game.yaml", "title: One" if not number else f"title: One{number - 1}", f"title: One{number}"
        )
        show.read(DATA)
        alive()

    assert alive() == before
    tiny.change("data/lone/game.yaml", "- {id: two, count: 3, title: Two, value: 2}", "# - {id: two}")
    assert show.get_version(("card/two", "front", "en"))
    show.read(DATA)
    assert not show.get_version(("card/two", "front", "en")), "nor the pictures of a design that is gone"


def test_serve_keeps_a_bounded_number_of_pictures(tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what pages asked for last; draw the others again, with the same version, when they are asked for."""
    monkeypatch.setattr("generator.live.game_show._MOST_PICTURES", 1)
    show = Show(find_project(tiny.root, tiny.root), "tiny")
    show.read()
    one, two = show.iter_faces()
    versions = [picture and picture.version for picture in map(show.get_picture, (one, two))]
    assert show.take_changes() == [one, two]
    assert [*show._pictures] == [two]
    assert show.peek_picture(one) is not None
    assert [*show._pictures] == [two], "what is drawn ahead replaces nothing that was asked for"

    assert [show.get_version(key) for key in (one, two)] == versions
    again = show.get_picture(one)
    assert again is not None
    assert again.version == versions[0]
    assert [*show._pictures] == [one]
    assert not show.take_changes(), "they look as before"

    tiny.change("templates/tiny/card.svg", "{{ card.value }}", "{{ card.valeu }}")
    show.read(TEMPLATES)
    assert [bool(show.get_picture(key)) for key in (one, two)] == [True, False]
    assert [bool(show.get_version(key)) for key in (one, two)] == [True, False], "a dropped picture has no version"


@pytest.mark.slow
def test_a_picture_leaves_no_garbage(tiny, request: pytest.FixtureRequest) -> None:
    """Nothing of a picture that was sent waits for Python to look for cycles, which a server seldom lets it do."""
    show = Show(find_project(tiny.root, tiny.root), "tiny")
    show.read()
    first, *others = [picture for picture in map(show.get_picture, show.iter_faces()) if picture is not None]
    first.to_svg()
    gc.collect()
    gc.freeze()
    request.addfinalizer(gc.unfreeze)
    for picture in others:
        picture.to_svg()
    assert gc.collect() == 0


def test_only_what_changed_is_read_again(tiny) -> None:
    """A saved text leaves templates and open fonts, a template the game, a font file templates and game."""
    show, key = Show(find_project(tiny.root, tiny.root), "tiny"), ("card/one", "front", "en")

    def state() -> tuple[object, object, object]:
        assert show.get_picture(key) is not None
        assert show.workshop is not None
        return show.game, show.workshop.artist.templates, show.workshop.fonts

    show.read()
    game, templates, fonts = state()
    tiny.change("data/tiny/game.yaml", "title: One", "title: Uno")
    show.read(DATA)
    changed = state()
    assert changed[0] is not game
    assert changed[1] is templates
    assert changed[2] is fonts
    show.read(TEMPLATES)
    newer = state()
    assert newer[0] is changed[0]
    assert newer[1] is not templates
    assert newer[2] is fonts
    show.read(FONTS)
    newest = state()
    assert newest[0] is changed[0]
    assert newest[1] is newer[1]
    assert newest[2] is not fonts


def test_other_fonts_in_the_data_are_opened(tiny) -> None:
    show = Show(find_project(tiny.root, tiny.root), "tiny")
    show.read()
    assert show.workshop is not None
    fonts = show.workshop.fonts
    text = (tiny.root / "data/tiny/game.yaml").read_text(encoding="utf-8")
    file = next(word for word in text.replace("[", " ").replace("]", " ").split() if word.endswith(".ttf"))
    tiny.change("data/tiny/game.yaml", file, f"{file}, {file}")
    show.read(DATA)
    assert show.workshop.fonts is not fonts


def test_a_problem_is_about_the_designs_around_its_line(tiny) -> None:
    """Lines between two designs are the first one's; what is before, far behind or elsewhere is nobody's."""
    project = find_project(tiny.root, tiny.root)
    blame = ProblemLocator(load_game(project.find_folder("tiny"), project.resources), project.resources)
    file = "data/tiny/game.yaml"
    found = {line: blame.find_designs(Problem(Place(file, line), "x")) for line in range(1, 34)}

    assert {line: found[line] for line in (22, 23, 24)} == {22: ("card/one",), 23: ("card/two",), 24: ("card/two",)}
    assert not any(found[line] for line in [*range(1, 22), *range(25, 34)])
    assert blame.find_designs(Problem(Place("data/other/game.yaml", 22), "x")) == ()
    assert blame.find_designs(Problem(Place("templates/tiny/card.svg", 3), "x")) == ("card/one", "card/two")
    assert blame.find_designs(Problem(None, "x")) == ()

    met = Problem(Place("templates/tiny/parts.svg", 3), "met while two cards were drawn")
    blame.add_problems([met], "card/two")
    blame.add_problems([met], "card/one")
    assert blame.find_designs(met) == ("card/one", "card/two")


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
