"""A room: one game on several screens. The server holds seed and moves; each key opens one view of them."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock, Thread
from time import monotonic
from typing import Any

from generator.base.errors import Problem, ProblemsFound
from generator.live.gallery import Gallery
from generator.live.table_answers import PartyCache, PlayableGame, PlayRoom, Viewer, describe_table
from generator.live.table_request import LARGEST_MOVE, Party, Query, TableRequest
from generator.play.play_setup import Seating
from generator.rules.engine.table import Seed

HOST, GUEST = 0, -1
"""Whose key it is if it opens no seat (from 1): the large screen's, or the invitation's."""

BOTS = ("", "greedy", "look-ahead", "search:200")
"""Bots that may play free seats; without one the game waits there."""

LONGEST_NAME = 24
"""Maximum length of a seat's name (characters)."""

RATE, BURST = 20.0, 60.0
"""Requests per second that a guest may make, and how many at once: more than a page makes."""

MOST_COUNTED = 100
"""Guests whose requests are counted before those who have rested are forgotten."""

_FIELDS: Mapping[str, tuple[str, ...]] = {
    "move": ("number", "move"), "undo": ("number",), "agree": ("number",), "refuse": ("number",),
    "again": ("number",), "take": ("seat",), "free": ("seat",), "bots": ("bot",),
}  # fmt: skip
_ALLOWED = {"take": (GUEST,), "again": (HOST,), "free": (HOST,), "bots": (HOST,)}
_STALE = {"stale": True}


@dataclass(frozen=True, slots=True)
class RoomOrder:
    """What a page asks the room to `do`, such as a move. `number` is that of changes that the page has seen."""

    do: str
    number: int = -1
    move: int = -1
    seat: int = 0
    bot: str = ""


def read_room_order(order: Any) -> RoomOrder | None:
    """Return the request in a page's data, or None if it is not valid."""
    if not isinstance(order, dict) or not isinstance(order.get("do"), str):
        return None
    fields = _FIELDS.get(order["do"])
    if fields is None or order.keys() != {"do", *fields}:
        return None
    counts = [order[name] for name in fields if name != "bot"]
    good = all(type(count) is int and 0 <= count <= LARGEST_MOVE for count in counts)
    return RoomOrder(**order) if good and order.get("bot", "") in BOTS else None


@dataclass(slots=True)
class UndoRequest:
    """A seat's request to go back to a number of moves, and the seats that agree."""

    seat: int
    moves: int
    agreed: set[int] = field(default_factory=set)


