"""The kite game as the program plays it: `pnp play @name@ --trust-rules`, and `pnp validate --trust-rules`.

It runs only when game.yaml names it (take the # from its line `rules_module`) and only with --trust-rules. Functions
marked `@kernel` know nothing but whole numbers and rows of them, so that they can be compiled for thousands of games:
`s` is the state of one game, `f` are the numbers of the box, and a card is its place in `box.cards`.
"""

from generator.rules.engine.contract import Box, Message, Rules
from generator.rules.engine.kernel import kernel, shuffle

DECK, SKY, MEADOW = -1, 10, 30  # where a card can lie; 0, 1 ... is the hand of a seat, SKY + 0, 1 ... its sky


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


def state(box):
    """A game before set-up. `at` says where each card lies, `deck` from place `next` on in which order it is drawn."""
    number = len(box.cards)
    fields = dict.fromkeys(("players", "seat", "over", "turn", "hole", "next", "wind"), 0)
    return fields | {"rng": [0] * 4, "short": [0], "at": [0] * number, "deck": [0] * number, "pool": [0] * number}


@kernel
def set_up(s, f):
    """Shuffles and deals."""
    s.wind = -1
    for card in range(f.cards):
        s.deck[card], s.at[card] = card, -1
    shuffle(s.rng, s.deck, 0, f.cards)
    s.next = s.players * f.hand
    for place in range(s.next):
        s.at[s.deck[place]] = place % s.players


@kernel
def chosen(s, f, card):
    """Whether a card is one to choose: it is in hand, and no card before it looks the same."""
    if s.at[card] != s.seat:
        return False
    for other in range(card):
        if s.at[other] == s.seat and f.kind[other] == f.kind[card] and f.number[other] == f.number[card]:
            return False
    return True


@kernel
def legal(s, f, moves):
    """A move is a card to fly, or the number of all cards and a card to land."""
    count = 0
    for card in range(f.cards):
        if chosen(s, f, card):
            fits = s.wind < 0 or f.kind[card] == f.kind[s.wind]
            if fits or f.number[card] >= f.number[s.wind] + f.above:
                moves[count] = card
                count += 1
    for card in range(f.cards):
        if chosen(s, f, card):
            moves[count] = f.cards + card
            count += 1
    return count


@kernel
def apply(s, f, move):
    """Plays a card, draws, and passes the turn to the next seat that has cards."""
    card = move % f.cards
    s.at[card] = 10 + s.seat if move < f.cards else 30
    s.wind = card
    s.turn += 1
    held = 0
    for other in range(f.cards):
        held += s.at[other] == s.seat
    while held < f.hand and s.next < f.cards:
        s.at[s.deck[s.next]] = s.seat
        s.next += 1
        held += 1
    s.over = 1
    for step in range(1, s.players + 1):
        seat = (s.seat + step) % s.players
        for other in range(f.cards):
            if s.over == 1 and s.at[other] == seat:
                s.over, s.seat = 0, seat
        if s.over == 0:
            break


@kernel
def value(s, f, seat):
    """The points of a seat's sky: cards of each kind times themselves, and the bonus. Bots choose by it, too."""
    points, found = 0, 0
    for kind in range(f.kinds):
        many = 0
        for card in range(f.cards):
            many += s.at[card] == 10 + seat and f.kind[card] == kind
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
    """The sum of numbers in a sky, which decides ties."""
    total = 0
    for card in range(f.cards):
        if s.at[card] == 10 + seat:
            total += f.number[card]
    return total


@kernel
def place(s, f, places):
    """One more than the number of seats that are better."""
    for seat in range(s.players):
        mine, places[seat] = value(s, f, seat) * 1000 + strength(s, f, seat), 1
        for other in range(s.players):
            places[seat] += value(s, f, other) * 1000 + strength(s, f, other) > mine


@kernel
def blind(s, f, seat):
    """Mixes what the seat can't see: the deck and all other hands."""
    unseen = 0
    for card in range(f.cards):
        if s.at[card] < 10 and s.at[card] != seat:
            s.pool[unseen] = card
            unseen += 1
    shuffle(s.rng, s.pool, 0, unseen)
    held = unseen - (f.cards - s.next)  # the others hold as many as the deck does not
    dealt = 0
    for other in range(s.players):
        size = 0
        for card in range(f.cards):
            size += s.at[card] == other and other != seat
        s.deck[other] = size  # drawn already: the front of the deck is free to note it
    for other in range(s.players):
        for _ in range(s.deck[other]):
            s.at[s.pool[dealt]] = other + 100
            dealt += 1
    for place in range(s.next):
        s.deck[place] = 0
    for rest in range(held, unseen):
        s.at[s.pool[rest]] = -1
        s.deck[s.next + rest - held] = s.pool[rest]
    for card in range(f.cards):
        if s.at[card] >= 100:
            s.at[card] -= 100
        s.pool[card] = 0


@kernel
def demand(s, f, taken):
    """Nothing can run out."""
    taken[0] = 0


@kernel
def broken(s, f):
    """There are no laws beside those of every game."""
    return 0


def zones(s, box):
    """Where each card lies, by the names that play.yaml has."""
    found = {}
    for card, copy in enumerate(box.cards):
        at = s.at[card]
        if at == DECK:
            name = "deck"
        elif at == MEADOW:
            name = "meadow"
        else:
            name = f"sky {at - SKY + 1}" if at >= SKY else f"hand {at + 1}"
        found.setdefault(name, {})[copy] = 1
    return found


def write(s, box, move):
    """`fly sun-1#2`, `land sun-3#1`."""
    card = box.cards[move % len(box.cards)].split("/")[1]
    return f"{'fly' if move < len(box.cards) else 'land'} {card}"


def say(s, box, move):
    """The phrase of play.yaml, with the card by its name."""
    design = box.game.design(box.cards[move % len(box.cards)].split("#")[0])
    return Message("fly" if move < len(box.cards) else "land", {"card": design})


def arrange(s, box, given):
    """`hands: {1: [sun-1#1]}`, `skies:` likewise, `wind: sun-3#1`, which lies on the meadow; the deck is empty."""
    names = {copy.split("/")[1]: card for card, copy in enumerate(box.cards)}
    for name in given:
        if name not in ("hands", "skies", "wind", "seat"):
            raise ValueError(f"unknown: '{name}'")
    s.at, s.next, s.wind = [MEADOW] * len(names), len(names), -1
    for word, base in (("hands", 0), ("skies", SKY)):
        for seat, cards in given.get(word, {}).items():
            for card in cards:
                s.at[_card(names, card)] = base + seat - 1
    if "wind" in given:
        s.wind = _card(names, given["wind"])
    s.seat = given.get("seat", 1) - 1


def _card(names, name):
    if name not in names:
        raise ValueError(f"there is no card '{name}'")
    return names[name]


def ask(s, box, question, words):
    """Examples ask nothing but what every game answers: legal, scores, zone ..."""
    raise LookupError(f"unknown question '{question}'")


RULES = Rules(
    box=box,
    state=state,
    set_up=set_up,
    legal=legal,
    apply=apply,
    score=score,
    place=place,
    value=value,
    blind=blind,
    demand=demand,
    most=lambda box: 2 * box.numbers["hand"],
    zones=zones,
    write=write,
    say=say,
    arrange=arrange,
    ask=ask,
    broken=broken,
)
