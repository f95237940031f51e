"""Whether games keep their secrets: no seat is shown, or told of, a card that it can't know."""

from generator.games.contract import Box, Rules
from generator.games.table import Seed, Table
from generator.playtest.bots import Seated
from generator.playtest.series import MOST_MOVES
from generator.playtest.telling import gives_away


def is_kept(rules: Rules, box: Box, seed: Seed) -> bool:
    """Whether in one random game nobody sees what it can't tell apart, nor hears a hidden card named.

    What a seat observes must be the same when all that it can't see is mixed; and what it is told of others' moves must
    name no card that it sees neither before nor after.
    """
    table, seats = Table(rules, box, seed), range(box.players)
    bot = Seated(rules, box, seed, "random")
    seen = [table.observed(seat) for seat in seats]
    while not table.over and len(table.moves) < MOST_MOVES:
        mover, move = table.seat, bot.choose(table.state, table.legal(), len(table.moves))
        said, lain = rules.say(table.state, box, move), table.zones()
        heard = [rules.tell(table.state, box, move, seat, said) if rules.tell else said for seat in seats]
        table.apply(move)
        for seat in seats:
            before, seen[seat] = seen[seat], table.observed(seat)
            words = heard[seat]
            if seat != mover and words is not None and gives_away(words, lain, table.zones(), before, seen[seat]):
                return False
            if table.as_seen(seat, len(table.moves)).observed(seat) != seen[seat]:
                return False
    return True
