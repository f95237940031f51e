"""A room over its sockets: what goes to each seat, what a guest may do, and what comes of bad orders."""

import http.client
import json
import re
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
from conftest import ROOT
from serve_cases import PATIENCE, Client, expect_soon, opened, served
from table_cases import GAMES

from generator.base.errors import ProblemsFound
from generator.drawing.templates.functions import list_qr_modules
from generator.game.project import find_project
from generator.live.gallery import Gallery
from generator.live.room import BURST, RATE, Room, RoomOrder
from generator.live.serve import LINES_EACH, STREAMS_EACH, PageServer, draw_in_terminal
from generator.live.table_answers import Viewer, describe_table
from generator.live.table_request import Party
from generator.play.table_text import MoveReporter
from generator.rules.engine.table import Seed, Table

NAMES = "Anna,Ben,Cleo"
ANY = "0.0.0.0"  # noqa: S104 - a room is for the whole local network
SEED = Seed(3_141_592_653, 2_718_281_828)
"""A deal for tests that look at many moves; in the others the room draws one."""

WHOLE = 400
"""Choices within which a random game has ended."""


class Guest:
    """One screen of a room, by its key. `got` is everything that came to it."""

    def __init__(self, client: Client, key: str):
        self.client, self.key, self.got = client, key, list[str]()

    @property
    def room(self) -> Room:
        assert self.client.server.room is not None
        return self.client.server.room

    def ask(self, what: str = "at", lang: str = "en") -> Any:
        self.room._rates.clear()
        status, body = self.get(f"table/{self.room.game}/{what}?lang={lang}")
        assert status == 200, (what, status)
        self.got.append(body.decode())
        return json.loads(body)

    def get(self, target: str) -> tuple[int, bytes]:
        answer, body = self.client.get(f"/{self.key}/{target}")
        return answer.status, body

    def post(self, body: bytes, target: str = "order", **headers: str) -> tuple[int, bytes]:
        """The status and body for an order as a browser sends it, with other headers on request."""
        self.room._rates.clear()
        own = f"127.0.0.1:{self.client.server.port}"
        sent = {"Host": own, "Origin": f"http://{own}", "Content-Type": "application/json", **headers}
        line = http.client.HTTPConnection("127.0.0.1", self.client.server.port, timeout=PATIENCE)
        line.request("POST", f"/{self.key}/{target}", body, sent)
        answer = line.getresponse()
        found = answer.read()
        line.close()
        return answer.status, found

    def order(self, do: str, **more: Any) -> Any:
        status, body = self.post(json.dumps({"do": do, **more}).encode())
        assert status == 200, (do, status)
        self.got.append(body.decode())
        self.let_bots_end()
        return json.loads(body)

    def let_bots_end(self) -> None:
        expect_soon(lambda: not self.room._is_thinking, "the bots")

    def move(self, told: Any, choice: int = 0) -> Any:
        return self.order("move", number=told["room"]["number"], move=told["choices"][choice]["move"])


@pytest.fixture
def client() -> Iterator[Client]:
    with served(ROOT, "fortuna", seats=NAMES, ahead=False) as found:
        yield found


@pytest.fixture(scope="module")
def calm() -> Iterator[Client]:
    """One room for all requests that change nothing."""
    with served(ROOT, "fortuna", seats=NAMES, ahead=False) as found:
        yield found


@pytest.fixture(scope="module")
def anna(calm: Client) -> Guest:
    """A guest of the calm room."""
    return seated(calm, 1)[0]


def host_of(client: Client) -> Guest:
    assert client.server.room is not None
    return Guest(client, client.server.room.host_key)


def seated(client: Client, *seats: int) -> list[Guest]:
    """Guests who have taken these seats."""
    assert client.server.room is not None
    door = Guest(client, client.server.room.invitation)
    return [Guest(client, door.order("take", seat=seat)["key"]) for seat in seats]


def table_of(room: Room) -> Table:
    """The game of a room, replayed by the rules alone."""
    table: Table = room._tables.use_party(room.game, room._make_request("en"), lambda *given: given[2].table.clone())
    return table


# Secrets.


