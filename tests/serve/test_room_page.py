"""A room in a real browser: the large screen and two phones play a game to its end."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from browser import Tab
from conftest import ROOT
from serve_cases import served
from table_tabs import OVER

pytestmark = pytest.mark.slow

MOST = 400
"""Choices within which the game must have ended."""

CAN = "document.querySelectorAll('#moves button[data-move]').length"
LOG = "document.getElementById('log').textContent"
SEATS = "[...document.querySelectorAll('.room-seats li')].map((one) => one.innerText.replace(/\\s+/g, ' '))"


def enter(tab: Tab, url: str, wide: int, high: int) -> None:
    tab.size(wide, high)
    tab.call("Page.navigate", url="about:blank")
    tab.call("Page.navigate", url=url)
    tab.wait("document.querySelectorAll('#areas .piece').length > 0", "the table")


def take_seat(tab: Tab, url: str, name: str) -> str:
    """Open the invitation on a phone, take a seat by clicking, and return its address."""
    enter(tab, url, 390, 844)
    tab.run(
        f"[...document.querySelectorAll('.room-seats button')].find((one) => one.innerText.includes('{name}')).click()"
    )
    tab.wait(
        f"!location.href.startsWith({json.dumps(url.split('#', maxsplit=1)[0])}) && document.querySelector('.area.own .piece') !== null"
    )
    return str(tab.run("location.href"))


def choose(tab: Tab, at: int) -> None:
    """Make a choice by clicking a piece, or a sentence where no piece stands for a move."""
    tab.run(
        "(() => {"
        "  const pieces = [...document.querySelectorAll('#areas .piece.can > .face-button')];"
        "  const sentences = [...document.querySelectorAll('#moves button')];"
        f"  (pieces.length && {at} % 3 ? pieces[{at} % pieces.length] : sentences[{at} % sentences.length]).click();"
        "  document.querySelector('#look[open] #look-moves button, #look[open] .thumb.can')?.click();"
        "  document.querySelector('#look[open] #look-moves button')?.click();"
        "})()"
    )


def check_screen(tab: Tab, wide: int) -> None:
    """Nothing is wider than the screen, and each button has a name."""
    assert tab.run("document.documentElement.scrollWidth") <= wide
    assert [role for role, said in tab.tree() if role == "button" and not said.strip()] == []


def test_a_game_of_two_phones_and_a_bot_by_clicking(browser: Callable[[], Tab]) -> None:
    """Each phone sees its own hand alone, the large screen none; undo asks; a phone that left comes back."""
    with served(ROOT, "fortuna", seats="Anna,Ben,Cleo") as client:
        room = client.server.room
        assert room is not None
        screen, anna, ben = browser(), browser(), browser()
        enter(screen, room.host_url, 1280, 860)
        screen.wait("document.querySelector('.room-invite[open] img').naturalWidth > 0", "the code")
        assert screen.run("document.querySelector('.room-invite input').value") == room.guest_url
        assert [line.split()[1:] for line in screen.run(SEATS)] == [["Anna", "free"], ["Ben", "free"], ["Cleo", "free"]]
        check_screen(screen, 1280)
        addresses = [take_seat(anna, room.guest_url, "Anna")]
        check_screen(anna, 390)
        enter(ben, room.guest_url, 390, 844)
        ben.wait(f"location.href === {json.dumps(addresses[0])}", "the seat that this browser has already")
        ben.run("localStorage.clear()")
        addresses.append(take_seat(ben, room.guest_url, "Ben"))
        assert len({*addresses}) == 2
        screen.wait(f"({SEATS}).join().includes('Anna Person')", "the guest at the table")
        screen.run(
            "(() => { const bots = document.querySelector('#room select'); bots.value = 'greedy';"
            " bots.dispatchEvent(new Event('change')); })()"
        )
        check_hands(screen, anna, ben)
        check_undo(anna, ben)
        phones, played = [anna, ben], 0
        until = time.monotonic() + 600
        while not screen.run(OVER) and played < MOST and time.monotonic() < until:
            for at, tab in enumerate(phones):
                if tab.run(CAN):
                    log = tab.run(LOG)
                    choose(tab, played)
                    tab.wait(f"{LOG} !== {json.dumps(log)}", "what happened")
                    played += 1
                    if played == 6:
                        enter(tab, addresses[at], 390, 844)  # left and came back
        for tab in (screen, anna, ben):
            tab.wait(OVER, "the end")
            assert "Anna" in tab.run("document.getElementById('result').textContent")
        assert played > 20
        check_screen(anna, 390)
        screen.run("document.querySelector('#result .primary').click()")
        for tab in (screen, anna, ben):
            tab.wait(f"!({OVER})", "another game")
        assert screen.complaints == anna.complaints == ben.complaints == []


def hands(tab: Tab) -> list[Any]:
    """The seats whose hand shows a front."""
    return list(
        tab.run(
            "[...new Set([...document.querySelectorAll('.area img[data-face*=\":front:\"]')].map((one) =>"
            " one.closest('.place').dataset.place).filter((place) => place.startsWith('hand')))].sort()"
        )
    )


def check_hands(screen: Tab, anna: Tab, ben: Tab) -> None:
    assert (hands(screen), hands(anna), hands(ben)) == ([], ["hand 1"], ["hand 2"])


def check_undo(anna: Tab, ben: Tab) -> None:
    """Who has chosen asks the other, and gets the choice back."""
    first, second = (anna, ben) if anna.run(CAN) else (ben, anna)
    first.wait(CAN, "a choice")
    before = first.run("document.getElementById('moves').innerText")
    choose(first, 0)
    first.wait("!document.getElementById('undo').disabled", "a choice that can be taken back")
    first.run("document.getElementById('undo').click()")
    for button, after in (("button:not(.primary)", "true"), ("button.primary", f"{CAN} > 0")):
        second.wait(f"document.querySelector('#room .buttons {button}') !== null", "the question")
        second.run(f"document.querySelector('#room .buttons {button}').click()")
        second.wait("document.getElementById('room').hidden", "the page after the answer")
        first.wait(f"document.getElementById('room').hidden && {after}", "the answer")
        if after == "true":
            first.run("document.getElementById('undo').click()")
    assert first.run("document.getElementById('moves').innerText") == before
