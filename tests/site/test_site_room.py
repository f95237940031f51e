"""A room whose host is a browser: other browsers connect to it by links, and play."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from browser import Tab, chromium
from site_fixtures import OPEN, Site
from table_tabs import FRAMED, OVER
from test_room_page import CAN, LOG, MOST, SEATS, check_hands, check_screen, check_undo, choose

pytestmark = pytest.mark.slow

NAMES = ("Anna", "Ben", "Cleo")
GONE = "document.querySelector('.guest [role=alert]') !== null"

RECORD = """(() => {
    const send = RTCDataChannel.prototype.send;
    globalThis.sent = [];          // for each channel of this page, in their order: what went into it
    globalThis.channels = [];
    RTCDataChannel.prototype.send = function (data) {
      if (!this.said) { sent.push(this.said = []); channels.push(this); }
      this.said.push(typeof data === "string" ? data : String.fromCharCode(...data));
      return send.call(this, data);
    };
})()"""


def go(tab: Tab, url: str, wide: int = 390, high: int = 844) -> None:
    tab.size(wide, high)
    tab.call("Page.addScriptToEvaluateOnNewDocument", source=RECORD)
    tab.call("Page.navigate", url="about:blank")
    tab.call("Page.navigate", url=url)


def click(tab: Tab, selector: str) -> None:
    tab.wait(f"document.querySelector({json.dumps(selector)}) !== null", selector)
    tab.run(f"document.querySelector({json.dumps(selector)}).click()")


def open_room(tab: Tab, site: Site) -> None:
    """Open a room of Fortuna for three, by the dialog that begins a game."""
    go(tab, f"{site.url}games/play.html#fortuna", 1280, 860)
    tab.wait(f"{OPEN} && {FRAMED}?.getElementById('begin')?.open", "the dialog")
    tab.enter("iframe.table")
    tab.run(
        f"""[...document.querySelectorAll("#begin-seats input:not([hidden])")].forEach((one, at) => {{
            one.value = {json.dumps(NAMES)}[at]; one.dispatchEvent(new Event("input")); }})"""
    )
    click(tab, "#begin-room")
    tab.enter()
    tab.wait("document.querySelectorAll('.room-seats li').length === 3", "the room")


def invite(host: Tab, seat: int) -> str:
    """The link for a seat, as the host's page shows it."""
    host.run("document.querySelector('.room-guest')?.close()")
    click(host, f".room-seats li:nth-child({seat}) button")
    host.wait("document.querySelector('.room-guest[open] img').naturalWidth > 0", "the code")
    return str(host.run("document.querySelector('.room-link').value"))


def accept(tab: Tab, link: str) -> str:
    """Open an invitation on a phone, join, and return the link for the host."""
    go(tab, link)
    click(tab, ".guest .primary")
    return str(tab.wait("document.querySelector('.guest .room-answer')?.value", "the answer"))


def paste(host: Tab, answer: str) -> None:
    host.run(f"document.querySelector('.room-guest .room-answer').value = {json.dumps(answer)}")
    click(host, ".room-guest .primary")


def says(host: Tab, words: str) -> None:
    host.wait(f"document.querySelector('.room-guest [role=status]').textContent.includes({json.dumps(words)})", words)


def seat_guest(host: Tab, tab: Tab, seat: int) -> None:
    paste(host, accept(tab, invite(host, seat)))
    tab.wait(
        "document.querySelectorAll('.area.own .piece').length > 0 && !document.querySelector('.guest')", "the table"
    )
    host.wait(f"({SEATS})[{seat - 1}].includes('Person') && !document.querySelector('.room-guest[open]')", "the guest")


@pytest.fixture(scope="module")
def browsers(tmp_path_factory: pytest.TempPathFactory, tool: Callable[[str], str]) -> Iterator[list[Callable[[], Tab]]]:
    """Three browsers that know nothing of each other."""
    with ExitStack() as stack:
        yield [stack.enter_context(chromium(tool("chromium"), tmp_path_factory.mktemp("browser"))) for _ in range(3)]


def read_replies(said: list[str]) -> Iterator[Any]:
    """The replies in JSON that went into a channel, put together of their parts."""
    left, text = 0, ""
    for one in said:
        if not left:
            head = json.loads(one)
            left, text = head.get("size", 0), ""
            continue
        text += one
        left -= len(one)
        if left <= 0 and text.startswith("{"):
            yield json.loads(text.encode("latin-1"))


