"""The table without rules in a real browser: pieces drawn, flipped, shuffled, stacked, moved and rolled."""

import json
from collections.abc import Callable

import pytest
from browser import Tab

from generator.base.languages import phrase

pytestmark = pytest.mark.slow

STACKS = (
    "JSON.parse(localStorage.getItem('pnp.free.fortuna'))?.stacks.map(({ id, x, y, turn, pieces }) =>"
    " ({ id, x, y, turn, n: pieces.length, top: pieces.at(-1).design, side: pieces.at(-1).side, all: pieces.map((piece) => piece.design).join() }))"
)
"""What lies on the table, as the browser keeps it."""


@pytest.fixture
def free(table: Callable[..., Tab]) -> Tab:
    """Fortuna's box laid out, after one change and its undoing, so that the browser keeps it."""
    tab = table("fortuna")
    tab.run("document.getElementById('new').click()")
    tab.wait("document.getElementById('begin').open")
    tab.run("document.getElementById('begin-free').click()")
    tab.wait("document.querySelectorAll('[data-stack]').length > 3", "the stacks")
    tab.run("document.querySelector('[data-stack] .face-button').focus()")
    tab.press("ArrowRight")
    tab.run("document.getElementById('undo').click()")
    tab.wait(STACKS)
    return tab


def stack(tab: Tab, of: int) -> dict[str, object]:
    return next(one for one in tab.run(STACKS) if one["id"] == of)


def heap(tab: Tab) -> dict[str, object]:
    found = max(tab.run(STACKS), key=lambda one: one["n"])
    tab.run(f"document.querySelector('[data-stack=\"{found['id']}\"]').scrollIntoView()")
    return dict(found)


def middle(tab: Tab, of: object) -> tuple[float, float]:
    """Where a stack's middle is on the screen."""
    x, y = tab.run(
        f"(() => {{ const box = document.querySelector('[data-stack=\"{of}\"] .face-button').getBoundingClientRect();"
        " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
    )
    return x, y


