"""The bot registry: finds bots by name, and assigns bots to the seats of a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from generator.base.errors import did_you_mean
from generator.play import bots
from generator.play.game_loop import LUCK, seed_luck
from generator.rules.engine.contract import Box, Rules
from generator.rules.engine.kernel import INTERPRETED, Kernel, Mode, Record, Row, begin_stream, draw_chance32
from generator.rules.engine.table import Seed, fresh_state

MOST_PLAYOUTS = 100_000
"""Maximum number of simulated games (playouts) for one choice of a search, which stores a node for each."""


_COUNTED = {"search": ("playouts", 200, MOST_PLAYOUTS), "look-ahead": ("looks", 20, 1000)}
"""Kinds of bots that take a number: what it counts, a usual one and the largest."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot by kind. `number`: the supply that `hoard` collects (from 0), or how many playouts or looks it takes."""

    kind: str
    number: int = 0


def find_bot(name: str, rules: Rules) -> Bot:
    """Return a bot by its name; raise ValueError for others.

    It is `random`, `greedy`, `look-ahead`, `look-ahead:<looks>`, `search:<playouts>` or `hoard:<supply>`.
    """
    kind, colon, rest = name.partition(":")
    if kind in _COUNTED and colon:
        what, usual, most = _COUNTED[kind]
        if not rest.isascii() or not rest.isdigit() or not 1 <= int(rest) <= most:
            raise ValueError(f"unknown bot '{name}'; {kind} takes 1 to {most} {what}: {kind}:{usual}")
        return Bot(kind, int(rest))
    known = {"random": Bot("random"), "greedy": Bot("greedy"), "look-ahead": Bot("look-ahead", 1)}
    known |= {f"hoard:{supply.id}": Bot("hoard", at) for at, supply in enumerate(rules.supplies)}
    if name not in known:
        raise ValueError(f"unknown bot '{name}'; {did_you_mean(name, [*known, 'search:200'])}")
    return known[name]


def list_bot_names(rules: Rules) -> Sequence[str]:
    """Return the names of all bots but `search`; games are tested with these."""
    return ("random", "greedy", "look-ahead", *(f"hoard:{supply.id}" for supply in rules.supplies))


def assign_bots(bots: Sequence[str], players: int) -> tuple[str, ...]:
    """Return the bot of each seat, given one bot for all or one for each. Raise ValueError for other numbers."""
    if len(bots) not in (1, players):
        raise ValueError(f"{len(bots)} bots for {players} seats; name one for all, or one for each seat")
    return tuple(bots) * (players if len(bots) == 1 else 1)


class BotKernels:
    """The bots of all seats as functions that can be compiled (kernels).

    `choose` is one of the kernels of `bots`. Its last arguments are `scratch`, room to work in, and `tasks`, the kind
    and number of each seat's bot. `name` distinguishes this combination of kinds of bots from others.
    """

    def __init__(self, rules: Rules, box: Box, mode: Mode, names: Sequence[str], state: Record):
        found = [find_bot(name, rules) for name in assign_bots(names, box.players)]
        kinds = sorted({bot.kind for bot in found})
        self.name = "_".join(kinds).replace("-", "_")
        self.tasks = mode.make_row(2 * box.players)
        for seat, bot in enumerate(found):
            self.tasks[2 * seat], self.tasks[2 * seat + 1] = kinds.index(bot.kind), bot.number
        most = rules.most(box)
        playouts = max((bot.number for bot in found if bot.kind == "search"), default=0)
        desk = max(_DESK[kind] for kind in kinds)
        notes = (playouts + 1) * bots.NODE + box.players * bots.SEAT_NOTES + most
        rows = (most, max(notes, 2 * bots.NOTES + most), bots.OWN, max(1, len(rules.supplies)), box.players)
        self.scratch = (mode.make_table(state, desk), *map(mode.make_row, rows))
        bind = _KernelBinder(rules, mode)
        self.choose: Kernel
        if len(kinds) == 1:
            self.choose = bind.bind_chooser(kinds[0])
        else:
            choosers = [bind.bind_chooser(kind) for kind in kinds]
            named = {f"choose_{n}": choosers[min(n, len(choosers)) - 1] for n in range(1, len(_DESK) + 1)}
            self.choose = bind.bind_kernel(bots.choose_as_seated, self.name, named)


