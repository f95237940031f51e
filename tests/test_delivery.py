"""Finished files reach their places together: whatever is in the way, whoever dies meanwhile, however many are at it."""

import errno
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

import pytest

from generator.base.errors import ProblemsFound
from generator.base.output_files import open_delivery

OLD = {"a/x.pdf": b"old x", "a/y.pdf": b"old y", "b/z.pdf": b"old z"}
NEW = {"a/x.pdf": b"new x", "a/y.pdf": b"new y", "b/z.pdf": b"new z", "b/new/w.pdf": b"new w"}

if sys.platform != "win32":
    import fcntl

NOBODY = 65_534
"""A user without rights."""

posix = pytest.mark.skipif(os.name != "posix", reason="processes are forked")


def put(data: bytes, out: BinaryIO) -> None:
    out.write(data)


def deliver(root: Path, files: dict[str, bytes]) -> None:
    """Hand over files below a folder."""
    with open_delivery() as new:
        for name, data in files.items():
            new.write(root / name, partial(put, data))
        new.hand_over()


def state(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if not path.is_dir()}


def folders(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_dir())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder in which a first build has left its files."""
    place = tmp_path / "out"
    deliver(place, OLD)
    return place


def forked(work: Callable[[], None], dies_at: int = 0) -> int:
    """Do something in another process, which dies before its so many-th touch of a file: its exit code."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    touches = 0

    def count(event: str, _arguments: Any) -> None:
        nonlocal touches
        touches += event in ("open", "os.mkdir", "os.rename", "os.link", "os.remove", "os.rmdir", "fcntl.flock")
        if dies_at and touches == dies_at:
            os._exit(9)

    try:
        sys.addaudithook(count)
        work()
    finally:
        os._exit(0)


def test_files_are_handed_over(root: Path) -> None:
    assert state(root) == OLD
    deliver(root, NEW)
    assert state(root) == NEW
    assert folders(root) == ["a", "b", "b/new"]


def test_nothing_comes_before_it_is_handed_over(root: Path) -> None:
    def fail(out: BinaryIO) -> None:
        out.write(b"half")
        raise RuntimeError("a bug")

    with open_delivery() as files:
        files.write(root / "a/x.pdf", partial(put, b"new"))
        with pytest.raises(RuntimeError):
            files.write(root / "c/d/e.pdf", fail)
    assert state(root) == OLD
    assert folders(root) == ["a", "b"]


@pytest.mark.parametrize("taken", [["a/x.pdf"], ["b/z.pdf"], ["a/y.pdf", "b/z.pdf"]])
def test_a_folder_in_a_files_place(root: Path, taken: list[str]) -> None:
    for name in taken:
        (root / name).unlink()
        (root / name / "kept").mkdir(parents=True)
    before = state(root)
    with pytest.raises(ProblemsFound) as found:
        deliver(root, NEW)

    assert state(root) == before
    assert [str(problem).partition(root.as_posix() + "/")[2] for problem in found.value.problems] == [
        f"{name}: the file can't be written: Is a directory; a folder is in the place of the file; remove it, or "
        "choose another folder with --out"
        for name in taken
    ]
    assert not [name for name in folders(root) if ".pnp" in name or "new" in name]


