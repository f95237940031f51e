"""`pnp changed`: sheets with exactly the copies that the box lacks, and an exact list of what goes out and in."""

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from box_states import COMPONENTS, FortunaCopy, ids, told
from conftest import Pnp, Tool
from tests_support import TinyProject, enter, page_count

from generator.drawing.templates.game_templates import Templates

GAME = "data/tiny/game.yaml"
CARD = "templates/tiny/card.svg"


@pytest.fixture
def fortuna(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FortunaCopy:
    return enter(FortunaCopy(tmp_path / "project"), monkeypatch)


def stamps(pdf: Path, pdftotext: str) -> Counter[str]:
    """The hashes that the fronts of a sheet bear, each with the number of its copies."""
    done = subprocess.run([pdftotext, "-raw", str(pdf), "-"], capture_output=True, check=True)
    return Counter(re.findall(r"(?:draft\s+|草案\s?)\S+\s+·\s+([0-9a-f]{6})\b", done.stdout.decode()))


def words(pdf: Path, pdftotext: str) -> str:
    """All words of a PDF, in the order of its pages."""
    done = subprocess.run([pdftotext, "-layout", str(pdf), "-"], capture_output=True, check=True)
    return done.stdout.decode()


def hashes(root: Path, name: str, design: str, game: str = "tiny") -> dict[str, Any]:
    """The hashes of a design's faces as a record has them."""
    data = json.loads((root / f"records/{game}/{name}.json").read_text(encoding="utf-8"))
    faces: dict[str, Any] = data["designs"][design]["faces"]
    return faces


@pytest.mark.slow
def test_one_edited_reel_is_one_sheet_with_its_copies(fortuna: FortunaCopy, pnp: Pnp, tool: Tool) -> None:
    """After one reel was edited, the sheets are one sheet with its three copies, and the list names that reel alone."""
    assert pnp("record", "first").code == 0
    fortuna.change(
        COMPONENTS,
        "{id: 1-wheat,     count: 3, number: 1, icon: wheat}",
        "{id: 1-wheat,     count: 3, number: 6, icon: wheat}",
    )
    said = pnp("changed")

    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines() == [
        "fortuna since first (ja, en): print 3, take out 3", "  changed: take the old ones out, put the new ones in",
        "    reel/1-wheat (1 Wheat): take out 3, print 3", "output/fortuna/changed.ja.pdf",
        "output/fortuna/changed-list.ja.pdf", "output/fortuna/changed.en.pdf", "output/fortuna/changed-list.en.pdf",
    ]  # fmt: skip
    assert pnp("record", "second").code == 0
    for lang in ("ja", "en"):
        sheet = fortuna.root / f"output/fortuna/changed.{lang}.pdf"
        assert page_count(sheet) == 2, "a front and the backs behind it"
        new = hashes(fortuna.root, "second", "reel/1-wheat", "fortuna")["front"][lang]
        assert stamps(sheet, tool("pdftotext")) == {new[:6]: 3}
    listed = words(fortuna.root / "output/fortuna/changed-list.en.pdf", tool("pdftotext"))
    assert "−3 +3" in listed
    assert re.findall(r"reel/\S+", listed) == ["reel/1-wheat"]


@pytest.mark.slow
def test_languages_of_a_record(fortuna: FortunaCopy, pnp: Pnp) -> None:
    """What was recorded in English is compared in English; Japanese is said to be missing, or a problem if asked."""
    assert pnp("record", "first", "--lang", "en").code == 0
    said = pnp("changed")
    assert said.out == "fortuna since first (en): nothing has changed\n"
    assert said.err == "note: fortuna: ja is not in first; `pnp sheets --lang ja` prints it\n"
    assert pnp("changed", "--lang", "ja").said == ["--lang ja: first does not have it; known: en"]


def test_a_changed_template_counts_for_all_its_cards(recorded: TinyProject, pnp: Pnp) -> None:
    """A card's art is part of it: after its template changed, all copies of all its cards are printed.

    --only compares the components of these ids; one that picks nothing is a problem.
    """
    recorded.change(CARD, 'fill="#f0e8d8"', 'fill="#d8e8f0"')
    game = told(pnp("changed", "--format", "json").out)
    assert ids(game, "en", "changed") == ["card/one", "card/two"]
    assert game["languages"]["en"]["print"] == game["languages"]["en"]["take_out"] == 5
    assert ids(told(pnp("changed", "--only", "card/o*", "--format", "json").out), "en", "changed") == ["card/one"]
    assert pnp("changed", "--only", "cadr/*").said == [
        "--only 'cadr/*' matches no component; known: card/one, card/two"
    ]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (GAME, "players:", "# a comment\nplayers:"),
        (CARD, "<rect ", "<!-- a comment --><rect "),
        (GAME, "draft: 1", "draft: 2"),
        (GAME, "date: 2026-01-31", "date: 2027-01-31"),
        (GAME, "{id: one, count: 2, title: One, value: 1, mark: star}", "{mark: star, title: One, value: 1, count: 2, id: one}"),
    ],
    ids=["comment in YAML", "comment in SVG", "draft", "date", "order of keys"],
)  # fmt: skip
def test_what_no_card_shows_is_no_change(recorded: TinyProject, pnp: Pnp, file: str, old: str, new: str) -> None:
    """Comments, the draft's number in stamps, and the order of keys leave a printed box as it is: no files, code 0."""
    recorded.change(file, old, new)
    said = pnp("changed")
    assert (said.code, said.out, said.err) == (0, "tiny since first (en): nothing has changed\n", "")
    assert not (recorded.root / "output").exists()


