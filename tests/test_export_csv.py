"""`pnp export csv`: every kind of every game as a table that reads back as the very same kind."""

import copy
import csv
import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT, Pnp
from hypothesis import example, given
from hypothesis import strategies as st
from shipped_games import SWEPT, workshop
from tables_project import GAME, TablesProject
from tests_support import TinyProject, examples

from generator.base.errors import ProblemsFound
from generator.exchange.csv_tables import is_same, write_kind_table
from generator.game.load_game import load_game
from generator.game.model import Game, Kind
from generator.game.project import find_project

PROJECT = find_project(ROOT)


@cache
def game(name: str) -> Game:
    return workshop(name).game


def values(kind: Kind) -> Iterator[tuple[Any, ...]]:
    """All that a kind's designs say, in a form that tells 1 from 1.0 and from true."""
    for design in kind.designs:
        yield (design.id, design.count, design.front, design.back, repr(dict(design.fields)), dict(design.fields))


def with_tables(folder: Path, tables: dict[str, bytes]) -> None:
    """Put a table in the place of each kind's list, in whichever file of the game that stands.

    The files are written anew by a YAML writer of its own, so that no alias leads into a list that is gone.
    """
    replaced = set()
    for path in sorted(folder.rglob("*.yaml")):
        root = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506 - it makes texts only
        here = tables.keys() & root.get("components", {}).keys()
        if here:
            root = _values(path)
            for kind in here:
                (path.parent / f"{kind}.csv").write_bytes(tables[kind])
                root["components"][kind]["designs"] = f"{kind}.csv"
            path.write_text(yaml.safe_dump(root, allow_unicode=True, sort_keys=False), encoding="utf-8")
        replaced |= here
    assert replaced == tables.keys()


def _values(path: Path) -> Any:
    from generator.game.data_reader import read_yaml

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(part) for key, part in value.items()}
        return [plain(part) for part in value] if isinstance(value, list) else value

    return plain(read_yaml(path, path.name))


@pytest.mark.parametrize("name", SWEPT)
def test_every_kind_of_every_game_comes_back_whole(name: str, tmp_path: Path) -> None:
    before = game(name)
    folder = tmp_path / "data" / name
    shutil.copytree(PROJECT.find_folder(name), folder)
    with_tables(folder, {kind.id: write_kind_table(before, kind) for kind in before.kinds.values()})
    project = find_project(tmp_path, tmp_path)
    after = load_game(project.find_folder(name), project.resources)

    assert after.kinds.keys() == before.kinds.keys()
    assert any(len(kind.designs) > 3 for kind in after.kinds.values())
    for kind in before.kinds.values():
        assert list(values(after.kinds[kind.id])) == list(values(kind))
        assert {Path(design.place.file).name for design in after.kinds[kind.id].designs} == {f"{kind.id}.csv"}
    assert after.marks == before.marks


TEXTS = st.text(
    st.sampled_from("\",;|\t\n '=+-@0123凧がé　[]{}#:&*!") | st.characters(exclude_categories=["Cs", "Cn", "Co", "Cc"]),
    max_size=12,
)  # fmt: skip
FULL = TEXTS.filter(bool)
WORDS = st.fixed_dictionaries({"ja": FULL, "en": FULL})
DESIGN = st.fixed_dictionaries(
    {"title": WORDS},
    optional={
        "count": st.integers(0, 10_000),
        "front": FULL,
        "back": TEXTS,
        "value": st.integers(0, 9),
        "kind": st.sampled_from(["sun", "moon"]),
        "kinds": st.lists(st.sampled_from(["sun", "moon"])),
        "notes": st.lists(TEXTS | st.sampled_from(["007", "true", "null", "-1", "a | b", "'", "[]", "{a: b}"])),
        "lines": st.lists(WORDS, max_size=3),
        "note": TEXTS,
        "text": WORDS,
        "wild": st.booleans(),
        "weight": st.integers(-(10**13), 10**13) | st.floats(allow_nan=False, allow_infinity=False),
        "code": st.sampled_from([1, 2, "2", "red"]),
        "effects": st.lists(st.fixed_dictionaries({"op": st.just("gain"), "n": st.integers(-99, 99)}), max_size=3),
    },
)


class _Exact(yaml.SafeDumper):
    """Writes decimals as the data's YAML has them, with a point, and quotes texts: YAML 1.2 reads 0E0 as a number."""


_Exact.add_representer(str, lambda dumper, value: dumper.represent_scalar("tag:yaml.org,2002:str", value, style='"'))
_Exact.add_representer(
    float,
    lambda dumper, value: dumper.represent_scalar(
        "tag:yaml.org,2002:float", repr(value) if "." in repr(value) else repr(value).replace("e", ".0e")
    ),
)


@pytest.mark.slow
@examples(150)
@example([{"title": {"ja": "0", "en": "0E0"}}])
@given(st.lists(DESIGN, min_size=1, max_size=5))
def test_any_design_comes_back_whole(designs: list[dict[str, Any]]) -> None:
    """Quotes, line breaks, separators, leading zeros, spaces, empty texts and lists: whatever YAML says, a table does too."""
    with tempfile.TemporaryDirectory() as folder:
        project = TablesProject(Path(folder))
        root = yaml.safe_load(GAME.replace("date: 2026-01-31", "date: '2026-01-31'"))
        root["components"]["kite"]["designs"] = [
            {"id": f"k{n}", **copy.deepcopy(design)} for n, design in enumerate(designs)
        ]
        project.write("data/kites/game.yaml", yaml.dump(root, Dumper=_Exact, allow_unicode=True, sort_keys=False))
        before = project.load()
        table = write_kind_table(before, before.kinds["kite"])
        project.write("data/kites/game.yaml", GAME)
        after = project.load(table)

    assert list(values(after.kinds["kite"])) == list(values(before.kinds["kite"]))


