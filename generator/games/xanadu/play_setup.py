"""Set-up of draft 18 as kernels: the town, companies, Daily rows, Market, skills dealt or drafted; what is hidden."""

from generator.games.engine.kernel import Record, Row, kernel, shuffle, sort
from generator.games.xanadu.play_codes import (
    COMPANY,
    DRAFT,
    GRADES,
    KEEP,
    NO_DAILY,
    PICK_COMPANY,
    PLACES,
    SEATS,
)
from generator.games.xanadu.play_round import begin_round
from generator.games.xanadu.play_stock import draw_request, fill_market, put_goods, recount


@kernel
def set_up(s: Record, f: Record) -> None:
    """Deals the town; the companies are chosen next, clockwise from the start player."""
    at = 0
    for board in range(PLACES):
        if board != f.port_board:
            s.scratch[at] = board
            at += 1
    shuffle(s.rng, s.scratch, 0, PLACES - 1)
    at = 0
    for place in range(PLACES):
        if place == f.port:
            s.board[place] = f.port_board
        else:
            s.board[place] = s.scratch[at]
            s.scratch[at] = 0
            at += 1
    for seat in range(SEATS):
        s.company[seat] = -1
        for n in range(3):
            s.daily[seat * 3 + n] = -1
    for slot in range(f.market_n):
        s.market[slot] = -1
    for card in range(f.cards):
        tier = f.tier[card]
        s.deck[tier * f.cards + s.deck_n[tier]] = card
        s.deck_n[tier] += 1
    for grade in range(GRADES):
        s.stock[grade] = f.goods_total[grade]
    s.crew = f.dispatch_total
    s.phase = COMPANY


@kernel
def legal_company(s: Record, f: Record, moves: Row) -> int:
    """Companies that nobody has."""
    number = 0
    for company in range(f.companies):
        free = 1
        for seat in range(s.players):
            if s.company[seat] == company:
                free = 0
        if free == 1:
            moves[number] = PICK_COMPANY + company
            number += 1
    return number


@kernel
def pick_company(s: Record, f: Record, company: int) -> None:
    """A seat takes a company's pieces; after the last one the cards are dealt."""
    seat = s.seat
    s.company[seat] = company
    s.hands[seat] = f.start_workers
    s.reserve[seat] = f.company_workers - f.start_workers
    s.shares[seat] = f.start_shares
    s.crew -= f.lids_all
    for grade in range(GRADES):
        s.stock[grade] -= f.start_goods[grade]
        put_goods(s, seat, f.port, grade, f.start_goods[grade])
    s.least_crew, s.least_normals = s.crew, s.stock[0]
    recount(s, f, seat)
    s.seat = (seat + 1) % s.players
    if s.seat == s.start:
        deal(s, f)


@kernel
def deal(s: Record, f: Record) -> None:
    """Daily rows, Market and skills; with drafted skills the draft comes next."""
    for tier in range(2):
        shuffle(s.rng, s.deck, tier * f.cards, tier * f.cards + s.deck_n[tier])
    if f.daily_model != NO_DAILY:
        for n in range(s.players):
            seat = (s.start + n) % s.players
            for card in range(f.daily_n):
                s.daily[seat * 3 + card] = draw_request(s, f, 0 if card < f.daily_lower else 1)
                s.dealt[seat * 3 + card] = s.daily[seat * 3 + card]
            s.up[seat] = (1 << (f.daily_n + 1)) - 1
    fill_market(s, f)
    if f.style == 0:
        for seat in range(s.players):
            for skill in range(f.skills):
                if f.colour[skill] == s.company[seat]:
                    s.hand[seat] |= 1 << skill
        begin_round(s, f)
        return
    for skill in range(f.skills):
        s.scratch[skill] = skill
    shuffle(s.rng, s.scratch, 0, f.skills)
    for n in range(f.skills):
        if n < s.players * f.draft:
            s.pack[n // f.draft] |= 1 << s.scratch[n]
        s.scratch[n] = 0
    s.phase = DRAFT


@kernel
def legal_keep(s: Record, f: Record, moves: Row) -> int:
    """A skill of the pack in hand."""
    number = 0
    for skill in range(f.skills):
        if s.pack[s.seat] & (1 << skill):
            moves[number] = KEEP + skill
            number += 1
    return number


@kernel
def keep(s: Record, f: Record, skill: int) -> None:
    """A skill is kept; when all have chosen, packs go to the left. The last skill of a pack needs no choice."""
    s.pack[s.seat] &= ~(1 << skill)
    s.hand[s.seat] |= 1 << skill
    s.seat = (s.seat + 1) % s.players
    if s.seat != s.start:
        return
    last = s.pack[s.players - 1]
    for seat in range(s.players - 1, 0, -1):
        s.pack[seat] = s.pack[seat - 1]
    s.pack[0] = last
    if last & (last - 1) == 0:
        for seat in range(s.players):
            s.hand[seat] |= s.pack[seat]
            s.pack[seat] = 0
        begin_round(s, f)


@kernel
def blind(s: Record, f: Record, seat: int) -> None:
    """Mixes both decks, and drafted skills that others hold or that were not dealt."""
    for tier in range(2):
        start = tier * f.cards
        sort(s.deck, start, start + s.deck_n[tier])
        shuffle(s.rng, s.deck, start, start + s.deck_n[tier])
    if f.style == 0 or s.round + s.pack[0] == 0:
        return
    seen = s.hand[seat] | s.pack[seat]
    for other in range(s.players):
        seen |= s.placed[other]
    number = 0
    for skill in range(f.skills):
        if seen & (1 << skill) == 0:
            s.scratch[number] = skill
            number += 1
    shuffle(s.rng, s.scratch, 0, number)
    at = 0
    for other in range(s.players):
        if other != seat:
            size = bits(f, s.hand[other])
            s.hand[other] = dealt(s, at, size)
            at += size
            size = bits(f, s.pack[other])
            s.pack[other] = dealt(s, at, size)
            at += size
    for n in range(number):
        s.scratch[n] = 0


@kernel
def bits(f: Record, mask: int) -> int:
    """How many skills a set has."""
    number = 0
    for skill in range(f.skills):
        number += (mask >> skill) & 1
    return number


@kernel
def dealt(s: Record, start: int, number: int) -> int:
    """A set of mixed skills."""
    mask = 0
    for n in range(start, start + number):
        mask |= 1 << s.scratch[n]
    return mask