def refuse(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Have files be open in a viewer, as Windows sees it: nothing can be moved to their places."""
    moved = Path.replace

    def replace(path: Path, target: Path) -> Path:
        if target.name in names:
            raise PermissionError(errno.EACCES, "Permission denied")
        return moved(path, target)

    monkeypatch.setattr(Path, "replace", replace)


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("names", [("x.pdf",), ("y.pdf",), ("z.pdf", "x.pdf"), ("w.pdf",)])
def test_a_file_that_is_open_elsewhere(
    root: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], links: bool
) -> None:
    """Files that were already replaced are put back, with the times they had; also where a disk has no links."""
    times = {path: path.stat().st_mtime_ns for path in root.rglob("*.pdf")}
    if not links:
        monkeypatch.setattr(os, "link", lambda *_a, **_o: (_ for _ in ()).throw(PermissionError(errno.EPERM, "no")))
    refuse(monkeypatch, *names)
    with pytest.raises(ProblemsFound) as found:
        deliver(root, NEW)

    assert len(found.value.problems) == len(names)
    assert state(root) == OLD
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*.pdf")} == times
    assert folders(root) == ["a", "b"]


@posix
def test_a_folder_that_may_not_be_written_to() -> None:
    """It is told before anything is made there. Root may write anywhere, and so tries it as another user."""
    with TemporaryDirectory() as room:  # pytest's folder is closed to other users
        place = Path(room) / "out"
        deliver(place, OLD)
        (place / "b").chmod(0o500)
        if os.geteuid() == 0:
            for path in (Path(room), place, *place.rglob("*")):
                os.chown(path, NOBODY, NOBODY)

        def deliver_as_user() -> None:
            if os.geteuid() == 0:
                os.setuid(NOBODY)
            with pytest.raises(ProblemsFound, match=r"z\.pdf: the file can't be written: Permission denied"):
                deliver(place, NEW)
            os._exit(3)

        assert forked(deliver_as_user) == 3
        (place / "b").chmod(0o700)
        assert state(place) == OLD


@posix
@pytest.mark.parametrize("most", [3, 5])
def test_a_full_disk_leaves_the_old_files(root: Path, most: int) -> None:
    def work() -> None:
        import resource

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        deliver(root, NEW | {"b/new/w.pdf": b"a long new file"})

    assert forked(work) == 0
    assert state(root) == OLD
    assert folders(root) == ["a", "b"]


@posix
def test_three_at_once(tmp_path: Path) -> None:
    root = tmp_path / "out"
    names = [f"{folder}/{n}.pdf" for folder in ("a", "b", "c") for n in range(5)]

    def often(own: bytes) -> None:
        for _ in range(8):
            deliver(root, dict.fromkeys(names, own))

    children = []
    for own in (b"one", b"two", b"three"):
        child = os.fork()
        if not child:
            code = 1
            try:
                often(own)
                code = 0
            finally:
                os._exit(code)
        children.append(child)

    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0, 0]
    found = state(root)
    assert sorted(found) == sorted(names)
    assert len(set(found.values())) == 1
    assert folders(root) == ["a", "b", "c"]


def test_who_lives_is_left_alone(root: Path) -> None:
    with open_delivery() as slow:
        slow.write(root / "a/x.pdf", partial(put, b"slow"))
        slow.write(root / "b/z.pdf", partial(put, b"slow"))
        deliver(root, NEW)
        assert state(root)["a/x.pdf"] == b"new x"
        slow.hand_over()
    assert state(root) == {**NEW, "a/x.pdf": b"slow", "b/z.pdf": b"slow"}


@posix
def test_who_is_killed_is_outlived_by_a_helper(root: Path) -> None:
    """Helpers hold the locks of who is killed for a moment longer: the next delivery looks once more before it ends."""
    begun, going = os.pipe()

    def killed() -> None:
        with open_delivery() as new:
            new.write(root / "a/x.pdf", partial(put, b"never"))
            if not os.fork():
                os.close(going)
                os.read(begun, 1)
                os._exit(0)
            os._exit(9)

    assert forked(killed) == 9
    with open_delivery() as new:
        new.write(root / "a/x.pdf", partial(put, b"new x"))
        own = new.open_temporary_folder(root / "a")
        (left,) = (tray for tray in root.glob("a/.pnp-*") if tray != own)
        os.close(begun)
        os.close(going)
        number = os.open(left, os.O_RDONLY)
        fcntl.flock(number, fcntl.LOCK_EX)  # once the helper has ended
        os.close(number)
        new.hand_over()
    assert state(root) == {**OLD, "a/x.pdf": b"new x"}


def test_trays_are_hidden_from_others(root: Path) -> None:
    """Nobody can know where a new file will wait, so nobody can have put a link there; others can't look in."""
    names = set()
    for _ in range(2):
        with open_delivery() as files:
            files.write(root / "a/x.pdf", partial(put, b"new"))
            (tray,) = (path for path in (root / "a").iterdir() if path.is_dir())
            names |= {tray.name, *(path.name for path in tray.iterdir())}
            if os.name == "posix":
                assert tray.stat().st_mode & 0o777 == 0o700
    assert len(names) == 4
    assert all(len(name) >= 16 for name in names)


TRAY = ".pnp-" + "0" * 32


@posix
@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)], ids=["a sample", "every moment"])
def test_a_killed_delivery_leaves_whole_files(tmp_path: Path, step: int) -> None:
    ends = []
    for moment in range(1, 300, step):
        root = tmp_path / str(moment)
        deliver(root, OLD)
        code = forked(lambda root=root: deliver(root, NEW), moment)  # type: ignore[misc]
        assert all((root / name).read_bytes() in (OLD[name], NEW[name]) for name in OLD), f"after {moment} touches"
        ends.append(any(".pnp-" in name for name in folders(root)))
        deliver(root, NEW)
        assert state(root) == NEW, f"after {moment} touches"
        assert folders(root) == ["a", "b", "b/new"], f"after {moment} touches"
        if code == 0:
            break

    assert ends.count(True) > 10, "the kills hit"


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit])
def test_an_interrupted_delivery_leaves_the_old_files(
    root: Path, monkeypatch: pytest.MonkeyPatch, end: type[BaseException]
) -> None:
    moved = Path.replace

    def replace(path: Path, target: Path) -> Path:
        if target.name == "z.pdf" and path.suffix != ".old":
            raise end
        return moved(path, target)

    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(end):
        deliver(root, NEW)

    assert state(root) == OLD
    assert folders(root) == ["a", "b"]


@posix
def test_a_strangers_tray_leads_nowhere(root: Path) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "kept.pdf").write_bytes(b"kept")
    (root / "a" / TRAY).mkdir()
    (root / "a" / TRAY / "link").symlink_to(outside)
    os.mkfifo(root / "a" / TRAY / "pipe")
    (root / "b" / TRAY).symlink_to(outside)
    deliver(root, NEW)
    assert state(outside) == {"kept.pdf": b"kept"}
    assert not (root / "a" / TRAY).exists()
    assert (root / "b" / TRAY).is_symlink()


def test_without_locks_only_old_trays_are_removed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.base.output_files._lock_folder", lambda _folder, _how: None)
    (root / "a" / TRAY).mkdir()
    (root / "b" / TRAY).mkdir()
    os.utime(root / "b" / TRAY, (0, 0))
    deliver(root, NEW)
    assert state(root) == NEW
    assert folders(root) == ["a", f"a/{TRAY}", "b", "b/new"]


def test_a_name_is_needed(room: Path) -> None:
    with pytest.raises(ProblemsFound, match="the file can't be written"):
        deliver(Path(), {"": b""})
    assert list(room.iterdir()) == []
