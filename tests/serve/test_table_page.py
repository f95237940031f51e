"""The table in a real browser: whole games by clicking and by keys alone, two people at one screen, files, the phone."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from browser import Tab
from serve_cases import served
from table_cases import GAMES, ROOT

pytestmark = pytest.mark.slow

READY = (
    "document.querySelectorAll('#moves button[data-move], #result:not([hidden]), #curtain:not([hidden])').length > 0"
)
MADE = "JSON.parse(localStorage.getItem('pnp.table.{}')).moves.length"
OVER = "!document.getElementById('result').hidden"

MOST = 600
"""Choices within which a game must have ended."""


@pytest.fixture
def table(browser: Callable[[], Tab]) -> Iterator[Callable[..., Tab]]:
    """Opens the table of a game; afterwards nothing must have complained, and nothing have left the machine."""
    tab, servers = browser(), list[str]()
    with ExitStack() as stack:

        def opened(name: str, *, people: str = "1", wide: int = 1280) -> Tab:
            url = stack.enter_context(served(ROOT, name)).server.url
            servers.append(url)
            tab.size(wide, 860)
            tab.call("Page.navigate", url=f"{url}icon.svg")
            tab.wait("document.readyState === 'complete' && location.pathname === '/icon.svg'")
            seats = [int(seat) for seat in people.split(",")]
            game = {
                "players": GAMES[name],
                "people": seats,
                "bots": "random",
                "seed": "1/3",
                "options": [],
                "moves": [],
            }
            prefs = {"lang": "en", "tableSpeed": 1000}
            for key, value in {f"pnp.table.{name}": game, "pnp.page": prefs}.items():
                tab.run(f"localStorage.setItem({json.dumps(key)}, {json.dumps(json.dumps(value))})")
            tab.call("Page.navigate", url=f"{url}play.html#{name}")
            tab.wait(READY, f"the table of {name}")
            return tab

        yield opened
        assert tab.complaints == []
        own = (*servers, "about:", "data:", "blob:")
        assert [url for url in tab.requests if not url.startswith(own)] == [], "a request left the machine"
        tab.run("localStorage.clear()")
        tab.call("Page.navigate", url="about:blank")


def settle(tab: Tab, name: str, before: int) -> None:
    """Wait until a choice has been taken up and somebody may choose again, or the game is over."""
    tab.wait(f"({MADE.format(name)}) > {before} && ({READY})", f"move {before + 1} of {name}")


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_by_clicking(table: Callable[..., Tab], name: str) -> None:
    """Pieces that can be chosen are clicked, and sentences where no piece stands for a move, until the game is over."""
    tab = table(name)
    by_piece = 0
    for at in range(MOST):
        if tab.run(OVER):
            break
        before = tab.run(MADE.format(name))
        how = tab.run(
            "(() => {"
            "  const pieces = [...document.querySelectorAll('#areas .piece.can > .face-button')];"
            "  const sentences = [...document.querySelectorAll('#moves button')];"
            f"  const one = pieces.length && {at} % 4 ? pieces[{at} % pieces.length] : sentences[{at} % sentences.length];"
            "  one.click();"
            "  const menu = document.querySelector('#look[open] #look-moves button, #look[open] .thumb.can');"
            "  if (menu) menu.click();"
            "  const second = document.querySelector('#look[open] #look-moves button');"
            "  if (menu?.matches('.thumb') && second) second.click();"
            "  return one.matches('.face-button');"
            "})()"
        )
        by_piece += bool(how)
        settle(tab, name, before)
    assert tab.run(OVER), "the game goes on without end"
    assert by_piece > 0, "the test must click pieces"
    assert "1" in tab.run("document.getElementById('result').textContent")


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
    tab.run("document.getElementById('undo').click()")
    tab.wait(f"document.querySelectorAll('[data-stack]').length === {stacks}", "a card put back")


@pytest.mark.parametrize("name", GAMES)
def test_it_fits_a_phone(table: Callable[..., Tab], name: str) -> None:
    """At 390 pixels nothing is cut off at the side, and every button has a name."""
    tab = table(name, wide=390)
    assert tab.run("document.documentElement.scrollWidth") <= 390
    assert tab.run("document.getElementById('table').scrollWidth - document.getElementById('table').clientWidth") <= 1
    nameless = [role for role, said in tab.tree() if role == "button" and not said.strip()]
    assert nameless == []
