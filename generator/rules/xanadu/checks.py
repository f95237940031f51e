"""Checks of Forwarder of Xanadu for texts, pieces and time."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from generator.base.errors import Place, Problem, ProblemsFound
from generator.game.model import Design, Game
from generator.rules.engine.facts import (
    Outcome,
    check,
    check_each_table,
    count_printed,
    find_kind,
    format_finding,
    iter_words,
    make_outcome,
)
from generator.rules.xanadu.data import TIERS, WORTH, Facts, facts_of, limits_of, map_of, shortage_of
from generator.rules.xanadu.outlook import (
    count_starts,
    find_shortfalls,
    list_states,
    make_change,
    most_normals,
    most_tokens,
    worker_round,
)

ALONE = re.compile(r"(?<![A-Za-z])[@AB](?![A-Za-z])")
"""A character that replaced a circled digit; a single A is a word in English."""

FILLED_IN = re.compile(r"\{[{%].*?[}%]\}", re.DOTALL)


def short_name(design: Design) -> str:
    """Return a design's own name, without its kind."""
    return design.id.split("/", 1)[1]


def name_and_place(design: Design) -> str:
    """Return a design with the line that describes it: `lotus (data/xanadu/boards.yaml:123)`."""
    return format_place(short_name(design), design.place)


def format_place(name: str, place: Place | None) -> str:
    """Return a name with the file and line of its place, or the bare name without a place."""
    return f"{name} ({place.file}:{place.line})" if place else name


@check
def text_restored(game: Game) -> Outcome:
    """Check that no printed text contains @, and no Japanese one a single A or B."""
    faults, seen = [], 0
    for path, lang, text in _printed_texts(game):
        seen += 1
        rest = FILLED_IN.sub("", text)
        found = ALONE.findall(rest) if lang == "ja" else [sign for sign in rest if sign == "@"]
        faults += [f"{path}: {' '.join(found)}"] if found else []
    return make_outcome(f"{seen} texts", faults)


def _printed_texts(game: Game) -> Iterator[tuple[str, str, str]]:
    """Yield (where, language, text) of everything that can be printed: names, cards, words, phrases, rules."""
    parts: dict[str, Any] = {kind.id: kind.name for kind in game.kinds.values()}
    parts |= {icon.id: icon.name for icon in game.icons.values()}
    parts |= {operation.id: operation.says for operation in game.operations.values()}
    parts |= {design.id: design.fields for design in game.designs()}
    parts |= {"words": game.sections.get("words", {}), "variants": game.sections.get("rules", {}).get("variants", ())}
    for name, value in parts.items():
        for path, words in iter_words(name, value):
            yield from ((path, lang, text) for lang, text in words.items())


@check
def setup_agrees(game: Game) -> Outcome:
    """Check that the lines of set-up take as many pieces of each kind from the box as the rules say."""
    facts = facts_of(game)
    wanted = Counter({
        ("area_board", False): len(map_of(game).town),
        ("action_board", False): 1,
        ("start_marker", False): 1,
        ("request", False): sum(facts.market.values()),
        ("company_board", True): 1,
        ("worker", True): facts.start_workers,
        ("dispatch", True): facts.growth.handed_out,
        ("share", True): facts.start_shares,
        ("resource", True): sum(facts.start_goods),
        ("daily_card", True): 1,
        ("request", True): sum(facts.daily_row.values()),
        ("skill", True): max(facts.skills.values()),
    })  # fmt: skip
    found = Counter[tuple[str, bool]]()
    for item in game.setup:
        found[item.kind, item.each_player] += item.take
    faults = [
        f"{kind}{' each' if each else ''}: {found[kind, each]}, not {wanted[kind, each]}"
        for kind, each in {**wanted, **found}
        if found[kind, each] != wanted[kind, each]
    ]
    return make_outcome(f"{len(found)} lines", faults)


@check
def stock_after_setup(game: Game) -> Outcome:
    """Check that normal resources, dispatch workers and both decks after set-up equal the table in `rules.limits`."""
    facts = facts_of(game)
    table = limits_of(game).stock
    cards, printed = count_printed(game, "request", "tier"), count_printed(game, "resource", "grade")

    def row(players: int) -> tuple[bool, str]:
        left = {
            "normals": printed[next(iter(facts.grades))] - players * facts.start_goods[0],
            "dispatch": find_kind(game, "dispatch").count - players * facts.growth.handed_out,
            **{tier: cards[tier] - players * facts.daily_row[tier] - facts.market[tier] for tier in TIERS},
        }
        figures = ", ".join(f"{name} {format_finding(left[name], table[players][name])}" for name in left)
        return left == table[players] and min(left.values()) >= 0, figures

    return check_each_table(game, row)