_DESK = {"random": 1, "greedy": 2, "hoard": 2, "look-ahead": bots.AHEAD_DESK, "search": bots.SEARCH_DESK}
"""Number of copies of the game state (records) that each kind of bot needs for its work."""


class _KernelBinder:
    def __init__(self, rules: Rules, mode: Mode):
        self._rules, self._mode = rules, mode
        self._game = rules.name
        self._steps: dict[str, Kernel] = {"put": mode.put}
        for step in ("legal", "apply", "blind", "value", "demand", "place"):
            self._steps[step] = getattr(rules, step)

    def bind_kernel(self, function: Kernel, what: str, more: Mapping[str, Kernel]) -> Kernel:
        """Return a function whose placeholders are bound to the rules and `more`; `what` distinguishes its name."""
        name = f"{function.__name__}_{what}_{self._game}"
        return self._mode.bind(function, name, {**self._steps, **more}, inner=True)

    def bind_chooser(self, kind: str) -> Kernel:
        """Return the function with which a kind of bot chooses a move."""
        if kind == "random":
            return bots.choose_randomly
        look = self.bind_kernel(bots.look_again, "", {})
        begin = self.bind_kernel(bots.begin_look, "", {"look": look})
        if kind == "look-ahead":
            ahead = self.bind_kernel(bots.search_ahead, "", {})
            return self.bind_kernel(bots.choose_ahead, "", {"look": look, "begin": begin, "ahead": ahead})
        worth = bots.worth_by_supply if kind == "hoard" else bots.worth_by_value
        best = self.bind_kernel(bots.best_move, kind, {"worth": self.bind_kernel(worth, "", {})})
        if kind != "search":
            return self.bind_kernel(bots.choose_best, kind, {"begin_look": begin, "best_of": best})
        parts: dict[str, Kernel] = {"look": look, "begin": begin, "best_of": best}
        steps: dict[str, Kernel] = {
            "descend": bots.descend_tree,
            "play_out": bots.finish_turn,
            "count": bots.record_playout,
        }
        parts |= {name: self.bind_kernel(step, "", parts) for name, step in steps.items()}
        return self.bind_kernel(bots.choose_searching, "", parts)


class BotChances:
    """The random numbers that bots use in one game, separate from the game's own, with a stream for each turn.

    They are the same in a batch, at a table and after undo. Choices in one turn don't affect other turns.
    """

    def __init__(self, seed: Seed):
        self._row, self._turn = INTERPRETED.make_row(LUCK), -1
        seed_luck(self._row, seed.run, seed.game)

    def begin_turn(self, turn: int) -> Row:
        """Return the random numbers for the next choice in this turn, after those used by earlier choices."""
        if turn != self._turn:
            self._turn = turn
            begin_stream(self._row, turn)
        return self._row


class TableBots:
    """Bots at a table: one for all seats, or one for each. They choose as in a batch's game of the same seed."""

    def __init__(self, rules: Rules, box: Box, seed: Seed, bots: Sequence[str]):
        self._names = assign_bots(bots, box.players)
        self._bots = BotKernels(rules, box, INTERPRETED, bots, fresh_state(rules, box, Seed(0), INTERPRETED))
        self._facts, self._luck = INTERPRETED.make_record(box.numbers), BotChances(seed)

    def choose(self, state: Record, legal: tuple[int, ...]) -> int:
        """Return one of the legal moves."""
        if len(legal) == 1:
            return legal[0]
        luck = self._luck.begin_turn(int(state.turn))
        bots = self._bots
        chosen: int = bots.choose([state], self._facts, luck, legal, len(legal), bots.scratch, bots.tasks)
        return chosen

    def skip_choice(self, state: Record, legal: tuple[int, ...]) -> None:
        """Skip a choice that the bot made earlier, when a game is replayed."""
        if len(legal) > 1:
            luck = self._luck.begin_turn(int(state.turn))
            for _ in range(1 if self._names[state.seat] == "random" else 2):
                draw_chance32(luck)