def check_channel(said: list[str]) -> int:
    """What went to a guest shows no other hand, no seed and no list of moves. Return the number of views."""
    views, seat = 0, 0
    for told in read_replies(said):
        assert not {"seed", "moves", "key"} & told.keys()
        seat = told.get("room", seat) if "words" in told else seat
        if "places" not in told:
            continue
        views += 1
        assert told["eyes"] == seat > 0 and told["room"]["link"] == ""
        for key, place in told["places"].items():
            pieces = [piece for cell in place["cells"] for piece in cell["pieces"]]
            if key.startswith("hand") and key != f"hand {seat}" and not told["over"]:
                assert all(piece["hidden"] for piece in pieces), (seat, key)
    return views


def test_a_game_of_two_phones_and_a_bot_by_clicking(browsers: list[Callable[[], Tab]], site: Site) -> None:
    """Three browsers play to the end; one leaves and returns. A guest loads no Python, and learns no secret."""
    host, anna, ben = (new() for new in browsers)
    open_room(host, site)
    check_screen(host, 1280)
    for seat, tab in enumerate((anna, ben), 1):
        seat_guest(host, tab, seat)
        check_screen(tab, 390)
    host.run(
        "(() => { const bots = document.querySelector('#room select'); bots.value = 'greedy';"
        " bots.dispatchEvent(new Event('change')); })()"
    )
    check_hands(host, anna, ben)
    check_undo(anna, ben)
    played, until = 0, time.monotonic() + 1200
    while not host.run(OVER) and played < MOST and time.monotonic() < until:
        for seat, tab in enumerate((anna, ben), 1):
            if tab.run(CAN):
                log = tab.run(LOG)
                choose(tab, played)
                tab.wait(f"{LOG} !== {json.dumps(log)}", "what happened")
                played += 1
                if played == 6:
                    tab.call("Page.navigate", url="about:blank")
                    host.wait(f"({SEATS})[{seat - 1}].includes('away')", "that the guest has left")
                    seat_guest(host, tab, seat)
    for tab in (host, anna, ben):
        tab.wait(OVER, "the end")
        assert "Anna" in tab.run("document.getElementById('result').textContent")
    assert played > 20
    check_screen(anna, 390)
    sent = host.run("sent")
    assert len(sent) == 3 and all(check_channel(said) > 5 for said in sent)
    for tab in (anna, ben):
        asked = [url.rsplit("/", 1)[-1].split("?")[0] for url in tab.requests]
        assert "play.js" in asked
        assert not [
            name
            for name in asked
            if name in ("worker.js", "site.json") or name.endswith((".bin", ".wasm", ".mjs", ".ttf"))
        ]
    click(host, "#result .primary")
    for tab in (host, anna, ben):
        tab.wait(f"!({OVER})", "another game")
        # A browser ends a service worker's stream after five minutes; the page begins another.
        assert [said for said in tab.complaints if "favicon.ico" not in said and "/events" not in said] == []


@pytest.fixture(scope="module")
def pages(browsers: list[Callable[[], Tab]], site: Site) -> list[Tab]:
    """A room and two guests, all of one browser: its pages pass answers on by themselves."""
    host, anna, ben = (browsers[0]() for _ in range(3))
    open_room(host, site)
    for seat, tab in enumerate((anna, ben), 1):
        go(tab, invite(host, seat))
        click(tab, ".guest .primary")
        tab.wait("document.querySelectorAll('.area.own .piece').length > 0", "the table")
    return [host, anna, ben]


def test_forged_links_connect_nobody(pages: list[Tab], browsers: list[Callable[[], Tab]], site: Site) -> None:
    host, stranger = pages[0], browsers[1]()
    link = invite(host, 3)
    home = f"{site.url}games/play.html"
    for forged in ("", "x", f"{home}#answer=", f"{home}#answer=AAAA", f"{home}#answer={'A' * 5000}", link):
        paste(host, forged)
        says(host, "This is not an answer link")
    answer = accept(stranger, link)
    other = accept(browsers[2](), invite(host, 3))  # the same invitation, as it is still open
    for forged in (f"{home}#invitation=", f"{home}#invitation=AAAA", link[:-9], f"{link}AAAA"):
        go(stranger, forged)
        stranger.wait(
            "document.querySelector('.starting.failed')?.textContent.includes('This is no invitation')", forged
        )
    go(stranger, answer)
    stranger.wait(
        "document.querySelector('.guest')?.textContent.includes('No page of this browser waits')", "the answer's page"
    )
    assert host.run(SEATS)[2].startswith("■ Cleo free")
    paste(host, other)
    host.wait(f"({SEATS})[2].includes('Person')", "the guest")
    host.run("[...document.querySelectorAll('.room-seats li:nth-child(3) button')].at(-1).click()")
    host.wait(f"({SEATS})[2].includes('free')", "the free seat")
    assert invite(host, 3) != link
    paste(host, answer)
    says(host, "answers no open invitation")


