"""The table in a real browser, with rules and without: by clicking, dragging and keys, two people at one screen."""

import json
import time
from collections.abc import Callable

import pytest
from browser import Tab
from table_cases import GAMES, ask
from table_tabs import MADE, MOST, OVER, READY, check_whole_game, choices_on, settle
from tests_support import quick

from generator.base.languages import phrase

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", quick(GAMES, "fortuna", rest="release"))
def test_a_whole_game_by_clicking(table: Callable[..., Tab], name: str) -> None:
    check_whole_game(table(name), name)


def test_a_whole_game_by_keys_alone(table: Callable[..., Tab]) -> None:
    """`n` goes to a piece that can be chosen, `m` to the list, arrows on from there, Enter chooses; the focus is seen."""
    tab = table("journey8")
    for at in range(MOST):
        if tab.run(OVER):
            break
        before = tab.run(MADE.format("journey8"))
        tab.press("n" if at % 2 else "m")
        named = tab.run("document.activeElement.getAttribute('aria-label') || document.activeElement.textContent")
        assert named, "what has the focus has a name"
        if not at % 2:
            tab.press("ArrowDown")
        tab.press("Enter")
        if tab.run("document.getElementById('look').open"):
            tab.press("Enter")
        settle(tab, "journey8", before)
    assert tab.run(OVER)
    assert tab.run("document.getElementById('news').textContent.length") > 20, "what happened is told"


def test_the_screen_is_passed_on(table: Callable[..., Tab]) -> None:
    """Between two people nothing of the table can be read but who is next; then the next one sees his own hand."""
    tab = table("fortuna", people="1,2")
    tab.wait("!document.getElementById('curtain').hidden || document.querySelectorAll('#moves button').length")
    for _ in range(20):
        if tab.run("!document.getElementById('curtain').hidden"):
            break
        before = tab.run(MADE.format("fortuna"))
        tab.run("document.querySelector('#moves button').click()")
        settle(tab, "fortuna", before)
    assert "player 2" in tab.run("document.getElementById('curtain-text').textContent")
    assert tab.run("document.getElementById('table').inert && document.getElementById('panel').inert")
    hand = 'document.querySelectorAll(\'[data-place="hand {}"] .piece.can, [data-place="hand {}"] img[data-face*=front]\').length'
    assert tab.run(hand.format(1, 1)) == tab.run(hand.format(2, 2)) == 0
    tab.press("Enter")
    tab.wait(f"document.getElementById('curtain').hidden && {hand.format(2, 2)} > 0", "the hand of the second")
    assert tab.run(hand.format(1, 1)) == 0


def test_undo_hint_and_look_back(table: Callable[..., Tab]) -> None:
    """A choice is taken back with what bots did then; a hint marks a legal move; a moment of the log shows again."""
    tab = table("fortuna")
    before = tab.run(MADE.format("fortuna"))
    tab.run("document.querySelector('#moves button').click()")
    settle(tab, "fortuna", before)
    tab.press("h")
    tab.wait("document.querySelector('#moves .hinted') !== null", "the hint")
    tab.press("l")
    tab.press("Enter")
    tab.wait("document.querySelector('#banner input[type=range]') !== null", "the look back")
    assert tab.run("document.querySelectorAll('#moves button').length") == 0
    tab.run("document.querySelector('#banner button').click()")
    tab.wait("document.querySelectorAll('#moves button').length > 0")
    tab.press("u")
    tab.wait(f"({MADE.format('fortuna')}) === {before}", "the choice taken back")


def test_a_saved_game_goes_on(table: Callable[..., Tab]) -> None:
    """What Save writes holds the game that was played, as `pnp play --resume` reads it; the table opens it again."""
    tab = table("journey8")
    for _ in range(3):
        before = tab.run(MADE.format("journey8"))
        tab.run("document.querySelector('#moves button').click()")
        settle(tab, "journey8", before)
    made = tab.run(MADE.format("journey8"))
    tab.run(
        "HTMLAnchorElement.prototype.click = () => {};"
        "URL.createObjectURL = (blob) => { blob.text().then((text) => { window.saved = text; }); return 'blob:none'; }"
    )
    tab.press("s")
    text = tab.wait("window.saved", "the file")
    saved = ask("journey8", "resume", saved=text)
    assert (saved["moves"], saved["people"], saved["seed"]) == (tab.run("JSON.parse(localStorage.getItem('pnp.table.journey8')).moves"), [1], "1/3")  # fmt: skip
    tab.press("u")
    tab.wait(f"({MADE.format('journey8')}) < {made} && ({READY})", "the choice taken back")
    tab.run("document.getElementById('new').click()")
    tab.run(
        "(() => {"
        "  const input = document.getElementById('begin-file'), files = new DataTransfer();"
        "  files.items.add(new File([window.saved], 'saved.json'));"
        "  input.files = files.files;"
        "  input.dispatchEvent(new Event('change'));"
        "})()"
    )
    tab.wait(f"({MADE.format('journey8')}) === {made} && ({READY})", "the saved game")


