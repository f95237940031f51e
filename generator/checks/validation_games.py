"""Validation games: examples and games between bots, played for checks, and the check of the table plan."""

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import util
from pathlib import Path
from time import monotonic

from generator.base.errors import Place, Problem, ProblemsFound, did_you_mean
from generator.base.files import ProgressListener, no_progress
from generator.base.languages import phrase
from generator.checks.check_report import Check, format_first_entries
from generator.checks.game_checks import (
    Playtest,
    check_examples,
    check_games_end,
    check_holes,
    check_repeats,
    check_shown_choices,
    check_supplies,
    count_wins,
    decide_laws,
    decide_measures,
    find_unknown_checks,
    report_interruption,
    report_unplayable,
)
from generator.game.consistency import count_printed, find_designs, resolve_count
from generator.game.data_fields import VERDICTS, TablePlan
from generator.game.game_cache import GameCache
from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import find_project
from generator.play import game_loop
from generator.play.batch import GamePlan, Opener, PlanRow, run_plan
from generator.play.bot_registry import list_bot_names
from generator.play.example_runs import find_example_faults, find_shown_choices
from generator.play.table_positions import PLAYERS, LaidPlace, lay_places
from generator.play.tally import Tally
from generator.rules.engine.contract import Rules, Zones
from generator.rules.engine.table import Seed, Table
from generator.rules.registry import (
    find_unplayable,
    hash_rules,
    kernel_folder,
    load_rules,
    report_rule_errors,
    trusted_folder,
)


def check_findings(game: Game, rules: Rules | None) -> Iterator[Check]:
    """Check that the lab made each table of findings with the current rules and numbers. Otherwise it is undecided."""
    for table in game.findings:
        name = f"findings.{table.players}.{'-'.join(table.bots).replace(':', '-')}"
        name += f".{re.sub('[^a-z0-9]+', '-', table.options).strip('-')}" if table.options else ""
        if (
            rules is not None
            and table.players in game.players
            and hash_rules(game, rules, table.players) == table.state
        ):
            counts = Counter(one.verdict for one in table.entries)
            verdicts = "".join(f", {phrase(f'verdict_{one}', 'en')}: {counts[one]}" for one in VERDICTS if counts[one])
            said = f"{table.games} games of each reading{verdicts}"
            yield Check(name, "lab", "pass", "the lab's findings match the current game", said, table.place)
        else:
            hint = f"run pnp lab readings {game.id} --keep-findings again"
            what = "rules or numbers have changed since the lab tested other readings"
            yield Check(name, "lab", "undecided", what, hint, table.place)


QUICK = 20
"""Default number of games with the random bot for each number of players. They take seconds."""

SHARE = {"random": 1, "look-ahead": 200}
_MOST = -1
_SAVED_EVERY = 30.0
"""Interval between saves of the games played so far (seconds)."""

USUAL_SHARE = 20
"""Number of random games for each game with another bot, except the bots in SHARE, which have their own numbers."""


@dataclass(frozen=True, slots=True)
class ValidationPlay:
    """Options for the games that validation plays: `games` random ones per number of players, in parallel `processes`.

    `trusted` allows a rules module in the game's own folder to run. `kernels` is the folder for compiled rules, or None
    to run them uncompiled. Raise ProblemsFound if numba is needed but not installed. `told` receives the progress.
    """

    games: int = QUICK
    processes: int = os.cpu_count() or 1
    trusted: bool = False
    kernels: Path | None = None
    told: ProgressListener = no_progress

    def __post_init__(self) -> None:
        if self.kernels is not None and util.find_spec("numba") is None:
            what = "numba is not installed, and --fast needs it"
            raise ProblemsFound([Problem(None, what, "install the program with its extra `fast`")])


