"""The commands `lab readings` and `lab coverage`: which tables to play, the games in processes, and the text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from threading import local
from typing import Any

import click

from generator.base.errors import join_lines
from generator.base.files import ProgressListener
from generator.commands.command_line import say, say_text
from generator.commands.options import PROJECT, say_files
from generator.commands.plain_text import align_columns
from generator.game.model import Game
from generator.lab.card_records import list_card_designs
from generator.lab.chunks import Cell, Crew, Setup, format_options, map_in_order
from generator.lab.commands.lab_group import (
    SAVE,
    SEED,
    bots_option,
    lab,
    limit_options,
    make_default_effort,
    make_effort,
    make_experiment,
    open_named_game,
    parse_crew_option,
    play_and_report,
    players_option,
)
from generator.lab.coverage import (
    BRANCH,
    CARD,
    EXAMPLE,
    GAP,
    SWITCH,
    Branch,
    Item,
    Reached,
    RuleProbe,
    SituationSearch,
    list_branches,
    list_option_sets,
    list_read_fields,
    name_game,
)
from generator.lab.experiment import Experiment, make_reading_arms
from generator.lab.experiment_runs import Effort, LabGame, make_cells, make_setup, write_findings
from generator.lab.result_text import format_table
from generator.lab.skill_run import measure_game_seconds
from generator.rules.engine.kernel import INTERPRETED, CompiledMode
from generator.rules.engine.table import Seed
from generator.rules.registry import report_rule_errors

AHEAD = "look-ahead"
USUAL_BOTS = ("random", "greedy")
_LOT = 5
_LOOKED = {"random": _LOT, "greedy": 2}
"""Number of games, by bot, that test whether a table reaches a reading; other bots play one."""

_FEWER = 4
"""At tables with other options or the look-ahead bot, this many times fewer games are played."""


_DEALS = 200
"""How many further games are only dealt, for each number of players."""


@lab.command()
@click.argument("game")
@click.argument("entries", nargs=-1, metavar="[E10 ...]")
@click.option("--keep-findings", "kept", is_flag=True,
              help="Write data/GAME/findings.yaml; the designer notes print it next to the entries.")  # fmt: skip
@players_option("Play with N players (default: the fewest and the most); repeatable.")
@bots_option("Bot to play with; repeatable (default: random and greedy, and what makes a passage matter).")
@SEED
@SAVE
@limit_options("Play N games for each variant and table (default: 2000, and fewer with slow bots).")
@click.pass_obj
def readings(obj: Path | None, /, **options: Any) -> None:
    """Compare other readings of unclear rules with those in force.

    Each reading changes the game, is too small to matter, is not known yet or never came up: what to decide first.
    Name ENTRIES to test only these entries of data/GAME/readings.yaml.
    """
    of = open_named_game(obj, options)
    arms = make_reading_arms(of.game, of.rules, tuple(options["entries"]))
    if options["kept"] and options["entries"]:
        raise click.UsageError("--keep-findings covers all entries; leave the names out")
    usual = not (options["players"] or options["bots"])
    options["bots"] = options["bots"] or USUAL_BOTS
    options["fast"] = options["fast"] or (options["games"] is None and find_spec("numba") is not None)
    experiment = make_experiment(of, arms, options["players"] or usual_players(of.game), options)
    effort = make_effort(experiment, options)
    pace = 0 if options["games"] or options["until"] else 2 if of.rules.effort == 1 else 4
    effort = replace(effort, limit=replace(effort.limit, pace=pace))
    experiment = plan_readings(of, experiment, effort, further=usual)
    for line in describe_plan(of, experiment, effort):
        say(line, err=True)
    result = play_and_report(of, experiment, "lab-readings.json", options, effort)
    if options["kept"]:
        say_files(write_findings(of, result))


@lab.command()
@click.argument("game")
@click.option("--all", "everything", is_flag=True, help="Also list the branches, examples and cards that games reach.")
@players_option("Play with N players (default: the fewest and the most); repeatable.")
@bots_option("Bot to play with; repeatable.", "random", "greedy")
@click.option(
    "--games",
    type=click.IntRange(1, 100_000),
    default=20,
    show_default=True,
    metavar="N",
    help="Play N games at each of these tables, and a quarter with other options and the look-ahead bot.",
)
@click.option("--executor", "crew", metavar="KIND:N", callback=parse_crew_option,
              help="Workers: processes:2 or threads:2 (default: one process per core).")  # fmt: skip
@SEED
@PROJECT
@click.pass_obj
def coverage(obj: Path | None, /, **options: Any) -> None:  # fmt: skip
    """Count the games that reach each part of the rules of GAME.

    pnp names the shortest game for each reading, branch, gap, example and card, and looks further for readings.
    """
    of = open_named_game(obj, options)
    cells = make_cells(of, options["players"] or usual_players(of.game), options["bots"])
    usual = {"until": 0.0, "seconds": 0.0, "resume": True, "fast": find_spec("numba") is not None}
    effort = make_default_effort({**options, **usual}, options["games"])
    setup = make_setup(of, make_reading_arms(of.game, of.rules), effort)
    with report_rule_errors(of.game):
        found = cover_rules(of, setup, cells, options["run"], effort)
    say_text(format_coverage(of, setup, found, everything=options["everything"]))


def usual_players(game: Game) -> tuple[int, ...]:
    """Return the smallest and the largest number of players."""
    return tuple(dict.fromkeys((game.players.fewest, game.players.most)))


def make_tables(players: tuple[int, ...], bots: tuple[str, ...], options: str = "") -> tuple[Cell, ...]:
    """Return a table for each number of players with each bot in all seats."""
    return tuple(Cell(number, (bot,) * number, options) for number, bot in product(players, bots))


def further_tables(game: Game) -> Iterator[Cell]:
    """Yield tables where passages matter that the usual ones don't reach: with options of examples, better bots."""
    most = (game.players.most,)
    for options in list_option_sets(game):
        yield from make_tables(most, USUAL_BOTS, options)
    for options in ("", *list_option_sets(game)[:1]):
        yield from make_tables(most, (AHEAD,), options)