def test_bots_are_hurried_on(table: Callable[..., Tab]) -> None:
    """`f` spares one the moves of bots one by one: the table stands at one's next choice, whatever pace is set."""
    tab = table("fortuna", speed=0.001)
    for _ in range(5):
        before = tab.run(MADE.format("fortuna"))
        tab.run("document.querySelector('#moves button').click()")
        waiting = "!document.getElementById('hurry').hidden"
        tab.wait(f"({MADE.format('fortuna')}) > {before} && (({READY}) || {waiting})", "the choice taken up")
        if tab.run(waiting):
            break
    assert tab.run(waiting), "bots must have something to do"
    tab.press("f")
    tab.wait(f"({MADE.format('fortuna')}) > {before + 1} && ({READY})", "the next choice")
    assert not tab.run(waiting)


def test_what_needs_no_piece_is_at_hand(table: Callable[..., Tab]) -> None:
    tab = table("journey8")
    for _ in range(MOST):
        if tab.run("document.querySelectorAll('#deeds button').length > 0"):
            break
        before = tab.run(MADE.format("journey8"))
        tab.run("document.querySelector('#moves button').click()")
        settle(tab, "journey8", before)
    assert "Pass" in tab.run("document.getElementById('deeds').textContent")
    before = tab.run(MADE.format("journey8"))
    for _ in range(MOST):
        tab.press("n")
        if tab.run("document.activeElement.closest('#deeds') !== null"):
            break
    tab.press("Enter")
    settle(tab, "journey8", before)


SEEN = (
    "(() => {"
    "  const table = document.getElementById('table'), frame = table.getBoundingClientRect();"
    "  const own = document.querySelector('.area.own')?.getBoundingClientRect();"
    "  return {"
    "    wide: document.documentElement.scrollWidth, over: table.scrollWidth - table.clientWidth,"
    "    below: table.scrollHeight - table.clientHeight,"
    "    above: own ? frame.top - own.top : 0, under: own ? own.bottom - frame.bottom : 0,"
    "    share: own ? own.height / frame.height : 0,"
    "    empty: [...document.querySelectorAll('.area:not(.folded) .piece')].filter((one) => !one.offsetWidth).length,"
    "  };"
    "})()"
)
"""How the table lies on the screen, px: too wide by, too high by, one's own area out of it by; its share of the height."""


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=["desk", "phone"])
@pytest.mark.parametrize("name", quick(GAMES, "fortuna", "xanadu", rest="release"))
def test_ones_own_is_on_the_screen(table: Callable[..., Tab], name: str, size: tuple[int, int]) -> None:
    """At the start and after ten choices one's own area lies on the screen without scrolling, with room for the rest.

    Nothing is wider than the screen; every button has a name.
    """
    for number in (0, 10):
        wide, high = size
        tab = table(name, wide=wide, high=high, moves=choices_on(name, number))
        tab.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        seen = tab.run(SEEN)
        assert (seen["wide"], seen["over"], seen["empty"]) == (wide, 0, 0), (number, seen)
        assert max(seen["above"], seen["under"]) <= 1, (number, seen)
        assert seen["below"] <= 0 or seen["share"] <= 0.6, (number, seen)
        assert [role for role, said in tab.tree() if role == "button" and not said.strip()] == []


def test_a_players_area_folds(table: Callable[..., Tab]) -> None:
    tab = table("fortuna")
    folded = "document.querySelectorAll('.area.folded').length"
    before, made = tab.run(folded), tab.run(MADE.format("fortuna"))
    tab.run("document.querySelector('button.tab').focus()")
    tab.press("Enter")
    tab.wait(f"{folded} === {before + 1}", "the folded area")
    assert tab.run("document.querySelector('.folded .tab').getAttribute('aria-expanded')") == "false"
    tab.run("document.querySelector('#moves button').click()")
    settle(tab, "fortuna", made)
    assert tab.run(folded) == before + 1
    tab.run("document.querySelector('.folded .tab').click()")
    tab.wait(f"{folded} === {before}", "the area again")


@pytest.mark.parametrize("way", [(0, -20), pytest.param((0, 20), marks=pytest.mark.slow), (20, 0), (-20, 0)])
def test_a_finger_drags_a_card_in_all_directions(table: Callable[..., Tab], way: tuple[int, int]) -> None:
    tab = table("fortuna", wide=390, high=844, moves=choices_on("fortuna", 1))
    tab.call("Emulation.setTouchEmulationEnabled", enabled=True)
    x, y = tab.run(
        "(() => { const box = document.querySelector('.own .piece.goes'); box.scrollIntoView({ block: 'center' });"
        "const { x, y, width, height } = box.getBoundingClientRect(); return [x + width / 2, y + height / 2]; })()"
    )
    tab.run("addEventListener('pointercancel', () => { document.body.dataset.cancelled = ''; })")
    tab.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    for step in range(1, 9):
        tab.call(
            "Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x + way[0] * step, "y": y + way[1] * step}]
        )
    assert tab.run("document.querySelector('.ghost') !== null && !('cancelled' in document.body.dataset)")
    tab.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    tab.call("Emulation.setTouchEmulationEnabled", enabled=False)