def add_game_checks(
    game: Game,
    folder: Path,
    root: Path,
    rehearsal: ValidationPlay,
    checks: tuple[Check, ...],
    stored_tallies: GameCache | None = None,
) -> tuple[Check, ...]:
    """Return the checks with the results of examples and games added. Undecided checks may become decided.

    `folder` holds the data, `root` is the project. Games in `stored_tallies` for the same rules aren't played again.
    """
    rules = load_rules(game, trusted_folder(folder, rehearsal.trusted))
    if rules is None:
        return (*checks, *check_table_plan(game, None), *check_findings(game, None))
    reasons = find_unplayable(game, rules)
    if reasons:
        return (*checks, *report_unplayable(game, reasons))
    with report_rule_errors(game):
        planned = (*check_table_plan(game, rules), *check_findings(game, rules))
        test, cut = _play_games(game, rules, folder, root, rehearsal, stored_tallies)
    shown = (*check_examples(game, test), *check_shown_choices(game, test), *check_games_end(game, test))
    shown += (*count_wins(game, test), *check_repeats(game, test))
    pieces = (*check_supplies(game, test, checks), *check_holes(game, test))
    stopped = report_interruption(test, kept=stored_tallies is not None) if cut else ()
    decided = decide_measures(game, test, decide_laws(test, checks))
    unknown = find_unknown_checks(game, rules)
    return (*decided, *unknown, *planned, *shown, *pieces, *stopped)


def load_trusted_rules(root: Path, name: str, trusted: bool) -> tuple[Game, Rules]:
    """Load the game `name` of the project at `root` and its rules (own ones if `trusted`), in a process that plays."""
    project = find_project(root, root, links=True)  # checked by the calling process
    folder = project.find_folder(name)
    game = load_game(folder, project.resources)
    rules = load_rules(game, trusted_folder(folder, trusted))
    assert rules is not None, name  # noqa: S101 - checked by the calling process
    return game, rules


def _play_games(
    game: Game, rules: Rules, folder: Path, root: Path, rehearsal: ValidationPlay, kept: GameCache | None
) -> tuple[Playtest, bool]:
    """Play the examples, and the games that `kept` lacks. Return all results, and True if the user stopped them."""
    found = {example.id: find_example_faults(game, rules, example) for example in game.examples}
    rows = {
        (players, bot): rehearsal.games // SHARE.get(bot, USUAL_SHARE)
        for players in game.players
        for bot in list_bot_names(rules)
    }
    cache = ""
    if rehearsal.kernels is not None:
        own = [folder / game.rules_module] if game.has_own_rules else []
        cache = str(kernel_folder(rehearsal.kernels, Path(game_loop.__file__), *own))
    plan = GamePlan({row: number for row, number in rows.items() if number}, cache=cache)
    opener: Opener = partial(load_trusted_rules, root, folder.name, rehearsal.trusted)
    if rehearsal.processes <= 1:
        opener = lambda: (game, rules)  # noqa: E731 - a single process needs no reload
    store = _TallyStore(kept, [hash_rules(game, rules, players) for players in game.players], rehearsal.games)
    tallies = store.read(plan)
    cut, begun = False, monotonic()
    saved = begun
    try:
        for done, of in run_plan(plan, opener, rehearsal.processes, tallies):
            now = monotonic()
            left = _format_duration((now - begun) / done * (of - done))
            rehearsal.told(f"{game.id}: {done} of {of} lots of games, {left} left")
            if now - saved > _SAVED_EVERY:
                saved = now
                store.save(tallies)
    except KeyboardInterrupt:
        cut = True
    finally:
        rehearsal.told("")
    store.save(tallies)
    return Playtest(rules, plan.run, tallies, found, find_shown_choices(game, rules)), cut


def _format_duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"


class _TallyStore:
    """Stores tallies of the same rules and numbers: of the most games ever played, and of each ordered number."""

    def __init__(self, kept: GameCache | None, state: Sequence[str], games: int):
        self._kept, self._state, self._games = kept, state, games
        self._known: dict[int, dict[PlanRow, Tally]] = {}

    def read(self, plan: GamePlan) -> dict[PlanRow, Tally]:
        """Return the stored tallies that have no more games than the plan: they count as the plan's first games."""
        tallies: dict[PlanRow, Tally] = {}
        for games in (QUICK, _MOST, self._games):
            stored = self._kept.get("tallies", dict[PlanRow, Tally], self._state, games) if self._kept else None
            self._known[games] = stored or {}
            fitting = {row: one for row, one in self._known[games].items() if one.games <= plan.games.get(row, 0)}
            tallies = _join_tallies(tallies, fitting)
        return tallies

    def save(self, tallies: Mapping[PlanRow, Tally]) -> None:
        """Store the games played so far, if there are more than before."""
        for games in (_MOST, self._games) if self._kept else ():
            joined = _join_tallies(self._known.get(games, {}), tallies)
            if self._kept and joined != self._known.get(games):
                self._known[games] = joined
                self._kept.put("tallies", joined, self._state, games, rests_on=())