@dataclass(frozen=True, slots=True)
class ProbeLot:
    """Games `first` to `first + games - 1` of a run at a table; with `branches` these are noted, too.

    `deals` are dealt and not played.
    """

    cell: Cell
    run: int
    first: int
    games: int
    branches: bool = False
    deals: bool = False


@dataclass(slots=True)
class LotFindings:
    """The items that each game reaches, with the number of moves, and the functions that ran.

    `examples` has the branches that each example of the table runs through. `deals` were not played.
    """

    games: list[tuple[Cell, Seed, Mapping[Item, int]]] = field(default_factory=list)
    entered: set[tuple[str, int, int]] = field(default_factory=set)
    examples: Mapping[str, frozenset[Item]] = field(default_factory=dict)
    deals: int = 0


_own = local()
"""The probes of this thread; they have state, so threads must not share them."""


def probe_lot(setup: Setup, key: str, lot: ProbeLot) -> LotFindings:
    """Play a batch of games in any process. `key` identifies the setup, whose first arm is the unchanged game."""
    if getattr(_own, "key", "") != key:
        rules, arms = setup.load_arms()
        _own.key, _own.rules, _own.probes, _own.branches = key, rules, {}, list_branches(rules)
        _own.game = arms[setup.arms[0].name][0]
        _own.arms = {name: arms[name][1] for name in arms if name != setup.arms[0].name}
        _own.mode = CompiledMode(setup.kernels) if setup.kernels and rules.effort > 1 else INTERPRETED
    if (lot.cell, lot.branches) not in _own.probes:
        branches: tuple[Branch, ...] = _own.branches if lot.branches else ()
        mode = INTERPRETED if set(lot.cell.bots) == {"random"} else _own.mode
        probe = RuleProbe(_own.rules, _own.game, lot.cell, _own.arms, branches, mode)
        if lot.branches:
            alike = (format_options(one.options) == lot.cell.options for one in _own.game.examples)
            there = [one for one, same in zip(_own.game.examples, alike, strict=True) if same]
            probe.learn_examples(one for one in there if one.players == lot.cell.players)
        _own.probes[lot.cell, lot.branches] = probe
    probe = _own.probes[lot.cell, lot.branches]
    seeds = (Seed(lot.run, game) for game in range(lot.first, lot.first + lot.games))
    reach = (lambda seed: probe.deal_game(seed)[0]) if lot.deals else probe.play_game
    found = LotFindings([(lot.cell, seed, reach(seed)) for seed in seeds], deals=lot.games * lot.deals)
    found.entered, found.examples = set(probe.entered), dict(probe.examples)
    return found