def drag(tab: Tab, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag with the mouse from one place of the screen to another, in four steps."""

    def send(kind: str, at: tuple[float, float]) -> None:
        tab.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", buttons=1, clickCount=1)

    send("mousePressed", start)
    for step in range(1, 5):
        send("mouseMoved", tuple(a + (b - a) * step / 4 for a, b in zip(start, end, strict=True)))
    send("mouseReleased", end)


def choose(tab: Tab, of: object, deed: str) -> None:
    """Open a stack by keys and take what is offered under that word, by keys as well."""
    tab.run(f"document.querySelector('[data-stack=\"{of}\"] .face-button').focus()")
    tab.press("Enter")
    tab.wait("document.getElementById('look').open")
    found = f"[...document.querySelectorAll('#look-moves button')].findIndex((one) => one.textContent === {json.dumps(deed)})"
    at = tab.run(found)
    assert at >= 0, tab.run("document.getElementById('look-moves').innerText")
    for _ in range(at):
        tab.press("ArrowDown")
    tab.press("Enter")
    tab.wait("!document.getElementById('look').open")


def said(word: str) -> str:
    return str(phrase(f"table_{word}", "en"))


def test_a_stack_is_moved_by_dragging_and_by_arrows(free: Tab) -> None:
    """It lies where it was let go, no matter where it was held; an arrow moves it by a centimetre; undo puts it back."""
    one = heap(free)
    x, y = middle(free, one["id"])
    drag(free, (x, y), (x + 81, y + 135))
    now = stack(free, one["id"])
    assert (now["x"], now["y"]) == (pytest.approx(one["x"] + 60, abs=1), pytest.approx(one["y"] + 100, abs=1))
    free.run(f"document.querySelector('[data-stack=\"{one['id']}\"] .face-button').focus()")
    free.press("ArrowLeft")
    assert stack(free, one["id"])["x"] == pytest.approx(now["x"] - 10, abs=0.01)
    assert free.run("document.activeElement.closest('[data-stack]').dataset.stack") == str(one["id"]), "the focus stays"
    for _ in range(2):
        free.run("document.getElementById('undo').click()")
    assert stack(free, one["id"]) == one


def test_a_stack_dragged_onto_another_joins_it(free: Tab) -> None:
    one = heap(free)
    choose(free, one["id"], said("free_draw_down"))
    drawn = max(free.run(STACKS), key=lambda stack: stack["id"])
    assert (drawn["n"], stack(free, one["id"])["n"]) == (1, one["n"] - 1)
    assert drawn["top"] == one["top"]
    drag(free, middle(free, drawn["id"]), middle(free, one["id"]))
    joined = stack(free, one["id"])
    assert (joined["n"], joined["all"]) == (one["n"], one["all"])
    assert all(left["id"] != drawn["id"] for left in free.run(STACKS))


def test_a_stack_is_stacked_by_keys(free: Tab) -> None:
    one, before = heap(free), sum(left["n"] for left in free.run(STACKS))
    choose(free, one["id"], said("free_draw_down"))
    drawn = max(free.run(STACKS), key=lambda stack: stack["id"])
    choose(free, drawn["id"], said("free_stack"))
    assert all(left["id"] != drawn["id"] for left in free.run(STACKS))
    assert sum(left["n"] for left in free.run(STACKS)) == before, "no piece is lost"


def test_a_stack_is_flipped_shuffled_turned_and_spread(free: Tab) -> None:
    """Flipped, the lowest card lies on top with its other side; shuffled it holds the same cards in another order."""
    one = heap(free)
    designs = str(one["all"]).split(",")
    choose(free, one["id"], said("free_flip"))
    now = stack(free, one["id"])
    assert (now["top"], now["side"]) == (designs[0], "front")
    choose(free, one["id"], said("free_shuffle"))
    shuffled = str(stack(free, one["id"])["all"]).split(",")
    assert sorted(shuffled) == sorted(designs)
    assert shuffled != designs[::-1], "it lies as before, which happens once in very many times"
    choose(free, one["id"], said("free_turn"))
    assert stack(free, one["id"])["turn"] == 90
    choose(free, one["id"], said("free_spread"))
    assert len([left for left in free.run(STACKS) if left["n"] == 1]) >= len(designs)


def test_a_die_is_rolled_by_keys_and_told(free: Tab) -> None:
    free.run("document.querySelector('#deeds button').focus()")
    free.press("Enter")
    assert "1" <= free.run("document.getElementById('turn').textContent.slice(-1)") <= "6"
    assert free.run("document.getElementById('news').textContent") != ""


def test_a_table_without_rules(table: Callable[..., Tab]) -> None:
    """The pieces of the box can be opened, drawn from and shuffled, also by keys; every change can be taken back."""
    tab = table("fortuna")
    tab.press("Tab")
    tab.run("document.getElementById('new').click()")
    tab.wait("document.getElementById('begin').open")
    tab.run("document.getElementById('begin-free').click()")
    tab.wait("document.querySelectorAll('[data-stack]').length > 3", "the stacks")
    stacks = tab.run("document.querySelectorAll('[data-stack]').length")
    tab.run("document.querySelector('[data-stack].heap .face-button').focus()")
    tab.press("Enter")
    tab.wait("document.getElementById('look').open")
    tab.press("Enter")
    tab.wait(f"document.querySelectorAll('[data-stack]').length === {stacks + 1}", "a card drawn")
    assert tab.run("document.querySelectorAll('[data-move]').length") == 0, "no move of the game is left over"
    covering = (
        "(() => {"
        "  const [drawn, ...others] = [...document.querySelectorAll('[data-stack]')].reverse().map((one) => one.getBoundingClientRect());"
        "  return others.filter((one) => one.x < drawn.right && drawn.x < one.right && one.y < drawn.bottom && drawn.y < one.bottom).length;"
        "})()"
    )
    assert tab.run(covering) == 0, "the card that was drawn lies on another stack"
    tab.run("document.querySelector('#deeds button').click()")
    assert "1" <= tab.run("document.getElementById('turn').textContent.slice(-1)") <= "6"
    tab.run("document.getElementById('undo').click()")
    tab.wait(f"document.querySelectorAll('[data-stack]').length === {stacks}", "a card put back")