def shown_pieces(told: Any) -> Counter[tuple[str, str]]:
    """The pieces of an answer whose faces are shown, by zone and design."""
    found = Counter[tuple[str, str]]()
    for place in told["places"].values():
        for zone, pieces in [(cell["zone"], cell["pieces"]) for cell in place["cells"]]:
            found.update({(zone, one["design"]): one["n"] for one in pieces if zone and not one["hidden"]})
        for one in place["on"]:
            if one["zone"] and not one["hidden"]:
                found[one["zone"], one["design"]] += one["n"]
    return found


def known_pieces(table: Table, seats: tuple[int, ...]) -> Counter[tuple[str, str]]:
    """The pieces that all these seats know, by zone and design, as the rules have it."""
    found = list[Counter[tuple[str, str]]]()
    for seat in seats:
        one = Counter[tuple[str, str]]()
        for zone, there in table.observe(seat).zones.items():
            for lying in there:
                if lying.piece:
                    one[zone, lying.piece.split("#")[0]] += lying.number
        found.append(one)
    first, *others = found
    for other in others:
        first &= other
    return first


def check_wire(choices: int, guests: Sequence[Guest], host: Guest, *doors: Guest) -> None:
    """Play a random game of a guest on each seat, and compare all that comes to a screen with what the rules let it know."""
    room, chance, hidden = host.room, Random(host.room.game), 0
    players = len(guests)
    room._seed = SEED
    reports: list[Any] = []
    twin = Table(table_of(room).rules, table_of(room).box, room._seed)
    teller = MoveReporter(twin, frozenset(range(players)), "en")
    for _ in range(choices):
        table = table_of(room)
        reports.extend(teller.make_move(move) for move in table.moves[len(twin.moves) :])
        at_turn = None
        for eyes, screen in [*enumerate(guests, 1), *((0, screen) for screen in (host, *doors))]:
            told = screen.ask()
            readers = (eyes - 1,) if eyes else tuple(range(players))
            shown, known = shown_pieces(told), known_pieces(table, readers)
            assert not shown - known, (eyes, shown - known)
            assert told["eyes"] == eyes and "moves" not in told
            assert bool(told["choices"]) == (eyes == table.seat + 1 and not table.is_over)
            for one in told["log"]:
                heard = [reports[one["at"]][seat] for seat in readers]
                others = [report.text for seat, report in zip(readers, heard, strict=True) if seat != one["seat"] - 1]
                assert one["text"] in (others or [heard[0].text]), one
                assert all(set(one["then"]) <= {line.strip() for line in report.then} for report in heard)
            hidden += sum((known_pieces(table, (0,)) - shown).values())
            at_turn = (screen, told) if told["choices"] else at_turn
        if at_turn is None:
            break
        screen, told = at_turn
        screen.move(told, chance.randrange(len(told["choices"])))
    assert table_of(room).is_over or choices < WHOLE
    assert len(room._moves) > 10 and hidden > 20, "the test must see a game with secrets"
    keys = {host.key, *(guest.key for guest in guests)}
    for screen in (*guests, host, *doors):
        wire = "\n".join(screen.got)
        assert not [key for key in keys - {screen.key} if key in wire]
        assert str(room._seed.run) not in wire and str(room._seed.game) not in wire
        assert (room.invitation in wire) == (screen is host)


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("fortuna", 25),
        pytest.param("fortuna", WHOLE, marks=pytest.mark.slow),
        pytest.param("wayfaring", 60, marks=pytest.mark.slow),
    ],
)
def test_nothing_on_the_wire_tells_what_a_seat_can_not_know(name: str, choices: int) -> None:
    """Every answer of a random game, for each seat, the large screen and the door, holds what the rules let it know.

    The pieces shown are those that the seat observes; the log is what the rules tell it; seed, moves and keys of
    others are in no answer.
    """
    players = GAMES[name]
    with served(ROOT, name, seats=NAMES.rsplit(",", 3 - players)[0], ahead=False) as client:
        guests = seated(client, *range(1, players + 1))
        host, door = host_of(client), Guest(client, host_of(client).room.invitation)
        check_wire(choices, guests, host, door)