def split_games(cell: Cell, run: int, games: int) -> Iterator[ProbeLot]:
    """Yield lots of a few of the run's games 0 to `games` - 1 each, whose branches are noted."""
    for first in range(0, games, _LOT):
        yield ProbeLot(cell, run, first, min(_LOT, games - first), branches=True)


@dataclass(slots=True)
class Coverage:
    """The items that games reach; `reasons` has positions where readings matter, and examples of branches."""

    games: dict[Cell, int] = field(default_factory=dict)
    reached: dict[Item, Reached] = field(default_factory=dict)
    entered: set[tuple[str, int, int]] = field(default_factory=set)
    reasons: dict[str, str] = field(default_factory=dict)
    deals: int = 0

    def add(self, found: LotFindings) -> None:
        """Add the games of a lot."""
        self.entered |= found.entered
        self.deals += found.deals
        for example, branches in found.examples.items():
            for _, branch in branches:
                self.reasons.setdefault(branch, f"example {example}")
        for cell, seed, items in found.games:
            self.games[cell] = self.games.get(cell, 0) + (not found.deals)
            for item, moves in items.items():
                self.reached.setdefault(item, Reached()).add(moves, name_game(cell, seed))


def plan_tables(
    lab_game: LabGame, setup: Setup, tables: tuple[Cell, ...], crew: Crew, told: ProgressListener, *, further: bool
) -> tuple[tuple[Cell, ...], dict[str, str]]:
    """Return the tables, with `further` also those that reach readings which the first ones don't.

    Return also the readings that no watched game reaches, each with a position in which it matters, or ''.
    """
    rules, game, found = lab_game.rules, lab_game.game, Coverage()
    arms = setup.load_arms()[1]
    others = {name: arms[name][1] for name in arms if name != setup.arms[0].name}
    left = set(others)
    chosen = list(tables)
    groups = [tables, *((cell,) for cell in further_tables(game) if further)]
    for cells in groups:
        if not left:
            break
        told(f"{game.id}: looking for games in which {len(left)} of {len(others)} readings matter")
        lots = [ProbeLot(cell, 0, 0, _LOOKED.get(cell.bots[0], 1)) for cell in cells]
        for lot in map_in_order(partial(probe_lot, setup, f"tables {game.id} {sorted(others)}"), lots, crew):
            found.add(lot)
        new = {name for name in left if (SWITCH, name) in found.reached}
        chosen += cells if new and cells is not tables else ()
        left -= new
    told(f"{game.id}: looking for positions in which {len(left)} readings matter" if left else "")
    reasons = SituationSearch(rules, game, others).find_reasons(name for name in others if name in left)
    told("")
    return tuple(chosen), {name: reasons.get(name, "") for name in others if name in left}


def plan_readings(lab_game: LabGame, experiment: Experiment, effort: Effort, *, further: bool) -> Experiment:
    """Return the experiment with tables (`further`: more) at which readings matter, and readings never reached."""
    setup = make_setup(lab_game, experiment.arms, effort)
    with report_rule_errors(lab_game.game):
        cells, unreached = plan_tables(lab_game, setup, experiment.cells, effort.crew, effort.told, further=further)
    return replace(experiment, cells=cells, asked=replace(experiment.asked, unreached=unreached))


def describe_plan(lab_game: LabGame, experiment: Experiment, effort: Effort) -> Iterator[str]:
    """Yield lines about the tables, and the estimated time that the games take with these workers."""
    player = make_setup(lab_game, experiment.arms[:1], effort).make_player()
    seconds = 0.0
    for cell in experiment.cells:
        games = effort.limit.count_games(cell)
        each = measure_game_seconds(player, experiment.arms[0].name, cell)
        seconds += each * games * len(experiment.arms) / effort.crew.workers
        yield f"{format_table(cell)}: {games:,} games of each of {len(experiment.arms)} readings"
    yield f"about {seconds:.0f} s with {effort.crew.workers} worker{'s' * (effort.crew.workers > 1)}"


