"""The printable list of changes: every change on it once, in its margins, old beside new, in every language."""

import re
import subprocess
from pathlib import Path

import pytest
from conftest import Pnp, Tool
from hypothesis import given
from hypothesis import strategies as st
from tests_support import TinyProject, page_count

from generator.base.display_list import Group, Picture, walk_leaves
from generator.base.errors import ProblemsFound
from generator.base.geometry import MM_PER_INCH, Size, paper_size, parse_margins
from generator.drawing.pdf.page_images import render_page
from generator.game.model import Kind
from generator.game.print_pages import Document
from generator.game.project import find_project
from generator.game.rich_text import Words
from generator.sheets.settings import SheetSettings
from generator.versions.change_list import Change, VersionChanges, compare_versions, make_change_list
from generator.versions.game_version import Version, open_version
from generator.versions.records import VersionDesign

GAME = "data/tiny/game.yaml"
CARD = "templates/tiny/card.svg"
A4 = SheetSettings(paper_size("A4"))


def many(tiny: TinyProject, numbers: range, count: int) -> None:
    """The tiny game with so many designs, of long names."""
    words = "Grandmother’s extraordinarily complicated clockwork nightingale that nobody may wind"
    rows = "".join(
        f'      - {{id: d{n}, count: {count}, title: "No. {n} {words[: n % 60]}", value: {n % 10}}}\n' for n in numbers
    )
    text = (tiny.root / GAME).read_text(encoding="utf-8")
    head, rest = text.split("    designs:\n")
    tail = rest[rest.index("setup:") :]
    tiny.write(GAME, head.replace("    stated: 5\n", "") + "    designs:\n" + rows + tail)
    big = '<textbox x="5" y="15" width="30" height="40"'
    card = (tiny.root / CARD).read_text(encoding="utf-8")
    tiny.write(CARD, card.replace('<textbox x="5" y="15" width="30" height="10"', big))


@pytest.mark.slow
def test_a_long_list_has_all_and_keeps_its_margins(tiny: TinyProject, pnp: Pnp, tool: Tool) -> None:
    """Two hundred changes of four sorts: each on the list once, on as many pages as it takes, nothing in the margins."""
    many(tiny, range(150), 2)
    assert pnp("record", "first").code == 0
    many(tiny, range(50, 200), 3)
    tiny.change(CARD, 'x="5" y="10"', 'x="{{ 9 if card.value > 4 else 5 }}" y="10"')
    assert pnp("changed").code == 0
    path = tiny.root / "output/tiny/changed-list.en.pdf"
    text = subprocess.run([tool("pdftotext"), "-raw", str(path), "-"], check=True, capture_output=True).stdout.decode()

    assert sorted(re.findall(r"card/d\d+", text)) == sorted(f"card/d{n}" for n in range(200))
    assert page_count(path) > 2
    for words in ("Take these out of the box", "Put these in: they are new", "(continued)"):
        assert words in text
    for page in range(page_count(path)):
        picture = render_page(path, page, MM_PER_INCH)  # a pixel is a mm
        wide, high = picture.size
        for edge in ((0, 0, 12, high), (wide - 12, 0, wide, high), (0, 0, wide, 12), (0, high - 12, wide, high)):
            assert picture.crop(edge).getextrema() == ((255, 255),) * 3


def made_list(tiny: TinyProject, settings: SheetSettings = A4) -> tuple[VersionChanges, Document]:
    """The changes of the game since its record, and their list."""
    project = find_project(tiny.root)
    with open_version(project, "first", "tiny") as since, open_version(project) as until:
        changes = compare_versions(since, until, "en")
        assert until.workshop is not None
        return changes, make_change_list(changes, until.workshop, settings, "changed.en.pdf", "ink")


def shown(document: Document) -> list[str]:
    groups = [item for page in document.pages for item in page.items if isinstance(item, Group)]
    return [dict(group.data)["name"] for group in groups if group.id == "picture"]


def test_old_and_new_stand_side_by_side(recorded: TinyProject, pnp: Pnp) -> None:
    """A changed card is there twice, the old one from the record as pixels, the new one as it will be printed."""
    recorded.change(GAME, "value: 2}", "value: 7}")
    _, document = made_list(recorded)
    pictures = [leaf for page in document.pages for leaf, _ in walk_leaves(page.items) if isinstance(leaf, Picture)]
    assert shown(document) == ["old card/two", "new card/two"]
    assert [Path(picture.source).parent.name for picture in pictures] == ["first"]


@pytest.mark.slow
def test_a_back_that_all_share_is_compared_once(tiny: TinyProject, pnp: Pnp) -> None:
    """Where all cards got another back, it is shown once old and new; the other cards are told by their fronts."""
    tiny.change(GAME, "    front: card\n", "    front: card\n    back: back\n")
    back = '<svg xmlns="http://www.w3.org/2000/svg"><rect x="-3" y="-3" width="46" height="66" fill="red"/></svg>'
    tiny.write("templates/tiny/back.svg", back)
    assert pnp("record", "first").code == 0
    tiny.change("templates/tiny/back.svg", '"red"', '"#0000ff"')
    changes, document = made_list(tiny)
    assert [change.faces for change in changes.all] == [("back",), ("back",)]
    assert shown(document) == ["old card/one", "new card/one", "new card/two"]


@pytest.mark.slow
def test_a_paper_too_small_is_a_problem(recorded: TinyProject, pnp: Pnp) -> None:
    """A list that finds no room says so instead of running over the edge."""
    recorded.change(GAME, "value: 2}", "value: 7}")
    small = SheetSettings(paper_size("Hagaki"), "Hagaki", parse_margins("50mm"))
    with pytest.raises(ProblemsFound) as found:
        made_list(recorded, small)

    assert [str(problem) for problem in found.value.problems] == [
        "the list of changes doesn't fit on Hagaki with margins of 50 mm; choose a larger --paper or a smaller --margin"
    ]


KIND = Kind("k", Words({}), Size(10, 10), ())
COUNTS = st.dictionaries(
    st.sampled_from([f"k/{n}" for n in "abcdef"]), st.tuples(st.integers(0, 4), st.sampled_from("xyz"))
)


def state(counts: dict[str, tuple[int, str]]) -> Version:
    """A state of a game with these copies of these looks."""
    designs = {
        name: VersionDesign(name, "k", count, {}, {("front", "en"): looks}) for name, (count, looks) in counts.items()
    }
    return Version("", "g", {}, "1", ("en",), {"k": KIND}, designs, None, None, Path())


@given(COUNTS, COUNTS)
def test_a_box_put_right_is_the_new_box(old: dict[str, tuple[int, str]], new: dict[str, tuple[int, str]]) -> None:
    """Taking out and putting in as the changes say turns any old box into the new one, piece for piece."""
    changes = compare_versions(state(old), state(new), "en")
    box = sorted(looks for count, looks in old.values() for _ in range(count))
    for change in changes.all:
        box = _taken(box, change)
    for change in changes.all:
        if change.after:
            box += [change.after.faces["front", "en"]] * len(change.copies)
    assert sorted(box) == sorted(looks for count, looks in new.values() for _ in range(count))
    assert compare_versions(state(new), state(new), "en").all == ()


def _taken(box: list[str], change: Change) -> list[str]:
    """The box without what is to be taken out; a piece that is not in it is an error."""
    left = list(box)
    for _ in range(change.take_out):
        assert change.before is not None
        left.remove(change.before.faces["front", "en"])
    return left
