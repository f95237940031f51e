"""The table in a real browser: whole games by clicking and by keys alone, two people at one screen, files, the phone."""

from collections.abc import Callable

import pytest
from browser import Tab
from table_cases import GAMES, ask
from table_tabs import MADE, MOST, OVER, READY, check_whole_game, choices_on, settle
from tests_support import quick

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", quick(GAMES, "fortuna", rest="release"))
def test_a_whole_game_by_clicking(table: Callable[..., Tab], name: str) -> None:
    """Pieces that can be chosen are clicked, and sentences where no piece stands for a move, until the game is over."""
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
    """Another player's area folds to his points and unfolds, by its button, and stays so at the next choice."""
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


def test_a_finger_drags_a_card_up_from_the_hand(table: Callable[..., Tab]) -> None:
    tab = table("fortuna", wide=390, high=844, moves=choices_on("fortuna", 1))
    tab.call("Emulation.setTouchEmulationEnabled", enabled=True)
    x, y = tab.run(
        "(() => { const box = document.querySelector('.own .piece.goes'); box.scrollIntoView({ block: 'center' });"
        "const { x, y, width, height } = box.getBoundingClientRect(); return [x + width / 2, y + height / 2]; })()"
    )
    tab.run("addEventListener('pointercancel', () => { document.body.dataset.cancelled = ''; })")
    tab.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    for step in range(1, 9):
        tab.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x, "y": y - 20 * step}])
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