def cover_rules(lab_game: LabGame, setup: Setup, tables: tuple[Cell, ...], run: int, effort: Effort) -> Coverage:
    """Play the tables, then further ones with fewer games, and look for positions for readings that no game reaches."""
    rules, game, games, told = lab_game.rules, lab_game.game, effort.limit.games, effort.told
    lots = [lot for cell in tables for lot in split_games(cell, run, games)]
    few = max(1, games // _FEWER)
    lots += [lot for cell in further_tables(game) for lot in split_games(cell, run, few)]
    own = dict.fromkeys((one.players, format_options(one.options)) for one in game.examples)
    known = {lot.cell for lot in lots}
    for players, options in own:
        cell = Cell(players, ("random",) * players, options)
        faulty = {arm for arm, _ in setup.find_faults((cell,))}  # another reading may not fit these options
        if cell not in known and setup.arms[0].name not in faulty:
            lots += split_games(cell, run, max(1, few // 2))
    by_players = {cell.players: cell for cell in reversed(tables)}
    lots += [ProbeLot(cell, run, games, _DEALS, branches=True, deals=True) for cell in by_players.values()]
    found = Coverage()
    for number, lot in enumerate(map_in_order(partial(probe_lot, setup, f"coverage {game.id}"), lots, effort.crew), 1):
        found.add(lot)
        told(f"{game.id}: {number:,} of {len(lots):,} lots of games")
    arms = setup.load_arms()[1]
    others = {name: arms[name][1] for name in arms if name != setup.arms[0].name}
    left = [name for name in others if (SWITCH, name) not in found.reached]
    told(f"{game.id}: looking for positions in which {', '.join(left)} matter" if left else "")
    found.reasons |= SituationSearch(rules, game, others).find_reasons(left)
    here, read = rules.box(game, game.players.most, {}).numbers, list_read_fields(rules)
    for name in left:
        other = rules.box(game, game.players.most, others[name]).numbers
        if not any(one in read for one in here if other[one] != here[one]):
            found.reasons[name] = "no rule reads it"
    told("")
    return found


def format_coverage(lab_game: LabGame, setup: Setup, found: Coverage, *, everything: bool) -> str:
    """Return the coverage as text: all readings, all gaps, and of other items what no game reaches or `everything`."""
    return join_lines(_iter_lines(lab_game, setup, found, everything=everything))


def _iter_lines(lab_game: LabGame, setup: Setup, found: Coverage, *, everything: bool) -> Iterator[str]:
    rules, game = lab_game.rules, lab_game.game
    whole = sum(found.games.values())
    yield f"{game.id}, draft {game.draft}: {whole:,} games at {len(found.games)} tables, {found.deals:,} further deals"
    known = list_branches(rules)
    branches = {str(at): one.name for at, one in enumerate(known) if (one.file, *one.whole) in found.entered}
    others = dict.fromkeys(one.function for one in known if (one.file, *one.whole) not in found.entered)
    box = rules.box(game, game.players.most, {})
    named = {
        SWITCH: {arm.name: arm.name for arm in setup.arms[1:]},
        GAP: {hole.id: hole.id for hole in rules.holes},
        BRANCH: branches,
        EXAMPLE: {example.id: example.id for example in game.examples},
        CARD: {design: design for design in list_card_designs(box)},
    }
    heads = {SWITCH: "readings", BRANCH: "branches", GAP: "gaps", EXAMPLE: "examples", CARD: "cards named by a move"}
    for kind, names in named.items():
        met = [name for name in names if (kind, name) in found.reached]
        yield ""
        yield f"{heads[kind]}: {len(met):,} of {len(names):,} reached"
        rows = []
        for name, label in names.items():
            reached = found.reached.get((kind, name))
            if reached is None:
                reason = found.reasons.get(name, "nowhere found") if kind in (SWITCH, BRANCH) else ""
                rows.append([label, "no game", reason])
            elif everything or kind in (SWITCH, GAP):
                rows.append([label, f"{reached.games:,} games", f"after {reached.moves} moves: {reached.where}"])
        yield from align_columns(rows, "  ")
        if kind == BRANCH and others:
            yield f"  Play enters none of these functions: {', '.join(others)}"
