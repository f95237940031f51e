"""The course of play of wayfaring: set-up, whose turn it is, what a turn allows, passing, fainting and winning."""

from collections.abc import Collection, Sequence
from typing import Generic, NamedTuple, TypeVar

from generator.games.wayfaring.facts import Facts, Switches

Character = TypeVar("Character")


class Deal(NamedTuple):
    """Where the cards of the box are once set-up is done: so many in each place."""

    hands: int
    deck: int
    display: int
    characters: int


class Reveal(NamedTuple, Generic[Character]):
    """What turning up characters at set-up leads to: those on display, those set aside, and how many were turned up."""

    display: tuple[Character, ...]
    aside: tuple[Character, ...]
    turned_up: int


class Seat(NamedTuple):
    """A player as winning and fainting see them."""

    hand: int
    memories: int
    need: int
    active: bool = True


class Settled(NamedTuple):
    """Who faints, in order, and who wins, once nothing is pending."""

    fainted: tuple[int, ...]
    winners: tuple[int, ...]


def deal(players: int, deck: int, characters: int, facts: Facts) -> Deal:
    """How set-up deals a deck and so many characters to a number of players."""
    hands = players * facts.hand
    return Deal(hands, deck - hands, facts.display, characters - facts.display)


def first_display(order: Sequence[Character], advanced: Collection[Character], facts: Facts) -> Reveal[Character]:
    """The display from a character deck, top first: advanced characters are set aside, to be shuffled back."""
    display: list[Character] = []
    aside: list[Character] = []
    for character in order:
        if len(display) == facts.display:
            break
        (aside if character in advanced else display).append(character)
    return Reveal(tuple(display), tuple(aside), len(display) + len(aside))


def appearing(on_display: int, left: int, facts: Facts) -> int:
    """How many characters appear in the End phase: up to the number stated, as far as their deck lasts."""
    return min(max(facts.refill - on_display, 0), left)


def drawn(turn: int, facts: Facts) -> int:
    """The cards of the Draw phase; the first turn of the game, number 1, has none."""
    return 0 if turn == 1 else facts.draw


def phases(turn: int, facts: Facts, *, skip_main_2: bool = False) -> tuple[str, ...]:
    """The phases of a turn, the first of the game being number 1."""
    left_out = ({"draw"} if turn == 1 else set()) | ({"main_2"} if skip_main_2 else set())
    return tuple(phase for phase in facts.phases if phase not in left_out)


def next_seat(seat: int, active: Sequence[bool]) -> int:
    """Whose turn comes after that of a seat: the next to the left who is still in the game."""
    return clockwise(seat, active)[0]


def clockwise(seat: int, active: Sequence[bool]) -> tuple[int, ...]:
    """The active seats from the left of a seat around to itself."""
    around = [(seat + step) % len(active) for step in range(1, len(active) + 1)]
    return tuple(other for other in around if active[other])


def asked(declarer: int, turn_player: int, active: Sequence[bool], switches: Switches) -> tuple[int, ...]:
    """In which order players are asked for an intervention to what someone declared (E19b)."""
    if switches.intervention_order == "turn_player_first":
        before = (turn_player - 1) % len(active)
        return clockwise(before, active)
    return clockwise(declarer, active)


def trouble_targets(
    lengths: Sequence[int],
    turn_player: int,
    active: Sequence[bool],
    placed: Sequence[int],
    facts: Facts,
    switches: Switches,
) -> tuple[int, ...]:
    """The seats on whose path the turn player may place a trouble.

    `lengths` are the cards on each path, face up or not; `placed` the troubles that were placed on it this turn.
    """
    limit = facts.per_turn["trouble"]
    if switches.trouble_limit == "total" and sum(placed) >= limit:
        return ()
    others = (seat for seat in range(len(active)) if seat != turn_player and active[seat] and lengths[seat])
    return tuple(seat for seat in others if switches.trouble_limit == "total" or placed[seat] < limit)


def passed(marks: int, facts: Facts, switches: Switches, *, forced: bool = False) -> int | None:
    """The pass markers after a pass; None when it was one too many and the player faints."""
    if forced and not switches.forced_pass_counts:
        return marks
    return marks + 1 if marks < facts.passes else None


def marked(marks: int, change: int, facts: Facts) -> int:
    """The pass markers after an effect: never fewer than none nor more than allowed, so nobody faints by it."""
    return min(max(marks + change, 0), facts.passes)


def can_draw(deck: int, discards: int, reshuffled: int, facts: Facts, switches: Switches) -> bool:
    """Whether a card can be drawn: from the deck, or from discards that may still be shuffled this turn."""
    if deck:
        return True
    return switches.deck_out == "reshuffle" and discards > 0 and reshuffled < facts.reshuffles


def settle(seats: Sequence[Seat], turn_player: int, switches: Switches) -> Settled:
    """What happens when nothing is pending: empty hands faint together, then somebody may have won.

    Where fainting is a rest (E54), nobody drops out by it, and only memories win.
    """
    order = _from(turn_player, len(seats))
    playing = [seat for seat in order if seats[seat].active]
    fainted = tuple(seat for seat in playing if seats[seat].hand == 0)
    if switches.fainting == "eliminate":
        left = [seat for seat in playing if seat not in fainted]
        if not left:
            return Settled(fainted, most_memories(seats, fainted))
        if len(left) == 1:
            return Settled(fainted, (left[0],))
    else:
        left = playing
    done = [seat for seat in left if seats[seat].hand and seats[seat].memories >= seats[seat].need]
    return Settled(fainted, tuple(done[:1]))


def most_memories(seats: Sequence[Seat], among: Sequence[int]) -> tuple[int, ...]:
    """Those of some seats who have most memories; equals share the victory."""
    best = max((seats[seat].memories for seat in among), default=0)
    return tuple(sorted(seat for seat in among if seats[seat].memories == best))


def leaders_at_cap(seats: Sequence[Seat]) -> tuple[int, ...]:
    """Who has won when a game was stopped: most memories, then most cards in hand; equals share the victory."""
    playing = [seat for seat, player in enumerate(seats) if player.active]
    merit = {seat: (seats[seat].memories, seats[seat].hand) for seat in playing}
    return tuple(seat for seat in playing if merit[seat] == max(merit.values()))


def _from(first: int, seats: int) -> list[int]:
    return [(first + step) % seats for step in range(seats)]
