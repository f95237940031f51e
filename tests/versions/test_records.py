"""Records: what a build printed, kept as text and small pictures; refused, replaced, damaged, always said clearly."""

import errno
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Pnp
from PIL import Image
from tests_support import TinyProject, files_below

from generator import __version__
from generator.versions.records import next_number

GAME = "data/tiny/game.yaml"
FIRST = "records/tiny/first.json"
MEND = (
    "restore the original file (`git checkout` if it is there), or move it away; `pnp record NAME --replace` "
    "writes it again"
)


def test_a_record_says_what_was_printed(tiny: TinyProject, pnp: Pnp) -> None:
    """Ids, counts, names and hashes of all faces, and one small picture for each hash."""
    said = pnp("record", "first")
    data = json.loads((tiny.root / FIRST).read_text(encoding="utf-8"))

    assert (said.code, said.out, said.err) == (0, f"{FIRST}\n", "")
    assert {name: (one["count"], one["name"]) for name, one in data["designs"].items()} == {"card/one": (2, {"en": "One"}), "card/two": (3, {"en": "Two"})}  # fmt: skip
    faces = {one["faces"]["front"]["en"] for one in data["designs"].values()}
    pictures = sorted((tiny.root / "records/tiny/first").iterdir())
    assert {path.stem for path in pictures} == faces
    assert len(faces) == 2
    for path in pictures:
        with Image.open(path) as picture:
            assert picture.size == (120, 180), "a card of 40 x 60 mm"
            corner = picture.convert("RGB").getpixel((3, 3))
            assert isinstance(corner, tuple)
            ground = (0xF0, 0xE8, 0xD8)
            assert max(abs(one - other) for one, other in zip(corner, ground, strict=True)) < 4


def test_build_records_what_it_prints(tiny: TinyProject, pnp: Pnp) -> None:
    """`pnp build --record` makes the sheets and the record that `pnp record` would make."""
    said = pnp("build", "--record", "first", code=0)
    built = files_below(tiny.root / "records")
    assert "output/tiny/sheets.en.pdf" in said.out.splitlines()
    assert FIRST in said.out.splitlines()
    assert pnp("record", "first", "--replace").code == 0
    assert files_below(tiny.root / "records") == built


def test_history_is_not_overwritten(recorded: TinyProject, pnp: Pnp) -> None:
    """A record of the name is there: refused before anything is made; with --replace pictures of the old one go."""
    once = files_below(recorded.root / "records")
    recorded.change(GAME, "value: 2}", "value: 7}")
    wanted = [
        f"{FIRST}: there is a record of this name already; choose another name, or let it be replaced with --replace"
    ]

    assert pnp("record", "first").said == wanted
    assert pnp("build", "--record", "first").said == wanted
    assert not (recorded.root / "output").exists()
    assert files_below(recorded.root / "records") == once
    assert pnp("record", "first", "--replace").code == 0
    now = files_below(recorded.root / "records")
    assert len(now) == len(once)
    assert len(now.keys() - once.keys()) == 1


LETTERS = "can't be a record's name; use letters a to z, digits, `-`, `_` and `.` (not at the end), at most 80"
DEVICES = ("con", "Aux", "nul.v1", "com1")
NO_NAMES = ("", "..", "a/b", "../x", ".hidden", "git:x", "日本", "a" * 81, "a b", "v1.")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        *((name, LETTERS) for name in NO_NAMES),
        *((name, f"is the name of a device on Windows; choose another, as 'draft-{name}'") for name in DEVICES),
    ],
)
def test_a_name_is_a_files_name(tiny: TinyProject, pnp: Pnp, name: str, said: str) -> None:
    """A name that could be a path, an option or no file on some system is refused."""
    assert pnp("record", name, code=2).said == [f"'{name}' {said}"]
    assert not (tiny.root / "records").exists()


def test_the_newest_record_is_the_last_one_made(tiny: TinyProject, pnp: Pnp) -> None:
    """`pnp changed` compares with the record that was made last, whatever its name; replacing makes one the newest."""
    for name in ("zebra", "ant"):
        assert pnp("record", name).code == 0
    assert pnp("changed").out.startswith("tiny since ant ")
    assert next_number(tiny.root, "tiny", "ant") == 2
    assert pnp("record", "zebra", "--replace").code == 0
    assert pnp("changed").out.startswith("tiny since zebra ")


def test_a_broken_game_leaves_no_record(tiny: TinyProject, pnp: Pnp) -> None:
    """Where a face can't be drawn nothing is recorded."""
    tiny.change("templates/tiny/card.svg", "<rect ", "<nonsense ")
    assert pnp("record", "first").code == 1
    assert not (tiny.root / "records").exists() or files_below(tiny.root / "records") == {}


def without(name: str) -> Callable[[Any], None]:
    """A damage: a key is lost."""
    return lambda data: data.pop(name)


def with_value(value: Any, *path: Any) -> Callable[[Any], None]:
    """A damage: another value at a path."""

    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = value

    return change