def test_only_faces_that_read_a_change_are_rendered(
    recorded: TinyProject, pnp: Pnp, keeping: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `build` has drawn is not rendered again, and the files are those of a run without the cache."""
    assert keeping
    assert pnp("build").code == 0
    recorded.change(GAME, "title: Two", "title: Twelve")
    rendered, render = list[str](), Templates.render_face

    def count(templates: Templates, name: str, *rest: Any) -> Any:
        rendered.append(name)
        return render(templates, name, *rest)

    monkeypatch.setattr(Templates, "render_face", count)
    files = recorded.root / "output/tiny"
    assert pnp("changed").code == 0
    first = [path.read_bytes() for path in sorted(files.glob("changed*"))]
    assert rendered == ["card.svg"] and len(first) == 2
    assert pnp("changed", "--no-cache").code == 0
    assert [path.read_bytes() for path in sorted(files.glob("changed*"))] == first
    assert len(rendered) > 2


def test_a_deleted_design_is_taken_out(recorded: TinyProject, pnp: Pnp, tool: Tool) -> None:
    """A design that is gone is on the list with its picture and its copies; there is nothing to print."""
    recorded.change(GAME, "      - {id: two, count: 3, title: Two, value: 2}\n", "")
    recorded.change(GAME, "    stated: 5\n", "")
    assert pnp("changed").out.splitlines() == [
        "tiny since first (en): take out 3",
        "  removed: take these out of the box",
        "    card/two (Two): take out 3",
        "output/tiny/changed-list.en.pdf",
    ]
    path = recorded.root / "output/tiny/changed-list.en.pdf"
    listed = words(path, tool("pdftotext"))
    assert "Take these out of the box" in listed
    assert "−3" in listed
    assert "card/two" in listed
    with pikepdf.open(path) as document:
        images = [one for page in document.pages for one in _images(page)]
    assert len(images) == 1


def _images(page: pikepdf.Page) -> list[str]:
    """The names of a page's pictures, those in its forms too."""
    found: list[str] = []
    waiting = [page.obj.get("/Resources", pikepdf.Dictionary())]
    while waiting:
        for name, one in waiting.pop().get("/XObject", pikepdf.Dictionary()).items():
            if one.Subtype == "/Image":
                found.append(name)
            elif "/Resources" in one:
                waiting.append(one.Resources)
    return found


@pytest.mark.parametrize(
    ("count", "line", "printed"),
    [(5, "    card/two (Two): 3 -> 5, print 2", 2), (1, "    card/two (Two): 3 -> 1, take out 2", 0)],
)  # fmt: skip
def test_only_the_difference_of_counts_is_printed(
    recorded: TinyProject, pnp: Pnp, tool: Tool, count: int, line: str, printed: int
) -> None:
    """More copies of a card that looks as before: the missing ones are printed. Fewer: they are taken out."""
    recorded.change(GAME, "{id: two, count: 3,", f"{{id: two, count: {count},")
    recorded.change(GAME, "    stated: 5\n", "")
    said = pnp("changed")
    sheet = recorded.root / "output/tiny/changed.en.pdf"

    assert line in said.out.splitlines()
    assert sheet.exists() == bool(printed)
    if printed:
        same = hashes(recorded.root, "first", "card/two")["front"]["en"]
        assert stamps(sheet, tool("pdftotext")) == {same[:6]: printed}


def test_the_missing_copies_bear_their_own_numbers(recorded: TinyProject, pnp: Pnp, tool: Tool) -> None:
    """With --numbers the added copies are numbered as in the whole deck: the sixth and seventh of seven cards."""
    recorded.change(GAME, "{id: two, count: 3,", "{id: two, count: 5,")
    recorded.change(GAME, "    stated: 5\n", "")
    assert pnp("changed", "--numbers").code == 0
    listed = words(recorded.root / "output/tiny/changed.en.pdf", tool("pdftotext"))
    assert re.findall(r"(\d+)/7 ·", listed) == ["6", "7"]


def test_a_changed_and_recounted_design_is_printed_whole(recorded: TinyProject, pnp: Pnp) -> None:
    """A design that looks otherwise is exchanged: all old copies out, all new ones in, however many."""
    recorded.change(GAME, "{id: two, count: 3, title: Two, value: 2}", "{id: two, count: 4, title: Two, value: 7}")
    recorded.change(GAME, "    stated: 5\n", "")
    assert "    card/two (Two): 3 -> 4, take out 3, print 4" in pnp("changed").out.splitlines()


def test_a_renamed_design_is_not_printed(recorded: TinyProject, pnp: Pnp) -> None:
    """An id that is another while the card looks as before: said, and nothing to print or to take out."""
    recorded.change(GAME, "{id: two,", "{id: zwei,")
    assert pnp("changed").out.splitlines() == [
        "tiny since first (en): nothing to print or to take out",
        "  renamed: the pieces look as before",
        "    card/two is now card/zwei (Two)",
        "output/tiny/changed-list.en.pdf",
    ]


def test_a_new_design_is_added(recorded: TinyProject, pnp: Pnp) -> None:
    """A design that was not there is printed in all its copies."""
    recorded.change(GAME, "setup:", "      - {id: three, count: 4, title: Three, value: 3}\nsetup:")
    recorded.change(GAME, "    stated: 5\n", "")
    game = told(pnp("changed", "--format", "json").out)
    assert game["languages"]["en"]["added"] == [
        {"id": "card/three", "name": "Three", "before": 0, "after": 4, "print": 4, "take_out": 0}
    ]


@pytest.mark.slow
def test_a_back_that_changed_counts(fortuna: FortunaCopy, pnp: Pnp) -> None:
    """A card whose back is another is exchanged, as it could be told in the deck; the list says that it is the back."""
    assert pnp("record", "first", "--lang", "en").code == 0
    fortuna.change("templates/fortuna/back.svg", "</svg>", '<circle cx="30" cy="30" r="3" fill="#123456"/></svg>')
    game = told(pnp("changed", "--format", "json").out)
    changed = game["languages"]["en"]["changed"]
    assert {one["id"].split("/")[0] for one in changed} == {"reel"}
    assert len(changed) == 30
    assert {tuple(one["faces"]) for one in changed} == {("back",)}


def test_another_outline_counts(tiny: TinyProject, pnp: Pnp) -> None:
    """A piece that is cut along another line is another piece, whatever it shows: a token made round is exchanged."""
    tiny.change(GAME, "    size: [40, 60]\n", "    size: [20, 20]\n    form: token\n    shape: square\n")
    tiny.write(CARD, '<svg xmlns="http://www.w3.org/2000/svg"><circle cx="10" cy="10" r="4" fill="red"/></svg>')
    assert pnp("record", "first").code == 0
    tiny.change(GAME, "    shape: square\n", "    shape: round\n")
    assert ids(told(pnp("changed", "--format", "json").out), "en", "changed") == ["card/one", "card/two"]


def test_each_side_of_a_cube_counts(tiny: TinyProject, pnp: Pnp) -> None:
    """A cube of which one side changed is printed anew, and that side is named."""
    tiny.change(GAME, "    size: [40, 60]\n", "    size: 12\n    form: cube\n")
    tiny.write(
        CARD,
        '<svg xmlns="http://www.w3.org/2000/svg"><circle cx="6" cy="6" r="{{ 3 if face == "top" else 2 }}" '
        'fill="red"/></svg>',
    )
    assert pnp("record", "first").code == 0
    tiny.change(CARD, "3 if face", "4 if face")
    assert "    card/one (One): top, take out 2, print 2" in pnp("changed").out.splitlines()
    assert (tiny.root / "output/tiny/changed.en.pdf").exists()


def test_what_no_longer_holds_goes(recorded: TinyProject, pnp: Pnp) -> None:
    """Sheets of a change that was taken back are removed, so that nobody prints them."""
    recorded.change(GAME, "value: 2}", "value: 7}")
    assert pnp("changed").code == 0
    recorded.change(GAME, "value: 7}", "value: 2}")
    assert pnp("changed").out.splitlines()[1:] == [
        "output/tiny/changed.en.pdf: removed, it no longer holds",
        "output/tiny/changed-list.en.pdf: removed, it no longer holds",
    ]
    assert list((recorded.root / "output/tiny").iterdir()) == []


def test_the_same_change_gives_the_same_bytes(recorded: TinyProject, pnp: Pnp) -> None:
    """Sheets and list of the same change are the same files, byte for byte."""
    recorded.change(GAME, "value: 2}", "value: 7}")
    made = []
    for out in ("one", "two"):
        assert pnp("changed", "--out", out).code == 0
        made.append({path.name: path.read_bytes() for path in (recorded.root / out / "tiny").iterdir()})
    assert len(made[0]) == 2
    assert made[0] == made[1]


def test_between_two_records(recorded: TinyProject, pnp: Pnp) -> None:
    """Two records are compared without the data that they were made of; there is a list, and no sheets."""
    recorded.change(GAME, "value: 2}", "value: 7}")
    assert pnp("record", "second").code == 0
    recorded.write(GAME, "broken: [")
    said = pnp("changed", "tiny", "--since", "first", "--until", "second")

    assert said.out.splitlines() == [
        "tiny from first to second (en): print 3, take out 3",
        "  changed: take the old ones out, put the new ones in",
        "    card/two (Two): take out 3, print 3",
        "output/tiny/changed-list.en.pdf",
    ]
    assert said.err == "note: tiny: nothing can be printed from a record; the list says what is missing\n"


def test_between_two_records_of_a_game_that_is_gone(recorded: TinyProject, pnp: Pnp) -> None:
    """A deleted game may be named where both states are told; beside it, games that never were are still refused."""
    recorded.change(GAME, "value: 2}", "value: 7}")
    pnp("record", "second")
    (recorded.root / "data" / "tiny").rename(recorded.root / "data" / "other")
    said = pnp("changed", "tiny", "--since", "first", "--until", "second")
    assert said.out.splitlines()[0] == "tiny from first to second (en): print 3, take out 3"
    assert said.out.splitlines()[-1] == "output/tiny/changed-list.en.pdf"
    assert pnp("changed", "tiny", "--since", "first").said == ["data: unknown game 'tiny'; known: other"]
    both = pnp("changed", "tiny", "never", "--since", "first", "--until", "second")
    assert (both.code, both.said) == (1, ["data: unknown game 'never'; known: other"])


@pytest.mark.parametrize("gone", [False, True], ids=["the game is there", "the game is gone"])
def test_up_to_a_record_alone(recorded: TinyProject, pnp: Pnp, gone: bool) -> None:
    """Up to a record without saying since when means since the record before it, never since itself."""
    recorded.change(GAME, "value: 2}", "value: 7}")
    pnp("record", "second")
    recorded.change(GAME, "value: 7}", "value: 9}")
    pnp("record", "third")
    if gone:
        (recorded.root / "data" / "tiny").rename(recorded.root / "data" / "other")

    said = pnp("changed", "tiny", "--until", "second")
    assert said.out.splitlines()[0] == "tiny from first to second (en): print 3, take out 3"
    oldest = pnp("changed", "tiny", "--until", "first")
    assert (oldest.code, oldest.said) == (
        1,
        ["tiny has no record before first; make a record with `pnp record NAME`, or name what to compare with: --since git:REV"],
    )  # fmt: skip


def cut_off(folder: Path) -> None:
    for path in folder.iterdir():
        path.write_bytes(path.read_bytes()[:-20])


def flip(folder: Path) -> None:
    """A bit of each picture of a record is another."""
    for path in folder.iterdir():
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)


def replace_by_text(folder: Path) -> None:
    for path in folder.iterdir():
        path.write_text("no picture at all")


@pytest.mark.parametrize("damage", [shutil.rmtree, cut_off, flip, replace_by_text])
def test_a_lost_picture_stops_nothing(
    recorded: TinyProject, pnp: Pnp, tool: Tool, damage: Callable[[Path], None]
) -> None:
    """A record whose pictures are lost or damaged still says what to do; an empty frame in the list says so."""
    damage(recorded.root / "records/tiny/first")
    recorded.change(GAME, "value: 2}", "value: 7}")
    assert pnp("changed").code == 0
    assert "no picture" in words(recorded.root / "output/tiny/changed-list.en.pdf", tool("pdftotext"))