class Room:
    """A game whose screens each show what one seat may know. `seats`: names between commas. Raises ProblemsFound."""

    has_threads = True  # without them `play_bots` must be called again and again

    def __init__(self, gallery: Gallery, game: str, players: int | None = None, seats: str | None = None):
        self.game, self._feed, self._tables = game, gallery.feed, PlayRoom(gallery.lend_game)
        self._bots_tables = PlayRoom(gallery.lend_game)  # bots think long there, and screens find theirs in the cache
        self.host_key, self.invitation = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
        self.address = ""  # of the server, once it has one
        self._lock, self._rates_lock = Lock(), Lock()
        self._rates: dict[str, tuple[float, float]] = {}
        self._number, self._bot, self._is_thinking = 0, "", False
        self._done: dict[int, RoomOrder] = {}
        self._deal_cards()
        names = [name.strip() for name in seats.split(",")] if seats else []
        problems = _check_names(names, players)
        if problems:
            raise ProblemsFound(problems)
        seating = Seating(players or len(names) or None, seed=self._seed)
        number, self._options = self._tables.use_party(game, TableRequest(seating, (), ""), _read_box)
        self._names = [*names, *[""] * (number - len(names))]
        self._keys = [""] * number  # empty while a seat is free

    def _deal_cards(self) -> None:
        """Begin a new game, with a secret seed: who knew the seed would know all cards."""
        self._seed = Seed(secrets.randbits(32), secrets.randbits(32))
        self._moves: list[int] = []
        self._wish: UndoRequest | None = None
        self._trouble: list[str] = []

    @property
    def host_url(self) -> str:
        """Return the address of the large screen's page."""
        return f"{self.address}{self.host_key}/#{self.game}"

    @property
    def guest_url(self) -> str:
        """Return the address that invites guests."""
        return f"{self.address}{self.invitation}/#{self.game}"

    def find_viewer(self, key: str) -> int | None:
        """Return the seat (from 1) that a key opens, HOST or GUEST, or None for an unknown key."""
        keys = {self.host_key: HOST, self.invitation: GUEST}
        return {**keys, **{self._keys[seat - 1]: seat for seat in self._list_taken()}}.get(key)

    def _list_taken(self) -> tuple[int, ...]:
        return tuple(seat for seat, key in enumerate(self._keys, 1) if key)

    def name_guest(self, key: str, peer: str) -> str:
        """Return what tells a guest from others: the key of a seat or the large screen, without one the address."""
        return peer if key == self.invitation else key

    def is_allowed(self, guest: str) -> bool:
        """Count a guest's request. Return False if there are more of them than a page makes."""
        with self._rates_lock:
            now = monotonic()
            if len(self._rates) > MOST_COUNTED:
                self._rates = {one: rate for one, rate in self._rates.items() if now - rate[1] < BURST / RATE}
            left, since = self._rates.get(guest, (BURST, now))
            left = min(BURST, left + (now - since) * RATE)
            self._rates[guest] = (left - 1 if left >= 1 else left, now)  # what is refused costs nothing
            return left >= 1

    def answer(self, key: str, name: str, question: str, query: Query) -> dict[str, Any] | None:
        """Answer `setup` or `at` (the table now) for a screen's key. Return None for another game or question."""
        if name != self.game:
            return None
        if question == "setup":
            setup = self._tables.answer(name, question, query)
            return {**setup, "room": self._find_eyes(key)} if setup else None
        return self._show_table(key, query.get("lang", [""])[0]) if question == "at" else None

    def _find_eyes(self, key: str) -> int:
        """Return who has a key now: a seat (from 1), HOST or GUEST. Raise ProblemsFound if its seat has been freed."""
        eyes = self.find_viewer(key)
        if eyes is None:
            raise ProblemsFound([Problem(None, "this seat is no longer yours", "open the invitation again")])
        return eyes

    def _show_table(self, key: str, lang: str) -> dict[str, Any]:
        def describe_party(hosted: PlayableGame, shelf: PartyCache, party: Party) -> dict[str, Any]:
            readers = (eyes - 1,) if eyes > 0 else tuple(range(len(self._keys)))
            answer = describe_table(hosted, shelf, party, Viewer(max(eyes, 0), readers))
            del answer["moves"]  # others' moves may be secret
            return answer | {"undo": _find_last_choice(party, eyes)}

        with self._lock:
            eyes = self._find_eyes(key)
            table = self._tables.use_party(self.game, self._make_request(lang), describe_party)
            return {**table, "room": self._describe_room(eyes)}

    def _describe_room(self, eyes: int) -> dict[str, Any]:
        wish = self._wish
        return {
            "eyes": eyes, "number": self._number, "bot": self._bot, "trouble": self._trouble,
            "seats": [{"name": name, "taken": bool(key)} for name, key in zip(self._names, self._keys, strict=True)],
            "undo": {"seat": wish.seat, "agreed": sorted(wish.agreed)} if wish else None,
            "link": self.guest_url if eyes == HOST else "",
        }  # fmt: skip

    def _make_request(self, lang: str = "") -> TableRequest:
        every = tuple(range(1, len(self._keys) + 1))
        people = (self._list_taken() if self._bot else ()) or every
        seating = Seating(len(every), people, self._bot or BOTS[1], self._seed, self._options)
        return TableRequest(seating, tuple(self._moves), lang, for_all_seats=True)

    def carry_out(self, key: str, order: RoomOrder) -> dict[str, Any]:
        """Carry out an order and tell all screens. An order that is sent twice is carried out once.

        Return `stale` if the page that sent it did not know the latest change. Raise ProblemsFound for an order that
        no page sends.
        """
        with self._lock:
            eyes = self._find_eyes(key)
            if (eyes not in _ALLOWED[order.do]) if order.do in _ALLOWED else eyes <= 0:
                problem = Problem(None, f"'{order.do}' is not for this screen", "use the page of your own seat")
                raise ProblemsFound([problem])
            if "number" in _FIELDS[order.do]:
                if order == self._done.get(eyes):
                    return {}
                if order.number != self._number:
                    return _STALE
            before = list(self._moves)
            answer = _WORK[order.do](self, eyes, order) or {}
            if answer is not _STALE:
                self._done[eyes], self._trouble = order, []
                self._number += "number" in _FIELDS[order.do] or self._moves != before
                if self._bot and not self._is_thinking:
                    self._is_thinking = True
                    if self.has_threads:
                        Thread(target=self.play_bots, name="bots", daemon=True).start()
        self._feed.send_event("room", {})
        return answer

    def _move(self, eyes: int, order: RoomOrder) -> None:
        def check_move(_hosted: PlayableGame, _shelf: PartyCache, party: Party) -> None:
            if not (party.sitting.is_waiting and party.table.seat == eyes - 1):
                raise ProblemsFound([Problem(None, "another seat has to choose now", "wait for your turn")])
            if order.move not in party.table.list_legal_moves():
                raise ProblemsFound([Problem(None, f"{order.move} is not a legal move now", "choose one of the page")])

        self._tables.use_party(self.game, self._make_request(), check_move)
        self._moves.append(order.move)
        self._wish = None

    def _undo(self, eyes: int, _order: RoomOrder) -> dict[str, Any] | None:
        last = self._tables.use_party(
            self.game, self._make_request(), lambda _hosted, _shelf, party: _find_last_choice(party, eyes)
        )
        if last < 0 or self._wish is not None:
            return _STALE
        self._wish = UndoRequest(eyes, last, {eyes})
        self._settle_undo()
        return None

    def _answer_wish(self, eyes: int, order: RoomOrder) -> dict[str, Any] | None:
        if self._wish is None:
            return _STALE
        self._wish.agreed.add(eyes)
        self._wish = None if order.do == "refuse" else self._wish
        self._settle_undo()
        return None

    def _settle_undo(self) -> None:
        """Go back if all people agree."""
        wish = self._wish
        if wish is not None and wish.agreed.issuperset(self._list_taken()):
            del self._moves[wish.moves :]
            self._wish = None

    def _take(self, _eyes: int, order: RoomOrder) -> dict[str, Any]:
        if not 1 <= order.seat <= len(self._keys) or self._keys[order.seat - 1]:
            return _STALE
        key = self._keys[order.seat - 1] = secrets.token_urlsafe(16)
        return {"key": key}

    def _free(self, _eyes: int, order: RoomOrder) -> dict[str, Any] | None:
        if order.seat not in self._list_taken():
            return _STALE
        self._keys[order.seat - 1] = ""
        if self._wish is not None:
            self._wish.agreed.discard(order.seat)  # the next guest is asked anew
            if self._wish.seat == order.seat:
                self._wish = None
        self._settle_undo()
        return None

    def _bots(self, _eyes: int, order: RoomOrder) -> None:
        self._bot = order.bot

    def play_bots(self) -> bool:
        """Let bots play free seats until a person must choose (without threads, a step). Return True if they go on."""
        try:
            while (more := self._is_thinking and self._let_bots_move()) and self.has_threads:
                pass
        except Exception:
            self._is_thinking = False  # the next order tries again
            raise
        return more

    def _let_bots_move(self) -> bool:
        """Let bots think; then make their moves if the game is still the same. Return True if they go on."""

        def choose_moves(_hosted: PlayableGame, _shelf: PartyCache, party: Party) -> tuple[list[int], bool]:
            party.play_bots(None)
            return list(party.table.moves), party.is_bots_turn

        with self._lock:
            request = self._make_request()
        moves, more, trouble = list(request.moves), False, list[str]()
        try:
            moves, more = self._bots_tables.use_party(
                self.game, request, choose_moves, lambda: self._make_request() != request
            )
        except ProblemsFound as found:
            trouble = [str(problem) for problem in found.problems]
        with self._lock:
            if self._make_request() != request:
                return True
            self._number += moves != self._moves
            self._moves, self._trouble, self._is_thinking = moves, trouble, more
        self._feed.send_event("room", {})
        return more