@pytest.mark.parametrize("name", ["fortuna", pytest.param("wayfaring", marks=pytest.mark.slow)])
def test_a_screens_answer_stays_the_same_however_hidden_pieces_are_mixed(name: str) -> None:
    """What a seat, or the large screen, gets can't depend on what it does not see."""
    gallery, players = Gallery(find_project(ROOT, ROOT), (name,)), GAMES[name]
    room = Room(gallery, name, players)
    room._seed = SEED
    chance, mixed_up = Random(name), 0

    def show(table: Table | None, eyes: int) -> Any:
        def describe(hosted: Any, shelf: Any, party: Any) -> Any:
            real = party.sitting.table
            party.sitting.table = table or real
            readers = (eyes - 1,) if eyes else tuple(range(players))
            answer = describe_table(hosted, shelf, party, Viewer(eyes, readers))
            party.sitting.table = real
            del answer["undo"]  # the room has its own, by the seats that have moved, which a mixed table forgets
            return json.loads(json.dumps(answer | {"moves": 0, "made": 0}))

        return room._tables.use_party(name, room._make_request("en"), describe)

    for _ in range(8):
        table = table_of(room)
        for eyes in range(players + 1):
            real = show(None, eyes)
            for seat in [eyes - 1] if eyes else range(players):
                other = table.copy_as_seen(seat, 1)
                if not (other.is_over or other.list_legal_moves()):
                    continue  # in the middle of a move the seat at turn can not hold these
                mixed_up += other.list_zones() != table.list_zones()
                now = show(other, eyes)
                assert [key for key in real if now[key] != real[key]] == [], (eyes, seat, len(table.moves))
        for _ in range(3):
            if not table.is_over:
                table.apply(chance.choice(table.list_legal_moves()))
        room._moves = list(table.moves)
    assert mixed_up > 10, "the test must mix hidden pieces"


@pytest.mark.slow
def test_the_stream_of_news_tells_only_that_something_has_changed(client: Client) -> None:
    """Faces that one screen asks for would tell the others what it holds."""
    (guest,) = seated(client, 1)
    line = http.client.HTTPConnection("127.0.0.1", client.server.port, timeout=PATIENCE)
    line.request("GET", f"/{guest.key}/events")
    answer = line.getresponse()
    rows = iter(answer.readline, b"")
    assert next(rows) == b"event: hello\n"
    client.server.gallery.feed.send_event("faces", {"id": "fortuna", "faces": []})
    guest.move(guest.ask()) if guest.ask()["choices"] else host_of(client).order("bots", bot="greedy")
    read = [next(rows) for _ in range(4)]
    line.close()
    assert read[2:] == [b"event: room\n", b"data: {}\n"], read


# Playing.


@pytest.mark.slow
def test_a_guest_takes_a_free_seat_and_comes_back_by_its_address(client: Client) -> None:
    host = host_of(client)
    assert [one["taken"] for one in host.ask()["room"]["seats"]] == [False] * 3
    (ben,) = seated(client, 2)
    assert [one["taken"] for one in host.ask()["room"]["seats"]] == [False, True, False]
    assert (ben.ask()["eyes"], ben.ask("setup")["room"]) == (2, 2)
    assert client.get(f"/{ben.key}/")[0].status == 200
    door = Guest(client, host.room.invitation)
    assert door.order("take", seat=2) == door.order("take", seat=9) == {"stale": True}
    host.order("free", seat=2)
    assert client.get(f"/{ben.key}/table/fortuna/at")[0].status == 404
    assert [one["taken"] for one in host.ask()["room"]["seats"]] == [False] * 3


@pytest.mark.slow
def test_bots_play_free_seats_when_the_large_screen_says_so(client: Client) -> None:
    host, (anna,) = host_of(client), seated(client, 1)
    while anna.ask()["choices"]:
        anna.move(anna.ask())
    assert anna.ask()["seat"] != 1, "the game waits at a free seat"
    host.order("bots", bot="greedy")
    told = anna.ask()
    assert told["choices"] and told["seat"] == 1
    made = told["made"]
    host.order("bots", bot="")
    assert anna.ask()["made"] == made
    (ben,) = seated(client, 2)
    host.order("bots", bot="greedy")
    while anna.ask()["choices"]:
        anna.move(anna.ask())
    assert ben.ask()["choices"], "a guest takes over the seat of a bot"