def _join_tallies(some: Mapping[PlanRow, Tally], others: Mapping[PlanRow, Tally]) -> dict[PlanRow, Tally]:
    """Return the rows of both; of a row in both, the tally with more games, or that in `some` if they have as many."""
    return {**some, **{row: one for row, one in others.items() if one.games > some.get(row, Tally()).games}}


_SHOWN = 8
_SEED = 1


def check_table_plan(game: Game, rules: Rules | None) -> Iterator[Check]:
    """Check for each number of players that the table plan shows every piece of the set-up once, on the right side.

    The plan is compared with the table that the rules set up, or only with the data's set-up if there are no rules. A
    failure points to the first fault.
    """
    plan = game.tabletop
    if plan is None:
        return
    for players in game.players:
        named = plan.example.replace(PLAYERS, str(players))
        example = next((one for one in game.examples if one.id == named and one.players == players), None)
        if rules is None:
            table = None
        elif example is not None:
            table = Table.arrange(rules, rules.box(game, players, example.options), Seed(_SEED), example.given)
        elif not named:
            table = Table.deal(rules, rules.box(game, players, {}), Seed(_SEED))
        else:
            sentence = f"there is no example '{named}', which shows the table for {players} players"
            hint = did_you_mean(named, [example.id for example in game.examples])
            place = game.places.place("tabletop", "example")
            yield Check(f"tabletop.{players}", "set-up", "fail", sentence, hint, place)
            continue
        zones = table.list_zones() if table is not None else {}
        laid = lay_places(game, plan, zones, players)
        faults = [
            *_check_zones_once(plan, laid, zones),
            *_check_zone_names(game, laid, zones),
            *(_check_sides(table, laid, zones) if table is not None else ()),
            *_check_amounts(game, laid, zones, players),
        ]
        number = sum(one.number for one in laid)
        there = sum(1 for one in laid if one.number)
        who = f"{players} players" if players > 1 else "1 player"
        place = next((place for place, _ in faults if place is not None), plan.place)
        if faults:
            sentence = f"the plan of the table differs from the set-up for {who}"
            figures = format_first_entries((what for _, what in faults), _SHOWN)
            yield Check(f"tabletop.{players}", "set-up", "fail", sentence, figures, place)
        else:
            sentence = f"the plan of the table shows the set-up for {who}"
            figures = f"{number} pieces at {there} places"
            yield Check(f"tabletop.{players}", "set-up", "pass", sentence, figures, plan.place)


Fault = tuple[Place | None, str]


def _check_zones_once(plan: TablePlan, laid: Sequence[LaidPlace], zones: Zones) -> Iterator[Fault]:
    """Yield a fault for each zone (pile or hand in the rules) with several places, none, or one despite `left_out`."""
    at: dict[str, list[LaidPlace]] = {}
    for one in laid:
        for zone in one.zones:
            at.setdefault(zone, []).append(one)
    for zone, pieces in zones.items():
        number, there = sum(pieces.values()), at.get(zone, [])
        if zone in plan.left_out:
            if there:
                yield there[0].place.place, f"the zone '{zone}' is in `left_out`, but also at '{there[0].place.id}'"
        elif number and not there:
            yield None, f"the zone '{zone}' with {number} pieces has no place"
        elif len(there) > 1:
            first, second = there[0].place, there[1].place
            yield second.place, f"the zone '{zone}' is at both '{first.id}' and '{second.id}'"


def _check_zone_names(game: Game, laid: Sequence[LaidPlace], zones: Zones) -> Iterator[Fault]:
    known = {*map(_drop_numbers, zones), *game.zones}
    for one in laid:
        for zone in one.place.zone:
            name = _drop_numbers(zone.replace("{seat}", "").partition("*")[0])
            if zones and not any(other == name or other.startswith(f"{name}-") for other in known):
                hint = did_you_mean(name, known)
                yield (
                    one.place.place,
                    f"'{one.place.id}' names the zone '{zone}', but the rules have no such zone; {hint}",
                )


def _drop_numbers(zone: str) -> str:
    """Return the name of a zone without its numbers, with hyphens instead of spaces: `hand 2` becomes `hand`."""
    return "-".join(word for word in zone.split() if not word.isdigit())


