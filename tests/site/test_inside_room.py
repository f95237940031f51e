"""A room whose host is a browser: what its Python answers to each guest, without a browser."""

import json
from collections.abc import Callable

import pytest
from conftest import ROOT
from table_cases import GAMES
from test_room import WHOLE, Guest, check_wire

from generator.base.errors import ProblemsFound
from generator.commands.settings import NO_CACHE
from generator.live.browser_bridge import Inside
from generator.live.room import HOST, Room
from generator.live.routes import draw_code

NAMES = ["Anna", "Ben", "Cleo"]
Opened = Callable[..., list["Seat"]]


class Seat(Guest):
    """A guest on a seat, or the host (seat 0), as the host's page asks for them."""

    def __init__(self, inside: Inside, seat: int):
        self.inside, self.seat, self.got = inside, seat, list[str]()

    @property
    def key(self) -> str:
        return self.inside._keys[self.seat][1:]

    @key.setter
    def key(self, _value: str) -> None:
        raise AttributeError

    @property
    def room(self) -> Room:
        assert self.inside._room is not None
        return self.inside._room

    def get(self, target: str) -> tuple[int, bytes]:
        status, *_, body = self.inside.answer(f"/{target}", seat=self.seat)
        return status, body

    def post(self, body: bytes, target: str = "order", **_headers: str) -> tuple[int, bytes]:
        self.room._rates.clear()
        status, *_, answer = self.inside.answer(f"/{target}", body.decode("utf-8", "surrogateescape"), self.seat)
        return status, answer

    def let_bots_end(self) -> None:
        """The host's page calls `work` again and again."""
        for _ in range(1000):
            if not self.room._is_thinking:
                return
            self.inside.work(changed=False)
        raise AssertionError("the bots go on without end")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Opened:
    """Opens a room with a guest on each of these seats; the host is the first."""
    monkeypatch.chdir(ROOT)
    for name in (NO_CACHE, "PYTHON_CPU_COUNT"):
        monkeypatch.setenv(name, "1")

    def open_room(*seats: int, game: str = "fortuna") -> list[Seat]:
        inside = Inside(str(ROOT))
        inside.open_room(game, GAMES[game], NAMES[: GAMES[game]])
        for seat in seats:
            inside.seat_guest(seat)
        return [Seat(inside, HOST), *(Seat(inside, seat) for seat in seats)]

    return open_room


@pytest.mark.slow
def test_nothing_in_the_channel_tells_what_a_seat_can_not_know(opened: Opened) -> None:
    host, *guests = opened(1, 2, 3)
    check_wire(WHOLE, guests, host)


@pytest.mark.slow
def test_the_host_sees_the_middle_and_guests_their_hands(opened: Opened) -> None:
    host, anna, ben = opened(1, 2)
    assert [screen.ask("setup")["room"] for screen in (host, anna, ben)] == [0, 1, 2]
    told = host.ask()
    assert [(one["name"], one["taken"]) for one in told["room"]["seats"]] == list(
        zip(NAMES, (True, True, False), strict=True)
    )
    assert (told["eyes"], anna.ask()["eyes"], ben.ask()["eyes"]) == (0, 1, 2)


@pytest.mark.slow
def test_a_guest_who_returns_has_the_same_seat(opened: Opened) -> None:
    _host, anna = opened(1)
    key, told = anna.key, anna.ask()
    anna.move(told)
    anna.inside.seat_guest(1)
    assert anna.key == key and anna.ask()["made"] > told["made"]


@pytest.mark.slow
def test_a_guest_whose_seat_was_freed_gets_nothing(opened: Opened) -> None:
    host, anna = opened(1)
    told = anna.ask()
    host.order("free", seat=1)
    order = json.dumps({"do": "move", "number": told["room"]["number"], "move": told["choices"][0]["move"]})
    assert anna.get("table/fortuna/at")[0] == 404
    assert anna.post(order.encode())[0] == 405
    assert host.ask()["made"] == told["made"]
    anna.inside.seat_guest(1)
    assert anna.ask()["choices"] == told["choices"], "invited again"


def test_a_guest_reaches_no_other_seat_and_nothing_else(opened: Opened) -> None:
    host, anna, ben = opened(1, 2)
    for target in (f"{host.key}/table/fortuna/at", f"../{ben.key}/table/fortuna/at", "table/fortuna/save", "table/fortuna/hint",
                   "table/xanadu/at", "games.json", "file/data%2Ffortuna%2Fgame.yaml", "findings/fortuna", "invitation.svg"):  # fmt: skip
        assert anna.get(target)[0] == 404, target
    for target in ("edit", "ask", "admit/x", "note", f"../{ben.key}/order"):
        assert anna.post(b'{"do": "undo", "number": 0}', target)[0] == 405, target
    assert Seat(anna.inside, 3).inside.answer("/table/fortuna/at", seat=3)[0] == 404, "a seat without a guest"


@pytest.mark.slow
def test_bad_orders_change_nothing(opened: Opened) -> None:
    """Out of turn, twice, for another seat, malformed, too long."""
    host, anna, ben = opened(1, 2)
    first, second = (anna, ben) if anna.ask()["choices"] else (ben, anna)
    told = first.ask()
    move, number = told["choices"][0]["move"], told["room"]["number"]
    out_of_turn = second.order("move", number=number, move=move)
    assert "another seat has to choose now" in out_of_turn["problems"][0]
    for bad in (b"", b"{", b"[]", b'{"do": "move"}', b'{"do": "fly", "number": 0}', b'{"do": "move", "number": 0, "move": 1, "seat": 2}',
                b"\xff", b"[" * 5000):  # fmt: skip
        assert first.post(bad)[0] == 400, bad
    assert first.post(b" " * 10_000)[0] == 405, "too long"
    for do, more in (
        ("free", {"seat": 2}),
        ("bots", {"bot": "greedy"}),
        ("again", {"number": number}),
        ("take", {"seat": 3}),
    ):
        assert "is not for this screen" in first.order(do, **more)["problems"][0]
    assert "not a legal move" in first.order("move", number=number, move=987654)["problems"][0]
    assert host.ask()["made"] == told["made"]
    assert first.move(told) == first.move(told) == {}, "sent twice"
    assert host.ask()["made"] == told["made"] + 1


@pytest.mark.slow
def test_bots_play_in_turns_of_the_pages_work(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser has no threads: whoever asks is answered between two looks of the bots."""
    monkeypatch.setattr("generator.live.room.Thread", None)
    host, anna = opened(1)
    host.order("bots", bot="greedy")
    while not anna.ask()["over"]:
        anna.move(anna.ask())
    assert anna.ask()["made"] > 20


@pytest.mark.slow
def test_a_room_that_can_not_be_is_explained(opened: Opened) -> None:
    inside = opened()[0].inside
    with pytest.raises(ProblemsFound, match="one name twice"):
        inside.open_room("fortuna", 3, ["Anna", "Anna", "Ben"])
    assert inside.answer("/table/fortuna/at")[0] == 200, "the room that is open goes on"


@pytest.mark.slow
def test_without_a_room_orders_lead_nowhere(opened: Opened) -> None:
    inside = Inside(str(ROOT))
    assert inside.answer("/order", '{"do": "undo", "number": 0}')[0] == 405
    inside.seat_guest(1)
    assert inside.answer("/table/fortuna/at", seat=1)[0] == 200, "the table of the page itself"


def test_an_invitation_has_a_code() -> None:
    assert draw_code("https://example.org/play.html#invitation=abc").startswith("<svg")
    with pytest.raises(ValueError, match="1 to 300 characters"):
        draw_code("x" * 301)