@pytest.mark.slow
def test_a_table_opens_right_in_a_spreadsheet(pnp: Pnp, tmp_path: Path) -> None:
    """The file has a byte order mark and ends of rows as Excel writes them, and is the same each time."""
    first, second = (pnp("export", "csv", "xanadu", "--kind", "request", "--out", str(tmp_path / n)) for n in "ab")
    path = tmp_path / "a/xanadu/csv/request.csv"
    raw = path.read_bytes()
    assert (first.code, second.code) == (0, 0)
    assert first.out.split() == [str(path)]
    assert raw == (tmp_path / "b/xanadu/csv/request.csv").read_bytes()
    assert raw.startswith(
        b"\xef\xbb\xbfid,count,type,tier,cost,vp,title.ja,title.en\r\nFL1,1,furniture,lower,2 | 0 | 0,3,"
    )
    rows = list(csv.reader(raw.decode("utf-8-sig").splitlines()))
    assert len(rows) == 1 + len(game("xanadu").kinds["request"].designs)


def test_all_kinds_of_a_game_are_written(pnp: Pnp, tmp_path: Path) -> None:
    ran = pnp("export", "csv", "fortuna", "--out", str(tmp_path), code=0)
    assert "write its name after `designs:`" in ran.err, "what to do with them"
    assert {path.name for path in tmp_path.rglob("*.*")} == {f"{kind}.csv" for kind in game("fortuna").kinds}


def test_values_lent_to_other_lines_are_told(pnp: Pnp, tmp_path: Path) -> None:
    """Anchors of a list go with it: which lines use them is told before, and once they are written out nothing is lost."""
    ran = pnp("export", "csv", "journey18", "--out", str(tmp_path))
    said = [line for line in ran.err.splitlines() if line.startswith("note: ")]
    assert said == [
        "note: data/journey18/components.yaml:104:7: other lines use anchors of the list of event; before the "
        "table takes its place, write these values out where they are used: *red (line 373), *green (line 374), "
        "*blue (line 375), *yellow (line 376), *white (line 377)"
    ]

    path = tmp_path / "data/journey18/components.yaml"
    shutil.copytree(PROJECT.find_folder("journey18"), path.parent)
    lines = path.read_text(encoding="utf-8").split("\n")
    events = {design.id: design for design in game("journey18").kinds["event"].designs}
    for suit, number in re.findall(r"\*(\w+) \(line (\d+)\)", said[0]):
        value = json.dumps(events[f"event/{suit}-1"].source.value["effects"], ensure_ascii=False)
        assert lines[int(number) - 1].count(f"*{suit}") == 1
        lines[int(number) - 1] = lines[int(number) - 1].replace(f"*{suit}", value)
    start = lines.index("    designs:", 100)
    end = next(n for n in range(start + 1, len(lines)) if lines[n].strip() and not lines[n].startswith("     "))
    path.write_text("\n".join([*lines[:start], "    designs: event.csv", *lines[end:]]), encoding="utf-8")
    shutil.copy(tmp_path / "journey18/csv/event.csv", path.parent)
    project = find_project(tmp_path, tmp_path)
    after = load_game(project.find_folder("journey18"), project.resources)

    for kind in game("journey18").kinds.values():
        assert list(values(after.kinds[kind.id])) == list(values(kind))


def test_an_unknown_kind_is_a_problem(pnp: Pnp, tmp_path: Path) -> None:
    ran = pnp("export", "csv", "fortuna", "--kind", "reels", "--out", str(tmp_path / "out"))
    assert (ran.code, list(tmp_path.iterdir())) == (1, [])
    assert ran.said == ["data: no game has the component kind 'reels'; did you mean 'reel'?"]


def test_a_game_of_one_language_has_plain_columns(tiny: TinyProject) -> None:
    found = find_project(tiny.root)
    tiny_game = load_game(found.find_folder("tiny"), found.resources)
    assert write_kind_table(tiny_game, tiny_game.kinds["card"]).decode("utf-8-sig") == (
        "id,count,title,value,mark\r\none,2,One,1,star\r\ntwo,3,Two,2,\r\n"
    )


def test_numbers_of_another_type_are_not_the_same() -> None:
    """What is held against a table tells 1 from 1.0 and from true, as a card would show them differently."""
    assert is_same({"a": [1, "x", None]}, {"a": [1, "x", None]})
    assert not any(is_same(one, other) for one, other in [(1, 1.0), (1, True), ([0], [False]), ({"a": 1}, {"a": 1.0})])
    assert not is_same([1], [1, 2])


def test_what_a_table_can_not_hold_is_a_problem(kites: TablesProject) -> None:
    """Returns and null characters do not survive in CSV: the value is named, and no table is made."""
    kites.change("designs: kites.csv", 'designs: [{id: a, title: {ja: あ, en: A}, note: "x\\r\\ny"}]')
    loaded = kites.load()
    with pytest.raises(ProblemsFound) as found:
        write_kind_table(loaded, loaded.kinds["kite"])
    assert [str(problem) for problem in found.value.problems] == [
        "data/kites/game.yaml:32:52: note of kite/a is 'x\\r\\ny', which no cell of a table can hold; "
        "change it, or keep this kind in YAML"
    ]
    kites.change('"x\\r\\ny"', '"\\0"')
    loaded = kites.load()
    with pytest.raises(ProblemsFound, match="kite can't be stored in a table: the file has null characters"):
        write_kind_table(loaded, loaded.kinds["kite"])