def _check_sides(table: Table, laid: Sequence[LaidPlace], zones: Zones) -> Iterator[Fault]:
    """Yield a fault for each place in the plan whose pieces show the wrong side.

    Pieces are face up if all players see them, face down if nobody does, and `own` if only some players do.
    """
    players = table.box.players
    views = [table.observe(eyes).zones for eyes in range(players)]
    for one in laid:
        for zone in one.zones:
            if not any(zones.get(zone, {}).values()):
                continue
            blind = [seat + 1 for seat in range(players) if any(not lying.piece for lying in views[seat].get(zone, ()))]
            wanted = "up" if not blind else "down" if len(blind) == players else "own"
            if players == 1 and one.place.face == "own":
                continue
            if one.place.face != wanted:
                who = {"up": "all players may see them", "down": "no player may see them"}.get(
                    wanted, f"players {', '.join(map(str, blind))} may not see them"
                )
                what = f"the pieces of '{zone}' have `face: {one.place.face}` at '{one.place.id}', but {who}"
                yield one.place.place, f"{what}: write `face: {wanted}`"


def _check_amounts(game: Game, laid: Sequence[LaidPlace], zones: Zones, players: int) -> Iterator[Fault]:
    """Yield a fault for each kind of which the plan places more pieces than printed, or not as many as set-up takes."""
    lying = Counter[str]()
    placed = {zone for one in laid for zone in one.zones}
    for one in laid:
        for cell in one.cells:
            lying.update(dict(cell.pieces))
        for name, count in one.place.pieces.items():
            if (number := resolve_count(game, name, count)) > count_printed(game, name):
                yield _make_count_fault(game, one, name, number)
    for zone, pieces in zones.items():
        if zone not in placed:
            for piece, number in pieces.items():
                lying[piece.split("#")[0]] += number
    for design in game.designs():
        if lying[design.id] > design.count:
            what = f"{lying[design.id]} of '{design.id}' are on the table, but {design.count} are printed"
            hint = "place fewer, or name the owner with `out_of`"
            found = [
                (one.place.id, name) for one in laid for name in one.place.pieces if design in find_designs(game, name)
            ]
            path = ("tabletop", "places", found[-1][0], "pieces", found[-1][1]) if found else None
            yield game.places.place(*path) if path else None, f"{what}: {hint}"
    yield from _check_setup_amounts(game, laid, zones, players, lying)


def _check_setup_amounts(
    game: Game, laid: Sequence[LaidPlace], zones: Zones, players: int, lying: Mapping[str, int]
) -> Iterator[Fault]:
    """Yield a fault for each kind unknown to the rules of which neither all nor as many as set-up takes are `lying`."""
    by_rules = {name.partition("/")[0] for pieces in zones.values() for name in pieces}
    taken, have = Counter[str](), Counter[str]()
    for name, number in lying.items():
        have[name.partition("/")[0]] += number
    for item in game.setup:
        taken[item.kind] += item.take * (players if item.each_player else 1)
    for kind, number in taken.items():
        known = kind not in by_rules and kind in game.kinds
        if known and have[kind] not in (number, max(number, game.kinds[kind].count)):
            takes = f"set-up takes {number} of '{kind}' for {players} players"
            yield _make_amount_fault(game, laid, kind, have[kind], takes)


def _make_amount_fault(game: Game, laid: Sequence[LaidPlace], kind: str, have: int, takes: str) -> Fault:
    """Return the fault that `have` pieces of a kind lie on the table, not as `takes` says, at the place with most."""
    numbers = [
        (resolve_count(game, name, count), one, name)
        for one in laid
        for name, count in one.place.pieces.items()
        if name.partition("/")[0] == kind and isinstance(count, int)
    ]
    if not numbers:
        return None, f"{takes}, but {have} are on the table"
    number, one, name = max(numbers, key=lambda entry: entry[0])
    where, what = _make_count_fault(game, one, name, have if name == kind else number)
    return where, f"{what}; {takes}, but {have} are on the table"


def _make_count_fault(game: Game, cell: LaidPlace, name: str, number: int) -> Fault:
    """Return the fault that a place lays `number` pieces of a kind or design, unlike the printed number."""
    where = game.places.place("tabletop", "places", cell.place.id, "pieces", name)
    designs = find_designs(game, name)
    plan, parts = (place.file.rpartition("/")[2] if place else "" for place in (where, designs[0].place))
    what = f"{plan} places {number} of '{name}', but {parts} has {count_printed(game, name)}"
    line = f" on line {where.line}" if where else ""
    return where, f"{what}: change `{name}: {cell.place.pieces[name]}`{line}, or write `{name}: all`"