def test_a_guest_who_floods_hinders_no_other(pages: list[Tab]) -> None:
    host, anna, ben = pages
    anna.run(
        """{ globalThis.statuses = [];
        channels[0].addEventListener("message", ({ data }) => typeof data === "string" && statuses.push(JSON.parse(data).status));
        for (let at = 0; at < 1000; at += 1) channels[0].send(JSON.stringify({ id: 100000 + at, target: "table/fortuna/at?lang=en" })); }"""
    )
    assert ben.run("fetch('table/fortuna/at?lang=en').then((answer) => answer.status)") == 200
    anna.wait("statuses.filter((one) => one === 429).length > 500", "refusals")
    assert anna.run("statuses.filter((one) => one === 200).length") < 200
    host.wait(f"({SEATS})[0].includes('Person')")


def test_a_guest_who_sends_nonsense_is_cut_off(pages: list[Tab], site: Site) -> None:
    host, anna, _ben = pages
    anna.run(
        """for (const said of ["", "{", "[]", "null", '{"id": "1", "target": "x"}', '{"id": 1}', '{"id": 1, "target": "x", "body": {}}', new Uint8Array(9), "x".repeat(20000)])
        for (const _ of [1, 2, 3]) if (channels[0].readyState === "open") channels[0].send(said)"""
    )
    anna.wait(GONE, "that the guest is told")
    host.wait(f"({SEATS})[0].includes('away')", "that the guest has gone")
    anna.call("Page.reload")
    anna.wait(
        "document.querySelector('.starting.failed')?.textContent.includes('no longer connected')",
        "a page without a room",
    )
    go(anna, invite(host, 1))
    click(anna, ".guest .primary")
    anna.wait("document.querySelectorAll('.area.own .piece').length > 0", "the seat again")
    assert "away" not in host.run(f"({SEATS})[0]")


def test_a_host_can_bring_no_scripts_to_a_guest(
    pages: list[Tab], browsers: list[Callable[[], Tab]], site: Site
) -> None:
    """Whatever the host answers, it is data for the guest's browser."""
    _host, _anna, ben = pages
    told = ben.run(
        """fetch("rulebook/fortuna/en.html").then(async (answer) => [answer.status, answer.headers.get("Content-Security-Policy"), (await answer.text()).length])"""
    )
    assert told[0] == 200 and told[2] > 10_000, "a reply of many parts"
    assert "default-src 'none'" in told[1] and "script-src" not in told[1]


def test_the_host_may_name_a_stun_server(pages: list[Tab]) -> None:
    """A link that was made before knows nothing of it, so there is another; what is no name of a server is refused."""
    host = pages[0]
    link = invite(host, 3)
    name = "document.querySelector('.room-stun').value = {}; document.querySelector('.room-stun').dispatchEvent(new Event('change'))"
    for bad in ("stun:example.org", "a b", "http://example.org/", "-x", "example.org:123456"):
        host.run(name.format(json.dumps(bad)))
        says(host, "This is no STUN server")
        assert host.run("document.querySelector('.room-link').value") == link
    host.run(name.format("'stun.invalid:3478'"))
    host.wait(f"![{json.dumps(link)}, ''].includes(document.querySelector('.room-link').value)", "another link")
    host.run(name.format("''"))
    host.wait("document.querySelector('.room-link').value !== ''", "a link without it")


def test_a_seat_that_is_freed_ends_its_connection(pages: list[Tab]) -> None:
    host, _anna, ben = pages
    host.run("[...document.querySelectorAll('.room-seats li:nth-child(2) button')].at(-1).click()")
    ben.wait(GONE, "that the guest is told")
    host.wait(f"({SEATS})[1].includes('free')")
    assert ben.run("fetch('table/fortuna/at?lang=en').then((answer) => answer.status)") != 200


def test_guests_are_told_that_the_host_has_left(pages: list[Tab]) -> None:
    host, anna, _ben = pages
    assert not anna.run(GONE)
    host.call("Page.navigate", url="about:blank")
    anna.wait(GONE, "that the room has ended")
