"""The course of draft 8 as kernels: the deal, turns, playing a card next to the last one, carrying out a move."""

from generator.games.engine.kernel import Record, chances, kernel, shuffle
from generator.games.journey8.effects import take
from generator.games.journey8.events import begin_scoring, decline, keep, run_events, start_event
from generator.games.journey8.moves import PER_COLOUR, Chance, Move, Phase, Side
from generator.games.journey8.pieces import (
    draw_card,
    gain,
    give,
    give_forced,
    lay_out,
    leave_hand,
    put_in_hand,
    start_giving,
    turn_over,
)


@kernel
def set_up(s: Record, f: Record) -> None:
    """Deals a new game and begins its first turn."""
    deal(s, f)
    begin_turn(s, f)


@kernel
def deal(s: Record, f: Record) -> None:
    """Shuffles all cards, lays some aside, deals hands, counters and the first story card."""
    for card in range(f.cards):
        s.deck[card] = card
    shuffle(chances(s.rng, Chance.DECK), s.deck, 0, f.cards)
    for i in range(f.removed):
        s.removed[i] = draw_card(s)
    s.aside = f.removed
    s.supply = f.counters
    for seat in range(s.players):
        gain(s, f, seat, Side.SONE, f.sone)
    for _ in range(f.hand):
        for seat in range(s.players):
            put_in_hand(s, f, seat, draw_card(s))
    for _ in range(f.story):
        lay_out(s, draw_card(s))
    s.given_out = f.counters - s.supply
    s.first = (f.cards - s.top + f.draw - 1) // f.draw


@kernel
def begin_turn(s: Record, f: Record) -> None:
    """The player whose turn it is draws."""
    s.plays = 0
    s.first_key = 0
    s.seat = s.current
    if s.top == f.cards:
        s.dry = 1
    for _ in range(f.draw):
        if s.top < f.cards:
            put_in_hand(s, f, s.current, draw_card(s))
    s.phase = Phase.TURN


@kernel
def end_turn(s: Record, f: Record) -> None:
    """Ends the game when the deck is gone or keys enough lie there; else it is the next player's turn."""
    s.turn += 1
    if s.top == f.cards or 0 < f.key_end <= s.keys_laid:
        begin_scoring(s, f)
    else:
        s.current += 1
        if s.current == s.players:
            s.current = 0
        begin_turn(s, f)


@kernel
def play_card(s: Record, f: Record, card: int) -> None:
    """Lays a card at the story's right end and goes on until a choice is due: a declaration, a recipient, a turn."""
    lay_out(s, card)
    s.plays += 1
    s.card = card
    if s.laid == 1:
        after_play(s, f, 0)
    elif f.joker[card]:
        s.phase = Phase.DECLARE
    else:
        s.new_colour = f.colour[card]
        s.new_number = f.number[card]
        face_left(s, f)


@kernel
def declare(s: Record, f: Record, said: int) -> None:
    """The joker that is being played has this colour and number."""
    s.new_colour = said // PER_COLOUR
    s.new_number = f.numbers[said % PER_COLOUR]
    if f.lasts:
        s.said[s.laid - 1] = 1 + said
    face_left(s, f)


@kernel
def declare_left(s: Record, f: Record, said: int) -> None:
    """The joker on the left has this colour and number."""
    s.left_colour = said // PER_COLOUR
    s.left_number = f.numbers[said % PER_COLOUR]
    meet(s, f)


@kernel
def face_left(s: Record, f: Record) -> None:
    """Looks at the left neighbour; a joker there has to be declared unless its declaration lasts."""
    left = s.story[s.laid - 2]
    if f.joker[left] == 0:
        s.left_colour = f.colour[left]
        s.left_number = f.number[left]
        meet(s, f)
    elif f.lasts and s.said[s.laid - 2] > 0:
        declare_left(s, f, s.said[s.laid - 2] - 1)
    else:
        s.phase = Phase.DECLARE_LEFT


@kernel
def meet(s: Record, f: Record) -> None:
    """First colours, then numbers; between them the recipients of sone may have to be chosen."""
    same = 1 if s.new_colour == s.left_colour else 0
    if f.always_same and (f.joker[s.card] or f.joker[s.story[s.laid - 2]] == 1):
        same = 1
    if same:
        start_giving(s, s.current, (s.players - 1) * f.gift, f.gift)
        if s.phase == Phase.GIVE:
            return
    compare(s, f)


@kernel
def compare(s: Record, f: Record) -> None:
    """A larger number brings sone, a smaller one turns it, an equal one makes the card a key."""
    rise = s.new_number - s.left_number
    key = 0
    if rise > 0:
        s.rises += gain(s, f, s.current, Side.SONE, rise)
    elif rise < 0:
        turn_over(s, s.current, -rise)
    else:
        key = 1
        s.keys[s.laid - 1] = 1
        s.keys_laid += 1
    after_play(s, f, key)


@kernel
def after_play(s: Record, f: Record, key: int) -> None:
    """After a key that was the turn's first card there may be a further play; else the turn ends."""
    s.card = -1
    if s.plays == 1:
        s.first_key = key
    enough = 1 if 0 < f.key_end <= s.keys_laid else 0
    if enough and f.immediate:
        s.turn += 1
        begin_scoring(s, f)
    elif s.first_key and s.plays <= f.extra_plays and s.held[s.current] > 0 and (enough == 0 or f.extra_after_third):
        s.phase = Phase.EXTRA
    else:
        end_turn(s, f)


@kernel
def apply(s: Record, f: Record, move: int) -> None:
    """Carries out the choice and goes on to the next."""
    if move == Move.PASS:
        end_turn(s, f)
    elif move == Move.STOP:
        if s.phase == Phase.EVENT:
            decline(s, f)
            run_events(s, f)
        else:
            end_turn(s, f)
    elif move < Move.AS:
        leave_hand(s, f, s.seat, move - Move.PLAY)
        play_card(s, f, move - Move.PLAY)
    elif move < Move.LEFT_AS:
        declare(s, f, move - Move.AS)
    elif move < Move.GIVE:
        declare_left(s, f, move - Move.LEFT_AS)
    elif move < Move.EVENT:
        settle(s, f, move)
    elif move < Move.KEEP:
        start_event(s, move - Move.EVENT)
        run_events(s, f)
    else:
        keep(s, f, move - Move.KEEP)


@kernel
def settle(s: Record, f: Record, move: int) -> None:
    """Sone goes to or comes from the player chosen; then play or the event goes on."""
    if move < Move.TAKE:
        give(s, move - Move.GIVE)
        give_forced(s)
        if s.phase == Phase.GIVE:
            return
    else:
        take(s, f, move - Move.TAKE)
    if s.scoring:
        run_events(s, f)
    else:
        compare(s, f)
