"""What playing a game shows: its examples and a number of games between bots, as checks."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from importlib import util
from pathlib import Path

from generator.checks.played import (
    Playtest,
    examples_hold,
    games_end,
    holes_met,
    laws_decided,
    not_playable,
    supplies_suffice,
    unknown_laws,
)
from generator.checks.record import Check
from generator.draw.kept import Kept
from generator.errors import Problem, ProblemsFound
from generator.games.contract import Rules
from generator.games.registry import OWN_SUFFIX, rules_of
from generator.load.game import load_game
from generator.load.project import PACKAGE, find_project
from generator.model.game import Game
from generator.playtest.batch import Opener, Plan, Row, carry_out
from generator.playtest.bots import bot_names
from generator.playtest.examples import faults
from generator.playtest.tally import Tally

QUICK = 20
"""Games for each number of players with the random bot when no number is asked for: a sample that takes seconds."""

SHARE = {"random": 1, "look-ahead": 200}
USUAL_SHARE = 20
"""One game with a bot for so many at random; the look-ahead bot tries hundreds of moves for each that it makes."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """How much is played: random games for each number of players, by so many processes, whether compiled.

    `trusted` says whether a rules module in the game's own folder may run; `kernels` is the folder where compiled rules
    are kept, None to interpret them; ProblemsFound where nothing can compile them.
    """

    games: int = QUICK
    processes: int = os.cpu_count() or 1
    trusted: bool = False
    kernels: Path | None = None

    def __post_init__(self) -> None:
        if self.kernels is not None and util.find_spec("numba") is None:
            what = "numba is not installed, and --fast needs it"
            raise ProblemsFound([Problem(None, what, "install the program with its extra `fast`")])


def trusted_folder(folder: Path, trusted: bool) -> Path | None:
    """The game's folder if code in it may run."""
    return folder if trusted else None


def with_play(
    game: Game,
    folder: Path,
    root: Path,
    rehearsal: Rehearsal,
    checks: tuple[Check, ...],
    kept: Kept | None = None,
) -> tuple[Check, ...]:
    """The checks, those decided that games can decide, and with what examples and games show.

    Games that `kept` has, played by the same rules with the same data, are not played again.
    """
    rules = rules_of(game, trusted_folder(folder, rehearsal.trusted))
    if rules is None:
        return checks
    reasons = unplayable(game, rules)
    if reasons:
        return (*checks, *not_playable(game, reasons))
    with mending(game):
        known = kept.get("games", kept.game, rehearsal.games) if kept is not None else None
        test = Playtest(rules, *known) if known is not None else _played(game, rules, folder, root, rehearsal)
    if kept is not None and known is None:
        kept.put("games", (test.run, test.tallies, test.faults), kept.game, rehearsal.games, rests_on=())
    shown = (*examples_hold(game, test), *games_end(game, test))
    pieces = (*supplies_suffice(game, test, checks), *holes_met(game, test))
    return (*laws_decided(test, checks), *unknown_laws(game, rules), *shown, *pieces)


def unplayable(game: Game, rules: Rules) -> list[str]:
    """The switch values in force that the rules can't play, with their reasons."""
    in_force = {f"{switch}: {_shown(value)}": switch for switch, value in game.switches.items()}
    return [f"{value}: {reason}" for value, reason in rules.unplayable.items() if value in in_force]


def _shown(value: object) -> str:
    """A value as the data write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@contextmanager
def mending(game: Game) -> Iterator[None]:
    """Whatever a stranger's rules raise is a problem of their author's; what ours raise is a bug and stays one."""
    try:
        yield
    except ProblemsFound:
        raise
    except (Exception, SystemExit) as error:
        if not game.rules_module.endswith(OWN_SUFFIX):
            raise
        what = f"the rules module '{game.rules_module}' fails: {type(error).__name__}: {error}"
        raise ProblemsFound([Problem(game.places.place("rules_module"), what, "mend it")]) from error


def open_rules(root: Path, name: str, trusted: bool) -> tuple[Game, Rules]:
    """A game and its rules, loaded afresh: for a process that plays a part of the games."""
    project = find_project(root, root)
    folder = project.folder(name)
    game = load_game(folder, project.resources)
    rules = rules_of(game, trusted_folder(folder, trusted))
    assert rules is not None, name  # noqa: S101 - the process that asks has them
    return game, rules


def _played(game: Game, rules: Rules, folder: Path, root: Path, rehearsal: Rehearsal) -> Playtest:
    found = {example.id: faults(game, rules, example) for example in game.examples}
    plan = Plan(_rows(game, rules, rehearsal.games), cache=_cache(game, folder, rehearsal.kernels))
    opener: Opener = partial(open_rules, root, folder.name, rehearsal.trusted)
    if rehearsal.processes <= 1:
        opener = lambda: (game, rules)  # noqa: E731 - nobody else has to load them
    tallies: Mapping[Row, Tally] = carry_out(plan, opener, rehearsal.processes) if plan.games else {}
    return Playtest(rules, plan.run, tallies, found)


def _rows(game: Game, rules: Rules, games: int) -> dict[Row, int]:
    """How many games of each row: so many at random, fewer with each other bot."""
    rows = {
        (players, bot): games // SHARE.get(bot, USUAL_SHARE) for players in game.players for bot in bot_names(rules)
    }
    return {row: number for row, number in rows.items() if number}


def _cache(game: Game, folder: Path, kernels: Path | None) -> str:
    """A folder of its own for each state of the sources that compiled code is made from."""
    if kernels is None:
        return ""
    sources = [*sorted((PACKAGE / "games").rglob("*.py")), PACKAGE / "playtest" / "loop.py"]
    if game.rules_module.endswith(OWN_SUFFIX):
        sources.append(folder / game.rules_module)
    digest = sha256(b"\0".join(source.read_bytes() for source in sources)).hexdigest()
    return str(kernels / digest[:16])