@check
def resources_agree(game: Game) -> Outcome:
    """Check that there are as many printed resources of each grade as the rules say, and some of every grade."""
    facts = facts_of(game)
    faults = []
    for design in find_kind(game, "resource").designs:
        wanted = facts.grades.get(design.fields["grade"])
        faults += [f"{name_and_place(design)}: {design.count}, not {wanted}"] if design.count != wanted else []
    missing = facts.grades.keys() - {design.fields["grade"] for design in find_kind(game, "resource").designs}
    faults += [f"no token of {grade}" for grade in sorted(missing)]
    return make_outcome(" + ".join(map(str, facts.grades.values())), faults)


@check
def resources_setup(game: Game) -> Outcome:
    """Check that the box has the goods that players start with, grade by grade."""
    facts = facts_of(game)

    def row(players: int) -> tuple[bool, str]:
        pairs = list(zip(facts.start_goods, facts.grades.values(), strict=True))
        return all(players * n <= there for n, there in pairs), f"{players * pairs[0][0]} of {pairs[0][1]}"

    return check_each_table(game, row)


@check
def resources_normal_worst_case(game: Game) -> Outcome:
    """Check that normal resources last if no player spends any, unless the reading says they never run out."""
    facts = facts_of(game)
    there = next(iter(facts.grades.values()))

    def row(players: int) -> tuple[bool, str]:
        moment, owed = next(((m, n) for m, n in _most_owed(players, facts) if n > there), ("at no time", 0))
        return not owed or facts.switches["normal_shortage"] == "unlimited", f"{owed} owed of {there} {moment}"

    return check_each_table(game, row)


@check
def growth_worker_earliest(game: Game) -> Outcome:
    """Check that the extra worker's first round and the fewest and most turns equal those in `rules.limits`."""
    facts = facts_of(game)
    limits, growth = limits_of(game), facts.growth
    first = worker_round(growth)
    fewest = facts.start_workers + growth.workers[0] * (facts.rounds - 1)
    most = fewest + (growth.workers[1] - growth.workers[0]) * (facts.rounds - first if first else 0)
    stated = (limits.worker_round, *limits.turns)
    first_end, fewest_turns, most_turns = map(format_finding, (first, fewest, most), stated)
    figures = f"end of round {first_end}, {fewest_turns} to {most_turns} turns"
    return Outcome((first, fewest, most) == stated, figures)


@check
def growth_states(game: Game) -> Outcome:
    """Check that the number of possible final states of a company equals `rules.limits`."""
    growth = facts_of(game).growth
    reached = list_states(growth.removed_lids, growth)
    found = {
        "states": len(reached),
        "with_worker": sum(off["worker"] == growth.lids["worker"] for off in reached),
        "all_skills": sum(off["skill"] == growth.lids["skill"] for off in reached),
    }
    return _as_limits(found, limits_of(game).growth, f"{growth.removed_lids} lids off: ")


@check
def growth_values(game: Game) -> Outcome:
    """Check that no row of the growth track is worth less with more lids off."""
    growth = facts_of(game).growth
    values: Mapping[str, tuple[int, ...]] = {
        name: getattr(growth, name)[: growth.lids[row] + 1] for name, row in WORTH.items()
    }
    faults = [f"growth.{name} falls" for name, row in values.items() if list(row) != sorted(row)]
    return make_outcome(", ".join(f"{name} {'/'.join(map(str, row))}" for name, row in values.items()), faults)


@check
def warehouse_room(game: Game) -> Outcome:
    """Check that the most that growth and skills together let a warehouse hold equals `rules.limits`."""
    growth, stated = facts_of(game).growth, limits_of(game).warehouse
    grown = growth.limit[growth.lids["warehouse"]]
    skills = [
        (design, effect.values["n"])
        for design in find_kind(game, "skill").designs
        for effect in design.fields["effects"]
        if effect.op == "hold_more"
    ]
    most = grown + sum(more for _, more in skills)
    figures = f"{' + '.join(map(str, [grown, *(more for _, more in skills)]))} = {format_finding(most, stated)}"
    return make_outcome(
        figures, [] if most == stated else [f"skills: {', '.join(name_and_place(design) for design, _ in skills)}"]
    )


@check
def spaces_formula(game: Game) -> Outcome:
    """Check that space k of every row gives k actions, and as many normal resources as spaces follow it."""
    facts = facts_of(game)
    last = max(facts.spaces, default=0)
    faults = [
        f"space {space.space}: {space.actions} actions, {space.normals} normal resources"
        for space in facts.spaces.values()
        if (space.actions, space.normals) != (space.space, last - space.space)
    ]
    return make_outcome(", ".join(f"{action} {'-'.join(map(str, row))}" for action, row in facts.rows.items()), faults)


@check
def workers_refresh_guarantee(game: Game) -> Outcome:
    """Check that players can always take back a round's workers; the rounds of the data show if it can fail."""
    facts = facts_of(game)
    hand = facts.growth.workers[0]
    try:
        rounds = list(find_shortfalls(shortage_of(game), facts))
    except ValueError as error:
        place = game.places.place("rules", "shortage")
        raise ProblemsFound([Problem(place, f"rules.shortage cannot be played: {error}", "remove it")]) from error
    short = any(taken < hand for found in rounds for taken in found.taken)
    figures = "; ".join(f"round {found.round}: {'/'.join(map(str, found.taken))} taken back" for found in rounds)
    return Outcome(not short or facts.switches["worker_shortage"] == "recall", figures or "no rounds to play")


