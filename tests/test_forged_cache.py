"""What somebody else has put among the kept results, however whole it looks: it writes nothing elsewhere, runs nothing."""

import io
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import kept_project as kp
import pytest
from tests_support import quick

from generator.base import cache
from generator.base.cache import Store
from generator.base.errors import Place
from generator.base.files import Resources
from generator.checks.check_report import Check
from generator.commands.build import BuildOrder
from generator.commands.orders import carry_out
from generator.game.game_cache import has_shape
from generator.game.project import find_project
from generator.play.tally import Tally


class Forger:
    """Builds a project with a store, and changes values in it as whoever may write there can."""

    def __init__(self, there: Path):
        self.project, self.store = kp.KeptProject(there / "project"), Store(there / "kept")
        self.out = there / "out"

    def built(self) -> dict[str, bytes]:
        """All files below the folder in which the build's folder lies, but for data and store."""
        project = find_project(self.project.root)._replace(store=self.store)
        carry_out(project, (), BuildOrder((), self.out), lambda _doing: None)
        around = self.out.parent
        files = [path for path in around.rglob("*") if path.is_file()]
        named = {path.relative_to(around).as_posix(): path for path in files}
        return {name: path.read_bytes() for name, path in named.items() if not name.startswith(("project/", "kept/"))}

    def forge(self, what: str, change: Callable[[Any], Any]) -> int:
        """Put other values in place of those of a sort, with the right sums; how many there were."""
        paths = list(self.store.folder.glob(f"{what}-*"))
        for path in paths:
            grounds, value = self.store.get(path.name) or ({}, None)
            self.store.put(path.name, (grounds, change(value)))
        return len(paths)


@pytest.fixture
def forger(tmp_path: Path) -> Forger:
    return Forger(tmp_path)


@pytest.mark.parametrize(
    "name",
    quick(["../../evil.pdf", "../evil.pdf", "/evil.pdf", "small/../../evil.pdf", "evil\\..\\x.pdf", "c:evil.pdf", "x/evil.pdf",
     "evil.pdf:stream.txt", ".evil.pdf", "evil.exe", "", "evil\0.pdf", "evil.pdf\n"], "../../evil.pdf", "/evil.pdf", "evil\\..\\x.pdf", "evil.exe"),
)  # fmt: skip
def test_a_file_has_a_name_of_ours(forger: Forger, name: str) -> None:
    first = forger.built()
    assert forger.forge("files", lambda value: ([(name, b"evil"), *value[0]], value[1])) == 1
    assert forger.built() == first


@pytest.mark.parametrize(
    "what", quick(["files", "checks", "rulebook", "book", "faces", "sketches"], "files", "checks", "faces")
)
def test_values_of_odd_shapes_are_remade(forger: Forger, what: str) -> None:
    first = forger.built()
    odds = {
        "files": (None, ([1], (("en",), ())), ([("a.pdf", 5)], (("en",), ())), ([("a.pdf", b"")], ("en",)), 5),
        "checks": ((1,), Place("x")), "rulebook": ((), Check),
        "book": ((b"", b""), ("a", "b", "c")), "faces": (({"a": 1}, ()), ({}, [1])), "sketches": ({1: 2}, {"a": ("b", True)}),
    }  # fmt: skip
    for odd in odds[what]:
        if what != "files":
            forger.forge("files", lambda _value: None)  # or nobody would ask for the others
        assert forger.forge(what, lambda _value, odd=odd: odd) > 0  # type: ignore[misc]
        assert forger.built() == first, odd


RESULTS = ("files", "book", "rulebook", "checks", "tallies")
"""What a build asks for first; without them it asks for parts."""