_WORK: Mapping[str, Callable[[Room, int, RoomOrder], dict[str, Any] | None]] = {
    "move": Room._move, "undo": Room._undo, "agree": Room._answer_wish, "refuse": Room._answer_wish,
    "again": lambda room, _eyes, _order: room._deal_cards(), "take": Room._take, "free": Room._free,
    "bots": Room._bots,
}  # fmt: skip


def _read_box(hosted: PlayableGame, _shelf: PartyCache, party: Party) -> tuple[int, Mapping[str, Any]]:
    """Return the number of players, and the options for open play if there are several ({} for one player)."""
    players = party.table.box.players
    return players, dict(hosted.rules.shared) if players > 1 else {}


def _find_last_choice(party: Party, eyes: int) -> int:
    """Return the index of the last move by seat `eyes` (from 1), or -1 if it made none."""
    return max((at for at, seat in enumerate(party.table.seats) if seat == eyes - 1), default=-1)


def _check_names(names: Sequence[str], players: int | None) -> list[Problem]:
    problems = []
    if players is not None and len(names) > players:
        problems.append(Problem(None, f"--seats names {len(names)} seats, --players {players}", "leave out names"))
    if len(set(names)) < len(names):
        problems.append(Problem(None, "--seats has one name twice", "give each seat its own name"))
    for name in names:
        if not (name and name.isprintable() and len(name) <= LONGEST_NAME):
            what = f"'{name}' is no name for a seat"
            problems.append(Problem(None, what, f"write names of 1 to {LONGEST_NAME} characters, as --seats Anna,Ben"))
    return problems