@check
def vp_tokens_provisional(game: Game) -> Outcome:
    """Check that the VP tokens can pay every player the VP in `rules.limits`, but not one VP more each."""
    stated = limits_of(game)
    tokens = {design.fields["value"]: design.count for design in find_kind(game, "vp").designs}
    most = {value: number * game.players.most for value, number in most_tokens(stated.vp_player, tuple(tokens)).items()}
    beyond = {value: n * game.players.most for value, n in make_change(stated.vp_player + 1, tuple(tokens)).items()}
    worth = sum(value * number for value, number in tokens.items())
    faults = [
        f"{number} tokens of {value} for {most[value]}" for value, number in tokens.items() if number < most[value]
    ]
    faults += [f"needs {most}, not {stated.vp_needs}"] if most != stated.vp_needs else []
    faults += [f"worth {format_finding(worth, stated.vp_worth)}"] if worth != stated.vp_worth else []
    if all(tokens[value] >= number for value, number in beyond.items()):
        faults.append(f"{stated.vp_player + 1} VP each could be paid too")
    return make_outcome(
        f"up to {stated.vp_player} VP each: {'/'.join(map(str, most.values()))} tokens, worth {worth}", faults
    )


@check
def majority_totals(game: Game) -> Outcome:
    """Check that the total pay of first and second in all areas equals `rules.limits`, at both scorings."""
    facts = facts_of(game)
    zones = _count_zones(game, facts)
    found = {
        "interim": sum(sum(facts.majority[zone].interim) * n for zone, n in zones.items()),
        "final": sum(sum(facts.majority[zone].final) * n for zone, n in zones.items()),
    }
    return _as_limits(found, limits_of(game).majority)


@check
def majority_single_max(game: Game) -> Outcome:
    """Check that the pay of a player who is first everywhere equals `rules.limits`, at both scorings."""
    facts = facts_of(game)
    zones = _count_zones(game, facts)
    found = {
        "first_interim": sum(facts.majority[zone].interim[0] * n for zone, n in zones.items()),
        "first_final": sum(facts.majority[zone].final[0] * n for zone, n in zones.items()),
    }
    return _as_limits(found, limits_of(game).majority)


@check
def majority_rises(game: Game) -> Outcome:
    """Check that every zone pays more at the final scoring than at the interim one."""
    facts = facts_of(game)
    same = [zone for zone, pay in facts.majority.items() if sum(pay.final) <= sum(pay.interim)]
    shown = (
        f"zone {zone}: {_format_pay(pay.interim)} and {_format_pay(pay.final)}" for zone, pay in facts.majority.items()
    )
    return Outcome(not same, "; ".join(shown))


@check
def start_player_fair(game: Game) -> Outcome:
    """Check that all players are start player equally often, unless the reading lets a player choose."""
    facts = facts_of(game)

    def row(players: int) -> tuple[bool, str]:
        times = count_starts(players, facts.rounds)
        return len({*times}) == 1 or facts.switches["start_player"] != "rotate", "/".join(map(str, times))

    return check_each_table(game, row)


def _most_owed(players: int, facts: Facts) -> Iterator[tuple[str, int]]:
    """Yield moments of a game, and the most normal resources that all players can have got by then if they keep all."""
    given, lids = players * facts.start_goods[0], 0
    for number in range(1, facts.rounds + 1):
        turns = facts.start_workers + facts.growth.workers[0] * (number - 1)
        income = most_normals(players * turns, facts.rows, facts.spaces)
        yield f"in round {number}", given + income
        if number < facts.rounds:
            lids = min(lids + facts.growth.by_round[number - 1], facts.growth.lids["warehouse"])
            given += players * (facts.restock + facts.growth.restock[lids])
            yield f"at the end of round {number}", given + income


def _count_zones(game: Game, facts: Facts) -> Mapping[int, int]:
    """Return the number of places in each zone. Raise ProblemsFound for a zone without pay."""
    zones = Counter(area.zone for area in map_of(game).town.values() if area.zone)
    for zone in zones.keys() - facts.majority.keys():
        place = game.places.place("rules", "majority")
        raise ProblemsFound([Problem(place, f"rules.majority says nothing of zone {zone}", "add a line for it")])
    return zones


def _as_limits(found: Mapping[str, int], stated: Mapping[str, int], before: str = "") -> Outcome:
    figures = ", ".join(f"{name.replace('_', ' ')} {format_finding(n, stated[name])}" for name, n in found.items())
    return Outcome(all(n == stated[name] for name, n in found.items()), before + figures)


def _format_pay(pays: tuple[int, ...]) -> str:
    return "/".join(map(str, pays))
