"""The kite game as the program plays it: `pnp play @name@ --trust-rules`, and `pnp validate --trust-rules`.

It runs only when game.yaml names it (take the # from its line `rules_module`) and only with --trust-rules. Read `game`
first: it tells the whole game, and each `choose` is a choice of the player whose turn it is. `s` is the state of one
game, `f` are the numbers of the box, and a card is its place in `box.cards`. docs/rules.md tells the rest.
"""

from generator.rules.engine.contract import Box, Message, State, row_field
from generator.rules.engine.kernel import kernel, shuffle
from generator.rules.engine.story import Story, choose, offer, story

DECK, SKY, MEADOW = -1, 10, 30  # where a card can lie; 0, 1 ... is the hand of a seat, SKY + 0, 1 ... its sky
NO_WIND = -1

STATE = State(
    phase="kept by the story",
    wind="the card that was played last",
    next="how many cards of the deck are drawn",
    at=row_field("where each card lies", "cards"),
    deck=row_field("in which order cards are drawn", "cards"),
    pool=row_field("room to mix hidden cards", "cards"),
)


@story
def game(s, f):
    """Turns go round until nobody has a card."""
    while count_held(s, f, 0, s.players) > 0:
        if count_held(s, f, s.seat, s.seat + 1) > 0:  # who has no card is passed over
            s.turn += 1
            move = choose(0, list_kites)
            card = move % f.cards
            if move < f.cards:  # fly it
                s.at[card] = SKY + s.seat
            else:  # let it land
                s.at[card] = MEADOW
            s.wind = card
            while count_held(s, f, s.seat, s.seat + 1) < f.hand and s.next < f.cards:
                s.at[s.deck[s.next]] = s.seat
                s.next += 1
        s.seat = (s.seat + 1) % s.players
    s.over = 1


@offer
def list_kites(s, f):
    """A kite of the wind's kind can fly, or one with a number as high; any can land."""
    for card in range(f.cards):
        fits = s.wind == NO_WIND or f.kind[card] == f.kind[s.wind] or f.number[card] >= f.number[s.wind] + f.above
        if fits and is_choice(s, f, card):
            yield card
    for card in range(f.cards):
        if is_choice(s, f, card):
            yield f.cards + card


@kernel
def deal(s, f):
    """Shuffle and deal."""
    s.wind = NO_WIND
    for card in range(f.cards):
        s.deck[card], s.at[card] = card, DECK
    shuffle(s.rng, s.deck, 0, f.cards)
    s.next = s.players * f.hand
    for place in range(s.next):
        s.at[s.deck[place]] = place % s.players


@kernel
def count_held(s, f, first, end):
    """Count the cards in the hands of these seats."""
    held = 0
    for card in range(f.cards):
        held += first <= s.at[card] < end
    return held


@kernel
def is_choice(s, f, card):
    """Say whether a card is in hand, and no card before it looks the same."""
    if s.at[card] != s.seat:
        return False
    for other in range(card):
        if s.at[other] == s.seat and f.kind[other] == f.kind[card] and f.number[other] == f.number[card]:
            return False
    return True


STORY = Story(game, STATE, deal)


@kernel
def value(s, f, seat):
    """The points of a seat's sky: cards of each kind times themselves, and the bonus. Bots choose by it, too."""
    points, found = 0, 0
    for kind in range(f.kinds):
        many = 0
        for card in range(f.cards):
            many += s.at[card] == SKY + seat and f.kind[card] == kind
        points += many * many
        found += many > 0
    return points + f.bonus if found == f.kinds else points


@kernel
def score(s, f, points):
    """Everybody's points."""
    for seat in range(s.players):
        points[seat] = value(s, f, seat)


@kernel
def strength(s, f, seat):
    """The points, and the sum of numbers in the sky, which decides ties."""
    total = value(s, f, seat) * 1000
    for card in range(f.cards):
        if s.at[card] == SKY + seat:
            total += f.number[card]
    return total


@kernel
def place(s, f, places):
    """One more than the number of seats that are better."""
    for seat in range(s.players):
        places[seat] = 1
        for other in range(s.players):
            places[seat] += strength(s, f, other) > strength(s, f, seat)


@kernel
def blind(s, f, seat):
    """Mix what the seat can't see: other hands, and the deck."""
    hidden = 0
    for place in range(DECK, s.players):
        for card in range(f.cards):
            if place != seat and s.at[card] == place:
                s.pool[hidden] = place
                hidden += 1
    shuffle(s.rng, s.pool, 0, hidden)
    end = f.cards
    for card in range(f.cards):
        if s.at[card] < s.players and s.at[card] != seat:
            hidden -= 1
            s.at[card], s.pool[hidden] = s.pool[hidden], 0
        if s.at[card] == DECK:
            end -= 1
            s.deck[end] = card
    shuffle(s.rng, s.deck, s.next, f.cards)
    for place in range(s.next):
        s.deck[place] = 0


def box(game, players, options):
    """What the rules need from the data: each card's kind and number, and the numbers of rules.yaml."""
    designs = game.kinds["kite"].designs
    cards = tuple(copy for design in designs for copy in design.copies())
    fields = [design.fields for design in designs for _ in design.copies()]
    kinds, rules = list(game.icons), game.sections["rules"]
    switches = {**game.switches, **options}
    numbers = {
        "cards": len(cards),
        "kind": [kinds.index(field["kind"]) for field in fields],
        "number": [field["number"] for field in fields],
        "kinds": len(kinds),
        "hand": rules["hand"],
        "bonus": rules["set_bonus"],
        "above": 0 if switches["equal_flies"] else 1,  # by how much a number must be above the wind's
    }
    return Box(game, players, options, numbers, cards)


def zones(s, box):
    """Where each card lies, by the names that play.yaml has."""
    found = {}
    for copy, at in zip(box.cards, s.at, strict=False):
        seats = f"sky {at - SKY + 1}" if at >= SKY else f"hand {at + 1}"
        found.setdefault({DECK: "deck", MEADOW: "meadow"}.get(at, seats), {})[copy] = 1
    return found


def write(s, box, move):
    """`fly sun-1#2`, `land sun-3#1`."""
    card = box.cards[move % len(box.cards)].split("/")[1]
    return f"{'fly' if move < len(box.cards) else 'land'} {card}"


def say(s, box, move):
    """The phrase of play.yaml, with the card by its name."""
    return Message("fly" if move < len(box.cards) else "land", {"card": box.find_design(move % len(box.cards))})


def arrange(s, box, given):
    """`hands: {1: [sun-1#1]}`, `skies:` likewise, `wind: sun-3#1`, which lies on the meadow; the deck is empty."""
    names = {copy.split("/")[1]: card for card, copy in enumerate(box.cards)}
    for name in given:
        if name not in ("hands", "skies", "wind", "seat"):
            raise ValueError(f"unknown: '{name}'")
    s.at, s.next, s.wind, s.seat = [MEADOW] * len(names), len(names), NO_WIND, given.get("seat", 1) - 1
    for word, base in (("hands", 0), ("skies", SKY)):
        for seat, cards in given.get(word, {}).items():
            for card in cards:
                s.at[_card(names, card)] = base + seat - 1
    if "wind" in given:
        s.wind = _card(names, given["wind"])
    STORY.begin(s, box.make_facts())


def _card(names, name):
    if name not in names:
        raise ValueError(f"there is no card '{name}'")
    return names[name]


RULES = STORY.make_rules(
    box=box,
    score=score,
    place=place,
    value=value,
    blind=blind,
    most=lambda box: 2 * box.numbers["hand"],
    zones=zones,
    write=write,
    say=say,
    arrange=arrange,
)