@pytest.mark.parametrize("what", quick(["faces", "strips", "measures", "tallies"], "faces"))
@pytest.mark.parametrize(
    "odd", [5, *(pytest.param(odd, marks=pytest.mark.slow) for odd in (b"odd", ("a", "b"), (1, (2,))))]
)
def test_odd_parts_are_remade(forger: Forger, what: str, odd: Any) -> None:
    first = forger.built()
    for other in RESULTS:
        if other != what:
            forger.forge(other, lambda _value: None)
    change = lambda value: {0: odd} if what == "tallies" else (dict.fromkeys(value[0], odd), value[1])  # noqa: E731
    assert forger.forge(what, change) > 0 or what == "tallies"
    assert forger.built() == first


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reads", "sketch"),
    [
        ([], ("card", "0", False, "en", (7,))),
        ([], ("card", "0", False, "en")),
        ([], 5),
        ([5], ("card", "0", False, "en", (0,))),
        ([(("value", ()), "")], ("card", "0", False, "en", (0,))),
        ([(("value", ("en",)), "")], ("card", "0", False, "en", (0,))),
        ([(("value", ("en", ["rules"])), "")], ("card", "0", False, "en", (0,))),
        ([(("odd", "name"), "")], ("card", "0", False, "en", (0,))),
        ([(("template", ("a", "b")), "")], ("card", "0", False, "en", (0,))),
    ],
)
def test_odd_sketches_are_remade(forger: Forger, reads: list[Any], sketch: Any) -> None:
    first = forger.built()
    for what in RESULTS:
        forger.forge(what, lambda _value: None)
    assert forger.forge("sketches", lambda value: (reads, dict.fromkeys(value[1], sketch))) == 1
    assert forger.built() == first


def test_an_object_with_an_odd_part_is_remade(forger: Forger) -> None:
    first = forger.built()

    def strange(value: tuple[Check, ...]) -> tuple[Check, ...]:
        return (*value, Check("x", "x", "odd", "x"))  # type: ignore[arg-type]

    forger.forge("files", lambda _value: None)
    assert forger.forge("checks", strange) == 1
    assert forger.built() == first


class _Calls:
    """Calls a class when it is brought to life."""

    def __init__(self, kind: Any, *words: Any):
        self.kind, self.words = kind, words

    def __reduce__(self) -> tuple[Any, ...]:
        return self.kind, self.words


@pytest.mark.parametrize("kind", [subprocess.Popen, Path, io.FileIO, Resources])
def test_classes_of_others_are_not_brought_to_life(tmp_path: Path, kind: Any) -> None:
    """A kept value may hold objects of a few classes of ours; a foreign class would be called by whoever wrote it."""
    mark, there = tmp_path / "mark", Store(tmp_path / "kept")
    words = {
        subprocess.Popen: ([sys.executable, "-c", f"open({str(mark)!r}, 'w')"],),
        Path: (str(mark),),
        io.FileIO: (str(mark), "w"),
        Resources: ((),),
    }[kind]
    there.put("trap", (_Calls(kind, *words),))
    assert (there.folder / "trap").is_file()
    assert there.get("trap") is None
    assert not mark.exists()


@pytest.mark.parametrize("name", [("generator.base.errors", "array"), ("generator.base.geometry", "re.Pattern")])
def test_nor_by_way_of_a_module_of_ours(tmp_path: Path, name: tuple[str, str]) -> None:
    module, words = name
    there = Store(tmp_path / "kept")
    there.put("trap", 1)
    data = b"\x80\x04" + f"c{module}\n{words}\n".encode() + b"."
    (there.folder / "trap").write_bytes(cache._MAGIC + blake2b(data, digest_size=cache._CHECK).digest() + data)

    assert there.get("trap") is None
    assert there.get("nothing") is None


def test_what_may_be_kept_comes_back(tmp_path: Path) -> None:
    there = Store(tmp_path / "kept")
    value = (Tally(games=3, turns=Counter({4: 1})), Check("a", "b", "pass", "c", place=Place("f", 1, 2)))
    there.put("value", value)
    assert there.get("value") == value


class _Pair(NamedTuple):
    first: int
    second: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("value", "shape", "right"),
    [
        (1, int, True), (True, int, False), (1, float, True), ("1", float, False), (None, None, True), ((), Any, True),
        ((1, "a"), tuple[int, str], True), ((1,), tuple[int, str], False), ((1, 2), tuple[int, ...], True),
        ([1, "a"], list[int], False), ({"a": 1}, dict[str, int], True), ({1: 1}, dict[str, int], False),
        (Counter(a=1), Counter[str], True), (Counter(a="x"), Counter[str], False), ("a", int | str, True),
        (None, int | None, True), ((1, ("x",)), _Pair, True), ((1, (2,)), _Pair, False), ((1,), _Pair, False),
        (Tally(), Tally, True), (Tally(games="x"), Tally, False),  # type: ignore[arg-type]
    ],
)  # fmt: skip
def test_shapes(value: Any, shape: Any, right: bool) -> None:
    """A value is held against a type down to the last part."""
    assert has_shape(value, shape) is right
