"""Night Ferry as the program plays it: `game` is the rule sheet, and each `choose` is a choice of `s.seat`.

It runs only when game.yaml names it (take the # from its line `rules_module`) and only with --trust-rules. `s` is the
state of one game, `f` are the numbers of the box, and a card is its place in `box.cards`.
"""

from generator.rules.engine.contract import Box, Message, State, row_field
from generator.rules.engine.facts import codes
from generator.rules.engine.kernel import kernel, shuffle
from generator.rules.engine.story import Story, choose, offer, story

SHORE, FERRY, BOAT = -1, 10, 20  # where a card lies; 0, 1 ... is the hand of a seat, BOAT + 0, 1 ... its boat


@codes
class Phase:
    """What is chosen."""

    PLAY, TAKE = range(2)


STATE = State(
    phase="the choice: a Phase",
    captain="the seat that leads, and takes first",
    led="the card that was played first",
    at=row_field("where each card lies", "cards"),
    pool=row_field("room to mix hidden cards", "cards"),
)


@story
def game(s, f):
    """Cross the river until the hands are empty."""
    while s.turn < f.hand:
        s.turn += 1

        # Everybody plays a card, from the captain on; the highest one of the sign that was led makes the next captain.
        winner = s.captain
        for step in range(s.players):
            s.seat = (s.captain + step) % s.players
            card = choose(Phase.PLAY, list_hand)
            s.at[card] = FERRY
            if step == 0:
                s.led = strongest = card
            elif f.sign[card] == f.sign[strongest] and f.number[card] > f.number[strongest]:
                strongest, winner = card, s.seat
        s.captain = winner

        # Everybody takes one of these cards into the boat, from the new captain on.
        for step in range(s.players):
            s.seat = (s.captain + step) % s.players
            taken = choose(Phase.TAKE, list_ferry)
            s.at[taken - f.cards] = BOAT + s.seat
    s.over = 1


@offer
def list_hand(s, f):
    """Offer cards of the sign that was led, or all if the seat has none, or need not follow."""
    bound = False
    for card in range(f.cards):
        bound |= f.must_follow and s.seat != s.captain and s.at[card] == s.seat and f.sign[card] == f.sign[s.led]
    for card in range(f.cards):
        if s.at[card] == s.seat and (not bound or f.sign[card] == f.sign[s.led]):
            yield card


@offer
def list_ferry(s, f):
    """Offer the cards that nobody has taken yet."""
    for card in range(f.cards):
        if s.at[card] == FERRY:
            yield f.cards + card


@kernel
def deal(s, f):
    """Shuffle and deal; the rest stays on the shore, face down."""
    for card in range(f.cards):
        s.at[card] = card // f.hand if card < s.players * f.hand else SHORE
    shuffle(s.rng, s.at, 0, f.cards)


STORY = Story(game, STATE, deal)


@kernel
def value(s, f, seat):
    """Return the lights in a boat, and the bonus for each set of all signs. Bots choose by it, too."""
    points, sets = 0, f.hand
    for sign in range(f.signs):
        many = 0
        for card in range(f.cards):
            if s.at[card] == BOAT + seat and f.sign[card] == sign:
                many += 1
                points += f.lights[card] * f.light
        sets = min(sets, many)
    return points + sets * f.bonus


@kernel
def score(s, f, points):
    """Fill in everybody's points."""
    for seat in range(s.players):
        points[seat] = value(s, f, seat)


@kernel
def place(s, f, places):
    """Fill in one more than the number of seats with more points."""
    for seat in range(s.players):
        places[seat] = 1
        for other in range(s.players):
            places[seat] += value(s, f, other) > value(s, f, seat)


@kernel
def blind(s, f, seat):
    """Mix other hands and the rest on the shore."""
    hidden = 0
    for home in range(SHORE, s.players):
        for card in range(f.cards):
            if home != seat and s.at[card] == home:
                s.pool[hidden] = home
                hidden += 1
    shuffle(s.rng, s.pool, 0, hidden)
    for card in range(f.cards):
        if s.at[card] < s.players and s.at[card] != seat:
            hidden -= 1
            s.at[card], s.pool[hidden] = s.pool[hidden], 0


def box(game, players, options):
    """Return the numbers of the data, and the cards in the order of components.yaml."""
    designs, rules = game.kinds["ferry"].designs, game.sections["rules"]
    fields, signs = [design.fields for design in designs], list(game.icons)
    numbers = {"cards": len(designs), "signs": len(signs), "sign": [signs.index(one["sign"]) for one in fields]}
    numbers |= {name: [one[name] for one in fields] for name in ("number", "lights")}
    numbers |= {"hand": rules["hand"], "light": rules["light"], "bonus": rules["set_bonus"]}
    numbers["must_follow"] = int({**game.switches, **options}["must_follow"])
    return Box(game, players, options, numbers, tuple(copy for design in designs for copy in design.copies()))


def zones(s, box):
    """Return where each card lies, by the names of play.yaml."""
    found = {}
    for copy, at in zip(box.cards, s.at, strict=False):
        seats = f"boat {at - BOAT + 1}" if at >= BOAT else f"hand {at + 1}"
        found.setdefault({SHORE: "shore", FERRY: "ferry"}.get(at, seats), {})[copy] = 1
    return found


def write(s, box, move):
    """Return `play moon-3` or `take moon-3`."""
    return f"{'play' if move < len(box.cards) else 'take'} {box.name_card(move % len(box.cards))}"


def say(s, box, move):
    """Return the phrase of play.yaml, with the card by its name."""
    return Message("play" if move < len(box.cards) else "take", {"card": box.find_design(move % len(box.cards))})


def arrange(s, box, given):
    """Lay out `hands: {1: [moon-3]}` and `boats:` likewise for an example; all else is on the shore."""
    s.at, s.captain = [SHORE] * len(box.cards), given.get("captain", 1) - 1
    for word, base in (("hands", 0), ("boats", BOAT)):
        for seat, cards in given.get(word, {}).items():
            for card in cards:
                s.at[box.list_cards_by_name()[card][0]] = base + seat - 1
    s.turn = box.numbers["hand"] - len(given["hands"][1])
    STORY.begin(s, box.make_facts())


RULES = STORY.make_rules(
    box=box,
    score=score,
    place=place,
    value=value,
    blind=blind,
    most=lambda box: box.numbers["hand"],
    zones=zones,
    write=write,
    say=say,
    arrange=arrange,
)