@pytest.mark.slow
def test_undo_asks_all_other_people(client: Client) -> None:
    anna, ben, cleo = seated(client, 1, 2, 3)
    people = {1: anna, 2: ben, 3: cleo}
    told = people[anna.ask()["seat"]].ask()
    asker = people.pop(told["seat"])
    asker.move(told)
    first, second = people.values()
    for answer in ("refuse", "agree"):
        number = asker.ask()["room"]["number"]
        assert first.order("undo", number=number) == {"stale": True}, "who has chosen nothing takes back nothing"
        asker.order("undo", number=number)
        wish = first.ask()["room"]["undo"]
        assert wish == {"seat": told["seat"], "agreed": [told["seat"]]}
        first.order("agree", number=number + 1)
        assert asker.ask()["made"] == told["made"] + 1, "one has not agreed yet"
        second.order(answer, number=number + 2)
        assert asker.ask()["room"]["undo"] is None
    assert asker.ask()["made"] == told["made"]
    assert asker.ask()["choices"] == told["choices"]


@pytest.mark.slow
def test_a_move_ends_the_wish_to_take_back(client: Client) -> None:
    screens = dict(enumerate(seated(client, 1, 2, 3), 1))
    told = screens[screens[1].ask()["seat"]].ask()
    screens[told["seat"]].move(told)
    screens[told["seat"]].order("undo", number=1)
    now = screens[screens[1].ask()["seat"]].ask()
    screens[now["seat"]].move(now)
    assert screens[1].ask()["room"]["undo"] is None


@pytest.mark.slow
def test_another_game_has_another_deal(client: Client) -> None:
    host, before = host_of(client), host_of(client).room._seed
    host.order("again", number=0)
    assert host.room._seed != before and host.ask()["made"] == 0
    assert host.order("again", number=0) == {}
    assert host.ask()["room"]["number"] == 1, "sent twice, carried out once"


def test_the_invitation_is_a_code_for_the_large_screen_alone(client: Client) -> None:
    host, (anna,) = host_of(client), seated(client, 1)
    answer, body = client.get(f"/{host.key}/invitation.svg")
    assert answer.status == 200 and b"<path" in body
    assert client.get(f"/{anna.key}/invitation.svg")[0].status == 404
    assert host.room.guest_url == f"http://127.0.0.1:{client.server.port}/{host.room.invitation}/#fortuna"


@pytest.mark.slow
def test_texts_are_in_the_language_of_each_screen(client: Client) -> None:
    anna, ben = seated(client, 1, 2)
    texts = [anna.ask(lang="ja")["names"], ben.ask(lang="en")["names"]]
    assert texts == [["プレイヤー1", "プレイヤー2", "プレイヤー3"], ["player 1", "player 2", "player 3"]]


# Bad input.


def test_only_the_seat_at_turn_moves_and_only_legally(client: Client) -> None:
    screens = dict(enumerate(seated(client, 1, 2, 3), 1))
    told = screens[screens[1].ask()["seat"]].ask()
    move, number = told["choices"][0]["move"], told["room"]["number"]
    other = screens[told["seat"] % 3 + 1]
    for screen, said in (
        (other, "another seat has to choose now"),
        (host_of(client), "'move' is not for this screen"),
        (Guest(client, host_of(client).room.invitation), "'move' is not for this screen"),
    ):
        assert said in screen.order("move", number=number, move=move)["problems"][0]
    assert "is not a legal move now" in screens[told["seat"]].order("move", number=number, move=2**50)["problems"][0]
    for order in ({"do": "bots", "bot": "greedy"}, {"do": "free", "seat": 1}, {"do": "again", "number": number}):
        assert "is not for this screen" in other.order(**order)["problems"][0]
    assert other.ask()["made"] == 0


@pytest.mark.slow
def test_a_move_sent_twice_is_made_once(client: Client) -> None:
    screens = dict(enumerate(seated(client, 1, 2, 3), 1))
    told = screens[screens[1].ask()["seat"]].ask()
    screen = screens[told["seat"]]
    assert screen.move(told) == screen.move(told) == {}
    assert screen.ask()["made"] == told["made"] + 1
    old = {"do": "move", "number": told["room"]["number"], "move": told["choices"][-1]["move"]}
    assert screen.order(**old) == {"stale": True}
    assert screen.ask()["made"] == told["made"] + 1


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"1", b"\xff", b"[" * 5000, b'{"do": "jump"}', b'{"do": ["move"]}', b'{"do": "move"}',
        b'{"do": "move", "number": 0, "move": "1"}', b'{"do": "move", "number": 0, "move": 1.5}',
        b'{"do": "move", "number": true, "move": 1}', b'{"do": "move", "number": -1, "move": 1}',
        b'{"do": "move", "number": 0, "move": 1e400}', b'{"do": "move", "number": 0, "move": 9007199254740993}',
        b'{"do": "move", "number": 0, "move": 1, "seat": 2}', b'{"do": "bots", "bot": "search:100000"}',
        b'{"do": "bots", "bot": ["greedy"]}', b'{"do": "take", "seat": null}', b'{"do": "_deal_cards"}',
    ],
)  # fmt: skip
def test_a_malformed_order_is_refused(anna: Guest, body: bytes) -> None:
    assert anna.post(body)[0] == 400