def test_what_is_chosen_and_lies_beside_the_table_is_shown(table: Callable[..., Tab]) -> None:
    tab = table("xanadu")
    assert tab.run("document.querySelectorAll('#moves button').length") == 5
    assert tab.run("document.querySelectorAll('#moves button .of img[data-face*=company_board]').length") == 5


def test_a_newer_question_gives_up_the_one_before(table: Callable[..., Tab]) -> None:
    """Whoever asks for a hint again, or goes on without it, closes the line of the older question, and sees no fault."""
    tab = table("fortuna")
    tab.run(
        "window.given = []; window.other = window.fetch; window.fetch = (address, how) => address.includes('/hint?')"
        " ? new Promise((_, fail) => { given.push(how.signal); how.signal.onabort = () => fail(how.signal.reason); })"
        " : other(address, how); 0"
    )
    ended = "JSON.stringify(given.map((one) => one.aborted))"
    for said in ("[false]", "[true,false]"):
        tab.press("h")
        tab.wait(f"{ended} === '{said}'", "the question for a hint")
    before = tab.run(MADE.format("fortuna"))
    tab.run("document.querySelector('#moves button').click()")
    settle(tab, "fortuna", before)
    assert tab.run(ended) == "[true,true]"
    assert not tab.run("document.querySelectorAll('.banner.bad').length")


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


def test_the_rules_are_one_key_away(table: Callable[..., Tab]) -> None:
    """The frame runs no scripts, the focus goes in and comes back, and the game goes on beside it."""
    tab = table("fortuna", moves=choices_on("fortuna", 1))
    tab.press("r")
    tab.wait("document.querySelector('#rules iframe')?.contentDocument?.body?.textContent.includes('Fortuna')")
    assert tab.run("document.querySelector('#rules iframe').getAttribute('sandbox')") == "allow-same-origin"
    assert tab.run("document.activeElement.id") == "rules-close"
    tab.run("document.querySelector('[data-book=rulebook]').click()")
    tab.wait("document.querySelector('#rules iframe').src.includes('/rulebook/')")
    tab.press("Escape")
    assert tab.run("document.getElementById('rules').hidden && document.activeElement.id === 'rules-open'")


def test_a_link_leads_to_this_moment_and_leaves_ones_own_game_alone(table: Callable[..., Tab]) -> None:
    moves = choices_on("fortuna", 2)
    tab = table("fortuna", moves=moves)
    tab.run("document.getElementById('link').click()")
    link = tab.wait("document.querySelector('#banner input')?.value")
    tab.run(
        "localStorage.setItem('pnp.table.fortuna', JSON.stringify({ players: 3, people: [1], bots: 'random', seed: '5/5', options: [], moves: [] }))"
    )
    kept = tab.run("localStorage.getItem('pnp.table.fortuna')")
    tab.call("Page.navigate", url="about:blank")
    tab.call("Page.navigate", url=link.replace("&seed=", "&name=Anna&name=&name=&seed="))
    tab.wait(
        "document.querySelectorAll('#moves button[data-move]').length > 0 && document.querySelector('.own .tab')?.textContent.includes('Anna')"
    )
    assert tab.run("localStorage.getItem('pnp.table.fortuna')") == kept
    tab.run("document.querySelector('#moves button[data-move]').click()")
    tab.wait(f"{MADE.format('fortuna')} > {len(moves)}")
    assert tab.run("location.hash") == "#fortuna"


@pytest.mark.parametrize(("wide", "high", "least"), [(1280, 800, 24), (390, 844, 44)])
@pytest.mark.parametrize("number", [6, pytest.param(14, marks=pytest.mark.slow)])
def test_what_can_be_chosen_in_xanadu_is_seen(
    table: Callable[..., Tab], number: int, wide: int, high: int, least: int
) -> None:
    """Nothing that a choice begins with lies under one's own area or outside the table, or is too small to be met."""
    tab = table("xanadu", wide=wide, high=high, moves=choices_on("xanadu", number))
    time.sleep(0.6)  # pieces glide to their places
    seen = tab.run("""(() => {
        const table = document.getElementById("table").getBoundingClientRect();
        return [...document.querySelectorAll("#table .piece.can")].map((piece) => {
            const { left, top, right, bottom, width, height } = piece.getBoundingClientRect();
            const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            return [piece.dataset.key, piece.contains(there) && top >= table.top - 1 && bottom <= table.bottom + 1, Math.min(width, height)];
        });
    })()""")
    assert seen
    assert [(key, whole, size) for key, whole, size in seen if not whole or size < least] == []