DAMAGES = [
    (without("format"), ["it is no record: it has no `format`"]),
    (without("designs"), ["'designs' is missing"]),
    (without("number"), ["'number' is missing"]),
    (with_value("x", "designs", "card/one", "count"), ["designs.card/one.count must be a whole number, not 'x'"]),
    (with_value(True, "designs", "card/one", "count"), ["designs.card/one.count must be a whole number, not true"]),
    (with_value(-1, "designs", "card/one", "count"), ["designs.card/one.count is -1, but must be at least 0"]),
    (with_value([], "designs", "card/one"), ["designs.card/one must be `name: value` pairs, not a list"]),
    (with_value("../../x", "designs", "card/one", "faces", "front", "en"), [
        "designs.card/one.faces.front.en is '../../x', which is not valid",
    ]),
    (with_value({}, "designs", "card/one", "faces", "side"), ["designs.card/one.faces.side.name is 'side', which is not a valid choice"]),
    (with_value("deck", "designs", "card/one", "kind"), ["designs.card/one.kind is 'deck', which is none of its kinds"]),
    (with_value([40], "kinds", "card", "size"), ["kinds.card.size has 1 entries, but must have at least 2"]),
    (with_value("disc", "kinds", "card", "form"), [
        "kinds.card.form is 'disc', which is not a valid choice",
    ]),
    (with_value([1], "languages"), ["entry 1 of languages must be text, not 1"]),
    (with_value([40, 60, 1], "kinds", "card", "size"), ["kinds.card.size has 3 entries, but must have at most 2"]),
    (with_value([1e300, 60], "kinds", "card", "size"), ["entry 1 of kinds.card.size is 1e+300, but must be at most 2000"]),
    (with_value("40", "kinds", "card", "size"), ["kinds.card.size must be a list, not '40'"]),
    (with_value(-5, "kinds", "card", "corner"), ["kinds.card.corner is -5, but must be at least 0"]),
    (with_value(1000001, "designs", "card/one", "count"), ["designs.card/one.count is 1000001, but must be at most 1000000"]),
    (with_value(["../../x"], "languages"), ["entry 1 of languages is '../../x', which is not valid"]),
    (with_value(["en", "en"], "languages"), ["languages has one twice"]),
    (with_value([], "languages"), ["languages has 0 entries, but must have at least 1"]),
    (with_value({}, "title"), ["title is missing in 'en'"]),
    (with_value(["en+fr"], "languages"), ["title is missing in 'fr'", "kinds.card.name is missing in 'fr'"]),
    (lambda data: data["designs"].update({"a\x1b[31m/b": data["designs"].pop("card/one")}), [
        r"designs.a\u001b[31m/b.name is 'a\u001b[31m/b', which is not valid",
    ]),
    (with_value({"en": 5}, "title"), ["title.en must be text, not 5"]),
]  # fmt: skip


def unplaced(line: str) -> str:
    """A problem of the record without its place, which has a line and a column."""
    place, said = line.split(": ", maxsplit=1)
    assert re.fullmatch(rf"{re.escape(FIRST)}:[1-9]\d*:[1-9]\d*", place)
    return said


@pytest.mark.parametrize(("damage", "said"), DAMAGES, ids=[said[0] for _, said in DAMAGES])
def test_a_damaged_record_is_a_problem(
    recorded: TinyProject, pnp: Pnp, damage: Callable[[Any], None], said: list[str]
) -> None:
    """A value of the wrong type or a lost one is told with its path; nothing is made, and the file stays as it is."""
    path = recorded.root / FIRST
    data = json.loads(path.read_text(encoding="utf-8"))
    damage(data)
    path.write_text(json.dumps(data), encoding="utf-8")
    kept = path.read_bytes()
    ran = pnp("changed", code=1)

    assert [unplaced(line) for line in ran.said[: len(said)]] == [
        f"the record is damaged: {one}; {MEND}" for one in said
    ]
    assert path.read_bytes() == kept
    assert not (recorded.root / "output").exists()


def test_a_record_cut_off_is_a_problem_with_its_line(recorded: TinyProject, pnp: Pnp) -> None:
    """A truncated file is told with the line where it ends; bytes that are no text too."""
    path = recorded.root / FIRST
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:4]), encoding="utf-8")
    assert pnp("changed").said == [
        f"{FIRST}:5:1: the record is damaged: Expecting property name enclosed in double quotes; {MEND}"
    ]
    path.write_bytes(b"\xff\xfe\x00")
    assert pnp("changed").said == [f"{FIRST}:1: the record is damaged: it is not UTF-8; {MEND}"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"number": 1', f'"number": {"9" * 5000}', "infinity and NaN are not numbers here"),
        ('"corner": 3.0', '"corner": NaN, "was": 0', "infinity and NaN are not numbers here"),
        ('"corner": 3.0', '"corner": 1e999, "was": 0', "infinity and NaN are not numbers here"),
        ('"en": "Tiny"', '"en": "\\ud800"', "a text has an incomplete character"),
    ],
)
def test_what_no_program_counts_or_writes_with_is_a_problem(
    recorded: TinyProject, pnp: Pnp, old: str, new: str, said: str
) -> None:
    """Numbers without end and halves of characters, which JSON allows, are damage like any other."""
    recorded.change(FIRST, old, new)
    assert [unplaced(line) for line in pnp("changed").said] == [f"the record is damaged: {said}; {MEND}"]
    assert pnp("record", "second").code == 1