def test_orders_of_other_pages_are_refused(anna: Guest) -> None:
    order = json.dumps({"do": "undo", "number": 0}).encode()
    port = anna.client.server.port
    assert anna.post(order)[0] == 200
    for headers in (
        {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Content-Type": "text/plain"},
        {"Host": f"evil.example:{port}", "Origin": f"http://evil.example:{port}"}, {"Sec-Fetch-Site": "cross-site"},
    ):  # fmt: skip
        assert anna.post(order, **headers)[0] == 403, headers
    assert anna.post(b" " * 10_000)[0] == 413, "too large"
    assert anna.post(order, "table/fortuna/at")[0] == 405


@pytest.mark.parametrize("name", ["127.0.0.1", "192.168.17.4", "localhost"])
def test_a_room_answers_to_addresses_in_numbers(calm: Client, name: str) -> None:
    key = host_of(calm).key
    assert calm.get(f"/{key}/", Host=f"{name}:{calm.server.port}")[0].status == 200


@pytest.mark.parametrize(
    "name", ["evil.example:{}", "1.2.3.4.evil.example:{}", "1.2.3:{}", "192.168.17.4", "1.2.3.4:1"]
)
def test_a_room_refuses_other_names(calm: Client, name: str) -> None:
    key = host_of(calm).key
    assert calm.get(f"/{key}/", Host=name.format(calm.server.port))[0].status == 403


def test_without_a_key_there_is_nothing(calm: Client) -> None:
    key = host_of(calm).key
    for target in ("/", "/play.html", "/games.json", "/events", "/table/fortuna/at", "//", f"/{key[:-1]}/", f"/{key}",
                   f"/{key}x/table/fortuna/at", f"/{key.swapcase()}/"):  # fmt: skip
        assert calm.get(target)[0].status == 404, target


@pytest.mark.slow
def test_a_room_has_no_other_doors(client: Client) -> None:
    """No table of one's own, on which a deal could be tried out, no other game, no work for the machine."""
    key = seated(client, 1)[0].key
    for target in ("table/fortuna/save", "table/fortuna/hint", "table/fortuna/resume", "table/xanadu/at", "games.json",
                   "findings/fortuna", "sheets/fortuna/en", "pdf/fortuna/sheets/en.pdf", "game/fortuna"):  # fmt: skip
        assert client.get(f"/{key}/{target}")[0].status == 404, target
    seeded = f"/{key}/table/fortuna/at?lang=en&seed=1/3&moves=0&players=4&eyes=2&people=1"
    assert json.loads(client.get(seeded)[1]) == json.loads(client.get(f"/{key}/table/fortuna/at?lang=en")[1])


@pytest.mark.slow
def test_too_many_requests_are_refused_and_others_go_on(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = seated(client, 1, 2)
    monkeypatch.setattr("generator.live.room.RATE", 0.01)  # however slow this machine is
    anna.ask()
    statuses = Counter(client.get(f"/{anna.key}/table/fortuna/setup")[0].status for _ in range(int(BURST) + 20))
    assert statuses == {200: BURST - 1, 429: 21}
    assert client.get(f"/{ben.key}/table/fortuna/at")[0].status == 200


def status_from(client: Client, peer: str, target: str) -> int:
    """The status that a computer of this address gets."""
    line = http.client.HTTPConnection("127.0.0.1", client.server.port, PATIENCE, (peer, 0))
    line.request("GET", target)
    answer = line.getresponse()
    answer.read()
    line.close()
    return answer.status


@pytest.mark.slow
def test_a_stranger_who_floods_the_door_locks_out_no_other(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Guests without a seat have one key: their addresses tell them apart."""
    monkeypatch.setattr("generator.live.room.RATE", 0.01)
    door = f"/{host_of(client).room.invitation}/table/fortuna/setup"
    statuses = Counter(status_from(client, "127.0.0.2", door) for _ in range(int(BURST) + 3))
    assert statuses == {200: BURST, 429: 3}
    assert status_from(client, "127.0.0.3", door) == 200


def test_guests_who_rest_are_forgotten() -> None:
    room = Room(Gallery(find_project(ROOT, ROOT), ("fortuna",)), "fortuna")
    room._rates = {f"10.0.0.{at}": (0.0, -1e9) for at in range(200)}
    assert room.is_allowed("anna") and list(room._rates) == ["anna"]


def test_one_guest_can_not_take_all_streams_of_news(client: Client) -> None:
    anna, ben = seated(client, 1, 2)
    lines = [opened(client, f"/{anna.key}/events") for _ in range(STREAMS_EACH)]
    assert all(line.recv(15) == b"HTTP/1.1 200 OK" for line in lines)
    full, other = (opened(client, f"/{guest.key}/events") for guest in (anna, ben))
    assert (full.recv(12), other.recv(12)) == (b"HTTP/1.1 503", b"HTTP/1.1 200")
    for line in (*lines, full, other):
        line.close()


def test_one_computer_can_not_take_all_lines(client: Client) -> None:
    lines = [opened(client) for _ in range(LINES_EACH)]
    expect_soon(lambda: client.server._lines._held["127.0.0.1"] == LINES_EACH)
    full = opened(client)
    assert full.recv(12) == b"HTTP/1.1 503"
    assert status_from(client, "127.0.0.2", f"/{host_of(client).key}/") == 200
    for line in (*lines, full):
        line.close()


@pytest.mark.slow
def test_all_screens_are_answered_while_a_bot_thinks(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its move counts only if the game is still where it began to think."""
    host, (anna,) = host_of(client), seated(client, 1)
    while anna.ask()["choices"]:
        anna.move(anna.ask())
    begun, enough, play = threading.Semaphore(0), threading.Event(), Party.play_bots

    def think(party: Party, most: int | None) -> None:
        begun.release()
        assert enough.wait(PATIENCE)
        play(party, most)

    monkeypatch.setattr(Party, "play_bots", think)
    made = anna.ask()["made"]
    host.post(b'{"do": "bots", "bot": "greedy"}')
    assert begun.acquire(timeout=PATIENCE)
    told = anna.ask()
    assert (told["made"], told["room"]["bot"], told["choices"]) == (made, "greedy", [])
    host.post(json.dumps({"do": "again", "number": told["room"]["number"]}).encode())
    assert host.ask()["made"] == 0
    enough.set()
    expect_soon(lambda: not host.room._is_thinking)
    first = host.ask()["log"][:1]
    assert anna.ask()["choices"] and (not first or first[0]["at"] == 0)
    assert host.room._moves == list(table_of(host.room).moves), "all moves are of the new deal"


def test_a_bot_stops_thinking_when_its_position_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules are asked no further for a move that can't be made."""
    room, gone = Room(Gallery(find_project(ROOT, ROOT), ("fortuna",)), "fortuna"), list[bool]()

    def watch(party: Party, _most: int | None) -> None:
        gone.append(party.patience.gone())
        room._deal_cards()
        gone.append(party.patience.gone())

    monkeypatch.setattr(Party, "play_bots", watch)
    room._is_thinking = room._let_bots_move()
    assert gone == [False, True] and room._is_thinking, "it begins again"


def test_a_room_may_have_a_name_of_its_computer() -> None:
    """`127.1` stands for any name that leads to this computer: no test can add one."""
    gallery = Gallery(find_project(ROOT, ROOT), ("fortuna",))
    room = Room(gallery, "fortuna")
    with PageServer(gallery, 0, room=room, host="127.1") as server:
        assert room.host_url.startswith(f"http://127.1:{server.port}/")
        assert server.is_own_name(f"127.1:{server.port}") and server.is_own_name(f"127.0.0.1:{server.port}")
        assert not server.is_own_name("127.1:1") and not server.is_own_name(f"127.2:{server.port}")
    with PageServer(gallery, 0) as server:
        assert not server.is_own_name(f"127.1:{server.port}"), "without a room there is no other name"


def test_a_key_may_ask_steadily() -> None:
    """The bound counts by the clock: after a burst each key has the rate, and no more."""
    room = Room(Gallery(find_project(ROOT, ROOT), ("fortuna",)), "fortuna")
    allowed = sum(room.is_allowed("anna") for _ in range(1000))
    assert BURST <= allowed < 2 * BURST
    assert room.is_allowed(room.host_key) and room.is_allowed(room.invitation)


def test_what_is_refused_does_not_lengthen_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    room, clock = Room(Gallery(find_project(ROOT, ROOT), ("fortuna",)), "fortuna"), [0.0]
    monkeypatch.setattr("generator.live.room.monotonic", lambda: clock[0])
    assert sum(room.is_allowed("anna") for _ in range(1000)) == BURST
    clock[0] = 10 / RATE
    assert sum(room.is_allowed("anna") for _ in range(1000)) == 10


@pytest.mark.parametrize(
    ("players", "seats", "said"),
    [
        (9, None, "fortuna is a game for 3 to 4 players, not for 9"),
        (3, "A,B,C,D", "--seats names 4 seats, --players 3"),
        (None, "A,A,B", "one name twice"),
        (None, "A,,B", "'' is no name for a seat"),
        (None, f"A,B,{'C' * 25}", "is no name for a seat"),
        (None, "A,B,C\x1b[2J", "is no name for a seat"),
    ],
)
def test_a_room_that_can_not_be_is_explained(players: int | None, seats: str | None, said: str) -> None:
    gallery = Gallery(find_project(ROOT, ROOT), ("fortuna",))
    with pytest.raises(ProblemsFound, match=re.escape(said)):
        Room(gallery, "fortuna", players, seats)


def test_only_the_local_network_is_answered(calm: Client) -> None:
    verify = calm.server.verify_request
    assert verify(None, ("192.168.1.7", 5000)) and verify(None, ("10.1.2.3", 5000)) and verify(None, ("127.0.0.1", 1))
    assert not verify(None, ("8.8.8.8", 5000))


@pytest.mark.slow
def test_what_stops_bots_is_shown(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that takes too long is told on all screens, and the large screen can choose another."""
    host, (anna,) = host_of(client), seated(client, 1)
    while anna.ask()["choices"]:
        anna.move(anna.ask())
    monkeypatch.setattr("generator.live.table_request.MOST_TRIES", 10)
    host.order("bots", bot="search:200")
    assert "takes too long" in anna.ask()["room"]["trouble"][0]
    monkeypatch.undo()
    host.order("bots", bot="greedy")
    assert anna.ask()["room"]["trouble"] == [] and anna.ask()["choices"]


def test_whom_the_game_waits_for_tells_nothing() -> None:
    """All see who has to choose: rules that would skip a seat that can't answer ask each seat, as at one screen."""
    room = Room(Gallery(find_project(ROOT, ROOT), ("wayfaring",)), "wayfaring")
    assert room._options == {"ask_everyone": True}


@pytest.mark.slow
def test_the_next_guest_of_a_seat_is_asked_anew(client: Client) -> None:
    anna, ben, cleo = seated(client, 1, 2, 3)
    told = anna.ask()
    anna.move(told)
    anna.order("undo", number=1)
    ben.order("agree", number=2)
    host_of(client).order("free", seat=2)
    (other,) = seated(client, 2)
    cleo.order("agree", number=3)
    assert other.ask()["room"]["undo"] == {"seat": 1, "agreed": [1, 3]}
    host_of(client).order("free", seat=2)
    assert anna.ask()["choices"] == told["choices"], "all who are left have agreed"


@pytest.mark.slow
def test_a_guest_who_plays_alone_takes_back_without_asking(client: Client) -> None:
    host, (anna,) = host_of(client), seated(client, 1)
    host.order("bots", bot="greedy")
    told = anna.ask()
    anna.move(told)
    assert anna.ask()["made"] > told["made"] + 1
    anna.order("undo", number=anna.ask()["room"]["number"])
    assert anna.ask()["choices"] == told["choices"]


def test_a_room_listens_in_the_network_and_names_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    gallery = Gallery(find_project(ROOT, ROOT), ("fortuna",))
    monkeypatch.setattr("generator.live.serve.find_local_address", lambda: "192.168.17.4")
    for host, said in ((ANY, "192.168.17.4"), ("127.0.0.1", "127.0.0.1")):
        room = Room(gallery, "fortuna")
        with PageServer(gallery, 0, room=room, host=host) as server:
            assert server.socket.getsockname()[0] == host
            assert room.host_url.startswith(f"http://{said}:{server.port}/{room.host_key}/")
            assert server.url == room.host_url


def test_an_address_that_is_not_ours_is_explained() -> None:
    gallery = Gallery(find_project(ROOT, ROOT), ("fortuna",))
    room = Room(gallery, "fortuna")
    with pytest.raises(ProblemsFound, match=r"this computer has no address 192\.0\.2\.1: .*; leave out --host"):
        PageServer(gallery, 0, room=room, host="192.0.2.1")


def test_the_terminal_shows_the_code_of_the_invitation() -> None:
    """Each sign stands for two modules, light ones drawn, with a margin of two."""
    modules = list_qr_modules("http://192.168.17.4:8013/key/#fortuna")
    lines = draw_in_terminal(modules).splitlines()
    light = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
    rows = [[bool(light[sign][half]) for sign in line] for line in lines for half in (0, 1)]
    inner = [row[2:-2] for row in rows[2 : 2 + len(modules)]]
    assert inner == modules
    assert not any(any(row) for row in (*rows[:2], *rows[2 + len(modules) : 4 + len(modules)]))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--players", "3", "--seats", "A,B,C"], "--players and --seats: only with --table"),
        (["--host", ANY], "--host: only with --table"),
        (["--table", "fortuna", "--edit"], "leave out --edit and other games"),
        (["xanadu", "--table", "fortuna"], "leave out --edit and other games"),
        (["--table", "fortuna", "--players", "0"], "0 is not in the range"),
        (["--table", "fortnua"], "unknown game 'fortnua'; did you mean 'fortuna'?"),
    ],
)
def test_options_that_fit_no_room_are_explained(pnp: Any, options: list[str], said: str) -> None:
    ran = pnp("serve", "--port", "0", *options)
    assert ran.code in (1, 2)
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_an_order_that_no_page_sends_is_explained() -> None:
    room = Room(Gallery(find_project(ROOT, ROOT), ("fortuna",)), "fortuna")
    with pytest.raises(ProblemsFound, match="'take' is not for this screen"):
        room.carry_out(room.host_key, RoomOrder("take", seat=2))


def test_an_order_that_comes_late_does_not_act_for_the_next_guest() -> None:
    """The seat was freed and taken again while the order was under way."""
    room = Room(Gallery(find_project(ROOT, ROOT), ("fortuna",)), "fortuna")
    gone = room.carry_out(room.invitation, RoomOrder("take", seat=1))["key"]
    room.carry_out(room.host_key, RoomOrder("free", seat=1))
    room.carry_out(room.invitation, RoomOrder("take", seat=1))
    for ask in (lambda: room.carry_out(gone, RoomOrder("undo", 0)), lambda: room.answer(gone, "fortuna", "at", {})):
        with pytest.raises(ProblemsFound, match="this seat is no longer yours"):
            ask()


@pytest.mark.slow
def test_an_undo_that_freeing_a_seat_settles_is_a_change_of_the_game() -> None:
    """A page that has not seen it yet can't move; to refuse what nobody asked is none."""
    room = Room(Gallery(find_project(ROOT, ROOT), ("fortuna",)), "fortuna")
    keys = [room.carry_out(room.invitation, RoomOrder("take", seat=seat))["key"] for seat in (1, 2)]
    seen = room.answer(keys[0], "fortuna", "at", {})
    assert seen is not None
    room.carry_out(keys[0], RoomOrder("move", 0, seen["choices"][0]["move"]))
    assert room.carry_out(keys[1], RoomOrder("refuse", 1)) == {"stale": True}
    room.carry_out(keys[0], RoomOrder("undo", 1))
    room.carry_out(room.host_key, RoomOrder("free", seat=2))
    assert room._moves == []
    assert room.carry_out(keys[0], RoomOrder("move", 2, seen["choices"][0]["move"])) == {"stale": True}
