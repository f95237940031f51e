"""A tab that sits down at the table of a game, at any moment of it: for tests, and for the documents' picture."""

import json
from collections.abc import Sequence

from browser import Tab
from table_cases import GAMES, ask

READY = (
    "document.querySelectorAll('#moves button[data-move], #result:not([hidden]), #curtain:not([hidden])').length > 0"
)
"""Somebody may choose, or is asked for, or the game is over."""

DRAWN = "[...document.querySelectorAll('#table img')].every((image) => image.complete)"


MADE = "JSON.parse(localStorage.getItem('pnp.table.{}')).moves.length"
OVER = "!document.getElementById('result').hidden"

MOST = 600
"""Choices within which a game must have ended."""


def sit_down(
    tab: Tab,
    url: str,
    name: str,
    *,
    people: str = "1",
    moves: Sequence[int] = (),
    speed: float = 1000,
    lang: str = "en",
    framed: bool = False,
) -> None:
    """Open the table of a game as a browser has kept it, and wait until somebody may choose. In a site, it is framed."""
    tab.enter()
    tab.call("Page.navigate", url=f"{url}icon.svg")
    tab.wait("document.readyState === 'complete' && location.pathname.endsWith('/icon.svg')")
    game = {
        "players": GAMES[name],
        "people": [int(seat) for seat in people.split(",")],
        "bots": "random",
        "seed": "1/3",
        "options": [],
        "moves": list(moves),
    }
    prefs = {"lang": lang, "tableSpeed": speed}
    for key, value in {f"pnp.table.{name}": game, "pnp.page": prefs}.items():
        tab.run(f"localStorage.setItem({json.dumps(key)}, {json.dumps(json.dumps(value))})")
    tab.call("Page.navigate", url=f"{url}play.html#{name}")
    if framed:
        tab.wait(f"{FRAMED}?.documentElement?.dataset.site === 'open'", "the table in the workbench")
        tab.enter("iframe.table")
    tab.wait(READY, f"the table of {name}")


def choices_on(name: str, number: int) -> list[int]:
    """The moves of a game up to a person's choice after so many, or to its end; each time the middle one is taken."""
    moves: list[int] = []
    for _ in range(number):
        told = ask(name, moves=moves)
        if told["over"]:
            break
        moves = [*told["moves"], told["choices"][len(told["choices"]) // 2]["move"]]
    return [*ask(name, moves=moves)["moves"]]


def settle(tab: Tab, name: str, before: int) -> None:
    """Wait until a choice has been taken up and somebody may choose again, or the game is over; bots are hurried on."""
    hurried = "(document.getElementById('hurry').hidden || document.getElementById('hurry').click(), true)"
    taken = f"{hurried} && ({MADE.format(name)}) > {before} && ({READY})"
    try:
        tab.wait(taken, f"move {before + 1} of {name}")
    except AssertionError as error:
        shown = tab.run("['banner', 'turn', 'look'].map((id) => document.getElementById(id).innerText).join(' / ')")
        raise AssertionError(f"{error}; the page says: {shown}") from error


def check_whole_game(tab: Tab, name: str) -> None:
    """Play a game to its end: pieces that can be chosen are clicked, and sentences where no piece stands for a move."""
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


FRAMED = "document.querySelector('iframe.table')?.contentDocument"
"""The document of the table within the workbench's."""


def check_one_page(tab: Tab) -> None:
    """Open Fortuna's table from its components and go back, Back and Forward: both stay as they were left."""
    at_table = f"location.pathname.endsWith('/play.html') && {FRAMED}?.querySelectorAll('#moves button').length > 0"
    bench = "!location.pathname.endsWith('/play.html') && document.querySelector('.face.drawn')?.offsetWidth > 0"
    tab.run("localStorage.removeItem('pnp.table.fortuna')")
    tab.run(
        "globalThis.kept = [...document.querySelectorAll('.design')]; document.getElementById('search').value = 'not sent'"
    )
    address, title = tab.run("[location.href, document.title]")
    tab.run("document.getElementById('play').click()")
    tab.wait(f"{FRAMED}?.getElementById('begin')?.open", "the table")
    assert tab.run("document.getElementById('search').offsetWidth") == 0
    tab.run(f"{FRAMED}.getElementById('begin-go').click()")
    tab.wait(at_table, "a game")
    link, moves = tab.run("location.href"), tab.run(f"{FRAMED}.getElementById('moves').textContent")
    assert link == f"{address.partition('#')[0]}play.html#fortuna"
    assert tab.run("document.title") == tab.run(f"{FRAMED}.title") != title
    tab.run(f"{FRAMED}.getElementById('home').click()")
    tab.wait(bench, "the workbench")
    assert tab.run("[location.href, document.title]") == [address, title]
    for step, shown in (("back", at_table), ("back", bench), ("forward", at_table), ("forward", bench)):
        tab.run(f"history.{step}()")
        tab.wait(shown, step)
    tab.run("document.getElementById('play').click()")
    tab.wait(at_table, "the same game")
    assert tab.run(f"{FRAMED}.getElementById('moves').textContent") == moves
    tab.run("history.back()")
    tab.wait(bench)
    assert tab.run("document.getElementById('search').value") == "not sent"
    assert tab.run("kept.every((one) => one.isConnected)")