def test_a_record_of_a_later_program_is_a_problem(recorded: TinyProject, pnp: Pnp) -> None:
    """Another format is not guessed at."""
    recorded.change(FIRST, '"format": 1,', '"format": 2,')
    assert pnp("changed").said == [
        f"{FIRST}:2:13: the record has the format 2; this program reads 1; "
        "use the program that wrote it, or save it again: `pnp record NAME --replace`"
    ]


def test_two_languages_on_a_card(tiny: TinyProject, pnp: Pnp) -> None:
    """A record of `ja+en` holds those faces; without a template that offers them there is none, and it is said."""
    tiny.change(GAME, "languages: [en]", "languages: [ja, en]")
    tiny.change(GAME, "body: {en:", "body: {ja: {regular: [BIZUDPGothic_400Regular.ttf]}, en:")
    for name in ("Tiny", "Star", "Card", "One", "Two"):
        text = (tiny.root / GAME).read_text(encoding="utf-8")
        key = {"Tiny": "title: Tiny", "Star": "name: Star", "Card": "name: Card"}.get(name, f"title: {name}")
        tiny.write(GAME, text.replace(key, f"{key.split(':')[0]}: {{ja: 日本, en: {name}}}"))

    assert pnp("record", "first", "--lang", "ja+en").said == [
        "--lang ja+en: no template offers two languages; use {{ second... }} in one"
    ]
    assert not (tiny.root / "records").exists()
    tiny.change(
        "templates/tiny/card.svg",
        "{{ card.title }}</textbox>",
        "{{ card.title }}{% if second is defined %} {{ second.card.title }}{% endif %}</textbox>",
    )
    assert pnp("record", "first", "--lang", "ja+en").code == 0
    assert json.loads((tiny.root / FIRST).read_text(encoding="utf-8"))["languages"] == ["ja+en"]
    tiny.change(GAME, "en: Two", "en: Too")
    said = pnp("changed").out.splitlines()
    assert said[0] == "tiny since first (ja+en): print 3, take out 3"
    assert said[-2:] == ["output/tiny/changed.ja+en.pdf", "output/tiny/changed-list.ja+en.pdf"]


def test_another_version_of_the_program_is_said(recorded: TinyProject, pnp: Pnp) -> None:
    """Faces that differ may have been changed by the program: where a record is of another version, that is said."""
    recorded.change(FIRST, f'"program": "{__version__}"', '"program": "0.0.1"')
    assert pnp("changed").err == ""
    recorded.change(GAME, "value: 2}", "value: 7}")
    assert pnp("changed").err == (
        f"note: tiny: first was drawn by version 0.0.1, the faces now by {__version__}: "
        "the program may have changed them too\n"
    )


def test_a_game_in_progress_has_records_too(tiny: TinyProject, pnp: Pnp) -> None:
    """A game whose folder begins with `_` is recorded and compared when it is named."""
    (tiny.root / "data/tiny").rename(tiny.root / "data/_tiny")
    assert pnp("record", "first", "tiny").out == f"{FIRST}\n"
    assert pnp("record", "first", "tiny").code == 1
    assert pnp("changed", "tiny", "--since", "first").out == "tiny since first (en): nothing has changed\n"


def test_a_damaged_record_can_be_made_anew(recorded: TinyProject, pnp: Pnp) -> None:
    """What the problem advises works: --replace does not read the file, and the same game gives the same bytes."""
    once = files_below(recorded.root / "records")
    recorded.write(FIRST, "{")
    assert pnp("record", "first", "--replace").code == 0
    assert files_below(recorded.root / "records") == once
    assert len(once) == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("changed",), "tiny has no record; make a record with `pnp record NAME`, or name what to compare with: --since git:REV"),
        (("changed", "tiny"), "tiny has no record; make a record with `pnp record NAME`, or name what to compare with: --since git:REV"),
        (
            ("changed", "--since", "frist"),
            "records: 'frist' is no record, no game, no project's folder and no revision (git:REV); "
            "make a record with `pnp record NAME`",
        ),
    ],
)  # fmt: skip
def test_nothing_to_compare_with(tiny: TinyProject, pnp: Pnp, words: tuple[str, ...], said: str) -> None:
    """Without a record, or with a name that is none, the problem says how to get one."""
    ran = pnp(*words)
    assert (ran.code, ran.said) == (1, [said])
    assert not (tiny.root / "output").exists()


def test_a_folder_that_can_not_be_written_to_is_a_problem(
    tiny: TinyProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record has its place in the project: the way out is not an option that moves other files."""
    make = Path.mkdir

    def refuse(path: Path, *rest: Any, **options: Any) -> None:
        if "records" in path.parts:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        make(path, *rest, **options)

    monkeypatch.setattr(Path, "mkdir", refuse)
    ran = pnp("record", "first", code=1)

    assert re.fullmatch(
        r"\S*records/tiny/\S+: the file can't be written: Permission denied; allow writing there, or copy the "
        "project to a folder you may write to",
        ran.said[0],
    )
